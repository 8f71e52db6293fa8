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

/*
 * Reads the records of the pipe @input and tells the log_writer. Returns 0; -EBADMSG, after a complaint, if a part of
 * the trace could not be read; or another negative errno, after a complaint unless it is -EINTR or the error of the
 * log_writer.
 */
int ctf_reader_run(struct ctf_reader *reader, struct input *input);
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
