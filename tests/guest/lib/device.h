/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tests of the device share these functions beyond lib.h: calls of the device, and loads that make it work. If a call
 * fails, the test dies.
 */
#ifndef BCOS_TESTS_GUEST_DEVICE_H
#define BCOS_TESTS_GUEST_DEVICE_H

#include "lib.h"

/* ---- calls ------------------------------------------------------------------ */

struct bcos_compaction acknowledge_compaction(int fd);
/* Flushes the log. Return: the end of the log afterwards. */
uint64_t flush_log(int fd);

/* Load and unload another module of the tests (NAME.kmod). */
void load_other(const char *name, const char *parameters);
void unload_other(const char *name);
void set_watermark(int fd, uint32_t bytes);
/* Polls one file. Return: its revents, or 0 after @timeout milliseconds. */
short poll_log(int fd, short events, int timeout);
/* Reads everything that a file (O_NONBLOCK) has, and drops it. Return: the number of bytes. */
uint64_t drain_log(int fd);

/* ---- loads ------------------------------------------------------------------ */

/* Starts a child that ends with its parent. */
pid_t spawn_bound(void (*body)(void *), void *argument);
/* Kills a child and waits for its end. */
void end_child(pid_t pid);

/*
 * Starts a process that shares the caller's memory and is a child of the caller's parent. Switches between the two are
 * as cheap as can be, which matters under emulation. Return: the process ID.
 */
pid_t clone_process(int (*body)(void *), void *argument);

/* Two processes that take turns on one CPU, some ten thousand times a second. */
struct switcher {
	pid_t pid[2];
};

struct switcher switcher_start(int cpu);
void switcher_stop(struct switcher *switcher);

/* Runs two processes that take @turns turns each and end. A turn is some 50 bytes of log. */
void switch_turns(int cpu, uint32_t turns);

/*
 * Makes at least @count compactions occur, and returns when everything that led to them is in the log. @fd is an open
 * log.
 */
void compact_log(int fd, unsigned int count);

/* Starts a process that forks one short-lived child after another. */
pid_t forker_start(void);

/* Makes an input device with the key A, which exists as long as the returned descriptor, of /dev/uinput, is open. */
int input_start(const char *name);

/* Returns the process ID of the log writer's thread, which has a known name. Dies if there is none. */
pid_t writer_of_log(void);
/* Returns a number of /proc/PID/status, such as "voluntary_ctxt_switches". Dies if there is none. */
unsigned long long status_figure(pid_t pid, const char *name);
/* Return: a field of /proc/meminfo, such as "MemTotal", in KiB. */
long meminfo_figure(const char *name);

#endif
