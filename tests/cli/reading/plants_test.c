// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * "bcoslog check" catches what it is there for. A valid log (valid_log.h) passes. Then this test plants one violation
 * after another in the log. Each time the check has to name the right rule at the right byte, perhaps among others, and
 * to exit with 1. Whatever is planted, the account of the log adds up.
 *
 * The tool is $BCOSLOG, else $BUILD/bcoslog.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "valid_log.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NAME_AT offsetof(struct bcos_process_name, name)
#define DEVICE_NAME_AT offsetof(struct bcos_device_name, name)
#define BODY sizeof(struct bcos_entry)
#define SOURCE offsetof(struct bcos_entry, source)
#define SIZE offsetof(struct bcos_entry, size)
#define TYPE offsetof(struct bcos_entry, type)
#define TIME offsetof(struct bcos_entry, time)

/* ---- what is planted --------------------------------------------------------- */

enum operation {
	NOTHING,
	SET8,		/* writes @value at the offset @to of the entry */
	SET16,
	SET32,
	SET64,
	REMOVE,		/* removes the entry */
	REMOVE_UNTIL,	/* removes the entry and those after it, up to the one before @to */
	MOVE,		/* moves the entry to after the entry @to */
	REPEAT,		/* repeats the entry after the entry @to */
	RESIZE,		/* gives the entry @value bytes */
	NAME,		/* gives the entry a name of @to bytes, each of which is @value */
	CUT,		/* ends the log @value bytes into the entry */
	ZEROS,		/* puts @value zeros after the body of the entry */
};

struct plant {
	const char *rule;	/* NULL: no violation; UNUSUAL: no violation either, but the check mentions it */
	const char *what;
	enum label at;
	enum label reported;	/* the entry whose offset is reported */
	enum operation operation;
	size_t to;
	uint64_t value;
};

/* The fault is planted in this entry, and reported there. */
#define HERE(at) (at), (at)

#define UNUSUAL "unusual"

static const struct plant plants[] = {
	/* Structure. */
	{ "truncated", "the last entry is cut in its header", HERE(LAST), CUT, 0, 7 },
	{ "truncated", "the last entry is cut in its body", HERE(LAST), CUT, 0, 21 },
	{ "bad-size", "a size below that of the header", HERE(ASSIGN), SET16, SIZE, 16 },
	{ "bad-size", "a size of 0", HERE(ASSIGN), SET16, SIZE, 0 },
	{ "bad-size", "a size beyond the log's end", HERE(ASSIGN), SET16, SIZE, 65000 },
	{ "bad-length", "a generic event without an ID", HERE(EVENT), RESIZE, 0, 20 },
	{ "bad-length", "a fixed entry that is too short", HERE(DEATH), RESIZE, 0, 20 },
	{ "bad-text", "a name with a byte that is never UTF-8", HERE(RENAME), SET8, NAME_AT, 0xFF },
	{ "bad-text", "a text with a lone continuation byte", HERE(EVENT), SET8, BCOS_GENERIC_TEXT, 0x80 },
	{ "bad-padding", "padding that is not zero", HERE(BIRTH), SET8, NAME_AT + 3, 'x' },
	/* Groups. */
	{ "no-group", "the log begins without a group", H_CORE, BIRTH, REMOVE_UNTIL, BIRTH, 0 },
	{ "no-group", "the first group begins with its CPUs", H_CORE, H_CPU0, REMOVE, 0, 0 },
	{ "incomplete-group", "the first group is cut by the log's end", H_CPU0, H_CORE, CUT, 0, 0 },
	{ "incomplete-group", "a core is missing in a group", G_CORE0, G_CORE1, REMOVE, 0, 0 },
	{ "incomplete-group", "a CPU is missing in a group", G_CPU1, G_CORE0, REMOVE, 0, 0 },
	{ "incomplete-group", "all CPUs are missing in a group", G_CPU0, G_CORE0, REMOVE_UNTIL, G_KERNEL, 0 },
	{ "incomplete-group", "an assignment is missing in a group", G_ASSIGN1, G_CORE0, REMOVE, 0, 0 },
	{ "incomplete-group", "the kernel is missing in the first group", H_KERNEL, H_CORE, SET32, SOURCE, 1 },
	{ "group-order", "a CPU after the processes", G_CPU2, G_CPU2, MOVE, G_SHELL, 0 },
	{ "group-order", "a process after the devices", G_SHELL, G_SHELL, MOVE, G_LINE, 0 },
	{ "group-order", "an assignment outside of a group", G_ASSIGN1, G_ASSIGN1, REPEAT, UNTUN, 0 },
	{ "duplicate", "a process twice in a group", G_INIT, G_INIT, REPEAT, G_INIT, 0 },
	{ "duplicate", "a CPU twice in a group", G_CPU1, G_CPU1, REPEAT, G_CPU1, 0 },
	{ "contradiction", "a group has another name", HERE(G_SHELL), SET8, NAME_AT, 'x' },
	{ "contradiction", "a name that is stated again is another", HERE(STATED), SET8, NAME_AT, 'x' },
	{ "contradiction", "a group has another time of birth", HERE(G_INIT), SET64, TIME, 31 },
	{ "contradiction", "a group has another driver", HERE(G_LINE), SET32, BODY, 100 },
	{ "contradiction", "a group has a CPU in another core", HERE(G_CPU1), SET32, BODY, 1 },
	{ "contradiction", "a group has another assignment", HERE(G_ASSIGN1), SET32, BODY, 100 },
	{ "contradiction", "a group has other estimates", HERE(G_CORE0), SET32, BODY + 4, 1 },
	/* Order. */
	{ "order", "time goes back", HERE(IRQ), SET64, TIME, 1029 },
	{ "order", "time goes back after a group", HERE(LEAVES), SET64, TIME, 1099 },
	{ "history-newer", "history is newer than what follows", HERE(H_ASSIGN1), SET64, TIME, 1001 },
	/* Uses. */
	{ "unnamed-process", "a CPU is assigned to a process before its birth", ASSIGN, ASSIGN, MOVE, H_ASSIGN1, 0 },
	{ "unnamed-process", "a birth is missing", BIRTH, ASSIGN, REMOVE, 0, 0 },
	{ "unnamed-process", "a CPU is assigned to a process after its end", HERE(LAST), SET32, BODY, 200 },
	{ "unnamed-process", "an event of a process that is unnamed", HERE(EVENT), SET32, SOURCE, 201 },
	{ "unnamed-process", "calls of a process that is unnamed", HERE(CALLS), SET32, SOURCE, 201 },
	{ "unnamed-process", "the first group assigns an unnamed process", HERE(H_ASSIGN0), SET32, BODY, 200 },
	{ "unnamed-device", "an interrupt of a device that is unnamed", HERE(IRQ), SET32, SOURCE, OTHER + 1 },
	{ "unnamed-device", "input of a device that is unnamed", HERE(PACKET), SET32, SOURCE, NET + 1 },
	{ "unknown-core", "a CPU comes online in an unknown core", CORE, CPU, REMOVE, 0, 0 },
	{ "unknown-core", "an event of an unknown core", HERE(CORE_EVENT), SET32, SOURCE, 7 },
	{ "unknown-core", "a group has a CPU of an unknown core", HERE(H_CPU1), SET32, BODY, 7 },
	{ "unknown-core", "an unknown core goes offline", HERE(OFFLINE_CORE), SET32, SOURCE, 7 },
	{ "unknown-cpu", "an unknown CPU is assigned", CPU, ASSIGN2, REMOVE, 0, 0 },
	{ "unknown-cpu", "an event of an unknown CPU", HERE(CPU_EVENT), SET32, SOURCE, 7 },
	{ "unknown-cpu", "an unknown CPU goes offline", HERE(OFFLINE2), SET32, SOURCE, 7 },
	{ "unknown-driver", "a device of an unknown driver", HERE(TUN), SET32, BODY, 201 },
	{ "unknown-driver", "a group has a device of an unknown driver", HERE(H_DISK), SET32, BODY, 201 },
	{ "core-in-use", "a core goes offline before its CPU", OFFLINE_CORE, OFFLINE_CORE, MOVE, DEATH, 0 },
	{ "cpu-in-use", "a CPU goes offline with a process on it", HERE(OFFLINE2), SET32, SOURCE, 0 },
	{ "cpu-online-twice", "a CPU comes online twice", CPU, CPU, REPEAT, CPU_EVENT, 0 },
	{ "cancel-unnamed", "a process ends twice", DEATH, DEATH, REPEAT, DEATH, 0 },
	{ "cancel-unnamed", "a process ends that never was", HERE(DEATH), SET32, SOURCE, 201 },
	{ "cancel-unnamed", "a device is cancelled twice", UNTUN, UNTUN, REPEAT, UNTUN, 0 },
	{ "cancel-assigned", "a process ends on a CPU", LEAVES, DEATH, REMOVE, 0, 0 },
	{ "cancel-driver", "a driver ends before its device", UNTUN, DEATH, REMOVE, 0, 0 },
	{ "reserved-process", "a process has the ID that means idle", HERE(RENAME), SET32, SOURCE, BCOS_PROCESS_IDLE },
	{ "reserved-process", "a group names the ID that means idle", HERE(H_INIT), SET32, SOURCE, BCOS_PROCESS_IDLE },
	{ "reserved-event", "a CPU's event has an ID that is reserved", HERE(CPU_EVENT), SET32, BODY, 0x7FFFFFFF },
	{ "reserved-event", "a core's event has an ID that is reserved", HERE(CORE_EVENT), SET32, BODY, 1 },
	{ "reserved-event", "a device's event has an ID that is reserved", HERE(DEVICE_EVENT), SET32, BODY, 5 },
	/* Ends. */
	{ "history-ended", "a group names a process that has ended", G_SHELL, G_SHELL, REPEAT, DEATH, 0 },
	{ "history-ended", "a group names a device that is cancelled", G_NET, G_NET, REPEAT, DEATH, 0 },
	{ "history-ended", "a CPU that is offline is history", G_CPU2, G_CPU2, REPEAT, OFFLINE2, 0 },
	{ "history-ended", "a core that is offline is history", G_CORE1, G_CORE1, REPEAT, OFFLINE_CORE, 0 },
	/* Estimates. */
	{ "short-table", "a core that comes online with a table for none", CORE, CPU, RESIZE, 0, 24 },
	{ "short-table", "a group has a core with a table for one of its CPUs", H_CORE, H_CPU1, RESIZE, 0, 28 },
	{ "short-table", "a core's new table is for one of its CPUs", CORE2, CORE2, RESIZE, 0, 28 },
	/* Times. */
	{ "time-overflow", "an assignment may be later than there is time", HERE(LAST), SET64, TIME, ~0ull },
	{ "time-overflow", "history may be, too", HERE(G_INIT), SET64, TIME, ~0ull },
	/* Bytes that are no entry. */
	{ NULL, "nothing", HERE(H_CORE), NOTHING, 0, 0 },
	{ NULL, "an entry of a reserved type", HERE(CALLS), SET16, TYPE, 0x0123 },
	{ NULL, "a name that is stated again without need", STATED, STATED, REPEAT, DEATH, 0 },
	{ NULL, "the log's end within a later group", HERE(G_SHELL), CUT, 0, 0 },
	{ NULL, "equal times", HERE(RENAME), SET64, TIME, 1010 },
	{ NULL, "an event ID of the log's own", HERE(CPU_EVENT), SET32, BODY, 0x80000000 },
	{ NULL, "any event ID of a process", HERE(EVENT), SET32, BODY, 1 },
	{ NULL, "a time just before there is none", HERE(LAST), SET64, TIME, ~0ull - 1 },
	/* Entries that are legal, although bcos_evlog does not write them. */
	{ UNUSUAL, "a size that is no multiple of 4", HERE(EVENT), ZEROS, 0, 1 },
	{ UNUSUAL, "a fixed entry that is longer than its type needs", HERE(ASSIGN), ZEROS, 0, 4 },
	{ UNUSUAL, "an offline entry with a body", HERE(OFFLINE2), ZEROS, 0, 4 },
	{ UNUSUAL, "more padding than needed", HERE(EVENT), ZEROS, 0, 4 },
	{ UNUSUAL, "an empty name of a process", HERE(BIRTH), NAME, 1, 0 },
	{ UNUSUAL, "an empty name of a device", HERE(LAST_DEVICE), SET8, DEVICE_NAME_AT, 0 },
	{ UNUSUAL, "a generic event that ends after its ID", HERE(DEVICE_EVENT), RESIZE, 0, 24 },
};

static size_t find_label(const struct list *list, enum label label)
{
	size_t i = 0;

	while (list->entry[i].label != label)
		i++;
	return i;
}

static void take_out(struct list *list, size_t at, size_t count)
{
	memmove(&list->entry[at], &list->entry[at + count],
		(list->count - at - count) * sizeof(list->entry[0]));
	list->count -= count;
}

static void put_behind(struct list *list, size_t at, const struct entry *entry)
{
	struct entry copy = *entry;

	memmove(&list->entry[at + 2], &list->entry[at + 1],
		(list->count - at - 1) * sizeof(list->entry[0]));
	list->entry[at + 1] = copy;
	list->count++;
}

static void resize_entry(struct entry *entry, size_t size)
{
	entry->size = (uint16_t)size;
	memcpy(entry->bytes + SIZE, &entry->size, sizeof(entry->size));
}

/* Plants the fault.  Return: the bytes that the log has in the end, if it is cut; else 0. */
static size_t plant_in(struct list *list, const struct plant *plant)
{
	size_t at = find_label(list, plant->at), i, bytes = 0;
	struct entry *entry = &list->entry[at], copy = *entry;

	switch (plant->operation) {
	case NOTHING:
		break;
	case SET8:
	case SET16:
	case SET32:
	case SET64:
		/* Both this machine and the log are little endian. */
		memcpy(entry->bytes + plant->to, &plant->value,
		       (size_t)1 << (plant->operation - SET8));
		break;
	case REMOVE:
		take_out(list, at, 1);
		break;
	case REMOVE_UNTIL:
		take_out(list, at, find_label(list, (enum label)plant->to) - at);
		break;
	case MOVE:
		take_out(list, at, 1);
		put_behind(list, find_label(list, (enum label)plant->to), &copy);
		break;
	case REPEAT:
		put_behind(list, find_label(list, (enum label)plant->to), &copy);
		break;
	case NAME:
		memset(entry->bytes + NAME_AT, (int)plant->value, plant->to);
		memset(entry->bytes + NAME_AT + plant->to, 0,
		       sizeof(entry->bytes) - NAME_AT - plant->to);
		resize_entry(entry, NAME_AT + ((plant->to + 3) & ~(size_t)3));
		break;
	case CUT:
		for (i = 0; i < at; i++)
			bytes += list->entry[i].size;
		return bytes + plant->value;
	case RESIZE:
		resize_entry(entry, plant->value);
		break;
	case ZEROS:
		resize_entry(entry, entry->size + plant->value);
		break;
	}
	return 0;
}

/* Returns the offset of the last entry of this label: a repeated one is the second. */
static size_t offset_of(const struct list *list, enum label label)
{
	size_t at = 0, offset = 0, i;

	for (i = 0; i < list->count; i++) {
		if (list->entry[i].label == label)
			offset = at;
		at += list->entry[i].size;
	}
	return offset;
}

/* ---- the check ----------------------------------------------------------------- */

static char program[4096], balance[4096];

static void write_log(const struct list *list, size_t bytes, const char *path)
{
	FILE *file = fopen(path, "wb");
	size_t i, size, done = 0;

	for (i = 0; file && i < list->count; i++) {
		size = list->entry[i].size;
		if (bytes && done + size > bytes)
			size = bytes - done;
		if (fwrite(list->entry[i].bytes, 1, size, file) != size)
			break;
		done += size;
	}
	if (!file || fclose(file)) {
		perror(path);
		exit(1);
	}
}

/* Runs a command on the log.  Return: its exit status; @output gets its output. */
static int run_command(const char *with, const char *argument, const char *path, char *output, size_t size)
{
	char command[8192];
	FILE *pipe;
	size_t got;

	snprintf(command, sizeof(command), "'%s' %s '%s' 2>&1", with, argument, path);
	pipe = popen(command, "r");
	if (!pipe) {
		perror(command);
		exit(1);
	}
	/* A newline precedes each line. */
	output[0] = '\n';
	got = fread(output + 1, 1, size - 2, pipe);
	output[got + 1] = '\0';
	got = (size_t)pclose(pipe);
	return WIFEXITED((int)got) ? WEXITSTATUS((int)got) : -1;
}

static bool judge_plant(int number, const struct plant *plant, const char *path)
{
	char output[8192], expected[128] = "\n";
	struct list list;
	size_t bytes;
	int status;
	bool good;

	put_all(&list);
	bytes = plant_in(&list, plant);
	write_log(&list, bytes, path);
	if (run_command(balance, "", path, output, sizeof(output))) {
		printf("not ok %d - the account adds up: %s\n# %s", number, plant->what, output);
		return false;
	}
	status = run_command(program, "check", path, output, sizeof(output));
	if (plant->rule) {
		snprintf(expected, sizeof(expected),
			 "\nbyte %zu: %s: ", offset_of(&list, plant->reported), plant->rule);
		good = strstr(output, expected) != NULL;
		if (strcmp(plant->rule, UNUSUAL))
			good &= status == 1;
		else
			good &= status == 0 && strstr(output, ", 0 violations, 1 legal but unusual");
	} else {
		good = status == 0 && strstr(output, ", 0 violations");
	}
	printf("%sok %d - %s: %s\n", good ? "" : "not ", number,
	       plant->rule ? plant->rule : "no violation", plant->what);
	if (!good)
		printf("# exit status %d, expected \"%s\", but it says:%s", status, expected + 1,
		       output);
	return good;
}

int main(void)
{
	const char *named = getenv("BCOSLOG"), *build = getenv("BUILD");
	char path[] = "/tmp/bcos-plants-XXXXXX";
	int fd = mkstemp(path), bad = 0;
	size_t i;

	snprintf(program, sizeof(program), "%s%s",
		 named	 ? named
		 : build ? build
			 : "build",
		 named ? "" : "/bcoslog");
	snprintf(balance, sizeof(balance), "%s/tests/balance", build ? build : "build");
	if (fd < 0 || access(program, X_OK)) {
		perror(program);
		return 1;
	}
	close(fd);
	printf("1..%zu\n", COUNT(plants));
	for (i = 0; i < COUNT(plants); i++)
		bad += !judge_plant((int)i + 1, &plants[i], path);
	unlink(path);
	return bad ? 1 : 0;
}
