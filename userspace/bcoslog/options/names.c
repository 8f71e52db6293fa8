// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Processes and devices that users name: see names.h. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "bcoslog.h"
#include "names.h"
#include "number.h"
#include "complain/complain.h"

/* The greatest number of IDs that a complaint lists. */
#define LISTED 8

struct found {
	u32 ids[LISTED];
	size_t count;			/* includes those that exceed LISTED */
};

bool is_number(const char *text)
{
	return text[0] >= '0' && text[0] <= '9' && !text[strspn(text, "0123456789abcdefABCDEFxX")];
}

static void add_found(struct found *found, u32 id)
{
	if (found->count < LISTED)
		found->ids[found->count] = id;
	found->count++;
}

/* Takes the ID if one was found.  Return: 0, or -1 after a complaint that none was found, or that lists several. */
static int the_one(const struct found *found, const char *what, const char *text, const char *format, u32 *id)
{
	char list[LISTED * 16] = "";
	size_t i, used = 0;

	if (found->count == 1) {
		*id = found->ids[0];
		return 0;
	}
	for (i = 0; i < found->count && i < LISTED; i++) {
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s", i ? ", " : "");
		used += (size_t)snprintf(list + used, sizeof(list) - used, format, found->ids[i]);
	}
	if (!found->count)
		complain("there is no %s \"%s\" now", what, text);
	else
		complain("there are several with the name \"%s\" (%s %s%s): give the number", text, what, list,
			 found->count > LISTED ? " and more" : "");
	return -1;
}

static bool is_device_type(u16 type)
{
	return (type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE;
}

static bool has_name(const struct bcoslog_state *state, const char *text, bool device, u32 id)
{
	const struct bcoslog_process *process = device ? NULL : bcoslog_process(state, id);
	const struct bcoslog_device *driven = device ? bcoslog_device(state, id) : NULL;

	return (process && process->name_length == strlen(text) &&
		!memcmp(process->name, text, process->name_length)) ||
	       (driven && driven->name_length == strlen(text) && !memcmp(driven->name, text, driven->name_length));
}

/*
 * Reads the log to its end into @state, and adds the processes or devices that have the name @text then to @found.
 * Only those whose name was @text after one of their entries can have it, so no other is looked at.
 */
static int read_names(struct bcoslog *log, const char *path, struct bcoslog_state *state, const char *text, bool device,
		      struct found *found)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	u32 *ids = NULL, *larger;
	size_t count = 0, room = 0, i;
	int r;

	while ((r = bcoslog_batch(log, &batch)) > 0) {
		bcoslog_each(entry, &batch) {
			if (bcoslog_state_apply(state, entry))
				goto no_memory;
			if (is_device_type(entry->type) != device || !has_name(state, text, device, entry->source))
				continue;
			for (i = 0; i < count && ids[i] != entry->source; i++)
				;
			if (i < count)
				continue;
			if (count == room) {
				larger = reallocarray(ids, 2 * room + 64, sizeof(*ids));
				if (!larger)
					goto no_memory;
				ids = larger;
				room = 2 * room + 64;
			}
			ids[count++] = entry->source;
		}
	}
	for (i = 0; i < count; i++)
		if (has_name(state, text, device, ids[i]))
			add_found(found, ids[i]);
	free(ids);
	if (r < 0)
		complain("%s", bcoslog_error(log)->text);
	return r;
no_memory:
	free(ids);
	complain("no memory for the names in %s", path);
	return -ENOMEM;
}

static int find_named(struct bcoslog *log, const char *path, const char *text, bool device, bool need, u32 *id)
{
	struct bcoslog_state *state;
	struct found found = { 0 };
	u64 number;
	int r = 0;

	if (is_number(text)) {
		if (parse_number(device ? "--device" : "--process", text, device ? 0xFFFFFFFF : 0x7FFFFFFF, &number))
			return -1;
		*id = (u32)number;
		if (!need)
			return 0;
	}
	state = bcoslog_state_new();
	if (!state) {
		complain("no memory");
		return -1;
	}
	if (read_names(log, path, state, text, device, &found)) {
		r = -1;
	} else if (!is_number(text)) {
		r = the_one(&found, device ? "device" : "process", text, device ? "0x%08x" : "%u", id);
	} else if (!bcoslog_process(state, *id)) {
		complain("there is no process %u now", *id);
		r = -1;
	}
	bcoslog_state_free(state);
	return r;
}

int named_process(struct bcoslog *log, const char *path, const char *text, bool need, u32 *id)
{
	return find_named(log, path, text, false, need, id);
}

int named_device(struct bcoslog *log, const char *path, const char *text, u32 *id)
{
	return find_named(log, path, text, true, false, id);
}

/* Reads the name of the process from /proc.  Return: the length of the name, or 0 if there is no such process. */
static size_t name_of(const char *id, char *name, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", id);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, name, size);
	if (fd >= 0)
		close(fd);
	return n > 0 ? (size_t)n - (name[n - 1] == '\n') : 0;
}

int running_process(const char *option, const char *text, u32 *id)
{
	struct found found = { 0 };
	struct dirent *entry;
	char name[64], path[32];
	u64 number;
	DIR *proc;

	if (is_number(text)) {
		if (parse_number(option, text, 4194304, &number))
			return -1;
		*id = (u32)number;
		snprintf(path, sizeof(path), "/proc/%u", *id);
		if (*id && !access(path, F_OK))
			return 0;
		complain("there is no process %u now", *id);
		return -1;
	}
	proc = opendir("/proc");
	while (proc && (entry = readdir(proc)))
		if (is_number(entry->d_name) && name_of(entry->d_name, name, sizeof(name)) == strlen(text) &&
		    !memcmp(name, text, strlen(text)))
			add_found(&found, (u32)strtoul(entry->d_name, NULL, 10));
	if (proc)
		closedir(proc);
	return the_one(&found, "process", text, "%u", id);
}
