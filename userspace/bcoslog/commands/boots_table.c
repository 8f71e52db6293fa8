// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of the boots of a recorded directory: see commands.h. */
#include <stdlib.h>
#include <time.h>

#include "command.h"
#include "commands.h"
#include "complain/complain.h"
#include "entry/text.h"
#include "log/boots.h"
#include "output/object.h"
#include "output/output.h"

#define SECOND 1000000000ull

/* Puts a time of the wall clock in this machine's time zone. */
static void put_wall(const struct bcoslog_wall *at, u64 time)
{
	time_t seconds = (time_t)(bcoslog_wall_time(at, time) / SECOND);
	char text[32] = "?";
	struct tm parts;

	if (at->utc)
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", localtime_r(&seconds, &parts));
	output_format("  %-19s", text);
}

/* @ended is NULL if the end of the boot cannot be read, and empty if the log does not state it. */
static void put_line(const struct boot *boot, long number, const char *ended)
{
	const struct bcoslog_boot *about = &boot->about;
	char host[ESCAPE_MAX * sizeof(about->host)], id[ESCAPE_MAX * sizeof(about->boot)];
	char end[ESCAPE_MAX * BOOT_END_TEXT];

	/* The log states these texts, and whoever wrote it chose them. */
	escape_sentence(host, sizeof(host), about->host);
	escape_sentence(end, sizeof(end), ended ? *ended ? ended : "-" : "?");
	escape_sentence(id, sizeof(id), about->boot);
	output_format("%-16s %-8.8s %4ld  %-36s", *host ? host : "?", boot->machine[0] ? boot->machine : "?", number,
		      *id ? id : "?");
	put_wall(&about->begin, about->first);
	put_wall(&about->end, about->last);
	output_format("  %12llu  %6llu  %10llu  %s\n", (unsigned long long)about->entries, (unsigned long long)about->losses,
		      (unsigned long long)about->stored, end);
}

static int put_object(const struct boot *listed, long number, const char *ended)
{
	const struct bcoslog_boot *boot = &listed->about;
	struct object object = { .json = json_object() };

	object_text(&object, "machine", boot->host, strlen(boot->host));
	object_text(&object, "machine_id", listed->machine, strlen(listed->machine));
	object_add(&object, "number", json_integer(number));
	object_text(&object, "boot", boot->boot, strlen(boot->boot));
	object_number(&object, "first", boot->first);
	object_number(&object, "last", boot->last);
	object_number(&object, "first_wall", boot->begin.utc ? bcoslog_wall_time(&boot->begin, boot->first) : 0);
	object_number(&object, "last_wall", boot->end.utc ? bcoslog_wall_time(&boot->end, boot->last) : 0);
	object_number(&object, "files", boot->files);
	object_number(&object, "entries", boot->entries);
	object_number(&object, "losses", boot->losses);
	object_number(&object, "stored", boot->stored);
	object_number(&object, "raw", boot->raw);
	object_add(&object, "read", json_boolean(boot->flags & BCOSLOG_BOOT_READ));
	object_word(&object, "ended", ended && *ended ? ended : NULL);
	return object_print(&object, "a boot");
}

/* A boot and its number: 0 is the latest boot of its machine, -1 the one before that. */
struct listed {
	struct boot boot;
	long number;
};

/* Return: the wall clock at the begin of the boot; 0 if it is unknown, which puts the boot first. */
static u64 first_wall(const struct bcoslog_boot *boot)
{
	return boot->begin.utc ? bcoslog_wall_time(&boot->begin, boot->first) : 0;
}

static int by_wall(const void *a, const void *b)
{
	const struct bcoslog_boot *one = &((const struct listed *)a)->boot.about;
	const struct bcoslog_boot *other = &((const struct listed *)b)->boot.about;
	u64 first = first_wall(one), second = first_wall(other);

	if (first != second)
		return first < second ? -1 : 1;
	return strcmp(one->host, other->host);
}

/* Return: all boots in order of the wall clock, and their number in @count; NULL if there is no memory. */
static struct listed *collect_boots(struct bcoslog *log, u32 *count)
{
	struct listed *listed;
	struct boot boot;
	u32 i;

	for (*count = 0; boots_get(log, *count, &boot); ++*count)
		;
	listed = calloc(*count + 1, sizeof(*listed));
	if (!listed)
		return NULL;
	for (i = *count; i; i--) {
		boots_get(log, i - 1, &listed[i - 1].boot);
		if (i < *count && boots_same_machine(&listed[i - 1].boot, &listed[i].boot))
			listed[i - 1].number = listed[i].number - 1;
	}
	qsort(listed, *count, sizeof(*listed), by_wall);
	return listed;
}

int boots_list(const struct boot_choice *chosen, struct bcoslog *log, const char *path, bool json)
{
	char ended[BOOT_END_TEXT];
	struct listed *listed;
	u32 count, i;
	bool known;
	int r = 0;

	if (bcoslog_kind(log) != BCOSLOG_RECORDING) {
		complain("%s is no recorded directory, whose boots --boots lists: name one", path);
		return EXIT_ENVIRONMENT;
	}
	if (boots_are_chosen(chosen) && boots_choose(chosen, log, path, false))
		return EXIT_ENVIRONMENT;
	listed = collect_boots(log, &count);
	if (!listed) {
		complain("no memory for the boots in %s", path);
		return EXIT_ENVIRONMENT;
	}
	if (!json)
		output_format("%-16s its ID   boot  %-36s  %-19s  %-19s  %12s  %6s  %10s  its end\n", "machine", "ID", "from",
			      "to", "entries", "losses", "bytes");
	for (i = 0; i < count && !r; i++) {
		if (boots_are_chosen(chosen) && !(listed[i].boot.about.flags & BCOSLOG_BOOT_READ))
			continue;
		/* The pass over a boot complains of a frame that cannot be read. */
		known = bcoslog_boot_end(log, listed[i].boot.index, ended) > 0;
		if (json)
			r = put_object(&listed[i].boot, listed[i].number, known ? ended : NULL);
		else
			put_line(&listed[i].boot, listed[i].number, known ? ended : NULL);
	}
	free(listed);
	return r ? EXIT_ENVIRONMENT : EXIT_OK;
}
