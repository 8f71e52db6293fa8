// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The machines and boots of a recorded directory: see boots.h. */
#include <stdlib.h>
#include <time.h>

#include "bcoslog_archive.h"
#include "boots.h"
#include "output/object.h"

#define SECOND 1000000000ull

static struct {
	const char *machine;
	const char *boot;		/* as the user wrote it */
	long number;			/* of a boot: above 0 from the oldest on, else back from the latest */
	bool numbered;
} chosen;

int take_machine(void *context, const char *text)
{
	(void)context;
	chosen.machine = text;
	if (*text)
		return 0;
	complain("--machine takes the name of a host, and this is empty");
	return -1;
}

int take_boot(void *context, const char *text)
{
	char *end;

	(void)context;
	chosen.boot = text;
	/* The ID of a boot has dashes, and is longer than any number. */
	if (strlen(text) >= 36)
		return 0;
	errno = 0;
	chosen.number = strtol(text, &end, 10);
	chosen.numbered = true;
	if (*text && !*end && !errno)
		return 0;
	complain("--boot takes 0 (the latest boot), -1 (the one before it), 1 (the oldest one), or the ID of a boot, as "
		 "bcoslog status --boots has them, not \"%s\"", text);
	return -1;
}

bool boots_are_chosen(void)
{
	return chosen.machine || chosen.boot;
}

/* The boots of the machine that is read. */
static long count_boots(struct bcoslog *log)
{
	struct bcoslog_boot boot = { .size = sizeof(boot) };
	long count = 0;
	u32 i;

	for (i = 0; bcoslog_boot(log, i, &boot) > 0; i++)
		count += boot.flags & BCOSLOG_BOOT_READ;
	return count;
}

/* @boot: out: the one that @number means.  Return: is there one? */
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

static int choose_boot(struct bcoslog *log, const char *path)
{
	const char *id = chosen.boot;
	struct bcoslog_boot boot;

	if (chosen.numbered) {
		if (!find_boot(log, chosen.number, &boot)) {
			complain("%s has no boot %s: it has %ld, which bcoslog status --boots tells of", path, chosen.boot,
				 count_boots(log));
			return -1;
		}
		if (!boot.boot[0]) {
			complain("the log does not state the ID of boot %s, by which it is chosen: name a time instead "
				 "(--since, --until)", chosen.boot);
			return -1;
		}
		id = boot.boot;
	}
	if (!bcoslog_set_boot(log, id))
		return 0;
	complain("%s", bcoslog_error(log)->text);
	return -1;
}

int boots_choose(struct bcoslog *log, const char *path)
{
	if (!boots_are_chosen())
		return 0;
	if (bcoslog_kind(log) != BCOSLOG_RECORDING) {
		complain("%s is no recorded directory, of which --machine and --boot choose a part: leave them out, or name one",
			 path);
		return -1;
	}
	if (chosen.machine && bcoslog_set_machine(log, chosen.machine)) {
		complain("%s", bcoslog_error(log)->text);
		return -1;
	}
	return chosen.boot ? choose_boot(log, path) : 0;
}

/* ---- the list ------------------------------------------------------------------ */

/* In the zone of the reader. */
static void put_wall(const struct bcoslog_wall *at, u64 time)
{
	time_t seconds = (time_t)(bcoslog_wall_time(at, time) / SECOND);
	char text[32] = "?";
	struct tm parts;

	if (at->utc)
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", localtime_r(&seconds, &parts));
	output_format("  %-19s", text);
}

static void put_line(const struct bcoslog_boot *boot, long number)
{
	output_format("%-16s %4ld  %-36s", boot->host[0] ? boot->host : "?", number, boot->boot[0] ? boot->boot : "?");
	put_wall(&boot->begin, boot->first);
	put_wall(&boot->end, boot->last);
	output_format("  %12llu  %6llu  %llu\n", (unsigned long long)boot->entries, (unsigned long long)boot->losses,
		      (unsigned long long)boot->stored);
}

static int put_object(const struct bcoslog_boot *boot, long number)
{
	struct object object = { .json = json_object() };

	object_text(&object, "machine", boot->host, strlen(boot->host));
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
	return object_print(&object, "a boot");
}

/* So many boots of a machine come after the one at @index. */
static long boots_after(struct bcoslog *log, u32 index, const char *host)
{
	struct bcoslog_boot boot = { .size = sizeof(boot) };
	long count = 0;

	while (bcoslog_boot(log, ++index, &boot) > 0 && !strcmp(boot.host, host))
		count++;
	return count;
}

int boots_list(struct bcoslog *log, const char *path, bool json)
{
	struct bcoslog_boot boot = { .size = sizeof(boot) };
	long number;
	u32 i;

	if (bcoslog_kind(log) != BCOSLOG_RECORDING) {
		complain("%s is no recorded directory, whose boots --boots lists: name one", path);
		return EXIT_ENVIRONMENT;
	}
	if (!json)
		output_format("%-16s boot  %-36s  %-19s  %-19s  %12s  %6s  bytes\n", "machine", "ID", "from", "to", "entries", "losses");
	for (i = 0; bcoslog_boot(log, i, &boot) > 0; i++) {
		number = -boots_after(log, i, boot.host);
		if (!json)
			put_line(&boot, number);
		else if (put_object(&boot, number))
			return EXIT_ENVIRONMENT;
	}
	return EXIT_OK;
}
