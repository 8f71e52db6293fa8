// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Nothing is lost in silence: what the log lacks, it says.
 *
 * guest: cpus=2 rounds=1:10 timeout=90:400 memory=512 rt=yes append=noirqdebug
 *
 * The oracle is the witness (witness.kmod), a module of its own that writes down every change of the process that a
 * CPU runs, every interrupt, birth and death.  It is loaded first, and so called first: both see an event within one
 * section with interrupts off, the witness before the log, and both stamp it with the same clock (tsc=0).  So an
 * Assign CPU of the log is about the last change that the witness saw on that CPU at or before its time; no tolerance
 * is needed to tell which one, and what is compared are the changes between two times that this test chose, entry by
 * entry.  Interrupts carry no CPU in the log and are counted between two moments at which there are none for 2 ms.
 * noirqdebug, since a port that always has more to send while its thread starves on a real-time kernel looks broken.
 *
 * What may differ, told apart by the entries themselves:
 *  - a process that dies is taken off its CPUs before its name is cancelled, also where the kernel goes on with
 *    another process: an Assign CPU to the kernel at the time of the cancellation, which is no change;
 *  - a change to what the log shows already is not written: after such a release, and where the newest assignment
 *    of a lost stretch, which is written after all, leads back to what was shown before the stretch;
 *  - after a process' last switch what the CPU runs is recorded anew, even if that is the kernel before and after:
 *    such a record, lost, is stated though nothing changed.  The witness tells how often that was so.  Where it was
 *    a change to the kernel, the release above shows it all the same.
 */
#include "device.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <termios.h>

#include "witness.kmod/witness.h"

#define CPUS 2
#define PF_KTHREAD 0x00200000

/* ---- the witness ------------------------------------------------------------------ */

static void witness(const char *word)
{
	if (!write_file("/proc/witness", "%s", word))
		die("%s > /proc/witness", word);
}

struct testimony {
	struct witness_record *record;
	size_t count;
	size_t begin[CPUS + 1];		/* of each CPU */
};

static struct testimony hear(void)
{
	int fd = open("/proc/witness", O_RDONLY | O_CLOEXEC), cpu = 0;
	struct testimony all = { NULL, 0, { 0 } };
	size_t room = 0, i;
	ssize_t got;

	do {
		if (room - all.count < 65536)
			all.record = realloc(all.record, (room += 262144) * sizeof(*all.record));
		if (fd < 0 || !all.record)
			die("/proc/witness");
		got = read(fd, all.record + all.count, 65536 * sizeof(*all.record));
		if (got < 0)
			die("read of /proc/witness");
		all.count += (size_t)got / sizeof(*all.record);
	} while (got);
	close(fd);
	for (i = 0; i < all.count; i++) {
		errno = 0;
		if (all.record[i].kind == WITNESS_FULL || all.record[i].cpu >= CPUS)
			die("the witness ran out of memory");
		while (cpu < all.record[i].cpu)
			all.begin[++cpu] = i;
	}
	while (cpu < CPUS)
		all.begin[++cpu] = all.count;
	return all;
}

/* ---- losses, as the log states them -------------------------------------------------- */

struct loss {
	const struct bcos_entry *entry;
	uint64_t from, until;
	uint64_t life, assign, irq, nested;
};

/* "lost 3 births and deaths, 17 assignments, 4 interrupts: staging full, until 12.345678901 s" */
static bool parse_loss(const struct bcos_entry *entry, struct loss *loss)
{
	const char *text = entry_text(entry), *at = text + 4, *until;
	unsigned long long number, fraction;
	int length;

	*loss = (struct loss){ .entry = entry, .from = entry->time };
	if (strncmp(text, "lost", 4))
		return false;
	while (sscanf(at, " %llu%n", &number, &length) == 1) {
		at += length;
		if (!strncmp(at, " births and deaths", 18))
			loss->life = number;
		else if (!strncmp(at, " assignments", 12))
			loss->assign = number;
		else if (!strncmp(at, " interrupts", 11))
			loss->irq = number;
		else if (!strncmp(at, " events", 7))
			loss->nested = number;
		else
			return false;
		at += strcspn(at, ",:");
		if (*at++ != ',')
			break;
	}
	until = strstr(text, "until ");
	if (!until || sscanf(until, "until %llu.%9llu s", &number, &fraction) != 2)
		return false;
	loss->until = number * 1000000000u + fraction;
	return true;
}

static bool is_loss(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_CPU && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_LOSS;
}

/* ---- assignments: the log against the witness, one CPU ---------------------------------- */

struct change {
	uint64_t time;
	uint32_t id;
	uint32_t shown;		/* what the log showed before it, if it is not an entry */
	bool entry;
	bool release;		/* an entry, but by a release: the change itself may be lost */
};

struct comparison {
	int cpu;
	struct change *change;
	size_t count;
	size_t events;		/* changes that the witness saw in time */
	size_t entries;		/* of these, in the log */
	size_t stated;		/* as lost */
	size_t unchanged;	/* neither, since the log showed it already */
	size_t renewed;		/* stated as lost, but no change, or shown by a release */
	size_t wrong;		/* anything else */
};

static void complain(struct comparison *comparison, const char *what, uint64_t time, uint32_t id)
{
	if (comparison->wrong++ < 5)
		note("CPU %d: %s: process %u at %llu.%09llu", comparison->cpu, what, id,
		     (unsigned long long)(time / 1000000000u), (unsigned long long)(time % 1000000000u));
}

static void gather(struct comparison *comparison, const struct testimony *all)
{
	size_t i = all->begin[comparison->cpu], end = all->begin[comparison->cpu + 1];

	comparison->change = calloc(end - i + 1, sizeof(*comparison->change));
	if (!comparison->change)
		die("no memory");
	for (; i < end; i++)
		if (all->record[i].kind == WITNESS_RUNS)
			comparison->change[comparison->count++] =
				(struct change){ .time = all->record[i].time, .id = all->record[i].id };
}

/* Is this Assign CPU to the kernel there because the name of @shown is cancelled next? */
static bool is_release(const struct log *log, const struct bcos_entry *entry, uint32_t shown)
{
	const struct bcos_entry *next = entry;

	if (entry_word(entry) != BCOS_PROCESS_KERNEL)
		return false;
	while ((next = entry_after(log, next))) {
		if (next->type & BCOS_TYPE_HISTORICAL)
			continue;
		if (next->time != entry->time)
			return false;
		if (next->type == BCOS_CANCEL_PROCESS_NAME)
			return next->source == shown;
	}
	return false;
}

static size_t renewals(const struct testimony *all, int cpu, uint64_t from, uint64_t until)
{
	size_t i, count = 0;

	for (i = all->begin[cpu]; i < all->begin[cpu + 1]; i++)
		count += all->record[i].kind == WITNESS_AGAIN && all->record[i].time >= from &&
			 all->record[i].time <= until;
	return count;
}

/* Each entry finds its change; what no entry found keeps what was shown instead. */
static void match(struct comparison *comparison, const struct log *log)
{
	const struct bcos_entry *entry = NULL;
	uint32_t shown = WITNESS_NOBODY;
	size_t next = 0;
	bool release;

	while ((entry = entry_find(log, entry, BCOS_ASSIGN_CPU, (uint32_t)comparison->cpu))) {
		for (; next < comparison->count && comparison->change[next].time <= entry->time; next++)
			comparison->change[next].shown = shown;
		release = is_release(log, entry, shown);
		if (next && !comparison->change[next - 1].entry && comparison->change[next - 1].id == entry_word(entry)) {
			comparison->change[next - 1].entry = true;
			comparison->change[next - 1].release = release;
		} else if (!release) {
			complain(comparison, "the log has what did not happen", entry->time, entry_word(entry));
		}
		shown = entry_word(entry);
	}
	for (; next < comparison->count; next++)
		comparison->change[next].shown = shown;
}

/* Changes from @from on, up to @until, that are no entries, against what was stated for since then. */
static size_t settle(struct comparison *comparison, const struct testimony *all, size_t from, uint64_t since,
		     uint64_t until, uint64_t stated)
{
	size_t missing = 0, unchanged = 0, shown = renewals(all, comparison->cpu, since, until), i;

	for (i = from; i < comparison->count && comparison->change[i].time <= until; i++) {
		missing += !comparison->change[i].entry;
		unchanged += !comparison->change[i].entry && comparison->change[i].shown == comparison->change[i].id;
		shown += comparison->change[i].release;
	}
	comparison->events += i - from;
	comparison->entries += i - from - missing;
	comparison->stated += stated;
	if (missing < stated && stated - missing <= shown)
		comparison->renewed += stated - missing;
	else if (missing < stated)
		complain(comparison, "more is stated as lost than is missing", until, (uint32_t)(stated - missing));
	else if (missing - stated > unchanged)
		complain(comparison, "more is missing than is stated as lost", until, (uint32_t)(missing - stated));
	else
		comparison->unchanged += missing - stated;
	return i;
}

static void compare(struct comparison *comparison, const struct log *log, const struct testimony *all,
		    uint64_t begin, uint64_t end)
{
	uint64_t since = begin;
	struct loss loss;
	size_t at = 0;

	gather(comparison, all);
	match(comparison, log);
	while (at < comparison->count && comparison->change[at].time < begin)
		at++;
	for_each_entry(entry, log) {
		if (entry->source != (uint32_t)comparison->cpu || !is_loss(entry))
			continue;
		errno = 0;
		if (!parse_loss(entry, &loss))
			die("what does this loss say: \"%s\"", entry_text(entry));
		if (loss.from < begin || loss.until > end)
			complain(comparison, "a loss while nothing happened", loss.from, 0);
		at = settle(comparison, all, at, since, loss.until, loss.assign);
		since = loss.until;
	}
	settle(comparison, all, at, since, end, 0);
	free(comparison->change);
}

/* ---- interrupts, births and deaths: all CPUs -------------------------------------------------- */

struct losses {
	uint64_t statements, life, assign, irq, nested;
};

static struct losses losses_of(const struct log *log)
{
	struct losses sum = { 0 };
	struct loss loss;

	for_each_entry(entry, log) {
		if (!is_loss(entry) || !parse_loss(entry, &loss))
			continue;
		sum.statements++;
		sum.life += loss.life;
		sum.assign += loss.assign;
		sum.irq += loss.irq;
		sum.nested += loss.nested;
	}
	return sum;
}

/* The first moment from @time on around which the witness saw no interrupt for a millisecond to each side. */
static uint64_t quiet_from(const struct testimony *all, uint64_t time)
{
	const uint64_t side = 1000000;
	size_t i;

again:
	for (i = 0; i < all->count; i++) {
		if (all->record[i].kind == WITNESS_INTERRUPT && all->record[i].time + side > time &&
		    all->record[i].time < time + side) {
			time = all->record[i].time + side;
			goto again;
		}
	}
	return time;
}

static uint64_t interrupts_seen(const struct testimony *all, uint64_t begin, uint64_t end)
{
	uint64_t seen = 0;
	size_t i;

	for (i = 0; i < all->count; i++)
		seen += all->record[i].kind == WITNESS_INTERRUPT && all->record[i].time >= begin &&
			all->record[i].time < end;
	return seen;
}

static uint64_t interrupts_logged(const struct log *log, uint64_t begin, uint64_t end)
{
	uint64_t logged = 0;

	for_each_entry(entry, log)
		logged += entry->type == BCOS_IRQ && entry->time >= begin && entry->time < end;
	return logged;
}

struct toll {
	uint64_t seen, logged, missing;
};

/* Births or deaths that the witness saw, and whether the log has each of them. */
static struct toll toll_of(const struct testimony *all, const struct lives *lives, enum witness_kind kind,
			   uint64_t begin, uint64_t end)
{
	struct toll toll = { 0, 0, 0 };
	const struct witness_record *record;
	const struct life *life;
	size_t i, j;

	for (i = 0; i < all->count; i++) {
		record = &all->record[i];
		if (record->kind != kind || record->time < begin || record->time >= end)
			continue;
		toll.seen++;
		for (j = 0; j < lives->count; j++) {
			life = &lives->life[j];
			if (life->id == record->id && (kind == WITNESS_BIRTH ? !life->before && life->names :
									       life->dead && life->died >= record->time))
				break;
		}
		if (j == lives->count && toll.missing++ < 5)
			note("no %s of process %u", kind == WITNESS_BIRTH ? "birth" : "death", record->id);
	}
	for (j = 0; j < lives->count; j++) {
		life = &lives->life[j];
		if (kind == WITNESS_BIRTH)
			toll.logged += !life->before && life->born >= begin && life->born < end;
		else
			toll.logged += life->dead && life->died >= begin && life->died < end;
	}
	return toll;
}

/* ---- loads --------------------------------------------------------------------------------------- */

static int serial = -1;

/* Makes interrupts: the port asks for more after each 16 bytes. */
static void make_interrupts(void)
{
	static const char line[] = "...............................................................\n";

	if (write(serial, line, sizeof(line) - 1) < 0 && errno != EAGAIN)
		die("write to the serial port");
}

/* More than twice what 64 KiB of staging hold. */
#define SWITCHES 9000

/* Shared by all: how often each CPU's hogs have taken turns, and whose turn it was last. */
static volatile uint32_t *switched;
static volatile bool hog_was_last[CPUS];

struct hog {
	int cpu;
	int births;		/* while it switches */
	int storm;		/* and after that, all at once */
};

static bool all_have_switched(void)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		if (switched[cpu] < SWITCHES)
			return false;
	return true;
}

static void be_born(void *argument)
{
	_exit(7);
}

/* 0: no longer. */
static void be_real_time(int priority)
{
	struct sched_param parameter = { .sched_priority = priority };

	if (sched_setscheduler(0, priority ? SCHED_FIFO : SCHED_OTHER, &parameter))
		die("sched_setscheduler %d", priority);
}

/*
 * Two processes on each CPU, at one real-time priority: each yields to the other, and to nobody below.  Those that
 * have done so often enough keep their CPU until all have.
 */
static void yield_to_the_other(const struct hog *hog, bool is_hog)
{
	if (switched[hog->cpu] >= SWITCHES)
		return;
	/* The other one may wait for something, and then nothing was switched. */
	if (hog_was_last[hog->cpu] != is_hog)
		switched[hog->cpu]++;
	hog_was_last[hog->cpu] = is_hog;
	sched_yield();
}

static int be_one(void *argument)
{
	const struct hog *hog = argument;
	unsigned int round = 0;

	while (!all_have_switched()) {
		if (round++ % 64 == 0)
			make_interrupts();
		yield_to_the_other(hog, false);
	}
	return 0;
}

static void be_hog(void *argument)
{
	struct hog *hog = argument;
	uint32_t born = 0;

	if (!pin(hog->cpu))
		die("pin to CPU %d", hog->cpu);
	be_real_time(10);
	clone_process(be_one, hog);
	while (!all_have_switched()) {
		if (switched[hog->cpu] * (uint32_t)hog->births > born * SWITCHES) {
			reap(spawn(be_born, NULL), NULL);
			born++;
		}
		yield_to_the_other(hog, true);
	}
	/* Without waiting for any of them, so that this CPU is never idle. */
	signal(SIGCHLD, SIG_IGN);
	for (born = 0; born < (uint32_t)hog->storm; born++) {
		spawn(be_born, NULL);
		sched_yield();
	}
}

/* Below the hogs, above the writer: runs where a hog waits for a lock, so that the writer does not. */
static void be_lid(void *argument)
{
	uint64_t enough = now_ns(CLOCK_MONOTONIC) + 10000000000u;

	if (!pin(*(int *)argument))
		die("pin to CPU %d", *(int *)argument);
	be_real_time(5);
	while (now_ns(CLOCK_MONOTONIC) < enough)
		;
}

static void starve(int births, int storm)
{
	pid_t pid[CPUS], lid[CPUS];
	struct hog hog[CPUS];
	int status, i;

	/* The hogs begin where this is, above what they will be, or the first ones would keep the others from beginning. */
	be_real_time(20);
	if (!write_file("/proc/sys/kernel/sched_rt_runtime_us", "-1"))
		die("sched_rt_runtime_us");
	for (i = 0; i < CPUS; i++) {
		switched[i] = 0;
		hog[i] = (struct hog){ i, births, storm };
	}
	for (i = 0; i < CPUS; i++) {
		lid[i] = spawn_bound(be_lid, &hog[i].cpu);
		pid[i] = spawn_bound(be_hog, &hog[i]);
	}
	for (i = 0; i < CPUS; i++)
		if (reap(pid[i], NULL))
			die("a hog failed");
	for (i = 0; i < CPUS; i++)
		end(lid[i]);
	/* Their clones are children of ours, too. */
	while (wait(&status) > 0)
		if (status)
			die("a hog failed: wait status 0x%x", status);
	be_real_time(0);
	if (!write_file("/proc/sys/kernel/sched_rt_runtime_us", "950000"))
		die("sched_rt_runtime_us");
}

/* As much as a machine does whose processes wait for each other all the time, and the writer gets its turn. */
static void be_ordinary(int births, int storm)
{
	struct switcher switcher[CPUS];
	int i;

	for (i = 0; i < CPUS; i++)
		switcher[i] = switcher_start(i);
	for (i = 0; i < births; i++) {
		reap(spawn(be_born, NULL), NULL);
		make_interrupts();
	}
	for (i = 0; i < CPUS; i++)
		switcher_stop(&switcher[i]);
}

/* Until the port has sent what it was given, and a moment longer. */
static void be_quiet(void)
{
	char before[16384], after[16384];

	tcdrain(serial);
	do {
		read_file("/proc/interrupts", before, sizeof(before));
		usleep(5000);
		read_file("/proc/interrupts", after, sizeof(after));
		/* The local timer's figures change all the time: only the numbered lines count. */
		*strstr(before, "NMI:") = *strstr(after, "NMI:") = '\0';
	} while (strcmp(before, after));
}

/* ---- one round --------------------------------------------------------------------------------------- */

struct evidence {
	struct log log;
	struct testimony witness;
	struct bcos_status status;
	uint64_t begin, end;		/* ns since boot */
};

static struct evidence observe(const char *parameters, void (*work)(int births, int storm), int births, int storm)
{
	struct evidence evidence;
	uint32_t processes;
	int fd;

	witness("reset");
	witness("start");
	load(parameters);
	fd = open_log(O_RDONLY | O_NONBLOCK);
	be_quiet();
	flush_log(fd);
	processes = status_of(fd).processes;
	evidence.begin = now_ns(CLOCK_BOOTTIME);
	work(births, storm);
	be_quiet();
	/* The last ones to die have been reaped, but not all of them have left their CPUs; nor perhaps had others before. */
	WAIT_FOR((flush_log(fd), status_of(fd).processes <= processes));
	evidence.end = now_ns(CLOCK_BOOTTIME);
	be_quiet();
	flush_log(fd);
	evidence.log = log_take();
	evidence.status = status_of(fd);
	witness("stop");
	evidence.witness = hear();
	close(fd);
	return evidence;
}

static void dismiss(struct evidence *evidence)
{
	log_free(&evidence->log);
	free(evidence->witness.record);
	unload();
}

static void judge_assignments(const struct evidence *evidence)
{
	struct comparison comparison;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		comparison = (struct comparison){ .cpu = cpu };
		compare(&comparison, &evidence->log, &evidence->witness, evidence->begin, evidence->end);
		ok(!comparison.wrong &&
		   comparison.entries + comparison.stated + comparison.unchanged ==
			   comparison.events + comparison.renewed,
		   "CPU %d: %zu Assign CPU + %zu stated as lost + %zu shown already = %zu that the witness saw + %zu anew",
		   cpu, comparison.entries, comparison.stated, comparison.unchanged, comparison.events,
		   comparison.renewed);
	}
}

static void judge_interrupts(const struct evidence *evidence, const struct losses *losses)
{
	uint64_t begin = quiet_from(&evidence->witness, evidence->begin);
	uint64_t end = quiet_from(&evidence->witness, evidence->end);
	uint64_t seen = interrupts_seen(&evidence->witness, begin, end);
	uint64_t logged = interrupts_logged(&evidence->log, begin, end);

	ok(seen && logged + losses->irq == seen, "%llu IRQ + %llu stated as lost = %llu that the witness saw",
	   (unsigned long long)logged, (unsigned long long)losses->irq, (unsigned long long)seen);
}

static void judge_lives(const struct evidence *evidence)
{
	struct lives lives = lives_of(&evidence->log);
	struct toll births = toll_of(&evidence->witness, &lives, WITNESS_BIRTH, evidence->begin, evidence->end);
	struct toll deaths = toll_of(&evidence->witness, &lives, WITNESS_DEATH, evidence->begin, evidence->end);

	ok(births.seen && !births.missing && births.seen == births.logged, "all %llu births are there",
	   (unsigned long long)births.seen);
	ok(deaths.seen && !deaths.missing && deaths.seen == deaths.logged, "all %llu deaths are there",
	   (unsigned long long)deaths.seen);
	lives_free(&lives);
}

static void starved(void)
{
	struct evidence evidence = observe("staging_kb=64 ring_kb=32768 tsc=0", starve, 25, 0);
	struct losses losses = losses_of(&evidence.log);

	ok(losses.statements && losses.assign && losses.irq,
	   "a starved writer loses: %llu assignments and %llu interrupts, in %llu statements",
	   (unsigned long long)losses.assign, (unsigned long long)losses.irq, (unsigned long long)losses.statements);
	ok(!losses.life && !losses.nested, "but no births or deaths, and nothing to nesting");
	ok(evidence.status.lost[BCOS_LOST_STAGING] == losses.assign + losses.irq && !evidence.status.unnamed,
	   "the status says the same");
	judge_assignments(&evidence);
	judge_interrupts(&evidence, &losses);
	judge_lives(&evidence);
	log_check(&evidence.log, "with losses");
	dismiss(&evidence);
}

static void unstarved(void)
{
	struct evidence evidence = observe("ring_kb=32768 tsc=0", be_ordinary, 50, 0);
	struct losses losses = losses_of(&evidence.log);
	uint64_t lost = 0;
	int i;

	for (i = 0; i < BCOS_LOST_REASONS; i++)
		lost += evidence.status.lost[i];
	ok(!losses.statements && !lost, "with the defaults, and a writer that gets its turn, nothing is lost");
	judge_assignments(&evidence);
	judge_interrupts(&evidence, &losses);
	judge_lives(&evidence);
	log_check(&evidence.log, "without losses");
	dismiss(&evidence);
}

/* ---- births and deaths lost, too ------------------------------------------------------------------------ */

static bool is_process(const char *name)
{
	char path[300], text[600], *at;
	unsigned int flags;

	snprintf(path, sizeof(path), "/proc/%s/stat", name);
	if (name[0] < '1' || name[0] > '9' || read_file(path, text, sizeof(text)) <= 0)
		return false;
	at = strrchr(text, ')');
	return at && sscanf(at, ") %*c %*d %*d %*d %*d %*d %u", &flags) == 1 && !(flags & PF_KTHREAD);
}

/* What lives, as the log tells it, against /proc. */
static void compare_with_proc(const struct log *log)
{
	struct lives lives = lives_of(log);
	int listed = 0, alive = 0, wrong = 0;
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	char name[20];
	size_t i;

	while (processes && (entry = readdir(processes)))
		listed += is_process(entry->d_name);
	closedir(processes);
	for (i = 0; i < lives.count; i++) {
		if (lives.life[i].dead || lives.life[i].id == BCOS_PROCESS_KERNEL)
			continue;
		alive++;
		snprintf(name, sizeof(name), "%u", lives.life[i].id);
		if (!is_process(name) && wrong++ < 5)
			note("process %s \"%s\" lives in the log alone", name, lives.life[i].name);
	}
	ok(!wrong && alive == listed, "the %d processes that live, as the log says, are the %d of /proc", alive, listed);
	lives_free(&lives);
}

static void overwhelmed(void)
{
	struct evidence evidence = observe("staging_kb=64 ring_kb=32768 tsc=0", starve, 0, 200);
	struct losses losses = losses_of(&evidence.log);

	ok(losses.life, "where even births and deaths are lost, it says so (%llu)", (unsigned long long)losses.life);
	compare_with_proc(&evidence.log);
	log_check(&evidence.log, "with lost births and deaths");
	dismiss(&evidence);
}

int main(void)
{
	int i, count = rounds(1);

	if (cpus() != CPUS)
		skip_all("this is about a machine with %d CPUs", CPUS);
	serial = open("/dev/ttyS0", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (serial < 0)
		die("/dev/ttyS0");
	switched = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (switched == MAP_FAILED)
		die("mmap");
	load_other("witness", "records=524288");
	for (i = 0; i < count; i++) {
		starved();
		unstarved();
	}
	overwhelmed();
	unload_other("witness");
	return finish();
}
