// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Events of cores: limits of their frequency and machine checks. clockwork.kmod provides both, since the guest has
 * neither. The test sets the limits by the kernel's own files, as thermal drivers set them, too.
 *
 * guest: cpus=4 smt=yes slots=3 memory=1024 modprobe=virtio_pci,virtio_blk,virtio_net,loop timeout=60
 * guest: cpus=4 smt=yes slots=3 memory=1024 modprobe=virtio_pci,virtio_blk,virtio_net,loop timeout=60 engine=bpf
 */
#include "device.h"

static struct log everything;

/* Counts the events of cores with this text since a time. Return: their number; *@core: the source of the last one. */
static int events_of(const char *text, uint64_t since, uint32_t *core)
{
	int count = 0;

	log_free(&everything);
	everything = log_take();
	for_each_entry(entry, &everything) {
		if (entry->type != BCOS_GENERIC_CORE || entry->time < since || strcmp(entry_text(entry), text))
			continue;
		count++;
		*core = entry->source;
	}
	return count;
}

static uint32_t core_of(int cpu)
{
	char path[80], text[20];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/core_id", cpu);
	if (read_file(path, text, sizeof(text)) < 0)
		give_up("%s", path);
	return (uint32_t)atoi(text);
}

static void limit_frequency(int cpu, int khz)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_max_freq", cpu);
	if (!write_file(path, "%d", khz))
		give_up("%s", path);
}

static uint8_t severity_of(const char *text)
{
	for_each_entry(entry, &everything)
		if (entry->type == BCOS_GENERIC_CORE && !strcmp(entry_text(entry), text))
			return ((const struct bcos_generic *)entry)->severity;
	return 0;
}

static void test_checks(void)
{
	static const char checked[] =
		"machine check on CPU 3, corrected: bank 5, status 0x940000000000009f, address 0x1234";
	uint32_t core = ~0u, wanted;

	if (access("/sys/module/clockwork/parameters/check", F_OK)) {
		skip_point("this kernel has no machine checks", "a machine check is an error of its core");
		skip_point("this kernel has no machine checks", "one of a CPU that nobody knows is told by another");
		return;
	}
	wanted = core_of(3);
	if (!write_file("/sys/module/clockwork/parameters/check", "3"))
		give_up("check");
	/* The kernel reports a machine check from a thread. */
	WAIT_FOR(events_of(checked, 0, &core));
	make_point(core == wanted && severity_of(checked) == BCOS_SEVERITY_ERROR,
		   "a machine check is an error of its core");
	if (!write_file("/sys/module/clockwork/parameters/check", "4294967295"))
		give_up("check");
	WAIT_FOR(events_of("machine check on CPU -1, corrected: bank 5, status 0x940000000000009f, address 0x1234", 0,
			   &core));
	make_point(true, "one of a CPU that nobody knows is told by another");
}

int main(void)
{
	uint64_t since;
	uint32_t core = ~0u;
	int i;

	load_module("");
	load_other("clockwork", "");
	/* The kernel sets the limit in a work item of its own. */
	limit_frequency(2, 2000000);
	WAIT_FOR(events_of("frequency limits 1000000 to 2000000 kHz", 0, &core));
	make_point(events_of("frequency limits 1000000 to 2000000 kHz", 0, &core) == 1 && core == core_of(2),
		   "a core that is slowed down says so, once");
	limit_frequency(2, 2000000);
	make_point(events_of("frequency limits 1000000 to 2000000 kHz", 0, &core) == 1,
		   "what does not change is no news");
	since = now_ns(CLOCK_BOOTTIME);
	limit_frequency(2, 3000000);
	WAIT_FOR(events_of("frequency limits 1000000 to 3000000 kHz", since, &core));
	make_point(events_of("frequency limits 1000000 to 3000000 kHz", since, &core) == 1 && core == core_of(2),
		   "and so when it is not any more");

	test_checks();
	for (i = 0; i < count_cpus(); i++)
		limit_frequency(i, 1500000);
	WAIT_FOR(events_of("frequency limits 1000000 to 1500000 kHz", since, &core) >= 2);
	i = events_of("frequency limits 1000000 to 1500000 kHz", since, &core);
	make_point(i == 2, "of the CPUs of a core one speaks (%d)", i);
	log_check(&everything, "the log");
	unload_other("clockwork");
	unload_module();
	return finish_test();
}
