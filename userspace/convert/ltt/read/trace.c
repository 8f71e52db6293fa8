// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Opens a trace: reads the system, the descriptions, and the ID of each event. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read.h"

static __attribute__((format(printf, 3, 4))) int fail(struct ltt_trace *trace, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(trace->why, sizeof(trace->why), format, args);
	va_end(args);
	return error;
}

static int read_system(struct ltt_trace *trace)
{
	struct ltt_sizes sizes = { 4, 8 };
	const char *word;
	unsigned long block;
	int r;

	r = ltt_system_read(trace);
	if (r)
		return fail(trace, r, "info/system.xml: %s; an LTT trace has one, which says how large its blocks are",
			    strerror(-r));
	if (trace->system[LTT_ARCH_SIZE] && !ltt_sizes_by_name(&sizes, trace->system[LTT_ARCH_SIZE]))
		return fail(trace, -EINVAL, "info/system.xml: arch_size \"%s\" is none of LP32, ILP32, LP64 and ILP64",
			    trace->system[LTT_ARCH_SIZE]);
	word = trace->system[LTT_BLOCK_SIZE];
	block = word ? strtoul(word, NULL, 0) : 0;
	if (block < LTT_BLOCK_MIN || block > LTT_BLOCK_MAX)
		return fail(trace, -EINVAL, "info/system.xml: ltt_block_size has to be a number from %u to %u",
			    LTT_BLOCK_MIN, LTT_BLOCK_MAX);
	trace->block = (u32)block;
	word = trace->system[LTT_ENDIAN];
	trace->swap = word && !strcasecmp(word, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "big" : "little");
	return ltt_facilities_init(&trace->facilities, sizes);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(char **names, size_t count)
{
	while (count--)
		free(names[count]);
	free(names);
}

/* Lists the names in a folder of the trace that @wanted accepts, sorted. Returns 0 or a negative errno. */
static int list_folder(const struct ltt_trace *trace, const char *folder, bool (*wanted)(const char *name),
		       char ***names, size_t *count)
{
	char *path = ltt_trace_path(trace, folder), **more;
	DIR *dir = path ? opendir(path) : NULL;
	struct dirent *entry;
	int r = 0;

	*names = NULL;
	*count = 0;
	free(path);
	if (!dir)
		return -errno;
	while (!r && *count < LTT_FILES_MAX && (entry = readdir(dir))) {
		if (!wanted(entry->d_name))
			continue;
		more = realloc(*names, (*count + 1) * sizeof(**names));
		if (more) {
			*names = more;
			more[*count] = strdup(entry->d_name);
		}
		if (more && more[*count])
			(*count)++;
		else
			r = -ENOMEM;
	}
	closedir(dir);
	if (r)
		free_names(*names, *count);
	else if (*count)
		qsort(*names, *count, sizeof(**names), by_name);
	return r;
}

static bool is_xml(const char *name)
{
	size_t length = strlen(name);

	return *name != '.' && length > 4 && !strcasecmp(name + length - 4, ".xml");
}

static bool is_cpu(const char *name)
{
	size_t length = strspn(name, "0123456789");

	return length && length < 10 && !name[length] && (length == 1 || *name != '0');
}

/* Adds the descriptions of one file of eventdefs/. Returns 0 or, after setting trace->why, a negative errno. */
static int read_description(struct ltt_trace *trace, const char *name)
{
	char *path, *bytes = NULL;
	size_t size = 0;
	int r;

	if (asprintf(&path, "%s/eventdefs/%s", trace->folder, name) < 0)
		return -ENOMEM;
	r = ltt_xml_file(path, &bytes, &size);
	free(path);
	if (!r)
		r = ltt_facilities_read(&trace->facilities, bytes, size);
	free(bytes);
	return r ? fail(trace, r, "eventdefs/%.200s: %s", name,
			r == -E2BIG ? "it describes more than this program has room for" : strerror(-r)) : 0;
}

static int read_descriptions(struct ltt_trace *trace)
{
	char **names, *builtin = strdup(ltt_builtin_xml);
	size_t count, i;
	int r;

	r = builtin ? ltt_facilities_read(&trace->facilities, builtin, strlen(builtin)) : -ENOMEM;
	free(builtin);
	if (r)
		return fail(trace, r, "%s", strerror(-r));
	trace->events[LTT_FACILITY_LOAD] = ltt_facility_event(&trace->facilities, trace->facilities.first, 0);
	r = list_folder(trace, "eventdefs", is_xml, &names, &count);
	if (r)
		return fail(trace, r, "eventdefs/: %s; an LTT trace has it, with a description of its events",
			    strerror(-r));
	for (i = 0; !r && i < count; i++)
		r = read_description(trace, names[i]);
	free_names(names, count);
	return r;
}

static int by_number(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

/* Lists the files of CPUs. A trace may have none. */
static int list_cpus(struct ltt_trace *trace)
{
	char **names;
	size_t count, i;
	int r = list_folder(trace, "cpu", is_cpu, &names, &count);

	if (r == -ENOENT || r == -ENOTDIR)
		return 0;
	if (r)
		return fail(trace, r, "cpu/: %s", strerror(-r));
	trace->cpus = calloc(count + 1, sizeof(*trace->cpus));
	for (i = 0; trace->cpus && i < count; i++)
		trace->cpus[trace->cpus_count++] = (u32)strtoul(names[i], NULL, 10);
	free_names(names, count);
	if (!trace->cpus)
		return -ENOMEM;
	qsort(trace->cpus, trace->cpus_count, sizeof(*trace->cpus), by_number);
	return 0;
}

/* ---- which facilities were loaded ------------------------------------------- */

struct load {
	char name[256];
	u64 checksum, base;
};

static void take_load(void *context, const struct ltt_value *value)
{
	struct load *load = context;

	if (!strcmp(value->field, "name"))
		snprintf(load->name, sizeof(load->name), "%.*s", value->length > 255 ? 255 : (int)value->length,
			 value->text);
	else if (!strcmp(value->field, "checksum"))
		load->checksum = value->number;
	else
		load->base = value->number;
}

/* Gives the IDs from @base on to the events of a facility. The IDs of the builtin facility stay as they are. */
static void load_facility(struct ltt_trace *trace, u32 facility, u64 base)
{
	const struct ltt_facilities *facilities = &trace->facilities;
	u32 event = ltt_node(facilities, facility)->child;
	u64 id = base;

	for (; event && id < LTT_IDS; event = ltt_node(facilities, event)->next) {
		if (ltt_node(facilities, event)->kind != LTT_KIND_EVENT)
			continue;
		if (id >= LTT_BUILTINS) {
			trace->events[id] = event;
			trace->event_facilities[id] = facility;
		}
		id++;
	}
}

/* The loads so far, each name and checksum once. They tell which description belongs to the next load. */
struct loads {
	struct load *list;
	size_t count;
};

static int note_load(struct ltt_trace *trace, struct loads *loads, const struct load *load)
{
	u32 nth = 0, facility;
	struct load *more;
	size_t i;

	for (i = 0; i < loads->count; i++) {
		if (strcmp(loads->list[i].name, load->name))
			continue;
		if (loads->list[i].checksum == load->checksum)
			break;
		nth++;
	}
	facility = ltt_facilities_find(&trace->facilities, load->name, (u32)load->checksum, nth);
	if (facility)
		load_facility(trace, facility, load->base);
	else if (strcmp(load->name, "builtin"))
		trace->undescribed++;
	/* More facilities than this do not fit into the IDs. */
	if (i < loads->count || loads->count == 1024)
		return 0;
	more = realloc(loads->list, (loads->count + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	loads->list = more;
	more[loads->count++] = *load;
	return 0;
}

static int read_loads(struct ltt_trace *trace)
{
	static const struct ltt_visitor visitor = { .value = take_load };
	char *path = ltt_trace_path(trace, "control/facilities");
	struct loads loads = { NULL, 0 };
	struct ltt_record record;
	struct ltt_file file;
	struct load load;
	int r = path ? ltt_file_learn(trace, path) : -ENOMEM;

	if (!r)
		r = ltt_file_open(&file, trace, path);
	if (r) {
		free(path);
		return fail(trace, r, "control/facilities: %s; without it no event can be told from another",
			    r == -ENODATA ? "it has no whole block" : strerror(-r));
	}
	while ((r = ltt_file_next(&file, &record)) > 0) {
		if (record.kind != LTT_RECORD_EVENT || record.id != LTT_FACILITY_LOAD)
			continue;
		memset(&load, 0, sizeof(load));
		ltt_walk(&trace->facilities, record.node, &record.fields, &visitor, &load);
		r = note_load(trace, &loads, &load);
		if (r)
			break;
	}
	ltt_file_close(&file);
	free(loads.list);
	free(path);
	return r ? fail(trace, r, "control/facilities: %s", strerror(-r)) : 0;
}

int ltt_trace_open(struct ltt_trace *trace, const char *folder)
{
	int r;

	memset(trace, 0, sizeof(*trace));
	trace->folder = strdup(folder);
	trace->events = calloc(LTT_IDS, sizeof(*trace->events));
	trace->event_facilities = calloc(LTT_IDS, sizeof(*trace->event_facilities));
	if (!trace->folder || !trace->events || !trace->event_facilities)
		return fail(trace, -ENOMEM, "%s", strerror(ENOMEM));
	r = read_system(trace);
	if (!r)
		r = read_descriptions(trace);
	if (!r)
		r = list_cpus(trace);
	return r ? r : read_loads(trace);
}

void ltt_trace_close(struct ltt_trace *trace)
{
	size_t i;

	for (i = 0; i < LTT_ATTRIBUTES; i++)
		free(trace->system[i]);
	free(trace->comment);
	ltt_facilities_free(&trace->facilities);
	free(trace->events);
	free(trace->event_facilities);
	free(trace->cpus);
	free(trace->folder);
	memset(trace, 0, sizeof(*trace));
}
