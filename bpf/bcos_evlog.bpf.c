// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The BPF engine: the maps that all programs share, and the assignments when the log begins. */
#include "device.h"
#include "task.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct bcos_bpf_slots bcos_slots SEC(".maps");
struct bcos_bpf_kicks bcos_kicks SEC(".maps");
struct bcos_bpf_named bcos_named SEC(".maps");
struct bcos_bpf_cpus bcos_cpus SEC(".maps");

const volatile struct bcos_bpf_config bcos_config = {};

/* User space runs this program on each CPU in turn. */
SEC("raw_tp/sched_switch")
int bcos_restate(void *unused)
{
	u32 number;
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);

	if (cpu)
		bcos_assign(cpu, number, bcos_task_process(bpf_get_current_task_btf()));
	return 0;
}
