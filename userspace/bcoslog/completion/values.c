// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints candidates for values of options: names that this machine, the format of the log and the tool have. */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "bcoslog.h"
#include "completion.h"
#include "core/format/entry.h"
#include "reader/reader.h"
#include "libexec/libexec.h"

struct tool completed_tool;

/* Can the name be typed into a shell unquoted? Users choose the names of processes freely. */
static bool is_safe_name(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name <= ' ' || *name == 0x7f || strchr("'\"\\$`!*?[](){}<>|&;", *name))
			return false;
	return true;
}

static bool read_name(const char *path, char *name, size_t size)
{
	FILE *file = fopen(path, "re");
	bool ok = file && fgets(name, (int)size, file);

	if (file)
		fclose(file);
	if (ok)
		name[strcspn(name, "\n")] = '\0';
	return ok && name[0] && is_safe_name(name);
}

#define NAMES 4096

struct name {
	char text[32];
	char about[32];
};

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

/* Prints each name once. If several things have the name, the description says how many. */
static void candidates_of(struct name *names, size_t count)
{
	size_t i, same;

	qsort(names, count, sizeof(*names), by_text);
	for (i = 0; i < count; i += same) {
		for (same = 1; i + same < count && !strcmp(names[i].text, names[i + same].text); same++)
			;
		if (same > 1 && names[i].about[0])
			snprintf(names[i].about, sizeof(names[i].about), "%zu of them", same);
		candidate(names[i].text, names[i].about);
	}
}

/* Prints the processes of this machine by name, or by number if the typed text begins with a digit. */
static void complete_processes(void)
{
	static struct name names[NAMES];
	bool by_number = isdigit((unsigned char)typed[0]);
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	char path[300], name[32];
	size_t count = 0;

	while (folder && count < NAMES && (entry = readdir(folder))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		if (!read_name(path, name, sizeof(name)))
			continue;
		snprintf(names[count].text, sizeof(names[count].text), "%.31s", by_number ? entry->d_name : name);
		snprintf(names[count].about, sizeof(names[count].about), "%.31s", by_number ? name : entry->d_name);
		count++;
	}
	if (folder)
		closedir(folder);
	candidates_of(names, count);
}

static void names_in(const char *path, const char *about)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (entry->d_name[0] != '.' && is_safe_name(entry->d_name))
			candidate(entry->d_name, about);
	if (folder)
		closedir(folder);
}

/* Prints the devices of the log if it may be read, else those of the kernel's folders. */
static void complete_devices(void)
{
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	static struct name names[NAMES];
	size_t count = 0, length;
	struct bcoslog *log;
	const char *text;

	if (helper_open(&log, BCOS_DEVICE_PATH, 0, &error)) {
		names_in("/sys/block", "disk");
		names_in("/sys/class/net", "network interface");
		return;
	}
	while (count < NAMES && bcoslog_next(log, &entry) > 0) {
		text = bcoslog_text(entry, &length);
		if ((entry->type & ~BCOS_TYPE_HISTORICAL) != BCOS_SET_DEVICE_NAME || !text)
			continue;
		snprintf(names[count].text, sizeof(names[count].text), "%.*s", (int)(length > 31 ? 31 : length), text);
		count += length < 32 && is_safe_name(names[count].text);
	}
	/* Each group of the log has each device: candidates_of() prints it once. */
	candidates_of(names, count);
	bcoslog_close(log);
}

static void complete_classes(void)
{
	static const char *const sets[] = { "all", "none", "default" };
	const char *name;
	unsigned int bit;

	for (bit = 0; (name = bcoslog_class(bit)); bit++)
		candidate_of_list(name, NULL);
	for (bit = 0; bit < sizeof(sets) / sizeof(sets[0]); bit++)
		candidate_of_list(sets[bit], NULL);
}

/* Prints the classes with + or - before them, as the command mask takes them. */
static void complete_changes(void)
{
	const char *name;
	unsigned int bit;
	char text[64];

	for (bit = 0; (name = bcoslog_class(bit)); bit++) {
		snprintf(text, sizeof(text), "+%s", name);
		candidate(text, "record it");
		snprintf(text, sizeof(text), "-%s", name);
		candidate(text, "no longer record it");
	}
	/* They also end a list that begins with a plus or minus. */
	if (typed[0])
		complete_classes();
}

/* Prints the types of entries in small letters with hyphens: "Assign CPU" is assign-cpu. */
static void complete_types(void)
{
	const char *name;
	char text[64];
	size_t at;
	int i;

	for (i = 0; i < BCOS_TYPES; i++) {
		name = bcos_types[i].name;
		if (bcos_types[i].type & BCOS_TYPE_HISTORICAL)
			continue;
		snprintf(text, sizeof(text), "%s", name);
		for (at = 0; text[at]; at++)
			text[at] = text[at] == ' ' ? '-' : (char)tolower((unsigned char)text[at]);
		candidate(text, name);
	}
}

static void complete_cpus(void)
{
	long cpu, end = sysconf(_SC_NPROCESSORS_CONF);
	char text[32];

	for (cpu = 0; cpu < end && cpu < 4096; cpu++) {
		snprintf(text, sizeof(text), "%ld", cpu);
		candidate(text, NULL);
	}
}

static void words_of(const char *words)
{
	char text[32];

	for (; *words; words += strcspn(words, " "), words += strspn(words, " ")) {
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(words, " "), words);
		candidate(text, NULL);
	}
}

static void complete_commands(void)
{
	const struct command *command = NULL;

	while ((command = completed_tool.next(command)))
		candidate(command->name, command->summary);
	candidate("help", "print the list of commands, or the help of one");
}

void complete_value(enum value_kind kind)
{
	static const struct {
		void (*candidates)(void);
		const char *words;
	} kinds[VALUE_KINDS] = {
		[VALUE_PROCESS] = { complete_processes, NULL },
		[VALUE_DEVICE] = { complete_devices, NULL },
		[VALUE_CPU] = { complete_cpus, NULL },
		[VALUE_TYPE] = { complete_types, NULL },
		[VALUE_CLASSES] = { complete_classes, NULL },
		[VALUE_CHANGE] = { complete_changes, NULL },
		[VALUE_COMMAND] = { complete_commands, NULL },
		[VALUE_ABILITY] = { NULL, "module bpf read record" },
		[VALUE_SUBJECT] = { NULL, "process core cpu device" },
		[VALUE_CLOCK] = { NULL, "boot wall relative delta" },
		[VALUE_SEVERITY] = { NULL, "debug info warning error critical" },
		[VALUE_ENGINE] = { NULL, "auto module bpf" },
	};

	if (kinds[kind].candidates)
		kinds[kind].candidates();
	else if (kinds[kind].words)
		words_of(kinds[kind].words);
}
