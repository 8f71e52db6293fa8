// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Module and BPF engine side by side tell the same story: what each CPU ran, in the same sequence; births, names and
 * deaths; interrupts; packets and their bytes. Each is the other's oracle; losses there must be none.
 *
 * guest: cpus=2 memory=1024 rounds=3:30 timeout=120:300 engine=both
 * guest: cpus=8 memory=2048 rounds=2:30 timeout=200:500 engine=both full-only=yes
 *
 * Both hook the same tracepoints, one after the other in each call of it. A call makes at most three entries (a death, who
 * runs then, that it goes on in a call of the kernel), so that an event's time in one log lies before that of the third
 * one behind it in the other, as precise as each says it is.
 */
#include "lib.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define CPUS_MAX 16
#define PORT 4711

enum side { MODULE, BPF, SIDES };

static const char *const side_names[SIDES] = { "the module", "BPF" };
static struct log logs[SIDES];

/* ---- the load ------------------------------------------------------------------------ */

static void lo_up(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo" };

	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &request))
		die("lo");
	request.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &request))
		die("lo up");
	close(fd);
}

/* A process on its CPU that both logs have to show there: from it on, or up to it, they are compared. */
static pid_t mark(int cpu)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		pin(cpu);
		usleep(2000);
		_exit(0);
	}
	reap(pid, NULL);
	return pid;
}

static void talk(uint64_t until)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), i;
	char data[1400] = { 0 };

	for (i = 0; now_ns(CLOCK_MONOTONIC) < until; i++) {
		sendto(fd, data, (size_t)(i % 1300) + 1, 0, (const struct sockaddr *)&to, sizeof(to));
		if (!(i % 16))
			usleep(500);
	}
}

static void fork_all_the_time(uint64_t until, int number)
{
	static char *const arguments[] = { "/tmp/one", "1", "2", NULL };
	volatile int i;		/* vfork() */
	pid_t pid;

	for (i = 0; now_ns(CLOCK_MONOTONIC) < until; i++) {
		pid = i & 1 ? fork() : vfork();
		if (!pid) {
			if (i & 2)
				execv("/tmp/one", arguments);
			if (i & 4)
				kill(getpid(), SIGTERM);
			_exit((number + i) % 100);
		}
		reap(pid, NULL);
	}
}

static void pass_to_and_fro(uint64_t until)
{
	int there[2], back[2];
	char byte = 0;
	pid_t pid;

	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		die("pipe");
	pid = fork();
	if (!pid) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	close(there[0]);
	while (now_ns(CLOCK_MONOTONIC) < until && write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1)
		;
	close(there[1]);
	reap(pid, NULL);
}

/* Writes to the terminal, whose interrupts are a line's. */
static void make_load(int seconds)
{
	uint64_t until = now_ns(CLOCK_MONOTONIC) + (uint64_t)seconds * 1000000000;
	int workers = 2 * cpus(), i;
	pid_t pid[2 * CPUS_MAX];

	for (i = 0; i < workers; i++) {
		pid[i] = fork();
		if (pid[i] < 0)
			die("fork");
		if (pid[i])
			continue;
		if (i % 3 == 0)
			fork_all_the_time(until, i);
		else if (i % 3 == 1)
			talk(until);
		else
			pass_to_and_fro(until);
		_exit(0);
	}
	for (i = 0; i < workers; i++) {
		printf("# ................................................................\n");
		fflush(stdout);
		reap(pid[i], NULL);
	}
}

/* ---- sequences ------------------------------------------------------------------------ */

struct event {
	uint64_t time;
	uint32_t precision;
	uint32_t what;
};

struct events {
	struct event *event;
	size_t count;
};

static void add(struct events *events, const struct bcos_entry *entry)
{
	if (!(events->count & (events->count - 1)))
		events->event = grown(events->event, (events->count ? 2 * events->count : 1) * sizeof(*events->event));
	events->event[events->count++] = (struct event){ entry->time, entry->precision, entry_word(entry) };
}

/* All entries of a type about one source. */
static struct events events_of(enum side side, uint16_t type, uint32_t source)
{
	struct events events = { 0 };

	for_each_entry(entry, &logs[side])
		if (entry->type == type && entry->source == source)
			add(&events, entry);
	return events;
}

/* Where the first is that says @what; the end if none does. */
static size_t first_of(const struct events *events, uint32_t what)
{
	size_t i = 0;

	while (i < events->count && events->event[i].what != what)
		i++;
	return i;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/* Where the one is that is nearest to @time. */
static size_t nearest(const struct events *events, uint64_t time)
{
	size_t i = 0;

	while (i + 1 < events->count && apart(events->event[i + 1].time, time) < apart(events->event[i].time, time))
		i++;
	return i;
}

/* Is @a, of one log, before what came after it in the other one? */
static bool before(const struct event *a, const struct event *b)
{
	return a->time <= b->time + b->precision + 1;
}

/* @count events from two places on: the same, and each before the third one behind it in the other log.  Return: how many are. */
static size_t same(const struct events *a, size_t at_a, const struct events *b, size_t at_b, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct event *x = &a->event[at_a + i], *y = &b->event[at_b + i];

		if (at_a + i >= a->count || at_b + i >= b->count || x->what != y->what)
			break;
		if (i + 3 < count && (!before(x, y + 3) || !before(y, x + 3)))
			break;
	}
	return i;
}

/* ---- what is compared ------------------------------------------------------------------ */

static uint64_t from, until;	/* in the module's time: when all CPUs had the first mark, or one the second */

/* What they differ in. */
static void explain(const struct events *a, size_t at_a, const struct events *b, size_t at_b)
{
	if (at_a < a->count && at_b < b->count)
		note("%u at %llu, %u at %llu", a->event[at_a].what, (unsigned long long)a->event[at_a].time,
		     b->event[at_b].what, (unsigned long long)b->event[at_b].time);
	else
		note("one log has %zu of them, the other %zu", a->count, b->count);
}

/*
 * The same where nobody said which is the first there: it is one of the nearest in time, since a virtual CPU may be
 * taken away between the two probes.
 */
static size_t same_somewhere(const struct events *a, size_t at_a, const struct events *b, size_t count)
{
	size_t middle = nearest(b, a->event[at_a].time), at = middle < 4 ? 0 : middle - 4, most = 0, found;

	for (; at <= middle + 4 && most < count; at++) {
		found = same(a, at_a, b, at, count);
		if (found > most)
			most = found;
	}
	if (most < count)
		explain(a, at_a + most, b, middle + most);
	return most;
}

static void compare_cpu(int cpu, pid_t first, pid_t last)
{
	struct events a = events_of(MODULE, BCOS_ASSIGN_CPU, (uint32_t)cpu);
	struct events b = events_of(BPF, BCOS_ASSIGN_CPU, (uint32_t)cpu);
	size_t at_a = first_of(&a, (uint32_t)first), at_b = first_of(&b, (uint32_t)first);
	size_t end_a = first_of(&a, (uint32_t)last), end_b = first_of(&b, (uint32_t)last), done;

	if (!ok(at_a < end_a && end_a < a.count && at_b < end_b && end_b < b.count, "CPU %d: both have both marks", cpu))
		return;
	done = same(&a, at_a, &b, at_b, end_a - at_a);
	if (done < end_a - at_a)
		explain(&a, at_a + done, &b, at_b + done);
	ok(done == end_a - at_a && end_a - at_a == end_b - at_b, "CPU %d: the same assignments in the same sequence (%zu, %zu)",
	   cpu, end_a - at_a, end_b - at_b);
	if (a.event[at_a].time > from)
		from = a.event[at_a].time;
	if (!until || a.event[end_a].time < until)
		until = a.event[end_a].time;
}

static uint32_t device_named(enum side side, const char *name)
{
	for_each_entry(entry, &logs[side])
		if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_DEVICE_NAME && !strcmp(entry_text(entry), name))
			return entry->source;
	return 0xFFFFFFFF;
}

static int by_what(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->what != b->what)
		return a->what < b->what ? -1 : 1;
	return a->time < b->time ? -1 : a->time > b->time;
}

/* Those of events between the marks that say the same, one after the other.  Return: how many. */
static size_t part(const struct events *events, size_t at)
{
	size_t count = 0;

	while (at + count < events->count && events->event[at + count].what == events->event[at].what)
		count++;
	return count;
}

/*
 * On several CPUs nearly at once, two may be in another order there: so those that say the same are compared, from the
 * first that the module has between the marks to its last one.
 */
static void compare_device(const char *name, uint16_t type, const char *what)
{
	struct events a = events_of(MODULE, type, device_named(MODULE, name));
	struct events b = events_of(BPF, type, device_named(BPF, name)), mine, theirs;
	size_t i, k = 0, first, count, all = 0, done = 0;

	qsort(a.event, a.count, sizeof(*a.event), by_what);
	qsort(b.event, b.count, sizeof(*b.event), by_what);
	for (i = 0; i < a.count; i += part(&a, i)) {
		mine = (struct events){ a.event + i, part(&a, i) };
		while (k < b.count && b.event[k].what < a.event[i].what)
			k++;
		theirs = (struct events){ b.event + k, k < b.count && b.event[k].what == a.event[i].what ? part(&b, k) : 0 };
		for (first = 0; first < mine.count && mine.event[first].time < from; first++)
			;
		for (count = 0; first + count < mine.count && mine.event[first + count].time < until; count++)
			;
		all += count;
		if (count && theirs.count)
			done += same_somewhere(&mine, first, &theirs, count);
	}
	ok(all && done == all, "%s: the same %s (%zu of %zu)", name, what, done, all);
}

static bool is_whole(const struct life *life)
{
	return life->dead && life->born > from && life->died < until && life->birth &&
	       !(life->birth->type & BCOS_TYPE_HISTORICAL);
}

/* Of this ID, born nearly then. */
static const struct life *same_life(const struct lives *lives, const struct life *wanted)
{
	const struct life *best = NULL;
	size_t i;

	for (i = 0; i < lives->count; i++)
		if (lives->life[i].id == wanted->id && (!best || llabs((long long)(lives->life[i].born - wanted->born)) <
								llabs((long long)(best->born - wanted->born))))
			best = &lives->life[i];
	return best;
}

static void compare_lives(void)
{
	struct lives lives[SIDES] = { lives_of(&logs[MODULE]), lives_of(&logs[BPF]) };
	int side, whole, other;
	size_t i;

	for (side = 0; side < SIDES; side++) {
		whole = other = 0;
		for (i = 0; i < lives[side].count; i++) {
			const struct life *life = &lives[side].life[i], *twin;

			if (!is_whole(life))
				continue;
			whole++;
			twin = same_life(&lives[!side], life);
			if (twin && twin->dead && twin->status == life->status && twin->names == life->names &&
			    !strcmp(twin->name, life->name) && twin->assigned == life->assigned)
				continue;
			if (other++ < 5)
				note("process %u \"%s\": status 0x%x, %u names, assigned %u times; there \"%s\", 0x%x, %u, %u",
				     life->id, life->name, life->status, life->names, life->assigned,
				     twin ? twin->name : "nobody", twin ? twin->status : 0, twin ? twin->names : 0,
				     twin ? twin->assigned : 0);
		}
		ok(whole > 20 && !other, "%d processes that %s saw are the same in the other log (%d are not)", whole,
		   side_names[side], other);
	}
}

int main(void)
{
	struct bcos_status status[SIDES];
	pid_t first[CPUS_MAX], last[CPUS_MAX];
	int seconds = rounds(3), count = cpus(), cpu, fd;

	if (!recording_begin)
		skip_all("these tests were built without the BPF engine");
	make_program("/tmp/one");
	lo_up();
	recording_begin("mask=all ring_kb=65536 staging_kb=65536");
	load("mask=all ring_kb=262144 staging_kb=4096");
	fd = recording_open();
	for (cpu = 0; cpu < count; cpu++)
		first[cpu] = mark(cpu);
	make_load(seconds);
	for (cpu = 0; cpu < count; cpu++)
		last[cpu] = mark(cpu);
	recording_append(&logs[BPF], fd);
	logs[MODULE] = log_take();
	recording_status(&status[BPF]);
	status[MODULE] = status_of(-1);
	log_check(&logs[MODULE], "the module's log");
	log_check(&logs[BPF], "that of BPF");
	for (cpu = 0; cpu < SIDES; cpu++)
		ok(!status[cpu].unnamed && !status[cpu].lost[BCOS_LOST_STAGING] && !status[cpu].lost[BCOS_LOST_NESTED],
		   "%s lost nothing (%llu, %llu, %llu unnamed)", side_names[cpu],
		   (unsigned long long)status[cpu].lost[BCOS_LOST_STAGING],
		   (unsigned long long)status[cpu].lost[BCOS_LOST_NESTED], (unsigned long long)status[cpu].unnamed);
	for (cpu = 0; cpu < count; cpu++)
		compare_cpu(cpu, first[cpu], last[cpu]);
	compare_lives();
	compare_device("ttyS1", BCOS_IRQ, "interrupts");
	compare_device("lo", BCOS_DEVICE_OUTPUT, "packets sent");
	compare_device("lo", BCOS_DEVICE_INPUT, "packets received");
	recording_end();
	unload();
	return finish();
}
