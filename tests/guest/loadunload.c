// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Coming and going: the module can be loaded and unloaded at any time, as often as one likes, and leaves nothing.
 *
 * guest: cpus=2 rounds=10:100 timeout=120:600 rt=yes
 *
 * The oracle is the kernel's accounting of memory and, on kernels that have it, kmemleak; allocations are made to
 * fail where the kernel can do that (the debug kernels).
 */
#include "device.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

/* ---- the kernel's log --------------------------------------------------------------------- */

static int kernel_log = -1;

static void forget_messages(void)
{
	if (kernel_log < 0)
		kernel_log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kernel_log < 0 || lseek(kernel_log, 0, SEEK_END) < 0)
		die("/dev/kmsg");
}

/* A message since then that has all these words. */
static bool message_with(const char *const *words, int count)
{
	char line[2048];
	ssize_t got;
	int i;

	while ((got = read(kernel_log, line, sizeof(line) - 1)) > 0 || errno == EPIPE) {
		if (got <= 0)
			continue;
		line[got] = '\0';
		for (i = 0; i < count && strstr(line, words[i]); i++)
			;
		if (i == count)
			return true;
	}
	return false;
}

/* ---- nothing of it is there ------------------------------------------------------------------- */

static bool is_gone(void)
{
	static char modules[65536], symbols[256];

	if (read_file("/proc/modules", modules, sizeof(modules)) < 0)
		die("/proc/modules");
	return !strstr(modules, "bcos_evlog") && access(BCOS_DEVICE_PATH, F_OK) &&
	       access("/sys/module/bcos_evlog", F_OK) && read_file("/sys/class/misc/bcos_evlog/dev", symbols, 256) < 0;
}

/* ---- bad parameters -------------------------------------------------------------------------------- */

static void bad_parameters(void)
{
	static const struct {
		const char *parameters, *name, *least, *most;
	} bad[] = {
		{ "ring_kb=255", "ring_kb", "256", "4194304" },
		{ "ring_kb=0", "ring_kb", "256", "4194304" },
		{ "ring_kb=4194305", "ring_kb", "256", "4194304" },
		{ "staging_kb=63", "staging_kb", "64", "65536" },
		{ "staging_kb=65537", "staging_kb", "64", "65536" },
		{ "writer_rt=2", "writer_rt", "0", "1" },
		{ "tsc=2", "tsc", "0", "1" },
		{ "api_numbers=2", "api_numbers", "0", "1" },
		{ "user_rate=1000001", "user_rate", "0", "1000000" },
		{ "core_idle_mw=10000001", "core_idle_mw", "0", "10000000" },
		{ "core_busy_mw=10000001", "core_busy_mw", "0", "10000000" },
		{ "mask=0x200", "mask", "0x1ff", NULL },
		{ "mode=01000", "mode", "0666", NULL },
	};
	const char *words[4];
	int i, count, error;

	for (i = 0; i < (int)ARRAY_SIZE(bad); i++) {
		forget_messages();
		error = try_load(bad[i].parameters);
		ok(error == -EINVAL && is_gone(), "%s is refused: %s", bad[i].parameters, strerror(-error));
		if (!error)
			unload();
		count = 0;
		words[count++] = "bcos_evlog";
		words[count++] = bad[i].name;
		words[count++] = bad[i].least;
		if (bad[i].most)
			words[count++] = bad[i].most;
		ok(message_with(words, count), "a message names %s and its range", bad[i].name);
	}
	/* What the kernel's own parser refuses. */
	ok(try_load("ring_kb=many") == -EINVAL && is_gone(), "ring_kb=many is refused");
}

/* Text that begins with "NAME:" in /proc/meminfo, in KiB. */
static long memory_of(const char *name)
{
	char text[8192], *at;

	if (read_file("/proc/meminfo", text, sizeof(text)) < 0)
		die("/proc/meminfo");
	at = strstr(text, name);
	errno = 0;
	if (!at)
		die("/proc/meminfo has no %s", name);
	return atol(at + strlen(name));
}

static void too_large(void)
{
	char parameters[60];
	unsigned long long kb = 256;
	int error;

	/* A power of two above all the memory there is. */
	while (kb < 2ull * (unsigned long)memory_of("MemTotal:"))
		kb *= 2;
	if (kb > 4194304) {
		skip("it has more than 2 GiB of memory", "a ring larger than the memory is refused");
		return;
	}
	snprintf(parameters, sizeof(parameters), "ring_kb=%llu", kb);
	forget_messages();
	error = try_load(parameters);
	ok(error == -ENOMEM && is_gone(), "a ring larger than the memory is refused: %s", strerror(-error));
	ok(!message_with((const char *[]){ "oom-killer" }, 1), "and nobody is killed for it");
}

/* ---- rounds under load ---------------------------------------------------------------------------------- */

struct loads {
	struct switcher switcher;
	pid_t forker;
};

static struct loads start_loads(void)
{
	return (struct loads){ switcher_start(cpus() - 1), forker_start() };
}

static void stop_loads(struct loads *loads)
{
	switcher_stop(&loads->switcher);
	end(loads->forker);
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
			die("insmod, %d rounds before the end", times);
		}
		log = log_snapshot();
		bad_logs += times % 10 == 0 && !log_valid(&log, "round.log");
		log_free(&log);
		error = try_unload();
		if (error) {
			errno = -error;
			die("rmmod, %d rounds before the end", times);
		}
	}
	stop_loads(&loads);
}

struct memory {
	long vmalloc, slab, percpu;
};

static struct memory memory_now(void)
{
	/* Caches of slabs and of stacks, on every CPU, are not what is looked for. */
	write_file("/proc/sys/vm/drop_caches", "3");
	return (struct memory){ memory_of("VmallocUsed:"), memory_of("Slab:"), memory_of("Percpu:") };
}

/* The least of some looks: what is only on its way back (RCU, lazy vfree) is no leak. */
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

static void many_rounds(int times)
{
	struct memory before, after;

	/* The first rounds fill caches. */
	load_and_unload(1);
	before = memory_used();
	load_and_unload(times);
	after = memory_used();
	note("VmallocUsed %ld -> %ld KiB, Slab %ld -> %ld KiB, Percpu %ld -> %ld KiB", before.vmalloc, after.vmalloc,
	     before.slab, after.slab, before.percpu, after.percpu);
	ok(!bad_logs, "each log passes the check");
	ok(after.vmalloc - before.vmalloc < 256, "%d rounds leave no pages behind", times);
	ok(after.slab - before.slab < 512 + times, "nor smaller memory");
	ok(after.percpu - before.percpu < 64, "nor memory of each CPU");
	ok(is_gone(), "nothing of it is there");
}

/* ---- in use --------------------------------------------------------------------------------------------------- */

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

/* Opens it whenever it is there, for as long as it takes. */
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
			die("read");
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

	load("ring_kb=256");
	fd = open_log(O_RDONLY);
	ok(try_unload() == -EWOULDBLOCK, "it is not unloaded while it is open");
	close(fd);
	pid[0] = spawn_bound(be_reader, NULL);
	pid[1] = spawn_bound(be_poller, NULL);
	for (i = 0; i < 2; i++)
		WAIT_FOR(has_open(pid[i]));
	ok(try_unload() == -EWOULDBLOCK, "nor while it is read, polled and fed");
	end(pid[0]);
	ok(try_unload() == -EWOULDBLOCK, "nor while it is only polled");
	end(pid[1]);
	ok(!try_unload(), "and then it is");
	stop_loads(&loads);
	ok(is_gone(), "nothing of it is there");
}

/* Whoever opens it and whoever unloads it at the same time: one of them is first. */
static void races(int times)
{
	int refused = 0, error, i;
	pid_t pid[2];

	for (i = 0; i < 2; i++)
		pid[i] = spawn_bound(be_visitor, NULL);
	for (i = 0; i < times; i++) {
		load("ring_kb=256 staging_kb=64");
		while ((error = try_unload()) == -EWOULDBLOCK)
			refused++;
		if (error)
			break;
	}
	for (i = 0; i < 2; i++) {
		ok(!kill(pid[i], 0) && waitpid(pid[i], NULL, WNOHANG) == 0, "visitor %d of 2 met nothing strange", i + 1);
		end(pid[i]);
	}
	errno = -error;
	ok(!error && is_gone(), "%d times it is unloaded as soon as nobody has it open (refused %d times)", times,
	   refused);
}

/* ---- allocations that fail ---------------------------------------------------------------------------------------- */

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
 * Loads with the n-th allocation of this thread failing; no other allocation of ours is in between.
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
		die("fail-nth");
	error = syscall(SYS_finit_module, module, "ring_kb=256 staging_kb=64", 0) ? -errno : 0;
	if (pread(nth, text, sizeof(text) - 1, 0) <= 0 || pwrite(nth, "0", 1, 0) != 1)
		die("fail-nth");
	*left = (unsigned int)strtoul(text, NULL, 0);
	return error;
}

static void failing_allocations(int times)
{
	const unsigned int plenty = 1000000;
	unsigned int left, all, n, step, first, failed = 0, survived = 0, strange = 0;
	int error;

	if (!can_fail()) {
		skip("this kernel cannot make allocations fail", "each allocation at load may fail");
		return;
	}
	error = load_failing(plenty, &left);
	if (error || try_unload())
		die("insmod without a failure");
	all = plenty - left;
	step = all / (unsigned int)(full() ? times : 2 * times) + 1;
	/* Another choice each time. */
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
				note("allocation %u fails: %s", n, strerror(-error));
		}
		if (!is_gone())
			die("allocation %u fails, and something stays behind", n);
	}
	ok(failed && !strange, "of %u allocations at load, the %u-th and each %u-th after it fails: refused %u times, "
	   "%u times it was loaded all the same", all, first, step, failed, survived);
	load("ring_kb=256");
	unload();
}

/* ---- leaks ------------------------------------------------------------------------------------------------------------- */

static void leaks(void)
{
	static const char path[] = "/sys/kernel/debug/kmemleak";
	static char report[65536];
	int i;

	if (access(path, F_OK)) {
		skip("this kernel has no kmemleak", "kmemleak finds nothing");
		return;
	}
	/* What is younger than five seconds is no leak yet, and a leak is told by the scan after. */
	sleep(6);
	for (i = 0; i < 3; i++)
		if (!write_file(path, "scan"))
			die("%s", path);
	if (read_file(path, report, sizeof(report)) < 0)
		die("%s", path);
	if (!ok(!report[0], "kmemleak finds nothing"))
		note("%s", report);
}

int main(void)
{
	int times = rounds(10);

	bad_parameters();
	too_large();
	/* The first probe at a tracepoint, and the last: once; from then on there are others (bystander.kmod says why). */
	load_and_unload(2);
	load_other("bystander", "");
	many_rounds(times);
	in_use();
	races(times / 2);
	failing_allocations(times);
	unload_other("bystander");
	leaks();
	return finish();
}
