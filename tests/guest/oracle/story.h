/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Compares two logs of one machine, which module and BPF engine record side by side.
 *
 * Both hook the same tracepoints, and each call of a tracepoint runs the two hooks one after the other. A call makes at
 * most three entries (a death, the process that runs then, its return into a kernel call). So the time of an event in
 * one log lies before that of the third event after it in the other log, within their precisions.
 */
#ifndef BCOS_TESTS_GUEST_STORY_H
#define BCOS_TESTS_GUEST_STORY_H

#include "lib.h"

enum side { MODULE, BPF, SIDES };

extern const char *const side_names[SIDES];
extern struct log logs[SIDES];

/* Events that are not about a CPU are compared between these two times of the module's log. */
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

/* Converts an entry to a number. Return: false if the comparison ignores the entry. */
typedef bool (*event_says)(const struct bcos_entry *entry, uint32_t *what);

/* Returns all events of a type about one source. They say the word of the entry if @says is NULL. */
struct events events_of(enum side side, uint16_t type, uint32_t source, event_says says);
void events_add(struct events *events, const struct bcos_entry *entry, uint32_t what);

/*
 * Runs a process on a CPU as a mark, which both logs have to show there. The logs are compared from one mark to
 * another.
 */
pid_t leave_mark(int cpu);
/*
 * Makes points: between the two marks the CPU runs the same in both logs. Narrows story_from and story_until to the
 * marks.
 */
void compare_cpu(int cpu, pid_t first, pid_t last);
/*
 * Returns how many assignments to @id only this log has, on the CPUs compared so far, since an interrupt came between
 * the probes.
 */
uint32_t assigned_again(enum side side, uint32_t id);
/* Makes a point: between story_from and story_until these events are the same. @what says in words what they are. */
void compare_events(struct events mine, struct events theirs, const char *name, const char *what);
/* Compares the entries of a type about the device with this name. */
void compare_device(const char *name, uint16_t type, const char *what);
/* Takes both logs, the engine's by @fd. Makes points: they are well-formed, and have lost nothing. */
void take_sides(int fd);

#endif
