// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The file of what has arrived: see state.h. It is text: a line for the format, one for the server and one for the recording, one for
 * each boot and each process after it, and a last one, without which it is not whole. Texts are hexadecimal digits, and "-" is none.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "complain/complain.h"
#include "host/sha256.h"
#include "state.h"

#define FIRST_LINE "bcoslog ship 1"
#define LAST_LINE "end"

/* ---- writing ---------------------------------------------------------------------------------------- */

static void write_text(FILE *file, const char *text, size_t length)
{
	size_t i;

	fputs(text ? " =" : " -", file);
	for (i = 0; text && i < length; i++)
		fprintf(file, "%02x", (u8)text[i]);
}

static void write_boot(FILE *file, const struct ship_boot *boot)
{
	const struct ship_process *process;
	size_t i;

	fprintf(file, "boot %s %d %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", boot->boot, boot->begun, boot->closed,
		(uint64_t)boot->shipped, (uint64_t)boot->until, (uint64_t)boot->seen, (uint64_t)boot->last);
	for (process = boot->processes.at; process < boot->processes.at + boot->processes.count; process++) {
		fprintf(file, "process %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %d", (uint64_t)process->upid, (uint64_t)process->cpu,
			(uint64_t)process->turns, (uint64_t)process->since, process->incomplete);
		for (i = 0; i < SHIP_NUMBERS; i++)
			fprintf(file, " %" PRId64, (int64_t)process->numbers[i]);
		for (i = 0; i < SHIP_FACTS; i++)
			write_text(file, process->texts[i], process->lengths[i]);
		putc('\n', file);
	}
}

/* Has the new name of a file on the disk. */
static int keep_name(const char *path)
{
	char folder[PATH_MAX];
	int fd, r;

	snprintf(folder, sizeof(folder), "%s", path);
	fd = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r = fd < 0 ? -errno : fsync(fd) ? -errno : 0;
	if (fd >= 0)
		close(fd);
	return r;
}

static int write_whole(const struct ship_state *state, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600), r;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	size_t i;

	if (!file) {
		r = -errno;
		if (fd >= 0)
			close(fd);
		return r;
	}
	fprintf(file, FIRST_LINE "\ntarget %s\nsource %s\n", state->target, state->source[0] ? state->source : "-");
	for (i = 0; i < state->count; i++)
		write_boot(file, &state->boots[i]);
	fputs(LAST_LINE "\n", file);
	r = fflush(file) || fsync(fd) ? -errno : 0;
	if (fclose(file) && !r)
		r = -errno;
	return r;
}

int ship_state_write(const struct ship_state *state)
{
	char path[PATH_MAX];
	int r = -ENAMETOOLONG;

	if ((size_t)snprintf(path, sizeof(path), "%s.new", state->path) < sizeof(path))
		r = write_whole(state, path);
	if (!r && rename(path, state->path))
		r = -errno;
	if (!r)
		return keep_name(state->path);
	/* What there is of it takes room from whoever may free some. */
	if (r != -ENAMETOOLONG)
		unlink(path);
	return r;
}

/* ---- reading ---------------------------------------------------------------------------------------- */

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a text at *@at, and goes on after it.  Return: 0, or -1 if it is none or there is no memory. */
static int read_text(char **at, struct ship_process *process, enum ship_fact fact)
{
	char *digits, *to;
	int high, low, r;

	if (strncmp(*at, " -", 2) && strncmp(*at, " =", 2))
		return -1;
	*at += 2;
	if ((*at)[-1] == '-')
		return 0;
	digits = to = *at;
	while ((high = digit_of((*at)[0])) >= 0) {
		low = digit_of((*at)[1]);
		if (low < 0)
			return -1;
		*to++ = (char)(high << 4 | low);
		*at += 2;
	}
	/* The digits before the end were read, so a zero byte there harms nothing. */
	r = ship_process_set(process, fact, digits, (size_t)(to - digits));
	return r ? -1 : 0;
}

static int read_process(char *line, struct ship_boot *boot)
{
	struct ship_process *process = ship_processes_add(&boot->processes);
	uint64_t upid, cpu, turns, since;
	int incomplete, length = 0, i;
	int64_t number;

	if (!process || sscanf(line, "process %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %d%n", &upid, &cpu, &turns,
			       &since, &incomplete, &length) != 5)
		return -1;
	process->upid = upid;
	process->cpu = cpu;
	process->turns = turns;
	process->since = since;
	process->incomplete = incomplete;
	line += length;
	for (i = 0; i < SHIP_NUMBERS; i++, line += length) {
		if (sscanf(line, " %" SCNd64 "%n", &number, &length) != 1)
			return -1;
		process->numbers[i] = number;
	}
	for (i = 0; i < SHIP_FACTS; i++)
		if (read_text(&line, process, (enum ship_fact)i))
			return -1;
	return *line ? -1 : 0;
}

static int read_boot(const char *line, struct ship_state *state)
{
	uint64_t shipped, until, seen, last;
	struct ship_boot *boot;
	int begun, closed, length = 0;
	char name[40];

	if (sscanf(line, "boot %39s %d %d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n", name, &begun, &closed, &shipped, &until, &seen, &last,
		   &length) != 7 || line[length])
		return -1;
	boot = ship_state_boot(state, name);
	if (!boot)
		return -1;
	boot->begun = begun;
	boot->closed = closed;
	boot->shipped = shipped;
	boot->until = until;
	boot->seen = seen;
	boot->last = last;
	return 0;
}

/* Reads a line.  Return: 1 if it is the last one, 0, or -1 if it is none of this format. */
static int read_line(char *line, size_t number, struct ship_state *state, char target[65])
{
	if (number == 0)
		return strcmp(line, FIRST_LINE) ? -1 : 0;
	if (number == 1)
		return sscanf(line, "target %64s", target) == 1 ? 0 : -1;
	if (number == 2) {
		if (sscanf(line, "source %64s", state->source) != 1)
			return -1;
		if (!strcmp(state->source, "-"))
			state->source[0] = '\0';
		return 0;
	}
	if (!strcmp(line, LAST_LINE))
		return 1;
	if (!strncmp(line, "boot ", 5))
		return read_boot(line, state);
	if (!strncmp(line, "process ", 8) && state->count)
		return read_process(line, &state->boots[state->count - 1]);
	return -1;
}

static int read_lines(FILE *file, struct ship_state *state, char target[65])
{
	size_t room = 0, number = 0;
	char *line = NULL;
	ssize_t length;
	int r = 0;

	while (!r && (length = getline(&line, &room, file)) > 0) {
		r = line[length - 1] == '\n' && strlen(line) == (size_t)length ? 0 : -1;
		line[length - 1] = '\0';
		if (!r)
			r = read_line(line, number++, state, target);
	}
	if (r == 1 && getc(file) != EOF)
		r = -1;
	free(line);
	return r == 1 ? 0 : -1;
}

/* Writes the hash of a text, as digits. A long one is hashed in parts, each after the hash of those before it. */
static void hash_text(char digits[65], const char *text)
{
	u8 message[SHA256_MESSAGE], hash[SHA256_SIZE] = { 0 };
	size_t left = strlen(text), part, i;

	do {
		part = left < sizeof(message) - sizeof(hash) ? left : sizeof(message) - sizeof(hash);
		memcpy(message, hash, sizeof(hash));
		memcpy(message + sizeof(hash), text, part);
		sha256(hash, message, sizeof(hash) + part);
		text += part;
		left -= part;
	} while (left);
	for (i = 0; i < SHA256_SIZE; i++)
		snprintf(digits + 2 * i, 3, "%02x", hash[i]);
}

/* Two senders with one file would take each other's rows for their own.  Return: 0, or -1 after a complaint. */
static int lock_state(struct ship_state *state)
{
	char path[PATH_MAX];
	int r = -ENAMETOOLONG;

	if ((size_t)snprintf(path, sizeof(path), "%s.lock", state->path) < sizeof(path)) {
		state->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
		r = state->lock < 0 || flock(state->lock, LOCK_EX | LOCK_NB) ? -errno : 0;
	}
	if (r == -EWOULDBLOCK)
		complain("another bcoslog ship uses %s: end it, or name another file by --state", state->path);
	else if (r)
		complain("%s.lock, by which one sender alone uses %s, cannot be made: %s: --state names another file", state->path, state->path,
			 strerror(-r));
	return r ? -1 : 0;
}

static int read_file(struct ship_state *state, const char *server)
{
	FILE *file = fopen(state->path, "re");
	char target[65] = "";
	size_t i;
	int r;

	if (!file && errno == ENOENT)
		return 0;
	if (!file) {
		complain("%s, which says what was shipped, cannot be read: %s: --state names another file for it", state->path, strerror(errno));
		return -1;
	}
	r = read_lines(file, state, target);
	fclose(file);
	if (r) {
		complain("%s is no whole file of what was shipped: remove it, or name another by --state, and all is shipped again, as bcoslog-ship(1) "
			 "tells", state->path);
		return -1;
	}
	if (strcmp(target, state->target)) {
		complain("%s says what was shipped to another server or database: name a file for %s by --state", state->path, server);
		return -1;
	}
	for (i = 0; i < state->count; i++)
		ship_processes_sort(&state->boots[i].processes);
	return 0;
}

int ship_state_read(struct ship_state *state, const char *path, const char *server, const char *place)
{
	*state = (struct ship_state){ .path = path, .lock = -1 };
	hash_text(state->target, place);
	return lock_state(state) ? -1 : read_file(state, server);
}

int ship_state_note(struct ship_state *state, const char *recording, const char *machine)
{
	char *path = realpath(recording, NULL), *text = NULL;
	char source[65];

	if (asprintf(&text, "%s\n%s", path ? path : recording, machine) < 0)
		text = NULL;
	free(path);
	if (!text) {
		complain("there is no memory for the path of %s", recording);
		return -1;
	}
	hash_text(source, text);
	free(text);
	if (state->source[0] && strcmp(state->source, source)) {
		complain("%s says what was shipped of another recording or machine than %s of %s: name another file by --state, or the "
			 "machine by --machine", state->path, machine, recording);
		return -1;
	}
	memcpy(state->source, source, sizeof(source));
	return 0;
}

/* ---- boots ------------------------------------------------------------------------------------------ */

struct ship_boot *ship_state_boot(struct ship_state *state, const char *boot)
{
	struct ship_boot *boots;
	size_t i;

	for (i = 0; i < state->count; i++)
		if (!strcmp(state->boots[i].boot, boot))
			return &state->boots[i];
	boots = reallocarray(state->boots, state->count + 1, sizeof(*boots));
	if (!boots)
		return NULL;
	state->boots = boots;
	boots += state->count++;
	*boots = (struct ship_boot){ .shipped = 0 };
	snprintf(boots->boot, sizeof(boots->boot), "%s", boot);
	return boots;
}

void ship_state_drop(struct ship_state *state)
{
	size_t i, kept = 0;

	for (i = 0; i < state->count; i++)
		if (state->boots[i].listed)
			state->boots[kept++] = state->boots[i];
		else
			ship_processes_free(&state->boots[i].processes);
	state->count = kept;
}

void ship_state_free(struct ship_state *state)
{
	size_t i;

	for (i = 0; i < state->count; i++)
		ship_processes_free(&state->boots[i].processes);
	free(state->boots);
	state->boots = NULL;
	state->count = 0;
	if (state->lock >= 0)
		close(state->lock);
	state->lock = -1;
}
