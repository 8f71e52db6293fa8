// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* CPUs: idle states, those that go, limits of their frequency. That one comes is told by its first record. */
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

/* User space knows whose limits they are, puts them into words, and leaves out what is no news. */
SEC("raw_tp/cpu_frequency_limits")
int bcos_on_frequency_limits(struct bpf_raw_tracepoint_args *context)
{
	const struct cpufreq_policy___limits *policy = (void *)context->args[0];
	struct bcos_bpf_limits record = {
		.raw = {
			.kind = BCOS_RAW_EVENT,
			.units = 3,
			.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_CORE, BCOS_SEVERITY_INFO),
			.id = BPF_CORE_READ(policy, cpu),
		},
	};

	record.least = BPF_CORE_READ(policy, min);
	record.most = BPF_CORE_READ(policy, max);
	bcos_put(&record, sizeof(record));
	return 0;
}
