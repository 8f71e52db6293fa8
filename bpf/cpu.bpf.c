// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records idle states, CPUs that go offline, frequency limits, and machine checks. A CPU's first
 * record announces that the CPU is online.
 */
#include "task.h"

SEC("tp_btf/cpu_idle")
int BPF_PROG(bcos_on_cpu_idle, unsigned int state, unsigned int cpu)
{
	/* On wake-up the state is all ones, like BCOS_RAW_AWAKE. */
	bcos_put_here(BCOS_RAW_IDLE, 0, state);
	return 0;
}

/*
 * Records that a CPU went offline. Another CPU runs this, once it has completed the hotplug step
 * after which the first one is dead.
 */
SEC("raw_tp/cpuhp_exit")
int bcos_on_cpuhp_exit(struct bpf_raw_tracepoint_args *context)
{
	u32 dead = (u32)context->args[0];
	int state = (int)context->args[1], step = (int)context->args[2];
	int result = (int)context->args[3];
	struct bcos_raw record = { .kind = BCOS_RAW_CPU_DOWN, .units = 1, .id = dead };
	struct bcos_bpf_cpu *cpu;

	if (step != (int)bpf_core_enum_value(enum cpuhp_state, CPUHP_TEARDOWN_CPU) || result ||
	    state > step)
		return 0;
	bcos_put(&record, sizeof(record));
	cpu = bpf_map_lookup_elem(&bcos_cpus, &dead);
	if (cpu) {
		cpu->current_id = BCOS_PROCESS_NONE;
		/* The last switches of the dead CPU were not seen. */
		cpu->running = 0;
	}
	return 0;
}

/* The kernel whose types this is built with may lack cpufreq. */
struct cpufreq_policy___limits {
	unsigned int cpu, min, max;
} __attribute__((preserve_access_index));

/* Records the limits for one CPU of the policy; user space finds the others. */
SEC("raw_tp/cpu_frequency_limits")
int bcos_on_frequency_limits(struct bpf_raw_tracepoint_args *context)
{
	const struct cpufreq_policy___limits *policy = (void *)context->args[0];
	struct {
		struct bcos_raw raw;
		struct bcos_raw_limits limits;
	} record = {
		.raw = { .kind = BCOS_RAW_LIMITS, .units = 2, .id = BPF_CORE_READ(policy, cpu) }
	};

	record.limits.least = BPF_CORE_READ(policy, min);
	record.limits.most = BPF_CORE_READ(policy, max);
	bcos_put(&record, sizeof(record));
	return 0;
}

/*
 * The kernel whose types this is built with may lack machine checks, too. Since Linux 6.13 this
 * structure is the first member of a larger one.
 */
struct mce___check {
	u64 status, addr, misc;
	u8 bank;
	u32 extcpu;
} __attribute__((preserve_access_index));

SEC("raw_tp/mce_record")
int bcos_on_machine_check(struct bpf_raw_tracepoint_args *context)
{
	const struct mce___check *check = (void *)context->args[0];
	struct {
		struct bcos_raw raw;
		struct bcos_raw_check check;
	} record = {
		.raw = { .kind = BCOS_RAW_CHECK, .units = 3, .id = BPF_CORE_READ(check, extcpu) }
	};

	record.check.status = BPF_CORE_READ(check, status);
	record.check.address = BPF_CORE_READ(check, addr);
	record.check.misc = BPF_CORE_READ(check, misc);
	record.check.bank = BPF_CORE_READ(check, bank);
	bcos_put(&record, sizeof(record));
	return 0;
}
