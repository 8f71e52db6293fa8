// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Clients of a recorder's socket: which users and groups may ask, and what a client gets of a log. Users, groups and the
 * log are the test's own.
 */
#include "made_clients.h"

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
