/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The BPF engine of libbcoslog, for machines on which no module may be loaded.
 * BPF programs record the events, and a thread of this process writes the log
 * into the memory of this process.  The functions that read other logs read this
 * log, too.  The log is lost when the process ends.
 *
 *	struct bcoslog_bpf options = { .size = sizeof(options) };
 *
 *	if (bcoslog_open_bpf(&log, &options, BCOSLOG_FOLLOW, &error))
 *		errx(2, "%s", error.text);
 *
 * The engine requires Linux 5.15 or later with BTF, and the capabilities CAP_BPF
 * and CAP_PERFMON.  It requires CAP_SYSLOG to record the lines of the kernel's log.
 */
#ifndef BCOSLOG_BPF_H
#define BCOSLOG_BPF_H

#include "bcoslog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * struct bcoslog_bpf - options of the BPF engine
 * @size: size of this structure in bytes
 * @flags: BCOSLOG_BPF_*
 * @classes: the classes to record, BCOS_CLASS_*; 0 for the default classes
 * @calls_of: ID of the only process whose kernel calls the class "api" records; 0 for all processes
 * @ring_kb: size of the log in KiB, 256 to 4194304, rounded up to a power of two; 0 for 8192
 * @staging_kb: size of the staging ring of each CPU in KiB, 64 to 65536, rounded up to a power of two; 0: 1024, with class state 4096
 */
struct bcoslog_bpf {
	__u32 size;
	__u32 flags;
	__u32 classes;
	__u32 calls_of;
	__u32 ring_kb;
	__u32 staging_kb;
};

/* Work without membarrier(), as the engine does where CPUs without a tick (nohz_full) make the kernel refuse it. */
#define BCOSLOG_BPF_NO_MEMBARRIER	(1u << 0)
/* Record no class, although @classes is 0.  Names of processes, cores, CPUs and devices are always recorded. */
#define BCOSLOG_BPF_NO_CLASSES		(1u << 1)

/*
 * Attach to no kernel functions, as the engine does where the kernel does not permit that.  The engine then learns of
 * new and removed disks and network interfaces from the kernel's notifications, which arrive later.
 */
#define BCOSLOG_BPF_NO_FUNCTIONS	(1u << 2)

/*
 * Do not read whether a CPU handles an interrupt, as on a kernel that does not let programs read that.  The log then
 * says of most wake-ups "by an interrupt or process".  On arm64 the flag has no effect.
 */
#define BCOSLOG_BPF_NO_COUNT		(1u << 3)

/**
 * bcoslog_open_bpf() - begin to record by BPF programs
 * @log: receives the handle; bcoslog_close() ends the recording
 * @options: the options
 * @flags: with BCOSLOG_FOLLOW bcoslog_wait() waits for more entries; without it the log ends with the events before
 *	this call
 * @error: receives the reason of a failure
 *
 * The function starts a thread, which blocks all signals, has descriptors of its own, and runs at nice -20 if the
 * caller has the right to set that.  A child of the calling process inherits neither the memory of the log nor the
 * descriptors of the BPF programs; it must not use the handle, and does not prolong the recording.  libbpf's messages
 * during the call go to standard error if the environment variable BCOSLOG_DEBUG is set.  The function restores the
 * caller's libbpf_set_print() callback before it returns.
 *
 * Return: 0 or a negative errno; -EPERM if a capability is missing or the kernel is locked down, -ENOSYS if this
 * library was built without the engine.
 */
int bcoslog_open_bpf(struct bcoslog **log, const struct bcoslog_bpf *options, unsigned int flags,
		     struct bcoslog_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
