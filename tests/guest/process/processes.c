// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Compaction with many processes in a ring of 256 KiB. With 3,000 of them a group takes two zones, and each snapshot
 * begins with all. With 12,000 a group does not fit, and leaves out some, which are named again before their next use.
 * Each snapshot explains itself, and the status tells which ring would be large enough.
 *
 * guest: cpus=2 timeout=120:300 rounds=3:10 args=3000
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 timeout=180:400 rounds=3:10 debug=no args=12000
 */
#include "device.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define RING (256u << 10)
#define ZONE (RING / 4)
#define STACK 1024
#define COMPACTIONS 3	/* at most, between two snapshots */
#define PIDS 65536

static int count;
static pid_t *pids;
static int *words;		/* each child sleeps until its own word changes */
static char *stacks;
static bool ours[PIDS];

/* ---- processes that share our memory, so that 12,000 fit ---------------------------- */

/* The C library's errno is shared, too, so a child must not call the library. */
static long futex_wait(int *word, int value)
{
#ifdef __x86_64__
	register long r10 __asm__("r10") = 0;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(SYS_futex), "D"(word), "S"(FUTEX_WAIT_PRIVATE), "d"(value), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
#else
	register long x0 __asm__("x0") = (long)word;
	register long x1 __asm__("x1") = FUTEX_WAIT_PRIVATE;
	register long x2 __asm__("x2") = value;
	register long x3 __asm__("x3") = 0;
	register long x8 __asm__("x8") = SYS_futex;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x8) : "memory");
	return x0;
#endif
}

static int sleep_on_word(void *argument)
{
	int *word = argument;

	for (;;)
		futex_wait(word, __atomic_load_n(word, __ATOMIC_RELAXED));
	return 0;
}

static void wake_process(int number)
{
	__atomic_add_fetch(&words[number], 1, __ATOMIC_RELAXED);
	syscall(SYS_futex, &words[number], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void start_processes(int from, int to)
{
	for (; from < to; from++) {
		pids[from] = clone(sleep_on_word, stacks + (size_t)(from + 1) * STACK,
				   CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | SIGCHLD,
				   &words[from]);
		if (pids[from] < 0)
			give_up("clone of process %d", from);
		if (pids[from] >= PIDS)
			give_up("process ID %d", pids[from]);
		ours[pids[from]] = true;
	}
}

static void stop_all(void)
{
	int i;

	for (i = 0; i < count; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < count; i++)
		reap_child(pids[i], NULL);
}

static void prepare_limits(void)
{
	write_file("/proc/sys/kernel/threads-max", "%d", 2 * count + 1000);
	write_file("/proc/sys/kernel/pid_max", "%d", PIDS);
	pids = calloc((size_t)count, sizeof(*pids));
	words = calloc((size_t)count, sizeof(*words));
	stacks = mmap(NULL, (size_t)count * STACK, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!pids || !words || stacks == MAP_FAILED)
		give_up("no memory");
}

/* ---- snapshots ------------------------------------------------------------------------ */

struct found {
	int snapshots, grouped, complete, valid;
};

static int named;

static void see_process(uint32_t process)
{
	named += process < PIDS && ours[process];
}

/* Takes a snapshot, and tries again if so small a ring has overtaken the reader. */
static struct log whole_snapshot(void)
{
	struct log log = log_snapshot();
	int tries = 20;

	while (log_overtaken(&log) && tries--) {
		log_free(&log);
		log = log_snapshot();
	}
	return log;
}

static void test_snapshot(struct found *found, int living)
{
	struct log log = whole_snapshot();
	struct beginnings beginnings;
	char name[64];

	named = 0;
	beginnings = log_beginnings(&log, see_process);
	snprintf(name, sizeof(name), "processes-%d-%d.log", count, found->snapshots++);
	found->grouped += beginnings.whole == 1 && !beginnings.broken;
	found->complete += named == living;
	if (living >= 0 && living <= 6000 && named != living)
		print_note("snapshot %d begins with %d of them; %u are known now", found->snapshots - 1, named,
			   status_of(-1).processes);
	found->valid += log_valid(&log, name);
	log_free(&log);
}

/* Wakes processes that have not run for long, until @compactions more compactions have occurred. */
static void run_some(unsigned int *seed, int compactions)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK), i;
	uint64_t target;

	/* After this flush, compactions come from new entries, and not from records that wait to be merged. */
	flush_log(fd);
	target = status_of(fd).compactions + (uint64_t)compactions;
	while (status_of(fd).compactions < target)
		for (i = 0; i < 200; i++)
			wake_process((int)((unsigned int)rand_r(seed) % (unsigned int)count));
	close(fd);
}

static void judge_status(const struct bcos_status *status)
{
	bool fits = status->group_bytes <= 2 * ZONE;

	print_note("a group of %u processes takes %llu bytes; %llu groups, %llu partial, "
		   "%llu names stated again, advice: %llu",
		   status->processes, (unsigned long long)status->group_bytes,
		   (unsigned long long)status->groups, (unsigned long long)status->partial_groups,
		   (unsigned long long)status->restated, (unsigned long long)status->advised_ring);
	make_point(status->processes >= (unsigned int)count, "%u processes live", status->processes);
	make_point(status->group_bytes > (count > 6000 ? RING : ZONE), "a group takes more than %s",
		   count > 6000 ? "the ring has" : "a zone");
	make_point(status->advised_ring / 16 >= status->group_bytes,
		   "in the ring that is advised it takes a quarter of a zone");
	make_point(status->groups_over_1_zone, "groups of more than a zone are counted");
	if (fits) {
		make_point(!status->partial_groups && !(status->flags & BCOS_STATUS_PARTIAL),
			   "no group left anything out");
		return;
	}
	make_point(status->partial_groups && status->flags & BCOS_STATUS_PARTIAL,
		   "groups left processes out, and the status says so");
	make_point(status->restated, "what was left out was named again");
	make_point(status->groups_over_4_zones, "groups of more than four zones are counted");
}

int main(int argc, char **argv)
{
	struct found found = { 0 };
	unsigned int seed = 1;
	struct bcos_status status;
	int i, full_groups;

	count = argc == 2 ? atoi(argv[1]) : 3000;
	prepare_limits();
	load_module("ring_kb=256");
	/* While the processes become more, groups may stop fitting into the ring. */
	for (i = 0; i < 4; i++) {
		start_processes(count * i / 4, count * (i + 1) / 4);
		test_snapshot(&found, -1);
	}
	/* The newest group is from a time when there were fewer processes. */
	run_some(&seed, 5);
	for (i = 0, full_groups = 0; i < get_rounds(3); i++) {
		run_some(&seed, 1 + rand_r(&seed) % COMPACTIONS);
		test_snapshot(&found, count);
	}
	full_groups = found.complete;
	status = status_of(-1);
	judge_status(&status);
	stop_all();
	test_snapshot(&found, -1);
	make_point(found.grouped == found.snapshots, "%d of %d snapshots begin with a whole group",
		   found.grouped, found.snapshots);
	if (status.group_bytes <= 2 * ZONE)
		make_point(full_groups == get_rounds(3), "%d of %d begin with all processes", full_groups,
			   get_rounds(3));
	make_point(found.valid == found.snapshots, "bcoslog check: %d of them", found.valid);
	status = status_of(-1);
	make_point(!status.unnamed, "no ID was used without a name");
	unload_module();
	return finish_test();
}
