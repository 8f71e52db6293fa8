// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pour RATE FIRST FILE: writes lines "mark N." into the log, RATE of them a second, with numbers from FIRST on, until
 * SIGTERM. FILE then has the first number that was not written, and how many milliseconds the writing took.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TICK 2000000ull

static volatile sig_atomic_t ended;

static void end_pouring(int number)
{
	(void)number;
	ended = 1;
}

static uint64_t read_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int main(int argc, char **argv)
{
	uint64_t rate, number, start, done = 0, due;
	int log = open("/dev/bcos_evlog", O_WRONLY | O_CLOEXEC), length;
	struct timespec tick = { .tv_nsec = TICK };
	char text[40];
	FILE *file;

	if (argc != 4 || log < 0)
		errx(2, "%s", argc != 4 ? "usage: pour RATE FIRST FILE" : strerror(errno));
	signal(SIGTERM, end_pouring);
	rate = strtoull(argv[1], NULL, 0);
	number = strtoull(argv[2], NULL, 0);
	for (start = read_clock(); !ended; nanosleep(&tick, NULL)) {
		due = (read_clock() - start) / 1000 * rate / 1000000;
		/* A machine that slept, or was late by a second, does not make up for the marks that it missed. */
		if (due > done + rate)
			done = due - rate;
		for (; done < due && !ended; done++) {
			length = snprintf(text, sizeof(text), "mark %llu.", (unsigned long long)number);
			/* A mark for which the log has no room is written once more. */
			if (write(log, text, (size_t)length) == length)
				number++;
			else if (errno != ENOBUFS && errno != EINTR)
				err(1, "mark %llu", (unsigned long long)number);
			else
				nanosleep(&tick, NULL);
		}
	}
	file = fopen(argv[3], "w");
	if (!file)
		return 2;
	fprintf(file, "%llu %llu\n", (unsigned long long)number,
		(unsigned long long)((read_clock() - start) / 1000000));
	return fclose(file) != 0;
}
