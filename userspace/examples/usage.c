// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* usage LOG prints for how long each process had a CPU. To build: cc usage.c $(pkg-config --cflags --libs bcoslog) */
#include <err.h>
#include <stdio.h>

#include <bcoslog_account.h>

static void print_process(void *unused, const struct bcoslog_account_process *process)
{
	(void)unused;
	printf("%12.9f s  %.*s\n", process->time / 1e9, (int)process->name_length, process->name);
}

int main(int argc, char **argv)
{
	struct bcoslog_account_options options = { .until = 0, .process_ended = print_process };
	struct bcoslog_account *account = bcoslog_account_new(&options);
	const struct bcoslog_account_process *process = NULL;
	struct bcoslog_batch batch;
	struct bcoslog_error error;
	struct bcoslog *log;

	if (bcoslog_open(&log, argc > 1 ? argv[1] : BCOS_DEVICE_PATH, 0, &error))
		errx(1, "%s", error.text);
	while (account && bcoslog_batch(log, &batch) > 0 && !bcoslog_account_batch(account, &batch))
		continue;
	for (bcoslog_account_settle(account); (process = bcoslog_account_next_process(account, process)); )
		print_process(NULL, process);
}
