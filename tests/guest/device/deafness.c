// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The kernel drops messages about devices, since the module's socket has no room: the loss is stated, a walk finds the
 * devices, and the module hears the messages that follow.
 *
 * guest: cpus=2 timeout=120
 * guest: cpus=2 timeout=120 x86=allocations;fail;on;x86;alone args=failing
 *
 * Sockets get as little room as the kernel allows. Two processes send large messages to all who listen, so that one of
 * them finds the other's in the module's socket. The module hears those of the kernel alone. The oracle is the count of
 * drops in /proc/net/netlink, and what the test itself does.
 */
#include "device.h"
#include "fault.h"

#include <linux/netlink.h>
#include <sys/socket.h>

#define PORT "/sys/class/tty/ttyS2/uevent"

/* Returns how many messages of the kernel the sockets with the group of uevents and port 0 or more have dropped. */
static unsigned long long dropped_messages(void)
{
	unsigned int protocol, groups;
	unsigned long long drops, sum = 0;
	char text[65536], *line;

	if (read_file("/proc/net/netlink", text, sizeof(text)) < 0)
		give_up("/proc/net/netlink");
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (sscanf(line, "%*s %u %*d %x %*d %*d %*d %*d %llu", &protocol, &groups, &drops) == 3 &&
		    protocol == NETLINK_KOBJECT_UEVENT && groups & 1)
			sum += drops;
	return sum;
}

static void be_loud(void *unused)
{
	struct sockaddr_nl all = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT);
	static char message[2048];

	if (fd < 0)
		give_up("a socket");
	for (;;)
		sendto(fd, message, sizeof(message), 0, (struct sockaddr *)&all, sizeof(all));
}

/* Returns how often the log names the port, and sets the number of messages that it states as dropped. */
static unsigned int count_names(unsigned long long *stated)
{
	unsigned long long number;
	unsigned int names = 0;
	struct log log = log_take();

	*stated = 0;
	for_each_entry(entry, &log) {
		names += entry->type == BCOS_SET_DEVICE_NAME &&
			 !strcmp(((const struct bcos_device_name *)entry)->name, "ttyS2");
		if (entry->type == BCOS_GENERIC_CPU &&
		    ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_LOSS &&
		    sscanf(entry_text(entry), "lost %llu devices coming or going: the kernel dropped", &number) == 1)
			*stated += number;
	}
	log_free(&log);
	return names;
}

static void plug_port(void)
{
	if (!write_file(PORT, "remove") || !write_file(PORT, "add"))
		give_up(PORT);
}

/* Each allocation in turn fails while the kernel sends a message: the next one is heard. */
static void test_failing(int fd)
{
	unsigned long long stated, drops;
	unsigned int n, before, deaf = 0;
	bool failed = true;

	faults_load();
	faults_at(FAULT_ANYWHERE);
	drops = dropped_messages();
	for (n = 0; failed && n < 200; n += failed) {
		fault_arm(n + 1);
		write_file(PORT, "add");
		failed = fault_disarm();
		/* The module listens again once a work item has run. */
		usleep(50000);
		flush_log(fd);
		before = count_names(&stated);
		plug_port();
		flush_log(fd);
		deaf += count_names(&stated) != before + 1;
	}
	faults_unload();
	drops = dropped_messages() - drops;
	make_point(drops > 0, "each of %u allocations fails in turn, and the kernel drops %llu messages for that", n, drops);
	make_point(!deaf, "after each of them the next message is heard (%u are not)", deaf);
}

/* Two processes send so much that the socket has no room. */
static void test_crowded(int fd)
{
	unsigned long long before, drops, stated;
	unsigned int names, again;
	pid_t loud[2];
	int i;

	before = dropped_messages();
	for (i = 0; i < 2; i++)
		loud[i] = spawn_bound(be_loud, NULL);
	WAIT_FOR(dropped_messages() >= before + 20);
	for (i = 0; i < 2; i++)
		end_child(loud[i]);
	drops = dropped_messages() - before;
	WAIT_FOR((flush_log(fd), count_names(&stated), stated >= drops));
	make_point(stated == drops, "the kernel dropped %llu messages, and the log states %llu", drops, stated);
	make_point(status_of(fd).lost[BCOS_LOST_SOURCE] == drops, "as the status counts them");
	names = count_names(&stated);
	plug_port();
	flush_log(fd);
	again = count_names(&stated);
	make_point(again == names + 1, "the module hears the next ones (%u, %u)", names, again);
}

int main(int argc, char **argv)
{
	unsigned long long stated;
	unsigned int names, again;
	int fd;

	if (!can_open(PORT))
		skip_all("there is no " PORT);
	if (!write_file("/proc/sys/net/core/rmem_default", "2304"))
		give_up("rmem_default");
	load_module("ring_kb=4096");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	names = count_names(&stated);
	plug_port();
	flush_log(fd);
	again = count_names(&stated);
	make_point(again == names + 1 && !stated, "a port that goes and comes is named (%u, %u)", names, again);
	if (argc > 1)
		test_failing(fd);
	else
		test_crowded(fd);
	close(fd);
	unload_module();
	return finish_test();
}
