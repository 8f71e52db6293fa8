// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Watches quotas and stalls of control groups: see quotas.h. */
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "quotas.h"

#define MS 1000000ull
#define SECOND (1000 * MS)
/* Groups are looked for after this time. */
#define LOOK (5 * SECOND)
/* A group is watched from then on if its processes stalled for so long in that time, and a stall of a second is an event. */
#define STALL_LOOK (50 * MS)
#define STALL_READ (10 * MS)
/* The greatest number of groups that are known, of a hierarchy. The others are left out, and counted. */
#define GROUPS_MAX 4096
/* The greatest number of groups that are read each second. */
#define WATCHED_MAX 256

/*
 * What a group has done so far, in ns. A count that cannot be read, or is not since the group has no quota, is no count of 0: else
 * the next one would tell of a second what has happened since the group was made.
 */
struct done {
	u64 times, throttled, stalled[PRESSURE_KINDS];
	bool has_times, has_stalled[PRESSURE_KINDS];
};

struct group {
	char *path;
	bool seen, watched, was_read;
	u64 quota, period;
	struct done looked, read;	/* when groups were looked for, and when it was read */
	u64 read_at;
};

struct hierarchy {
	char folder[256];
	bool cpu;			/* it is version 1's of the controller cpu */
	struct group *group;		/* sorted by paths */
	size_t count, room;
	size_t met, left_out;		/* the groups that are there, and those of them that are not known or not read */
};

struct quotas {
	quotas_put put;
	void *context;
	struct hierarchy of[2];
	size_t hierarchies;
	u64 looked_at, read_at;
	bool watch;			/* some group is watched */
};

/* ---- files of groups ------------------------------------------------------------------- */

/* Reads a file of a group into @text, which ends with a zero byte.  Return: whether there is one. */
static bool read_file(const struct hierarchy *of, const char *path, const char *name, char *text, size_t size)
{
	char file[4400];
	ssize_t n;
	int fd;

	if (snprintf(file, sizeof(file), "%s%s/%s", of->folder, path, name) >= (int)sizeof(file))
		return false;
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* Return: the number after @word in the text; 0 if there is none. */
static u64 number_after(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* The files of version 2 count in microseconds; cpu.max is "20000 100000" or "max 100000". */
static void read_quota(const struct hierarchy *of, struct group *group)
{
	char text[64], *end;

	group->quota = group->period = 0;
	if (of->cpu) {
		if (read_file(of, group->path, "cpu.cfs_quota_us", text, sizeof(text)) && text[0] != '-')
			group->quota = strtoull(text, NULL, 10) * 1000;
		if (group->quota && read_file(of, group->path, "cpu.cfs_period_us", text, sizeof(text)))
			group->period = strtoull(text, NULL, 10) * 1000;
	} else if (read_file(of, group->path, "cpu.max", text, sizeof(text)) && text[0] != 'm') {
		group->quota = strtoull(text, &end, 10) * 1000;
		group->period = strtoull(end, NULL, 10) * 1000;
	}
	if (!group->quota || !group->period)
		group->quota = group->period = 0;
}

static void read_throttled(const struct hierarchy *of, const struct group *group, struct done *done)
{
	char text[1024];

	if (!group->quota || !read_file(of, group->path, "cpu.stat", text, sizeof(text)))
		return;
	done->has_times = true;
	done->times = number_after(text, "nr_throttled ");
	done->throttled = of->cpu ? number_after(text, "throttled_time ") : number_after(text, "throttled_usec ") * 1000;
}

static void read_stalls(const struct hierarchy *of, const struct group *group, struct done *done)
{
	static const char *const names[PRESSURE_KINDS] = {
		[PRESSURE_CPU] = "cpu.pressure", [PRESSURE_IO] = "io.pressure", [PRESSURE_MEMORY] = "memory.pressure",
	};
	char text[256];
	int i;

	for (i = 0; i < PRESSURE_KINDS && !of->cpu; i++) {
		done->has_stalled[i] = read_file(of, group->path, names[i], text, sizeof(text));
		if (done->has_stalled[i])
			done->stalled[i] = number_after(text, "total=") * 1000;
	}
}

static void read_done(const struct hierarchy *of, const struct group *group, struct done *done)
{
	*done = (struct done){ 0 };
	read_throttled(of, group, done);
	read_stalls(of, group, done);
}

/* Does @now count less than @then? A group of the same path was made anew. */
static bool began_anew(const struct done *now, const struct done *then)
{
	int i;

	for (i = 0; i < PRESSURE_KINDS; i++)
		if (now->has_stalled[i] && then->has_stalled[i] && now->stalled[i] < then->stalled[i])
			return true;
	return now->has_times && then->has_times && (now->times < then->times || now->throttled < then->throttled);
}

/* Sets what has happened between @then and @now, as far as both tell it. */
static void done_since(struct done *happened, const struct done *now, const struct done *then)
{
	int i;

	*happened = (struct done){ 0 };
	if (began_anew(now, then))
		return;
	if (now->has_times && then->has_times) {
		happened->times = now->times - then->times;
		happened->throttled = now->throttled - then->throttled;
	}
	for (i = 0; i < PRESSURE_KINDS; i++)
		if (now->has_stalled[i] && then->has_stalled[i])
			happened->stalled[i] = now->stalled[i] - then->stalled[i];
}

/* Did processes of the group stall for so long? */
static bool stalled(const struct done *happened, u64 least)
{
	int i;

	for (i = 0; i < PRESSURE_KINDS; i++)
		if (happened->stalled[i] >= least)
			return true;
	return false;
}

/* ---- finding groups -------------------------------------------------------------------- */

static int by_path(const void *left, const void *right)
{
	return strcmp(((const struct group *)left)->path, ((const struct group *)right)->path);
}

static void see_group(struct hierarchy *of, const char *path, size_t known)
{
	/* One that was not there before has done nothing before. */
	struct group key = { .path = (char *)path, .looked = { .has_times = true, .has_stalled = { true, true, true } } };
	struct group *group, *larger;

	if (of->met == GROUPS_MAX) {
		of->left_out++;
		return;
	}
	of->met++;
	group = known ? bsearch(&key, of->group, known, sizeof(key), by_path) : NULL;
	if (group) {
		group->seen = true;
		return;
	}
	if (of->count == of->room) {
		larger = reallocarray(of->group, 2 * of->room + 64, sizeof(*larger));
		if (!larger)
			return;
		of->group = larger;
		of->room = 2 * of->room + 64;
	}
	key.path = strdup(path);
	key.seen = true;
	if (key.path)
		of->group[of->count++] = key;
}

/* The groups are the folders, the root apart, whose counts are those of the machine. */
static void find_groups(struct hierarchy *of)
{
	char *folders[] = { of->folder, NULL };
	FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	size_t known = of->count, length = strlen(of->folder);
	FTSENT *entry;

	while (walk && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_D && entry->fts_level > 0)
			see_group(of, entry->fts_path + length, known);
	if (walk)
		fts_close(walk);
}

/* Forgets the groups that are gone, and sorts the others. */
static void keep_seen(struct hierarchy *of)
{
	size_t i, kept = 0;

	for (i = 0; i < of->count; i++) {
		if (of->group[i].seen)
			of->group[kept++] = of->group[i];
		else
			free(of->group[i].path);
	}
	of->count = kept;
	if (kept)
		qsort(of->group, kept, sizeof(*of->group), by_path);
}

static void look(struct hierarchy *of, bool first)
{
	struct done now, happened;
	size_t i, watched = 0;
	struct group *group;
	bool matters;

	for (i = 0; i < of->count; i++)
		of->group[i].seen = false;
	of->met = of->left_out = 0;
	find_groups(of);
	keep_seen(of);
	for (i = 0; i < of->count; i++) {
		group = &of->group[i];
		read_quota(of, group);
		read_done(of, group, &now);
		done_since(&happened, &now, &group->looked);
		matters = group->quota || (!first && stalled(&happened, STALL_LOOK));
		group->watched = matters && watched < WATCHED_MAX;
		watched += group->watched;
		of->left_out += matters && !group->watched;
		group->was_read &= group->watched;
		group->looked = now;
	}
}

/* ---- reading groups ---------------------------------------------------------------------- */

static void put_group(const struct quotas *quotas, const struct hierarchy *of, const struct group *group,
		      const struct done *happened, u64 span)
{
	struct pressure pressure = {
		.cpu = of->cpu, .path = group->path, .span = span, .quota = group->quota, .period = group->period,
		.times = happened->times, .throttled = happened->throttled,
	};
	size_t length = strlen(group->path);
	int i;

	/* As in other events of the log, a path that is too long lacks its beginning. */
	pressure.cut = length > BCOS_RAW_PATH_MAX;
	if (pressure.cut)
		pressure.path += length - BCOS_RAW_PATH_MAX;
	for (i = 0; i < PRESSURE_KINDS; i++)
		if (happened->stalled[i] >= STALL_READ)
			pressure.stalled[i] = happened->stalled[i];
	quotas->put(quotas->context, &pressure);
}

static void read_group(struct quotas *quotas, const struct hierarchy *of, struct group *group, u64 time)
{
	struct done now, happened;

	read_done(of, group, &now);
	done_since(&happened, &now, &group->read);
	if (group->was_read && (happened.times || happened.throttled || stalled(&happened, STALL_READ)))
		put_group(quotas, of, group, &happened, time - group->read_at);
	group->read = now;
	group->read_at = time;
	group->was_read = true;
}

void quotas_read(struct quotas *quotas, u64 now)
{
	bool first = !quotas->looked_at;
	struct hierarchy *of;
	size_t i;

	if (quotas->read_at && now - quotas->read_at < SECOND)
		return;
	quotas->read_at = now;
	quotas->watch = false;
	for (of = quotas->of; of < quotas->of + quotas->hierarchies; of++) {
		if (first || now - quotas->looked_at >= LOOK)
			look(of, first);
		for (i = 0; i < of->count; i++)
			if (of->group[i].watched) {
				read_group(quotas, of, &of->group[i], now);
				quotas->watch = true;
			}
	}
	if (first || now - quotas->looked_at >= LOOK)
		quotas->looked_at = now;
}

size_t quotas_left_out(const struct quotas *quotas)
{
	size_t at, sum = 0;

	for (at = 0; at < quotas->hierarchies; at++)
		sum += quotas->of[at].left_out;
	return sum;
}

u64 quotas_interval(const struct quotas *quotas)
{
	return quotas->watch ? SECOND : LOOK;
}

/* ---- the hierarchies --------------------------------------------------------------------- */

/* Is @word one of the words of a list with commas? */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (!strncmp(list, word, length) && (!list[length] || strchr(",\n", list[length])))
			return true;
	}
	return false;
}

/* Takes a line of /proc/self/mountinfo. A mount of only a part of a hierarchy has other paths than the log. */
static void take_mount(struct quotas *quotas, char *line)
{
	struct hierarchy *of = &quotas->of[quotas->hierarchies];
	char root[256], folder[256], kind[32], options[256];
	char *rest = strstr(line, " - ");

	if (quotas->hierarchies == 2 || !rest || sscanf(line, "%*s %*s %*s %255s %255s", root, folder) != 2 ||
	    sscanf(rest, " - %31s %*s %255s", kind, options) != 2 || strcmp(root, "/"))
		return;
	of->cpu = !strcmp(kind, "cgroup") && has_word(options, "cpu");
	if (!of->cpu && strcmp(kind, "cgroup2"))
		return;
	if (quotas->hierarchies && quotas->of[0].cpu == of->cpu)
		return;
	strcpy(of->folder, folder);
	quotas->hierarchies++;
}

static void find_mounts(struct quotas *quotas)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t room = 0;

	while (mounts && getline(&line, &room, mounts) > 0)
		take_mount(quotas, line);
	free(line);
	if (mounts)
		fclose(mounts);
}

struct quotas *quotas_open(quotas_put put, void *context)
{
	struct quotas *quotas = calloc(1, sizeof(*quotas));
	const char *folder = getenv("BCOSLOG_CGROUP");

	if (!quotas)
		return NULL;
	quotas->put = put;
	quotas->context = context;
	if (folder && strlen(folder) < sizeof(quotas->of[0].folder)) {
		strcpy(quotas->of[0].folder, folder);
		quotas->hierarchies = 1;
	} else {
		find_mounts(quotas);
	}
	if (quotas->hierarchies)
		return quotas;
	free(quotas);
	return NULL;
}

void quotas_close(struct quotas *quotas)
{
	size_t i, at;

	for (at = 0; quotas && at < quotas->hierarchies; at++) {
		for (i = 0; i < quotas->of[at].count; i++)
			free(quotas->of[at].group[i].path);
		free(quotas->of[at].group);
	}
	free(quotas);
}
