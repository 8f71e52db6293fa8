/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Converting the events of a CTF trace to facts of a log. */
#ifndef CONVERT_CTF_READER_H
#define CONVERT_CTF_READER_H

#include "../convert.h"
#include "../machine/machine.h"
#include "seen.h"
#include "state/table.h"

/* Network interfaces, which a trace knows by their names. */
#define CTF_INTERFACES_MAX 1024u

/**
 * struct ctf_reader - a trace that is read
 * @log: takes what happened
 * @path: of the trace, for messages
 * @begun: what kind of trace it is is known: @meaning
 * @started: there was an event; the first one was at @start
 * @wall: ns since 1970 at time 0; 0: not known
 * @host: its name, or empty, as those that follow
 * @release: of its kernel
 * @clock: name of the clock
 * @state: of a log that the trace was made of
 * @machine: of a kernel's trace
 * @devices: disks and interfaces that have been told of
 * @interfaces: their names
 * @interfaces_count: how many
 * @spoiled: events whose fields are not as they have to be
 * @room: for an entry
 */
struct ctf_reader {
	struct log_writer *log;
	const char *path;
	bool begun, started;
	enum ctf_meaning meaning;
	u64 start, wall;
	char host[200], release[200], clock[100];
	struct bcoslog_state *state;
	struct machine *machine;
	struct table devices;
	char (*interfaces)[32];
	u32 interfaces_count;
	u64 spoiled;
	u32 room[BCOS_ENTRY_MAX / 4 + 1];
};

/*
 * Reads what was seen and tells it. Returns 0; -EBADMSG, after a complaint, if not all of the trace could be read; or
 * another negative errno, after a complaint unless it is that of the log or -EINTR.
 */
int ctf_reader_run(struct ctf_reader *reader, struct input *input);
void ctf_reader_free(struct ctf_reader *reader);

/* A disk or an interface: has it been told of, and now it is. */
bool ctf_known_device(const struct ctf_reader *reader, u32 id);
int ctf_know_device(struct ctf_reader *reader, u32 id, const char *name, size_t length);

/* ---- ours.c: events of a log --------------------------------------------------------- */

/* Returns 0, -EBADMSG if the event is no entry, or another negative errno. */
int ctf_ours_event(struct ctf_reader *reader, const struct ctf_seen *seen);

/* ---- lttng.c: events of LTTng's kernel tracer ------------------------------------------- */

/* Returns 0, -EBADMSG if it lacks a field, or another negative errno; what the machine does with it is noted there. */
int ctf_kernel_event(struct ctf_reader *reader, const struct ctf_seen *seen);
/* An event that comes later names processes of threads. Returns false if nothing that comes after it has to be looked at. */
bool ctf_kernel_ahead(struct ctf_reader *reader, const struct ctf_seen *seen);

#endif
