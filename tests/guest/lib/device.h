/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tests of the device share this beyond lib.h: its calls, and loads that
 * make it work.  A call that fails is a die().
 */
#ifndef BCOS_TESTS_GUEST_DEVICE_H
#define BCOS_TESTS_GUEST_DEVICE_H

#include "lib.h"

/* ---- calls ------------------------------------------------------------------ */

struct bcos_compaction acknowledge(int fd);
/* Return: the end of the log afterwards. */
uint64_t flush_log(int fd);

/* Another module of the tests (NAME.kmod). */
void load_other(const char *name, const char *parameters);
void unload_other(const char *name);
void set_watermark(int fd, uint32_t bytes);
/* poll() of one file.  Return: its revents, 0 after so many milliseconds. */
short poll_log(int fd, short events, int timeout);
/* Empties a file (O_NONBLOCK) without keeping what it had.  Return: bytes. */
uint64_t drain(int fd);

/* ---- loads ------------------------------------------------------------------ */

/* Processes of ours that end with us. */
pid_t spawn_bound(void (*body)(void *), void *argument);
/* Kills it and waits for its end. */
void end(pid_t pid);

/*
 * A process that shares our memory and is our parent's child: switching between us and it is as cheap as can be,
 * which matters under emulation.  Return: its ID.
 */
pid_t clone_process(int (*body)(void *), void *argument);

/* Two processes that take turns on one CPU, some ten thousand times a second. */
struct switcher {
	pid_t pid[2];
};

struct switcher switcher_start(int cpu);
void switcher_stop(struct switcher *switcher);

/* Two that take so many turns each and end; a turn is some 50 bytes of log. */
void switch_turns(int cpu, uint32_t turns);

/* Makes at least so many compactions occur and returns when all that led to them is in the log; @fd: an open log. */
void compact(int fd, unsigned int count);

/* A process that forks one short-lived child after another. */
pid_t forker_start(void);

/* The process ID of the log writer's thread, by its name; dies if there is none. */
pid_t writer_of_log(void);
/* A number of /proc/PID/status, such as "voluntary_ctxt_switches"; dies if there is none. */
unsigned long long status_figure(pid_t pid, const char *name);
/* Return: a field of /proc/meminfo, such as "MemTotal", in KiB. */
long meminfo_figure(const char *name);

#endif
