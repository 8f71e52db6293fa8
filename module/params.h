/* SPDX-License-Identifier: GPL-2.0-only */
/* Module parameters (section 6 of the design). */
#ifndef BCOS_PARAMS_H
#define BCOS_PARAMS_H

#include <linux/types.h>

/**
 * struct bcos_params - parameters, as given and then as they took effect
 * @ring_kb: size of the log in KiB
 * @staging_kb: size of each CPU's staging ring in KiB
 * @staging_total_kb: limit for all of them in KiB, 0 for the default
 * @mode: access mode of the device file
 * @writer_rt: 1 if the log writer runs at real-time priority
 * @user_rate: events a second that a user may write, 0 for no limit
 * @api_numbers: 0 if entries of kernel calls are to have no numbers
 * @message_mask: messages of other modules that are wanted (bcos_evlog.h)
 * @other_interfaces: network interfaces of other network namespaces that are recorded, at most
 * @who_args: 0 if entries of programs are to have no arguments
 * @core_idle_mw: power of an idle core in mW, 0: unknown
 * @core_busy_mw: likewise of a busy one
 * @core_performance: instructions in 125 us of a CPU, 0: by its clock rate
 * @tsc: 0 if records are not to be stamped with the TSC
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
};

extern struct bcos_params bcos_params;

/**
 * bcos_params_up() - judge what was given at load
 *
 * Context: module load.
 * Return: 0, or -EINVAL after naming the parameter, its value and its range.
 */
int bcos_params_up(void);

#endif
