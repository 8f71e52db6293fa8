/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The guest tests share these functions: points in TAP (lib.c), and waiting, processes, files, the module and the log
 * (a file lib_*.c for each).
 *
 * A test is one process that runs in /bcos as root. It begins with load_module(), makes something happen, takes the
 * log, and says by make_point() what it found. It ends with "unload_module(); return finish_test();". If the test
 * itself cannot go on (no memory, a system call of its own that fails), it calls give_up().
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

/* Prints a point, "ok N - TEXT" or "not ok N - TEXT". Return: @good. */
bool make_point(bool good, const char *text, ...) PRINTF(2, 3);
/* Prints a point that this machine cannot test: "ok N - TEXT # SKIP REASON". */
void skip_point(const char *reason, const char *text, ...) PRINTF(2, 3);
/* Prints "# TEXT", which explains a point that failed. */
void print_note(const char *text, ...) PRINTF(1, 2);
/* Prints the plan. Return: the exit status of the test. */
int finish_test(void);
/* Skips the whole test: prints the reason, and exits with 77. */
void skip_all(const char *reason, ...) PRINTF(1, 2) __attribute__((noreturn));
/*
 * Ends a test, or its child, that has gone wrong itself: prints @text, and that of errno if it is set, and exits with
 * 1.
 */
void give_up(const char *text, ...) PRINTF(1, 2) __attribute__((noreturn));

/* Returns ROUNDS of the environment, or @otherwise. */
int get_rounds(int otherwise);
/* Does the environment ask for full rounds (FULL=1)? */
bool is_full_run(void);

/* ---- waiting for things ---------------------------------------------------- */

uint64_t now_ns(clockid_t clock);

/* Returns how long a test waits for what should happen in a moment, in ns: a minute, times SLOW of the environment. */
uint64_t patience_ns(void);
/* Returns this time in ms, as poll() takes it. */
int patience_ms(void);

/* Checks @condition every millisecond until it is true, and dies if it is still false after patience_ns(). */
#define WAIT_FOR(condition) \
	do { \
		uint64_t deadline_ = now_ns(CLOCK_MONOTONIC) + patience_ns(); \
		while (!(condition)) { \
			if (now_ns(CLOCK_MONOTONIC) > deadline_) { \
				errno = 0; \
				give_up("waited for a minute and more: %s", #condition); \
			} \
			usleep(1000); \
		} \
	} while (0)

/* ---- processes ------------------------------------------------------------- */

/* Starts a child that runs @body and then exits with 0. */
pid_t spawn_child(void (*body)(void *), void *argument);
/* Waits for the end of a child. Return: the status by wait4(). @usage may be NULL. */
int reap_child(pid_t pid, struct rusage *usage);
/* Makes a program of some hundred bytes at @path that exits with the number of its arguments. */
void make_program(const char *path);
/* In a child: executes the program of make_program(), with @arguments arguments. */
void become_program(const char *path, int arguments) __attribute__((noreturn));
/* Runs a program to its end by execv(), with the output of the test. Return: the status by wait4(). */
int run_program(const char *path, ...) __attribute__((sentinel));
/* Return: the termination status (5.2.1) for a wait status; @user: user space sent the signal. */
uint32_t termination_of(int wait_status, bool user);
/* Binds the caller to this CPU. Returns false if the CPU does not exist. */
bool pin_to(int cpu);
/*
 * Sleeps for @us until a sleep has really taken the caller off its CPU: on a slow machine a sleep may be over before it
 * begins.
 */
void sleep_off_cpu(useconds_t us);
/* Uses up this much CPU time of the calling thread. */
void burn_cpu(uint64_t ns);
/* realloc(); dies if there is no memory. */
void *grow_memory(void *memory, size_t size);
/* Returns the number of CPUs that are online. */
int count_cpus(void);

/* ---- files -------------------------------------------------------------------- */

/* Writes a file by one write(). Returns false with errno if that fails. */
bool write_file(const char *path, const char *text, ...) PRINTF(2, 3);
/* Can this file be opened? The node of a disk exists a moment before the disk. */
bool can_open(const char *path);
/* Reads at most @size - 1 bytes of a file, and adds a zero. Return: the number of bytes, or -1. */
ssize_t read_file(const char *path, char *to, size_t size);

/* ---- the module ------------------------------------------------------------- */

/* Loads /bcos/bcos_evlog.ko with @parameters. Return: 0 or -errno. */
int try_load(const char *parameters);
/* Unloads the module. Return: 0 or -errno. */
int try_unload(void);
/* Load and unload the module. The test ends if loading fails, and unloading is a point. */
void load_module(const char *parameters);
void unload_module(void);
/* Is nothing left of the module: no line in /proc/modules, no device, no folder in sysfs? */
bool is_gone(void);
/* Makes a point: kmemleak, where the kernel has it, finds nothing. */
void check_leaks(void);

/* Opens /dev/bcos_evlog; dies if that fails. */
int open_log(int flags);
/* Returns the status by an open file, or (-1) by a file that is opened for it. */
struct bcos_status status_of(int fd);

/*
 * With ENGINE=bpf in the environment ("engine=bpf" in a test's header), or bpf-map, which goes without membarrier(),
 * the functions above use the BPF engine in this process: load_module() begins to record, unload_module() ends the
 * recording, and descriptors serve only log_append() and the functions that call it. The functions recording_*() are in
 * engine.c, which only tests with such a header are linked with.
 */
bool by_engine(void);
void recording_begin(const char *parameters) __attribute__((weak));
void recording_end(void) __attribute__((weak));
int recording_open(void) __attribute__((weak));
void recording_status(struct bcos_status *status) __attribute__((weak));
struct log;
void recording_append(struct log *log, int fd) __attribute__((weak));

/* ---- the log ------------------------------------------------------------------ */

/* A log has whole entries, and LOG_SLACK bytes of memory after them. */
#define LOG_SLACK 4096
struct log {
	char *bytes;
	size_t size;
};

/* Appends what reads of @fd (O_NONBLOCK) return, until EAGAIN or until they returned @limit bytes (0: no limit). */
void log_append(struct log *log, int fd, uint64_t limit);
/*
 * Appends until each process of @pids (0: none) that the log names has ended in the log, too: a parent learns of the
 * end of its child a moment before the child's last switch. The test itself has to notice entries that do not come
 * within patience_ns().
 */
void log_append_ended(struct log *log, int fd, const pid_t *pids, size_t count);
/* Reads the log from the oldest entry up to now. Events that happen meanwhile may be in it. */
struct log log_take(void);
/* Takes no more than the ring holds: for a log that is written to all the time. */
struct log log_snapshot(void);
void log_free(struct log *log);

/* Makes a point: "bcoslog check" and "balance" find nothing wrong. If they do, the log stays in /out. */
bool log_check(const struct log *log, const char *what, ...) PRINTF(2, 3);
/*
 * Checks a log without a point. Return: true if nothing is wrong; otherwise it prints notes, and keeps the log in
 * /out/@name.
 */
bool log_valid(const struct log *log, const char *name);

/* ---- where it begins ----------------------------------------------------------- */

/* Was the reader of this log overtaken? */
bool log_overtaken(const struct log *log);

/*
 * How the stretches of a log begin: the first one, and those after the reader was overtaken. The members count
 * stretches.
 */
struct beginnings {
	int whole; /* with a complete group: cores, CPUs, processes, devices, what each CPU runs */
	int cut;		/* the stretch, or the log, ends within the group */
	int broken;		/* otherwise, which a note explains */
};

/* Judges how a log begins. @seen is called, unless it is NULL, with each process that the first group names. */
struct beginnings log_beginnings(const struct log *log, void (*seen)(uint32_t process));

/* ---- entries ------------------------------------------------------------------- */

/* Returns the entry after @entry (NULL: the first one), or NULL at the end. */
const struct bcos_entry *entry_after(const struct log *log, const struct bcos_entry *entry);

#define for_each_entry(entry, log)                                           \
	for (const struct bcos_entry *entry = entry_after(log, NULL); entry; \
	     entry = entry_after(log, entry))

/* Returns the next entry of this type and source after @after (NULL: from the first on), or NULL. */
const struct bcos_entry *entry_find(const struct log *log, const struct bcos_entry *after,
				    uint16_t type, uint32_t source);
/* Returns the word after the header of a fixed entry: status, process, core, bytes, or IRQ number. */
uint32_t entry_word(const struct bcos_entry *entry);
/* Returns the name or text of an entry, zero terminated. It is valid for seven more calls. */
const char *entry_text(const struct bcos_entry *entry);
/*
 * Writes what an event says about a thread, as "thread 8 blocked in system call 202".  Return: whether it is such an event
 * with digits alone. entry_text() returns these words, too.
 */
bool entry_thread(const struct bcos_entry *entry, char *text, size_t size);
/*
 * Do the words of an event about a thread begin with @begin; or those of the waking that the event tells of, too, as
 * "thread 8 woken by a timer"? @whole: they are @begin, and no more.
 */
bool thread_tells(const struct bcos_entry *entry, const char *begin, bool whole);
/* Is it an event of a process about the state of a thread? */
static inline bool is_thread_event(const struct bcos_entry *entry)
{
	uint32_t id = ((const struct bcos_generic *)entry)->event_id;

	return id >= BCOS_EVENT_THREAD_LEFT && id <= BCOS_EVENT_THREAD_WOKEN;
}
/*
 * Returns the texts of the events of this ID about the process, one on each line, or "". They are valid until the next
 * call. *@entry, unless @entry is NULL, becomes the last of the events.
 */
const char *event_texts(const struct log *log, pid_t pid, uint32_t event, const struct bcos_entry **entry);
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
	uint32_t names;			/* number of Set Process Name, with the birth, not historical */
	uint32_t assigned;		/* number of Assign CPU to it, on any CPU */
	uint64_t cpu_ns;		/* time on CPUs, from these */
	bool before;			/* the process existed when the log began */
	bool dead;			/* died and status are valid */
	const struct bcos_entry *birth;	/* first Set Process Name, historical or not */
	const struct bcos_entry *first;	/* first Assign CPU to it, or NULL */
	const struct bcos_entry *end;	/* Cancel Process Name, or NULL */
	char name[64];			/* the newest name */
};

struct lives {
	struct life *life;
	size_t count;
};

/*
 * Returns all lives in the order of birth. The time of a process that has a CPU at the end counts up to the newest
 * entry.
 */
struct lives lives_of(const struct log *log);
void lives_free(struct lives *lives);
/* Returns the first life of this ID that was born in the log at @since (boot time) or later, or NULL. */
struct life *life_since(const struct lives *lives, uint32_t id, uint64_t since);

#endif
