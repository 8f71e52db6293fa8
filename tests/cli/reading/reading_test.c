// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * However a log reaches "bcoslog", it gives out the same entries, and finds damage at the same byte: from a file, from
 * a file that grows while it is followed, and from a pipe in pieces of any size. The logs have all kinds of entries,
 * and are many times as long as the reader's buffer, so that different entries lie across its end.
 *
 * The tool is $BCOSLOG, else $BUILD/bcoslog.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bcos_evlog.h"

#define BYTES (2u << 20)
#define DAMAGES 8
#define PATIENCE 60000	/* ms */

static char program[4096];
static char path[] = "/tmp/bcos-reading-XXXXXX";
static uint8_t tape[BYTES + 65536], output[BYTES + 65536];
static size_t length, places[DAMAGES];
static int point, bad;

static void report_point(bool good, const char *what)
{
	bad += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", ++point, what);
	fflush(stdout);
}

static __attribute__((noreturn)) void fail_with(const char *what)
{
	perror(what);
	exit(1);
}

/* Puts an entry. Seven in eight are assignments; the others are of an undefined type, and of any size. */
static void put_entry(uint64_t random)
{
	struct bcos_assign_cpu entry = { .header = { .size = sizeof(entry), .type = BCOS_ASSIGN_CPU,
						     .time = length, .precision = 1 } };

	if (random % 8 == 0) {
		entry.header.type = 0x0123;
		entry.header.size = (uint16_t)(20 + 4 * ((random >> 8) % (random % 64 ? 25 : 16000)));
	}
	memset(tape + length, 0, entry.header.size);
	memcpy(tape + length, &entry, entry.header.size < sizeof(entry) ? entry.header.size : sizeof(entry));
	length += entry.header.size;
}

/* Makes a log with @damages assignments that are too short, spread over the log. */
static void make_log(uint64_t seed, int damages)
{
	int damage = 0;

	for (length = 0; length < BYTES;) {
		if (damage < damages && length > (BYTES / DAMAGES) * (size_t)damage + 1000) {
			places[damage++] = length;
			put_entry(1);
			tape[places[damage - 1]] -= 4;
			length -= 4;
		}
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		put_entry(seed);
	}
}

static pid_t start_reader(const char *command, const char *option, const char *log, int input, int *result)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		fail_with("pipe");
	pid = fork();
	if (!pid) {
		dup2(input, STDIN_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		if (option)
			execl(program, program, command, option, log, (char *)NULL);
		execl(program, program, command, log, (char *)NULL);
		_exit(127);
	}
	if (pid < 0)
		fail_with("fork");
	close(ends[1]);
	*result = ends[0];
	return pid;
}

static void write_all(int fd, size_t from, size_t to, size_t piece)
{
	size_t n;

	for (; from < to; from += n) {
		n = to - from < piece ? to - from : piece;
		if (write(fd, tape + from, n) != (ssize_t)n)
			fail_with("write");
	}
}

/* Reads up to @most bytes, or to the end.  Return: their number. Bytes that do not come in time are missing. */
static size_t read_output(int fd, size_t at, size_t most)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	ssize_t n;

	while (at < most && poll(&ready, 1, PATIENCE) == 1) {
		n = read(fd, output + at, most - at);
		if (n <= 0)
			break;
		at += (size_t)n;
	}
	return at;
}

static int end_reader(pid_t pid, int fd)
{
	int status = -1;

	close(fd);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool is_tape(size_t got)
{
	return got == length && !memcmp(tape, output, length);
}

static void save_log(size_t bytes)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0)
		fail_with(path);
	write_all(fd, 0, bytes, bytes);
	close(fd);
}

static bool from_file(void)
{
	size_t got;
	pid_t pid;
	int fd;

	save_log(length);
	pid = start_reader("cat", NULL, path, STDIN_FILENO, &fd);
	got = read_output(fd, 0, sizeof(output));
	return !end_reader(pid, fd) && is_tape(got);
}

/* Reads from a pipe. Another process writes, since both sides would wait for each other. */
static bool from_pipe(size_t piece)
{
	int ends[2], fd;
	pid_t pid, feeder;
	size_t got;

	if (pipe(ends))
		fail_with("pipe");
	feeder = fork();
	if (!feeder) {
		write_all(ends[1], 0, length, piece);
		_exit(0);
	}
	close(ends[1]);
	pid = start_reader("cat", NULL, "-", ends[0], &fd);
	close(ends[0]);
	got = read_output(fd, 0, sizeof(output));
	waitpid(feeder, NULL, 0);
	return !end_reader(pid, fd) && is_tape(got);
}

/* Reads from a file that grows by a piece once all whole entries before have come. */
static bool from_growing(size_t piece)
{
	size_t got = 0, whole = 0, end = 0, next;
	int file, fd;
	pid_t pid;

	save_log(0);
	pid = start_reader("cat", "--follow", path, STDIN_FILENO, &fd);
	file = open(path, O_WRONLY | O_APPEND);
	while (end < length) {
		next = end + piece < length ? end + piece : length;
		write_all(file, end, next, piece);
		end = next;
		while (whole + 20 <= end && whole + *(const uint16_t *)(const void *)(tape + whole) <= end)
			whole += *(const uint16_t *)(const void *)(tape + whole);
		got = read_output(fd, got, whole);
		if (got != whole)
			break;
	}
	close(file);
	kill(pid, SIGINT);
	return !end_reader(pid, fd) && is_tape(got);
}

static bool finds_damage(void)
{
	char expected[128];
	const char *at = (const char *)output;
	int damage, fd;
	pid_t pid;

	save_log(length);
	pid = start_reader("check", "--", path, STDIN_FILENO, &fd);
	output[read_output(fd, 0, sizeof(output) - 1)] = '\0';
	for (damage = 0; at && damage < DAMAGES; damage++) {
		snprintf(expected, sizeof(expected), "byte %zu: bad-length: ", places[damage]);
		at = strstr(at, expected);
	}
	return end_reader(pid, fd) == 1 && at;
}

int main(void)
{
	static const size_t pieces[] = { 777, 4096, 65536, 131072, 1000003 };
	const char *named = getenv("BCOSLOG"), *build = getenv("BUILD");
	char what[128];
	int fd = mkstemp(path);
	uint64_t seed;
	size_t i;

	snprintf(program, sizeof(program), "%s%s", named ? named : build ? build : "build", named ? "" : "/bcoslog");
	if (fd < 0 || access(program, X_OK))
		fail_with(program);
	close(fd);
	printf("1..%zu\n", 8 + 2 * sizeof(pieces) / sizeof(pieces[0]));
	for (seed = 1; seed <= 4; seed++) {
		make_log(seed, 0);
		report_point(from_file(), "a file");
		make_log(seed, DAMAGES);
		report_point(finds_damage(), "damage in a file");
	}
	make_log(5, 0);
	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		snprintf(what, sizeof(what), "a pipe in pieces of %zu bytes", pieces[i]);
		report_point(from_pipe(pieces[i]), what);
		snprintf(what, sizeof(what), "a file that grows by %zu bytes", pieces[i]);
		report_point(from_growing(pieces[i]), what);
	}
	unlink(path);
	return bad ? 1 : 0;
}
