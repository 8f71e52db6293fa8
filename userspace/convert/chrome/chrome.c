// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Chrome's JSON trace events: process 1 stands for the CPUs, and each of its threads is a CPU, on which slices are the
 * processes that had it; devices are process 2. Times are microseconds with three digits after the point.
 */
#include <stdlib.h>

#include "../convert.h"
#include "../json.h"

#define CPUS "1"
#define DEVICES "2"

struct chrome {
	struct bcoslog_account *account;
	struct outfile *file;
	char *begun;			/* where an event that is put together begins */
};

static void begin_event(struct chrome *chrome)
{
	outfile_bytes(chrome->file, ",\n{", 3);
}

/* Microseconds. */
static void put_time(struct chrome *chrome, const char *key, u64 time)
{
	char *to = outfile_reserve(chrome->file, 64), *at = to;
	size_t length = strlen(key);
	u64 fraction = time % 1000;

	memcpy(at, key, length);
	at = decimal_put(at + length, time / 1000);
	*at++ = '.';
	*at++ = (char)('0' + fraction / 100);
	*at++ = (char)('0' + fraction / 10 % 10);
	*at++ = (char)('0' + fraction % 10);
	outfile_commit(chrome->file, (size_t)(at - to));
}

static void put_number(struct chrome *chrome, const char *key, u64 number)
{
	char *to = outfile_reserve(chrome->file, 64), *at = to;
	size_t length = strlen(key);

	memcpy(at, key, length);
	at = decimal_put(at + length, number);
	outfile_commit(chrome->file, (size_t)(at - to));
}

#define put(chrome, literal) outfile_bytes((chrome)->file, literal, sizeof(literal) - 1)

/* Names up to this, without a character that is escaped, need no second look. */
#define SHORT 128u

static char *text_put(char *to, const char *text, size_t length)
{
	memcpy(to, text, length);
	return to + length;
}

#define literal_put(to, literal) text_put(to, literal, sizeof(literal) - 1)

static char *time_put(char *to, u64 time)
{
	u32 fraction = (u32)(time % 1000);

	to = decimal_put(to, time / 1000);
	to[0] = '.';
	to[1] = (char)('0' + fraction / 100);
	to[2] = (char)('0' + fraction / 10 % 10);
	to[3] = (char)('0' + fraction % 10);
	return to + 4;
}

static char *name_put(struct chrome *chrome, char *to, const char *name, size_t length)
{
	if (likely(length <= SHORT && json_is_plain(name, length))) {
		*to++ = '"';
		to = text_put(to, name, length);
		*to++ = '"';
		return to;
	}
	outfile_commit(chrome->file, (size_t)(to - chrome->begun));
	json_text(chrome->file, name, length);
	chrome->begun = outfile_reserve(chrome->file, 512);
	return chrome->begun;
}

/* A slice for each turn on a CPU: nearly all that there is, so it is put together in the buffer. */
static void interval(void *context, const struct bcoslog_interval *interval)
{
	struct chrome *chrome = context;
	char *to;

	if (interval->use == BCOSLOG_USE_IDLE || interval->begin == interval->end)
		return;
	chrome->begun = to = outfile_reserve(chrome->file, 512);
	to = literal_put(to, ",\n{\"ph\":\"X\",\"pid\":" CPUS ",\"tid\":");
	to = decimal_put(to, interval->cpu);
	to = literal_put(to, ",\"ts\":");
	to = time_put(to, interval->begin);
	to = literal_put(to, ",\"dur\":");
	to = time_put(to, interval->end - interval->begin);
	to = literal_put(to, ",\"cat\":\"cpu\",\"name\":");
	if (interval->use == BCOSLOG_USE_PROCESS && interval->process) {
		to = name_put(chrome, to, interval->process->name, interval->process->name_length);
		to = literal_put(to, ",\"args\":{\"process\":");
		to = decimal_put(to, interval->process->id);
		to = literal_put(to, "}}");
	} else if (interval->use == BCOSLOG_USE_KERNEL) {
		to = literal_put(to, "\"kernel\",\"args\":{\"process\":0}}");
	} else {
		to = literal_put(to, "\"unknown\"}");
	}
	outfile_commit(chrome->file, (size_t)(to - chrome->begun));
}

static void transfer(void *context, const struct bcoslog_account_device *device, bool output, __u64 time, __u32 bytes)
{
	struct chrome *chrome = context;

	begin_event(chrome);
	put(chrome, "\"ph\":\"C\",\"pid\":" DEVICES);
	put_number(chrome, ",\"id\":", device->id);
	put_time(chrome, ",\"ts\":", time);
	put(chrome, ",\"cat\":\"device\",\"name\":");
	json_text(chrome->file, device->name, device->name_length);
	put_number(chrome, output ? ",\"args\":{\"output\":" : ",\"args\":{\"input\":", bytes);
	put(chrome, "}}");
}

static void interrupt(void *context, const struct bcoslog_account_device *device, __u64 time)
{
	struct chrome *chrome = context;

	begin_event(chrome);
	put(chrome, "\"ph\":\"i\",\"s\":\"p\",\"pid\":" DEVICES ",\"tid\":0");
	put_time(chrome, ",\"ts\":", time);
	put(chrome, ",\"cat\":\"IRQ\",\"name\":");
	json_text(chrome->file, device->name, device->name_length);
	put_number(chrome, ",\"args\":{\"device\":", device->id);
	put(chrome, "}}");
}

/* An instant has no duration. Its name is the text of the event, else the name of its type. */
static void put_instant(struct chrome *chrome, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	size_t length = 0;
	const char *text = bcoslog_text(entry, &length), *subject = bcoslog_subject(entry->type);
	bool generic = bcoslog_is_generic(entry->type);

	begin_event(chrome);
	put(chrome, "\"ph\":\"i\",\"s\":\"g\",\"pid\":" CPUS ",\"tid\":0");
	put_time(chrome, ",\"ts\":", entry->time);
	put(chrome, ",\"cat\":");
	json_text(chrome->file, bcoslog_type_name(entry->type), strlen(bcoslog_type_name(entry->type)));
	put(chrome, ",\"name\":");
	if (!length) {
		text = bcoslog_type_name(entry->type);
		length = strlen(text);
	}
	json_text(chrome->file, text, length);
	put(chrome, ",\"args\":{");
	json_text(chrome->file, subject, strlen(subject));
	put_number(chrome, ":", entry->source);
	if (generic) {
		put_number(chrome, ",\"id\":", event->event_id);
		put_number(chrome, ",\"severity\":", entry->size > 24 ? event->severity : 0);
	}
	put(chrome, "}}");
}

static int chrome_begin(struct export *export)
{
	struct chrome *chrome = calloc(1, sizeof(*chrome));
	struct bcoslog_account_options options = {
		.context = chrome, .interval = interval, .transfer = transfer, .interrupt = interrupt,
	};

	export->own = chrome;
	if (chrome)
		chrome->account = bcoslog_account_new(&options);
	if (!chrome || !chrome->account) {
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

	if (bcoslog_account_entry(chrome->account, entry)) {
		complain("no memory for the names in %s", export->path);
		return -ENOMEM;
	}
	switch (entry->type) {
	case BCOS_CPU_ONLINE:
	case BCOS_CPU_OFFLINE:
	case BCOS_CORE_ONLINE:
	case BCOS_CORE_OFFLINE:
	case BCOS_SET_PROCESS_NAME:
	case BCOS_CANCEL_PROCESS_NAME:
	case BCOS_SET_DEVICE_NAME:
	case BCOS_CANCEL_DEVICE_NAME:
		put_instant(chrome, entry);
		return 0;
	default:
		if (bcoslog_is_generic(entry->type))
			put_instant(chrome, entry);
		return 0;
	}
}

static int chrome_end(struct export *export)
{
	struct chrome *chrome = export->own;
	const struct bcoslog_account_cpu *cpu = NULL;

	bcoslog_account_end(chrome->account);
	while ((cpu = bcoslog_account_next_cpu(chrome->account, cpu))) {
		begin_event(chrome);
		put_number(chrome, "\"ph\":\"M\",\"pid\":" CPUS ",\"tid\":", cpu->id);
		put_number(chrome, ",\"name\":\"thread_name\",\"args\":{\"name\":\"CPU ", cpu->id);
		put(chrome, "\"}}");
	}
	put(chrome, "\n]}\n");
	return 0;
}

static void chrome_free(struct export *export)
{
	struct chrome *chrome = export->own;

	if (chrome)
		bcoslog_account_free(chrome->account);
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
