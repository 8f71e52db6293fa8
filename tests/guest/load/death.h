/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Ways to die, and whether the log tells each death as it was: code and signal
 * have to be those that waitpid() gave, and the origin (user space or kernel)
 * the one that the way has by its nature.
 */
#ifndef BCOS_TESTS_GUEST_DEATH_H
#define BCOS_TESTS_GUEST_DEATH_H

#include "lib.h"

enum origin { USER, KERNEL };

struct way {
	const char *what;
	void (*body)(int argument);	/* in the child */
	int argument;
	void (*act)(pid_t pid, int argument);	/* in the parent, once the child is ready; or NULL */
	int act_argument;
	enum origin origin;
	int expected;	/* signal */
	bool victim;	/* an event says that the out-of-memory killer chose it */
};

struct death {
	const struct way *way;	/* NULL: exits */
	pid_t pid;
	int status;
	bool skipped;
};

/* Before all others. */
void deaths_begin(void);

/* In a child: now the parent may act.  Another thread of it can ask whether that was said. */
void ready(void);
bool is_ready(void);
void sleep_for_ever(void) __attribute__((noreturn));

/* Makes a child that dies by @death->way, and fills in the rest. */
void die_by(struct death *death);

/* All that @fd has until each of these deaths is in it. */
struct log log_of_deaths(int fd, const struct death *deaths, size_t count);
/* Is it in the log as it was?  If not, notes say why. */
bool is_told(const struct log *log, const struct lives *lives, const struct death *death);
/* A point for each death that has a way; for those that are skipped, the reason why. */
void judge_ways(const struct log *log, const struct death *deaths, size_t count, const char *reason);

#endif
