// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The beginning: the module is loaded while processes are forked as fast as can be, so that many start, run or die
 * between its first probe and the end of its walk of the task list. The log has to have the processes that were there
 * and no others, and at the end it has to know exactly the processes that /proc shows.
 *
 * guest: cpus=2 timeout=120:600 rounds=5:100 debug-rounds=3
 */
#include "device.h"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#define PROGRAM "/tmp/exits"
#define STORMS 3
#define ALONE 8		/* rounds in which no other module uses the tracepoints */
#define RECORDS 8192
#define BEFORE_LOAD 20	/* forks of each storm that have to be over before loading */
#define AFTER_LOAD 20
#define SKEW 1000000	/* ns by which the kernel's fast clock and CLOCK_BOOTTIME may differ */
#define PF_KTHREAD 0x00200000ul

struct record {
	pid_t pid;
	int status;
	uint64_t before, after;	/* boot time around its life */
};

struct storm {
	volatile int count;
	struct record records[RECORDS];
};

struct shared {
	volatile int stop;
	struct storm storms[STORMS];
};

static struct shared *shared;

static void run_storm(void *argument)
{
	struct storm *storm = argument;
	struct record *record;
	int number;
	pid_t pid;

	for (number = 0; !shared->stop && number < RECORDS; number++) {
		record = &storm->records[number];
		record->before = now_ns(CLOCK_BOOTTIME);
		pid = fork();
		if (pid < 0)
			give_up("fork");
		if (!pid && number % 2)
			become_program(PROGRAM, number % 200);
		if (!pid) {
			prctl(PR_SET_NAME, "storm's child");
			_exit(number % 200);
		}
		record->pid = pid;
		record->status = reap_child(pid, NULL);
		record->after = now_ns(CLOCK_BOOTTIME);
		storm->count = number + 1;
	}
	WAIT_FOR(shared->stop);
}

static bool all_have(const int *since, int more)
{
	int i;

	for (i = 0; i < STORMS; i++)
		if (shared->storms[i].count < since[i] + more)
			return false;
	return true;
}

/* Is there a process of user space with this ID, and not a kernel thread? */
static bool is_user_process(pid_t pid)
{
	char path[64], text[512], *end;
	unsigned long flags = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (read_file(path, text, sizeof(text)) <= 0)
		return false;
	end = strrchr(text, ')');
	return end && sscanf(end + 2, "%*c %*d %*d %*d %*d %*d %lu", &flags) == 1 &&
	       !(flags & PF_KTHREAD);
}

static const struct life *find_living(const struct lives *lives, pid_t pid)
{
	size_t i;

	for (i = 0; i < lives->count; i++)
		if (lives->life[i].id == (uint32_t)pid && !lives->life[i].dead)
			return &lives->life[i];
	return NULL;
}

/*
 * Counts the processes of /proc that the log does not know, and the reverse. Processes that came or went since the log
 * was read count, too.
 */
static int count_differences(const struct lives *lives, bool say)
{
	DIR *folder = opendir("/proc");
	struct dirent *item;
	int count = 0;
	size_t i;

	while (folder && (item = readdir(folder))) {
		pid_t pid = atoi(item->d_name);

		if (pid > 0 && is_user_process(pid) && !find_living(lives, pid)) {
			if (say)
				print_note("process %d is alive, but not in the log", pid);
			count++;
		}
	}
	closedir(folder);
	for (i = 0; i < lives->count; i++) {
		const struct life *life = &lives->life[i];

		if (life->id && !life->dead && !is_user_process((pid_t)life->id)) {
			if (say)
				print_note("process %u \"%s\" is alive in the log alone", life->id,
					   life->name);
			count++;
		}
	}
	return count;
}

static int lives_with(const struct lives *lives, pid_t pid, const struct life **found)
{
	int count = 0;
	size_t i;

	for (i = 0; i < lives->count; i++) {
		if (lives->life[i].id != (uint32_t)pid)
			continue;
		*found = &lives->life[i];
		count++;
	}
	return count;
}

/* Judges the life of a child, which ended before the module came, was born after that, or lived in between. */
static bool judge_child(const struct lives *lives, const struct record *record, uint64_t load_begin,
			uint64_t load_end)
{
	const struct life *life = NULL;
	int count = lives_with(lives, record->pid, &life);
	bool over = record->after + SKEW < load_begin, young = record->before > load_end + SKEW;
	bool good;

	if (over)
		good = !count;
	else if (!count)
		good = !young;
	else
		good = count == 1 && life->dead &&
		       life->status == termination_of(record->status, true) &&
		       !(young && life->before);
	if (!good)
		print_note("process %d, %s: %d lives, %s, status 0x%08x, wait status 0x%x", record->pid,
			   over    ? "over before"
			   : young ? "born after"
			     : "meanwhile",
			   count, life && life->dead ? "ended" : "no end", life ? life->status : 0,
			   record->status);
	return good;
}

struct result {
	int meanwhile;	/* children whose life touched the load */
	int wrong;
	int differences;
	bool valid, clean, unloaded;
};

static void judge_load(const struct log *log, const pid_t *storms, uint64_t load_begin,
		       uint64_t load_end, struct result *result)
{
	struct lives lives = lives_of(log);
	const struct life *life = NULL;
	int i, k;

	for (i = 0; i < STORMS; i++) {
		result->wrong +=
			lives_with(&lives, storms[i], &life) != 1 || !life->before || !life->dead;
		for (k = 0; k < shared->storms[i].count; k++) {
			const struct record *record = &shared->storms[i].records[k];

			result->meanwhile +=
				record->after >= load_begin && record->before <= load_end;
			result->wrong += !judge_child(&lives, record, load_begin, load_end);
		}
	}
	lives_free(&lives);
}

/*
 * Other processes than the test's come and go, too, so a difference counts only if it stays when more of the log is
 * read.
 */
static int lasting_differences(struct log *log, int fd)
{
	int tries = 40, count;
	struct lives lives;

	do {
		log_append(log, fd, 0);
		lives = lives_of(log);
		count = count_differences(&lives, !tries);
		lives_free(&lives);
	} while (count && tries--);
	return count;
}

static void take_log(struct log *log, const pid_t *storms, struct result *result)
{
	static pid_t pids[STORMS * (RECORDS + 1)];
	struct bcos_status status;
	size_t count = 0;
	int fd, i, k;

	for (i = 0; i < STORMS; i++) {
		pids[count++] = storms[i];
		for (k = shared->storms[i].count > 4 ? shared->storms[i].count - 4 : 0;
		     k < shared->storms[i].count; k++)
			pids[count++] = shared->storms[i].records[k].pid;
	}
	fd = open_log(O_RDONLY | O_NONBLOCK);
	log_append_ended(log, fd, pids, count);
	result->differences += lasting_differences(log, fd);
	status = status_of(fd);
	close(fd);
	if (status.unnamed || status.lost[BCOS_LOST_STAGING])
		print_note("%llu unnamed, %llu lost", (unsigned long long)status.unnamed,
			   (unsigned long long)status.lost[BCOS_LOST_STAGING]);
	result->clean = result->clean && !status.unnamed && !status.lost[BCOS_LOST_STAGING];
}

static void one_round(int number, struct result *result)
{
	int none[STORMS] = { 0 }, loaded[STORMS], i;
	struct log log = { NULL, 0 };
	uint64_t load_begin, load_end;
	pid_t storms[STORMS];
	char name[32];

	memset(shared, 0, sizeof(*shared));
	for (i = 0; i < STORMS; i++)
		storms[i] = spawn_child(run_storm, &shared->storms[i]);
	WAIT_FOR(all_have(none, BEFORE_LOAD));
	load_begin = now_ns(CLOCK_BOOTTIME);
	load_module("");
	load_end = now_ns(CLOCK_BOOTTIME);
	for (i = 0; i < STORMS; i++)
		loaded[i] = shared->storms[i].count;
	WAIT_FOR(all_have(loaded, AFTER_LOAD));
	shared->stop = 1;
	for (i = 0; i < STORMS; i++)
		reap_child(storms[i], NULL);
	take_log(&log, storms, result);
	snprintf(name, sizeof(name), "onset-%d.log", number);
	result->valid = log_valid(&log, name) && result->valid;
	judge_load(&log, storms, load_begin, load_end, result);
	log_free(&log);
	result->unloaded = !try_unload() && result->unloaded;
}

int main(void)
{
	struct result result = { .valid = true, .clean = true, .unloaded = true };
	int count = get_rounds(8), i;

	make_program(PROGRAM);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		give_up("mmap");
	/* No ID may come twice. */
	if (!write_file("/proc/sys/kernel/pid_max", "4000000"))
		give_up("pid_max");
	for (i = 0; i < count; i++) {
		/* In the other rounds there are other probes at the tracepoints: bystander.kmod says why. */
		if (i == ALONE)
			load_other("bystander", "");
		one_round(i, &result);
	}
	if (count > ALONE)
		unload_other("bystander");
	make_point(result.meanwhile >= count,
		   "%d processes start, run or end while the module is loaded, in %d rounds",
		   result.meanwhile, count);
	make_point(result.valid, "bcoslog check: each of the logs");
	make_point(result.clean, "nothing is unnamed or lost");
	make_point(!result.wrong, "each process is there as it was (%d are not)", result.wrong);
	make_point(!result.differences, "the log knows the processes that /proc shows, and no others");
	make_point(result.unloaded, "the module is unloaded each time");
	return finish_test();
}
