// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Clients of a recorder's socket: which users and groups may ask, and what a client gets of a log. Users, groups and the
 * log are the test's own.
 */
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "descriptors.h"
#include "printed.h"
#include "failing_memory.h"
#include "bcoslog_bpf.h"
#include "record/socket/socket.h"

#define GROUP 4711

static char folder[64], inner[80], path[100];
static struct server *server;

/* ---- users and groups ------------------------------------------------------------------------------ */

static struct ucred who;
static int cred_error, groups_error;
static const gid_t none[1], *groups;
static socklen_t group_count;
static uid_t own_user;
static bool group_exists;
static time_t patience;
static sem_t heard;

uid_t geteuid(void)
{
	return own_user;
}

/* After the last group of the list stands the one that may ask. */
int getsockopt(int fd, int level, int option, void *value, socklen_t *size)
{
	gid_t *list = value;

	assert_int_equal(level, SOL_SOCKET);
	if (option == SO_PEERCRED) {
		*(struct ucred *)value = who;
		return cred_error;
	}
	assert_int_equal(option, SO_PEERGROUPS);
	memcpy(list, groups, group_count * sizeof(*list));
	list[group_count] = GROUP;
	*size = (socklen_t)(group_count * sizeof(*list));
	return groups_error;
}

/* The time is not limited, so a thread that waits for a request ends for another reason, or never. */
int setsockopt(int fd, int level, int option, const void *value, socklen_t size)
{
	assert_int_equal(level, SOL_SOCKET);
	assert_int_equal(option, SO_RCVTIMEO);
	patience = ((const struct timeval *)value)->tv_sec;
	sem_post(&heard);
	return 0;
}

struct group *getgrnam(const char *name)
{
	static struct group group = { .gr_gid = GROUP };

	assert_string_equal(name, "bcos");
	return group_exists ? &group : NULL;
}

static const char *unowned;
static unsigned int owned;

int chown(const char *file, uid_t user, gid_t group)
{
	assert_int_equal(user, (uid_t)-1);
	assert_int_equal(group, GROUP);
	owned++;
	errno = EPERM;
	return unowned && !strcmp(file, unowned) ? -1 : 0;
}

/* ---- calls that fail ----------------------------------------------------------------------------------- */

static const ssize_t *sends;
static int poll_error;
static unsigned int polls, no_thread;

/* Sends as many bytes as the list says, or fails with that error; 99 ends the list. */
ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	ssize_t next = sends && *sends != 99 ? *sends++ : (ssize_t)size;

	assert_int_equal(flags, MSG_NOSIGNAL);
	errno = (int)-next;
	return next <= 0 ? (next ? -1 : 0) : syscall(SYS_sendto, fd, bytes, next, flags, NULL, 0);
}

/* Waiting for clients fails once with this error. */
int poll(struct pollfd *of, nfds_t count, int ms)
{
	int error = poll_error;

	if (count == 2) {
		polls++;
		poll_error = 0;
		if (error)
			return errno = error, -1;
	}
	return ppoll(of, count, ms < 0 ? NULL : &(struct timespec){ 0 }, NULL);
}

static unsigned int shut;

int shutdown(int fd, int how)
{
	assert_int_equal(how, SHUT_RDWR);
	shut++;
	return (int)syscall(SYS_shutdown, fd, how);
}

/* The thread of this number cannot begin. */
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*begin)(void *), void *context)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");

	if (no_thread && !--no_thread)
		return EAGAIN;
	return next(thread, how, begin, context);
}

/* ---- the log --------------------------------------------------------------------------------------------- */

static char text[] = "abcdefghijklmnopqrstuvwx";
/* The number of bytes that each batch has, and the result of each wait. */
static const int *batches, *waits;
static unsigned int waited, shares;
static unsigned int share_flags;
static sem_t closed, waiting, go_on;
static bool stops;

int bcoslog_share_bpf(struct bcoslog **log, struct bcoslog *of, unsigned int flags, struct bcoslog_error *error)
{
	assert_ptr_equal(of, text);
	shares++;
	share_flags = flags;
	*log = (struct bcoslog *)(text + 1);
	strcpy(error->text, "no more of it");
	return batches ? 0 : -EIO;
}

int bcoslog_batch(struct bcoslog *log, struct bcoslog_batch *batch)
{
	int size = *batches++;

	assert_ptr_equal(log, text + 1);
	batch->first = (const struct bcos_entry *)text;
	batch->end = (const struct bcos_entry *)(text + size);
	return size;
}

int bcoslog_wait(struct bcoslog *log, int ms)
{
	assert_int_equal(ms, -1);
	waited++;
	if (stops) {
		sem_post(&waiting);
		sem_wait(&go_on);
	}
	return *waits++;
}

void bcoslog_close(struct bcoslog *log)
{
	assert_ptr_equal(log, text + 1);
	sem_post(&closed);
}

/* ---- the client --------------------------------------------------------------------------------------------- */

static void open_server(void)
{
	bool refused;

	server = server_open((struct bcoslog *)text, path, &refused);
	assert_non_null(server);
}

static int begin_test(void **state)
{
	strcpy(folder, "/tmp/clients-test.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(inner, sizeof(inner), "%s/inner", folder);
	snprintf(path, sizeof(path), "%s/inner/socket", folder);
	own_user = 7;
	who = (struct ucred){ .uid = 7, .gid = 6 };
	cred_error = groups_error = poll_error = 0;
	groups = none;
	group_count = waited = shares = shut = owned = polls = no_thread = 0;
	group_exists = true;
	unowned = NULL;
	batches = waits = NULL;
	sends = NULL;
	stops = false;
	sem_init(&heard, 0, 0);
	sem_init(&closed, 0, 0);
	sem_init(&waiting, 0, 0);
	sem_init(&go_on, 0, 0);
	return 0;
}

static int end_test(void **state)
{
	server_close(server);
	server = NULL;
	return rmdir(folder);
}

static int connect_there(void)
{
	struct sockaddr_un address;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(socket_address(&address, path));
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

/* Return: a connection on which the log was asked for. */
static int ask_log(u32 flags)
{
	struct socket_request request = { .word = SOCKET_ASK, .flags = flags };
	int fd = connect_there();

	/* The recorder may have refused already. */
	syscall(SYS_sendto, fd, &request, sizeof(request), MSG_NOSIGNAL, NULL, 0);
	return fd;
}

/* Asserts that these bytes and then the end come. */
static void assert_heard(int fd, const char *expected)
{
	char all[512];
	size_t used = 0;
	ssize_t n;

	while ((n = read(fd, all + used, sizeof(all) - 1 - used)) > 0)
		used += (size_t)n;
	all[used] = '\0';
	close(fd);
	assert_string_equal(all, expected);
}

/* ---- who may ask ------------------------------------------------------------------------------------------- */

#define REFUSED "BCOSerr1only root and members of the group bcos may read what is recorded"
/* The log refuses everybody, so this is the answer to those who may ask. */
#define ANSWERED "BCOSerr1no more of it"

static void root_and_the_user_of_the_recorder(void **state)
{
	open_server();
	who.uid = 0;
	assert_heard(ask_log(0), ANSWERED);
	who.uid = 7;
	assert_heard(ask_log(0), ANSWERED);
	who.uid = 8;
	assert_heard(ask_log(0), REFUSED);
	who.uid = 0;
	cred_error = -1;
	assert_heard(ask_log(0), REFUSED);
}

static void members_of_the_group(void **state)
{
	static const gid_t lists[][3] = { { 1, 2, GROUP }, { GROUP, 1, 2 }, { 1, GROUP, 2 }, { 1, 2, 3 } };
	size_t i;

	open_server();
	who = (struct ucred){ .uid = 8, .gid = GROUP };
	assert_heard(ask_log(0), ANSWERED);
	who.gid = 6;
	for (i = 0; i < 4; i++) {
		groups = lists[i];
		group_count = 3;
		assert_heard(ask_log(0), i < 3 ? ANSWERED : REFUSED);
	}
	group_count = 0;
	assert_heard(ask_log(0), REFUSED);
	groups = lists[0];
	group_count = 3;
	groups_error = -1;
	assert_heard(ask_log(0), REFUSED);
}

/* Without the group, or if its members cannot connect, only the user of the recorder may ask, but nobody of group 0. */
static void no_group(void **state)
{
	struct stat node;

	group_exists = false;
	open_server();
	assert_int_equal(owned, 0);
	who = (struct ucred){ .uid = 8, .gid = 0 };
	assert_heard(ask_log(0), REFUSED);
	assert_int_equal(stat(path, &node), 0);
	assert_int_equal(node.st_mode, S_IFSOCK | 0600);
	server_close(server);
	group_exists = true;
	unowned = path;
	open_server();
	assert_int_equal(owned, 2);
	who.gid = GROUP;
	assert_heard(ask_log(0), REFUSED);
	assert_int_equal(stat(path, &node), 0);
	assert_int_equal(node.st_mode, S_IFSOCK | 0600);
}

static void the_folder_of_the_group(void **state)
{
	mode_t mask = umask(027);
	char expected[200];
	struct stat node;

	unowned = inner;
	snprintf(expected, sizeof(expected), "bcoslog: the group bcos does not get %s: Operation not permitted\n", inner);
	assert_complains(expected, (open_server(), true));
	assert_int_equal(stat(path, &node), 0);
	assert_int_equal(node.st_mode, S_IFSOCK | 0660);
	assert_int_equal(umask(mask), 027);
}

/* ---- what it gets -------------------------------------------------------------------------------------------- */

static void a_log_up_to_its_end(void **state)
{
	batches = (const int []){ 3, 24, 0, 5, 0 };
	waits = (const int []){ 1, 0 };
	open_server();
	assert_heard(ask_log(0), "BCOSlog1abcabcdefghijklmnopqrstuvwxabcde");
	assert_int_equal(share_flags, 0);
	assert_int_equal(waited, 2);
	assert_int_equal(patience, 5);
	/* A log that goes on, and cannot be read after that. */
	batches = (const int []){ 1, -EIO };
	assert_heard(ask_log(SOCKET_FOLLOW), "BCOSlog1a");
	assert_int_equal(share_flags, BCOSLOG_FOLLOW);
	assert_int_equal(waited, 2);
	assert_int_equal(sem_trywait(&closed), 0);
	assert_int_equal(sem_trywait(&closed), 0);
	assert_int_equal(sem_trywait(&closed), -1);
	batches = (const int []){ 1, 0 };
	waits = (const int []){ -EIO };
	assert_heard(ask_log(SOCKET_FOLLOW), "BCOSlog1a");
	assert_int_equal(shares, 3);
}

/* When the log has more again, somebody who has gone is noticed. */
static void a_client_that_goes(void **state)
{
	char word[9];
	int fd;

	stops = true;
	batches = (const int []){ 1, 0, 0, 0 };
	waits = (const int []){ 1, 0 };
	open_server();
	fd = ask_log(SOCKET_FOLLOW);
	sem_wait(&waiting);
	assert_int_equal(recv(fd, word, 9, MSG_WAITALL), 9);
	close(fd);
	sem_post(&go_on);
	/* One more for a wait that should not be. */
	sem_post(&go_on);
	sem_wait(&closed);
	assert_int_equal(waited, 1);
}

static void pieces_and_interruptions(void **state)
{
	batches = (const int []){ 24, 0 };
	waits = (const int []){ 0 };
	open_server();
	sends = (const ssize_t []){ 5, -EINTR, 3, 20, -EINTR, -EINTR, 4, 99 };
	assert_heard(ask_log(0), "BCOSlog1abcdefghijklmnopqrstuvwx");
	/* A word that cannot be sent, a log, and one of which only a piece is. */
	batches = (const int []){ 24, 0 };
	sends = (const ssize_t []){ -EPIPE, 99 };
	assert_heard(ask_log(0), "");
	sends = (const ssize_t []){ 8, 0, 99 };
	assert_heard(ask_log(0), "BCOSlog1");
	batches = (const int []){ 24, 24, 0 };
	sends = (const ssize_t []){ 8, 3, -EPIPE, 99 };
	assert_heard(ask_log(0), "BCOSlog1abc");
	batches = NULL;
	sends = (const ssize_t []){ -EPIPE, 99 };
	assert_heard(ask_log(0), "");
}

/* ---- threads ------------------------------------------------------------------------------------------------- */

static void an_interruption_of_the_wait(void **state)
{
	poll_error = EINTR;
	open_server();
	assert_heard(ask_log(0), ANSWERED);
	server_close(server);
	/* After another error nobody is waited for any more. */
	poll_error = EINVAL;
	polls = 0;
	open_server();
	server_close(server);
	server = NULL;
	assert_int_equal(polls, 1);
}

static void a_client_that_asks_nothing(void **state)
{
	int fd;

	open_server();
	fd = connect_there();
	sem_wait(&heard);
	server_close(server);
	server = NULL;
	assert_heard(fd, "");
	assert_int_equal(shut, 1);
}

/* Without a thread for it, a client is told as if there were too many, and the next one may ask. */
static void no_thread_for_a_client(void **state)
{
	unsigned int before;

	open_server();
	assert_heard(ask_log(0), ANSWERED);
	before = count_descriptors();
	no_thread = 1;
	assert_heard(connect_there(), "BCOSerr1too many ask this recorder at the same time");
	assert_int_equal(count_descriptors(), before);
	assert_heard(ask_log(0), ANSWERED);
}

static void nothing_stays_open(void **state)
{
	unsigned int before = count_descriptors();
	char expected[200];
	bool refused;
	size_t i;

	snprintf(expected, sizeof(expected), "bcoslog: other commands cannot ask this recorder: %s cannot be made: "
		 "Resource temporarily unavailable\n", path);
	no_thread = 1;
	assert_complains(expected, !server_open((struct bcoslog *)text, path, &refused));
	assert_int_equal(count_descriptors(), before);
	assert_int_equal(access(inner, F_OK), -1);
	for (i = 0; i < 3; i++) {
		open_server();
		assert_heard(ask_log(0), ANSWERED);
		server_close(server);
		assert_int_equal(count_descriptors(), before);
	}
	server = NULL;
	/* The descriptors of those who have gone may be somebody else's by now. */
	assert_int_equal(shut, 0);
	/* Nobody can be asked with a name that is too long. */
	memset(expected, 'x', 150);
	expected[150] = '\0';
	assert_complains("bcoslog: the name of the socket is too long\n",
			 !server_open((struct bcoslog *)text, expected, &refused));
	assert_int_equal(count_descriptors(), before);
	assert_complains("bcoslog: no memory\n",
			 (failing = 1, !server_open((struct bcoslog *)text, path, &refused)));
}

#define client_test(test) cmocka_unit_test_setup_teardown(test, begin_test, end_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		client_test(root_and_the_user_of_the_recorder),
		client_test(members_of_the_group),
		client_test(no_group),
		client_test(the_folder_of_the_group),
		client_test(a_log_up_to_its_end),
		client_test(a_client_that_goes),
		client_test(pieces_and_interruptions),
		client_test(an_interruption_of_the_wait),
		client_test(a_client_that_asks_nothing),
		client_test(no_thread_for_a_client),
		client_test(nothing_stays_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
