/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Runs bcoslog top in a process of its own, on a screen of the test, which keeps each picture, and with a clock of the
 * test, which goes on only while the tool waits for a key.
 */
#ifndef BCOS_TESTS_CLI_MADE_SCREEN_H
#define BCOS_TESTS_CLI_MADE_SCREEN_H

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "made_system.h"
#include "made_log.h"
#include "command.h"
#include "output/output.h"
#include "output/screen.h"

int cmd_top(int argc, char **argv);

#define SECOND 1000000000ull
#define MS 1000000ull
#define LINES 24
#define PICTURES 64

/* ---- the screen, its keys, and the clock ---------------------------------------------------- */

struct picture {
	char line[LINES][512];
	size_t shift[LINES];
	enum screen_look look[LINES];
};

/* The test and the process that runs the tool share this memory. */
static struct {
	struct picture drawn, shown[PICTURES];
	size_t pictures, waits;
	int wait[256];
	bool begun, ended;
} *screen;

/* A script has keys, and these: the tool waits in vain; a signal comes; the log grows; the screen gets 12 lines. */
enum { WAIT = SCREEN_NO_KEY, SIGNAL = 0x1000, GROW, RESIZE };

static const int *script;
static size_t height, width;
static u64 now;
/* The clock goes on by this time, in ns, each time that the tool reads it. */
static u64 tick;

static u8 bytes[1 << 20];
static size_t used, written;
static struct made made;

int clock_gettime(clockid_t clock, struct timespec *time)
{
	now += tick;
	*time = (struct timespec){ .tv_sec = (time_t)(now / SECOND), .tv_nsec = (long)(now % SECOND) };
	return 0;
}

bool screen_possible(void)
{
	return true;
}

int screen_begin(void)
{
	screen->begun = true;
	return 0;
}

void screen_end(void)
{
	screen->ended = true;
}

void screen_size(size_t *lines, size_t *columns)
{
	*lines = height;
	*columns = width;
}

void screen_line(size_t line, size_t shift, enum screen_look look)
{
	assert_true(line < LINES);
	snprintf(screen->drawn.line[line], sizeof(screen->drawn.line[line]), "%.*s", (int)output.used, output.buffer);
	screen->drawn.shift[line] = shift;
	screen->drawn.look[line] = look;
	output.used = 0;
}

void screen_show(void)
{
	assert_true(screen->pictures < PICTURES);
	screen->shown[screen->pictures++] = screen->drawn;
	memset(&screen->drawn, 0, sizeof(screen->drawn));
}

static inline void write_more(size_t size)
{
	int fd = open("log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes + written, size), size);
	close(fd);
	written += size;
}

int screen_key(int timeout)
{
	/* After the last key of the script, the tool is ended, whatever it shows. */
	int step = *script ? *script++ : SCREEN_GONE;

	if (timeout && screen->waits < 256)
		screen->wait[screen->waits++] = timeout;
	if (step == SIGNAL) {
		raise(SIGTERM);
		return SCREEN_NO_KEY;
	}
	if (step == GROW) {
		write_more(used - written);
		return SCREEN_NO_KEY;
	}
	if (step == RESIZE) {
		height = 12;
		return SCREEN_RESIZED;
	}
	if (step == WAIT && timeout > 0)
		now += (u64)timeout * MS;
	return step;
}

/* ---- the log ---------------------------------------------------------------------------------- */

static inline void add_entry(const struct bcos_entry *entry)
{
	assert_true(used + entry->size <= sizeof(bytes));
	memcpy(bytes + used, entry, entry->size);
	used += entry->size;
}

static inline void add_name(u32 process, u64 time, const char *name)
{
	add_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, process, time, name));
}

static inline void assign_cpu(u64 ms, u32 cpu, u32 process)
{
	add_entry(made_word(&made, BCOS_ASSIGN_CPU, cpu, ms * MS, process));
}

static inline void say_event(u64 ms)
{
	add_entry(made_event(&made, BCOS_GENERIC_PROCESS, 20, ms * MS, 0, 0x40, "said"));
}

/* Begins a log of two CPUs of one core, which takes 0.2 W and 0.6 W more for each busy CPU, and of processes. */
static inline void begin_log(void)
{
	static const u32 performance[] = { 1000, 700 };

	add_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 100, 300, performance, 2));
	add_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 5, 0));
	add_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 6, 0));
	add_name(0, 0, "kernel");
	add_name(10, 500 * MS, "ten");
	add_name(20, 600 * MS, "twenty");
}

/* Makes the log from 1 s to 2 s that golden/reports.cases explains, without devices. */
static inline void made_second(void)
{
	begin_log();
	add_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 700 * MS, 10));
	add_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 1, 800 * MS, BCOS_PROCESS_IDLE));
	say_event(1000);
	assign_cpu(1400, 1, 20);
	assign_cpu(1500, 0, 0);
	assign_cpu(1600, 0, 10);
	assign_cpu(1900, 0, 0);
	add_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 10, 1900 * MS, BCOS_STATUS_OWNER | 9));
	add_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 30, 1950 * MS, "thirty"));
	say_event(2000);
}

/* Makes 30 processes from 101 on. Each has CPU 0 for 1 ms more than the one before. */
static inline void made_crowd(void)
{
	char name[16];
	u64 ms = 1000;
	u32 i;

	begin_log();
	for (i = 1; i <= 30; i++) {
		snprintf(name, sizeof(name), "name-%u", 100 + i);
		add_name(100 + i, (600 + i) * MS, name);
	}
	for (i = 1; i <= 30; i++) {
		assign_cpu(ms, 0, 100 + i);
		ms += i;
	}
	assign_cpu(ms, 0, BCOS_PROCESS_IDLE);
}

/* ---- running it ---------------------------------------------------------------------------------- */

static inline int begin_screen(void **state)
{
	if (made_begin(state) || chdir(made_root))
		return -1;
	screen = mmap(NULL, sizeof(*screen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	height = 12;
	width = 80;
	now = 1000 * SECOND;
	tick = 0;
	used = written = 0;
	return screen == MAP_FAILED;
}

static inline int end_screen(void **state)
{
	munmap(screen, sizeof(*screen));
	if (chdir("/"))
		return -1;
	return made_end(state);
}

/* Runs bcoslog top with these arguments and keys.  Return: its exit status. */
static inline int run_top(const char *const *arguments, const int *keys)
{
	char *argv[16] = { (char *)"top" };
	int argc = 1, status;
	pid_t child;

	memset(screen, 0, sizeof(*screen));
	for (; *arguments; arguments++)
		argv[argc++] = (char *)*arguments;
	script = keys;
	fflush(stdout);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		/* If the tool does not end, this ends it. */
		alarm(60);
		exit(cmd_top(argc, argv));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_true(screen->begun);
	assert_true(screen->ended);
	return WEXITSTATUS(status);
}

#define ARGUMENTS(...) ((const char *const []){ __VA_ARGS__, NULL })
#define KEYS(...) ((const int []){ __VA_ARGS__, 0 })
#define TOP(arguments, keys) assert_int_equal(run_top(arguments, keys), 0)
/* Runs bcoslog top on the whole log, from its first to its last entry. */
#define TOP_OF_ALL(keys) do { write_more(used - written); TOP(ARGUMENTS("log"), keys); } while (0)

static inline const char *line_of(size_t picture, size_t line)
{
	assert_true(picture < screen->pictures);
	return screen->shown[picture].line[line];
}

#define assert_line(picture, line, expected) assert_string_equal(line_of(picture, line), expected)

/* Asserts which processes the rows of a picture have, by their first word. */
static inline void assert_rows(size_t picture, size_t line, const char *expected)
{
	char words[512] = "";

	for (; line < height - 1 && *line_of(picture, line); line++)
		snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s%.*s", *words ? " " : "",
			 (int)strcspn(line_of(picture, line), " "), line_of(picture, line));
	assert_string_equal(words, expected);
}

static inline void assert_waits(const int *waits, size_t count)
{
	size_t i;

	assert_true(screen->waits >= count);
	for (i = 0; i < count; i++)
		assert_int_equal(screen->wait[i], waits[i]);
}

#define screen_test(test) cmocka_unit_test_setup_teardown(test, begin_screen, end_screen)

#endif
