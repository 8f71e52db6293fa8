// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The names of recorded files, TIME-MACHINE-NUMBER-CAUSE.bcos.zst: see format.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bcoslog_archive.h"
#include "format.h"

#define SECOND 1000000000ull
/* The time at the beginning, for strftime() and with a digit as 0, and what comes after it. */
#define TIME_FORMAT "%Y%m%dT%H%M%SZ"
#define TIME_FORM "00000000T000000Z"
#define MACHINE_AND_NUMBER "-%s-%08llu-"

/* Return: @c as a file name has it. */
static char name_letter(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ?
	       c : '_';
}

void archive_name_word(char *to, size_t room, const char *text)
{
	size_t i;

	for (i = 0; text[i] && i + 1 < room; i++)
		to[i] = name_letter(text[i]);
	to[i] = 0;
}

/* Write the name of the machine as a file name has it. */
static void machine_word(char *to, size_t room, const struct archive_machine *machine)
{
	archive_name_word(to, room, *machine->host ? machine->host : "unnamed");
}

void archive_name_put(char *name, size_t room, const struct archive_header *header, u64 utc, const char *cause,
		      u32 number)
{
	char time[32], host[ARCHIVE_HOST], word[ARCHIVE_HOST], again[16] = "";
	time_t seconds = (time_t)(utc / SECOND);
	struct tm parts;

	gmtime_r(&seconds, &parts);
	strftime(time, sizeof(time), TIME_FORMAT, &parts);
	machine_word(host, sizeof(host), &header->machine);
	archive_name_word(word, sizeof(word), cause ? cause : "log");
	if (number)
		snprintf(again, sizeof(again), ".%u", number);
	snprintf(name, room, "%s" MACHINE_AND_NUMBER "%s%s" BCOSLOG_RECORD_SUFFIX, time, host,
		 (unsigned long long)header->sequence, word, again);
}

/* Move *@name past a time such as 20231114T221320Z.  Return: true if there is one. */
static bool pass_time(const char **name)
{
	static const char form[] = TIME_FORM;
	const char *at = *name;
	size_t i;

	for (i = 0; form[i]; i++)
		if (form[i] == '0' ? at[i] < '0' || at[i] > '9' : at[i] != form[i])
			return false;
	*name += i;
	return true;
}

bool archive_own_name(const char *name, const struct archive_header *header)
{
	const size_t suffix = sizeof(BCOSLOG_RECORD_SUFFIX) - 1;
	char word[ARCHIVE_HOST], part[ARCHIVE_HOST + 32];
	size_t length;

	if (!pass_time(&name))
		return false;
	machine_word(word, sizeof(word), &header->machine);
	length = (size_t)snprintf(part, sizeof(part), MACHINE_AND_NUMBER, word, (unsigned long long)header->sequence);
	if (strncmp(name, part, length))
		return false;
	name += length;
	length = strlen(name);
	if (length <= suffix || strcmp(name + length - suffix, BCOSLOG_RECORD_SUFFIX))
		return false;
	for (length -= suffix; length; length--, name++)
		if (*name != name_letter(*name))
			return false;
	return true;
}

bool archive_name_sequence(const char *name, const char *host, u64 *sequence)
{
	struct archive_header header = { 0 };
	char word[ARCHIVE_HOST];
	size_t before;

	snprintf(header.machine.host, sizeof(header.machine.host), "%s", host);
	machine_word(word, sizeof(word), &header.machine);
	before = strlen(TIME_FORM) + 1 + strlen(word) + 1;
	if (strlen(name) < before || name[before] < '0' || name[before] > '9')
		return false;
	header.sequence = strtoull(name + before, NULL, 10);
	*sequence = header.sequence;
	return archive_own_name(name, &header);
}
