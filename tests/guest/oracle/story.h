/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Compares two logs of one machine, by module and BPF engine side by side.
 *
 * Both hook the same tracepoints, one after the other in each call of it. A call makes at most three entries (a death,
 * who runs then, that it goes on in a call of the kernel), so that an event's time in one log lies before that of the
 * third one after it in the other, as precise as each says it is.
 */
#ifndef BCOS_TESTS_GUEST_STORY_H
#define BCOS_TESTS_GUEST_STORY_H

#include "lib.h"

enum side { MODULE, BPF, SIDES };

extern const char *const side_names[SIDES];
extern struct log logs[SIDES];

/* By the module's log: of what is not about a CPU, that which is between them is compared. */
extern uint64_t story_from, story_until;

struct event {
	uint64_t time;
	uint32_t precision;
	uint32_t what;
};

struct events {
	struct event *event;
	size_t count;
};

/* Convert an entry to a number.  Return: false if the comparison ignores it. */
typedef bool (*event_says)(const struct bcos_entry *entry, uint32_t *what);

/* All entries of a type about one source; @says NULL: what the word says. */
struct events events_of(enum side side, uint16_t type, uint32_t source, event_says says);
void events_add(struct events *events, const struct bcos_entry *entry, uint32_t what);

/* A process on its CPU that both logs have to show there: from it on, or up to it, they are compared. */
pid_t mark(int cpu);
/* Points: between the marks the CPU ran the same.  Narrows story_from and story_until to them. */
void compare_cpu(int cpu, pid_t first, pid_t last);
/* How many of the assignments of the CPUs compared so far to @id only this log has, since an interrupt came between the probes. */
uint32_t assigned_again(enum side side, uint32_t id);
/* A point: between story_from and story_until these are the same, @what in words. */
void compare_events(struct events mine, struct events theirs, const char *name, const char *what);
/* As above, for a device with this name. */
void compare_device(const char *name, uint16_t type, const char *what);
/* Takes both logs, that of the engine by @fd.  Points: they are well-formed, and lost nothing. */
void take_sides(int fd);

#endif
