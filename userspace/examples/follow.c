// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* follow LOG prints the texts of events as they come. To build: cc follow.c $(pkg-config --cflags --libs bcoslog) */
#include <err.h>
#include <errno.h>
#include <stdio.h>

#include <bcoslog.h>

int main(int argc, char **argv)
{
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;
	const char *text;
	size_t length;
	int more;

	if (bcoslog_open(&log, argc > 1 ? argv[1] : BCOS_DEVICE_PATH, BCOSLOG_FOLLOW, &error))
		errx(1, "%s", error.text);
	do {
		while ((more = bcoslog_next(log, &entry)) > 0)
			if (bcoslog_is_generic(entry->type) && !bcoslog_is_statement(entry) &&
			    (text = bcoslog_text(entry, &length)) && length)
				printf("%.9f  %.*s\n", entry->time / 1e9, (int)length, text);
		fflush(stdout);
	} while (more == -EBADMSG ? !bcoslog_skip(log) : more == 0 && bcoslog_wait(log, -1) > 0);
	if (more < 0)
		errx(1, "%s", bcoslog_error(log)->text);
}
