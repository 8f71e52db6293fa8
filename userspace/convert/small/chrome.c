// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Export to Chrome's JSON trace events. Process 1 stands for the CPUs, and each of its threads is a CPU with slices for
 * the processes that had it. Process 2 stands for the devices. Times are microseconds with three decimals.
 *
 * Perfetto takes thread 0 for no thread at all, so the thread of a CPU has the number after that of the CPU.
 */
#include <stdlib.h>

#include "core/format/thread_text.h"
#include "account/report.h"
#include "core/format/entry.h"
#include "entry/text.h"
#include "../convert.h"
#include "../words.h"
#include "small.h"

#define CPUS "1"
#define DEVICES "2"
#define CPU_TID ",\"pid\":" CPUS ",\"tid\":"
#define TS ",\"ts\":"
#define DURATION ",\"dur\":"

/*
 * A cached beginning of a slice, with CPU and second, has at most this many bytes. It is valid for a second of a CPU.
 */
#define HEAD_ROOM 64u
/* Size of the cache of beginnings, by CPU. */
#define HEADS 512

struct head {
	u64 second;		/* 0: the item is empty */
	u32 cpu, length;
	char text[HEAD_ROOM];
};

/*
 * A cached end of a slice, with the name of a process, has at most this many bytes. It is valid until the process is
 * renamed.
 */
#define END_ROOM 104u
/* Size of the cache of ends, by process. */
#define ENDS 1024

struct end {
	u64 serial, renames;
	size_t length;
	char text[END_ROOM];
};

struct chrome {
	struct bcoslog_account *account;
	struct outfile *file;
	struct wakes wakes;
	u64 arrows;
	const struct bcos_entry *entry;	/* the entry that the account is taking */
	struct head heads[HEADS];
	struct end ends[ENDS];
};

static void begin_event(struct chrome *chrome)
{
	outfile_bytes(chrome->file, ",\n{", 3);
}

static __always_inline char *text_put(char *to, const char *text, size_t length)
{
	memcpy(to, text, length);
	return to + length;
}

#define literal_put(to, literal) text_put(to, literal, sizeof(literal) - 1)

/* The digits before the point of a time below one second. */
#define DIGITS 6

#define NSEC_PER_SEC 1000000000u

/* Puts the microseconds within a second with six digits, a point, and three decimals. */
static __always_inline char *second_put(char *to, u32 ns)
{
	u32 us = ns / 1000;

	decimal_pair(to, us / 10000);
	decimal_pair(to + 2, us / 100 % 100);
	decimal_pair(to + 4, us % 100);
	ns -= us * 1000;
	to[6] = '.';
	to[7] = (char)('0' + ns / 100);
	decimal_pair(to + 8, ns % 100);
	return to + 10;
}

/*
 * Puts a key, of at least DIGITS characters, and a time in microseconds. The function always writes all six digits and
 * then lets the key overwrite the leading zeros, since a processor cannot predict branches on their number.
 */
static __always_inline char *time_put(char *to, const char *key, size_t length, u64 time)
{
	u64 seconds = time / NSEC_PER_SEC;
	u32 ns = (u32)(time - seconds * NSEC_PER_SEC);
	char *at = to + length;

	if (seconds)
		at = decimal_put(at, seconds);
	else
		at -= DIGITS - decimal_length(ns / 1000);
	at = second_put(at, ns);
	memcpy(to, key, length);
	return at;
}

static void put_time(struct chrome *chrome, u64 time)
{
	char *to = outfile_reserve(chrome->file, 64);

	outfile_commit(chrome->file, (size_t)(time_put(to, TS, sizeof(TS) - 1, time) - to));
}

static void put_number(struct chrome *chrome, const char *key, u64 number)
{
	char *to = outfile_reserve(chrome->file, 64);

	outfile_commit(chrome->file, (size_t)(decimal_put(text_put(to, key, strlen(key)), number) - to));
}

#define put(chrome, literal) outfile_bytes((chrome)->file, literal, sizeof(literal) - 1)

#define NAME ",\"cat\":\"cpu\",\"name\":"
#define PROCESS ",\"args\":{\"process\":"
/* A name up to this length, if no character of it has to be escaped, fits into an end. */
#define SHORT (END_ROOM - sizeof(NAME PROCESS "\"\"4294967295}}"))

/* Returns the end of a slice, or NULL if the name is too long or has to be escaped. */
static const struct end *end_of(struct chrome *chrome, const struct bcoslog_account_process *process)
{
	struct end *end = &chrome->ends[process->serial % ENDS];
	char *to = end->text;

	if (likely(end->serial == process->serial && end->renames == process->renames))
		return end;
	if (process->name_length > SHORT || !json_is_plain(process->name, process->name_length))
		return NULL;
	end->serial = process->serial;
	end->renames = process->renames;
	to = literal_put(to, NAME "\"");
	to = text_put(to, process->name, process->name_length);
	to = literal_put(to, "\"" PROCESS);
	to = decimal_put(to, process->id);
	to = literal_put(to, "}}");
	end->length = (size_t)(to - end->text);
	return end;
}

/* Writes the end of a slice for which end_of() has none. */
static void put_end(struct chrome *chrome, const struct bcoslog_account_process *process)
{
	put(chrome, NAME);
	json_text(chrome->file, process->name, process->name_length);
	put_number(chrome, PROCESS, process->id);
	put(chrome, "}}");
}

static u64 thread_of(u32 cpu)
{
	return cpu + 1ull;
}

#define SLICE ",\n{\"ph\":\"X\"" CPU_TID

/* Puts the beginning of a slice: its CPU and time. */
static __always_inline char *slice_put(struct chrome *chrome, char *to, u32 cpu, u64 time)
{
	u64 second = time / NSEC_PER_SEC;
	struct head *head = &chrome->heads[cpu % HEADS];
	char *at;

	if (unlikely(head->second != second || head->cpu != cpu || !second)) {
		at = decimal_put(literal_put(head->text, SLICE), thread_of(cpu));
		head->second = 0;
		if (!second)
			return time_put(text_put(to, head->text, (size_t)(at - head->text)), TS, sizeof(TS) - 1, time);
		at = decimal_put(literal_put(at, TS), second);
		head->second = second;
		head->cpu = cpu;
		head->length = (u32)(at - head->text);
	}
	memcpy(to, head->text, HEAD_ROOM);
	return second_put(to + head->length, (u32)(time - second * NSEC_PER_SEC));
}

/* Returns microseconds as readers have them: the nearest floating-point number. */
static double as_read(u64 ns)
{
	return (double)((long double)ns / 1000);
}

/* Returns whether a duration reaches beyond @end for readers that add, or for those that subtract. Both may round. */
static bool exceeds(u64 tenths, double begin, double end)
{
	double duration = (double)tenths / 10000;

	return begin + duration > end || duration > end - begin;
}

/*
 * Puts the duration of a slice. Readers add it to the beginning as floating-point numbers, some of them after they
 * have subtracted the beginning of the trace. If the sum exceeds the time at which the next slice begins, as they read
 * that, they draw that slice as one within this. So the duration lacks as many tenths of a nanosecond as that takes.
 * The nearest nanosecond stays right up to 2^50 ns (13 days) after boot.
 */
static char *duration_put(char *to, u64 begin, u64 end)
{
	u64 tenths = (end - begin) * 10, less = 0;

	while (2 * less < tenths && exceeds(tenths - less, as_read(begin), as_read(end)))
		less = less ? 2 * less : 1;
	tenths -= less;
	to = time_put(to, DURATION, sizeof(DURATION) - 1, tenths / 10);
	if (tenths % 10)
		*to++ = (char)('0' + tenths % 10);
	return to;
}

static void put_end_of_arrow(struct chrome *chrome, const char *phase, u32 cpu, u64 time)
{
	begin_event(chrome);
	put(chrome, "\"ph\":");
	outfile_bytes(chrome->file, phase, strlen(phase));
	put_number(chrome, CPU_TID, thread_of(cpu));
	put_time(chrome, time);
	put_number(chrome, ",\"cat\":\"wake-up\",\"name\":\"wake-up\",\"id\":", chrome->arrows);
	put(chrome, "}");
}

/*
 * Draws an arrow from the wake-up of a thread to the turn that follows. The turn may begin inside a slice of the
 * thread's process.
 */
static void put_arrow(struct chrome *chrome, const struct wake *wake, u64 time)
{
	put_end_of_arrow(chrome, "\"s\"", wake->from, wake->time);
	put_end_of_arrow(chrome, "\"f\",\"bp\":\"e\"", wake->to, time);
	chrome->arrows++;
}

/* Writes a slice for a turn on a CPU. Most events are slices, so the code builds them directly in the buffer. */
static void chrome_interval(void *context, const struct bcoslog_interval *interval)
{
	struct chrome *chrome = context;
	const struct end *end = NULL;
	char *begin, *to;

	if (interval->use == BCOSLOG_USE_IDLE || interval->begin == interval->end)
		return;
	begin = to = outfile_reserve(chrome->file, 512);
	to = slice_put(chrome, to, interval->cpu, interval->begin);
	to = duration_put(to, interval->begin, interval->end);
	if (interval->use == BCOSLOG_USE_PROCESS) {
		end = end_of(chrome, interval->process);
		/* The buffer has room for END_ROOM bytes, and a copy of fixed size is fast. */
		if (likely(end))
			memcpy(to, end->text, END_ROOM);
		to += end ? end->length : 0;
	} else if (interval->use == BCOSLOG_USE_KERNEL) {
		to = literal_put(to, NAME "\"kernel\"" PROCESS "0}}");
	} else {
		to = literal_put(to, NAME "\"unknown\"}");
	}
	outfile_commit(chrome->file, (size_t)(to - begin));
	if (unlikely(interval->use == BCOSLOG_USE_PROCESS && !end))
		put_end(chrome, interval->process);
}

static void chrome_transfer(void *context, const struct bcoslog_account_device *device, bool output, __u64 time,
			    __u32 bytes)
{
	struct chrome *chrome = context;

	begin_event(chrome);
	put(chrome, "\"ph\":\"C\",\"pid\":" DEVICES);
	put_number(chrome, ",\"id\":", device->id);
	put_time(chrome, time);
	put(chrome, ",\"cat\":\"device\",\"name\":");
	json_text(chrome->file, device->name, device->name_length);
	put_number(chrome, output ? ",\"args\":{\"output\":" : ",\"args\":{\"input\":", bytes);
	put(chrome, "}}");
}

static void chrome_interrupt(void *context, const struct bcoslog_account_device *device, __u64 time)
{
	struct chrome *chrome = context;

	begin_event(chrome);
	put(chrome, "\"ph\":\"i\",\"s\":\"p\",\"pid\":" DEVICES ",\"tid\":0");
	put_time(chrome, time);
	put(chrome, ",\"cat\":\"IRQ\",\"name\":");
	json_text(chrome->file, device->name, device->name_length);
	put_number(chrome, ",\"args\":{\"device\":", device->id);
	put_number(chrome, ",\"number\":", ((const struct bcos_irq *)chrome->entry)->number);
	put(chrome, "}}");
}

/* Puts where viewers show an event: at its CPU, or above all CPUs or devices. */
static char *scope_put(char *to, const struct bcos_entry *entry)
{
	u16 subject = entry->type & BCOS_TYPE_SUBJECT_MASK;

	if (subject == BCOS_SUBJECT_CPU)
		return decimal_put(literal_put(to, "\"t\"" CPU_TID), thread_of(entry->source));
	return subject == BCOS_SUBJECT_DEVICE ? literal_put(to, "\"p\",\"pid\":" DEVICES ",\"tid\":0") :
						literal_put(to, "\"p\"" CPU_TID "0");
}

/* Writes an event without duration. Its name is the text of the entry, else the name of the entry's type. */
static void put_instant(struct chrome *chrome, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct worded worded;
	size_t length = 0;
	/* Names of types and subjects contain nothing to escape. */
	const char *text = bcoslog_text(entry_in_words(&worded, entry), &length), *subject = bcoslog_subject(entry->type);
	const char *type = bcoslog_type_name(entry->type);
	char *begin, *to;

	begin = to = outfile_reserve(chrome->file, 512);
	to = scope_put(literal_put(to, ",\n{\"ph\":\"i\",\"s\":"), entry);
	to = time_put(to, TS, sizeof(TS) - 1, entry->time);
	to = literal_put(to, ",\"cat\":\"");
	to = text_put(to, type, strlen(type));
	to = literal_put(to, "\",\"name\":");
	outfile_commit(chrome->file, (size_t)(to - begin));
	json_text(chrome->file, length ? text : type, length ? length : strlen(type));
	begin = to = outfile_reserve(chrome->file, 512);
	to = literal_put(to, ",\"args\":{\"");
	to = text_put(to, subject, strlen(subject));
	to = decimal_put(literal_put(to, "\":"), entry->source);
	if (bcoslog_is_generic(entry->type)) {
		to = decimal_put(literal_put(to, ",\"id\":"), event->event_id);
		to = decimal_put(literal_put(to, ",\"severity\":"), entry->size > 24 ? event->severity : 0);
	}
	to = literal_put(to, "}}");
	outfile_commit(chrome->file, (size_t)(to - begin));
}

/* The states of threads are slices and arrows already. Their names, for which slices of processes have no room, are not. */
static bool is_state(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_PROCESS &&
	       bcos_is_thread_event(((const struct bcos_generic *)entry)->event_id);
}

static int chrome_begin(struct export *export)
{
	struct chrome *chrome = calloc(1, sizeof(*chrome));
	struct bcoslog_account_options options = {
		.context = chrome,
		.interval = chrome_interval,
		.transfer = chrome_transfer,
		.interrupt = chrome_interrupt,
	};

	export->own = chrome;
	if (chrome)
		chrome->account = bcoslog_account_new(&options);
	if (!chrome || !chrome->account || table_init(&chrome->wakes.table)) {
		complain("no memory");
		return -ENOMEM;
	}
	chrome->file = &export->output->file;
	put(chrome, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
		    "{\"ph\":\"M\",\"pid\":" CPUS ",\"name\":\"process_name\",\"args\":{\"name\":\"CPUs\"}},\n"
		    "{\"ph\":\"M\",\"pid\":" DEVICES ",\"name\":\"process_name\",\"args\":{\"name\":\"devices\"}}");
	return 0;
}

static int chrome_entry(struct export *export, const struct bcos_entry *entry)
{
	struct chrome *chrome = export->own;
	struct wake wake;
	int r;

	chrome->entry = entry;
	if (bcoslog_account_entry(chrome->account, entry))
		return export_no_memory(export);
	if (likely(entry->type == BCOS_ASSIGN_CPU))
		return 0;
	r = wakes_entry(&chrome->wakes, entry, chrome->account, &wake);
	if (r < 0)
		return export_no_memory(export);
	if (r)
		put_arrow(chrome, &wake, entry->time);
	if (entry->type & BCOS_TYPE_HISTORICAL)
		return 0;
	if (bcos_type_begins(entry->type) || bcos_type_ends(entry->type) ||
	    (bcoslog_is_generic(entry->type) && !is_state(entry)))
		put_instant(chrome, entry);
	return 0;
}

static int chrome_end(struct export *export)
{
	struct chrome *chrome = export->own;
	const struct bcoslog_account_cpu *cpu = NULL;

	bcoslog_account_end(chrome->account);
	while ((cpu = bcoslog_account_next_cpu(chrome->account, cpu))) {
		begin_event(chrome);
		put_number(chrome, "\"ph\":\"M\"" CPU_TID, thread_of(cpu->id));
		put_number(chrome, ",\"name\":\"thread_name\",\"args\":{\"name\":\"CPU ", cpu->id);
		put(chrome, "\"}}");
	}
	put(chrome, "\n]}\n");
	return 0;
}

static void chrome_free(struct export *export)
{
	struct chrome *chrome = export->own;

	if (!chrome)
		return;
	bcoslog_account_free(chrome->account);
	wakes_free(&chrome->wakes);
	free(chrome);
}

const struct exporter chrome_exporter = {
	.name = "chrome",
	.suffix = ".json",
	.help = "Chrome's JSON trace events",
	.text = true,
	.begin = chrome_begin,
	.entry = chrome_entry,
	.end = chrome_end,
	.free = chrome_free,
};
