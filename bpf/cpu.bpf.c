// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * CPUs: idle states, those that go, limits of their frequency, machine checks. That one comes is told by its first
 * record.
 */
#include "task.h"

SEC("tp_btf/cpu_idle")
int BPF_PROG(bcos_on_cpu_idle, unsigned int state, unsigned int cpu)
{
	/* All ones is BCOS_RAW_AWAKE. */
	bcos_put_plain(BCOS_RAW_IDLE, 0, state);
	return 0;
}

/* The step behind which a CPU is dead was done, by another one. */
SEC("raw_tp/cpuhp_exit")
int bcos_on_cpuhp_exit(struct bpf_raw_tracepoint_args *context)
{
	u32 dead = (u32)context->args[0];
	int state = (int)context->args[1], step = (int)context->args[2], result = (int)context->args[3];
	struct bcos_raw record = { .kind = BCOS_RAW_CPU_DOWN, .units = 1, .id = dead };
	struct bcos_bpf_cpu *cpu;

	if (step != (int)bpf_core_enum_value(enum cpuhp_state, CPUHP_TEARDOWN_CPU) || result || state > step)
		return 0;
	bcos_put(&record, sizeof(record));
	cpu = bpf_map_lookup_elem(&bcos_cpus, &dead);
	if (cpu)
		cpu->current_id = BCOS_PROCESS_NONE;
	return 0;
}

/* Not every kernel that this is built with has frequencies. */
struct cpufreq_policy___limits {
	unsigned int cpu, min, max;
} __attribute__((preserve_access_index));

/* Of one of the policy's CPUs: user space knows the others. */
SEC("raw_tp/cpu_frequency_limits")
int bcos_on_frequency_limits(struct bpf_raw_tracepoint_args *context)
{
	const struct cpufreq_policy___limits *policy = (void *)context->args[0];
	struct {
		struct bcos_raw raw;
		struct bcos_raw_limits limits;
	} record = { .raw = { .kind = BCOS_RAW_LIMITS, .units = 2, .id = BPF_CORE_READ(policy, cpu) } };

	record.limits.least = BPF_CORE_READ(policy, min);
	record.limits.most = BPF_CORE_READ(policy, max);
	bcos_put(&record, sizeof(record));
	return 0;
}

/* Nor has every one machine checks. From 6.13 on it is within a larger structure, at its beginning. */
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
	} record = { .raw = { .kind = BCOS_RAW_CHECK, .units = 3, .id = BPF_CORE_READ(check, extcpu) } };

	record.check.status = BPF_CORE_READ(check, status);
	record.check.address = BPF_CORE_READ(check, addr);
	record.check.misc = BPF_CORE_READ(check, misc);
	record.check.bank = BPF_CORE_READ(check, bank);
	bcos_put(&record, sizeof(record));
	return 0;
}
