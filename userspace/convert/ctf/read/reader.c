// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Passes the events of a trace on to a log_writer: see reader.h. */
#include <stdlib.h>

#include "reader.h"

/* A wall clock later than this was set, and does not count from boot. In ns since 1970. */
#define YEAR_2000 (946684800ull * 1000000000)

/* ---- the trace --------------------------------------------------------------------- */

/* Keeps a text for a later statement of the log. */
static void keep_text(char *to, size_t size, const struct ctf_seen *seen, unsigned int field)
{
	size_t length;
	const char *text = ctf_text(seen, field, &length);

	snprintf(to, size, "%.*s", (int)(length < size ? length : size - 1), text ? text : "");
}

static int take_beginning(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	u64 perf = 0;

	if (reader->begun || seen->meaning == CTF_MEANS_NOTHING)
		return -EBADMSG;
	reader->begun = true;
	reader->meaning = seen->meaning;
	if (reader->meaning == CTF_MEANS_KERNEL) {
		reader->machine = machine_new(reader->log, false);
		if (!reader->machine)
			return -ENOMEM;
	}
	ctf_number(seen, CTF_BEGINS_WALL, &reader->wall);
	ctf_number(seen, CTF_BEGINS_PERF, &perf);
	reader->perf = perf;
	keep_text(reader->host, sizeof(reader->host), seen, CTF_BEGINS_HOST);
	keep_text(reader->release, sizeof(reader->release), seen, CTF_BEGINS_RELEASE);
	keep_text(reader->clock, sizeof(reader->clock), seen, CTF_BEGINS_CLOCK);
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

/*
 * The state dump names the process of each thread, but comes after the first events. So the machine is told about the
 * threads in the state dump, and those in the context of events, before any event is taken. This only looks ahead as
 * far as the records fit into memory.
 */
static void look_ahead(struct ctf_reader *reader, struct input *input, size_t at)
{
	struct ctf_seen seen;

	while (!convert_interrupted() && ctf_seen_ahead(input, at, &seen) > 0 && seen.what != CTF_ENDS) {
		if (seen.what == CTF_EVENT && seen.meaning == CTF_MEANS_KERNEL && !ctf_kernel_ahead(reader, &seen))
			break;
		at += seen.size;
	}
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

	if (!reader->begun || seen->meaning != reader->meaning)
		return -EBADMSG;
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

static int take_lost(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	u64 until = seen->time, count = 1, packets = 0;

	if (reader->beside)
		return 0;
	if (!reader->begun)
		return -EBADMSG;
	ctf_number(seen, CTF_LOST_UNTIL, &until);
	ctf_number(seen, CTF_LOST_COUNT, &count);
	ctf_number(seen, CTF_LOST_PACKETS, &packets);
	if (reader->machine && !machine_hear_cpu(reader->machine, seen->time, seen->cpu))
		return machine_error(reader->machine) ? : -EBADMSG;
	return log_loss(reader->log, (struct moment){ seen->time, 0 }, until, seen->cpu, count,
			packets ? "packets" : "events", "by the tracer");
}

/* ---- the end ------------------------------------------------------------------------------ */

/* Complains of events that could not be read, or that are left out.  Return: 0 or a negative errno. */
static int say_event(const struct ctf_reader *reader, const struct ctf_seen *seen)
{
	u64 error = 0, damaged = 0, streams = 0;
	size_t length;
	const char *why = ctf_text(seen, CTF_ENDS_WHY, &length);
	int shown = why && length < 600 ? (int)length : 0;

	ctf_number(seen, CTF_ENDS_ERROR, &error);
	ctf_number(seen, CTF_ENDS_DAMAGED, &damaged);
	ctf_number(seen, CTF_ENDS_STREAMS, &streams);
	if (!streams && !error)
		complain("%s has metadata, but no file with events", reader->path);
	if (damaged)
		complain("%s is damaged: %llu %s cannot be read to %s end: %.*s", reader->path,
			 (unsigned long long)damaged, damaged == 1 ? "stream" : "streams",
			 damaged == 1 ? "its" : "their", shown, why ? why : "");
	if (error && error != EINTR)
		complain("%s cannot be read: %.*s", reader->path, shown, why ? why : "");
	if (error == EINTR || error == ENOMEM || error == EFBIG)
		return -(int)error;
	return error || damaged ? -EBADMSG : 0;
}

/* Takes the count of a kind of events that the child has left out. */
static void take_left_out(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	u64 count = 0, repeats = 0;
	char kind[128];
	size_t length;
	const char *name;

	ctf_number(seen, CTF_LEFT_OUT_COUNT, &count);
	ctf_number(seen, CTF_LEFT_OUT_REPEATS, &repeats);
	if (reader->beside) {
		name = ctf_text(seen, CTF_LEFT_OUT_KIND, &length);
		snprintf(kind, sizeof(kind), "%.*s in %s", !name ? 0 : length < 60 ? (int)length : 60, name ? name : "",
			 reader->beside);
		left_out_add(reader->left, kind, "that folder is a trace of its own, which becomes a log if it is named", count);
		return;
	}
	keep_text(kind, sizeof(kind), seen, CTF_LEFT_OUT_KIND);
	left_out_add(reader->left, kind, repeats ? "another kind tells of the same" :
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

int ctf_reader_run(struct ctf_reader *reader, struct input *input)
{
	struct ctf_seen seen = { 0 };
	bool ended = false;
	int r = 0, said = 0;

	while (!r && !ended && (r = ctf_seen_read(input, &seen)) > 0) {
		r = convert_interrupted() ? -EINTR : 0;
		if (r)
			return r;
		switch (seen.what) {
		case CTF_BEGINS:
			r = reader->beside ? 0 : take_beginning(reader, &seen);
			if (!r && reader->machine)
				look_ahead(reader, input, seen.size);
			break;
		case CTF_EVENT:
			r = take_event(reader, &seen);
			break;
		case CTF_LOST:
			r = take_lost(reader, &seen);
			break;
		case CTF_LEFT_OUT:
			take_left_out(reader, &seen);
			break;
		default:
			said = say_event(reader, &seen);
			ended = true;
			break;
		}
		if (r == -EBADMSG) {
			reader->spoiled++;
			r = 0;
		}
	}
	if (r && r != -EBADMSG)
		return r;
	r = convert_interrupted() ? -EINTR : finish_reading(reader);
	if (r)
		return r;
	/* The child has ended before it was done if its last record is missing. */
	if (!ended)
		return -EPIPE;
	return said ? said : reader->spoiled ? -EBADMSG : 0;
}

void ctf_reader_free(struct ctf_reader *reader)
{
	machine_free(reader->machine);
	if (reader->devices.buckets)
		table_destroy(&reader->devices, node_free);
	free(reader->interfaces);
}
