// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Passes the events of a trace on to a log_writer: see read.h. */
#include <stdlib.h>

#include "read.h"

/* A wall clock later than this was set, and does not count from boot. In ns since 1970. */
#define YEAR_2000 (946684800ull * 1000000000)

/* ---- the trace --------------------------------------------------------------------- */

int ctf_reader_begin(struct ctf_reader *reader, const struct ctf_beginning *beginning)
{
	if (reader->begun || reader->beside)
		return 0;
	reader->begun = true;
	reader->meaning = beginning->meaning;
	if (reader->meaning == CTF_MEANS_KERNEL) {
		reader->machine = machine_new(reader->log, false);
		if (!reader->machine)
			return -ENOMEM;
	}
	reader->wall = beginning->wall;
	reader->perf = beginning->perf;
	snprintf(reader->host, sizeof(reader->host), "%s", beginning->host);
	snprintf(reader->release, sizeof(reader->release), "%s", beginning->release);
	snprintf(reader->clock, sizeof(reader->clock), "%s", beginning->clock);
	return 0;
}

static int state_event(struct ctf_reader *reader, u32 event, const char *text)
{
	return log_statement(reader->log, (struct moment){ reader->start, 0 }, event, text);
}

/* Makes the statements of the log at the first event. */
static int begin_log(struct ctf_reader *reader, u64 time)
{
	char text[256];
	int r = 0;

	reader->started = true;
	reader->start = time;
	if (reader->machine)
		machine_starts(reader->machine, time);
	if (reader->wall >= YEAR_2000 && reader->wall < UINT64_MAX - time)
		r = log_wall_clock(reader->log, (struct moment){ time, 0 }, reader->wall + time);
	snprintf(text, sizeof(text), "host %s", reader->host);
	if (!r && *reader->host)
		r = state_event(reader, BCOS_EVENT_HOST, text);
	snprintf(text, sizeof(text), "kernel %s unknown", reader->release);
	if (!r && *reader->release)
		r = state_event(reader, BCOS_EVENT_KERNEL, text);
	snprintf(text, sizeof(text), "imported; times are of the clock %s of the trace", reader->clock);
	if (!*reader->clock)
		snprintf(text, sizeof(text), "imported; the trace does not name the clock of its times");
	return r ? r : state_event(reader, BCOS_EVENT_UNSPECIFIED, text);
}

bool ctf_reader_ahead(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	return reader->machine && ctf_kernel_ahead(reader, seen);
}

/* ---- events ---------------------------------------------------------------------------- */

static int take_text(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	u64 process = BCOS_PROCESS_KERNEL;
	size_t length;
	const char *text = ctf_text(seen, 1, &length);

	ctf_number(seen, 0, &process);
	return text ? log_event(reader->log, (struct moment){ seen->time, 0 }, BCOS_GENERIC_PROCESS, (u32)process, 0,
				BCOS_SEVERITY_INFO, text, length) : -EBADMSG;
}

static int take_event(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	int r = 0;

	/* perf tells at time 0 what was there when its recording began. */
	if (!reader->started && (seen->time || !reader->perf))
		r = begin_log(reader, seen->time);
	if (r)
		return r;
	if (seen->meaning == CTF_MEANS_TEXT)
		return take_text(reader, seen);
	r = ctf_kernel_event(reader, seen);
	return r ? r : machine_error(reader->machine);
}

/* An event or a loss that lacks something is counted, and is no error. */
static int count_spoiled(struct ctf_reader *reader, int r)
{
	if (r != -EBADMSG)
		return r;
	reader->spoiled++;
	return 0;
}

int ctf_reader_event(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	return count_spoiled(reader, take_event(reader, seen));
}

int ctf_reader_lost(struct ctf_reader *reader, u32 cpu, u64 since, u64 until, u64 count, bool packets)
{
	int r;

	if (reader->beside)
		return 0;
	if (reader->machine && !machine_hear_cpu(reader->machine, since, cpu))
		r = machine_error(reader->machine);
	else
		r = log_loss(reader->log, (struct moment){ since, 0 }, until, cpu, count,
			     packets ? "packets" : "events", "by the tracer");
	return count_spoiled(reader, r);
}

/* ---- the end ------------------------------------------------------------------------------ */

/* Complains of events that could not be read.  Return: 0 or a negative errno. */
static int say_ending(const struct ctf_reader *reader, const struct ctf_ending *ending)
{
	if (!ending->streams && !ending->error)
		complain("%s has metadata, but no file with events", reader->path);
	if (ending->damaged)
		complain("%s is damaged: %llu %s cannot be read to %s end: %s", reader->path,
			 (unsigned long long)ending->damaged, ending->damaged == 1 ? "stream" : "streams",
			 ending->damaged == 1 ? "its" : "their", ending->why);
	if (ending->error)
		complain("%s cannot be read: %s", reader->path, ending->why);
	return ending->error || ending->damaged ? -EBADMSG : 0;
}

void ctf_reader_left_out(struct ctf_reader *reader, const char *kind, u64 count, bool repeats)
{
	char text[128];

	if (reader->beside) {
		snprintf(text, sizeof(text), "%.60s in %s", kind, reader->beside);
		left_out_add(reader->left, text, "that folder is a trace of its own, which becomes a log if it is named", count);
		return;
	}
	snprintf(text, sizeof(text), "%s", kind);
	left_out_add(reader->left, text, repeats ? "another kind tells of the same" :
		     !strncmp(kind, "bcos_", 5) ? LEFT_OUT_CARRIED : LEFT_OUT_NO_ENTRY, count);
}

static int finish_reading(struct ctf_reader *reader)
{
	if (reader->spoiled)
		complain("%s is damaged: %llu %s", reader->path, (unsigned long long)reader->spoiled,
			 reader->spoiled == 1 ? "event lacks fields that it has to have" :
			 "events lack fields that they have to have");
	if (!reader->machine)
		return 0;
	machine_end(reader->machine);
	machine_left_out(reader->machine, reader->left);
	return machine_error(reader->machine);
}

int ctf_reader_end(struct ctf_reader *reader, const struct ctf_ending *ending)
{
	int said = ending ? say_ending(reader, ending) : -ENOTRECOVERABLE, r = finish_reading(reader);

	if (r)
		return r;
	return said ? said : reader->spoiled ? -EBADMSG : 0;
}

void ctf_reader_free(struct ctf_reader *reader)
{
	machine_free(reader->machine);
	if (reader->devices.buckets)
		table_destroy(&reader->devices, node_free);
	free(reader->interfaces);
}
