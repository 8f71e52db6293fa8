// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Comparing two logs of the same machine: see story.h. */
#include "account.h"
#include "story.h"

const char *const side_names[SIDES] = { "the module", "BPF" };
struct log logs[SIDES];
uint64_t story_from, story_until;

pid_t leave_mark(int cpu)
{
	pid_t pid = fork();

	if (pid < 0)
		give_up("fork");
	if (!pid) {
		pin_to(cpu);
		usleep(2000);
		_exit(0);
	}
	reap_child(pid, NULL);
	return pid;
}

/* ---- sequences ------------------------------------------------------------------------ */

void events_add(struct events *events, const struct bcos_entry *entry, uint32_t what)
{
	if (!(events->count & (events->count - 1)))
		events->event = grow_memory(events->event,
					    (events->count ? 2 * events->count : 1) * sizeof(*events->event));
	events->event[events->count++] = (struct event){ entry->time, entry->precision, what };
}

struct events events_of(enum side side, uint16_t type, uint32_t source, event_says says)
{
	struct events events = { 0 };
	uint32_t what;

	for_each_entry(entry, &logs[side]) {
		if (entry->type != type || entry->source != source)
			continue;
		if (!says)
			what = entry_word(entry);
		else if (!says(entry, &what))
			continue;
		events_add(&events, entry, what);
	}
	return events;
}

/* Returns the index of the first event that says @what, or the number of events. */
static size_t first_of(const struct events *events, uint32_t what)
{
	size_t i = 0;

	while (i < events->count && events->event[i].what != what)
		i++;
	return i;
}

static uint64_t time_between(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/* Returns the index of the event that is nearest to @time. */
static size_t find_nearest(const struct events *events, uint64_t time)
{
	size_t i = 0;

	while (i + 1 < events->count &&
	       time_between(events->event[i + 1].time, time) < time_between(events->event[i].time, time))
		i++;
	return i;
}

/* Is @a of one log before @b of the other log, within the precision of @b? */
static bool is_before(const struct event *a, const struct event *b)
{
	return a->time <= b->time + b->precision + 1;
}

/*
 * Do two events say the same, and is each before the third one after the other? At least @left events are left in each
 * log.
 */
static bool is_same(const struct event *x, const struct event *y, size_t left)
{
	return x->what == y->what && (left <= 3 || (is_before(x, y + 3) && is_before(y, x + 3)));
}

/*
 * Compares @count events from two places on: they have to say the same, each before the third one after it in the other
 * log.
 * Return: how many do so.
 */
static size_t count_same(const struct events *a, size_t at_a, const struct events *b, size_t at_b, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (at_a + i >= a->count || at_b + i >= b->count ||
		    !is_same(&a->event[at_a + i], &b->event[at_b + i], count - i))
			break;
	return i;
}

/* ---- what is compared ------------------------------------------------------------------ */

/* Prints a difference. */
static void note_difference(const struct events *a, size_t at_a, const struct events *b, size_t at_b)
{
	if (at_a < a->count && at_b < b->count)
		print_note("%u at %llu, %u at %llu", a->event[at_a].what, (unsigned long long)a->event[at_a].time,
			   b->event[at_b].what, (unsigned long long)b->event[at_b].time);
	else
		print_note("one log has %zu of them, the other %zu", a->count, b->count);
}

/*
 * Compares as count_same() does, but nothing tells which event of @b is the first: it is one of the nearest in time,
 * since a virtual CPU may be taken away between the two probes.
 */
static size_t same_somewhere(const struct events *a, size_t at_a, const struct events *b, size_t count)
{
	size_t middle = find_nearest(b, a->event[at_a].time), at = middle < 4 ? 0 : middle - 4, most = 0, found;

	for (; at <= middle + 4 && most < count; at++) {
		found = count_same(a, at_a, b, at, count);
		if (found > most)
			most = found;
	}
	if (most < count)
		note_difference(a, at_a + most, b, middle + most);
	return most;
}

/* ---- CPUs -------------------------------------------------------------------------------- */

/* How often the log of a side assigns a CPU to a process once more because of an interrupt between the probes. */
#define IDS 65536
static uint32_t again[SIDES][IDS];
static struct events interrupts[SIDES];

uint32_t assigned_again(enum side side, uint32_t id)
{
	return again[side][id % IDS];
}

static bool is_interrupted(enum side side, uint64_t from, uint64_t until)
{
	struct events *all = &interrupts[side];
	size_t low = 0, high, middle;

	if (!all->count)
		for_each_entry(entry, &logs[side])
			if (entry->type == BCOS_IRQ)
				events_add(all, entry, 0);
	for (high = all->count; low < high;) {
		middle = (low + high) / 2;
		if (all->event[middle].time + all->event[middle].precision < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < all->count && all->event[low].time <= until;
}

/*
 * A device may interrupt when a system call begins or ends, after the probe of one side has run and before that of the
 * other side. Then one side has assigned the CPU to the process, and the other side has assigned it to the kernel. The
 * interrupt assigns the CPU to the kernel and back only where the process has it, so this log has two assignments more.
 * They repeat the two before them and cannot be told from these, so the logs differ only where the kernel and the
 * process stop taking turns.
 *
 * Return: are the two assignments of a CPU at @at such a repetition?
 */
static bool is_again(enum side side, const struct events *events, size_t at)
{
	const struct event *event = events->event;
	size_t first = at;

	if (at < 2 || at + 1 >= events->count || event[at].what != event[at - 2].what ||
	    event[at + 1].what != event[at - 1].what ||
	    (event[at].what != BCOS_PROCESS_KERNEL && event[at + 1].what != BCOS_PROCESS_KERNEL))
		return false;
	while (first >= 2 && event[first].what == event[first - 2].what)
		first--;
	return is_interrupted(side, event[first ? first - 1 : 0].time, event[at + 1].time);
}

/* Skips two such assignments.  Return: false if the difference has another reason. */
static bool skip_again(const struct events *events, size_t *at, const size_t *end)
{
	bool is_bpf_early = events[BPF].event[at[BPF]].time < events[MODULE].event[at[MODULE]].time;
	enum side side = is_bpf_early ? BPF : MODULE;
	int i;

	/* If both events say the same, the side whose event is too early has two more. */
	for (i = 0; i < SIDES; i++, side = !side) {
		if (at[side] + 2 > end[side] || !is_again(side, &events[side], at[side]))
			continue;
		again[side][events[side].event[at[side]].what % IDS]++;
		again[side][events[side].event[at[side] + 1].what % IDS]++;
		at[side] += 2;
		return true;
	}
	return false;
}

void compare_cpu(int cpu, pid_t first, pid_t last)
{
	struct events events[SIDES];
	size_t at[SIDES], end[SIDES], begin[SIDES], left, skipped = 0;
	const struct event *mine;
	int side;

	for (side = 0; side < SIDES; side++) {
		events[side] = events_of(side, BCOS_ASSIGN_CPU, (uint32_t)cpu, NULL);
		at[side] = begin[side] = first_of(&events[side], (uint32_t)first);
		end[side] = first_of(&events[side], (uint32_t)last);
	}
	if (!make_point(at[MODULE] < end[MODULE] && end[MODULE] < events[MODULE].count && at[BPF] < end[BPF] &&
			end[BPF] < events[BPF].count, "CPU %d: both have both marks", cpu))
		return;
	mine = events[MODULE].event;
	if (mine[begin[MODULE]].time > story_from)
		story_from = mine[begin[MODULE]].time;
	if (!story_until || mine[end[MODULE]].time < story_until)
		story_until = mine[end[MODULE]].time;
	while (at[MODULE] < end[MODULE] && at[BPF] < end[BPF]) {
		left = end[MODULE] - at[MODULE] < end[BPF] - at[BPF] ? end[MODULE] - at[MODULE] : end[BPF] - at[BPF];
		if (is_same(&mine[at[MODULE]], &events[BPF].event[at[BPF]], left)) {
			at[MODULE]++;
			at[BPF]++;
		} else if (skip_again(events, at, end)) {
			skipped++;
		} else {
			note_difference(&events[MODULE], at[MODULE], &events[BPF], at[BPF]);
			break;
		}
	}
	while ((at[MODULE] < end[MODULE] || at[BPF] < end[BPF]) && skip_again(events, at, end))
		skipped++;
	/* Many such interrupts would be no accident. */
	make_point(at[MODULE] == end[MODULE] && at[BPF] == end[BPF] &&
		   skipped <= 1 + (end[MODULE] - begin[MODULE]) / 100,
		   "CPU %d: the same assignments in the same sequence "
		   "(%zu, %zu; %zu interrupts came between the probes)", cpu,
		   end[MODULE] - begin[MODULE], end[BPF] - begin[BPF], skipped);
}

static uint32_t device_of(enum side side, const char *name)
{
	const struct bcos_entry *entry = device_named(&logs[side], NULL, name);

	return entry ? entry->source : 0xFFFFFFFF;
}

static int by_what(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->what != b->what)
		return a->what < b->what ? -1 : 1;
	return a->time < b->time ? -1 : a->time > b->time;
}

/* Return: how many events from @at on say the same. */
static size_t measure_part(const struct events *events, size_t at)
{
	size_t count = 0;

	while (at + count < events->count && events->event[at + count].what == events->event[at].what)
		count++;
	return count;
}

/*
 * Events that happen on several CPUs nearly at once may be in another order in the other log. So events that say the
 * same are compared with each other, from the first one that the module has between the marks to its last one.
 */
void compare_events(struct events a, struct events b, const char *name, const char *what)
{
	struct events mine, theirs;
	size_t i, k = 0, first, count, all = 0, done = 0;
	bool there;

	qsort(a.event, a.count, sizeof(*a.event), by_what);
	qsort(b.event, b.count, sizeof(*b.event), by_what);
	for (i = 0; i < a.count; i += measure_part(&a, i)) {
		mine = (struct events){ a.event + i, measure_part(&a, i) };
		while (k < b.count && b.event[k].what < a.event[i].what)
			k++;
		there = k < b.count && b.event[k].what == a.event[i].what;
		theirs = (struct events){ b.event + k, there ? measure_part(&b, k) : 0 };
		for (first = 0; first < mine.count && mine.event[first].time < story_from; first++)
			;
		for (count = 0; first + count < mine.count && mine.event[first + count].time < story_until; count++)
			;
		all += count;
		if (count && theirs.count)
			done += same_somewhere(&mine, first, &theirs, count);
	}
	make_point(all && done == all, "%s: the same %s (%zu of %zu)", name, what, done, all);
}

void compare_device(const char *name, uint16_t type, const char *what)
{
	compare_events(events_of(MODULE, type, device_of(MODULE, name), NULL),
		       events_of(BPF, type, device_of(BPF, name), NULL), name, what);
}

void take_sides(int fd)
{
	struct bcos_status status[SIDES];
	const __u64 *lost;
	int side;

	recording_append(&logs[BPF], fd);
	logs[MODULE] = log_take();
	recording_status(&status[BPF]);
	status[MODULE] = status_of(-1);
	for (side = 0; side < SIDES; side++) {
		log_check(&logs[side], side_names[side]);
		lost = status[side].lost;
		make_point(!status[side].unnamed && !lost[BCOS_LOST_STAGING] && !lost[BCOS_LOST_NESTED],
			   "%s lost nothing (%llu, %llu, %llu unnamed)", side_names[side],
			   (unsigned long long)lost[BCOS_LOST_STAGING], (unsigned long long)lost[BCOS_LOST_NESTED],
			   (unsigned long long)status[side].unnamed);
	}
}
