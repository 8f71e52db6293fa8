// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading and parsing the kernel log: see kernel_log.h. */
#include <fcntl.h>
#include <unistd.h>

#include "core/capture/printk.h"
#include "core/format/message.h"
#include "kernel_log.h"
#include "host/linux.h"

#define PATH "/dev/kmsg"

/* The greatest length of a message with its properties. */
#define MESSAGE_MAX 8192

/* The greatest number of messages that one call of kernel_log_read() reads. */
#define MESSAGES 1000

bool kernel_log_open(struct kernel_log *log)
{
	log->fd = open(PATH, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (log->fd >= 0 && lseek(log->fd, 0, SEEK_END) < 0)
		kernel_log_close(log);
	log->since = clock_now(CLOCK_BOOTTIME);
	return log->fd >= 0;
}

void kernel_log_go_on(struct kernel_log *log, u64 next, u64 since)
{
	if (log->fd < 0 || lseek(log->fd, 0, SEEK_SET) < 0)
		return;
	log->next = next;
	log->since = since;
}

void kernel_log_count(struct kernel_log *log)
{
	unsigned long long level, number;
	char message[MESSAGE_MAX];
	ssize_t n = 0;

	if (log->fd < 0 || lseek(log->fd, 0, SEEK_SET) < 0)
		return;
	while (n >= 0 || errno == EPIPE || errno == EINTR) {
		n = read(log->fd, message, sizeof(message) - 1);
		message[n > 0 ? n : 0] = 0;
		if (n > 0 && sscanf(message, "%llu,%llu,", &level, &number) == 2)
			log->next = number + 1;
		else if (!n)
			break;
	}
	log->since = clock_now(CLOCK_BOOTTIME);
}

void kernel_log_close(struct kernel_log *log)
{
	if (log->fd >= 0)
		close(log->fd);
	log->fd = -1;
}

static void put_line(struct kernel_log *log, u8 severity, const char *text, size_t length)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_event event;
		char text[BCOS_RAW_TEXT];
	} record;
	u64 since = clock_now(CLOCK_BOOTTIME) - log->since;

	memset(&record, 0, sizeof(record));
	if (length > sizeof(record.text))
		length = sizeof(record.text);
	memcpy(record.text, text, length);
	record.event.length = (u16)length;
	record.event.precision = since < 0xFFFFFFFFu ? (u32)since : 0xFFFFFFFFu;
	record.raw.time = log->since;
	record.raw.kind = BCOS_RAW_KMSG;
	record.raw.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, severity);
	record.raw.units = (u8)(2 + (length + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit));
	log->put(log->context, (const struct bcos_unit *)&record, record.raw.units);
}

/* Copy a text, and replace each \xNN by its byte.  @to may equal @from.  Return: the new length. */
static size_t unescape_line(char *to, const char *from, size_t length)
{
	size_t at, out = 0;

	for (at = 0; at < length; at++) {
		if (length - at >= 4 && from[at] == '\\' && from[at + 1] == 'x' && bcos_hex_digit(from[at + 2]) >= 0 &&
		    bcos_hex_digit(from[at + 3]) >= 0) {
			to[out++] = (char)(bcos_hex_digit(from[at + 2]) << 4 | bcos_hex_digit(from[at + 3]));
			at += 3;
		} else {
			to[out++] = from[at];
		}
	}
	return out;
}

/* Report the messages between the last one and message @number as lost, because the kernel overwrote them. */
static void write_missed(struct kernel_log *log, u64 number)
{
	if (log->next && number > log->next)
		log->lost(log->context, number - log->next,
			  "kernel messages: overwritten or cleared in the kernel's own buffer", log->since);
	log->next = number + 1;
}

void kernel_log_parse(struct kernel_log *log, const char *message, size_t length)
{
	char text[MESSAGE_MAX], *line, *end;
	const char *body = memchr(message, ';', length);
	unsigned long long level, number;
	size_t size;
	u8 severity;

	/* A message has the form "level,number,time,flags;text", and lines with properties follow the text. */
	size = body ? (size_t)(body - message) : length;
	memcpy(text, message, size < sizeof(text) ? size : sizeof(text) - 1);
	text[size < sizeof(text) ? size : sizeof(text) - 1] = 0;
	if (!body || sscanf(text, "%llu,%llu,", &level, &number) != 2)
		return;
	if (number < log->next)
		return;
	write_missed(log, number);
	size = length - size - 1;
	end = memchr(body + 1, '\n', size);
	if (end)
		size = (size_t)(end - body - 1);
	if (size > sizeof(text) - 1)
		size = sizeof(text) - 1;
	size = unescape_line(text, body + 1, size);
	severity = bcos_printk_severity(level);
	for (line = text; line; line = end ? end + 1 : NULL) {
		end = memchr(line, '\n', size - (size_t)(line - text));
		if (end && end == text + size - 1)
			size--;
		put_line(log, severity, line, end ? (size_t)(end - line) : size - (size_t)(line - text));
		if (end && (size_t)(end - text) >= size)
			end = NULL;
	}
}

void kernel_log_read(struct kernel_log *log)
{
	u64 began = clock_now(CLOCK_BOOTTIME);
	char message[MESSAGE_MAX];
	u32 left = MESSAGES;
	ssize_t n = 0;

	if (log->fd < 0)
		return;
	for (; left && n >= 0; left--) {
		n = read(log->fd, message, sizeof(message));
		/* EPIPE means that the kernel overwrote messages. The number of the next message says how many. */
		if (n < 0 && (errno == EPIPE || errno == EINTR))
			n = 0;
		else if (n > 0)
			kernel_log_parse(log, message, (size_t)n);
		else
			n = -1;
	}
	/* Only if all messages were read, those that remain are newer than this call. */
	if (n < 0)
		log->since = began;
}
