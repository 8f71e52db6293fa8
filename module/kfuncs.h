/* SPDX-License-Identifier: GPL-2.0-only */
/* What BPF programs of type tracing (fentry, fexit, tp_btf) call to put generic events into the log. */
#ifndef BCOS_KFUNCS_H
#define BCOS_KFUNCS_H

#include <linux/types.h>

struct net_device;

/* In kfuncs.c, told of in bpf/examples/bcos_evlog.h. */
int bcos_evlog_event(u32 event_id, u32 severity, const char *text, u32 text__sz);
int bcos_evlog_cpu_event(u32 event_id, u32 severity, const char *text, u32 text__sz);
int bcos_evlog_netdev_event(struct net_device *device, u32 event_id, u32 severity, const char *text, u32 text__sz);

/* Bring-up: where kernel or module have no type information there are none, and that is said. */
int bcos_kfuncs_up(void);

#endif
