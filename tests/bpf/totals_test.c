// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The totals of the account, which BPF records on this machine, are those of the kernel's own accounting: CPU time of a
 * process is that of getrusage(), idle time is that of /proc/stat, and what a disk and a network interface transferred
 * is what /proc/diskstats and /proc/net/dev count.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "balance.h"
#include "reader/reader.h"
#include "bcoslog_bpf.h"

#define MS 1000000ull
#define TRIES 300
#define BURSTS 20

static struct bcoslog *recorder;
static uint32_t recorded;	/* classes */
static struct balance balance;
static struct bcoslog_account_process worker;	/* as it ended */
static pid_t watched;
static uint64_t uncertain;	/* ns for which the log states that assignments are lost */

static uint64_t read_clock(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void run_shell(const char *format, ...)
{
	char command[400];
	va_list list;

	va_start(list, format);
	vsnprintf(command, sizeof(command), format, list);
	va_end(list);
	if (system(command))
		fail_msg("%s", command);
}

/* ---- the recording ---------------------------------------------------------------------------- */

static void begin_recording(uint32_t classes)
{
	struct bcoslog_bpf options = { .size = sizeof(options), .classes = classes };
	struct bcoslog_error error;

	recorded = classes;
	if (bcoslog_open_bpf(&recorder, &options, BCOSLOG_FOLLOW, &error))
		fail_msg("%s", error.text);
}

static void catch_up(void)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	struct bcoslog_loss loss;
	int more;

	assert_int_equal(bcoslog_flush(recorder, NULL), 0);
	while ((more = bcoslog_batch(recorder, &batch)) > 0) {
		bcoslog_each(entry, &batch) {
			/* The account forgets the process then, so its sums are copied. */
			if (watched && entry->type == BCOS_CANCEL_PROCESS_NAME && entry->source == (uint32_t)watched) {
				bcoslog_account_settle(balance.account);
				worker = *bcoslog_account_process(balance.account, entry->source);
				worker.ended = true;
			}
			if (bcoslog_loss(entry, &loss))
				uncertain += loss.end - loss.begin;
			balance_entry(&balance, entry);
		}
	}
	assert_int_equal(more, 0);
	bcoslog_account_settle(balance.account);
}

/*
 * Asserts that nothing is lost but switches of which the kernel told nothing, since other sums could not be compared.
 * Return: the number of these switches.
 */
static uint64_t unseen_switches(void)
{
	struct bcos_status status;
	unsigned int reason;
	int tries;

	assert_int_equal(bcoslog_status(recorder, &status), 0);
	for (reason = 0; reason < BCOS_LOST_REASONS; reason++) {
		/* Others may make the kernel tell more of devices than it keeps, which says nothing of CPU time. */
		if (reason == BCOS_LOST_SOURCE && !(recorded & BCOS_CLASS_IO))
			continue;
		if (reason != BCOS_LOST_NESTED && reason != BCOS_LOST_UNNAMED && status.lost[reason])
			fail_msg("%llu events are lost, for the reason %u of BCOS_LOST_*",
				 (unsigned long long)status.lost[reason], reason);
	}
	/* The log states such a loss at the next switch of that CPU, up to a second later. */
	for (tries = 0; status.lost[BCOS_LOST_NESTED] && !bcoslog_account_totals(balance.account)->losses; tries++) {
		assert_true(tries < TRIES);
		usleep(10000);
		catch_up();
	}
	return status.lost[BCOS_LOST_NESTED];
}

static void finish_recording(void)
{
	const char *wrong;

	unseen_switches();
	wrong = balance_end(&balance);
	if (wrong)
		fail_msg("%s", wrong);
	balance_free(&balance);
	bcoslog_close(recorder);
	recorder = NULL;
}

/* ---- CPU time --------------------------------------------------------------------------------- */

struct stat_sums {
	uint64_t idle, taken;	/* ns of all CPUs: idle; interrupts, and what a hypervisor took */
};

static struct stat_sums stat_sums(void)
{
	unsigned long long user, nice, system_time, idle, iowait, irq, softirq, steal;
	uint64_t tick = 1000000000ull / (uint64_t)sysconf(_SC_CLK_TCK);
	FILE *file = fopen("/proc/stat", "re");

	assert_non_null(file);
	assert_int_equal(fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system_time, &idle,
				&iowait, &irq, &softirq, &steal), 8);
	fclose(file);
	return (struct stat_sums){ (idle + iowait) * tick, (irq + softirq + steal) * tick };
}

static void burn_cpu(uint64_t ns)
{
	uint64_t end = read_clock(CLOCK_PROCESS_CPUTIME_ID) + ns;

	while (read_clock(CLOCK_PROCESS_CPUTIME_ID) < end)
		;
}

/* The kernel's figures for a process: its CPU time, and how often it left a CPU. */
struct use {
	uint64_t time, turns;
};

static struct use use_of(const struct rusage *usage)
{
	return (struct use){
		(uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000u +
			(uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000u,
		(uint64_t)(usage->ru_nvcsw + usage->ru_nivcsw),
	};
}

/* Forks the worker, which tells @pipe what it has used just before it ends. */
static pid_t begin_worker(int pipe)
{
	pid_t pid = fork();
	struct rusage usage;
	struct use own;
	int i;

	if (pid)
		return pid;
	for (i = 0; i < BURSTS; i++) {
		burn_cpu(20 * MS);
		usleep(3000);
	}
	getrusage(RUSAGE_SELF, &usage);
	own = use_of(&usage);
	_exit(write(pipe, &own, sizeof(own)) != sizeof(own));
}

static void expect_near(const char *what, uint64_t log, uint64_t least, uint64_t most, uint64_t tolerance)
{
	print_message("# %s: %.3f ms by the log, %.3f to %.3f ms by the kernel, within %.3f ms\n", what,
		      (double)log / 1e6, (double)least / 1e6, (double)most / 1e6, (double)tolerance / 1e6);
	if (log + tolerance < least || log > most + tolerance)
		fail_msg("%s: %llu ns by the log, %llu to %llu ns by the kernel", what, (unsigned long long)log,
			 (unsigned long long)least, (unsigned long long)most);
}

static void test_cpu_time(void **state)
{
	uint64_t from, until, cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), tick, idle, unseen;
	struct stat_sums before, after;
	int tries, status, pipe_of[2];
	struct use running, ended;
	struct rusage usage;

	(void)state;
	tick = 1000000000ull / (uint64_t)sysconf(_SC_CLK_TCK);
	begin_recording(BCOS_CLASS_ASSIGN);
	from = read_clock(CLOCK_BOOTTIME);
	before = stat_sums();
	memset(&worker, 0, sizeof(worker));
	uncertain = 0;
	assert_int_equal(pipe(pipe_of), 0);
	watched = begin_worker(pipe_of[1]);
	assert_int_equal(wait4(watched, &status, 0, &usage), watched);
	assert_int_equal(status, 0);
	assert_int_equal(read(pipe_of[0], &running, sizeof(running)), (ssize_t)sizeof(running));
	close(pipe_of[0]);
	close(pipe_of[1]);
	ended = use_of(&usage);
	after = stat_sums();
	until = read_clock(CLOCK_BOOTTIME);
	balance_begin(&balance, from, until);
	/* wait() returns before the last switch of the process. */
	for (tries = 0; tries < TRIES; tries++) {
		usleep(10000);
		catch_up();
		/* The log must also reach to the end of the window. */
		if (worker.ended && bcoslog_account_totals(balance.account)->end == until)
			break;
	}
	watched = 0;
	assert_true(worker.ended);
	unseen = unseen_switches();
	/*
	 * At each turn the kernel reads its clock a moment before or after the probe does, for which 20 us are ample,
	 * also on a hypervisor.  The kernel subtracts from the time of a process what interrupts and the hypervisor
	 * took; /proc/stat tells this time, for each CPU cut to a tick.  In the log a process on its way out becomes
	 * the kernel.  Some kernels run no program at switches away from some tasks: the log states that, and the time
	 * of these switches is uncertain.
	 */
	expect_near("the worker", worker.time, running.time, ended.time,
		    worker.turns * 20000 + ended.time / 100 + (after.taken - before.taken) + cpus * tick + uncertain);
	print_message("# %llu turns by the log, %llu to %llu by the kernel, %llu switches not seen, %.3f ms uncertain\n",
		      (unsigned long long)worker.turns, (unsigned long long)running.turns + 1,
		      (unsigned long long)ended.turns + 1, (unsigned long long)unseen, (double)uncertain / 1e6);
	/* The worker slept between its bursts. */
	assert_true(running.turns >= BURSTS);
	/* The worker left a CPU once less than it got one. */
	assert_true(worker.turns + unseen >= running.turns + 1);
	/* After a switch that was not seen the log may assign the worker anew. */
	assert_true(worker.turns <= ended.turns + 1 + unseen);
	idle = bcoslog_account_totals(balance.account)->time[BCOSLOG_USE_IDLE];
	/*
	 * /proc/stat does not sample idle time, but cuts it to a tick at both ends, that of idling and that of waiting
	 * for a disk.  Interrupts of an idle CPU are idle time in the log, where they have no entry.
	 */
	expect_near("idle", idle, after.idle - before.idle, after.idle - before.idle,
		    (after.taken - before.taken) + cpus * 4 * tick + (until - from) * cpus / 50 + uncertain);
	assert_int_equal(bcoslog_account_totals(balance.account)->online, (until - from) * cpus);
	finish_recording();
}

/* ---- what devices transfer ---------------------------------------------------------------------- */

static const struct bcoslog_account_device *device_called(const char *name)
{
	const struct bcoslog_account_device *device = NULL;
	size_t length = strlen(name);

	while ((device = bcoslog_account_next_device(balance.account, device)))
		if (device->name_length >= length && !memcmp(device->name, name, length) &&
		    (device->name_length == length || device->name[length] == ' '))
			return device;
	return NULL;
}

struct traffic {
	uint64_t input, output;
};

/* Waits until the log says about the device what the kernel counts. */
static void expect_traffic(const char *name, struct traffic (*kernel)(const char *name), struct traffic least)
{
	const struct bcoslog_account_device *device;
	struct traffic counted = { 0 }, told = { 0 };
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		counted = kernel(name);
		catch_up();
		device = device_called(name);
		if (device)
			told = (struct traffic){ device->input, device->output };
		if (told.input == counted.input && told.output == counted.output && told.input >= least.input &&
		    told.output >= least.output)
			break;
		usleep(10000);
	}
	print_message("# %s: in %llu and out %llu by the log, %llu and %llu by the kernel\n", name,
		      (unsigned long long)told.input, (unsigned long long)told.output,
		      (unsigned long long)counted.input, (unsigned long long)counted.output);
	assert_true(told.input == counted.input);
	assert_true(told.output == counted.output);
	assert_true(told.input >= least.input && told.output >= least.output);
}

static struct traffic of_interface(const char *name)
{
	FILE *file = fopen("/proc/net/dev", "re");
	unsigned long long input, output;
	struct traffic found = { 0 };
	char line[400], label[40];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, " %39[^:]: %llu %*u %*u %*u %*u %*u %*u %*u %llu", label, &input, &output) == 3 &&
		    !strcmp(label, name))
			found = (struct traffic){ input, output };
	fclose(file);
	return found;
}

static const char *make_name(const char *prefix)
{
	static char names[2][16];
	static int at;

	at ^= 1;
	snprintf(names[at], sizeof(names[at]), "%s%d", prefix, (int)(getpid() % 100000));
	return names[at];
}

static void send_frames(const char *name, int count, size_t size)
{
	unsigned char frame[1514] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1, 0x88, 0xb5 };
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex(name) };
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0 && to.sll_ifindex);
	while (count--)
		assert_int_equal(sendto(fd, frame, size, 0, (struct sockaddr *)&to, sizeof(to)), (ssize_t)size);
	close(fd);
}

/* The kernel drops frames of an interface that has no carrier yet. */
static void await_carrier(const char *name)
{
	char path[80], state[20] = "";
	FILE *file;
	int tries;

	snprintf(path, sizeof(path), "/sys/class/net/%s/operstate", name);
	for (tries = 0; strcmp(state, "up\n"); tries++) {
		assert_true(tries < TRIES);
		usleep(tries ? 10000 : 0);
		file = fopen(path, "re");
		assert_non_null(file);
		assert_non_null(fgets(state, sizeof(state), file));
		fclose(file);
	}
}

static void test_network(void **state)
{
	const char *a = make_name("bta"), *b = make_name("btb");

	(void)state;
	begin_recording(BCOS_CLASS_IO);
	balance_begin(&balance, 0, 0);
	run_shell("ip link add %s type veth peer name %s", a, b);
	/* From here on the log knows the interfaces by name. */
	run_shell("ip link set %s up && ip link set %s up", a, b);
	await_carrier(a);
	await_carrier(b);
	send_frames(a, 100, 1514);
	send_frames(b, 10, 60);
	expect_traffic(a, of_interface, (struct traffic){ 10 * 60, 100 * 1514 });
	expect_traffic(b, of_interface, (struct traffic){ 100 * 1514, 10 * 60 });
	run_shell("ip link del %s", a);
	finish_recording();
}

static struct traffic of_disk(const char *name)
{
	FILE *file = fopen("/proc/diskstats", "re");
	unsigned long long reads, writes;
	struct traffic found = { 0 };
	char line[400], label[40];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, " %*u %*u %39s %*u %*u %llu %*u %*u %*u %llu", label, &reads, &writes) == 3 &&
		    !strcmp(label, name))
			/* A sector has 512 bytes here, whatever the disk's own has. */
			found = (struct traffic){ reads * 512, writes * 512 };
	fclose(file);
	return found;
}

static struct traffic disk_before;
static char disk[60];

static struct traffic of_disk_since(const char *name)
{
	struct traffic found = of_disk(name);

	return (struct traffic){ found.input - disk_before.input, found.output - disk_before.output };
}

static void test_disk(void **state)
{
	char command[80], *name = disk + strlen("/dev/");
	FILE *pipe;
	void *data = NULL;
	int fd, i;

	(void)state;
	run_shell("truncate -s 16M /tmp/bcos-totals-%d", (int)getpid());
	snprintf(command, sizeof(command), "losetup --find --show --direct-io=off /tmp/bcos-totals-%d", (int)getpid());
	pipe = popen(command, "re");
	assert_non_null(pipe);
	if (!fgets(disk, sizeof(disk), pipe) || pclose(pipe)) {
		disk[0] = 0;
		print_message("# there is no loop device\n");
		skip();
	}
	disk[strcspn(disk, "\n")] = 0;
	/* Nothing is under way, and from here on all transfers of the disk are counted. */
	run_shell("blockdev --flushbufs %s", disk);
	begin_recording(BCOS_CLASS_IO);
	balance_begin(&balance, 0, 0);
	catch_up();
	disk_before = of_disk(name);
	fd = open(disk, O_RDWR | O_DIRECT | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(posix_memalign(&data, 4096, 65536), 0);
	memset(data, 1, 65536);
	for (i = 0; i < 16; i++)
		assert_int_equal(pwrite(fd, data, 65536, i * 65536), 65536);
	for (i = 0; i < 5; i++)
		assert_int_equal(pread(fd, data, 4096, i * 65536), 4096);
	close(fd);
	free(data);
	expect_traffic(name, of_disk_since, (struct traffic){ 5 * 4096, 16 * 65536 });
	finish_recording();
}

static int tidy_up(void **state)
{
	char command[300];

	(void)state;
	if (recorder) {
		balance_free(&balance);
		bcoslog_close(recorder);
		recorder = NULL;
	}
	snprintf(command, sizeof(command),
		 "exec 2>/dev/null; ip link del %s; test -z '%s' || losetup -d %s; rm -f /tmp/bcos-totals-%d",
		 make_name("bta"), disk, disk, (int)getpid());
	disk[0] = 0;
	return system(command) < 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_cpu_time, tidy_up), cmocka_unit_test_teardown(test_network, tidy_up),
		cmocka_unit_test_teardown(test_disk, tidy_up),
	};
	struct bcoslog_bpf options = { .size = sizeof(options) };
	struct bcoslog_error error;

	if (bcoslog_open_bpf(&recorder, &options, 0, &error)) {
		puts(error.text);
		return 77;
	}
	bcoslog_close(recorder);
	recorder = NULL;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
