// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog explore: writes a page for a browser that contains the log. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/format/entry.h"

#include "command.h"
#include "commands.h"
#include "log/keep.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/filter.h"
#include "options/options.h"
#include "options/shared.h"
#include "output/output.h"
#include "complain/complain.h"

/* The place in the page where the log is inserted. */
static const char log_place[] = "<!--bcoslog:log-->";

/* Bytes of the log in one element of the page, since browsers limit strings; a multiple of 3, for base64. */
#define BLOCK (3u << 20)

static struct explore {
	const char *output;
	char *unfinished;		/* the name of the file until the page is complete; NULL: the output's own */
	bool empty;
	const char *path;
	size_t used;			/* bytes of the log in the current block */
	unsigned char left[2];		/* the bytes that do not make a group of three yet */
	unsigned int lefts;		/* their number */
	bool open;			/* a block was begun */
} explore;

static int take_output(struct arguments *arguments, const char *text)
{
	(void)arguments;
	explore.output = strcmp(text, "-") ? text : NULL;
	return 0;
}

static int take_empty(struct arguments *arguments, const char *text)
{
	(void)arguments;
	(void)text;
	explore.empty = true;
	return 0;
}

typedef void (*put_t)(const void *bytes, size_t size);

static const char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode_three(char *to, const unsigned char *from)
{
	to[0] = base64_digits[from[0] >> 2];
	to[1] = base64_digits[(from[0] & 3) << 4 | from[1] >> 4];
	to[2] = base64_digits[(from[1] & 15) << 2 | from[2] >> 6];
	to[3] = base64_digits[from[2] & 63];
}

static void put_word(put_t put, const char *word)
{
	put(word, strlen(word));
}

/* Puts the name of the log as the value of an attribute. Control characters and invalid UTF-8 are left out. */
static void put_attribute(put_t put, const char *name)
{
	size_t length = strlen(name), n;
	char number[16];

	for (; length; name += n, length -= n) {
		n = bcos_utf8_character(name, length);
		if (!n || (n == 1 && (unsigned char)*name < 0x20)) {
			n = 1;
			continue;
		}
		if (n == 1 && strchr("&<>\"'", *name)) {
			snprintf(number, sizeof(number), "&#%d;", *name);
			put_word(put, number);
		} else {
			put(name, n);
		}
	}
}

static void block_begin(put_t put)
{
	const char *slash = strrchr(explore.path, '/');

	if (explore.open) {
		put_word(put, "</script>\n<script type=\"application/octet-stream\" class=\"log\">");
		return;
	}
	put_word(put, "<script type=\"application/octet-stream\" class=\"log\" data-name=\"");
	put_attribute(put, slash && slash[1] ? slash + 1 : explore.path);
	put_word(put, "\">");
	explore.open = true;
}

static void encode_bytes(const char *bytes, size_t size, put_t put)
{
	const unsigned char *from = (const unsigned char *)bytes;
	unsigned char group[3];
	char text[4096] = { 0 };
	size_t used = 0;

	while (explore.lefts + size >= 3) {
		if (!explore.used || explore.used == BLOCK) {
			put(text, used);
			used = 0;
			explore.used = 0;
			block_begin(put);
		}
		memcpy(group, explore.left, explore.lefts);
		memcpy(group + explore.lefts, from, 3 - explore.lefts);
		from += 3 - explore.lefts;
		size -= 3 - explore.lefts;
		explore.lefts = 0;
		explore.used += 3;
		encode_three(text + used, group);
		used += 4;
		if (used == sizeof(text)) {
			put(text, used);
			used = 0;
		}
	}
	put(text, used);
	memcpy(explore.left + explore.lefts, from, size);
	explore.lefts += (unsigned int)size;
}

/* Puts the bytes that do not make a group of three, and the end of the last element. */
static void encode_end(void)
{
	unsigned char group[3] = { 0 };
	char text[4];

	output_flush();
	output.encode = NULL;
	if (!explore.open)
		block_begin(output_bytes);
	if (explore.lefts) {
		memcpy(group, explore.left, explore.lefts);
		encode_three(text, group);
		memset(text + 1 + explore.lefts, '=', 3 - explore.lefts);
		output_bytes(text, sizeof(text));
	}
	output_bytes("</script>\n", 10);
}

/* Is @name something other than a file, such as /dev/stdout, which takes the page as it comes? */
static bool is_stream(const char *name)
{
	struct stat found;

	return !stat(name, &found) && !S_ISREG(found.st_mode);
}

/*
 * Has standard output go into the file that --output names. It gets its name when it is complete, so that a page that was
 * there stays if none is made.
 * Return: 0, or -1 after a complaint.
 */
static int output_open(void)
{
	int fd;

	if (!explore.output) {
		if (!isatty(STDOUT_FILENO))
			return 0;
		complain("explore writes a page for a browser, which a terminal cannot show: name a file by -o PAGE.html");
		return -1;
	}
	if (!is_stream(explore.output) && asprintf(&explore.unfinished, "%s.new", explore.output) < 0) {
		explore.unfinished = NULL;
		complain("no memory");
		return -1;
	}
	fd = open(explore.unfinished ? explore.unfinished : explore.output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) {
		complain("%s cannot be written: %s", explore.output, strerror(errno));
		return -1;
	}
	close(fd);
	return 0;
}

/* Gives the page its name, unless @status says that there is none.  Return: the exit status. */
static int output_close(int status)
{
	if (explore.unfinished && status == EXIT_ENVIRONMENT) {
		unlink(explore.unfinished);
	} else if (explore.unfinished && rename(explore.unfinished, explore.output)) {
		complain("%s cannot be written: %s", explore.output, strerror(errno));
		unlink(explore.unfinished);
		status = EXIT_ENVIRONMENT;
	}
	free(explore.unfinished);
	explore.unfinished = NULL;
	return status;
}

static int write_empty(void)
{
	if (output_open())
		return EXIT_ENVIRONMENT;
	output_bytes(explorer_page, (size_t)(explorer_page_end - explorer_page));
	return output_close(print_end());
}

static int write_log(struct run *run)
{
	const char *log =
		memmem(explorer_page, (size_t)(explorer_page_end - explorer_page), log_place, sizeof(log_place) - 1);
	int status;

	if ((!run->command && output_check(run->path, explore.output)) || run_open(run, 0))
		return EXIT_ENVIRONMENT;
	if (output_open())
		return output_close(run_close(run, EXIT_ENVIRONMENT));
	explore.path = run->command ? run->command[0] : strcmp(run->path, "-") ? run->path : "standard input";
	output_bytes(explorer_page, (size_t)(log - explorer_page));
	output_flush();
	output.encode = encode_bytes;
	status = run_log(run);
	encode_end();
	log += sizeof(log_place) - 1;
	output_bytes(log, (size_t)(explorer_page_end - log));
	return output_close(run_close(run, status));
}

static int cmd_explore(struct session *session, int argc, char **argv)
{
	struct arguments arguments = { .session = session, .command = &command_explore };
	struct run run = { .session = session };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	if (!*explorer_page) {
		complain("this bcoslog was built without the explorer: scripts/deps explorer brings what is missing, then make again");
		return EXIT_ENVIRONMENT;
	}
	if (arguments.follow) {
		complain("explore shows a log as it is now: leave -f out");
		return EXIT_ENVIRONMENT;
	}
	if (explore.empty)
		return write_empty();
	run.path = arguments.path;
	run.command = arguments.program;
	run.apart = true;
	if (keep_run(&run))
		return EXIT_ENVIRONMENT;
	status = write_log(&run);
	if (run.context)
		keep_free(run.context);
	return status;
}

static const struct option_spec options[] = {
	{ .name = "output", .letter = 'o', .value = "FILE", .take = take_output,
	  .help = "write the page into FILE (standard output)" },
	{ .name = "empty", .take = take_empty,
	  .help = "write the page without a log: it shows a log that the user drops on it" },
	{ .name = NULL },
};

const struct command command_explore = {
	.name = "explore",
	.summary = "write all of it as a page for a browser",
	.usage =
"bcoslog explore [OPTIONS] [LOG] -o PAGE.html\n"
"bcoslog explore [OPTIONS] -o PAGE.html -- PROGRAM...\n"
"bcoslog explore --empty -o PAGE.html",
	.about =
"Writes a page that shows LOG (the device, a file, or - for standard input;\n"
"default " BCOS_DEVICE_PATH ") in a browser: the processes on each CPU, processes\n"
"and devices with their events, I/O and power, and the totals of any stretch of\n"
"time.  The page is one file, has the log inside and loads nothing from\n"
"anywhere, so it opens without a network, and can be sent to others.",
	.options = { options, filter_options, window_options, boot_options },
	.silent = follow_options,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_explore,
};
