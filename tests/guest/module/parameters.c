// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parameters that cannot be: the kernel does not load the module, which says why and leaves nothing.
 *
 * guest: cpus=2 timeout=60
 *
 * The test looks for what the module leaves in /proc, /sys and /dev, and by kmemleak on kernels that have it.
 */
#include "device.h"

/* ---- the kernel's log --------------------------------------------------------------------- */

static int kernel_log = -1;

static void forget_messages(void)
{
	if (kernel_log < 0)
		kernel_log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kernel_log < 0 || lseek(kernel_log, 0, SEEK_END) < 0)
		give_up("/dev/kmsg");
}

/* Is there a message since forget_messages() that has all these words? */
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

/* ---- bad parameters -------------------------------------------------------------------------- */

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
		{ "other_interfaces=1000001", "other_interfaces", "0", "1000000" },
		{ "who_args=2", "who_args", "0", "1" },
		{ "user_rate=1000001", "user_rate", "0", "1000000" },
		{ "core_idle_mw=10000001", "core_idle_mw", "0", "10000000" },
		{ "core_busy_mw=10000001", "core_busy_mw", "0", "10000000" },
		{ "mask=0x1000", "mask", "0xfff", NULL },
		{ "mode=01000", "mode", "0666", NULL },
	};
	const char *words[4];
	int i, count, error;

	for (i = 0; i < (int)ARRAY_SIZE(bad); i++) {
		forget_messages();
		error = try_load(bad[i].parameters);
		make_point(error == -EINVAL && is_gone(), "%s is refused: %s", bad[i].parameters, strerror(-error));
		if (!error)
			unload_module();
		count = 0;
		words[count++] = "bcos_evlog";
		words[count++] = bad[i].name;
		words[count++] = bad[i].least;
		if (bad[i].most)
			words[count++] = bad[i].most;
		make_point(message_with(words, count), "a message names %s and its range", bad[i].name);
	}
	/* The kernel's parser refuses this value. */
	make_point(try_load("ring_kb=many") == -EINVAL && is_gone(), "ring_kb=many is refused");
}

static void too_large(void)
{
	char parameters[60];
	unsigned long long kb = 256;
	int error;

	/* Find a power of two that is larger than the whole memory. */
	while (kb < 2ull * (unsigned long)meminfo_figure("MemTotal"))
		kb *= 2;
	if (kb > 4194304) {
		skip_point("it has more than 2 GiB of memory", "a ring larger than the memory is refused");
		return;
	}
	snprintf(parameters, sizeof(parameters), "ring_kb=%llu", kb);
	forget_messages();
	error = try_load(parameters);
	make_point(error == -ENOMEM && is_gone(), "a ring larger than the memory is refused: %s", strerror(-error));
	make_point(!message_with((const char *[]){ "oom-killer" }, 1), "and nobody is killed for it");
}

int main(void)
{
	bad_parameters();
	too_large();
	check_leaks();
	return finish_test();
}
