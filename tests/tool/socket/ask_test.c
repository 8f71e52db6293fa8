// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How a command asks a recorder for its log, which is another process here and answers with bytes by hand. */
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "descriptors.h"
#include "printed.h"
#include "made_log.h"
#include "socket/ask.h"
#include "socket/socket.h"

static char folder[64], path[80];
static int listens = -1;
static pid_t recorder;
static int socket_error, connect_error, send_error;
static struct bcoslog *log_of_it;
static struct bcoslog_error error;
static unsigned int before;

int socket(int domain, int type, int protocol)
{
	assert_true(type & SOCK_CLOEXEC);
	errno = socket_error;
	return socket_error ? -1 : (int)syscall(SYS_socket, domain, type, protocol);
}

int connect(int fd, const struct sockaddr *address, socklen_t size)
{
	errno = connect_error;
	return connect_error ? -1 : (int)syscall(SYS_connect, fd, address, size);
}

ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	assert_int_equal(flags, MSG_NOSIGNAL);
	errno = send_error;
	return send_error ? -1 : syscall(SYS_sendto, fd, bytes, size, flags, NULL, 0);
}

static int begin_test(void **state)
{
	struct sockaddr_un address;

	strcpy(folder, "/tmp/ask-test.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/socket", folder);
	setenv("BCOSLOG_SOCKET", path, 1);
	socket_error = connect_error = send_error = 0;
	socket_address(&address, NULL);
	listens = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return bind(listens, (struct sockaddr *)&address, sizeof(address)) || listen(listens, 1);
}

static int end_test(void **state)
{
	close(listens);
	unlink(path);
	return rmdir(folder);
}

/* The recorder gets this request, gives this answer, and then ends. */
static void begin_recorder(u32 flags, const void *answer, size_t size)
{
	struct socket_request asked = { 0 }, expected = { .flags = flags };
	int fd;

	memcpy(expected.word, "BCOSask1", 8);
	recorder = fork();
	if (!recorder) {
		fd = accept(listens, NULL, NULL);
		if (!send_error && (recv(fd, &asked, sizeof(asked), MSG_WAITALL) != sizeof(asked) ||
				    memcmp(&asked, &expected, sizeof(asked))))
			_exit(1);
		_exit(size && write(fd, answer, size) != (ssize_t)size);
	}
}

static void end_recorder(void)
{
	int status;

	assert_int_equal(waitpid(recorder, &status, 0), recorder);
	assert_int_equal(status, 0);
}

/* Asks a recorder that answers so, and asserts that this is an error, after which nothing stays open. */
static void assert_refused(const char *answer, int code, const char *format)
{
	char expected[400];

	begin_recorder(0, answer, strlen(answer));
	snprintf(expected, sizeof(expected), format, path);
	memset(&error, 0xFF, sizeof(error));
	log_of_it = (struct bcoslog *)path;
	before = count_descriptors();
	assert_int_equal(ask_recorder(&log_of_it, 0, &error), -code);
	assert_int_equal(count_descriptors(), before);
	end_recorder();
	assert_null(log_of_it);
	assert_int_equal(error.code, code);
	assert_string_equal(error.text, expected);
	assert_int_equal(error.offset, 0);
}

/* The log is that of another machine: one entry. */
static void the_log_of_a_recorder(void **state)
{
	char answer[8 + 24] = "BCOSlog1";
	const struct bcos_entry *entry;
	struct made made;

	memcpy(answer + 8, made_word(&made, BCOS_ASSIGN_CPU, 3, 1000, 10), 24);
	before = count_descriptors();
	begin_recorder(0, answer, sizeof(answer));
	assert_int_equal(ask_recorder(&log_of_it, 0, &error), 0);
	assert_int_equal(bcoslog_kind(log_of_it), BCOSLOG_STREAM);
	assert_int_equal(bcoslog_next(log_of_it, &entry), 1);
	assert_int_equal(entry->time, 1000);
	assert_int_equal(entry->source, 3);
	assert_int_equal(bcoslog_next(log_of_it, &entry), 0);
	bcoslog_close(log_of_it);
	end_recorder();
	assert_int_equal(count_descriptors(), before);
	begin_recorder(1, answer, sizeof(answer));
	assert_int_equal(ask_recorder(&log_of_it, BCOSLOG_FOLLOW, &error), 0);
	bcoslog_close(log_of_it);
	end_recorder();
}

static void a_recorder_that_refuses(void **state)
{
	char answer[400] = "BCOSerr1", expected[300] = "the recorder refuses: ";

	assert_refused("BCOSerr1", EACCES, "the recorder refuses: ");
	assert_refused("BCOSerr1not you", EACCES, "the recorder refuses: not you");
	/* A sentence has 255 characters at most. */
	memset(answer + 8, 'n', 300);
	memset(expected + strlen(expected), 'n', 255);
	assert_refused(answer, EACCES, expected);
}

static void programs_that_are_no_recorders(void **state)
{
	static const char other[] = "the program at %s is not a recorder of this version of bcoslog";

	assert_refused("BCOSlog2", EPROTO, other);
	assert_refused("BCOSerr2text", EPROTO, other);
	assert_refused("BCOSlog", ENOENT, "the recorder at %s ended");
	assert_refused("", ENOENT, "the recorder at %s ended");
}

/* The answer of one that has closed its socket since can be read. */
static void a_recorder_that_does_not_listen(void **state)
{
	send_error = EPIPE;
	assert_refused("BCOSerr1not you", EACCES, "the recorder refuses: not you");
	send_error = ECONNRESET;
	assert_refused("BCOSerr1not you", EACCES, "the recorder refuses: not you");
	send_error = ENOBUFS;
	assert_refused("", ENOBUFS, "the recorder cannot be asked: No buffer space available");
}

static void assert_none(int code, const char *text)
{
	before = count_descriptors();
	assert_int_equal(ask_recorder(&log_of_it, 0, &error), -code);
	assert_int_equal(count_descriptors(), before);
	assert_int_equal(error.code, code);
	assert_string_equal(error.text, text);
}

static void no_recorder(void **state)
{
	char expected[200], name[200];

	socket_error = EMFILE;
	assert_none(EMFILE, "no recorder can be asked: Too many open files");
	socket_error = 0;
	snprintf(expected, sizeof(expected), "no permission to ask the recorder at %s: use sudo, or become a member of the "
		 "group bcos", path);
	connect_error = EACCES;
	assert_none(EACCES, expected);
	connect_error = EPERM;
	assert_none(EACCES, expected);
	connect_error = 0;
	unlink(path);
	snprintf(expected, sizeof(expected), "no recorder answers at %s", path);
	assert_none(ENOENT, expected);
	memset(name, 'x', 108);
	name[108] = '\0';
	setenv("BCOSLOG_SOCKET", name, 1);
	assert_none(ENAMETOOLONG, "the name of the recorder's socket is too long");
}

#define ask_test(test) cmocka_unit_test_setup_teardown(test, begin_test, end_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ask_test(the_log_of_a_recorder),
		ask_test(a_recorder_that_refuses),
		ask_test(programs_that_are_no_recorders),
		ask_test(a_recorder_that_does_not_listen),
		ask_test(no_recorder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
