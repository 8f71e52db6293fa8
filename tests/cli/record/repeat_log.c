// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * repeat_log FILE COUNT: writes the log in FILE COUNT times to standard output, as if its machine had done the same
 * again and again. In each copy the times and the wall clock go on, and a notice precedes it that something is missing.
 * So a real log becomes a large recording.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *once, *copy;
static size_t size;

static uint64_t read_number(const unsigned char *at, int bytes)
{
	uint64_t value = 0;

	memcpy(&value, at, (size_t)bytes);
	return value;
}

static uint64_t find_newest(int oldest)
{
	uint64_t time = 0;
	size_t at;

	for (at = 0; at < size; at += read_number(once + at, 2)) {
		if (read_number(once + at + 2, 2) & 0x8000)
			continue;
		time = read_number(once + at + 8, 8);
		if (oldest)
			return time;
	}
	return time;
}

static void shift_clock(unsigned char *entry, uint64_t shift)
{
	unsigned long long seconds, ns;
	char text[64];

	if (read_number(entry + 2, 2) != 0x0010 || read_number(entry, 2) < 32 ||
	    read_number(entry + 20, 4) != 0xC0000010 ||
	    sscanf((char *)entry + 25, "wall clock %llu.%llu", &seconds, &ns) != 2)
		return;
	ns += shift % 1000000000u;
	seconds += shift / 1000000000u + ns / 1000000000u;
	snprintf(text, sizeof(text), "wall clock %llu.%09llu", seconds, ns % 1000000000u);
	if (strlen(text) + 25 <= read_number(entry, 2))
		memcpy(entry + 25, text, strlen(text));
}

static void put_copy(uint64_t shift)
{
	uint64_t time;
	size_t at;

	memcpy(copy, once, size);
	for (at = 0; at < size; at += read_number(copy + at, 2)) {
		time = read_number(copy + at + 8, 8) + shift;
		if (read_number(copy + at + 16, 4) != 0xFFFFFFFF)
			memcpy(copy + at + 8, &time, 8);
		shift_clock(copy + at, shift);
	}
	fwrite(copy, size, 1, stdout);
}

static void put_notice(uint64_t time)
{
	unsigned char entry[44] = { 44, 0, 0x10, 0x60, 0, 0, 0, 0xC0 };
	uint32_t event = 0x80000002;

	memcpy(entry + 8, &time, 8);
	memcpy(entry + 20, &event, 4);
	entry[24] = 0x80;
	memcpy(entry + 25, "missed some entries", 19);
	fwrite(entry, sizeof(entry), 1, stdout);
}

int main(int argc, char **argv)
{
	uint64_t span, i, count = argc == 3 ? strtoull(argv[2], NULL, 0) : 0;
	FILE *file = argc == 3 ? fopen(argv[1], "r") : NULL;

	if (!file || fseek(file, 0, SEEK_END) || ftell(file) <= 0) {
		fprintf(stderr, "usage: repeat_log FILE COUNT\n");
		return 2;
	}
	size = (size_t)ftell(file);
	rewind(file);
	once = malloc(size);
	copy = malloc(size);
	if (!once || !copy || fread(once, size, 1, file) != 1)
		return 2;
	span = find_newest(0) - find_newest(1) + 1000;
	for (i = 0; i < count && !ferror(stdout); i++) {
		if (i)
			put_notice(find_newest(0) + (i - 1) * span);
		put_copy(i * span);
	}
	return fflush(stdout) || ferror(stdout);
}
