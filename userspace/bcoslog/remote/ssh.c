// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Commands on other machines: see ssh.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "complain/complain.h"
#include "core/format/entry.h"
#include "host/linux.h"
#include "log/run.h"
#include "ssh.h"

/* A line of an answer is one row. What a machine says on standard error is kept up to so many bytes. */
#define LINE_BYTES ((size_t)16 << 20)
#define SAID_BYTES 4096
#define READ_BYTES 65536
/* What runs is looked after so often, ms. */
#define LOOK_MS 50
#define ARGUMENTS 16

/* ---- words ----------------------------------------------------------------------------------------- */

static void add_bytes(struct remote_words *words, const char *bytes, size_t length)
{
	char *text = words->failed ? NULL : realloc(words->text, words->length + length + 1);

	if (!text) {
		words->failed = true;
		return;
	}
	memcpy(text + words->length, bytes, length);
	words->text = text;
	words->length += length;
	text[words->length] = '\0';
}

void remote_word(struct remote_words *words, const char *word)
{
	if (words->length)
		add_bytes(words, " ", 1);
	add_bytes(words, "'", 1);
	for (; *word; word++)
		if (*word == '\'')
			add_bytes(words, "'\\''", 4);
		else
			add_bytes(words, word, 1);
	add_bytes(words, "'", 1);
}

void remote_free(struct remote_words *words)
{
	free(words->text);
	*words = (struct remote_words){ .length = 0 };
}

/* ---- ssh ------------------------------------------------------------------------------------------- */

extern char **environ;

/* The arguments of ssh, and the room of those that are made. */
struct ssh_arguments {
	char timeout[40], place[4096];
	char *words[ARGUMENTS];
};

/* One connection serves several commands, if there is a folder of the user's own for its socket. */
static const char *socket_folder(void)
{
	const char *folder = getenv("XDG_RUNTIME_DIR");

	return folder && folder[0] == '/' && strlen(folder) < 40 && !strpbrk(folder, "% \"\\") && !access(folder, W_OK) ? folder : NULL;
}

static void make_arguments(struct ssh_arguments *arguments, const char *host, const struct remote_words *command, u64 seconds)
{
	const char *folder = socket_folder();
	char **to = arguments->words;

	*to++ = (char *)"ssh";
	*to++ = (char *)"-oBatchMode=yes";
	if (seconds) {
		snprintf(arguments->timeout, sizeof(arguments->timeout), "-oConnectTimeout=%llu", (unsigned long long)seconds);
		*to++ = arguments->timeout;
	}
	if (folder) {
		snprintf(arguments->place, sizeof(arguments->place), "-oControlPath=%s/bcoslog-%%C", folder);
		*to++ = (char *)"-oControlMaster=auto";
		*to++ = (char *)"-oControlPersist=60";
		*to++ = arguments->place;
	}
	*to++ = (char *)"--";
	*to++ = (char *)host;
	*to++ = command->text;
	*to = NULL;
}

/* Makes the words of a subcommand without --host.  Return: the host; NULL if there is no such option, or it has no value. */
static const char *split_host(struct remote_words *words, int argc, char **argv)
{
	const char *host = NULL;
	int i;

	remote_word(words, "bcoslog");
	for (i = 0; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			break;
		else if (!strncmp(argv[i], "--host=", 7))
			host = argv[i] + 7;
		else if (!strcmp(argv[i], "--host") && i + 1 < argc)
			host = argv[++i];
		else
			remote_word(words, argv[i]);
	for (; i < argc; i++)
		remote_word(words, argv[i]);
	return host;
}

/*
 * Waits for ssh. Ctrl-C reaches it by itself, and SIGTERM when this program ends by it.
 * Return: its exit status, as that of a command of this program: what else shells and ssh have says that there was no answer.
 */
static int wait_ssh(pid_t child)
{
	int status = 0;
	pid_t r;

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	do {
		r = waitpid(child, &status, 0);
	} while (r < 0 && errno == EINTR);
	if (r != child)
		return EXIT_ENVIRONMENT;
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status) < EXIT_ENVIRONMENT ? WEXITSTATUS(status) : EXIT_ENVIRONMENT;
}

/* Runs ssh with the standard files of this program.  Return: its exit status, or EXIT_ENVIRONMENT after a complaint. */
static int run_ssh(const struct ssh_arguments *arguments)
{
	pid_t self = getpid(), child;

	/* Who ignores it gets no exit status. */
	signal(SIGCHLD, SIG_DFL);
	child = fork();
	if (child > 0)
		return wait_ssh(child);
	if (child < 0) {
		complain("ssh cannot be started: %s", strerror(errno));
		return EXIT_ENVIRONMENT;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() == self)
		execvp("ssh", arguments->words);
	complain("ssh cannot be started: %s: the package openssh-client has it", strerror(errno));
	_exit(EXIT_ENVIRONMENT);
}

int remote_run(int argc, char **argv)
{
	struct remote_words words = { .length = 0 };
	const char *host = split_host(&words, argc, argv);
	struct ssh_arguments arguments;
	int status = host ? EXIT_ENVIRONMENT : -1;

	if (host && words.failed) {
		complain("no memory for the words of the command");
	} else if (host && !host_check(host)) {
		make_arguments(&arguments, host, &words, 0);
		status = run_ssh(&arguments);
	}
	remote_free(&words);
	return status;
}

/* ---- a machine that is asked -------------------------------------------------------------------------- */

/**
 * struct asking - a machine that is asked
 * @child: process of ssh
 * @in: standard input, output and error of it; -1: closed
 * @out: see @in
 * @told: see @in
 * @deadline: when it has to have ended, on the monotonic clock, ns
 * @sent: bytes of the input that were sent
 * @line: the line that is not whole
 * @length: its length in bytes
 * @room: its room
 * @end: what is known of the end
 * @said: what it said
 * @said_length: its length in bytes
 * @cut: it said more before that
 * @broken: a line was no answer
 */
struct asking {
	pid_t child;
	int in, out, told;
	u64 deadline;
	size_t sent;
	char *line;
	size_t length, room;
	struct remote_end end;
	char said[SAID_BYTES];
	size_t said_length;
	bool cut, broken;
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int start_ssh(struct asking *asking, struct ssh_arguments *arguments, int *theirs)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t usual;
	int r, i;

	posix_spawnattr_init(&attributes);
	sigemptyset(&usual);
	posix_spawnattr_setsigmask(&attributes, &usual);
	sigaddset(&usual, SIGINT);
	sigaddset(&usual, SIGTERM);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	/* What ssh starts, such as a proxy, ends with it. */
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_init(&actions);
	for (i = 0; i < 3; i++)
		posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
	r = posix_spawnp(&asking->child, "ssh", &actions, &attributes, arguments->words, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return r;
}

/* Begins to ask a machine.  Return: 0, or -1 after a complaint. */
static int begin_asking(const struct remote_question *question, struct asking *asking, size_t host)
{
	struct ssh_arguments arguments;
	int ends[3][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } }, theirs[3], r, i;

	*asking = (struct asking){ .child = -1, .end = { .host = host } };
	make_arguments(&arguments, question->hosts->names[host], question->command, question->seconds);
	for (i = 0, r = 0; i < 3 && !r; i++)
		r = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends[i]) || fcntl(ends[i][0], F_SETFL, O_NONBLOCK) ? errno : 0;
	for (i = 0; i < 3; i++)
		theirs[i] = ends[i][1];
	if (!r)
		r = start_ssh(asking, &arguments, theirs);
	for (i = 0; i < 3; i++)
		close_end(&theirs[i]);
	asking->in = ends[0][0];
	asking->out = ends[1][0];
	asking->told = ends[2][0];
	asking->deadline = clock_now(CLOCK_MONOTONIC) + question->seconds * 1000000000;
	if (!r)
		return 0;
	asking->child = -1;
	complain("ssh cannot be started: %s: %s", strerror(r), r == ENOENT ? "the package openssh-client has it" : "ask fewer machines at once (--at-once)");
	return -1;
}

static void send_input(const struct remote_question *question, struct asking *asking)
{
	const char *rest = question->input + asking->sent;
	ssize_t n = *rest ? send(asking->in, rest, strlen(rest), MSG_NOSIGNAL) : 0;

	asking->sent += n > 0 ? (size_t)n : 0;
	if (!question->input[asking->sent] || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_end(&asking->in);
}

/* Takes the lines that are whole. @fresh: the bytes before it have no end of a line, so that a long line is searched once. */
static void take_lines(const struct remote_question *question, struct asking *asking, size_t fresh)
{
	char *at = asking->line, *from = at + fresh, *end;

	while ((end = memchr(from, '\n', asking->length - (size_t)(from - asking->line)))) {
		*end = '\0';
		if (!asking->broken && question->line(question->context, asking->end.host, at, (size_t)(end - at)))
			asking->broken = true;
		at = from = end + 1;
	}
	asking->length -= (size_t)(at - asking->line);
	memmove(asking->line, at, asking->length);
}

static void read_answer(const struct remote_question *question, struct asking *asking)
{
	char *line;
	ssize_t n;

	if (asking->room - asking->length < READ_BYTES) {
		line = asking->room < LINE_BYTES ? realloc(asking->line, asking->room + 2 * READ_BYTES + asking->room / 2) : NULL;
		if (!line) {
			asking->broken = true;
			asking->length = 0;
		} else {
			asking->line = line;
			asking->room += 2 * READ_BYTES + asking->room / 2;
		}
	}
	n = asking->room ? read(asking->out, asking->line + asking->length, asking->room - asking->length) : 0;
	if (n > 0) {
		asking->length += (size_t)n;
		take_lines(question, asking, asking->length - (size_t)n);
	} else if (!n || (errno != EAGAIN && errno != EINTR)) {
		close_end(&asking->out);
	}
}

/* Keeps the newest of what is said: the last line tells why the machine gives no answer.  Return: whether there was something. */
static bool read_said(struct asking *asking)
{
	char bytes[1024];
	ssize_t n = read(asking->told, bytes, sizeof(bytes));
	size_t room = SAID_BYTES - 1 - asking->said_length, drop;

	if (n > 0) {
		drop = (size_t)n > room ? (size_t)n - room : 0;
		asking->said_length -= drop;
		memmove(asking->said, asking->said + drop, asking->said_length);
		memcpy(asking->said + asking->said_length, bytes, (size_t)n);
		asking->said_length += (size_t)n;
		asking->cut |= drop > 0;
	} else if (!n || (errno != EAGAIN && errno != EINTR)) {
		close_end(&asking->told);
	}
	return n > 0;
}

/* ---- the end of an answer ----------------------------------------------------------------------------- */

/* Has only whole characters in what another machine said: it may have anything. */
static void clean_text(char *text, size_t length)
{
	char *at = text, *end = text + length;
	size_t size;

	for (; at < end; at += size) {
		size = bcos_utf8_character(at, (size_t)(end - at));
		if (!size || ((u8)*at < ' ' && *at != '\n') || *at == 0x7F) {
			*at = '?';
			size = 1;
		}
	}
}

/* Return: the last line of what was said; empty if there is none. */
static const char *last_line(char *said)
{
	size_t length = strlen(said);
	char *line;

	while (length && said[length - 1] == '\n')
		said[--length] = '\0';
	line = strrchr(said, '\n');
	line = line ? line + 1 : said;
	return strncmp(line, "bcoslog: ", 9) ? line : line + 9;
}

static void say_failure(struct remote_end *end, int status, char *said)
{
	const char *line = last_line(said);

	if (status == 255)
		snprintf(end->error, sizeof(end->error), "ssh failed%s%.500s", *line ? ": " : "", line);
	else if (status == 127 || status == 126)
		snprintf(end->error, sizeof(end->error), "bcoslog cannot be started there: it is not in the PATH of ssh's commands%s%.500s",
			 *line ? ": " : "", line);
	else if (*line)
		snprintf(end->error, sizeof(end->error), "%.600s", line);
	else
		snprintf(end->error, sizeof(end->error), "bcoslog ended there with the status %d", status);
}

/* Says how a machine has ended.  Return: what @ended returns. */
static int end_asking(const struct remote_question *question, struct asking *asking, int status, bool late)
{
	struct remote_end *end = &asking->end;

	/* It has ended, so there is no more than what a socket holds. */
	while (asking->told >= 0 && read_said(asking))
		;
	if (asking->cut)
		memcpy(asking->said, "...", 3);
	clean_text(asking->said, asking->said_length);
	end->said = asking->said;
	if (late)
		snprintf(end->error, sizeof(end->error), "no answer within %llu s (--host-timeout)", (unsigned long long)question->seconds);
	else if (!WIFEXITED(status))
		snprintf(end->error, sizeof(end->error), "ssh was killed by the signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) > 1)
		say_failure(end, WEXITSTATUS(status), asking->said);
	else if (asking->broken || asking->length)
		snprintf(end->error, sizeof(end->error), "its answer is not one of bcoslog: is it of another version?");
	else
		end->status = WEXITSTATUS(status);
	/* What had no room may have been cut amid a character. */
	clean_text(end->error, strlen(end->error));
	close_end(&asking->in);
	close_end(&asking->out);
	close_end(&asking->told);
	free(asking->line);
	asking->line = NULL;
	asking->child = -1;
	return question->ended(question->context, end);
}

static void kill_ssh(const struct asking *asking)
{
	if (asking->child < 0)
		return;
	kill(-asking->child, SIGKILL);
	waitpid(asking->child, NULL, 0);
}

/*
 * Looks whether a machine has ended.  Return: 0; 1 if it has; -1 to end everything. A connection that serves later commands keeps
 * standard error open, so the end of that says nothing.
 */
static int look_after(const struct remote_question *question, struct asking *asking)
{
	int status = 0;

	if (asking->out < 0 && waitpid(asking->child, &status, WNOHANG) == asking->child)
		return end_asking(question, asking, status, false) ? -1 : 1;
	if (clock_now(CLOCK_MONOTONIC) < asking->deadline)
		return 0;
	kill_ssh(asking);
	return end_asking(question, asking, 0, true) ? -1 : 1;
}

/* ---- all machines -------------------------------------------------------------------------------------- */

/* Waits for any of the machines, and reads and sends. */
static void serve_all(const struct remote_question *question, struct asking *all, struct pollfd *polled, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		polled[3 * i] = (struct pollfd){ .fd = all[i].child < 0 ? -1 : all[i].in, .events = POLLOUT };
		polled[3 * i + 1] = (struct pollfd){ .fd = all[i].child < 0 ? -1 : all[i].out, .events = POLLIN };
		polled[3 * i + 2] = (struct pollfd){ .fd = all[i].child < 0 ? -1 : all[i].told, .events = POLLIN };
	}
	if (poll(polled, 3 * count, LOOK_MS) <= 0)
		return;
	for (i = 0; i < count; i++) {
		if (polled[3 * i].revents)
			send_input(question, &all[i]);
		if (polled[3 * i + 1].revents)
			read_answer(question, &all[i]);
		if (polled[3 * i + 2].revents)
			read_said(&all[i]);
	}
}

/* Begins to ask as many as may be asked.  Return: the number of those that are being asked; -1 after a complaint. */
static long begin_some(const struct remote_question *question, struct asking *all, size_t count, size_t *next)
{
	long asked = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (all[i].child < 0 && *next < question->hosts->count && begin_asking(question, &all[i], (*next)++))
			return -1;
		asked += all[i].child >= 0;
	}
	return asked;
}

int remote_ask(const struct remote_question *question)
{
	size_t count = question->hosts->count < question->at_once ? question->hosts->count : (size_t)question->at_once, next = 0, i;
	struct asking *all = calloc(count, sizeof(*all));
	struct pollfd *polled = calloc(3 * count, sizeof(*polled));
	int r = all && polled && !question->command->failed ? 0 : -1;

	/* Who ignores it is not told how a process ended. */
	signal(SIGCHLD, SIG_DFL);
	if (r)
		complain("no memory for the machines that are asked");
	for (i = 0; all && i < count; i++)
		all[i] = (struct asking){ .child = -1, .in = -1, .out = -1, .told = -1 };
	while (!r && (r = run_ends() ? -1 : 0) == 0) {
		long asked = begin_some(question, all, count, &next);

		r = asked < 0 ? -1 : 0;
		if (asked <= 0)
			break;
		serve_all(question, all, polled, count);
		for (i = 0; !r && i < count; i++)
			r = all[i].child >= 0 && look_after(question, &all[i]) < 0 ? -1 : 0;
	}
	for (i = 0; all && i < count; i++) {
		kill_ssh(&all[i]);
		close_end(&all[i].in);
		close_end(&all[i].out);
		close_end(&all[i].told);
		free(all[i].line);
	}
	free(all);
	free(polled);
	return r;
}
