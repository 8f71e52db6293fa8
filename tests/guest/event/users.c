// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Users write no more events than the parameter user_rate lets them, by however many files and as however many users.
 * Users without a capability share one allowance, and each user with one has an allowance of its own. The log counts
 * the events that are left out, once a second and not once an event.
 *
 * guest: cpus=2 rounds=15000:150000 timeout=120:300
 *
 * The oracle is arithmetic: the events in the log and those that were left out add up to all, and those in the log are
 * as many as the rate allows in that time.
 */
#include "device.h"

#include <grp.h>

#define RATE 1000u
#define USERS 20
#define TRUSTED_SAYS 50

struct flood {
	uint32_t user;
	uint32_t id;		/* event ID */
	int count;
	bool reopens;		/* opens the device anew for each event */
};

static void become_user(uint32_t user)
{
	if (setgroups(0, NULL) || setresgid(user, user, user) || setresuid(user, user, user))
		give_up("setresuid %u", user);
}

static void be_flood(void *argument)
{
	const struct flood *flood = argument;
	char text[40];
	int i, fd = -1, length = snprintf(text, sizeof(text), "<64,%u>flood", flood->id);

	if (flood->user)
		become_user(flood->user);
	for (i = 0; i < flood->count; i++) {
		if (fd < 0)
			fd = open_log(O_WRONLY);
		if (write(fd, text, (size_t)length) != length)
			give_up("write");
		if (!flood->reopens)
			continue;
		close(fd);
		fd = -1;
	}
}

struct told {
	unsigned int said;		/* events of one ID */
	unsigned int left_out;		/* of all users without a capability */
	unsigned int statements;	/* entries that state left_out */
	unsigned int own_left_out;	/* of a user with a capability */
};

static void count_told(const struct log *log, uint32_t id, struct told *told)
{
	*told = (struct told){ 0 };
	for_each_entry(entry, log) {
		const struct bcos_generic *event = (const struct bcos_generic *)entry;
		const char *text;
		unsigned int n;

		if (entry->type != BCOS_GENERIC_PROCESS)
			continue;
		if (event->event_id == id)
			told->said++;
		if (event->event_id != BCOS_EVENT_REFUSED)
			continue;
		text = entry_text(entry);
		n = (unsigned int)strtoul(text + strlen("left out "), NULL, 10);
		if (strstr(text, "without CAP_PERFMON")) {
			told->left_out += n;
			told->statements++;
		} else {
			told->own_left_out += n;
		}
	}
}

/* Reads the log until it accounts for @all events: it states those that were left out a second later. */
static struct told await_told(const struct log *log, int fd, uint32_t id, unsigned int all)
{
	struct log *grows = (struct log *)log;
	struct told told;

	do {
		flush_log(fd);
		log_append(grows, fd, 0);
		count_told(grows, id, &told);
	} while (told.said + told.left_out + told.own_left_out < all && (usleep(50000), true));
	return told;
}

static double seconds_since(uint64_t begin)
{
	return (double)(now_ns(CLOCK_MONOTONIC) - begin) / 1e9;
}

static void judge_rate(const struct told *told, unsigned int all, double seconds)
{
	/* The events of a second may have been saved up. */
	double most = RATE * (seconds + 1) + 1;

	print_note("%u events in %.2f s: %u said, %u left out, in %u statements", all, seconds, told->said,
		   told->left_out, told->statements);
	make_point(told->said && told->said <= most, "no more is said than the rate allows (%.0f)", most);
	make_point(told->said + told->left_out == all, "what is not said is counted in the log");
	make_point(told->statements <= seconds + 3, "once a second, not once an event (%u times)", told->statements);
}

/* Floods the log as nobody, with a new file for each event. */
static void test_reopening(void)
{
	struct flood flood = { .user = 65534, .id = 5000, .count = get_rounds(15000), .reopens = true };
	struct log log = { 0 };
	struct told told;
	uint64_t begin;
	double seconds;
	int fd;

	load_module("mode=0666");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	begin = now_ns(CLOCK_MONOTONIC);
	if (reap_child(spawn_child(be_flood, &flood), NULL))
		give_up("the process that floods failed");
	seconds = seconds_since(begin);
	told = await_told(&log, fd, 5000, (unsigned int)flood.count);
	judge_rate(&told, (unsigned int)flood.count, seconds);
	log_check(&log, "the log with the flood");
	log_free(&log);
	close(fd);
	unload_module();
}

/* Floods the log as many users at the same time, while root, who may write more, writes some events. */
static void test_users(void)
{
	struct flood flood[USERS], trusted = { .id = 6000, .count = TRUSTED_SAYS };
	struct log log = { 0 };
	unsigned int i, all = 0;
	pid_t pid[USERS];
	struct told told;
	uint64_t begin;
	double seconds;
	int fd;

	load_module("mode=0666");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	begin = now_ns(CLOCK_MONOTONIC);
	for (i = 0; i < USERS; i++) {
		flood[i] = (struct flood){ .user = 100000 + i, .id = 5000, .count = get_rounds(15000) / USERS };
		all += (unsigned int)flood[i].count;
		pid[i] = spawn_child(be_flood, &flood[i]);
	}
	if (reap_child(spawn_child(be_flood, &trusted), NULL))
		give_up("root's process failed");
	for (i = 0; i < USERS; i++)
		if (reap_child(pid[i], NULL))
			give_up("a process that floods failed");
	seconds = seconds_since(begin);
	told = await_told(&log, fd, 5000, all);
	judge_rate(&told, all, seconds);
	count_told(&log, 6000, &told);
	make_point(told.said == TRUSTED_SAYS && !told.own_left_out,
		   "who has a capability is not limited by those who do not (%u said)",
		   told.said);
	log_free(&log);
	close(fd);
	unload_module();
}

/* A user with a capability has a limit of its own, too, which many open files do not extend. */
static void test_trusted(void)
{
	struct flood flood = { .id = 5000, .count = get_rounds(15000), .reopens = true };
	struct log log = { 0 };
	struct told told;
	uint64_t begin;
	double seconds;
	int fd;

	load_module("");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	begin = now_ns(CLOCK_MONOTONIC);
	if (reap_child(spawn_child(be_flood, &flood), NULL))
		give_up("the process that floods failed");
	seconds = seconds_since(begin);
	told = await_told(&log, fd, 5000, (unsigned int)flood.count);
	print_note("root: %u events in %.2f s: %u said, %u left out", (unsigned int)flood.count, seconds, told.said,
		   told.own_left_out);
	make_point(told.said && told.said <= RATE * (seconds + 1) + 1,
		   "nor does who has one say more than the rate allows");
	make_point(told.said + told.own_left_out == (unsigned int)flood.count && !told.left_out,
		   "and it is his that is left out");
	log_free(&log);
	close(fd);
	unload_module();
}

int main(void)
{
	test_reopening();
	test_users();
	test_trusted();
	return finish_test();
}
