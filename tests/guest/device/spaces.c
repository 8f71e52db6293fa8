// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * An interface moves on from one network namespace to the next, and transfers something in each.
 *
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 timeout=120 engine=bpf
 *
 * The oracle is the test, which moves the interface: in each namespace the interface is a device of its own, which is
 * gone when it leaves.
 */
#include "account.h"

#include <arpa/inet.h>
#include <sched.h>

#define NAME "dmy0"

/* A process in a network namespace of its own, which does what it is told by a byte, and says when it is done. */
struct resident {
	pid_t id;
	int tell, hear;
};

static struct log everything;

static void send_packet(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	inet_pton(AF_INET, "198.51.100.2", &to.sin_addr);
	if (run_program("/bin/ifconfig", NAME, "198.51.100.1", "netmask", "255.255.255.0", "up", NULL))
		give_up("ifconfig");
	if (sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof(to)) != 1)
		give_up("sendto");
	close(fd);
}

static void move_to(pid_t id)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", id);
	if (run_program("/bin/ip", "link", "set", NAME, "netns", text, NULL))
		give_up("ip link set netns");
}

static void be_resident(int hear, int tell, pid_t next)
{
	char c;

	if (unshare(CLONE_NEWNET))
		give_up("unshare");
	while (write(tell, "x", 1) == 1 && read(hear, &c, 1) == 1) {
		send_packet();
		move_to(next);
	}
	_exit(0);
}

static struct resident start_resident(pid_t next)
{
	struct resident resident;
	int down[2], up[2];
	char c;

	if (pipe(down) || pipe(up))
		give_up("pipe");
	resident.id = fork();
	if (!resident.id) {
		close(down[1]);
		close(up[0]);
		be_resident(down[0], up[1], next);
	}
	close(down[0]);
	close(up[1]);
	resident.tell = down[1];
	resident.hear = up[0];
	if (resident.id < 0 || read(resident.hear, &c, 1) != 1)
		give_up("a namespace");
	return resident;
}

/* Moves the interface to a resident, who transfers something and moves it on. */
static void visit_resident(const struct resident *resident)
{
	char c;

	move_to(resident->id);
	if (write(resident->tell, "x", 1) != 1 || read(resident->hear, &c, 1) != 1)
		give_up("a visit");
}

static void end_resident(const struct resident *resident)
{
	close(resident->tell);
	close(resident->hear);
	waitpid(resident->id, NULL, 0);
}

/* Counts how often the interface came, went and sent a packet. Return: was it in at most one namespace at a time? */
static bool count_visits(unsigned int *came, unsigned int *went, unsigned int *packets)
{
	const struct bcos_entry *entry;
	uint32_t id = 0;
	bool live = false, once = true;
	size_t at;

	*came = *went = *packets = 0;
	for (at = 0; at < everything.size; at += entry->size) {
		entry = (const struct bcos_entry *)(everything.bytes + at);
		if (entry->type == BCOS_SET_DEVICE_NAME &&
		    !strncmp(((const struct bcos_device_name *)entry)->name, NAME, strlen(NAME))) {
			once &= !live;
			live = true;
			id = entry->source;
			++*came;
		} else if (live && entry->source == id && entry->type == BCOS_CANCEL_DEVICE_NAME) {
			live = false;
			++*went;
		} else if (live && entry->source == id && entry->type == BCOS_DEVICE_OUTPUT) {
			++*packets;
		}
	}
	return once;
}

int main(void)
{
	unsigned int came, went, packets;
	struct resident first, second;
	bool once;

	/* The second resident moves the interface back to the namespace of the test. */
	second = start_resident(getpid());
	first = start_resident(second.id);
	load_module("");
	if (run_program("/bin/ip", "link", "add", NAME, "type", "dummy", NULL))
		give_up("ip link add");
	send_packet();
	visit_resident(&first);
	/* The first resident has moved the interface to the second one. */
	if (write(second.tell, "x", 1) != 1 || read(second.hear, &(char){ 0 }, 1) != 1)
		give_up("the second visit");
	send_packet();
	if (run_program("/bin/ip", "link", "del", NAME, NULL))
		give_up("ip link del");
	everything = log_take();
	once = count_visits(&came, &went, &packets);
	make_point(once, "it is in one namespace at a time");
	make_point(came == 4 && went == 4, "it comes to each and leaves it: %u and %u times", came, went);
	make_point(packets >= 4, "what it transfers in each is recorded: %u packets", packets);
	log_check(&everything, "the log with an interface that moves");
	end_resident(&first);
	end_resident(&second);
	unload_module();
	return finish_test();
}
