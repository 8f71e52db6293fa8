/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libbcoslog: the log where no module may be loaded.  BPF programs record, and
 * a thread of this process writes the log, into memory of its own: the same
 * log, read by the same functions, as long as the process lasts.
 *
 *	struct bcoslog_bpf options = { .size = sizeof(options) };
 *
 *	if (bcoslog_open_bpf(&log, &options, BCOSLOG_FOLLOW, &error))
 *		errx(2, "%s", error.text);
 *
 * It takes Linux 5.15 or later with BTF, and the capabilities CAP_BPF and
 * CAP_PERFMON; without CAP_SYSLOG there are no lines of the kernel's log.
 */
#ifndef BCOSLOG_BPF_H
#define BCOSLOG_BPF_H

#include "bcoslog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * struct bcoslog_bpf - what is recorded, and in how much memory
 * @size: of this structure
 * @flags: BCOSLOG_BPF_*
 * @classes: BCOS_CLASS_*; 0: the default ones
 * @calls_of: class api: of this process alone, 0: of all
 * @ring_kb: the log, 256 to 4194304, rounded up to a power of two; 0: 8192
 * @staging_kb: of each CPU, 64 to 65536, likewise; 0: 1024
 */
struct bcoslog_bpf {
	__u32 size;
	__u32 flags;
	__u32 classes;
	__u32 calls_of;
	__u32 ring_kb;
	__u32 staging_kb;
};

/* Do not use membarrier(), as where the kernel has CPUs without a tick (nohz_full) and refuses it. */
#define BCOSLOG_BPF_NO_MEMBARRIER	(1u << 0)
/* Without class: none at all; names of processes, cores, CPUs and devices are always recorded. */
#define BCOSLOG_BPF_NO_CLASSES		(1u << 1)

/* Hook no functions, as where the kernel lets nobody: disks and interfaces are told of by it, later than they change. */
#define BCOSLOG_BPF_NO_FUNCTIONS	(1u << 2)

/* What the engine records, of BCOS_CLASS_*; 0: this library was built without it. */
__u32 bcoslog_bpf_classes(void);

/**
 * bcoslog_open_bpf() - record by BPF programs, from now on
 * @log: out: the handle; bcoslog_close() ends the recording
 * @options: what, and in how much memory
 * @flags: BCOSLOG_FOLLOW: bcoslog_wait() waits for more; without it the log ends with the call
 * @error: out: why it failed
 *
 * Starts a thread, which blocks all signals, has descriptors of its own, and runs at nice -20 where the caller may.
 * Children get neither the log's memory nor the programs' descriptors: they may call no function with this handle, and
 * do not keep the recording going.  What libbpf prints meanwhile is shown if BCOSLOG_DEBUG is set in the environment;
 * the program's own callback (libbpf_set_print()) is in its place again when the function returns.
 *
 * Return: 0 or a negative errno; EPERM: a capability is missing, or the kernel is locked down; ENOSYS: this library
 * was built without it.
 */
int bcoslog_open_bpf(struct bcoslog **log, const struct bcoslog_bpf *options, unsigned int flags,
		     struct bcoslog_error *error);

/**
 * bcoslog_stop_bpf() - end the recording, but not the log
 * @log: of bcoslog_open_bpf(); another one is left alone
 *
 * What happened until now can still be read, and then the log has ended, also with BCOSLOG_FOLLOW.
 *
 * Return: 0 or a negative errno.
 */
int bcoslog_stop_bpf(struct bcoslog *log);

/**
 * bcoslog_share_bpf() - another reader of what this process records
 * @log: out: the handle, which may be used by another thread than @of
 * @of: of bcoslog_open_bpf(); stays open for longer than @log
 * @flags: BCOSLOG_FOLLOW; without it the log ends with the call
 * @error: out: why it failed
 *
 * It begins at the oldest entry, and neither reader takes anything from the other.
 *
 * Return: 0 or a negative errno.
 */
int bcoslog_share_bpf(struct bcoslog **log, struct bcoslog *of, unsigned int flags, struct bcoslog_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
