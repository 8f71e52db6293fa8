// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Nothing is lost in silence: the log says what it lacks.
 *
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 rounds=1:10 timeout=90:400 also=6.1-rt,6.12-rt
 *
 * The oracle is the witness (witness.kmod), a module of its own that writes down every change of the process that a CPU
 * runs, every interrupt, birth and death. It is loaded first, and so it is called first: witness and log see an event
 * within one section with interrupts off, the witness before the log, and both stamp it with the same clock (tsc=0). So
 * an Assign CPU of the log is about the last change that the witness saw on that CPU at or before its time. No
 * tolerance is needed to find this change, and the test compares the changes between two times that it chose, entry by
 * entry. Interrupts have no CPU in the log, so the test counts them between two moments around which there are none for
 * a millisecond to each side. The kernel runs with noirqdebug, since a port that always has more to send while its
 * thread starves on a real-time kernel looks broken.
 */
#include "assignments.h"
#include "device.h"
#include "loss.h"
#include "starvation.h"

#include <dirent.h>

#define PF_KTHREAD 0x00200000

/* ---- births and deaths: the log against the witness --------------------------------------------- */

struct toll {
	uint64_t seen, logged, missing;
};

/* Counts the births or deaths that the witness saw, and those that the log has and lacks. */
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
			if (life->id != record->id)
				continue;
			if (kind == WITNESS_BIRTH ? !life->before && life->names :
						    life->dead && life->died >= record->time)
				break;
		}
		if (j == lives->count && toll.missing++ < 5)
			print_note("no %s of process %u", kind == WITNESS_BIRTH ? "birth" : "death", record->id);
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

/* ---- one round --------------------------------------------------------------------------------------- */

struct evidence {
	struct log log;
	struct testimony witness;
	struct bcos_status status;
	uint64_t begin, end;		/* ns since boot */
};

static struct evidence observe_load(const char *parameters, void (*work)(int births, int storm), int births, int storm)
{
	struct evidence evidence;
	uint32_t processes;
	int fd;

	tell_witness("reset");
	tell_witness("start");
	load_module(parameters);
	fd = open_log(O_RDONLY | O_NONBLOCK);
	be_quiet();
	flush_log(fd);
	processes = status_of(fd).processes;
	evidence.begin = now_ns(CLOCK_BOOTTIME);
	work(births, storm);
	be_quiet();
	/*
	 * The last processes have been reaped, but not all of them have left their CPUs, and perhaps not all earlier
	 * ones had.
	 */
	WAIT_FOR((flush_log(fd), status_of(fd).processes <= processes));
	evidence.end = now_ns(CLOCK_BOOTTIME);
	be_quiet();
	flush_log(fd);
	evidence.log = log_take();
	evidence.status = status_of(fd);
	tell_witness("stop");
	evidence.witness = testimony_hear();
	close(fd);
	return evidence;
}

static void dismiss_evidence(struct evidence *evidence)
{
	log_free(&evidence->log);
	testimony_free(&evidence->witness);
	unload_module();
}

static void judge_assignments(const struct evidence *evidence)
{
	struct comparison comparison;
	int cpu;

	for (cpu = 0; cpu < WITNESSED_CPUS; cpu++) {
		comparison = assignments_compare(cpu, &evidence->log, &evidence->witness, evidence->begin,
						 evidence->end);
		make_point(!comparison.wrong &&
			   comparison.entries + comparison.stated + comparison.unchanged ==
			   comparison.events + comparison.renewed,
			   "CPU %d: %zu Assign CPU + %zu stated as lost + %zu shown already "
			   "= %zu that the witness saw + %zu anew",
			   cpu, comparison.entries, comparison.stated, comparison.unchanged, comparison.events,
			   comparison.renewed);
	}
}

static uint64_t interrupts_logged(const struct log *log, uint64_t begin, uint64_t end)
{
	uint64_t logged = 0;

	for_each_entry(entry, log)
		logged += entry->type == BCOS_IRQ && entry->time >= begin && entry->time < end;
	return logged;
}

static void judge_interrupts(const struct evidence *evidence, const struct losses *losses)
{
	uint64_t begin = testimony_quiet(&evidence->witness, evidence->begin);
	uint64_t end = testimony_quiet(&evidence->witness, evidence->end);
	uint64_t seen = testimony_interrupts(&evidence->witness, begin, end);
	uint64_t logged = interrupts_logged(&evidence->log, begin, end);

	make_point(seen && logged + losses->irq == seen, "%llu IRQ + %llu stated as lost = %llu that the witness saw",
		   (unsigned long long)logged, (unsigned long long)losses->irq, (unsigned long long)seen);
}

static void judge_lives(const struct evidence *evidence)
{
	struct lives lives = lives_of(&evidence->log);
	struct toll births = toll_of(&evidence->witness, &lives, WITNESS_BIRTH, evidence->begin, evidence->end);
	struct toll deaths = toll_of(&evidence->witness, &lives, WITNESS_DEATH, evidence->begin, evidence->end);

	make_point(births.seen && !births.missing && births.seen == births.logged, "all %llu births are there",
		   (unsigned long long)births.seen);
	make_point(deaths.seen && !deaths.missing && deaths.seen == deaths.logged, "all %llu deaths are there",
		   (unsigned long long)deaths.seen);
	lives_free(&lives);
}

static void test_starved(void)
{
	struct evidence evidence = observe_load("staging_kb=64 ring_kb=32768 tsc=0", starve_log_writer, 25, 0);
	struct losses losses = losses_of(&evidence.log);

	make_point(losses.statements && losses.assign && losses.irq,
		   "a starved writer loses: %llu assignments and %llu interrupts, in %llu statements",
		   (unsigned long long)losses.assign, (unsigned long long)losses.irq,
		   (unsigned long long)losses.statements);
	make_point(!losses.life && !losses.nested, "but no births or deaths, and nothing to nesting");
	make_point(evidence.status.lost[BCOS_LOST_STAGING] == losses.assign + losses.irq && !evidence.status.unnamed,
		   "the status says the same");
	judge_assignments(&evidence);
	judge_interrupts(&evidence, &losses);
	judge_lives(&evidence);
	log_check(&evidence.log, "with losses");
	dismiss_evidence(&evidence);
}

static void test_unstarved(void)
{
	struct evidence evidence = observe_load("ring_kb=32768 tsc=0", be_ordinary, 50, 0);
	struct losses losses = losses_of(&evidence.log);
	uint64_t lost = 0;
	int i;

	for (i = 0; i < BCOS_LOST_REASONS; i++)
		lost += evidence.status.lost[i];
	make_point(!losses.statements && !lost, "with the defaults, and a writer that gets its turn, nothing is lost");
	judge_assignments(&evidence);
	judge_interrupts(&evidence, &losses);
	judge_lives(&evidence);
	log_check(&evidence.log, "without losses");
	dismiss_evidence(&evidence);
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

/* Compares the living processes of the log with /proc. */
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
			print_note("process %s \"%s\" lives in the log alone", name, lives.life[i].name);
	}
	make_point(!wrong && alive == listed, "the %d processes that live, as the log says, are the %d of /proc", alive,
		   listed);
	lives_free(&lives);
}

static uint64_t lives_missing(const struct evidence *evidence)
{
	struct lives lives = lives_of(&evidence->log);
	struct toll births = toll_of(&evidence->witness, &lives, WITNESS_BIRTH, evidence->begin, evidence->end);
	struct toll deaths = toll_of(&evidence->witness, &lives, WITNESS_DEATH, evidence->begin, evidence->end);

	lives_free(&lives);
	return births.missing + deaths.missing;
}

/* On a machine that is busy with others, the writer may get its turn between the switches and the storm. */
#define STORMS 5

static void test_overwhelmed(void)
{
	struct evidence evidence;
	struct losses losses;
	int storm = 0;

	do {
		if (storm)
			dismiss_evidence(&evidence);
		evidence = observe_load("staging_kb=64 ring_kb=32768 tsc=0", starve_log_writer, 0, 200);
		losses = losses_of(&evidence.log);
	} while (!losses.life && !lives_missing(&evidence) && ++storm < STORMS);
	make_point(losses.life, "where even births and deaths are lost, it says so (%llu)",
		   (unsigned long long)losses.life);
	compare_with_proc(&evidence.log);
	log_check(&evidence.log, "with lost births and deaths");
	dismiss_evidence(&evidence);
}

int main(void)
{
	int i, count = get_rounds(1);

	if (count_cpus() != WITNESSED_CPUS)
		skip_all("this is about a machine with %d CPUs", WITNESSED_CPUS);
	loads_begin();
	load_other("witness", "records=524288");
	for (i = 0; i < count; i++) {
		test_starved();
		test_unstarved();
	}
	test_overwhelmed();
	unload_other("witness");
	return finish_test();
}
