/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Ways to die, and whether the log tells each death as it was: code and signal have to be those that waitpid() gave,
 * and the origin (user space or kernel) has to be that of the way.
 */
#ifndef BCOS_TESTS_GUEST_DEATH_H
#define BCOS_TESTS_GUEST_DEATH_H

#include "lib.h"

enum origin { USER, KERNEL };

struct way {
	const char *what;
	void (*body)(int argument);	/* runs in the child */
	int argument;
	void (*act)(pid_t pid, int argument);	/* runs in the parent when the child is ready; or NULL */
	int act_argument;
	enum origin origin;
	int expected;	/* the signal of the death */
	bool victim;	/* an event says that the out-of-memory killer chose it */
};

struct death {
	const struct way *way;	/* NULL: the process exits */
	pid_t pid;
	int status;
	bool skipped;
};

/* The test calls this before the other functions. */
void deaths_begin(void);

/*
 * A child calls report_ready() when its parent may act. Another thread of the child can ask by is_ready() whether it
 * did.
 */
void report_ready(void);
bool is_ready(void);
void sleep_for_ever(void) __attribute__((noreturn));

/* Makes a child that dies by @death->way, and fills in the other members. */
void die_by(struct death *death);

/* Reads the log by @fd until each of these deaths is in it. */
struct log log_of_deaths(int fd, const struct death *deaths, size_t count);
/* Is this death in the log as it was? If not, notes say why. */
bool is_told(const struct log *log, const struct lives *lives, const struct death *death);
/* Makes a point for each death that has a way. @reason says why deaths are skipped. */
void judge_ways(const struct log *log, const struct death *deaths, size_t count, const char *reason);

#endif
