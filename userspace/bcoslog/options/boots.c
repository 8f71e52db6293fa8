// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Machines and boots of a recorded directory: see boots.h. */
#include <stdlib.h>
#include <time.h>

#include "archive/read/archive.h"
#include "boots.h"
#include "command.h"
#include "archive/recording.h"
#include "entry/escape.h"
#include "complain/complain.h"
#include "output/object.h"
#include "output/output.h"

#define SECOND 1000000000ull

int boots_take_machine(struct boot_choice *chosen, const char *text)
{
	chosen->machine = text;
	if (*text)
		return 0;
	complain("--machine takes the name or the ID of a machine, and this is empty");
	return -1;
}

int boots_take_boot(struct boot_choice *chosen, const char *text)
{
	char *end;

	chosen->boot = text;
	/* The ID of a boot has dashes, and is longer than any number. */
	if (strlen(text) >= 36)
		return 0;
	errno = 0;
	chosen->number = strtol(text, &end, 10);
	chosen->numbered = true;
	if (*text && !*end && !errno)
		return 0;
	complain("--boot takes 0 (the latest boot), -1 (the one before it), 1 (the oldest one), or the ID of a boot, as "
		 "bcoslog status --boots lists them, not \"%s\"", text);
	return -1;
}

bool boots_are_chosen(const struct boot_choice *chosen)
{
	return chosen->machine || chosen->boot;
}

/* Return: the number of boots of the machine that is read. */
static long count_boots(struct bcoslog *log)
{
	struct bcoslog_boot boot = { .size = sizeof(boot) };
	long count = 0;
	u32 i;

	for (i = 0; bcoslog_boot(log, i, &boot) > 0; i++)
		count += boot.flags & BCOSLOG_BOOT_READ;
	return count;
}

/* Gets the boot that @number means.  Return: whether there is one. */
static bool find_boot(struct bcoslog *log, long number, struct bcoslog_boot *boot)
{
	long count = count_boots(log), wanted = number > 0 ? number - 1 : count - 1 + number;
	u32 i;

	boot->size = sizeof(*boot);
	for (i = 0; wanted >= 0 && bcoslog_boot(log, i, boot) > 0; i++)
		if (boot->flags & BCOSLOG_BOOT_READ && !wanted--)
			return true;
	return false;
}

static int choose_boot(const struct boot_choice *chosen, struct bcoslog *log, const char *path)
{
	const char *id = chosen->boot;
	struct bcoslog_boot boot;

	if (chosen->numbered) {
		if (!find_boot(log, chosen->number, &boot)) {
			complain("%s has no boot %s: it has %ld, which bcoslog status --boots lists", path, chosen->boot,
				 count_boots(log));
			return -1;
		}
		if (!boot.boot[0]) {
			complain("the log does not state the ID of boot %s, by which it is chosen: name a time instead "
				 "(--since, --until)", chosen->boot);
			return -1;
		}
		id = boot.boot;
	}
	if (!bcoslog_set_boot(log, id))
		return 0;
	complain("%s", bcoslog_error(log)->text);
	return -1;
}

bool boots_get(struct bcoslog *log, u32 index, struct boot *boot)
{
	boot->about.size = sizeof(boot->about);
	boot->index = index;
	return bcoslog_boot(log, index, &boot->about) > 0 && bcoslog_boot_machine(log, index, boot->machine) > 0;
}

bool boots_same_machine(const struct boot *one, const struct boot *other)
{
	return !strcmp(one->about.host, other->about.host) && !strcmp(one->machine, other->machine);
}

/* Lists the names of the machines in @text. The boots of a machine are adjacent.  Return: the number of machines. */
static u32 name_machines(struct bcoslog *log, char *text, size_t room)
{
	struct boot boot, before;
	u32 count = 0, i;
	size_t used = 0;

	*text = 0;
	for (i = 0; boots_get(log, i, &boot); before = boot, i++) {
		if (i && boots_same_machine(&boot, &before))
			continue;
		count++;
		if (used < room)
			used += (size_t)snprintf(text + used, room - used, "%s%s%s%.8s%s", used ? ", " : "",
						 boot.about.host[0] ? boot.about.host : "?",
						 boot.machine[0] ? " (" : "", boot.machine, boot.machine[0] ? ")" : "");
	}
	return count;
}

/* Is this machine the one whose boots are read? */
static bool reads_this_machine(struct bcoslog *log)
{
	struct archive_machine own, other;
	struct boot boot;
	u32 i;

	archive_this_machine(&own);
	for (i = 0; boots_get(log, i, &boot); i++) {
		if (!(boot.about.flags & BCOSLOG_BOOT_READ))
			continue;
		memset(&other, 0, sizeof(other));
		memcpy(other.host, boot.about.host, ARCHIVE_HOST);
		archive_id_get(other.id, boot.machine, strlen(boot.machine));
		return archive_is_machine(&own, &other);
	}
	return false;
}

bool boots_are_several(const struct boot_choice *chosen, struct bcoslog *log)
{
	char names[8];

	return bcoslog_kind(log) == BCOSLOG_RECORDING && !boots_are_chosen(chosen) && !reads_this_machine(log) &&
	       name_machines(log, names, sizeof(names)) > 1;
}

void boots_choose_machine(struct boot_choice *chosen, const struct boot *boot)
{
	chosen->machine = boot->machine[0] ? boot->machine : boot->about.host;
}

/* Return: 0 if it is clear whose log is read, or -1 after a complaint that asks for --machine. */
static int ask_for_machine(struct bcoslog *log, const char *path, bool follow)
{
	char names[256];

	if (bcoslog_kind(log) != BCOSLOG_RECORDING || reads_this_machine(log) ||
	    name_machines(log, names, sizeof(names)) < 2)
		return 0;
	complain(follow ?
		 "%s has logs of several machines, %s, of which only one can be followed: choose it by --machine" :
		 "%s has logs of several machines, %s: choose one of them by --machine", path, names);
	return -1;
}

int boots_choose(const struct boot_choice *chosen, struct bcoslog *log, const char *path, bool follow)
{
	if (!chosen->machine && ask_for_machine(log, path, follow))
		return -1;
	if (!boots_are_chosen(chosen))
		return 0;
	if (bcoslog_kind(log) != BCOSLOG_RECORDING) {
		complain("%s is no recorded directory, of which --machine and --boot choose a part: leave them out, or name one",
			 path);
		return -1;
	}
	if (chosen->machine && bcoslog_set_machine(log, chosen->machine)) {
		complain("%s", bcoslog_error(log)->text);
		return -1;
	}
	return chosen->boot ? choose_boot(chosen, log, path) : 0;
}

/* ---- the list ------------------------------------------------------------------ */

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

int boots_list(struct bcoslog *log, const char *path, bool json)
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
	listed = collect_boots(log, &count);
	if (!listed) {
		complain("no memory for the boots in %s", path);
		return EXIT_ENVIRONMENT;
	}
	if (!json)
		output_format("%-16s its ID   boot  %-36s  %-19s  %-19s  %12s  %6s  %10s  its end\n", "machine", "ID", "from",
			      "to", "entries", "losses", "bytes");
	for (i = 0; i < count && !r; i++) {
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
