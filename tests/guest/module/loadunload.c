// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Coming and going: the module can be loaded and unloaded at any time, as often as one likes, and leaves nothing.
 *
 * guest: cpus=2 rounds=5:100 debug-rounds=4 timeout=300:600 also=6.1,6.12-rt
 *
 * The oracle is the kernel's accounting of memory and, on kernels that have it, kmemleak; allocations are made to
 * fail where the kernel can do that (the debug kernels).
 */
#include "device.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

/* ---- rounds under load ---------------------------------------------------------------------------------- */

struct loads {
	struct switcher switcher;
	pid_t forker;
};

static struct loads start_loads(void)
{
	return (struct loads){ switcher_start(count_cpus() - 1), forker_start() };
}

static void stop_loads(struct loads *loads)
{
	switcher_stop(&loads->switcher);
	end_child(loads->forker);
}

static int bad_logs;

static void load_and_unload(int times)
{
	struct loads loads = start_loads();
	struct log log;
	int error;

	while (times--) {
		error = try_load("ring_kb=256 staging_kb=256");
		if (error) {
			errno = -error;
			give_up("insmod, %d rounds before the end", times);
		}
		log = log_snapshot();
		bad_logs += times % 10 == 0 && !log_valid(&log, "round.log");
		log_free(&log);
		error = try_unload();
		if (error) {
			errno = -error;
			give_up("rmmod, %d rounds before the end", times);
		}
	}
	stop_loads(&loads);
}

struct memory {
	long vmalloc, slab, percpu;
};

static struct memory memory_now(void)
{
	/* Drop caches of slabs and of stacks on every CPU, which are not what the test looks for. */
	write_file("/proc/sys/vm/drop_caches", "3");
	return (struct memory){ meminfo_figure("VmallocUsed"), meminfo_figure("Slab"), meminfo_figure("Percpu") };
}

/* Returns the least of several measurements: memory that is only on its way back (RCU, lazy vfree) is no leak. */
static struct memory memory_used(void)
{
	struct memory least = memory_now(), now;
	int i;

	for (i = 0; i < 20; i++) {
		usleep(20000);
		now = memory_now();
		if (now.vmalloc < least.vmalloc)
			least.vmalloc = now.vmalloc;
		if (now.slab < least.slab)
			least.slab = now.slab;
		if (now.percpu < least.percpu)
			least.percpu = now.percpu;
	}
	return least;
}

static struct memory left_behind(int times)
{
	struct memory before = memory_used(), after;

	load_and_unload(times);
	after = memory_used();
	print_note("VmallocUsed %ld -> %ld KiB, Slab %ld -> %ld KiB, Percpu %ld -> %ld KiB", before.vmalloc,
		   after.vmalloc, before.slab, after.slab, before.percpu, after.percpu);
	return (struct memory){ after.vmalloc - before.vmalloc, after.slab - before.slab,
				after.percpu - before.percpu };
}

/*
 * The kernel's own caches of slabs grow by hundreds of KiB at once, whenever a CPU needs a new one. A leak grows with
 * every round, and so in each of the tries.
 */
static void many_rounds(int times)
{
	struct memory left;
	int tries = 4;

	/* The first rounds fill caches. */
	load_and_unload(1);
	do
		left = left_behind(times);
	while (left.slab >= 256 + times && --tries);
	make_point(!bad_logs, "each log passes the check");
	make_point(left.vmalloc < 256, "%d rounds leave no pages behind", times);
	make_point(left.slab < 256 + times, "nor smaller memory");
	make_point(left.percpu < 64, "nor memory of each CPU");
	make_point(is_gone(), "nothing of it is there");
}

/* ---- in use --------------------------------------------------------------------------------------------- */

static void be_reader(void *argument)
{
	static char bytes[65536];
	int fd = open_log(O_RDONLY);

	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
}

static void be_poller(void *argument)
{
	int fd = open_log(O_RDONLY);

	for (;;)
		poll_log(fd, POLLPRI, -1);
}

/* Opens the device whenever it exists, and uses it for a moment. */
static void be_visitor(void *argument)
{
	static char bytes[8192];
	int fd;

	for (;;) {
		fd = open(BCOS_DEVICE_PATH, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		poll_log(fd, POLLIN | POLLPRI, 1);
		if (read(fd, bytes, sizeof(bytes)) < 0 && errno != EAGAIN)
			give_up("read");
		close(fd);
	}
}

static bool has_open(pid_t pid)
{
	char path[60], target[60];
	ssize_t length;
	int fd;

	for (fd = 3; fd < 10; fd++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
		length = readlink(path, target, sizeof(target) - 1);
		target[length > 0 ? length : 0] = '\0';
		if (!strcmp(target, BCOS_DEVICE_PATH))
			return true;
	}
	return false;
}

static void in_use(void)
{
	struct loads loads = start_loads();
	pid_t pid[2];
	int fd, i;

	load_module("ring_kb=256");
	fd = open_log(O_RDONLY);
	make_point(try_unload() == -EWOULDBLOCK, "it is not unloaded while it is open");
	close(fd);
	pid[0] = spawn_bound(be_reader, NULL);
	pid[1] = spawn_bound(be_poller, NULL);
	for (i = 0; i < 2; i++)
		WAIT_FOR(has_open(pid[i]));
	make_point(try_unload() == -EWOULDBLOCK, "nor while it is read, polled and fed");
	end_child(pid[0]);
	make_point(try_unload() == -EWOULDBLOCK, "nor while it is only polled");
	end_child(pid[1]);
	make_point(!try_unload(), "and then it is");
	stop_loads(&loads);
	make_point(is_gone(), "nothing of it is there");
}

/* One process opens the device while another unloads the module; either may be first. */
static void test_races(int times)
{
	int refused = 0, error, i;
	pid_t pid[2];

	for (i = 0; i < 2; i++)
		pid[i] = spawn_bound(be_visitor, NULL);
	for (i = 0; i < times; i++) {
		load_module("ring_kb=256 staging_kb=64");
		while ((error = try_unload()) == -EWOULDBLOCK)
			refused++;
		if (error)
			break;
	}
	for (i = 0; i < 2; i++) {
		make_point(!kill(pid[i], 0) && waitpid(pid[i], NULL, WNOHANG) == 0,
			   "visitor %d of 2 met nothing strange", i + 1);
		end_child(pid[i]);
	}
	errno = -error;
	make_point(!error && is_gone(), "%d times it is unloaded as soon as nobody has it open (refused %d times)",
		   times, refused);
}

/* ---- allocations that fail ------------------------------------------------------------------------------ */

static bool can_fail(void)
{
	static const char *const settings[] = {
		"/sys/kernel/debug/failslab/ignore-gfp-wait",
		"/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait",
		"/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem",
	};
	size_t i;

	if (access("/proc/self/fail-nth", W_OK))
		return false;
	for (i = 0; i < ARRAY_SIZE(settings); i++)
		if (!write_file(settings[i], "N"))
			return false;
	write_file("/sys/kernel/debug/fail_page_alloc/min-order", "0");
	write_file("/sys/kernel/debug/failslab/verbose", "0");
	write_file("/sys/kernel/debug/fail_page_alloc/verbose", "0");
	return true;
}

/*
 * Loads the module while the n-th allocation of this thread fails. No other allocation of the test is in between.
 * Return: 0 or -errno, as insmod; *@left: how many allocations were still to come before the n-th, 0 if it did fail.
 */
static int load_failing(unsigned int n, unsigned int *left)
{
	static int module = -1, nth = -1;
	char text[20] = "";
	int error, length;

	if (module < 0) {
		module = open("/bcos/bcos_evlog.ko", O_RDONLY | O_CLOEXEC);
		nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	}
	length = snprintf(text, sizeof(text), "%u", n);
	if (module < 0 || nth < 0 || pwrite(nth, text, (size_t)length, 0) != length)
		give_up("fail-nth");
	error = syscall(SYS_finit_module, module, "ring_kb=256 staging_kb=64", 0) ? -errno : 0;
	if (pread(nth, text, sizeof(text) - 1, 0) <= 0 || pwrite(nth, "0", 1, 0) != 1)
		give_up("fail-nth");
	*left = (unsigned int)strtoul(text, NULL, 0);
	return error;
}

static void failing_allocations(int times)
{
	const unsigned int plenty = 1000000;
	unsigned int left, all, n, step, first, failed = 0, survived = 0, strange = 0;
	int error;

	if (!can_fail()) {
		skip_point("this kernel cannot make allocations fail", "each allocation at load may fail");
		return;
	}
	error = load_failing(plenty, &left);
	if (error || try_unload())
		give_up("insmod without a failure");
	all = plenty - left;
	step = all / (unsigned int)(is_full_run() ? times : 2 * times) + 1;
	/* Begin at another allocation each time. */
	first = 1 + (unsigned int)now_ns(CLOCK_REALTIME) % step;
	for (n = first; n <= all; n += step) {
		error = load_failing(n, &left);
		if (!error) {
			survived++;
			strange += try_unload() != 0;
		} else {
			failed++;
			/* Copies from user space can be made to fail, too, and do so in the kernel's own part. */
			strange += error != -ENOMEM && error != -EFAULT;
			if (error != -ENOMEM)
				print_note("allocation %u fails: %s", n, strerror(-error));
		}
		if (!is_gone())
			give_up("allocation %u fails, and something stays behind", n);
	}
	make_point(failed && !strange,
		   "of %u allocations at load, the %u-th and each %u-th after it fails: refused %u times, "
		   "%u times it was loaded all the same", all, first, step, failed, survived);
	load_module("ring_kb=256");
	unload_module();
}

int main(void)
{
	int times = get_rounds(10);

	/*
	 * In these rounds the module's probes are the first and the last ones at their tracepoints. Afterwards there
	 * are others (bystander.kmod says why).
	 */
	load_and_unload(2);
	load_other("bystander", "");
	many_rounds(times);
	in_use();
	test_races(times / 2);
	failing_allocations(times);
	unload_other("bystander");
	check_leaks();
	return finish_test();
}
