/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What an event BCOS_EVENT_PRESSURE tells: for how long a control group had used its quota, and for how long its processes
 * stalled, since the recorder read that before. Its text is
 *
 *	cgroup ["cpu "] "PATH" in NS [quota NS of NS] [throttled N times NS] [cpu NS] [io NS] [memory NS]
 *
 * as bcoslog(5) describes it. A part that did not happen is left out.
 */
#ifndef BCOSLOG_PRESSURE_H
#define BCOSLOG_PRESSURE_H

#include "bcoslog.h"
#include "core/format/who_text.h"

enum pressure_kind { PRESSURE_CPU, PRESSURE_IO, PRESSURE_MEMORY, PRESSURE_KINDS };

/**
 * struct pressure - what the event tells; times in ns
 * @cpu: the path is of version 1's hierarchy of the controller cpu
 * @cut: the path lacks its beginning
 * @path: the path of the control group, in @room of pressure_read()
 * @span: the time before the event for which it tells this
 * @quota: CPU time that the group may have in each @period; 0: it has no quota
 * @period: of the quota
 * @times: in how many periods it had used its quota before their end
 * @throttled: for how long it was held back, summed over CPUs
 * @stalled: for how long at least one of its processes stalled
 */
struct pressure {
	bool cpu, cut;
	const char *path;
	u64 span, quota, period, times, throttled, stalled[PRESSURE_KINDS];
};

/* Bytes for any text. */
#define PRESSURE_TEXT (BCOS_CGROUP_TEXT + 256)

/* Writes the text, which ends with a zero byte.  Return: its length. */
size_t pressure_text(char text[PRESSURE_TEXT], const struct pressure *pressure);

/* Reads an entry. @room: BCOS_EVENT_TEXT_MAX bytes for the path.  Return: whether it is such an event, and well-formed. */
bool pressure_read(struct pressure *pressure, char *room, const struct bcos_entry *entry);

/* Return: whether a process in the group @path is held back by the quota of @of: both are the same, or the latter is above. */
bool pressure_concerns(const struct pressure *of, const char *path, bool cpu);

#endif
