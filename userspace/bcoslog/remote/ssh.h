/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Runs bcoslog on other machines by ssh, with the user's own keys and settings. */
#ifndef BCOSLOG_SSH_H
#define BCOSLOG_SSH_H

#include "hosts.h"

/* Words that become one command of a shell on another machine, in which each word is quoted. Zeros are none. */
struct remote_words {
	char *text;
	size_t length;
	bool failed;			/* there was no memory for a word */
};

void remote_word(struct remote_words *words, const char *word);
void remote_free(struct remote_words *words);

/**
 * struct remote_end - how a machine has ended its answer
 * @host: number of the machine
 * @error: what is wrong, a sentence without a full stop; empty if the command has succeeded
 * @status: its exit status, if it has one and @error is empty
 * @said: the newest of what it said on standard error, as lines; it begins with "..." if there was more; empty if it said nothing
 */
struct remote_end {
	size_t host;
	char error[640];
	int status;
	const char *said;
};

/**
 * struct remote_question - what many machines are asked
 * @hosts: the machines
 * @command: the words of the command, whose exit statuses 0 and 1 tell that it has succeeded
 * @input: what the command reads from standard input
 * @at_once: how many machines are asked at a time
 * @seconds: how long each of them may take
 * @context: first argument of the functions
 * @line: called for each line that a machine prints.  Return: 0, or -1 if it is no answer
 * @ended: called for each machine at its end.  Return: 0, or -1 to end everything
 */
struct remote_question {
	const struct hosts *hosts;
	const struct remote_words *command;
	const char *input;
	u64 at_once, seconds;
	void *context;
	int (*line)(void *context, size_t host, const char *line, size_t length);
	int (*ended)(void *context, const struct remote_end *end);
};

/* Asks all machines.  Return: 0, or -1 after a complaint or when a signal ends the program. */
int remote_ask(const struct remote_question *question);

/*
 * Runs a subcommand on the machine that its option --host names, with all its other arguments, and waits for it.
 * Return: -1 if it has no such option; else the exit status, which is EXIT_ENVIRONMENT where the machine gives no answer.
 */
int remote_run(int argc, char **argv);

#endif
