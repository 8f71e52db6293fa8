/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * BPF tracing programs (tp_btf, fentry, fexit) put events into the log of the module by these
 * functions, if the module has type information (bcos_evlog(7)). Each returns 0 or a negative
 * errno. A text ends with the first zero or after @size bytes, and has at most 1024 bytes. While
 * the class "user" is off nothing is recorded, which is no error. Severities are those of the
 * specification (5.3.2): 0 debug, 0x40 information, 0x80 error, 0xC0 critical.
 */
#ifndef BCOS_EVLOG_KFUNCS_H
#define BCOS_EVLOG_KFUNCS_H

/* The source is the current process, the current CPU, or a network interface. */
extern int bcos_evlog_event(__u32 event_id, __u32 severity, const char *text, __u32 size) __ksym;
extern int bcos_evlog_cpu_event(__u32 event_id, __u32 severity, const char *text,
				__u32 size) __ksym;
extern int bcos_evlog_netdev_event(struct net_device *device, __u32 event_id, __u32 severity,
				   const char *text, __u32 size) __ksym;

#endif
