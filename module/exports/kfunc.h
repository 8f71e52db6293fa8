/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BPF tracing programs (fentry, fexit, tp_btf) call these functions to put generic events into the
 * log.
 */
#ifndef BCOS_KFUNCS_H
#define BCOS_KFUNCS_H

#include <linux/types.h>

struct net_device;

/* bpf/examples/bcos_evlog_kfuncs.h declares these for BPF programs. */
int bcos_evlog_event(u32 event_id, u32 severity, const char *text, u32 text__sz);
int bcos_evlog_cpu_event(u32 event_id, u32 severity, const char *text, u32 text__sz);
int bcos_evlog_netdev_event(struct net_device *device, u32 event_id, u32 severity, const char *text,
			    u32 text__sz);

/*
 * Registers the functions. Without type information in kernel or module there are none, and a
 * message says so.
 */
int bcos_kfuncs_up(void);

#endif
