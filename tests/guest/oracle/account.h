/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The transfers of a device in the log and in the counters of the kernel. */
#ifndef BCOS_TESTS_GUEST_ACCOUNT_H
#define BCOS_TESTS_GUEST_ACCOUNT_H

#include "lib.h"

/* Runs a command of QEMU's monitor. */
#define HOST(...) \
	do { \
		if (run_program("/bin/host-request", __VA_ARGS__, NULL)) \
			give_up("host-request " #__VA_ARGS__); \
	} while (0)

/* The sums of a device from its name to its end, or to the end of the log. */
struct account {
	uint64_t input, output, faults, inputs, outputs, irqs;
	const struct bcos_entry *end;	/* its Cancel Device Name, or NULL */
};

/* Returns the next entry after @after (NULL: from the first on) that gives a device this name, historical or not. */
const struct bcos_entry *device_named(const struct log *log, const struct bcos_entry *after, const char *name);
/* Sums up the entries of the device that @from names. All sums are 0 if @from is NULL. */
struct account account_of(const struct log *log, const struct bcos_entry *from);

/* Returns the sum of all lines of /proc/interrupts that have this action. */
uint64_t interrupts_of(const char *action);

#endif
