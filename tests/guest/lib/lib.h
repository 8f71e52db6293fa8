/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The guest tests share this: points in TAP, the module, processes, and the log,
 * in lib.c (the points) and a file lib_*.c for each of the others.
 *
 * A test is one process that runs in /bcos as root.  It begins with load(),
 * makes something happen, takes the log, and says by ok() what it found; it
 * ends with "unload(); return finish();".  Whatever cannot be judged at all
 * (no memory, a system call of the test itself that fails) is a die().
 *
 * Expectations never come from the module, but from wait4(), /proc, or what the
 * test itself did.
 */
#ifndef BCOS_TESTS_GUEST_LIB_H
#define BCOS_TESTS_GUEST_LIB_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bcos_evlog.h"

#define PRINTF(text, first) __attribute__((format(printf, text, first)))
#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#endif

/* ---- points --------------------------------------------------------------- */

/* One point, "ok N - TEXT" or "not ok N - TEXT".  Return: @good. */
bool ok(bool good, const char *text, ...) PRINTF(2, 3);
/* A point that this machine cannot show: "ok N - TEXT # SKIP REASON". */
void skip(const char *reason, const char *text, ...) PRINTF(2, 3);
/* "# TEXT": what a point that failed is explained by. */
void note(const char *text, ...) PRINTF(1, 2);
/* The plan.  Return: the exit status. */
int finish(void);
/* The whole test does not apply: the reason, and exit 77. */
void skip_all(const char *reason, ...) PRINTF(1, 2) __attribute__((noreturn));
/* The test itself went wrong (with errno's text, if set): exit 1.  In a child as well. */
void die(const char *text, ...) PRINTF(1, 2) __attribute__((noreturn));

/* ROUNDS of the environment, else @otherwise. */
int rounds(int otherwise);
/* FULL=1: full rounds are asked for. */
bool full(void);

/* ---- waiting for things ---------------------------------------------------- */

uint64_t now_ns(clockid_t clock);

/* How long to wait for what should be there in a moment: a minute, times SLOW of the environment. */
uint64_t patience(void);
/* As above, in ms, as poll() takes it. */
int patience_ms(void);

/* Waits until @condition is true, looking every millisecond; gives up (dies) in the end. */
#define WAIT_FOR(condition) \
	do { \
		uint64_t deadline_ = now_ns(CLOCK_MONOTONIC) + patience(); \
		while (!(condition)) { \
			if (now_ns(CLOCK_MONOTONIC) > deadline_) { \
				errno = 0; \
				die("waited for a minute and more: %s", #condition); \
			} \
			usleep(1000); \
		} \
	} while (0)

/* ---- processes ------------------------------------------------------------- */

/* A child that runs @body and, unless that ends it otherwise, exits with 0. */
pid_t spawn(void (*body)(void *), void *argument);
/* Waits for the end of a child.  Return: its status as of waitpid(); *@usage may be NULL. */
int reap(pid_t pid, struct rusage *usage);
/* Makes a program of some hundred bytes at @path that exits with the number of its arguments. */
void make_program(const char *path);
/* In a child: becomes that program, with so many arguments. */
void become(const char *path, int arguments) __attribute__((noreturn));
/* Runs a program to its end (execv; output to ours).  Return: its status as of waitpid(). */
int run(const char *path, ...) __attribute__((sentinel));
/* Return: the termination status (5.2.1) for a wait status; @user: user space sent the signal. */
uint32_t termination(int wait_status, bool user);
/* Runs on this CPU alone from now on.  False if it is not there. */
bool pin(int cpu);
/* Sleeps for @us until it was switched off for it: on a slow machine a sleep is over before it has begun. */
void sleep_off_cpu(useconds_t us);
/* Uses up this much CPU time of the calling thread. */
void burn(uint64_t ns);
/* realloc(); dies if there is no memory. */
void *grown(void *memory, size_t size);
/* CPUs that are online. */
int cpus(void);

/* ---- files -------------------------------------------------------------------- */

/* Writes a file in one go.  False with errno. */
bool write_file(const char *path, const char *text, ...) PRINTF(2, 3);
/* Can it be opened?  The node of a disk is there a moment before the disk. */
bool opens(const char *path);
/* Reads a file: at most @size - 1 bytes, zero terminated.  Return: bytes, or -1. */
ssize_t read_file(const char *path, char *to, size_t size);

/* ---- the module ------------------------------------------------------------- */

/* insmod /bcos/bcos_evlog.ko @parameters.  Return: 0 or -errno. */
int try_load(const char *parameters);
/* rmmod.  Return: 0 or -errno. */
int try_unload(void);
/* As above, but a failure ends the test, and unloading is a point. */
void load(const char *parameters);
void unload(void);
/* Nothing of the module is there: not in a list, no device, no folder in sysfs. */
bool is_gone(void);
/* The point that kmemleak, where the kernel has it, finds nothing. */
void leaks(void);

/* Opens /dev/bcos_evlog; dies if that fails. */
int open_log(int flags);
/* The status, of an open file or (-1) of one opened for it. */
struct bcos_status status_of(int fd);

/*
 * With ENGINE=bpf in the environment ("engine=bpf" in a test's header; bpf-map: without membarrier()) all of the above is of the BPF engine in this
 * process: load() begins to record, unload() ends it, descriptors serve log_append() and its like alone. In engine.c,
 * which only tests with such a header are linked with.
 */
bool by_engine(void);
void recording_begin(const char *parameters) __attribute__((weak));
void recording_end(void) __attribute__((weak));
int recording_open(void) __attribute__((weak));
void recording_status(struct bcos_status *status) __attribute__((weak));
struct log;
void recording_append(struct log *log, int fd) __attribute__((weak));

/* ---- the log ------------------------------------------------------------------ */

/* Whole entries, and some slack after them. */
#define LOG_SLACK 4096
struct log {
	char *bytes;
	size_t size;
};

/* Appends what @fd (O_NONBLOCK) has until EAGAIN, or until it gave @limit bytes (0: no limit). */
void log_append(struct log *log, int fd, uint64_t limit);
/*
 * Appends until each of @pids (0: none) that the log names has ended there too: a
 * parent learns of the end of its child a moment before the child's last switch.
 * The test itself has to notice entries that do not come within patience().
 */
void log_append_ended(struct log *log, int fd, const pid_t *pids, size_t count);
/* All that happened until now, from the oldest entry on; what happens meanwhile may be in it. */
struct log log_take(void);
/* Takes no more than the ring holds: for a log that is written to all the time. */
struct log log_snapshot(void);
void log_free(struct log *log);

/* The point that "bcoslog check" finds nothing wrong; if it does, the log stays in /out. */
bool log_check(const struct log *log, const char *what, ...) PRINTF(2, 3);
/*
 * As above without a point. Return: true if nothing is wrong; otherwise it prints notes, and keeps the log in
 * /out/@name.
 */
bool log_valid(const struct log *log, const char *name);

/* ---- where it begins ----------------------------------------------------------- */

/* Was the reader of this log overtaken? */
bool log_overtaken(const struct log *log);

/* How the stretches of a log begin: the first, and those after the reader was overtaken. */
struct beginnings {
	int whole; /* a complete group: cores, CPUs, processes, devices, what each CPU runs */
	int cut;		/* the stretch, or the log, ended within it */
	int broken;		/* explained by a note */
};

/* @seen: called, unless it is NULL, with each process that the first group names. */
struct beginnings log_beginnings(const struct log *log, void (*seen)(uint32_t process));

/* ---- entries ------------------------------------------------------------------- */

/* The next entry (NULL: from the first on); NULL at the end. */
const struct bcos_entry *entry_after(const struct log *log, const struct bcos_entry *entry);

#define for_each_entry(entry, log)                                           \
	for (const struct bcos_entry *entry = entry_after(log, NULL); entry; \
	     entry = entry_after(log, entry))

/* The next entry of this type and source after @after (NULL: from the first on). */
const struct bcos_entry *entry_find(const struct log *log, const struct bcos_entry *after,
				    uint16_t type, uint32_t source);
/* The word after the header of a fixed entry: status, process, core, bytes, or IRQ number. */
uint32_t entry_word(const struct bcos_entry *entry);
/* Name or text of an entry, zero terminated; good for seven more calls. */
const char *entry_text(const struct bcos_entry *entry);
/* Prints the entries from @from to @to (NULL: to the end) as notes, at most @limit. */
void log_print(const struct log *log, const struct bcos_entry *from, const struct bcos_entry *to,
	       int limit);

/* ---- lives --------------------------------------------------------------------- */

/* One incarnation of a process ID, as the log tells it. */
struct life {
	uint32_t id;
	uint64_t born;			/* time of the first Set Process Name */
	uint64_t died;
	uint32_t status;
	uint32_t names;			/* Set Process Name, birth included; not historical */
	uint32_t assigned;		/* Assign CPU to it, on any CPU */
	uint64_t cpu_ns;		/* from these */
	bool before;			/* it was there when the log began */
	bool dead;			/* died, status are valid */
	const struct bcos_entry *birth;	/* first Set Process Name, historical or not */
	const struct bcos_entry *first;	/* first Assign CPU to it, or NULL */
	const struct bcos_entry *end;	/* Cancel Process Name, or NULL */
	char name[64];			/* the newest */
};

struct lives {
	struct life *life;
	size_t count;
};

/* All lives, by time of birth.  Time on a CPU at the end of the log counts to the newest entry. */
struct lives lives_of(const struct log *log);
void lives_free(struct lives *lives);
/* The first life of this ID that was born in the log at @since (boot time) or later, or NULL. */
struct life *life_since(const struct lives *lives, uint32_t id, uint64_t since);

#endif
