// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * For LD_PRELOAD: runs a program many times, but starts it once. It reads lines from standard input, each of which has
 * the arguments of one run, and runs the program's main() with them in a process of its own. A program with sanitizers
 * takes ten times as long to start as to read a short log.
 *
 * A line is `OUTPUT ERRORS SECONDS LEAKS ARGUMENT...`: the files to which standard output and standard error are
 * appended, how long the run may take, and `leaks` if LeakSanitizer, which takes longer than all else, has to look at
 * the end, or `-`. The answer is a line with the exit status, or 256 and the signal.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS 32

typedef int main_function(int argc, char **argv, char **environment);

static main_function *program;

static void redirect_output(const char *path, int to)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (fd < 0 || dup2(fd, to) < 0)
		_exit(127);
	close(fd);
}

static int run_words(char **words, int count, char **environment)
{
	int status, null;
	pid_t child = fork();

	if (child < 0)
		return 127;
	if (!child) {
		redirect_output(words[1], 1);
		redirect_output(words[2], 2);
		null = open("/dev/null", O_RDONLY);
		if (null < 0 || dup2(null, 0) < 0)
			_exit(127);
		alarm((unsigned int)atoi(words[3]));
		/* The argument words[4] has the place of the program's name. */
		status = program(count - 4, words + 4, environment);
		if (!strcmp(words[4], "leaks"))
			exit(status);
		fflush(NULL);
		_exit(status);
	}
	if (waitpid(child, &status, 0) != child)
		return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static int run_many(int argc, char **argv, char **environment)
{
	char line[4096], *words[WORDS + 1];
	int count;

	(void)argc;
	while (fgets(line, sizeof(line), stdin)) {
		words[0] = argv[0];
		count = 1;
		for (char *word = strtok(line, " \n"); word && count < WORDS; word = strtok(NULL, " \n"))
			words[count++] = word;
		words[count] = NULL;
		if (count < 5)
			return 127;
		printf("%d\n", run_words(words, count, environment));
		fflush(stdout);
	}
	return 0;
}

int __libc_start_main(main_function *main_of, int argc, char **argv, void (*init)(void), void (*fini)(void),
		      void (*linker_fini)(void), void *stack_end)
{
	int (*start)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

	start = dlsym(RTLD_NEXT, "__libc_start_main");
	if (!start)
		_exit(127);
	program = main_of;
	return start(run_many, argc, argv, init, fini, linker_fini, stack_end);
}
