// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog attach: attaches BPF programs that put events into the module's log, for as long as the command runs. */
#include "command.h"
#include "options/options.h"
#include "complain/complain.h"

#ifdef BCOSLOG_HAVE_BPF
#include <bpf/libbpf.h>
#include <signal.h>
#include <unistd.h>

#include "engine/programs/debug.h"
#include "output/output.h"

#define PROGRAMS_MAX 64

#define MODULE "/sys/module/bcos_evlog"
/* The type information by which the kernel finds the module's functions that programs may call. */
#define TYPES "/sys/kernel/btf/bcos_evlog"

static const char *load_reason(int error)
{
	static char text[100];

	libbpf_strerror(error, text, sizeof(text));
	return text;
}

static void complain_of_loading(const char *path, int error)
{
	if (access(MODULE, F_OK))
		complain("the module is not loaded, and there is no log that programs could write into: "
			 "insmod bcos_evlog.ko");
	else if (access(TYPES, F_OK))
		complain("the module was built without type information, and programs cannot call it: build it with "
			 "headers that bring their vmlinux, as Debian's from 6.12 on do");
	else if (error == -EPERM)
		complain("the kernel refuses the programs in %s: attaching requires the capabilities CAP_BPF and "
			 "CAP_PERFMON: use sudo", path);
	else
		complain("the kernel refuses the programs in %s: %s: its own reason is shown with "
			 "BCOSLOG_DEBUG=1", path, load_reason(error));
}

/* Opens and loads the programs of a file.  Return: 0, or -1 after a complaint. */
static int load_object(struct bpf_object **object, const char *path)
{
	int error;

	*object = bpf_object__open_file(path, NULL);
	if (!*object) {
		error = -errno;
		complain("%s cannot be used as BPF programs: %s", path, load_reason(error));
		return -1;
	}
	error = bpf_object__load(*object);
	if (error)
		complain_of_loading(path, error);
	return error ? -1 : 0;
}

/* Attaches the programs.  Return: the number of attached programs, or -1 after a complaint. */
static int attach_all(struct bpf_object *object, struct bpf_link **links)
{
	struct bpf_program *program;
	int count = 0;

	bpf_object__for_each_program(program, object) {
		/* The file says of some programs that they are not attached by themselves. */
		if (!bpf_program__autoload(program) || !bpf_program__autoattach(program))
			continue;
		if (count == PROGRAMS_MAX) {
			complain("more than %d programs in a file are not supported", PROGRAMS_MAX);
			return -1;
		}
		links[count] = bpf_program__attach(program);
		if (!links[count]) {
			complain("program %s cannot be attached: %s", bpf_program__name(program), load_reason(-errno));
			return -1;
		}
		count++;
	}
	return count;
}

/* Waits for a signal of @end. SIGINT and SIGTERM are not in it if the caller of the program ignores them. */
static void wait_for_end(const sigset_t *end)
{
	int number;

	if (!sigisemptyset(end))
		sigwait(end, &number);
	else
		pause();
}

static int attach_object(const char *path)
{
	static const int numbers[] = { SIGINT, SIGTERM };
	struct bpf_link *links[PROGRAMS_MAX] = { NULL };
	struct bpf_object *object;
	struct sigaction old;
	int status = EXIT_ENVIRONMENT, count;
	sigset_t end;
	size_t i;

	/* A signal that comes while the programs are loaded stays pending, and ends the wait at once. */
	sigemptyset(&end);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaddset(&end, numbers[i]);
	sigprocmask(SIG_BLOCK, &end, NULL);
	debug_begin();
	if (!load_object(&object, path)) {
		count = attach_all(object, links);
		if (count >= 0) {
			output_format("%d %s attached, until Ctrl-C\n", count,
				      count == 1 ? "program is" : "programs are");
			if (!output_flush()) {
				wait_for_end(&end);
				status = EXIT_OK;
			} else {
				complain("standard output cannot be written: %s", strerror(output.error));
			}
		}
	}
	for (i = 0; i < PROGRAMS_MAX; i++)
		bpf_link__destroy(links[i]);
	bpf_object__close(object);
	return status;
}
#else
static int attach_object(const char *path)
{
	(void)path;
	complain("this bcoslog was built without BPF: build it where clang, bpftool and libbpf are");
	return EXIT_ENVIRONMENT;
}
#endif

/* Takes the file of programs in the place of a log. */
static int take_file(struct arguments *arguments, const char *text)
{
	const char **path = arguments->context;

	if (*text == '-')
		return 0;
	if (*path) {
		complain("attach takes one file: %s and %s are two", *path, text);
		return -1;
	}
	*path = text;
	return 1;
}

static int cmd_attach(struct session *session, int argc, char **argv)
{
	const char *path = NULL;
	struct arguments arguments = { .session = session, .command = &command_attach, .context = &path, .change = take_file };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	if (!path) {
		complain("attach needs a file of BPF programs: see bcoslog attach --help");
		return EXIT_ENVIRONMENT;
	}
	return attach_object(path);
}

const struct command command_attach = {
	.name = "attach",
	.summary = "load BPF programs that write events into the log",
	.usage = "bcoslog attach [OPTIONS] FILE",
	.about =
"Attaches the BPF programs in FILE, which put events of their own into the log\n"
"of the module (bpf/examples), until Ctrl-C or SIGTERM; then it detaches them.",
	.status = "0 a signal ended it, 2 the programs cannot be used.",
	.run = cmd_attach,
};
