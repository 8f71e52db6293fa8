// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that call each function of the module, for module/exports/kfunc.c. */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bcos_evlog_kfuncs.h"

#define TOO_LONG 1100

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* The thread and the system call by which the programs call the module. */
int wanted, call;
int process_result = 1, cpu_result = 1, long_result = 1, device_result = 1, reserved_result = 1;
unsigned long long entered, refused;
char longest[TOO_LONG];

SEC("tp_btf/sys_enter")
int BPF_PROG(called, struct pt_regs *regs, long id)
{
	char text[] = "from a BPF program";

	if ((int)bpf_get_current_pid_tgid() != wanted || id != call)
		return 0;
	process_result = bcos_evlog_event(7, 0x80, text, sizeof(text));
	cpu_result = bcos_evlog_cpu_event(0x80000008, 300, text, sizeof(text));
	reserved_result = bcos_evlog_cpu_event(8, 0, text, sizeof(text));
	long_result = bcos_evlog_event(7, 0x80, longest, sizeof(longest));
	return 0;
}

SEC("tp_btf/net_dev_xmit")
int BPF_PROG(sent, struct sk_buff *packet, int result, struct net_device *device, unsigned int length)
{
	char text[] = "a packet";

	if ((int)bpf_get_current_pid_tgid() == wanted)
		device_result = bcos_evlog_netdev_event(device, 0x80000009, 0, text, sizeof(text));
	return 0;
}

/* Each event that the log writer handles would make another event, and so on. */
SEC("fentry/bcos_log_apply")
int BPF_PROG(applied)
{
	char text[] = "never to be seen";

	__sync_fetch_and_add(&entered, 1);
	if (bcos_evlog_event(10, 0, text, sizeof(text)) < 0)
		__sync_fetch_and_add(&refused, 1);
	return 0;
}
