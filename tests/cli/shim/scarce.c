// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * For LD_PRELOAD: runs the tool twice for each of its allocations, in processes of their own. In one of them only this
 * allocation fails, and in the other one all later allocations fail, too. Each run either says that there is no memory,
 * with the exit status 2 and the beginning of the right output (with $SCARCE_ANY any output), or does all that the tool
 * does otherwise; and it leaves no descriptor open. The output with enough memory is printed, and then a line for each
 * allocation of which this is not true. There have to be allocations. With $SCARCE_ROUNDS there are about so many runs:
 * the first allocations fail one by one, and later ones at growing distances.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/*
 * A run counts its allocations in @made, and those from @first to @last fail. @open descriptors are open before the
 * run, and the run leaves @left more.
 */
static struct {
	unsigned int made, first, last;
	int open, left;
} *run;

static int is_scarce(void)
{
	if (!run || ++run->made < run->first || run->made > run->last)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return is_scarce() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return is_scarce() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return is_scarce() ? NULL : __libc_realloc(old, size);
}

typedef int (*main_t)(int argc, char **argv, char **environment);
int __libc_start_main(main_t main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*ends)(void),
		      void *stack);

static main_t tool_main;
static char *whole, *output, *error;
static size_t whole_size;

#define MOST (1u << 24)

/* Takes back all that was written to a file, with a 0 after it.  Return: its size. */
static size_t take_back(int fd, char *to)
{
	ssize_t size = pread(fd, to, MOST - 1, 0);

	if (size < 0)
		abort();
	to[size] = 0;
	return (size_t)size;
}

static int count_open(void)
{
	int fd, count = 0;

	for (fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* Ends the shortage, since memory that a profiler takes when the tool ends is not the tool's. */
static void end_run(void)
{
	run->last = 0;
	run->left = count_open() - run->open;
}

/* Runs the tool once.  Return: the wait status of the run. */
static int run_once(unsigned int first, unsigned int last, int argc, char **argv, char **environment, size_t *size)
{
	int out = memfd_create("out", 0), err = memfd_create("err", 0), status;
	pid_t process;

	/* The run would write what is in this buffer, too. */
	fflush(stdout);
	run->made = 0;
	run->first = first;
	run->last = last;
	process = fork();
	if (!process) {
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		alarm(60);
		run->open = count_open();
		atexit(end_run);
		exit(tool_main(argc, argv, environment));
	}
	if (process < 0 || waitpid(process, &status, 0) != process)
		abort();
	/* From here on nothing is scarce. */
	run->last = 0;
	*size = take_back(out, output);
	take_back(err, error);
	close(out);
	close(err);
	return status;
}

static int is_right(int status, size_t size)
{
	if (run->left)
		return 0;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return size == whole_size && !memcmp(output, whole, size) && !*error;
	return WIFEXITED(status) && WEXITSTATUS(status) == 2 && !strncmp(error, "bcoslog: ", 9) &&
		(strstr(error, "no memory") || strstr(error, strerror(ENOMEM))) &&
	       (getenv("SCARCE_ANY") || (size <= whole_size && !memcmp(output, whole, size)));
}

static int run_each(int argc, char **argv, char **environment)
{
	const char *rounds = getenv("SCARCE_ROUNDS");
	unsigned int all, turn, first, last, bad = 0, step = 1, most = rounds ? (unsigned int)atoi(rounds) : ~0u;
	int status = run_once(1, 0, argc, argv, environment, &whole_size);

	memcpy(whole, output, whole_size);
	fwrite(whole, 1, whole_size, stdout);
	all = run->made;
	if (status || *error || !all || run->left || (!whole_size && !getenv("SCARCE_ANY"))) {
		printf("with memory: status %d, %u allocations, %d descriptors\n%s", status, all, run->left, error);
		return 1;
	}
	/* An odd step lets one allocation, and all from one on, fail in turn. */
	for (turn = 0; turn < 2 * all; turn += step) {
		size_t size;

		first = turn / 2 + 1;
		last = turn % 2 ? all : first;
		if (turn >= most / 2)
			step = 1 + 2 * (all / (most ? most : 1));
		status = run_once(first, last, argc, argv, environment, &size);
		if (is_right(status, size))
			continue;
		bad = 1;
		printf("allocations %u to %u of %u: status %d, %zu of %zu bytes, %d descriptors left\n%s", first, last,
		       all, status, size, whole_size, run->left, error);
	}
	return (int)bad;
}

/* The C library calls main() in here, after the constructors of all libraries. */
int __libc_start_main(main_t main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*ends)(void),
		      void *stack)
{
	int (*next)(main_t, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

	*(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
	whole = __libc_malloc(MOST);
	output = __libc_malloc(MOST);
	error = __libc_malloc(MOST);
	run = mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	tool_main = main;
	return next(run_each, argc, argv, init, fini, ends, stack);
}
