/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tracepoints that both capture engines record from, and the classes that need each of them.
 *
 * A hook is one purpose of a tracepoint. The module has a probe for each hook; the BPF engine has a
 * program for each tracepoint, which serves all its hooks.
 */
#ifndef BCOS_CORE_HOOK_H
#define BCOS_CORE_HOOK_H

#include "core/host/host.h"

/*
 * Switches are recorded, and assignments are in the log, while any of these classes is on. While
 * none is on, no DEAD follows an EXIT, so the EXIT is final.
 */
#define BCOS_CLASSES_SWITCHES (BCOS_CLASS_ASSIGN | BCOS_CLASS_KERNEL_TIME)

/*
 * HOOK(purpose, tracepoint, classes): the hook is needed while any of the classes is on; 0: always.
 * The module attaches its probes in this order, and takes a while for that. Deaths precede births,
 * so that every process whose birth is recorded has its death recorded, too.
 */
#define BCOS_HOOKS(HOOK)								\
	HOOK(SWITCH, sched_switch, BCOS_CLASSES_SWITCHES)				\
	HOOK(EXIT, sched_process_exit, 0)						\
	HOOK(VICTIM, mark_victim, 0)							\
	HOOK(SIGNAL, signal_generate, 0)						\
	HOOK(RENAME, task_rename, 0)							\
	HOOK(EXEC, sched_process_exec, 0)						\
	HOOK(FORK, sched_process_fork, 0)						\
	HOOK(CGROUP, cgroup_attach_task, BCOS_CLASS_WHO)				\
	HOOK(LIMITS, cpu_frequency_limits, 0)						\
	HOOK(INTERRUPT, irq_handler_entry, BCOS_CLASS_IRQ)				\
	HOOK(CALL, sys_enter, BCOS_CLASS_API)						\
	HOOK(KERNEL_ENTER, sys_enter, BCOS_CLASS_KERNEL_TIME)				\
	HOOK(KERNEL_EXIT, sys_exit, BCOS_CLASS_KERNEL_TIME)				\
	HOOK(SWITCH_INTO_KERNEL, sched_switch, BCOS_CLASS_KERNEL_TIME)			\
	HOOK(INTERRUPT_ENTER, irq_handler_entry, BCOS_CLASS_KERNEL_TIME)		\
	HOOK(INTERRUPT_EXIT, irq_handler_exit, BCOS_CLASS_KERNEL_TIME)			\
	HOOK(IDLE, cpu_idle, BCOS_CLASS_IDLE)						\
	HOOK(SWITCH_STATE, sched_switch, BCOS_CLASS_STATE)				\
	HOOK(WAKING, sched_waking, BCOS_CLASS_STATE)					\
	HOOK(WAKEUP_NEW, sched_wakeup_new, BCOS_CLASS_STATE)				\
	HOOK(EXEC_STATE, sched_process_exec, BCOS_CLASS_STATE)				\
	HOOK(RENAME_THREAD, task_rename, BCOS_CLASS_STATE)				\
	HOOK(FORK_THREAD, sched_process_fork, BCOS_CLASS_STATE)				\
	HOOK(LINE_ENTER, irq_handler_entry, BCOS_CLASS_STATE)				\
	HOOK(LINE_EXIT, irq_handler_exit, BCOS_CLASS_STATE)				\
	HOOK(SOFTIRQ_ENTER, softirq_entry, BCOS_CLASS_STATE)				\
	HOOK(SOFTIRQ_EXIT, softirq_exit, BCOS_CLASS_STATE)				\
	HOOK(TIMER_ENTER, hrtimer_expire_entry, BCOS_CLASS_STATE)			\
	HOOK(TIMER_EXIT, hrtimer_expire_exit, BCOS_CLASS_STATE)				\
	HOOK(BLOCK, block_rq_complete, BCOS_CLASS_IO)					\
	HOOK(TRANSMIT, net_dev_xmit, BCOS_CLASS_IO)					\
	HOOK(GRO_FRAGS, napi_gro_frags_entry, BCOS_CLASS_IO)				\
	HOOK(GRO_RECEIVE, napi_gro_receive_entry, BCOS_CLASS_IO)			\
	HOOK(RECEIVE, netif_receive_skb_entry, BCOS_CLASS_IO)				\
	HOOK(RECEIVE_LIST, netif_receive_skb_list_entry, BCOS_CLASS_IO)			\
	HOOK(RX, netif_rx_entry, BCOS_CLASS_IO)						\
	HOOK(REQUEST_END, block_rq_complete, BCOS_CLASS_REQUEST)			\
	HOOK(REQUEST_ISSUE, block_rq_issue, BCOS_CLASS_REQUEST)				\
	HOOK(REQUEST_START, block_io_start, BCOS_CLASS_REQUEST)				\
	HOOK(REQUEST_START_OF_BIO, block_getrq, BCOS_CLASS_REQUEST)

enum bcos_hook {
#define BCOS_HOOK_NUMBER(purpose, tracepoint, classes) BCOS_HOOK_##purpose,
	BCOS_HOOKS(BCOS_HOOK_NUMBER)
#undef BCOS_HOOK_NUMBER
	BCOS_HOOK_COUNT
};

/*
 * Can the module spare this hook? Kernels without CONFIG_CPU_FREQ lack the tracepoint of limits,
 * those without CONFIG_CGROUPS that of moves, and older ones block_io_start, in whose place
 * block_getrq is used there, and only there.
 */
static inline bool bcos_hook_is_optional(enum bcos_hook hook)
{
	return hook == BCOS_HOOK_LIMITS || hook == BCOS_HOOK_CGROUP ||
	       hook == BCOS_HOOK_REQUEST_START;
}

#endif
