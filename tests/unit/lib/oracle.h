/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The oracle: is this a log that explains itself?  Written from the
 * specification and module/DESIGN.md, 2 and 3; it shares no code with the
 * core or with `bcoslog check`.
 */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Groups may leave processes and devices out. */
#define ORACLE_PARTIAL	1u
/* Records were lost: a CPU may be assigned anew to what it is assigned to; a process may be older than its birth says. */
#define ORACLE_LOSSES	2u

/**
 * oracle_check() - check a log from a place where a snapshot may begin
 * @log: all of it from offset 0
 * @from: where the snapshot begins: a group of historical entries
 * @to: its end
 * @flags: ORACLE_*
 *
 * Return: NULL, or what is wrong where; valid until the next call.
 */
const char *oracle_check(const uint8_t *log, uint64_t from, uint64_t to, unsigned int flags);

/**
 * oracle_groups() - where the groups of historical entries begin
 * @log: all of it from offset 0
 * @from: an entry
 * @to: the end
 * @starts: out: their offsets, at most @limit
 * @limit: room in @starts
 *
 * Return: how many there are.
 */
size_t oracle_groups(const uint8_t *log, uint64_t from, uint64_t to, uint64_t *starts, size_t limit);

#endif
