/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The devices of a log that the BPF engine records, for devices_test.c. */
#ifndef DEVICE_LOG_H
#define DEVICE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#define DEVICE_TEXT 96

struct bcoslog;

/* A device, and the last entry about it. */
struct device {
	uint32_t id;
	bool live;
	char name[DEVICE_TEXT];
	uint64_t first, last;		/* the time of the entry is between these */
	char text[DEVICE_TEXT];
};

/* The log, or NULL. */
extern struct bcoslog *device_log;
/* The number of entries in the log that state a loss. */
extern unsigned int device_log_losses;

/* Starts the engine. @flags: BCOSLOG_BPF_*. */
void device_log_begin(unsigned int flags);
/* Stops the engine; its account must add up. */
void device_log_end(void);
/* Reads what has happened until now. */
void device_log_catch_up(void);

/* Returns the number of live devices with this name. *@of: the newest one, live or not; NULL if nobody asks. */
int device_log_called(const char *name, struct device **of);
/* Waits until @live live devices have this name, since the kernel announces some of them late. */
bool device_log_soon(const char *name, int live);
/* Asserts that the last entry about the device has a time between @from and @until. */
void device_log_expect(const struct device *of, uint64_t from, uint64_t until);

#endif
