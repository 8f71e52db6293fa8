// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A user who makes more network interfaces than a machine has does not blind the recorder.
 *
 * guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 timeout=240:480 debug=no
 *
 * The user is nobody, in a user namespace of its own, and sends datagrams to itself, before and after it made thousands
 * of interfaces. The oracle is the CPU time of the log writer's thread for these datagrams, as the kernel counts it:
 * looking up a device must not depend on how many there are.
 */
#include "account.h"
#include "device.h"

#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define INTERFACES (is_full_run() ? 3000 : 1500)	/* more than the limit; making each takes its time */
#define DATAGRAMS 2000
#define NOBODY 65534

/* ---- the user ------------------------------------------------------------------------- */

struct user {
	pid_t pid;
	int to, from;	/* the user does what a byte tells it, and answers with this byte */
};

static void bring_up_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request))
		give_up("lo");
	close(fd);
}

static void add_attribute(struct nlmsghdr *header, uint16_t type, const void *data, size_t size)
{
	struct rtattr *attribute = (struct rtattr *)((char *)header + NLMSG_ALIGN(header->nlmsg_len));

	attribute->rta_type = type;
	attribute->rta_len = (uint16_t)RTA_LENGTH(size);
	memcpy(RTA_DATA(attribute), data, size);
	header->nlmsg_len = NLMSG_ALIGN(header->nlmsg_len) + (uint32_t)RTA_SPACE(size);
}

static void make_interface(int fd)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg link;
		char rest[64];
	} ask = {
		.header = {
			.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)), .nlmsg_type = RTM_NEWLINK,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK,
		},
	};
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
		char rest[512];
	} answer;
	struct rtattr *info = (struct rtattr *)ask.rest;

	info->rta_type = IFLA_LINKINFO;
	info->rta_len = RTA_LENGTH(0);
	ask.header.nlmsg_len += info->rta_len;
	add_attribute(&ask.header, IFLA_INFO_KIND, "dummy", 5);
	info->rta_len = (uint16_t)((char *)&ask.header + ask.header.nlmsg_len - (char *)info);
	if (send(fd, &ask, ask.header.nlmsg_len, 0) < 0 || recv(fd, &answer, sizeof(answer), 0) < 0)
		give_up("rtnetlink");
	errno = -answer.error.error;
	if (errno)
		give_up("a dummy interface");
}

static void send_datagrams(void)
{
	struct sockaddr_in self = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), i;
	socklen_t size = sizeof(self);
	char byte;

	if (fd < 0 || bind(fd, (struct sockaddr *)&self, size) || getsockname(fd, (struct sockaddr *)&self, &size))
		give_up("a socket");
	for (i = 0; i < DATAGRAMS; i++)
		if (sendto(fd, "x", 1, 0, (struct sockaddr *)&self, size) != 1 || recv(fd, &byte, 1, 0) != 1)
			give_up("a datagram");
	close(fd);
}

static void be_user(int to, int from)
{
	int netlink, i;
	char what;

	if (setgid(NOBODY) || setuid(NOBODY) || unshare(CLONE_NEWUSER | CLONE_NEWNET))
		give_up("a user namespace of nobody's own");
	bring_up_loopback();
	netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	while (read(to, &what, 1) == 1) {
		for (i = 0; what == 'i' && i < INTERFACES; i++)
			make_interface(netlink);
		if (what == 'd')
			send_datagrams();
		if (write(from, &what, 1) != 1)
			break;
	}
	_exit(0);
}

static struct user user_start(void)
{
	int to[2], from[2];
	struct user user;

	if (pipe(to) || pipe(from))
		give_up("pipe");
	user = (struct user){ .pid = fork(), .to = to[1], .from = from[0] };
	if (!user.pid) {
		close(to[1]);
		close(from[0]);
		be_user(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	return user;
}

static void tell_user(struct user *user, char what)
{
	char answer;

	if (write(user->to, &what, 1) != 1 || read(user->from, &answer, 1) != 1 || answer != what)
		give_up("the user does not answer");
}

/*
 * Tells the user to do something, and flushes the log again and again meanwhile. Return: the ns of the longest flush.
 */
static uint64_t tell_and_flush(struct user *user, char what, int fd)
{
	struct pollfd answer = { .fd = user->from, .events = POLLIN };
	uint64_t begin, longest = 0;
	char byte;

	if (write(user->to, &what, 1) != 1)
		give_up("the user does not answer");
	do {
		begin = now_ns(CLOCK_MONOTONIC);
		flush_log(fd);
		begin = now_ns(CLOCK_MONOTONIC) - begin;
		if (begin > longest)
			longest = begin;
	} while (!poll(&answer, 1, 1));
	if (read(user->from, &byte, 1) != 1 || byte != what)
		give_up("the user does not answer");
	return longest;
}

static void user_end(struct user *user)
{
	close(user->to);
	close(user->from);
	reap_child(user->pid, NULL);
}

/* ---- the log writer ---------------------------------------------------------------------- */

static int by_value(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return (a > b) - (a < b);
}

/*
 * Returns the CPU time of the log writer for DATAGRAMS datagrams, in ns. It is the median of several tries, since a CPU
 * of a guest may stand still meanwhile.
 */
static uint64_t measure_cost(int fd, struct user *user)
{
	uint64_t spent[15], before;
	clockid_t writer;
	size_t i;

	if (clock_getcpuclockid(writer_of_log(), &writer))
		give_up("the log writer's clock");
	for (i = 0; i < 15; i++) {
		flush_log(fd);
		before = now_ns(writer);
		tell_user(user, 'd');
		flush_log(fd);
		spent[i] = now_ns(writer) - before;
	}
	qsort(spent, 15, sizeof(spent[0]), by_value);
	return spent[7];
}

/* Counts the interfaces that the log names, without historical entries, and those that it states as lost. */
static void count_interfaces(const struct log *log, unsigned int *named, uint64_t *lost)
{
	unsigned long long number;

	*named = 0;
	*lost = 0;
	for_each_entry(entry, log) {
		if (entry->type == BCOS_SET_DEVICE_NAME && entry->source >> 30 == BCOS_DEVICE_NETWORK >> 30)
			++*named;
		if (entry->type == BCOS_GENERIC_CPU &&
		    ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_LOSS &&
		    sscanf(entry_text(entry), "lost %llu network interfaces", &number) == 1)
			*lost += number;
	}
}

static uint64_t interfaces_of_here(void)
{
	char text[16384];
	uint64_t lines = 0;
	char *at;

	if (read_file("/proc/net/dev", text, sizeof(text)) < 0)
		give_up("/proc/net/dev");
	for (at = text; (at = strchr(at, ':')); at++)
		lines++;
	return lines;
}

static void test_crowd(void)
{
	struct bcos_status before, after;
	struct user user = user_start();
	uint64_t without, with, longest, lost = 0;
	unsigned int named;
	struct log log;
	int fd;

	load_module("ring_kb=65536");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	tell_user(&user, 'd');
	without = measure_cost(fd, &user);
	flush_log(fd);
	before = status_of(fd);
	longest = tell_and_flush(&user, 'i', fd);
	with = measure_cost(fd, &user);
	print_note("%d datagrams cost the log writer %llu us, with %d interfaces %llu us", DATAGRAMS,
		   (unsigned long long)without / 1000, INTERFACES, (unsigned long long)with / 1000);
	/* A walk over 1500 devices for each packet would cost hundreds of times as much. */
	make_point(without && with < 5 * without, "a packet costs as much with many interfaces as without");
	WAIT_FOR((flush_log(fd), after = status_of(fd), log = log_take(), count_interfaces(&log, &named, &lost),
		  lost >= after.lost[BCOS_LOST_LIMIT] || (log_free(&log), false)));
	make_point(before.lost[BCOS_LOST_LIMIT] == 0 && named <= 1024 && named + lost >= INTERFACES,
		   "no more of them are recorded than the limit, and the others are stated as lost (%u, %llu)", named,
		   (unsigned long long)lost);
	make_point(lost == after.lost[BCOS_LOST_LIMIT], "as the status counts them (%llu)",
		   (unsigned long long)after.lost[BCOS_LOST_LIMIT]);
	make_point(after.devices <= 1024 + 64, "so the log knows %u devices", after.devices);
	print_note("the longest merge while they were made took %.1f ms", (double)longest / 1e6);
	/* Making the interfaces delays the log writer for less time than the staging rings last. */
	make_point(after.lost[BCOS_LOST_STAGING] == before.lost[BCOS_LOST_STAGING] && !after.lost[BCOS_LOST_UNNAMED],
		   "nothing else was lost (%llu)", (unsigned long long)after.lost[BCOS_LOST_STAGING]);
	log_check(&log, "the log is well-formed");
	log_free(&log);
	user_end(&user);
	close(fd);
	unload_module();
}

/* With other_interfaces=0 interfaces of other namespaces are not in the log, and that is no loss. */
static void test_none(void)
{
	uint64_t here = interfaces_of_here();
	struct bcos_status status, after;
	struct user user = user_start();
	int fd;

	tell_user(&user, 'x');
	load_module("other_interfaces=0");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	flush_log(fd);
	status = status_of(fd);
	tell_user(&user, 'd');
	flush_log(fd);
	after = status_of(fd);
	make_point(after.devices == status.devices && !after.lost[BCOS_LOST_LIMIT] && !after.lost[BCOS_LOST_UNNAMED],
		   "none of other namespaces are recorded if that is asked for (%u devices, %llu interfaces here)",
		   after.devices,
		   (unsigned long long)here);
	user_end(&user);
	close(fd);
	unload_module();
	/* By default there is room for them. */
	user = user_start();
	tell_user(&user, 'x');
	load_module(NULL);
	fd = open_log(O_RDONLY | O_NONBLOCK);
	flush_log(fd);
	make_point(status_of(fd).devices > status.devices, "but by default (%u devices)", status_of(fd).devices);
	user_end(&user);
	close(fd);
	unload_module();
}

int main(void)
{
	test_none();
	test_crowd();
	return finish_test();
}
