// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog attach, with programs that are made up here: which are attached, and for how long. */
#include <errno.h>
#include <signal.h>

#include "bcoslog_bpf.h"
#include "kept_output.h"
#include "command.h"
#include "output/output.h"

/* ---- libbpf and the system, as far as they are asked --------------------------------------------------------------- */

#define MAX 64

/* A program is its number from 1 on. These are declared here, since not every machine has the header. */
static char object;
static int open_error, load_error, programs, not_loaded, not_attached, refused;
static bool quiet, loaded_module, has_types;

void *bpf_object__open_file(const char *path, const void *options);
int bpf_object__load(void *of);
void bpf_object__close(void *of);
void *bpf_object__next_program(const void *of, void *program);
bool bpf_program__autoload(const void *program);
bool bpf_program__autoattach(const void *program);
void *bpf_program__attach(const void *program);
const char *bpf_program__name(const void *program);
int bpf_link__destroy(void *link);
void *libbpf_set_print(void *print);
int libbpf_strerror(int error, char *text, size_t size);

void *bpf_object__open_file(const char *path, const void *options)
{
	assert_true(quiet);
	note_call("open %s", path);
	errno = open_error;
	return open_error ? NULL : &object;
}

int bpf_object__load(void *of)
{
	assert_ptr_equal(of, &object);
	note_call("load");
	return load_error;
}

void bpf_object__close(void *of)
{
	note_call(of ? "close" : "nothing to close");
}

void *bpf_object__next_program(const void *of, void *program)
{
	uintptr_t next = (uintptr_t)program + 1;

	return next <= (uintptr_t)programs ? (void *)next : NULL;
}

bool bpf_program__autoload(const void *program)
{
	return (uintptr_t)program != (uintptr_t)not_loaded;
}

bool bpf_program__autoattach(const void *program)
{
	return (uintptr_t)program != (uintptr_t)not_attached;
}

void *bpf_program__attach(const void *program)
{
	note_call("+%u", (unsigned int)(uintptr_t)program);
	errno = EBUSY;
	return (uintptr_t)program == (uintptr_t)refused ? NULL : (void *)program;
}

const char *bpf_program__name(const void *program)
{
	return "last";
}

int bpf_link__destroy(void *link)
{
	if (link)
		note_call("-%u", (unsigned int)(uintptr_t)link);
	return 0;
}

/* Its own messages would disturb those of the tool. */
void *libbpf_set_print(void *print)
{
	quiet = true;
	return NULL;
}

int libbpf_strerror(int error, char *text, size_t size)
{
	return snprintf(text, size, "error %d", error);
}

int access(const char *path, int mode)
{
	assert_int_equal(mode, F_OK);
	if (!strcmp(path, "/sys/module/bcos_evlog"))
		return loaded_module ? 0 : -1;
	assert_string_equal(path, "/sys/kernel/btf/bcos_evlog");
	return has_types ? 0 : -1;
}

int sigwait(const sigset_t *set, int *number)
{
	sigset_t blocked;

	/* They stay pending from the beginning on, and nothing but these ends the wait. */
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	assert_int_equal(sigismember(&blocked, SIGINT), sigismember(set, SIGINT));
	assert_int_equal(sigismember(&blocked, SIGTERM), sigismember(set, SIGTERM));
	assert_false(sigismember(set, SIGHUP));
	note_call("wait%s%s", sigismember(set, SIGINT) ? " INT" : "", sigismember(set, SIGTERM) ? " TERM" : "");
	return 0;
}

int pause(void)
{
	note_call("pause");
	return -1;
}

static int begin_attach(void **state)
{
	sigset_t none;

	open_error = load_error = not_loaded = not_attached = refused = 0;
	programs = 1;
	loaded_module = has_types = true;
	no_output = false;
	output.error = 0;
	output.used = 0;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	/* A tool without the engine cannot attach anything. */
	if (!bcoslog_bpf_classes())
		skip();
	return 0;
}

#define attach(...) call_words(cmd_attach, (char *[]){ __VA_ARGS__, NULL })
#define assert_attaches(status, complaint, text, deeds) do { \
		assert_complains(complaint, attach("file") == (status)); \
		assert_string_equal(done, deeds); \
		assert_string_equal(written, text); \
	} while (0)

#define BEGIN "open file; load; "
#define ONE "1 program is attached, until Ctrl-C\n"

/* ---- programs ---------------------------------------------------------------------------------------------------------- */

static void until_a_signal(void **state)
{
	assert_attaches(EXIT_OK, "", ONE, BEGIN "+1; wait INT TERM; -1; close; ");
	programs = 3;
	assert_attaches(EXIT_OK, "", "3 programs are attached, until Ctrl-C\n",
			BEGIN "+1; +2; +3; wait INT TERM; -1; -2; -3; close; ");
	programs = 0;
	assert_attaches(EXIT_OK, "", "0 programs are attached, until Ctrl-C\n", BEGIN "wait INT TERM; close; ");
}

static void some_are_not_attached(void **state)
{
	programs = 3;
	not_loaded = 1;
	not_attached = 3;
	assert_attaches(EXIT_OK, "", ONE, BEGIN "+2; wait INT TERM; -2; close; ");
	not_loaded = 0;
	not_attached = 0;
	refused = 2;
	assert_attaches(EXIT_ENVIRONMENT, "bcoslog: program last cannot be attached: error -16\n", "",
			BEGIN "+1; +2; -1; close; ");
}

/* Signals that the caller ignores stay ignored. */
static void ignored_signals(void **state)
{
	signal(SIGINT, SIG_IGN);
	assert_attaches(EXIT_OK, "", ONE, BEGIN "+1; wait TERM; -1; close; ");
	begin_attach(state);
	signal(SIGTERM, SIG_IGN);
	assert_attaches(EXIT_OK, "", ONE, BEGIN "+1; wait INT; -1; close; ");
	begin_attach(state);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	assert_attaches(EXIT_OK, "", ONE, BEGIN "+1; pause; -1; close; ");
}

static void more_than_there_is_room_for(void **state)
{
	programs = MAX;
	assert_complains("", attach("file") == EXIT_OK);
	assert_string_equal(written, "64 programs are attached, until Ctrl-C\n");
	assert_non_null(strstr(done, "+64; wait INT TERM; -1; "));
	assert_non_null(strstr(done, "-64; close; "));
	programs = MAX + 1;
	assert_complains("bcoslog: more than 64 programs in a file are not supported\n", attach("file") == EXIT_ENVIRONMENT);
	assert_string_equal(written, "");
	assert_null(strstr(done, "+65; "));
	assert_non_null(strstr(done, "-64; close; "));
	/* Those that are left out do not count. */
	not_attached = 5;
	assert_complains("", attach("file") == EXIT_OK);
	assert_string_equal(written, "64 programs are attached, until Ctrl-C\n");
}

/* ---- failures ---------------------------------------------------------------------------------------------------------- */

static void why_they_are_not_loaded(void **state)
{
	load_error = -EPERM;
	assert_attaches(EXIT_ENVIRONMENT, "bcoslog: the kernel refuses the programs in file: attaching requires the capabilities "
			"CAP_BPF and CAP_PERFMON: use sudo\n", "", BEGIN "close; ");
	load_error = -EINVAL;
	assert_attaches(EXIT_ENVIRONMENT, "bcoslog: the kernel refuses the programs in file: error -22: its own reason is "
			"shown with BCOSLOG_DEBUG=1\n", "", BEGIN "close; ");
	has_types = false;
	assert_attaches(EXIT_ENVIRONMENT, "bcoslog: the module was built without type information, and programs cannot call it: build "
			"it with headers that bring their vmlinux, as Debian's from 6.12 on do\n", "", BEGIN "close; ");
	loaded_module = false;
	assert_attaches(EXIT_ENVIRONMENT, "bcoslog: the module is not loaded, and there is no log that programs could write into: "
			"insmod bcos_evlog.ko\n", "", BEGIN "close; ");
	open_error = ENOENT;
	assert_attaches(EXIT_ENVIRONMENT, "bcoslog: file cannot be used as BPF programs: error -2\n", "",
			"open file; nothing to close; ");
}

static void an_output_that_cannot_be_written(void **state)
{
	no_output = true;
	assert_attaches(EXIT_ENVIRONMENT, "bcoslog: standard output cannot be written: No space left on device\n", ONE,
			BEGIN "+1; -1; close; ");
}

static void refused_arguments(void **state)
{
	assert_complains("bcoslog: attach needs a file of BPF programs: see bcoslog attach --help\n",
			 call_words(cmd_attach, (char *[]){ NULL }) == EXIT_ENVIRONMENT);
	assert_complains("bcoslog: attach takes one file: a and b are two\n", attach("a", "b") == EXIT_ENVIRONMENT);
	assert_complains("bcoslog: attach has no option -x: see bcoslog attach --help\n", attach("-x") == EXIT_ENVIRONMENT);
	assert_complains("bcoslog: attach has no option -f: see bcoslog attach --help\n", attach("-f") == EXIT_ENVIRONMENT);
	assert_string_equal(done, "");
	assert_complains("", attach("--help") == EXIT_OK);
	assert_string_equal(done, "");
}

#define attach_test(test) cmocka_unit_test_setup(test, begin_attach)

int main(void)
{
	const struct CMUnitTest tests[] = {
		attach_test(until_a_signal),
		attach_test(some_are_not_attached),
		attach_test(ignored_signals),
		attach_test(more_than_there_is_room_for),
		attach_test(why_they_are_not_loaded),
		attach_test(an_output_that_cannot_be_written),
		attach_test(refused_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
