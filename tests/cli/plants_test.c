// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * "bcoslog check" catches what it is there for. A valid log, written by hand,
 * passes; then one violation after another is planted in it, and each time
 * the check has to name the right rule at the right byte, perhaps among others,
 * and to exit with 1.
 *
 * The program is $BCOSLOG, else $BUILD/bcoslog.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bcos_evlog.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NAME_AT offsetof(struct bcos_process_name, name)
#define DEVICE_NAME_AT offsetof(struct bcos_device_name, name)
#define BODY sizeof(struct bcos_entry)
#define SOURCE offsetof(struct bcos_entry, source)
#define SIZE offsetof(struct bcos_entry, size)
#define TYPE offsetof(struct bcos_entry, type)
#define TIME offsetof(struct bcos_entry, time)
#define OTHER (BCOS_DEVICE_OTHER + 1)
#define NET BCOS_DEVICE_NETWORK

/* ---- a valid log ----------------------------------------------------------- */

enum label {
	/* The group it begins with. */
	H_CORE,
	H_CPU0,
	H_CPU1,
	H_KERNEL,
	H_INIT,
	H_SELF,
	H_DISK,
	H_ASSIGN0,
	H_ASSIGN1,
	/* What happens. */
	BIRTH,
	ASSIGN,
	RENAME,
	LINE,
	IRQ,
	TUN,
	PACKET,
	EVENT,
	CALLS,
	CORE,
	CPU,
	ASSIGN2,
	CORE_EVENT,
	CPU_EVENT,
	/* A second group. */
	G_CORE0,
	G_CORE1,
	G_CPU0,
	G_CPU1,
	G_CPU2,
	G_KERNEL,
	G_INIT,
	G_SHELL,
	G_DISK,
	G_NET,
	G_SELF,
	G_LINE,
	G_ASSIGN0,
	G_ASSIGN1,
	G_ASSIGN2,
	/* And what happens after it. */
	STATED,
	UNTUN,
	LEAVES,
	DEATH,
	OFFLINE2,
	OFFLINE_CORE,
	LAST,
	ENTRIES
};

struct entry {
	enum label label;
	uint16_t size;
	uint8_t bytes[64];
};

struct list {
	struct entry entry[ENTRIES + 4];
	size_t count;
};

static void put(struct list *list, enum label label, uint16_t type, uint32_t source, uint64_t time,
		const void *body, size_t size)
{
	struct entry *entry = &list->entry[list->count++];
	struct bcos_entry header = { .type = type, .source = source, .time = time, .precision = 1 };

	memset(entry, 0, sizeof(*entry));
	entry->label = label;
	entry->size = (uint16_t)(BODY + ((size + 3) & ~(size_t)3));
	header.size = entry->size;
	memcpy(entry->bytes, &header, sizeof(header));
	if (size)
		memcpy(entry->bytes + BODY, body, size);
}

static void put_name(struct list *list, enum label label, uint16_t type, uint32_t source,
		     uint64_t time, const char *name)
{
	put(list, label, type, source, time, name, strlen(name));
}

static void put_word(struct list *list, enum label label, uint16_t type, uint32_t source,
		     uint64_t time, uint32_t word)
{
	put(list, label, type, source, time, &word, sizeof(word));
}

static void put_device(struct list *list, enum label label, uint16_t type, uint32_t source,
		       uint64_t time, uint32_t driver, const char *name)
{
	char body[32];

	memcpy(body, &driver, sizeof(driver));
	memcpy(body + sizeof(driver), name, strlen(name));
	put(list, label, type, source, time, body, sizeof(driver) + strlen(name));
}

static void put_event(struct list *list, enum label label, uint16_t type, uint32_t source,
		      uint64_t time, const char *text)
{
	char body[32] = { 0 };

	body[4] = BCOS_SEVERITY_INFO;
	memcpy(body + 5, text, strlen(text));
	put(list, label, type, source, time, body, 5 + strlen(text));
}

static void put_core(struct list *list, enum label label, uint16_t type, uint32_t source,
		     uint64_t time)
{
	static const uint32_t body[] = { 0, 250000, 500000 };

	put(list, label, type, source, time, body, sizeof(body));
}

static void put_beginning(struct list *list)
{
	put_core(list, H_CORE, BCOS_HIST_CORE_ONLINE, 0, 10);
	put_word(list, H_CPU0, BCOS_HIST_CPU_ONLINE, 0, 10, 0);
	put_word(list, H_CPU1, BCOS_HIST_CPU_ONLINE, 1, 20, 0);
	put_name(list, H_KERNEL, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	put_name(list, H_INIT, BCOS_HIST_SET_PROCESS_NAME, 100, 30, "init");
	put_device(list, H_SELF, BCOS_HIST_SET_DEVICE_NAME, BCOS_DEVICE_SELF, 40, 0, "bcos_evlog");
	put_device(list, H_DISK, BCOS_HIST_SET_DEVICE_NAME, 0, 41, 100, "disk");
	put_word(list, H_ASSIGN0, BCOS_HIST_ASSIGN_CPU, 0, 900, 0);
	put_word(list, H_ASSIGN1, BCOS_HIST_ASSIGN_CPU, 1, 950, BCOS_PROCESS_IDLE);
}

static void put_middle(struct list *list)
{
	static const uint32_t calls[] = { 1, 2, 2 };

	put_name(list, BIRTH, BCOS_SET_PROCESS_NAME, 200, 1000, "sh");
	put_word(list, ASSIGN, BCOS_ASSIGN_CPU, 0, 1010, 200);
	put_name(list, RENAME, BCOS_SET_PROCESS_NAME, 200, 1020, "busybox");
	put_device(list, LINE, BCOS_SET_DEVICE_NAME, OTHER, 1030, 0, "ttyS0");
	put_word(list, IRQ, BCOS_IRQ, OTHER, 1030, 0);
	put_device(list, TUN, BCOS_SET_DEVICE_NAME, NET, 1040, 200, "tun0");
	put_word(list, PACKET, BCOS_DEVICE_INPUT, NET, 1050, 1500);
	put_event(list, EVENT, BCOS_GENERIC_PROCESS, 200, 1060, "hello");
	put(list, CALLS, BCOS_KERNEL_API, 200, 1070, calls, sizeof(calls));
	put_core(list, CORE, BCOS_CORE_ONLINE, 1, 1080);
	put_word(list, CPU, BCOS_CPU_ONLINE, 2, 1080, 1);
	put_word(list, ASSIGN2, BCOS_ASSIGN_CPU, 2, 1080, BCOS_PROCESS_IDLE);
	put_event(list, CORE_EVENT, BCOS_GENERIC_CORE, 1, 1090, "hot");
	put_event(list, CPU_EVENT, BCOS_GENERIC_CPU, 2, 1090, "idle");
}

static void put_second_group(struct list *list)
{
	put_core(list, G_CORE0, BCOS_HIST_CORE_ONLINE, 0, 10);
	put_core(list, G_CORE1, BCOS_HIST_CORE_ONLINE, 1, 1080);
	put_word(list, G_CPU0, BCOS_HIST_CPU_ONLINE, 0, 10, 0);
	put_word(list, G_CPU1, BCOS_HIST_CPU_ONLINE, 1, 20, 0);
	put_word(list, G_CPU2, BCOS_HIST_CPU_ONLINE, 2, 1080, 1);
	put_name(list, G_KERNEL, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	put_name(list, G_INIT, BCOS_HIST_SET_PROCESS_NAME, 100, 30, "init");
	put_name(list, G_SHELL, BCOS_HIST_SET_PROCESS_NAME, 200, 1000, "busybox");
	put_device(list, G_DISK, BCOS_HIST_SET_DEVICE_NAME, 0, 41, 100, "disk");
	put_device(list, G_NET, BCOS_HIST_SET_DEVICE_NAME, NET, 1040, 200, "tun0");
	put_device(list, G_SELF, BCOS_HIST_SET_DEVICE_NAME, BCOS_DEVICE_SELF, 40, 0, "bcos_evlog");
	put_device(list, G_LINE, BCOS_HIST_SET_DEVICE_NAME, OTHER, 1030, 0, "ttyS0");
	put_word(list, G_ASSIGN0, BCOS_HIST_ASSIGN_CPU, 0, 1010, 200);
	put_word(list, G_ASSIGN1, BCOS_HIST_ASSIGN_CPU, 1, 950, BCOS_PROCESS_IDLE);
	put_word(list, G_ASSIGN2, BCOS_HIST_ASSIGN_CPU, 2, 1080, BCOS_PROCESS_IDLE);
}

static void put_end(struct list *list)
{
	put_name(list, STATED, BCOS_HIST_SET_PROCESS_NAME, 100, 30, "init");
	put_word(list, UNTUN, BCOS_CANCEL_DEVICE_NAME, NET, 1100, 0);
	put_word(list, LEAVES, BCOS_ASSIGN_CPU, 0, 1100, 0);
	put_word(list, DEATH, BCOS_CANCEL_PROCESS_NAME, 200, 1100, BCOS_STATUS_OWNER + 9);
	put(list, OFFLINE2, BCOS_CPU_OFFLINE, 2, 1110, NULL, 0);
	put(list, OFFLINE_CORE, BCOS_CORE_OFFLINE, 1, 1110, NULL, 0);
	put_word(list, LAST, BCOS_ASSIGN_CPU, 1, 1120, 100);
}

static void put_all(struct list *list)
{
	list->count = 0;
	put_beginning(list);
	put_middle(list);
	put_second_group(list);
	put_end(list);
}

/* ---- what is planted --------------------------------------------------------- */

enum operation {
	NOTHING,
	SET8,		/* at offset @to of the entry: @value */
	SET16,
	SET32,
	SET64,
	REMOVE,		/* the entry */
	REMOVE_UNTIL,	/* the entry and those after it, up to the one before @to */
	MOVE,		/* it behind entry @to */
	REPEAT,		/* it behind entry @to */
	NAME,		/* its name becomes one of @to bytes, of the byte @value */
	CUT,		/* the log ends @value bytes into it */
	ZEROS,		/* so many zeros follow its body */
};

struct plant {
	const char *rule;	/* NULL: it is no violation */
	const char *what;
	enum label at;
	enum label reported;	/* the entry whose offset is reported */
	enum operation operation;
	size_t to;
	uint64_t value;
};

/* Where it is planted, and where it is reported. */
#define HERE(at) (at), (at)

static const struct plant plants[] = {
	/* Structure. */
	{ "truncated", "the last entry is cut in its header", HERE(LAST), CUT, 0, 7 },
	{ "truncated", "the last entry is cut in its body", HERE(LAST), CUT, 0, 21 },
	{ "bad-size", "a size below that of the header", HERE(ASSIGN), SET16, SIZE, 16 },
	{ "bad-size", "a size of 0", HERE(ASSIGN), SET16, SIZE, 0 },
	{ "bad-size", "a size that is no multiple of 4", HERE(RENAME), SET16, SIZE, 26 },
	{ "bad-length", "a fixed entry that is too long", HERE(ASSIGN), ZEROS, 0, 4 },
	{ "bad-length", "an offline entry with a body", HERE(OFFLINE2), ZEROS, 0, 4 },
	{ "bad-length", "a fixed entry that is too short", HERE(DEATH), SET16, SIZE, 20 },
	{ "bad-text", "a name with a byte that is never UTF-8", HERE(RENAME), SET8, NAME_AT, 0xFF },
	{ "bad-text", "a text with a lone continuation byte", HERE(EVENT), SET8, BCOS_GENERIC_TEXT, 0x80 },
	{ "bad-padding", "padding that is not zero", HERE(BIRTH), SET8, NAME_AT + 3, 'x' },
	{ "bad-padding", "more padding than needed", HERE(EVENT), ZEROS, 0, 4 },
	{ "bad-name", "an empty name of a process", HERE(BIRTH), NAME, 1, 0 },
	{ "bad-name", "an empty name of a device", HERE(LINE), SET8, DEVICE_NAME_AT, 0 },
	/* Groups. */
	{ "no-group", "the log begins without a group", H_CORE, BIRTH, REMOVE_UNTIL, BIRTH, 0 },
	{ "no-group", "the first group begins with its CPUs", H_CORE, H_CPU0, REMOVE, 0, 0 },
	{ "incomplete-group", "the first group is cut by the log's end", H_CPU0, H_CORE, CUT, 0, 0 },
	{ "incomplete-group", "a core is missing in a group", G_CORE0, G_CORE1, REMOVE, 0, 0 },
	{ "incomplete-group", "a CPU is missing in a group", G_CPU1, G_CORE0, REMOVE, 0, 0 },
	{ "incomplete-group", "all CPUs are missing in a group", G_CPU0, G_CORE0, REMOVE_UNTIL, G_KERNEL, 0 },
	{ "incomplete-group", "an assignment is missing in a group", G_ASSIGN1, G_CORE0, REMOVE, 0, 0 },
	{ "incomplete-group", "the kernel is missing in the first group", H_KERNEL, H_CORE, SET32, SOURCE, 1 },
	{ "group-order", "a CPU behind the processes", G_CPU2, G_CPU2, MOVE, G_SHELL, 0 },
	{ "group-order", "a process behind the devices", G_SHELL, G_SHELL, MOVE, G_LINE, 0 },
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
	{ "order", "time goes back behind a group", HERE(LEAVES), SET64, TIME, 1099 },
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
	/* What is none. */
	{ NULL, "nothing", HERE(H_CORE), NOTHING, 0, 0 },
	{ NULL, "an entry of a reserved type", HERE(CALLS), SET16, TYPE, 0x0123 },
	{ NULL, "a name that is stated again without need", STATED, STATED, REPEAT, DEATH, 0 },
	{ NULL, "the log's end within a later group", HERE(G_SHELL), CUT, 0, 0 },
	{ NULL, "equal times", HERE(RENAME), SET64, TIME, 1010 },
};

static size_t find(const struct list *list, enum label label)
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

static void resize(struct entry *entry, size_t size)
{
	entry->size = (uint16_t)size;
	memcpy(entry->bytes + SIZE, &entry->size, sizeof(entry->size));
}

/* Does it.  Return: bytes that the log has in the end, if it is cut; else 0. */
static size_t plant_in(struct list *list, const struct plant *plant)
{
	size_t at = find(list, plant->at), i, bytes = 0;
	struct entry *entry = &list->entry[at], copy = *entry;

	switch (plant->operation) {
	case NOTHING:
		break;
	case SET8:
	case SET16:
	case SET32:
	case SET64:
		/* Little endian, as the log. */
		memcpy(entry->bytes + plant->to, &plant->value,
		       (size_t)1 << (plant->operation - SET8));
		break;
	case REMOVE:
		take_out(list, at, 1);
		break;
	case REMOVE_UNTIL:
		take_out(list, at, find(list, (enum label)plant->to) - at);
		break;
	case MOVE:
		take_out(list, at, 1);
		put_behind(list, find(list, (enum label)plant->to), &copy);
		break;
	case REPEAT:
		put_behind(list, find(list, (enum label)plant->to), &copy);
		break;
	case NAME:
		memset(entry->bytes + NAME_AT, (int)plant->value, plant->to);
		memset(entry->bytes + NAME_AT + plant->to, 0,
		       sizeof(entry->bytes) - NAME_AT - plant->to);
		resize(entry, NAME_AT + ((plant->to + 3) & ~(size_t)3));
		break;
	case CUT:
		for (i = 0; i < at; i++)
			bytes += list->entry[i].size;
		return bytes + plant->value;
	case ZEROS:
		resize(entry, entry->size + plant->value);
		break;
	}
	return 0;
}

/* The last entry of this label: a repeated one is the second. */
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

static char program[4096];

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

/* Its output, and its exit status. */
static int check(const char *path, char *output, size_t size)
{
	char command[8192];
	FILE *pipe;
	size_t got;

	snprintf(command, sizeof(command), "'%s' check '%s' 2>&1", program, path);
	pipe = popen(command, "r");
	if (!pipe) {
		perror(command);
		exit(1);
	}
	/* Each line has a line's end before it. */
	output[0] = '\n';
	got = fread(output + 1, 1, size - 2, pipe);
	output[got + 1] = '\0';
	got = (size_t)pclose(pipe);
	return WIFEXITED((int)got) ? WEXITSTATUS((int)got) : -1;
}

static bool judge(int number, const struct plant *plant, const char *path)
{
	char output[8192], expected[128] = "\n";
	struct list list;
	size_t bytes;
	int status;
	bool good;

	put_all(&list);
	bytes = plant_in(&list, plant);
	write_log(&list, bytes, path);
	status = check(path, output, sizeof(output));
	if (plant->rule) {
		snprintf(expected, sizeof(expected),
			 "\nbyte %zu: %s: ", offset_of(&list, plant->reported), plant->rule);
		good = status == 1 && strstr(output, expected);
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
	if (fd < 0 || access(program, X_OK)) {
		perror(program);
		return 1;
	}
	close(fd);
	printf("1..%zu\n", COUNT(plants));
	for (i = 0; i < COUNT(plants); i++)
		bad += !judge((int)i + 1, &plants[i], path);
	unlink(path);
	return bad ? 1 : 0;
}
