/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The oracle decides whether a log explains itself. It was written from the specification and module/DESIGN.md, 2 and
 * 3, and shares no code with the core or with `bcoslog check`.
 */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Groups may leave processes and devices out. */
#define ORACLE_PARTIAL	1u
/*
 * Records were lost, so a CPU may be assigned again to what it is assigned to, and a process may be older than its
 * birth says.
 */
#define ORACLE_LOSSES	2u

/**
 * oracle_check() - check a log from a place where a snapshot may begin
 * @log: all of it from offset 0
 * @from: where the snapshot begins, which is a group of historical entries
 * @to: the end of the snapshot
 * @flags: ORACLE_*
 *
 * Return: NULL, or a text that says what is wrong, and where; valid until the next call.
 */
const char *oracle_check(const uint8_t *log, uint64_t from, uint64_t to, unsigned int flags);

/**
 * oracle_groups() - find the groups of historical entries
 * @log: all of it from offset 0
 * @from: offset of the first entry
 * @to: the end
 * @starts: out: offsets of the groups, at most @limit
 * @limit: room in @starts
 *
 * Return: the number of groups, which may exceed @limit.
 */
size_t oracle_groups(const uint8_t *log, uint64_t from, uint64_t to, uint64_t *starts, size_t limit);

#endif
