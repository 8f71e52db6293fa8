// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which entries of a log are shown: see filter.h. */
#include <strings.h>
#include <time.h>

#include "core/format/entry.h"

#include "bcoslog_archive.h"
#include "filter.h"
#include "names.h"
#include "output/times.h"
#include "when.h"

#define CHOICES 64
#define SECOND 1000000000u

/* Numbers and names, of which one has to fit; none: anything does. */
struct choice {
	size_t count;
	struct {
		const char *name;	/* or NULL */
		u32 id;
	} of[CHOICES];
};

static struct {
	struct choice processes, cpus, cores, devices, types;
	struct moment since, until, moment;
	u64 near;			/* what is farther from the moment is not needed; 0: all is */
	u64 position;			/* time of the newest entry that is not historical */
} filter;

static int choose(struct choice *choice, const char *option, const char *name, u32 id)
{
	if (choice->count == CHOICES) {
		complain("%s can be given %d times, and not more", option, CHOICES);
		return -1;
	}
	choice->of[choice->count].name = name;
	choice->of[choice->count++].id = id;
	return 0;
}

static int choose_text(struct choice *choice, const char *option, const char *text)
{
	u64 id;

	if (!*text) {
		complain("%s takes a number or a name, and this is empty", option);
		return -1;
	}
	if (!is_number(text))
		return choose(choice, option, text, 0);
	return parse_number(option, text, 0xFFFFFFFF, &id) ? -1 : choose(choice, option, NULL, (u32)id);
}

int filter_process(void *context, const char *text)
{
	(void)context;
	return choose_text(&filter.processes, "--process", text);
}

int filter_device(void *context, const char *text)
{
	(void)context;
	return choose_text(&filter.devices, "--device", text);
}

int filter_cpu(void *context, const char *text)
{
	u64 id;

	(void)context;
	return parse_number("--cpu", text, 0xFFFFFFFF, &id) ? -1 : choose(&filter.cpus, "--cpu", NULL, (u32)id);
}

int filter_core(void *context, const char *text)
{
	u64 id;

	(void)context;
	return parse_number("--core", text, 0xFFFFFFFF, &id) ? -1 : choose(&filter.cores, "--core", NULL, (u32)id);
}

/* "assign-cpu" is "Assign CPU", too. */
static bool is_type_name(const char *text, const char *name)
{
	for (; *text && *name; text++, name++)
		if (strncasecmp(text, name, 1) && !((*text == '-' || *text == '_') && *name == ' '))
			return false;
	return !*text && !*name;
}

int filter_type(void *context, const char *text)
{
	u64 number;
	int i;

	(void)context;
	if (text[0] >= '0' && text[0] <= '9')
		return parse_number("--type", text, 0xFFFF, &number) ? -1 :
			choose(&filter.types, "--type", NULL, (u32)number);
	for (i = 0; i < BCOS_TYPES; i++)
		if (is_type_name(text, bcos_types[i].name))
			return choose(&filter.types, "--type", NULL, bcos_types[i].type);
	complain("--type takes the name of a type of entries, such as \"Assign CPU\" (bcoslog(5) has them all), or a "
		 "number, not \"%s\"", text);
	return -1;
}

int filter_since(void *context, const char *text)
{
	(void)context;
	return parse_moment("--since", text, &filter.since);
}

int filter_until(void *context, const char *text)
{
	(void)context;
	return parse_moment("--until", text, &filter.until);
}

int filter_last(void *context, const char *text)
{
	(void)context;
	filter.since.kind = WHEN_BEFORE;
	return parse_duration("--last", text, &filter.since.ns);
}

void filter_near(u64 ns)
{
	filter.near = ns;
}

int filter_take_moment(const char *what, const char *text)
{
	return parse_moment(what, text, &filter.moment);
}

void filter_from(u64 time)
{
	if (filter.since.kind != WHEN_NONE)
		return;
	filter.since.kind = WHEN_BOOT;
	filter.since.ns = time;
}

bool filter_active(void)
{
	return filter_narrows() || filter.since.kind != WHEN_NONE || filter.until.kind != WHEN_NONE;
}

bool filter_narrows(void)
{
	return filter.processes.count || filter.cpus.count || filter.cores.count || filter.devices.count ||
	       filter.types.count;
}

/* Where a log ends. */
struct end {
	u64 boot;			/* time of its newest entry */
	u64 begin;			/* and of the oldest; neither is historical */
	struct bcoslog_wall wall;	/* what it stated last */
	bool has_wall;
	bool recorded;			/* it is a recording, which may be of several boots */
};

/* Return: 0, or -1 after a complaint. */
static int find_end(const char *path, struct end *end)
{
	struct bcoslog_error error;
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	struct bcoslog *log;

	if (!strcmp(path, "-")) {
		complain("how long before the end something is, is not known while standard input is read: save it to a "
			 "file (bcoslog cat - > FILE), and name that");
		return -1;
	}
	if (bcoslog_open(&log, path, 0, &error)) {
		complain("%s", error.text);
		return -1;
	}
	/* Damage is the end here, and said when it is read. */
	while (bcoslog_batch(log, &batch) > 0) {
		bcoslog_each(entry, &batch) {
			if (entry->type & BCOS_TYPE_HISTORICAL)
				continue;
			if (!end->boot)
				end->begin = entry->time;
			end->boot = entry->time;
			end->has_wall |= bcoslog_wall_clock(entry, &end->wall);
		}
	}
	bcoslog_close(log);
	return 0;
}

/* What a recording holds tells its index. */
static void find_recorded_end(struct bcoslog *log, struct end *end)
{
	struct bcoslog_boot boot = { .size = sizeof(boot) };
	u32 i;

	for (i = 0; bcoslog_boot(log, i, &boot) > 0; i++) {
		if (!(boot.flags & BCOSLOG_BOOT_READ))
			continue;
		if (!end->boot)
			end->begin = boot.first;
		end->boot = boot.last;
		end->wall = boot.end;
		end->has_wall = boot.end.utc;
	}
}

static u64 now(clockid_t clock)
{
	struct timespec time;

	return clock_gettime(clock, &time) ? 0 : (u64)time.tv_sec * SECOND + (u64)time.tv_nsec;
}

/* What goes on ends now. */
static void find_now(struct end *end)
{
	end->boot = end->wall.boot = now(CLOCK_BOOTTIME);
	end->wall.utc = now(CLOCK_REALTIME);
	end->has_wall = true;
}

#define DAY (86400ull * SECOND)

static void settle(struct moment *moment, const struct end *end)
{
	if (moment->kind == WHEN_BEFORE && end->recorded && end->has_wall) {
		/* Which may be in another boot. */
		u64 utc = bcoslog_wall_time(&end->wall, end->boot);

		moment->kind = WHEN_WALL;
		moment->ns = utc > moment->ns ? utc - moment->ns : 0;
	} else if (moment->kind == WHEN_BEFORE) {
		moment->kind = WHEN_BOOT;
		moment->ns = end->boot > moment->ns ? end->boot - moment->ns : 0;
	} else if (moment->kind == WHEN_CLOCK) {
		moment->kind = WHEN_WALL;
		moment->ns = last_clock(moment->ns, end->has_wall ? bcoslog_wall_time(&end->wall, end->boot) :
					now(CLOCK_REALTIME));
	}
}

/* "until 23:00" of a log that ends at 22:00 is not meant to be the day before. */
static void settle_until(const struct end *end)
{
	bool clock = filter.until.kind == WHEN_CLOCK;

	settle(&filter.until, end);
	if (!clock)
		return;
	if ((filter.since.kind == WHEN_WALL && filter.until.ns < filter.since.ns) ||
	    (end->has_wall && filter.until.ns < bcoslog_wall_time(&end->wall, end->begin)))
		filter.until.ns += DAY;
}

static bool needs_end(const struct moment *moment)
{
	return moment->kind == WHEN_BEFORE || moment->kind == WHEN_CLOCK;
}

static u32 kind_of(const struct moment *moment)
{
	return moment->kind == WHEN_NONE ? BCOSLOG_MOMENT_NONE :
	       moment->kind == WHEN_WALL ? BCOSLOG_MOMENT_WALL : BCOSLOG_MOMENT_BOOT;
}

/* Of a recording no more is read than what is asked for. */
static void set_window(struct bcoslog *log)
{
	struct bcoslog_window window = { .size = sizeof(window), .since = kind_of(&filter.since), .since_ns = filter.since.ns,
					 .until = kind_of(&filter.until), .until_ns = filter.until.ns };

	if (filter.near && !window.since) {
		window.since = kind_of(&filter.moment);
		window.since_ns = filter.moment.ns > filter.near ? filter.moment.ns - filter.near : 0;
	}
	if (filter.near && !window.until) {
		window.until = kind_of(&filter.moment);
		window.until_ns = filter.moment.ns > ~filter.near ? ~0ull : filter.moment.ns + filter.near;
	}
	bcoslog_set_window(log, &window);
}

bool filter_looks_back(void)
{
	return filter.since.kind == WHEN_BEFORE || filter.since.kind == WHEN_WALL || filter.since.kind == WHEN_CLOCK ||
	       (filter.moment.kind != WHEN_NONE && filter.moment.kind != WHEN_BOOT);
}

int filter_begin(struct run *run)
{
	enum bcoslog_kind kind = bcoslog_kind(run->log);
	struct end end = { .recorded = kind == BCOSLOG_RECORDING };

	if (needs_end(&filter.since) || needs_end(&filter.until) || needs_end(&filter.moment)) {
		if (kind == BCOSLOG_DEVICE || kind == BCOSLOG_BPF || (recorder_asked && !recorder_joined))
			end.boot = now(CLOCK_BOOTTIME);
		else if (recorder_joined)
			find_now(&end);
		else if (end.recorded)
			find_recorded_end(run->log, &end);
		else if (find_end(run->path, &end))
			return -1;
		settle(&filter.since, &end);
		settle_until(&end);
		settle(&filter.moment, &end);
	}
	if (end.recorded)
		set_window(run->log);
	wall_needed |= filter.since.kind == WHEN_WALL || filter.until.kind == WHEN_WALL ||
		       filter.moment.kind == WHEN_WALL;
	return 0;
}

static bool has_name(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && !memcmp(name, text, length);
}

/* Is it one of them?  @name may be NULL: it is not known. */
static bool is_chosen(const struct choice *choice, u32 id, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < choice->count; i++) {
		if (!choice->of[i].name) {
			if (choice->of[i].id == id)
				return true;
		} else if (name && has_name(choice->of[i].name, name, length)) {
			return true;
		}
	}
	return false;
}

static bool is_process(const struct bcoslog_state *state, u32 id)
{
	const struct bcoslog_process *process = bcoslog_process(state, id);

	return is_chosen(&filter.processes, id, process ? process->name : NULL, process ? process->name_length : 0);
}

static bool is_device(const struct bcoslog_state *state, u32 id)
{
	const struct bcoslog_device *device = bcoslog_device(state, id);

	return is_chosen(&filter.devices, id, device ? device->name : NULL, device ? device->name_length : 0);
}

bool filter_wants_process(u32 id, const char *name, size_t length)
{
	return !filter.processes.count || is_chosen(&filter.processes, id, name, length);
}

bool filter_wants_device(u32 id, const char *name, size_t length)
{
	return !filter.devices.count || is_chosen(&filter.devices, id, name, length);
}

bool filter_wants_core(u32 id)
{
	return !filter.cores.count || is_chosen(&filter.cores, id, NULL, 0);
}

bool filter_wants_cpu(u32 id, u32 core)
{
	return (!filter.cpus.count || is_chosen(&filter.cpus, id, NULL, 0)) && filter_wants_core(core);
}

bool filter_has_processes(void)
{
	return filter.processes.count;
}

bool filter_has_cpus(void)
{
	return filter.cpus.count || filter.cores.count;
}

bool filter_names_cpus(void)
{
	return filter.cpus.count;
}

bool filter_names_cores(void)
{
	return filter.cores.count;
}

bool filter_has_devices(void)
{
	return filter.devices.count;
}

bool filter_has_times(void)
{
	return filter.since.kind != WHEN_NONE || filter.until.kind != WHEN_NONE;
}

/* Does the entry give one of the names? */
static bool names_one(const struct choice *choice, const struct bcos_entry *entry)
{
	size_t i, length;
	const char *text = bcoslog_text(entry, &length);

	for (i = 0; i < choice->count; i++)
		if (choice->of[i].name && has_name(choice->of[i].name, text, length))
			return true;
	return false;
}

static bool about_process(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	const struct bcoslog_cpu *cpu;

	switch (entry->type & ~BCOS_TYPE_HISTORICAL) {
	case BCOS_ASSIGN_CPU:
		if (is_process(state, ((const struct bcos_assign_cpu *)entry)->process))
			return true;
		/* That it leaves the CPU is about it, too. */
		cpu = entry->type & BCOS_TYPE_HISTORICAL ? NULL : bcoslog_cpu(state, entry->source);
		return cpu && cpu->assigned && is_process(state, cpu->process);
	case BCOS_SET_DEVICE_NAME:
		return is_process(state, ((const struct bcos_device_name *)entry)->driver);
	case BCOS_SET_PROCESS_NAME:
		return is_process(state, entry->source) || names_one(&filter.processes, entry);
	default:
		return (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_PROCESS && is_process(state, entry->source);
	}
}

static bool about_device(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) != BCOS_SUBJECT_DEVICE)
		return false;
	return is_device(state, entry->source) ||
	       ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_DEVICE_NAME && names_one(&filter.devices, entry));
}

static bool about_cpu(const struct bcos_entry *entry)
{
	return (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_CPU && is_chosen(&filter.cpus, entry->source, NULL, 0);
}

/* Itself, or one of its CPUs: of one that comes, or comes to another core, the core that it will have. */
static bool about_core(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	const struct bcoslog_cpu *cpu;

	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_CORE)
		return filter_wants_core(entry->source);
	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) != BCOS_SUBJECT_CPU)
		return false;
	if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_CPU_ONLINE)
		return filter_wants_core(((const struct bcos_cpu_online *)entry)->core);
	cpu = bcoslog_cpu(state, entry->source);
	return cpu && filter_wants_core(cpu->core);
}

/* A type that is not historical has its historical entries with it. */
static bool of_type(const struct bcos_entry *entry)
{
	size_t i;

	for (i = 0; i < filter.types.count; i++)
		if (filter.types.of[i].id == entry->type || filter.types.of[i].id == (entry->type & ~BCOS_TYPE_HISTORICAL))
			return true;
	return false;
}

/* How @time, since boot, is to @moment.  Return: below, equal or above 0. */
static int compare(u64 time, const struct moment *moment)
{
	if (moment->kind == WHEN_WALL)
		time = bcoslog_wall_time(&wall, time);
	return time < moment->ns ? -1 : time > moment->ns;
}

bool filter_over(void)
{
	return filter.until.kind != WHEN_NONE && compare(filter.position, &filter.until) > 0;
}

/* A moment as ns since boot; what is before boot is 0. */
static u64 since_boot(const struct moment *moment)
{
	u64 boot = bcoslog_wall_time(&wall, 0);

	if (moment->kind != WHEN_WALL)
		return moment->ns;
	return moment->ns > boot ? moment->ns - boot : 0;
}

bool filter_moment(u64 *time)
{
	*time = since_boot(&filter.moment);
	return filter.moment.kind != WHEN_NONE;
}

void filter_window(u64 *since, u64 *until)
{
	*since = filter.since.kind == WHEN_NONE ? 0 : since_boot(&filter.since);
	*until = filter.until.kind == WHEN_NONE ? 0 : since_boot(&filter.until);
	/* An end at boot is an end. */
	if (filter.until.kind != WHEN_NONE && !*until)
		*until = 1;
}

bool filter_wants(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		filter.position = entry->time;
	if (filter.since.kind != WHEN_NONE && compare(filter.position, &filter.since) < 0)
		return false;
	if (filter_over())
		return false;
	if (filter.types.count && !of_type(entry))
		return false;
	if (filter.cpus.count && !about_cpu(entry))
		return false;
	if (filter.cores.count && !about_core(state, entry))
		return false;
	if (filter.devices.count && !about_device(state, entry))
		return false;
	return !filter.processes.count || about_process(state, entry);
}
