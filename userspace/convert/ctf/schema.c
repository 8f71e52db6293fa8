// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of all events: see schema.h. Fields whose names begin with bcos_ are additions to those of LTTng. */
#include "schema.h"

#define TASK { "comm", CTF_TEXT }, { "tid", CTF_S32 }, { "prio", CTF_S32 }
#define CORE { "core", CTF_U32 }, { "idle_power", CTF_U16 }, { "power_difference", CTF_U16 }, { "performance", CTF_LIST }
#define DEVICE { "device", CTF_U32 }, { "driver", CTF_S32 }, { "name", CTF_TEXT }
#define GENERIC { "event_id", CTF_U32 }, { "severity", CTF_U8 }, { "text", CTF_TEXT }
#define SINCE { "bcos_since", CTF_U64 }

const struct ctf_layout ctf_layouts[CTF_LAYOUTS] = {
	[CTF_SCHED_SWITCH] = { "sched_switch", {
		{ "prev_comm", CTF_TEXT }, { "prev_tid", CTF_S32 }, { "prev_prio", CTF_S32 }, { "prev_state", CTF_S64 },
		{ "next_comm", CTF_TEXT }, { "next_tid", CTF_S32 }, { "next_prio", CTF_S32 },
		{ "bcos_process", CTF_S32 },
	} },
	[CTF_SCHED_WAKING] = { "sched_waking", { TASK, { "target_cpu", CTF_S32 } } },
	[CTF_SCHED_WAKEUP] = { "sched_wakeup", {
		TASK, { "target_cpu", CTF_S32 }, { "bcos_severity", CTF_U8 }, { "bcos_text", CTF_TEXT },
		{ "bcos_process", CTF_S32 },
	} },
	[CTF_SCHED_PROCESS_FORK] = { "sched_process_fork", {
		{ "parent_comm", CTF_TEXT }, { "parent_tid", CTF_S32 }, { "parent_pid", CTF_S32 },
		{ "parent_ns_inum", CTF_U32 }, { "child_comm", CTF_TEXT }, { "child_tid", CTF_S32 },
		{ "vtids", CTF_LIST }, { "child_pid", CTF_S32 }, { "child_ns_inum", CTF_U32 },
	} },
	[CTF_SCHED_PROCESS_EXEC] = { "sched_process_exec", {
		{ "filename", CTF_TEXT }, { "tid", CTF_S32 }, { "old_tid", CTF_S32 }, { "bcos_severity", CTF_U8 },
		{ "bcos_text", CTF_TEXT },
	} },
	[CTF_SCHED_PROCESS_EXIT] = { "sched_process_exit", { TASK, { "bcos_status", CTF_U32 } } },
	[CTF_SCHED_PROCESS_FREE] = { "sched_process_free", { TASK } },
	[CTF_IRQ_HANDLER_ENTRY] = { "irq_handler_entry", {
		{ "irq", CTF_S32 }, { "name", CTF_TEXT }, { "bcos_device", CTF_U32 }, { "bcos_number", CTF_U32 },
	} },
	[CTF_IRQ_HANDLER_EXIT] = { "irq_handler_exit", { { "irq", CTF_S32 }, { "ret", CTF_S32 } } },
	[CTF_BLOCK_RQ_COMPLETE] = { "block_rq_complete", {
		{ "dev", CTF_U32 }, { "sector", CTF_U64 }, { "nr_sector", CTF_U32 }, { "error", CTF_S32 },
		{ "rwbs", CTF_U32 }, { "bcos_bytes", CTF_U32 },
	} },
	[CTF_NET_IF_RECEIVE_SKB] = { "net_if_receive_skb", {
		{ "skbaddr", CTF_U64 }, { "len", CTF_U32 }, { "name", CTF_TEXT }, { "bcos_device", CTF_U32 },
	} },
	[CTF_NET_DEV_XMIT] = { "net_dev_xmit", {
		{ "skbaddr", CTF_U64 }, { "rc", CTF_S32 }, { "len", CTF_U32 }, { "name", CTF_TEXT },
		{ "bcos_device", CTF_U32 },
	} },
	[CTF_STATEDUMP_START] = { "lttng_statedump_start", { { 0 } } },
	[CTF_STATEDUMP_PROCESS_STATE] = { "lttng_statedump_process_state", {
		{ "tid", CTF_S32 }, { "pid", CTF_S32 }, { "ppid", CTF_S32 }, { "name", CTF_TEXT }, { "type", CTF_S32 },
		{ "mode", CTF_S32 }, { "submode", CTF_S32 }, { "status", CTF_S32 }, { "cpu", CTF_U32 },
		{ "file_table_address", CTF_U64 }, SINCE,
	} },
	[CTF_STATEDUMP_BLOCK_DEVICE] = { "lttng_statedump_block_device", {
		{ "dev", CTF_U32 }, { "diskname", CTF_TEXT }, { "bcos_driver", CTF_S32 }, SINCE,
	} },
	[CTF_STATEDUMP_NETWORK_INTERFACE] = { "lttng_statedump_network_interface", {
		{ "name", CTF_TEXT }, { "address_ipv4", CTF_U32 }, { "bcos_device", CTF_U32 },
		{ "bcos_driver", CTF_S32 }, SINCE,
	} },
	[CTF_STATEDUMP_INTERRUPT] = { "lttng_statedump_interrupt", {
		{ "irq", CTF_U32 }, { "name", CTF_TEXT }, { "action", CTF_TEXT }, { "tid", CTF_S32 },
	} },
	[CTF_STATEDUMP_END] = { "lttng_statedump_end", { { 0 } } },
	[CTF_PROCESS_RENAME] = { "bcos_process_rename", { { "tid", CTF_S32 }, { "comm", CTF_TEXT } } },
	[CTF_KERNEL_CALL] = { "bcos_kernel_call", { { "tid", CTF_S32 }, { "functions", CTF_LIST } } },
	[CTF_GENERIC_PROCESS] = { "bcos_generic_process", { { "tid", CTF_S32 }, GENERIC } },
	[CTF_GENERIC_CORE] = { "bcos_generic_core", { { "core", CTF_U32 }, GENERIC } },
	[CTF_GENERIC_CPU] = { "bcos_generic_cpu", { { "cpu", CTF_U32 }, GENERIC } },
	[CTF_GENERIC_DEVICE] = { "bcos_generic_device", { { "device", CTF_U32 }, GENERIC } },
	[CTF_CORE_ONLINE] = { "bcos_core_online", { CORE } },
	[CTF_CORE_OFFLINE] = { "bcos_core_offline", { { "core", CTF_U32 } } },
	[CTF_CPU_ONLINE] = { "bcos_cpu_online", { { "cpu", CTF_U32 }, { "core", CTF_U32 } } },
	[CTF_CPU_OFFLINE] = { "bcos_cpu_offline", { { "cpu", CTF_U32 } } },
	[CTF_DEVICE_NAME] = { "bcos_device_name", { DEVICE } },
	[CTF_DEVICE_END] = { "bcos_device_end", { { "device", CTF_U32 }, { "status", CTF_U32 } } },
	[CTF_DEVICE_INPUT] = { "bcos_device_input", { { "device", CTF_U32 }, { "bytes", CTF_U32 } } },
	[CTF_DEVICE_OUTPUT] = { "bcos_device_output", { { "device", CTF_U32 }, { "bytes", CTF_U32 } } },
	[CTF_STATE_PROCESS] = { "bcos_state_process", { { "tid", CTF_S32 }, { "comm", CTF_TEXT }, SINCE } },
	[CTF_STATE_CORE] = { "bcos_state_core", { CORE, SINCE } },
	[CTF_STATE_CPU] = { "bcos_state_cpu", { { "cpu", CTF_U32 }, { "core", CTF_U32 }, SINCE } },
	[CTF_STATE_DEVICE] = { "bcos_state_device", { DEVICE, SINCE } },
	[CTF_STATE_ASSIGN] = { "bcos_state_assign", { { "cpu", CTF_U32 }, { "tid", CTF_S32 }, SINCE } },
};

const u8 ctf_type_layouts[BCOS_TYPES] = {
	CTF_PROCESS_RENAME, CTF_SCHED_PROCESS_EXIT, CTF_GENERIC_PROCESS, CTF_KERNEL_CALL,
	CTF_CORE_ONLINE, CTF_CORE_OFFLINE, CTF_GENERIC_CORE,
	CTF_CPU_ONLINE, CTF_CPU_OFFLINE, CTF_SCHED_SWITCH, CTF_GENERIC_CPU,
	CTF_DEVICE_NAME, CTF_DEVICE_END, CTF_DEVICE_INPUT, CTF_DEVICE_OUTPUT, CTF_GENERIC_DEVICE, CTF_IRQ_HANDLER_ENTRY,
	CTF_STATE_PROCESS, CTF_STATE_CORE, CTF_STATE_CPU, CTF_STATE_ASSIGN, CTF_STATE_DEVICE,
};

const struct ctf_kernel_layout ctf_kernel_layouts[CTF_KERNEL_EVENTS] = {
	[CTF_KERNEL_SWITCH] = { "sched_switch",
		{ "prev_tid", "next_tid", "prev_comm", "next_comm", "prev_state", "next_prio" } },
	[CTF_KERNEL_FORK] = { "sched_process_fork", { "parent_tid", "child_tid", "child_pid", "parent_pid", "child_comm" } },
	[CTF_KERNEL_EXEC] = { "sched_process_exec", { "tid", "filename" } },
	[CTF_KERNEL_EXIT] = { "sched_process_exit", { "tid" } },
	[CTF_KERNEL_IRQ] = { "irq_handler_entry", { "irq", "name" } },
	[CTF_KERNEL_BLOCK] = { "block_rq_complete", { "dev", "nr_sector", "rwbs", "error", "errors" } },
	[CTF_KERNEL_RECEIVE] = { "net_if_receive_skb", { "len", "name" } },
	[CTF_KERNEL_RECEIVE_OLD] = { "netif_receive_skb", { "len", "name" } },
	[CTF_KERNEL_XMIT] = { "net_dev_xmit", { "len", "name", "rc" } },
	[CTF_KERNEL_QUEUE] = { "net_dev_queue", { "len", "name" } },
	[CTF_KERNEL_PROCESS] = { "lttng_statedump_process_state", { "tid", "pid", "ppid", "name", "type" } },
	[CTF_KERNEL_DUMPED] = { "lttng_statedump_end", { NULL } },
	[CTF_KERNEL_DISK] = { "lttng_statedump_block_device", { "dev", "diskname" } },
	[CTF_KERNEL_INTERFACE] = { "lttng_statedump_network_interface", { "name" } },
	[CTF_KERNEL_WAKING] = { "sched_waking", { "tid", "comm" } },
	[CTF_KERNEL_WAKEUP] = { "sched_wakeup", { "tid", "comm" } },
	[CTF_KERNEL_WAKEUP_NEW] = { "sched_wakeup_new", { "tid", "comm" } },
	[CTF_KERNEL_PERF_FORK] = { "perf_fork", { "ptid", "tid", "pid", "time" } },
	[CTF_KERNEL_PERF_EXIT] = { "perf_exit", { "tid" } },
	[CTF_KERNEL_PERF_COMM] = { "perf_comm", { "pid", "tid", "comm" } },
};

/* A field that perf does not write has an empty name, which no field has. */
const struct ctf_kernel_layout ctf_perf_layouts[CTF_KERNEL_EVENTS] = {
	[CTF_KERNEL_SWITCH] = { "sched:sched_switch",
		{ "prev_pid", "next_pid", "prev_comm", "next_comm", "prev_state", "next_prio" } },
	[CTF_KERNEL_FORK] = { "sched:sched_process_fork", { "parent_pid", "child_pid", "", "", "child_comm" } },
	[CTF_KERNEL_EXEC] = { "sched:sched_process_exec", { "pid", "filename" } },
	[CTF_KERNEL_EXIT] = { "sched:sched_process_exit", { "pid" } },
	[CTF_KERNEL_IRQ] = { "irq:irq_handler_entry", { "irq", "name" } },
	[CTF_KERNEL_RECEIVE_OLD] = { "net:netif_receive_skb", { "len", "name" } },
	[CTF_KERNEL_XMIT] = { "net:net_dev_xmit", { "len", "name", "rc" } },
	[CTF_KERNEL_WAKING] = { "sched:sched_waking", { "pid", "comm" } },
	[CTF_KERNEL_WAKEUP] = { "sched:sched_wakeup", { "pid", "comm" } },
	[CTF_KERNEL_WAKEUP_NEW] = { "sched:sched_wakeup_new", { "pid", "comm" } },
};
