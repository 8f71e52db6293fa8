// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The choice of a machine and a boot of a recorded directory: see boots.h. */
#include "archive/read/archive.h"
#include "archive/recording.h"
#include "boots.h"
#include "complain/complain.h"

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

/* The boots of a machine are adjacent. */
u32 boots_machines(struct bcoslog *log, char *text, size_t room)
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

bool boots_are_own(struct bcoslog *log)
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

	return bcoslog_kind(log) == BCOSLOG_RECORDING && !boots_are_chosen(chosen) && !boots_are_own(log) &&
	       boots_machines(log, names, sizeof(names)) > 1;
}

void boots_choose_machine(struct boot_choice *chosen, const struct boot *boot)
{
	chosen->machine = boot->machine[0] ? boot->machine : boot->about.host;
}

/* Return: 0 if it is clear whose log is read, or -1 after a complaint that asks for --machine. */
static int ask_for_machine(struct bcoslog *log, const char *path, bool follow)
{
	char names[256];

	if (bcoslog_kind(log) != BCOSLOG_RECORDING || boots_are_own(log) ||
	    boots_machines(log, names, sizeof(names)) < 2)
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
