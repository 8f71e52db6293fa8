// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Taking the log, and having it checked: see lib.h. */
#include "lib.h"

#include <stdarg.h>
#include <sys/stat.h>

void log_append(struct log *log, int fd, uint64_t limit)
{
	size_t room = log->size + LOG_SLACK, begin = log->size;
	ssize_t got;

	if (by_engine()) {
		recording_append(log, fd);
		return;
	}
	log->bytes = grow_memory(log->bytes, room);
	while (!limit || log->size - begin < limit) {
		if (room - log->size < 2 * 65536) {
			room = room + room / 2 + 4 * 65536;
			log->bytes = grow_memory(log->bytes, room);
		}
		got = read(fd, log->bytes + log->size, room - log->size - LOG_SLACK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			break;
		if (got <= 0)
			give_up("read of the log: %zd", got);
		log->size += (size_t)got;
	}
}

static size_t count_unended(const struct log *log, const pid_t *pids, size_t count)
{
	struct lives lives = lives_of(log);
	size_t left = 0, i, k;

	/* Few lives have not ended, so look these up in @pids. */
	for (i = 0; i < lives.count; i++)
		for (k = 0; !lives.life[i].dead && k < count; k++)
			left += pids[k] && lives.life[i].id == (uint32_t)pids[k];
	lives_free(&lives);
	return left;
}

void log_append_ended(struct log *log, int fd, const pid_t *pids, size_t count)
{
	uint64_t deadline = now_ns(CLOCK_MONOTONIC) + patience_ns();

	for (;;) {
		log_append(log, fd, 0);
		if (!count_unended(log, pids, count) || now_ns(CLOCK_MONOTONIC) > deadline)
			return;
		usleep(1000);
	}
}

struct log log_take(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	struct log log = { NULL, 0 };

	log_append(&log, fd, 4 * status_of(fd).ring_size);
	close(fd);
	return log;
}

struct log log_snapshot(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	struct bcos_status status = status_of(fd);
	struct log log = { NULL, 0 };

	log_append(&log, fd, status.head - status.oldest);
	close(fd);
	return log;
}

void log_free(struct log *log)
{
	free(log->bytes);
	log->bytes = NULL;
	log->size = 0;
}

static void save_log(const struct log *log, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	size_t done = 0;
	ssize_t put;

	if (fd < 0)
		give_up("%s", path);
	for (; done < log->size; done += (size_t)put) {
		put = write(fd, log->bytes + done, log->size - done);
		if (put <= 0)
			give_up("write to %s", path);
	}
	close(fd);
}

/* Prints a file as notes, at most @lines lines. */
static void print_lines(const char *path, int lines)
{
	FILE *file = fopen(path, "re");
	char line[400];

	while (file && lines-- && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		print_note("  %s", line);
	}
	if (file)
		fclose(file);
}

/* Does @program, with @argument if that is not NULL, find nothing wrong with the log at @path? */
static bool passes_check(const char *program, const char *argument, const char *path)
{
	char command[40], output[220];
	int status, fd;
	pid_t pid;

	snprintf(command, sizeof(command), "./%s", program);
	snprintf(output, sizeof(output), "%s.%s", path, program);
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		give_up("fork");
	if (!pid) {
		fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		dup2(fd, 1);
		dup2(fd, 2);
		execl(command, program, argument ? argument : path, argument ? path : NULL, NULL);
		_exit(127);
	}
	status = reap_child(pid, NULL);
	if (status) {
		print_note("%s %s: wait status 0x%x", program, path, status);
		print_lines(output, 20);
	}
	unlink(output);
	return !status;
}

bool log_valid(const struct log *log, const char *name)
{
	char path[200];
	bool valid;

	snprintf(path, sizeof(path), "/out/%.150s", name);
	mkdir("/out", 0755);
	save_log(log, path);
	valid = passes_check("bcoslog", "check", path) && passes_check("balance", NULL, path);
	if (valid)
		unlink(path);
	return valid;
}

bool log_check(const struct log *log, const char *what, ...)
{
	static int number;
	char name[40], text[200];
	va_list list;

	va_start(list, what);
	vsnprintf(text, sizeof(text), what, list);
	va_end(list);
	snprintf(name, sizeof(name), "%d-%d.log", getpid(), ++number);
	return make_point(log_valid(log, name), "bcoslog check, and an account that adds up: %s (%zu bytes)", text,
			  log->size);
}
