/* SPDX-License-Identifier: GPL-2.0-only */
/* Module parameters. */
#ifndef BCOS_PARAMS_H
#define BCOS_PARAMS_H

#include <linux/types.h>

/**
 * struct bcos_params - the parameters as they are given, and after load as they are in effect
 * @ring_kb: size of the log in KiB
 * @staging_kb: size of each CPU's staging ring in KiB
 * @staging_total_kb: limit for all staging rings in KiB; 0: default
 * @mode: access mode of the device file
 * @writer_rt: 1: the log writer runs at real-time priority
 * @user_rate: events a second that a user may write; 0: no limit
 * @api_numbers: 0: entries of kernel calls have no function numbers
 * @message_mask: event mask for messages of other modules (bcos_evlog_module.h)
 * @other_interfaces: the most network interfaces of other network namespaces to record
 * @who_args: 0: entries of programs have no arguments
 * @core_idle_mw: power of an idle core in mW; 0: unknown
 * @core_busy_mw: power of a busy core in mW; 0: unknown
 * @core_performance: instructions in 125 us of a CPU; 0: counted or estimated
 * @tsc: 0: records never have ticks of the TSC
 * @keep_flush: 1: write the image back from caches after each pass
 * @keep: name of the memory that survives a reboot; empty: none
 * @keep_addr: physical address of that memory, where it has no name
 * @keep_size: bytes of the memory at @keep_addr; after the load, of the region that has the log
 */
struct bcos_params {
	u32 ring_kb;
	u32 staging_kb;
	u32 staging_total_kb;
	u32 mode;
	u32 writer_rt;
	u32 user_rate;
	u32 api_numbers;
	u32 message_mask;
	u32 other_interfaces;
	u32 who_args;
	u32 core_idle_mw;
	u32 core_busy_mw;
	u32 core_performance;
	u32 tsc;
	u32 keep_flush;
	char *keep;
	u64 keep_addr;
	u64 keep_size;
};

extern struct bcos_params bcos_params;

/**
 * bcos_params_up() - check the parameters given at load
 *
 * Context: module load.
 * Return: 0, or -EINVAL after a message that names the parameter, its value and its range.
 */
int bcos_params_up(void);

#endif
