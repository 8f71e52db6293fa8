// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Module and BPF engine side by side tell the same story: what each CPU ran, in the same sequence; births, names and
 * deaths; interrupts; packets and their bytes. Each is the other's oracle, and no losses may occur.
 *
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 rounds=3:15 timeout=120:300 engine=both also=6.1
 * guest: cpus=8 memory=3072 rounds=2:30 timeout=200:500 engine=both full-only=yes
 *
 * story.h tells how exact times are.
 */
#include "story.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define CPUS_MAX 16
#define PORT 4711

/* ---- the load ------------------------------------------------------------------------ */

static void lo_up(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo" };

	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &request))
		give_up("lo");
	request.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &request))
		give_up("lo up");
	close(fd);
}

static void send_datagrams(uint64_t until)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), i;
	char data[1400] = { 0 };

	for (i = 0; now_ns(CLOCK_MONOTONIC) < until; i++) {
		sendto(fd, data, (size_t)(i % 1300) + 1, 0, (const struct sockaddr *)&to, sizeof(to));
		if (!(i % 16))
			usleep(500);
	}
}

static void fork_all_the_time(uint64_t until, int number)
{
	static char *const arguments[] = { "/tmp/one", "1", "2", NULL };
	volatile int i;		/* vfork() */
	pid_t pid;

	for (i = 0; now_ns(CLOCK_MONOTONIC) < until; i++) {
		pid = i & 1 ? fork() : vfork();
		if (!pid) {
			if (i & 2)
				execv("/tmp/one", arguments);
			if (i & 4)
				kill(getpid(), SIGTERM);
			_exit((number + i) % 100);
		}
		reap_child(pid, NULL);
	}
}

static void pass_to_and_fro(uint64_t until)
{
	int there[2], back[2];
	char byte = 0;
	pid_t pid;

	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		give_up("pipe");
	pid = fork();
	if (!pid) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	close(there[0]);
	while (now_ns(CLOCK_MONOTONIC) < until && write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1)
		;
	close(there[1]);
	reap_child(pid, NULL);
}

/* Runs the workers, and writes to the terminal, whose line makes interrupts. */
static void make_load(int seconds)
{
	uint64_t until = now_ns(CLOCK_MONOTONIC) + (uint64_t)seconds * 1000000000;
	int workers = 2 * count_cpus(), i;
	pid_t pid[2 * CPUS_MAX];

	for (i = 0; i < workers; i++) {
		pid[i] = fork();
		if (pid[i] < 0)
			give_up("fork");
		if (pid[i])
			continue;
		if (i % 3 == 0)
			fork_all_the_time(until, i);
		else if (i % 3 == 1)
			send_datagrams(until);
		else
			pass_to_and_fro(until);
		_exit(0);
	}
	for (i = 0; i < workers; i++) {
		printf("# ................................................................\n");
		fflush(stdout);
		reap_child(pid[i], NULL);
	}
}

/* ---- lives ------------------------------------------------------------------------------ */

static bool is_whole(const struct life *life)
{
	return life->dead && life->born > story_from && life->died < story_until && life->birth &&
	       !(life->birth->type & BCOS_TYPE_HISTORICAL);
}

/* Finds the process with this ID that was born at about this time. */
static const struct life *same_life(const struct lives *lives, const struct life *wanted)
{
	const struct life *best = NULL;
	size_t i;

	for (i = 0; i < lives->count; i++)
		if (lives->life[i].id == wanted->id &&
		    (!best || llabs((long long)(lives->life[i].born - wanted->born)) <
								llabs((long long)(best->born - wanted->born))))
			best = &lives->life[i];
	return best;
}

static void compare_lives(void)
{
	struct lives lives[SIDES] = { lives_of(&logs[MODULE]), lives_of(&logs[BPF]) };
	int side, whole, other;
	size_t i;

	for (side = 0; side < SIDES; side++) {
		whole = other = 0;
		for (i = 0; i < lives[side].count; i++) {
			const struct life *life = &lives[side].life[i], *twin;

			if (!is_whole(life))
				continue;
			whole++;
			twin = same_life(&lives[!side], life);
			if (twin && twin->dead && twin->status == life->status && twin->names == life->names &&
			    !strcmp(twin->name, life->name) &&
			    twin->assigned + assigned_again(side, life->id) ==
			    life->assigned + assigned_again(!side, life->id))
				continue;
			if (other++ < 5)
				print_note("process %u \"%s\": status 0x%x, %u names, assigned %u times; "
					   "there \"%s\", 0x%x, %u, %u",
					   life->id, life->name, life->status, life->names, life->assigned,
					   twin ? twin->name : "nobody", twin ? twin->status : 0,
					   twin ? twin->names : 0, twin ? twin->assigned : 0);
		}
		make_point(whole > 20 && !other, "%d processes that %s saw are the same in the other log (%d are not)",
			   whole, side_names[side], other);
	}
}

/*
 * Returns the name of the port with interrupts. Ports that share a line have the name of the one that was opened first.
 */
static const char *port_name(void)
{
	static char name[] = "ttyS1";
	char text[16384], *at;

	if (read_file("/proc/interrupts", text, sizeof(text)) <= 0)
		give_up("/proc/interrupts");
	at = strstr(text, name) ?: strstr(text, "ttyS");
	if (at)
		memcpy(name, at, strlen(name));
	return name;
}

int main(void)
{
	pid_t first[CPUS_MAX], last[CPUS_MAX];
	int seconds = get_rounds(3), count = count_cpus(), cpu, fd;

	if (!recording_begin)
		skip_all("these tests were built without the BPF engine");
	make_program("/tmp/one");
	lo_up();
	recording_begin("mask=all ring_kb=262144 staging_kb=65536");
	load_module("mask=all ring_kb=262144 staging_kb=4096");
	fd = recording_open();
	for (cpu = 0; cpu < count; cpu++)
		first[cpu] = leave_mark(cpu);
	make_load(seconds);
	for (cpu = 0; cpu < count; cpu++)
		last[cpu] = leave_mark(cpu);
	take_sides(fd);
	for (cpu = 0; cpu < count; cpu++)
		compare_cpu(cpu, first[cpu], last[cpu]);
	compare_lives();
	compare_device(port_name(), BCOS_IRQ, "interrupts");
	compare_device("lo", BCOS_DEVICE_OUTPUT, "packets sent");
	compare_device("lo", BCOS_DEVICE_INPUT, "packets received");
	recording_end();
	unload_module();
	return finish_test();
}
