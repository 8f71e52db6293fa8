/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Turns the events of a CTF trace into facts of a log. */
#ifndef CONVERT_CTF_READER_H
#define CONVERT_CTF_READER_H

#include "../../convert.h"
#include "../../machine/machine.h"
#include "seen.h"
#include "state/table.h"

/* The limit for network interfaces, which a trace identifies by their names. */
#define CTF_INTERFACES_MAX 1024u

/**
 * struct ctf_reader - a trace that is being read
 * @log: the log_writer
 * @left: what is left out
 * @path: path of the trace, for messages
 * @beside: the trace lies beside the one that becomes the log, in this folder, and is only counted; else NULL
 * @begun: @meaning is known
 * @started: an event was read; @start is the time of the first one
 * @wall: the wall clock at time 0, in ns since 1970; 0: not known
 * @host: name of the host, or ""
 * @release: release of its kernel, or ""
 * @clock: name of the clock, or ""
 * @machine: for a trace of LTTng's kernel tracer
 * @devices: disks and interfaces that the log_writer has been told of
 * @interfaces: names of the interfaces
 * @interfaces_count: how many there are
 * @perf: perf has written the trace
 * @spoiled: how many records lack a field that they have to have
 */
struct ctf_reader {
	struct log_writer *log;
	struct left_out *left;
	const char *path, *beside;
	bool begun, started, perf;
	enum ctf_meaning meaning;
	u64 start, wall;
	char host[200], release[200], clock[100];
	struct machine *machine;
	struct table devices;
	char (*interfaces)[32];
	u32 interfaces_count;
	u64 spoiled;
};

/**
 * struct ctf_beginning - what a trace tells of itself
 * @meaning: the meaning of its events
 * @perf: perf has written it
 * @wall: the wall clock at time 0, in ns since 1970; 0: not known
 * @host: name of the host, or ""
 * @release: release of its kernel, or ""
 * @clock: name of the clock, or ""
 */
struct ctf_beginning {
	enum ctf_meaning meaning;
	bool perf;
	u64 wall;
	const char *host, *release, *clock;
};

/**
 * struct ctf_ending - how the reading of a trace ended
 * @error: 0, or the negative errno with which nothing more could be read
 * @damaged: how many streams could not be read to their end
 * @streams: how many streams there are
 * @why: the first reason, or ""
 */
struct ctf_ending {
	int error;
	u64 damaged, streams;
	const char *why;
};

/*
 * These take what is in the trace, in this order, and tell the log_writer. They return 0 or a negative errno, after a complaint
 * unless it is -EINTR, -ENOMEM or the error of the log_writer. Events that lack fields are counted.
 */
int ctf_reader_begin(struct ctf_reader *reader, const struct ctf_beginning *beginning);
/*
 * Looks at an event before any event is taken, for the processes of threads that it names. Returns false if the caller
 * need not look at later events.
 */
bool ctf_reader_ahead(struct ctf_reader *reader, const struct ctf_seen *seen);
int ctf_reader_event(struct ctf_reader *reader, const struct ctf_seen *seen);
/* @count events or packets of a CPU were lost, between two times. */
int ctf_reader_lost(struct ctf_reader *reader, u32 cpu, u64 since, u64 until, u64 count, bool packets);
/* @count events of a kind were left out. @repeats: since another kind tells of the same. */
void ctf_reader_left_out(struct ctf_reader *reader, const char *kind, u64 count, bool repeats);
/* @ending: NULL if the library has given up. Returns -EBADMSG, after a complaint, if a part of the trace could not be read. */
int ctf_reader_end(struct ctf_reader *reader, const struct ctf_ending *ending);
void ctf_reader_free(struct ctf_reader *reader);

/* Has the log_writer been told of this disk or interface? ctf_know_device() tells it. */
bool ctf_known_device(const struct ctf_reader *reader, u32 id);
int ctf_know_device(struct ctf_reader *reader, u32 id, const char *name, size_t length);

/* ---- lttng.c: events of LTTng's kernel tracer ------------------------------------------- */

/*
 * Takes an event. Returns 0, -EBADMSG if it lacks a field, or another negative errno. Errors of the machine are in
 * machine_error().
 */
int ctf_kernel_event(struct ctf_reader *reader, const struct ctf_seen *seen);
/*
 * Looks at an event before it is taken, for the processes of threads that it names. Returns false if the caller need
 * not look at later events.
 */
bool ctf_kernel_ahead(struct ctf_reader *reader, const struct ctf_seen *seen);

#endif
