// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog serve with a server of the test: where it is to listen, the page that it gets, and how it ends. */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "log/run.h"
#include "made_system.h"
#include "command.h"
#include "made_log.h"
#include "serve/http.h"

int cmd_serve(int argc, char **argv);

/* A page with all that the tool looks for in the explorer's. */
__asm__(".section .rodata\n"
	".global explorer_page\n"
	"explorer_page:\n"
	".ascii \"<meta http-equiv=\\\"Content-Security-Policy\\\" content=\\\"a 'b'; connect-src 'none'; c\\\">1<!--bcoslog:log-->2\"\n"
	".global explorer_page_end\n"
	"explorer_page_end:\n"
	".byte 0\n"
	".previous\n");

#define PAGE "<meta http-equiv=\"Content-Security-Policy\" content=\"a 'b'; connect-src 'self'; c\">1" \
	"<meta name=\"bcoslog-live\" content=\"log\">2"
#define POLICY "a 'b'; connect-src 'none'; c; frame-ancestors 'none'"

/* ---- the server ------------------------------------------------------------------------------ */

/* Shared with the process that runs the tool. */
static struct {
	char address[100], page[400], policy[200];
	unsigned int port;
	bool has_address;
	int started, stopped, waited;
	struct latest_part part;
} *server;

static bool is_here, starts;

bool http_is_here(void)
{
	return is_here;
}

static const struct http_options *given;

struct http *http_start(const struct http_options *options, char *url, size_t size)
{
	server->started++;
	server->has_address = options->address;
	if (options->address)
		snprintf(server->address, sizeof(server->address), "%s", options->address);
	server->port = options->port;
	snprintf(server->page, sizeof(server->page), "%.*s", (int)options->page_size, options->page);
	snprintf(server->policy, sizeof(server->policy), "%s", options->policy);
	given = options;
	snprintf(url, size, "http://here/");
	return starts ? (struct http *)1 : NULL;
}

void http_stop(struct http *http)
{
	struct latest_part part;

	assert_ptr_equal(http, (struct http *)1);
	server->stopped++;
	assert_int_equal(latest_copy(given->latest, 0, 1u << 30, &part), 0);
	free(part.bytes);
	server->part = part;
}

/* While nothing is waited for but a signal, one comes. */
int poll(struct pollfd *wait, nfds_t count, int timeout)
{
	struct timespec time = { .tv_sec = timeout / 1000, .tv_nsec = timeout % 1000 * 1000000L };

	if (!count && timeout == 100) {
		server->waited++;
		run_signal = SIGTERM;
	}
	return (int)syscall(SYS_ppoll, wait, count, timeout < 0 ? NULL : &time, NULL, 0);
}

/* ---- running it -------------------------------------------------------------------------------- */

static int begin_server(void **state)
{
	server = mmap(NULL, sizeof(*server), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	is_here = starts = true;
	return server == MAP_FAILED || made_begin(state) || chdir(made_root);
}

static int end_server(void **state)
{
	munmap(server, sizeof(*server));
	return chdir("/") || made_end(state);
}

/* Standard input of the tool is a pipe with these bytes. */
static const u8 *feed;
static size_t feed_size;

static void feed_input(void)
{
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		close(ends[0]);
		_exit(write(ends[1], feed, feed_size) != (ssize_t)feed_size);
	}
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
}

/* Runs bcoslog serve with these arguments.  Return: its exit status; its output is in the file "out". */
static int run_serve(const char *const *arguments)
{
	char *argv[8] = { (char *)"serve" };
	int argc = 1, status;
	pid_t child;

	memset(server, 0, sizeof(*server));
	for (; *arguments; arguments++)
		argv[argc++] = (char *)*arguments;
	fflush(stdout);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		alarm(60);
		feed_input();
		dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
		exit(cmd_serve(argc, argv));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#define ARGUMENTS(...) ((const char *const []){ __VA_ARGS__, NULL })

static void assert_listens(const char *listen, const char *address, unsigned int port)
{
	assert_complains("", run_serve(ARGUMENTS("--listen", listen, "/dev/null")) == 0);
	assert_int_equal(server->has_address, !!address);
	assert_string_equal(server->address, address ? address : "");
	assert_int_equal(server->port, port);
	assert_int_equal(server->stopped, 1);
}

static void refuse_option(const char *option, const char *value, const char *complaint)
{
	assert_complains(complaint, run_serve(ARGUMENTS(option, value, "/dev/null")) == 2);
	assert_int_equal(server->started, 0);
}

/* ---- where --------------------------------------------------------------------------------------- */

static void addresses_and_ports(void **state)
{
	static char longest[80], text[200];

	assert_complains("", run_serve(ARGUMENTS("/dev/null")) == 0);
	assert_false(server->has_address);
	assert_int_equal(server->port, 0);
	assert_listens("192.0.2.1", "192.0.2.1", 0);
	assert_listens("192.0.2.1:80", "192.0.2.1", 80);
	assert_listens(":8970", NULL, 8970);
	assert_listens("[::1]:65535", "::1", 65535);
	assert_listens("[::1]", "::1", 0);
	assert_listens("::1", "::1", 0);
	assert_listens("2001:db8::5:80", "2001:db8::5:80", 0);
	memset(longest, 'x', 79);
	assert_listens(longest, longest, 0);
	snprintf(text, sizeof(text), "%sx", longest);
	refuse_option("--listen", text,
		      "bcoslog: --listen: \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" "
		      "is no address\n");
	refuse_option("--listen", "[::1", "bcoslog: --listen takes [ADDRESS]:PORT, and not \"[::1\"\n");
	refuse_option("--listen", "[::1]8970", "bcoslog: --listen takes [ADDRESS]:PORT, and not \"[::1]8970\"\n");
	refuse_option("--listen", "x:65536", "bcoslog: --listen takes a number from 0 to 65535, not \"65536\"\n");
	refuse_option("--listen", "x:", "bcoslog: --listen takes a number from 0 to 65535, not \"\"\n");
}

static void how_much_is_kept(void **state)
{
	refuse_option("--memory", "0", "bcoslog: --memory takes 1 to 1024 MiB\n");
	refuse_option("--memory", "1025", "bcoslog: --memory takes a number from 0 to 1024, not \"1025\"\n");
	assert_complains("", run_serve(ARGUMENTS("--memory", "1024", "/dev/null")) == 0);
	assert_complains("", run_serve(ARGUMENTS("--memory", "1", "/dev/null")) == 0);
}

/* ---- what ---------------------------------------------------------------------------------------- */

static void the_page_asks_its_server(void **state)
{
	char text[100] = "";
	int fd;

	assert_complains("", run_serve(ARGUMENTS("/dev/null")) == 0);
	assert_string_equal(server->page, PAGE);
	fd = open("out", O_RDONLY | O_CLOEXEC);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	assert_string_equal(text, "/dev/null is at http://here/\n");
	/* The log has ended, and the page is still there until a signal comes. */
	assert_int_equal(server->waited, 1);
	assert_true(server->part.ended);
}

/* More than 1.25 MiB, without another group: the rest is left out, which is said once. */
static void a_log_that_has_no_room(void **state)
{
	static u8 log[2 << 20];
	struct bcos_entry *entry;
	size_t at;

	for (at = 0; at + 1024 <= sizeof(log); at += 1024) {
		entry = (struct bcos_entry *)(log + at);
		*entry = (struct bcos_entry){ .size = 1024, .type = BCOS_GENERIC_PROCESS, .time = 1, .precision = 1 };
		memset(entry + 1, 'x', 1024 - sizeof(*entry));
	}
	feed = log;
	feed_size = sizeof(log);
	assert_complains("bcoslog: - has no group of historical entries in 1 MiB: the page goes on at the next group; --memory keeps more\n",
			 run_serve(ARGUMENTS("--memory", "1", "-")) == 0);
	/* The page tells that entries are left out; nothing explains those that came before. */
	assert_true(server->part.full);
	assert_true(server->part.size <= 1280 * 1024);
	/* There is room in the memory that is usual, and then all of the log has ended. */
	assert_complains("", run_serve(ARGUMENTS("-")) == 0);
	assert_false(server->part.full);
	assert_true(server->part.ended);
	assert_int_equal(server->part.size, sizeof(log));
	/* A log that is damaged has its status. */
	feed_size -= 1000;
	assert_complains("bcoslog: standard input is damaged at byte 2096128 (truncated): the log ends inside an entry: the last 24 "
			 "bytes are left out\n", run_serve(ARGUMENTS("-")) == 1);
	assert_int_equal(server->part.size, sizeof(log) - 1024);
	feed_size = 0;
}

/* ---- how it ends ----------------------------------------------------------------------------------- */

static void how_it_ends(void **state)
{
	assert_complains("", run_serve(ARGUMENTS("--help")) == 0);
	assert_complains("bcoslog: serve has no option --nothing: see bcoslog serve --help\n",
			 run_serve(ARGUMENTS("--nothing")) == 2);
	assert_int_equal(server->started, 0);
	/* Nobody can listen there. */
	starts = false;
	assert_complains("", run_serve(ARGUMENTS("/dev/null")) == 2);
	assert_int_equal(server->stopped, 0);
	starts = true;
	assert_complains("bcoslog: there is no file nothing: check the name\n", run_serve(ARGUMENTS("nothing")) == 2);
	assert_int_equal(server->started, 0);
	is_here = false;
	assert_complains("bcoslog: this bcoslog was built without libmicrohttpd: scripts/deps explorer brings what is missing, then "
			 "make again\n", run_serve(ARGUMENTS("/dev/null")) == 2);
	assert_int_equal(server->started, 0);
}

#define server_test(test) cmocka_unit_test_setup_teardown(test, begin_server, end_server)

int main(void)
{
	const struct CMUnitTest tests[] = {
		server_test(addresses_and_ports),
		server_test(how_much_is_kept),
		server_test(the_page_asks_its_server),
		server_test(a_log_that_has_no_room),
		server_test(how_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
