// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog attach: BPF programs that put events into the module's log, for as long as it runs. */
#include "command.h"

static const char help[] =
"Usage: bcoslog attach [OPTIONS] FILE\n"
"\n"
"Attaches the BPF programs in FILE, which put events of their own into the log\n"
"of the module (bpf/examples), and detaches them when it is told to end: by\n"
"Ctrl-C, or SIGTERM.\n"
"\n"
"  -h, --help     this text\n"
"\n"
"Exit status: 0 ended as asked, 2 the programs cannot be used.\n";

#ifdef BCOSLOG_HAVE_BPF
#include <bpf/libbpf.h>
#include <unistd.h>

#include "engine/programs.h"
#include "engine/refusal.h"

/* Where the kernel says what programs may call. */
#define MODULE "/sys/module/bcos_evlog"
#define TYPES "/sys/kernel/btf/bcos_evlog"

/* Return: 0 or -1, after a complaint. */
static int load(struct bpf_object **object, const char *path)
{
	struct bcoslog_error error;
	int r;

	*object = bpf_object__open_file(path, NULL);
	if (!*object) {
		complain("%s cannot be used: %s", path,
			 errno == ENOENT || errno == EACCES ? strerror(errno) : "it is no object file of BPF programs");
		return -1;
	}
	r = bpf_object__load(*object);
	if (!r)
		return 0;
	if (access(MODULE, F_OK))
		complain("the module is not loaded, and there is no log that programs could write into: insmod bcos_evlog.ko");
	else if (access(TYPES, F_OK))
		complain("the module was built without type information, and programs cannot call it: build it with "
			 "headers that bring their vmlinux, as Debian's from 6.12 on do");
	else if (r == -EPERM || r == -EACCES || r == -ENOMEM)
		complain("%s", (refusal(&error, r, "loading programs"), error.text));
	else
		complain("the kernel does not take the programs in %s: %s: its own reason is shown with BCOSLOG_DEBUG=1",
			 path, strerror(-r));
	return -1;
}

/* Closing the object does not detach them.  Return: how many, or -1 after a complaint. */
static int attach_all(struct bpf_object *object, struct bpf_link **links, int room)
{
	struct bpf_program *program;
	int count = 0;

	bpf_object__for_each_program(program, object) {
		if (count == room) {
			complain("more than %d programs in a file are not supported", room);
			return -1;
		}
		links[count] = bpf_program__attach(program);
		if (!links[count++]) {
			complain("program %s cannot be attached: %s", bpf_program__name(program), strerror(errno));
			return -1;
		}
	}
	return count;
}

static int attach(const char *path)
{
	struct bpf_link *links[64] = { NULL };
	struct bpf_object *object;
	int status = EXIT_ENVIRONMENT, count, number;
	sigset_t end;

	/* It is told once the programs are there, or not at all. */
	sigemptyset(&end);
	sigaddset(&end, SIGINT);
	sigaddset(&end, SIGTERM);
	sigprocmask(SIG_BLOCK, &end, NULL);
	libbpf_set_print(programs_print);
	if (!load(&object, path)) {
		count = attach_all(object, links, sizeof(links) / sizeof(links[0]));
		if (count >= 0) {
			output_format("%d %s attached, until Ctrl-C\n", count, count == 1 ? "program is" : "programs are");
			status = output_flush() ? EXIT_ENVIRONMENT : EXIT_OK;
			if (status == EXIT_OK)
				sigwait(&end, &number);
		}
	}
	for (count = 0; count < (int)(sizeof(links) / sizeof(links[0])); count++)
		bpf_link__destroy(links[count]);
	bpf_object__close(object);
	return status;
}
#else
static int attach(const char *path)
{
	(void)path;
	complain("this bcoslog was built without BPF: build it where clang, bpftool and libbpf are");
	return EXIT_ENVIRONMENT;
}
#endif

int cmd_attach(int argc, char **argv)
{
	struct arguments arguments = { .command = "attach", .help = help, .no_follow = true };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	if (arguments.path == default_log) {
		complain("attach needs a file of BPF programs: see bcoslog attach --help");
		return EXIT_ENVIRONMENT;
	}
	return attach(arguments.path);
}
