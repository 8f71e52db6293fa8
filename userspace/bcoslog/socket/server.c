// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The recorder's side of its socket: see socket.h. */
#include <errno.h>
#include <grp.h>
#include <libgen.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "bcoslog_bpf.h"
#include "reader/reader.h"
#include "complain/complain.h"
#include "socket.h"

#define CLIENTS 32
/* Only root gets the last places, and each other user gets at most so many. */
#define CLIENTS_OF_ROOT 8
#define CLIENTS_OF_USER 12
/* The seconds after which a client that does not read is given up, unless it follows the log. */
#define SEND_PATIENCE 10
/* The milliseconds for which the lock of the socket's folder is waited for. Its holder needs less than one. */
#define LOCK_PATIENCE 1000

struct client {
	struct server *server;
	pthread_t thread;
	uid_t user;
	int fd;
	bool used, ended;
};

struct server {
	struct bcoslog *log;
	struct sockaddr_un address;
	char folder[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
	bool made_folder;		/* the folder of the socket was made, and is removed at the end */
	int fd, stop;			/* the socket; an event that ends @thread */
	bool bound;			/* the socket of this server is at @address, and is the node @node of @device */
	dev_t device;
	ino_t node;
	gid_t group;			/* the members of this group may ask */
	bool grouped;			/* @group is known */
	pthread_t thread;
	pthread_mutex_t lock;		/* protects the contents of @clients */
	struct client clients[CLIENTS];
};

bool socket_address(struct sockaddr_un *address, const char *path)
{
	const char *named = getenv("BCOSLOG_SOCKET");

	if (!path)
		path = named && *named ? named : SOCKET_PATH;
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(address->sun_path))
		return false;
	strcpy(address->sun_path, path);
	return true;
}

/* ---- clients ------------------------------------------------------------------- */

static bool has_group(int fd, gid_t group)
{
	gid_t groups[256];
	socklen_t size = sizeof(groups), i;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size))
		return false;
	for (i = 0; i < size / sizeof(*groups); i++)
		if (groups[i] == group)
			return true;
	return false;
}

/* May the client ask? Root, members of the group, and the user of the recorder may. */
static bool may_ask(const struct server *server, int fd)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size))
		return false;
	return !who.uid || who.uid == geteuid() ||
	       (server->grouped && (who.gid == server->group || has_group(fd, server->group)));
}

static bool send_all(int fd, const void *bytes, size_t size)
{
	ssize_t n;

	while (size) {
		n = send(fd, bytes, size, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes = (const char *)bytes + n;
		size -= (size_t)n;
	}
	return true;
}

static void refuse_client(int fd, const char *why)
{
	if (send_all(fd, SOCKET_ERROR, SOCKET_WORD))
		send_all(fd, why, strlen(why));
}

static bool get_request(int fd, struct socket_request *request)
{
	struct timeval patience = { .tv_sec = 5 };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	return recv(fd, request, sizeof(*request), MSG_WAITALL) == sizeof(*request) &&
	       !memcmp(request->word, SOCKET_ASK, SOCKET_WORD) && !(request->flags & ~(SOCKET_FOLLOW | SOCKET_NEWEST)) &&
	       !request->reserved;
}

/* A client that follows the log may stop reading for a while, as a pager does. Any other one would hold its place. */
static void limit_send(int fd)
{
	struct timeval patience = { .tv_sec = SEND_PATIENCE };

	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
}

static bool has_gone(int fd)
{
	struct pollfd gone = { .fd = fd, .events = POLLRDHUP };

	return poll(&gone, 1, 0) > 0;
}

static void give_log(int fd, struct bcoslog *log)
{
	struct bcoslog_batch batch;
	int r;

	do {
		while ((r = bcoslog_batch(log, &batch)) > 0)
			if (!send_all(fd, batch.first, (size_t)((const char *)batch.end - (const char *)batch.first)))
				return;
	} while (!r && !has_gone(fd) && bcoslog_wait(log, -1) > 0);
}

static unsigned int share_flags(const struct socket_request *request)
{
	return (request->flags & SOCKET_FOLLOW ? BCOSLOG_FOLLOW : 0) |
	       (request->flags & SOCKET_NEWEST ? BCOSLOG_NEWEST : 0);
}

static void answer_client(struct server *server, int fd)
{
	struct socket_request request;
	struct bcoslog_error error;
	struct bcoslog *log;

	if (!may_ask(server, fd)) {
		refuse_client(fd, "only root and members of the group " SOCKET_GROUP " may read what is recorded");
	} else if (!get_request(fd, &request)) {
		refuse_client(fd, SOCKET_UNKNOWN);
	} else if (bcoslog_share_bpf(&log, server->log, share_flags(&request), &error)) {
		refuse_client(fd, error.text);
	} else {
		if (!(request.flags & SOCKET_FOLLOW))
			limit_send(fd);
		if (send_all(fd, SOCKET_LOG, SOCKET_WORD))
			give_log(fd, log);
		bcoslog_close(log);
	}
}

static void *client_main(void *context)
{
	struct client *client = context;
	struct server *server = client->server;

	answer_client(server, client->fd);
	pthread_mutex_lock(&server->lock);
	close(client->fd);
	client->fd = -1;
	client->ended = true;
	pthread_mutex_unlock(&server->lock);
	return NULL;
}

/* Return: the user of the client; root if the kernel does not tell. */
static uid_t user_of(int fd)
{
	struct ucred who = { 0 };
	socklen_t size = sizeof(who);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) ? 0 : who.uid;
}

/* Frees the places of threads that have ended.  Return: a place for a client of this user, or NULL. */
static struct client *free_place(struct server *server, uid_t user)
{
	struct client *client, *found = NULL;
	unsigned int free = 0, same = 0;

	for (client = server->clients; client < server->clients + CLIENTS; client++) {
		if (client->used && client->ended) {
			pthread_join(client->thread, NULL);
			client->used = client->ended = false;
		}
		free += !client->used;
		same += client->used && client->user == user;
		if (!client->used)
			found = client;
	}
	if (user && (free <= CLIENTS_OF_ROOT || same >= CLIENTS_OF_USER))
		return NULL;
	return found;
}

static void take_client(struct server *server, int fd)
{
	uid_t user = user_of(fd);
	struct client *client;

	pthread_mutex_lock(&server->lock);
	client = free_place(server, user);
	if (client) {
		client->server = server;
		client->user = user;
		client->fd = fd;
		client->used = !pthread_create(&client->thread, NULL, client_main, client);
	}
	if (!client || !client->used) {
		refuse_client(fd, "too many ask this recorder at the same time");
		close(fd);
	}
	pthread_mutex_unlock(&server->lock);
}

static void *server_main(void *context)
{
	struct server *server = context;
	struct pollfd wait[] = { { .fd = server->fd, .events = POLLIN }, { .fd = server->stop, .events = POLLIN } };
	int fd;

	for (;;) {
		if (poll(wait, 2, -1) < 0 && errno != EINTR)
			return NULL;
		if (wait[1].revents)
			return NULL;
		fd = wait[0].revents ? accept4(server->fd, NULL, NULL, SOCK_CLOEXEC) : -1;
		if (fd >= 0)
			take_client(server, fd);
	}
}

/* ---- opening and closing --------------------------------------------------------- */

/*
 * Return: whether another process answers at the address, after a complaint. One that is stopped, and whose queue is full,
 * is there as well.
 */
static bool is_answered(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool answered = fd >= 0 && (!connect(fd, (const struct sockaddr *)address, sizeof(*address)) || errno == EAGAIN);

	if (answered)
		complain("another recorder runs already, and answers at %s", address->sun_path);
	if (fd >= 0)
		close(fd);
	return answered;
}

bool server_is_taken(const char *path)
{
	struct sockaddr_un address;

	return socket_address(&address, path) && is_answered(&address);
}

/*
 * Makes the folder of the socket as systemd-tmpfiles does: only root and the group may enter it. It has no permissions until
 * it has its group, so that the next recorder recognizes one which was left by a recorder that was killed before that.
 */
static void make_folder(struct server *server, const struct group *group)
{
	bool made = !mkdir(server->folder, 0);
	struct stat node;

	if (!made && (errno != EEXIST || lstat(server->folder, &node) || !S_ISDIR(node.st_mode) ||
		      node.st_mode & 07777 || node.st_uid != geteuid()))
		return;
	server->made_folder = true;
	if (group && chown(server->folder, (uid_t)-1, group->gr_gid))
		complain("the group " SOCKET_GROUP " does not get %s: %s", server->folder, strerror(errno));
	if (chmod(server->folder, 0750))
		complain("nobody may enter %s: %s", server->folder, strerror(errno));
}

static bool is_still_there(int fd, const char *path)
{
	struct stat mine, there;

	return !fstat(fd, &mine) && !stat(path, &there) && mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

/*
 * Locks the folder while the socket is looked at and made or removed: of two recorders that begin together, the second one
 * would else take the first one's socket for an old one, and remove it. A recorder that ends may remove the folder meanwhile;
 * it is then made again. Whoever may read the folder may lock it, too, so that a lock which stays keeps nobody from going on.
 * Return: the descriptor that has the lock, or -1 if there is none.
 */
static int lock_folder(struct server *server, const struct group *group, bool make)
{
	int fd, waited;

	for (waited = 0; waited < LOCK_PATIENCE; waited++) {
		if (make)
			make_folder(server, group);
		fd = open(server->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0 && (!make || errno != ENOENT))
			return -1;
		if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) && is_still_there(fd, server->folder))
			return fd;
		if (fd >= 0)
			close(fd);
		usleep(1000);
	}
	return -1;
}

static void unlock_folder(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Removes the socket, if it is still this server's. */
static void remove_socket(struct server *server)
{
	int lock = lock_folder(server, NULL, false);
	struct stat node;

	if (server->bound && !lstat(server->address.sun_path, &node) && S_ISSOCK(node.st_mode) &&
	    node.st_dev == server->device && node.st_ino == server->node)
		unlink(server->address.sun_path);
	/* If the folder stayed, users outside of the group could not find out that no recorder answers. */
	if (server->made_folder)
		rmdir(server->folder);
	unlock_folder(lock);
}

/* Removes a socket that an earlier recorder has left.  Return: 0, or -EEXIST if something else has the name. */
static int remove_old(const char *path)
{
	struct stat node;

	if (lstat(path, &node))
		return 0;
	if (!S_ISSOCK(node.st_mode))
		return -EEXIST;
	unlink(path);
	return 0;
}

/* Return: 0, -EALREADY after a complaint if another recorder answers there, or another negative error. */
static int listen_there(struct server *server, const struct group *group)
{
	const char *path = server->address.sun_path;
	struct stat node;
	mode_t mask;
	int r;

	if (is_answered(&server->address))
		return -EALREADY;
	r = remove_old(path);
	if (r)
		return r;
	server->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* Nobody may connect before the group is set. */
	mask = umask(0177);
	r = server->fd < 0 ? -1 : bind(server->fd, (const struct sockaddr *)&server->address, sizeof(server->address));
	umask(mask);
	if (r)
		return -errno;
	server->bound = !lstat(path, &node);
	server->device = node.st_dev;
	server->node = node.st_ino;
	/* A service that runs with the group need not call chown(), which a filter of its system calls may forbid. */
	if (group && ((!stat(path, &node) && node.st_gid == group->gr_gid) || !chown(path, (uid_t)-1, group->gr_gid))) {
		server->grouped = true;
		server->group = group->gr_gid;
		/* connect(2) requires permission to write: 0660 lets those connect whom 0640 lets read the device. */
		chmod(path, 0660);
	}
	return listen(server->fd, 8) ? -errno : 0;
}

static int start_thread(struct server *server)
{
	const struct group *group = getgrnam(SOCKET_GROUP);
	int lock = lock_folder(server, group, true);
	int r = listen_there(server, group);
	sigset_t all, old;

	unlock_folder(lock);
	server->stop = eventfd(0, EFD_CLOEXEC);
	if (r || server->stop < 0)
		return r ? r : -errno;
	/* The thread that records handles the signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	r = -pthread_create(&server->thread, NULL, server_main, server);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return r;
}

struct server *server_open(struct bcoslog *log, const char *path, bool *refused)
{
	struct server *server = calloc(1, sizeof(*server));
	char copy[sizeof(server->address.sun_path)];
	int r;

	*refused = false;
	if (!server) {
		complain("no memory");
		return NULL;
	}
	server->log = log;
	server->fd = server->stop = -1;
	pthread_mutex_init(&server->lock, NULL);
	if (!socket_address(&server->address, path)) {
		complain("the name of the socket is too long");
	} else {
		strcpy(server->folder, dirname(strcpy(copy, server->address.sun_path)));
		r = start_thread(server);
		if (!r)
			return server;
		*refused = r == -EALREADY;
		if (!*refused)
			complain(r == -EEXIST ? "other commands cannot ask this recorder: %s is no socket, and stays: name another "
				 "path (--socket)%.0s" : "other commands cannot ask this recorder: %s cannot be made: %s",
				 server->address.sun_path, strerror(-r));
		remove_socket(server);
	}
	if (server->fd >= 0)
		close(server->fd);
	if (server->stop >= 0)
		close(server->stop);
	free(server);
	return NULL;
}

void server_close(struct server *server)
{
	static const u64 one = 1;
	struct client *client;

	if (!server)
		return;
	if (write(server->stop, &one, sizeof(one)) == sizeof(one))
		pthread_join(server->thread, NULL);
	close(server->fd);
	remove_socket(server);
	pthread_mutex_lock(&server->lock);
	for (client = server->clients; client < server->clients + CLIENTS; client++)
		if (client->used && client->fd >= 0)
			shutdown(client->fd, SHUT_RDWR);
	pthread_mutex_unlock(&server->lock);
	for (client = server->clients; client < server->clients + CLIENTS; client++)
		if (client->used)
			pthread_join(client->thread, NULL);
	close(server->stop);
	free(server);
}
