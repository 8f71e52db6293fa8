// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Standard output through one buffer: see output.h. */
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "output.h"
#include "complain/complain.h"

struct output output;

/* Cuts a file that cannot take more after its last whole part. */
static void output_cut(const char *bytes, size_t written)
{
	size_t whole = output.whole ? output.whole(bytes, written) : written;
	off_t end = lseek(STDOUT_FILENO, 0, SEEK_CUR);
	struct stat stat;

	if (whole == written || end < 0 || fstat(STDOUT_FILENO, &stat) || !S_ISREG(stat.st_mode) || stat.st_size != end)
		return;
	end -= (off_t)(written - whole);
	/* If this fails as well, a reader of the log sees that its last entry is truncated. */
	if (!ftruncate(STDOUT_FILENO, end))
		lseek(STDOUT_FILENO, end, SEEK_SET);
}

/* How long a program that is to end waits for a reader who does not read, in ms. */
#define PATIENCE 1000

/* Return: the number of bytes to write now: all, unless the program is to end, or 0 if nobody reads them then. */
static size_t writable_bytes(size_t size)
{
	struct pollfd reader = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (!output.ends || !output.ends())
		return size;
	/* As many have room in a pipe that has any, so that the write does not wait. */
	return poll(&reader, 1, PATIENCE) ? size < PIPE_BUF ? size : PIPE_BUF : 0;
}

static void write_all(const void *bytes, size_t size)
{
	size_t written = 0, next;
	ssize_t n;

	while (written < size && !output.error) {
		next = writable_bytes(size - written);
		/* This is the same as a closed pipe. */
		if (!next) {
			output.error = EPIPE;
			break;
		}
		n = write(STDOUT_FILENO, (const char *)bytes + written, next);
		if (n >= 0) {
			written += (size_t)n;
		} else if (errno != EINTR) {
			output.error = errno;
			output_cut(bytes, written);
		}
	}
}

static void output_write(const char *bytes, size_t size)
{
	void (*begin)(void) = size ? output.begin : NULL;

	if (begin) {
		output.begin = NULL;
		begin();
	}
	if (output.encode)
		output.encode(bytes, size, write_all);
	else
		write_all(bytes, size);
}

int output_flush(void)
{
	output_write(output.buffer, output.used);
	output.used = 0;
	return -output.error;
}

void output_bytes(const void *bytes, size_t size)
{
	if (size > OUTPUT_SIZE - output.used)
		output_flush();
	if (size > OUTPUT_SIZE) {
		output_write(bytes, size);
		return;
	}
	put_bytes(bytes, size);
}

int print_end(void)
{
	if (!output_flush())
		return EXIT_OK;
	complain("standard output cannot be written: %s", strerror(output.error));
	return EXIT_ENVIRONMENT;
}

void output_format(const char *format, ...)
{
	char line[4096];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (n > 0)
		output_bytes(line, (size_t)n < sizeof(line) ? (size_t)n : sizeof(line) - 1);
}

void output_sentence(const char *text)
{
	char line[4096];

	escape_sentence(line, sizeof(line), text);
	output_bytes(line, strlen(line));
}

static const char hex_digits[] = "0123456789ABCDEF";

void put_hex(u32 number, int count)
{
	put_literal("0x");
	while (count--)
		put_char(hex_digits[number >> 4 * count & 15]);
}

void put_left(const char *bytes, size_t size, size_t width)
{
	put_bytes(bytes, size);
	for (; size < width; size++)
		put_char(' ');
}

#define SECOND 1000000000u

/* The text of the second that was written last, with its point. The next entry is probably of that second, too. */
static struct {
	u64 begin;		/* ns since boot */
	size_t length;
	char text[32];		/* longer than necessary, so that put_time() copies a constant size */
} second = { .length = 8, .text = "      0." };

static void second_set(u64 time)
{
	char text[DECIMAL_MAX], *first = decimal_before(text + sizeof(text), time / SECOND);
	size_t length = (size_t)(text + sizeof(text) - first), width = length < 7 ? 7 : length;

	second.begin = time - time % SECOND;
	second.length = width + 1;
	memset(second.text, ' ', width - length);
	memcpy(second.text + width - length, first, length);
	second.text[width] = '.';
}

void put_time(u64 time)
{
	char *at = output.buffer + output.used;

	if (unlikely(time < second.begin || time - second.begin >= SECOND))
		second_set(time);
	memcpy(at, second.text, sizeof(second.text));
	decimal_nine(at + second.length, (u32)(time - second.begin));
	output.used += second.length + 9;
}

void put_text(const char *text, size_t length, char quote)
{
	const char *at = text, *end = at + length, *full = at;
	char escape[ESCAPE_MAX];
	size_t n, escaped;

	while (at < end) {
		/* No character takes more than eight bytes of output. */
		if (at >= full) {
			output_room();
			full = at + OUTPUT_ROOM / 8 - 3;
		}
		if (is_plain((u8)*at) && *at != quote) {
			put_char(*at++);
			continue;
		}
		n = escape_character(at, (size_t)(end - at), escape, &escaped);
		put_bytes(escape, escaped);
		if (!n) {
			if (quote && *at == quote)
				put_char('\\');
			put_char(*at);
			n = 1;
		}
		at += n;
	}
	output_room();
}

int output_check(const char *input, const char *name)
{
	struct stat of_input, of_output;

	if (!name || stat(input, &of_input) || stat(name, &of_output) || !S_ISREG(of_input.st_mode) ||
	    of_input.st_dev != of_output.st_dev || of_input.st_ino != of_output.st_ino)
		return 0;
	complain("the output would replace %s, which is the input: name another output", name);
	return -1;
}
