/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A server of a recorder's socket with a client, and stand-ins for users, groups, the log and calls that fail. */
#ifndef BCOS_TESTS_TOOL_MADE_CLIENTS_H
#define BCOS_TESTS_TOOL_MADE_CLIENTS_H

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
#include "socket/socket.h"

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

#endif
