// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The recorder's socket and who asks it: who may, what is refused, and that nothing of it stays. The log here is a file, which
 * is not recorded by BPF programs, so the answer to a right request is a sentence that says so; tests/bpf/keep.sh has a
 * recorder that gives its log.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "printed.h"
#include "bcoslog_bpf.h"
#include "socket/ask.h"
#include "socket/socket.h"

static char folder[64], path[80];
static struct bcoslog *of;
static struct server *server;
static unsigned int naming;		/* for so many microseconds a process looks for the group */

/* libc's. The recorder asks for the group between the moments at which it looks at the socket, and at which it makes its own. */
struct group *getgrnam(const char *name)
{
	static char word[] = "bcos";
	static struct group group = { .gr_name = word, .gr_gid = 4711 };

	usleep(naming);
	return geteuid() || strcmp(name, word) ? NULL : &group;
}

static struct server *open_server(const char *at)
{
	bool refused;

	return server_open(of, at, &refused);
}

static bool killed;			/* SIGKILL comes when the process has made a directory */

int mkdir(const char *name, mode_t mode)
{
	int r = (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);

	if (killed)
		raise(SIGKILL);
	return r;
}

static int begin_server(void **state)
{
	struct bcoslog_error error;

	strcpy(folder, "/tmp/server-test.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/inner/socket", folder);
	setenv("BCOSLOG_SOCKET", path, 1);
	if (bcoslog_open(&of, "/dev/null", 0, &error))
		return -1;
	server = open_server(path);
	return server ? 0 : -1;
}

static int end_server(void **state)
{
	server_close(server);
	server = NULL;
	bcoslog_close(of);
	return rmdir(folder);
}

static int connect_there(void)
{
	struct sockaddr_un address;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(socket_address(&address, path));
	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

/* All that comes, up to the end.  Return: it. */
static const char *heard_from(int fd)
{
	static char text[512];
	size_t used = 0;
	ssize_t n;

	while ((n = recv(fd, text + used, sizeof(text) - 1 - used, 0)) > 0)
		used += (size_t)n;
	text[used] = '\0';
	close(fd);
	return text;
}

/* Return: the answer to so many bytes of a request. */
static const char *answer_to(const char *word, u32 flags, u32 reserved, size_t size)
{
	struct socket_request request = { .flags = flags, .reserved = reserved };
	int fd = connect_there();

	memcpy(request.word, word, sizeof(request.word));
	assert_int_equal(send(fd, &request, size, MSG_NOSIGNAL), size);
	shutdown(fd, SHUT_WR);
	return heard_from(fd);
}

static void a_request_is_answered(void **state)
{
	static const char other[] = "BCOSerr1this is not what this version of bcoslog asks";

	assert_string_equal(answer_to("BCOSask1", 0, 0, 16), "BCOSerr1/dev/null is not recorded by this process: open it again");
	assert_string_equal(answer_to("BCOSask1", 1, 0, 16), "BCOSerr1/dev/null is not recorded by this process: open it again");
	assert_string_equal(answer_to("BCOSask1", 4, 0, 16), other);
	assert_string_equal(answer_to("BCOSask1", 0, 1, 16), other);
	assert_string_equal(answer_to("BCOSask2", 0, 0, 16), other);
	assert_string_equal(answer_to("BCOSask1", 0, 0, 15), other);
	assert_string_equal(answer_to("BCOSask1", 0, 0, 0), other);
}

static void who_asks_gets_the_sentence(void **state)
{
	struct bcoslog_error error;
	struct bcoslog *log;

	assert_true(ask_recorder(&log, 0, &error) < 0);
	assert_int_equal(error.code, EACCES);
	assert_string_equal(error.text, "the recorder refuses: /dev/null is not recorded by this process: open it again");
	assert_null(log);
}

/* Others than root, the user of the recorder and the group are nobody, even if they can connect. */
static void nobody_may_ask(void **state)
{
	struct bcoslog_error error;
	struct bcoslog *log;
	int status;
	pid_t child;

	if (geteuid())
		skip();
	assert_int_equal(chmod(folder, 0755), 0);
	snprintf(path, sizeof(path), "%s/inner", folder);
	assert_int_equal(chmod(path, 0755), 0);
	snprintf(path, sizeof(path), "%s/inner/socket", folder);
	child = fork();
	if (!child) {
		/* A client that may not connect is told so. */
		if (setgroups(0, NULL) || setgid(65534) || setuid(65534) || ask_recorder(&log, 0, &error) >= 0 ||
		    error.code != EACCES || strncmp(error.text, "no permission to ask the recorder at ", 37))
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(chmod(path, 0666), 0);
	child = fork();
	if (!child) {
		if (setgroups(0, NULL) || setgid(65534) || setuid(65534) || ask_recorder(&log, 0, &error) >= 0 || error.code != EACCES ||
		    strcmp(error.text, "the recorder refuses: only root and members of the group bcos may read what is recorded"))
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Its directory is made for it: nobody else gets as far as the socket. */
static void only_the_group_gets_there(void **state)
{
	const struct group *group = getgrnam("bcos");
	char inner[80];
	struct stat node;

	snprintf(inner, sizeof(inner), "%s/inner", folder);
	assert_int_equal(stat(inner, &node), 0);
	assert_int_equal(node.st_mode, S_IFDIR | 0750);
	assert_int_equal(stat(path, &node), 0);
	assert_int_equal(node.st_mode, S_IFSOCK | (group ? 0660 : 0600));
	if (group)
		assert_int_equal(node.st_gid, group->gr_gid);
	server_close(server);
	server = NULL;
	assert_int_equal(access(inner, F_OK), -1);
}

/* A directory that is there already stays there. */
static void a_directory_of_others_stays(void **state)
{
	struct sockaddr_un address;
	char inner[80];
	int fd;

	server_close(server);
	snprintf(inner, sizeof(inner), "%s/inner", folder);
	assert_int_equal(mkdir(inner, 0700), 0);
	/* A socket that a recorder has left, at which nobody answers, is replaced. */
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_true(socket_address(&address, path));
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
	server = open_server(path);
	assert_non_null(server);
	assert_string_equal(answer_to("BCOSask1", 4, 0, 16), "BCOSerr1this is not what this version of bcoslog asks");
	server_close(server);
	server = NULL;
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(rmdir(inner), 0);
}

/* The recorder removes no file, whatever the user says about the place of its socket. */
static void a_file_in_the_place_of_the_socket_stays(void **state)
{
	struct stat node;
	char inner[80];
	bool refused;
	int fd;

	server_close(server);
	server = NULL;
	snprintf(inner, sizeof(inner), "%s/inner", folder);
	assert_int_equal(mkdir(inner, 0700), 0);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_int_equal(write(fd, "mine", 4), 4);
	close(fd);
	assert_names(path, "name another", !server_open(of, path, &refused));
	assert_false(refused);
	assert_int_equal(stat(path, &node), 0);
	assert_int_equal(node.st_size, 4);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(inner), 0);
}

static void of_two_recorders_the_second_is_refused(void **state)
{
	struct server *second = server;
	bool refused = false;

	assert_names("another recorder", path, !(second = server_open(of, path, &refused)));
	assert_true(refused);
	assert_string_equal(answer_to("BCOSask1", 4, 0, 16), "BCOSerr1this is not what this version of bcoslog asks");
}

/* Return: how many of two recorders that begin at the same time over an old socket answer there, while both run. */
static unsigned int both_begin(void)
{
	unsigned int begun = 0, i;
	int ready[2], end[2], status;
	pid_t children[2];
	bool refused;
	char byte;

	assert_int_equal(pipe(ready) | pipe(end), 0);
	for (i = 0; i < 2; i++) {
		children[i] = fork();
		if (children[i])
			continue;
		close(end[1]);
		server = server_open(of, path, &refused);
		if (write(ready[1], "", 1) != 1 || read(end[0], &byte, 1))
			_exit(9);
		server_close(server);
		_exit(server ? 1 : refused ? 2 : 3);
	}
	assert_int_equal(read(ready[0], &byte, 1) + read(ready[0], &byte, 1), 2);
	/* Whoever has begun answers. */
	assert_string_equal(answer_to("BCOSask1", 4, 0, 16), "BCOSerr1this is not what this version of bcoslog asks");
	close(end[1]);
	for (i = 0; i < 2; i++) {
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_true(status == 1 << 8 || status == 2 << 8);
		begun += status == 1 << 8;
	}
	close(ready[0]);
	close(ready[1]);
	close(end[0]);
	return begun;
}

static void of_two_that_begin_together_one_answers(void **state)
{
	struct sockaddr_un address;
	char inner[80];
	int fd, round;

	server_close(server);
	server = NULL;
	snprintf(inner, sizeof(inner), "%s/inner", folder);
	assert_int_equal(mkdir(inner, 0700), 0);
	assert_true(socket_address(&address, path));
	naming = 20000;
	for (round = 0; round < 10; round++) {
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
		close(fd);
		assert_int_equal(both_begin(), 1);
		assert_int_equal(access(path, F_OK), -1);
	}
	naming = 0;
	assert_int_equal(rmdir(inner), 0);
}

/* Whoever may read the directory may lock it. That keeps no recorder from its socket. */
static void a_lock_of_others_keeps_nobody_out(void **state)
{
	char inner[80];
	int fd;

	server_close(server);
	snprintf(inner, sizeof(inner), "%s/inner", folder);
	assert_int_equal(mkdir(inner, 0700), 0);
	fd = open(inner, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	server = open_server(path);
	assert_non_null(server);
	assert_string_equal(answer_to("BCOSask1", 4, 0, 16), "BCOSerr1this is not what this version of bcoslog asks");
	server_close(server);
	server = NULL;
	close(fd);
	assert_int_equal(rmdir(inner), 0);
}

/* A recorder that is killed while it makes the directory of its socket leaves one that nobody may enter. */
static void a_directory_that_was_not_finished_is(void **state)
{
	struct stat node;
	char inner[80];
	int status;
	pid_t child;

	server_close(server);
	server = NULL;
	snprintf(inner, sizeof(inner), "%s/inner", folder);
	child = fork();
	if (!child) {
		killed = true;
		server = open_server(path);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(access(inner, F_OK), 0);
	server = open_server(path);
	assert_non_null(server);
	assert_int_equal(stat(inner, &node), 0);
	assert_int_equal(node.st_mode, S_IFDIR | 0750);
	if (!geteuid())
		assert_int_equal(node.st_gid, 4711);
	server_close(server);
	server = NULL;
	assert_int_equal(access(inner, F_OK), -1);
}

/* The name has room for 107 characters. */
static void a_name_that_is_too_long(void **state)
{
	struct sockaddr_un address;
	char name[120];
	bool refused = true;

	memset(name, 'x', sizeof(name));
	name[108] = '\0';
	assert_false(socket_address(&address, name));
	assert_names("too long", "socket", !server_open(of, name, &refused));
	assert_false(refused);
	name[107] = '\0';
	assert_true(socket_address(&address, name));
	assert_string_equal(address.sun_path, name);
}

static void where_it_answers(void **state)
{
	struct sockaddr_un address;

	assert_true(socket_address(&address, NULL));
	assert_string_equal(address.sun_path, path);
	setenv("BCOSLOG_SOCKET", "", 1);
	assert_true(socket_address(&address, NULL));
	assert_string_equal(address.sun_path, "/run/bcos_evlog/recorder.sock");
	unsetenv("BCOSLOG_SOCKET");
	assert_true(socket_address(&address, NULL));
	assert_string_equal(address.sun_path, "/run/bcos_evlog/recorder.sock");
	assert_true(socket_address(&address, "/other"));
	assert_string_equal(address.sun_path, "/other");
}

static void it_cannot_be_made(void **state)
{
	bool refused = true;

	assert_names("/dev/null/x", "Not a directory", !server_open(of, "/dev/null/x", &refused));
	assert_false(refused);
}

/* There are 32 places, each of which is free again when its client has gone. */
static void so_many_may_ask_at_the_same_time(void **state)
{
	struct timespec moment = { .tv_nsec = 1000000 };
	char word[8];
	int fds[32], fd;
	size_t i;

	for (i = 0; i < 32; i++)
		fds[i] = connect_there();
	fd = connect_there();
	assert_string_equal(heard_from(fd), "BCOSerr1too many ask this recorder at the same time");
	close(fds[7]);
	/* Its thread notices that, sooner or later. */
	for (;;) {
		fd = connect_there();
		if (send(fd, "", 1, MSG_NOSIGNAL) == 1 && !shutdown(fd, SHUT_WR) && recv(fd, word, 8, MSG_WAITALL) == 8 &&
		    !strncmp(heard_from(fd), "this is not", 11))
			break;
		nanosleep(&moment, NULL);
	}
	/* Those that are there yet are no reason to wait for. */
	server_close(server);
	server = NULL;
	for (i = 0; i < 32; i++)
		if (i != 7)
			close(fds[i]);
}

/* Signals are for the thread that records. */
static void its_threads_get_no_signal(void **state)
{
	struct dirent *entry;
	char name[300], line[128];
	unsigned long long blocked;
	unsigned int threads = 0;
	DIR *tasks;
	FILE *file;

	/* While a thread starts, it blocks all signals in any case; one that answers has started. */
	assert_string_equal(answer_to("BCOSask1", 4, 0, 16), "BCOSerr1this is not what this version of bcoslog asks");
	tasks = opendir("/proc/self/task");
	assert_non_null(tasks);
	while ((entry = readdir(tasks))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "/proc/self/task/%s/status", entry->d_name);
		file = fopen(name, "r");
		while (file && fgets(line, sizeof(line), file)) {
			if (sscanf(line, "SigBlk: %llx", &blocked) != 1)
				continue;
			/* SIGINT and SIGTERM, numbers 2 and 15. */
			if (atoi(entry->d_name) == getpid()) {
				assert_int_equal(blocked & 0x4002, 0);
				continue;
			}
			threads++;
			assert_int_equal(blocked & 0x4002, 0x4002);
		}
		if (file)
			fclose(file);
	}
	closedir(tasks);
	assert_true(threads >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_request_is_answered, begin_server, end_server),
		cmocka_unit_test_setup_teardown(who_asks_gets_the_sentence, begin_server, end_server),
		cmocka_unit_test_setup_teardown(nobody_may_ask, begin_server, end_server),
		cmocka_unit_test_setup_teardown(only_the_group_gets_there, begin_server, end_server),
		cmocka_unit_test_setup_teardown(a_directory_of_others_stays, begin_server, end_server),
		cmocka_unit_test_setup_teardown(a_file_in_the_place_of_the_socket_stays, begin_server, end_server),
		cmocka_unit_test_setup_teardown(of_two_recorders_the_second_is_refused, begin_server, end_server),
		cmocka_unit_test_setup_teardown(of_two_that_begin_together_one_answers, begin_server, end_server),
		cmocka_unit_test_setup_teardown(a_lock_of_others_keeps_nobody_out, begin_server, end_server),
		cmocka_unit_test_setup_teardown(a_directory_that_was_not_finished_is, begin_server, end_server),
		cmocka_unit_test_setup_teardown(a_name_that_is_too_long, begin_server, end_server),
		cmocka_unit_test_setup_teardown(where_it_answers, begin_server, end_server),
		cmocka_unit_test_setup_teardown(it_cannot_be_made, begin_server, end_server),
		cmocka_unit_test_setup_teardown(so_many_may_ask_at_the_same_time, begin_server, end_server),
		cmocka_unit_test_setup_teardown(its_threads_get_no_signal, begin_server, end_server),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
