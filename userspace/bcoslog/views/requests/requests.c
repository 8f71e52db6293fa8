// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Who asked disks for what, and how long that took: see requests.h. */
#include <errno.h>
#include <search.h>
#include <stdlib.h>

#include "entry/text.h"
#include "options/filter.h"
#include "output/request.h"
#include "complain/complain.h"
#include "recorded.h"
#include "requests.h"
#include "spans.h"

enum asker_kind { ASKER_NONE, ASKER_PROCESS, ASKER_DEVICE, ASKER_GROUP };

/* Whoever has a row. */
struct asker {
	u64 serial;			/* of the process or device in the account; 0: see the others */
	u32 other;			/* ID of one that the account does not have, as a process that had ended */
	u32 cgroup;			/* that pays for a request of the kernel */
	bool unknown;			/* nobody saw who began */
	bool ended;			/* a group: of processes that had ended when their requests completed */
	struct group_key group;		/* its name is @name */
	u32 id;
	char *name;
	size_t length;
	u64 requests, reads, writes, flushes, discards, read_bytes, written_bytes, failures, untimed;
	u64 unqueued;			/* of these nobody saw the beginning */
	struct spans queue, device;
};

/* A process that has ended: the last one of its place. */
struct ended {
	u64 serial, start;
	u32 id;
	size_t length;
	char name[64];
};

/* So many processes that ended are remembered; requests complete soon. */
#define ENDED 4096

/* What the report is about. Each run of the tool makes one report. */
static struct {
	enum asker_kind by;
	enum group_by group;		/* of processes, if @by is ASKER_GROUP */
	bool histogram;
	void *tree;			/* of struct asker, by compare_askers() */
	struct asker **of;		/* the same */
	size_t count, room;
	struct recorded recorded;	/* the class request */
	bool any;			/* the log has requests, in the window and of what the options choose or not */
	bool unseen;			/* of some in the window the log does not tell who issued them */
	struct ended *ended;		/* ENDED places, by ID; NULL: none has ended yet */
} requests = { .recorded.class = BCOS_CLASS_REQUEST };

int requests_choose(const char *text)
{
	if (!strcmp(text, "process"))
		requests.by = ASKER_PROCESS;
	else if (!strcmp(text, "device"))
		requests.by = ASKER_DEVICE;
	else
		requests.by = (requests.group = group_choice(text)) ? ASKER_GROUP : ASKER_NONE;
	return requests.by ? 0 : -1;
}

void requests_choose_histogram(void)
{
	requests.histogram = true;
}

bool requests_chosen(void)
{
	return requests.by != ASKER_NONE;
}

int requests_ready(struct report *report)
{
	if (!requests_chosen() && requests.histogram)
		complain("--histogram tells of requests: say of whose, by --by process or --by device");
	else if (requests_chosen() && report->form == TABLE_SVG)
		complain("io --by cannot be drawn: --json and --csv are for programs");
	else
		return 0;
	return -1;
}

/* ---- collecting ------------------------------------------------------------------------ */

static int compare_askers(const void *left, const void *right)
{
	const struct asker *a = left, *b = right;

	if (a->serial != b->serial)
		return a->serial < b->serial ? -1 : 1;
	if (a->other != b->other)
		return a->other < b->other ? -1 : 1;
	if (a->cgroup != b->cgroup)
		return a->cgroup < b->cgroup ? -1 : 1;
	if (a->unknown != b->unknown)
		return a->unknown - b->unknown;
	return requests.by == ASKER_GROUP ? (a->ended - b->ended ?: group_compare(&a->group, &b->group)) : 0;
}

/* Return: a new asker like @key; NULL if there is no memory. */
static struct asker *add_asker(const struct asker *key)
{
	size_t room = requests.room ? 2 * requests.room : 16;
	struct asker *asker, **larger;

	if (requests.count == requests.room) {
		larger = reallocarray(requests.of, room, sizeof(*larger));
		if (!larger)
			return NULL;
		requests.of = larger;
		requests.room = room;
	}
	asker = malloc(sizeof(*asker));
	if (!asker)
		return NULL;
	*asker = *key;
	if (!tsearch(asker, &requests.tree, compare_askers)) {
		free(asker);
		return NULL;
	}
	requests.of[requests.count++] = asker;
	return asker;
}

static struct asker *asker_of(const struct asker *key)
{
	struct asker **found = tfind(key, &requests.tree, compare_askers);

	return found ? *found : add_asker(key);
}

/* Keeps the newest name.  Return: 0 or -ENOMEM. */
static int name_asker(struct asker *asker, const char *name, size_t length)
{
	char *copy;

	if (asker->length == length && asker->name && !memcmp(asker->name, name, length))
		return 0;
	copy = malloc(length + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, name, length);
	copy[length] = 0;
	free(asker->name);
	asker->name = copy;
	asker->length = length;
	if (asker->group.name)
		asker->group.name = copy;
	return 0;
}

/* The name of those that the log does not name.  @text has room for it. */
static const char *other_name(char *text, size_t size, const struct asker *key, bool ended)
{
	if (key->unknown)
		return "(began before the log, or nobody saw it)";
	if (!key->cgroup)
		return ended ? "(had ended)" : "(unnamed)";
	snprintf(text, size, "kernel, for control group %u", key->cgroup);
	return text;
}

/* What a request is about, as far as the log names it: the process that issued it, and the device. */
struct about {
	const struct bcoslog_account_process *process;
	const struct ended *ended;	/* the process that issued it, and has ended */
	const struct bcoslog_account_device *device;
};

/* Sets the group of the process. */
static void set_group(struct asker *key, const struct report *report, const struct bcos_request_told *told, const struct about *about)
{
	const struct bcoslog_account_process *process = about->process;

	key->id = 0;
	if (told->process || !process) {
		/* The account has forgotten it. */
		key->ended = told->process;
		key->group.unknown = true;
		return;
	}
	group_key(&key->group, requests.group, process,
		  process->has_parent ? bcoslog_account_process(report->account, process->parent) : NULL);
	key->cgroup = told->cgroup;
}

/* Sets whom the request counts for. */
static void set_key(struct asker *key, const struct report *report, const struct bcos_entry *entry, const struct bcos_request_told *told,
		    const struct about *about)
{
	*key = (struct asker){ .id = entry->source };
	if (requests.by == ASKER_DEVICE) {
		key->id = told->device;
		if (about->device)
			key->serial = about->device->serial;
		else
			key->other = told->device;
	} else if (!request_has_issuer(told)) {
		key->unknown = true;
	} else if (requests.by == ASKER_GROUP) {
		set_group(key, report, told, about);
	} else if (about->ended) {
		key->id = told->process;
		key->serial = about->ended->serial;
	} else if (told->process) {
		key->other = key->id = told->process;
	} else {
		if (about->process)
			key->serial = about->process->serial;
		else
			key->other = entry->source;
		key->cgroup = told->cgroup;
	}
}

/* Return: the asker that the request counts for, named; NULL and errno if there is no memory. */
static struct asker *find_asker(const struct report *report, const struct bcos_entry *entry, const struct bcos_request_told *told, const struct about *about)
{
	struct asker key, *asker;
	const char *name;
	char text[64];
	size_t length;

	set_key(&key, report, entry, told, about);
	if (requests.by == ASKER_GROUP && !key.unknown && !key.cgroup && !key.ended) {
		name = key.group.name ? key.group.name : "";
		length = key.group.length;
	} else if (key.unknown || key.cgroup || key.ended || !key.serial) {
		name = other_name(text, sizeof(text), &key, requests.by != ASKER_DEVICE && told->process);
		length = strlen(name);
	} else if (requests.by == ASKER_DEVICE) {
		name = about->device->name;
		length = about->device->name_length;
	} else if (about->ended) {
		name = about->ended->name;
		length = about->ended->length;
	} else {
		name = about->process->name;
		length = about->process->name_length;
	}
	asker = asker_of(&key);
	/* The remembered name may be cut. */
	if (asker && about->ended && asker->name && requests.by == ASKER_PROCESS)
		return asker;
	return asker && !name_asker(asker, name, length) ? asker : NULL;
}

/* Counts a request, or a part of it, of which the last one has the time of the whole.  Return: 0 or -ENOMEM. */
static int count_request(struct asker *asker, const struct bcos_request_told *told, u64 time)
{
	bool part = told->flags & BCOS_REQUEST_PART;

	asker->failures += told->error != 0;
	if (told->operation == BCOS_OPERATION_READ)
		asker->read_bytes += told->error ? 0 : told->bytes;
	else if (told->operation == BCOS_OPERATION_WRITE)
		asker->written_bytes += told->error ? 0 : told->bytes;
	if (part)
		return 0;
	asker->requests++;
	asker->reads += told->operation == BCOS_OPERATION_READ;
	asker->discards += told->operation == BCOS_OPERATION_DISCARD;
	/* A write without data asks for a flush of the device's cache. */
	if (told->operation == BCOS_OPERATION_FLUSH || (told->operation == BCOS_OPERATION_WRITE && !told->bytes && !told->error))
		asker->flushes++;
	else
		asker->writes += told->operation == BCOS_OPERATION_WRITE;
	asker->untimed += !told->has_issue;
	asker->unqueued += !request_has_issuer(told);
	if (told->has_start && told->has_issue && spans_add(&asker->queue, told->queue, time))
		return -ENOMEM;
	return told->has_issue ? spans_add(&asker->device, told->service, time) : 0;
}

/* Do the options choose the request? A process that had ended when it completed has no name any more, but its ID. */
static bool is_chosen(const struct filter *filter, const struct bcos_request_told *told, const struct about *about)
{
	if (filter_has_devices(filter) && !(about->device && filter_wants_use(filter, about->device)))
		return false;
	if (!filter_has_processes(filter))
		return true;
	if (told->process)
		return !filter_has_cgroups(filter) &&
		       filter_wants_process(filter, told->process, about->ended ? about->ended->name : NULL,
					    about->ended ? about->ended->length : 0);
	return about->process && filter_wants_life(filter, about->process);
}

void requests_process_ended(void *context, const struct bcoslog_account_process *process)
{
	struct ended *ended;

	(void)context;
	if (!requests_chosen())
		return;
	if (!requests.ended)
		requests.ended = calloc(ENDED, sizeof(*requests.ended));
	/* Without memory, requests that complete later are of one without a name. */
	if (!requests.ended)
		return;
	ended = &requests.ended[process->id % ENDED];
	*ended = (struct ended){ .serial = process->serial, .start = process->start, .id = process->id };
	ended->length = utf8_fit(process->name, process->name_length, sizeof(ended->name));
	if (ended->length)
		memcpy(ended->name, process->name, ended->length);
}

/* Return: the process that issued the request, which completed at @time; NULL if it is not remembered. */
static const struct ended *find_ended(const struct bcos_request_told *told, u64 time)
{
	const struct ended *ended = requests.ended ? &requests.ended[told->process % ENDED] : NULL;

	/* A process may still ask for something when its end is in the log, as when its files are closed. */
	return ended && ended->serial && ended->id == told->process && request_begin(told, time) >= ended->start ? ended : NULL;
}

int requests_entry(struct report *report, const struct bcos_entry *entry)
{
	struct bcos_request_told told;
	struct about about;
	struct asker *asker;

	recorded_entry(&requests.recorded, report, entry);
	if (!request_read(entry, &told))
		return 0;
	requests.any = true;
	if (!report_counts(report, entry->time))
		return 0;
	about.device = bcoslog_account_device(report->account, told.device);
	about.process = bcoslog_account_process(report->account, entry->source);
	about.ended = told.process ? find_ended(&told, entry->time) : NULL;
	requests.unseen |= !request_has_issuer(&told);
	if (!is_chosen(&report->session->filter, &told, &about))
		return 0;
	report->happens = true;
	asker = find_asker(report, entry, &told, &about);
	return asker ? count_request(asker, &told, entry->time) : -ENOMEM;
}

/* ---- printing --------------------------------------------------------------------------- */

#define MEASURES					\
	{ "requests", "requests", CELL_COUNT },		\
	{ "read_bytes", "read", CELL_BYTES },		\
	{ "written_bytes", "written", CELL_BYTES },	\
	{ "reads", NULL, CELL_COUNT },			\
	{ "writes", NULL, CELL_COUNT },			\
	{ "flushes", NULL, CELL_COUNT },		\
	{ "discards", NULL, CELL_COUNT },		\
	{ "failures", "failed", CELL_COUNT },		\
	{ "untimed", NULL, CELL_COUNT },		\
	{ "queue_median_ns", "in queue", CELL_SPAN },	\
	{ "queue_99_ns", "99 %", CELL_SPAN },		\
	{ "queue_max_ns", "max", CELL_SPAN },		\
	{ "queue_max_at", NULL, CELL_TIME },		\
	{ "queue_ns", NULL, CELL_SPAN },		\
	{ "device_median_ns", "on device", CELL_SPAN },	\
	{ "device_99_ns", "99 %", CELL_SPAN },		\
	{ "device_max_ns", "max", CELL_SPAN },		\
	{ "device_max_at", NULL, CELL_TIME },		\
	{ "device_ns", NULL, CELL_SPAN }

static const struct column measures[] = { MEASURES };

#define MEASURED (sizeof(measures) / sizeof(measures[0]))
#define COLUMNS (GROUP_COLUMNS + MEASURED)

#define HISTOGRAM			\
	{ "from_ns", "from", CELL_SPAN },	\
	{ "below_ns", "below", CELL_SPAN },	\
	{ "queue", "in queue", CELL_COUNT },	\
	{ "on_device", "on device", CELL_COUNT }

static const struct column spans_columns[] = { HISTOGRAM };

#define SPANS_COLUMNS (sizeof(spans_columns) / sizeof(spans_columns[0]))
#define HISTOGRAM_COLUMNS (GROUP_COLUMNS + SPANS_COLUMNS)

/* Writes the columns that say who asked, and after them @count of @others.  Return: their number. */
static size_t begin_columns(struct column *columns, const struct column *others, size_t count)
{
	size_t keys = GROUP_COLUMNS;

	if (requests.by == ASKER_GROUP) {
		keys = group_columns(columns, requests.group);
	} else {
		columns[0] = requests.by == ASKER_PROCESS ? (struct column){ "process", "process", CELL_ID } :
							    (struct column){ "device", "device", CELL_ID };
		columns[1] = (struct column){ "name", "name", CELL_TEXT };
	}
	memcpy(&columns[keys], others, count * sizeof(*others));
	return keys + count;
}

/* Writes the ID of the row; a row of several has none. */
static struct cell id_cell(char *text, size_t size, const struct asker *asker)
{
	text[0] = 0;
	if (requests.by == ASKER_DEVICE)
		snprintf(text, size, "0x%08X", asker->id);
	else if (!asker->unknown)
		snprintf(text, size, "%u", asker->id);
	return CELL_WORD(text);
}

static void span_cells(struct cell *cells, const struct spans *spans, bool lost)
{
	size_t i;

	for (i = 0; i < 5; i++)
		cells[i] = CELL_NONE;
	if (!spans->count)
		return;
	cells[0] = cell_about(spans_quantile(spans, 0.5), lost);
	cells[1] = cell_about(spans_quantile(spans, 0.99), lost);
	cells[2] = cell_sum(spans->most, lost);
	cells[3] = CELL_OF(spans->most_at);
	cells[4] = cell_sum(spans->sum, lost);
}

/* Sets the cells of who asked, which use @text.  Return: their number. */
static size_t key_cells(struct cell *cells, const struct report *report, const struct asker *asker, struct group_text *text)
{
	bool other = asker->unknown || asker->cgroup || asker->ended;

	if (requests.by == ASKER_GROUP)
		return other ? group_other_cells(cells, requests.group, asker->name) :
			       group_cells(cells, report, requests.group, &asker->group, text);
	cells[0] = id_cell(text->id, sizeof(text->id), asker);
	cells[1] = cell_name(asker->name, asker->length);
	return GROUP_COLUMNS;
}

static void asker_row(struct table_rows *table, const struct report *report, const struct asker *asker, bool lost)
{
	struct cell all[COLUMNS], *cells;
	struct group_text text;

	/* The cells of measures begin at 2. */
	cells = all + key_cells(all, report, asker, &text) - 2;
	cells[2] = cell_sum(asker->requests, lost);
	cells[3] = cell_sum(asker->read_bytes, lost);
	cells[4] = cell_sum(asker->written_bytes, lost);
	cells[5] = cell_sum(asker->reads, lost);
	cells[6] = cell_sum(asker->writes, lost);
	cells[7] = cell_sum(asker->flushes, lost);
	cells[8] = cell_sum(asker->discards, lost);
	cells[9] = cell_sum(asker->failures, lost);
	cells[10] = cell_sum(asker->untimed, lost);
	span_cells(&cells[11], &asker->queue, lost || asker->unqueued);
	span_cells(&cells[16], &asker->device, lost);
	table_row(table, all);
}

/* Adds a row of the histogram. @to: 0: there is no such number; so that is, with @from, of spans that nobody knows. */
static void histogram_row(struct table_rows *table, const struct report *report, const struct asker *asker, u64 from, u64 to, u64 queue, u64 device, bool lost)
{
	struct cell cells[HISTOGRAM_COLUMNS];
	struct group_text text;
	size_t at = key_cells(cells, report, asker, &text);

	cells[at++] = from || to ? CELL_EXACT(from) : CELL_NONE;
	cells[at++] = to ? CELL_EXACT(to) : CELL_NONE;
	cells[at++] = cell_sum(queue, lost);
	cells[at++] = cell_sum(device, lost);
	table_row(table, cells);
}

static void histogram_rows(struct table_rows *table, const struct report *report, const struct asker *asker, bool lost)
{
	u64 from = 0, to = 1024, queue, device, seen = 0, all = asker->queue.count + asker->device.count;

	for (; seen < all; from = to, to *= 2) {
		queue = spans_between(&asker->queue, from, to);
		device = spans_between(&asker->device, from, to);
		/* Rows begin with the first span, and end with the last one. */
		if (seen || queue || device)
			histogram_row(table, report, asker, from, to, queue, device, lost);
		seen += queue + device;
	}
	/* The others have a row of their own, so that a column adds up to all requests. */
	if (all < 2 * asker->requests)
		histogram_row(table, report, asker, 0, 0, asker->requests - asker->queue.count, asker->requests - asker->device.count, lost);
}

static int most_first(const void *left, const void *right)
{
	const struct asker *a = *(struct asker *const *)left, *b = *(struct asker *const *)right;
	u64 x = a->read_bytes + a->written_bytes, y = b->read_bytes + b->written_bytes;

	if (x != y)
		return x > y ? -1 : 1;
	if (a->requests != b->requests)
		return a->requests > b->requests ? -1 : 1;
	return compare_askers(a, b);
}

int requests_print(struct report *report)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(report->account);
	bool off = recorded_lacks(&requests.recorded, totals->begin);
	bool lost = totals->lost & BCOSLOG_LOST_REQUESTS || off;
	struct column columns[COLUMNS > HISTOGRAM_COLUMNS ? COLUMNS : HISTOGRAM_COLUMNS];
	struct table_rows table;
	bool least;
	size_t i;

	table_begin(&table, columns, requests.histogram ? begin_columns(columns, spans_columns, SPANS_COLUMNS) :
							  begin_columns(columns, measures, MEASURED));
	table.spare = "failures queue_99_ns queue_max_ns device_99_ns";
	if (requests.count)
		qsort(requests.of, requests.count, sizeof(struct asker *), most_first);
	for (i = 0; i < requests.count; i++) {
		/* Whose beginning nobody saw may be of any process, and those are all of them. */
		least = lost || (requests.by != ASKER_DEVICE && requests.unseen && !requests.of[i]->unknown);
		if (requests.histogram)
			histogram_rows(&table, report, requests.of[i], least);
		else
			asker_row(&table, report, requests.of[i], least);
	}
	report->lists = "request of a disk";
	if (off || !(requests.any || requests.recorded.told))
		report->lists_why = "the class request records them, as bcoslog record does";
	report->lists_lost = BCOSLOG_LOST_REQUESTS;
	return report_table(report, &table);
}

static void keep_nothing(void *asker)
{
	(void)asker;
}

void requests_end(void)
{
	size_t i;

	tdestroy(requests.tree, keep_nothing);
	for (i = 0; i < requests.count; i++) {
		spans_free(&requests.of[i]->queue);
		spans_free(&requests.of[i]->device);
		free(requests.of[i]->name);
		free(requests.of[i]);
	}
	free(requests.of);
	free(requests.ended);
	memset(&requests, 0, sizeof(requests));
}
