// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions for the tests of the device: see device.h. */
#include "device.h"

#include <dirent.h>
#include <linux/uinput.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

struct bcos_compaction acknowledge_compaction(int fd)
{
	struct bcos_compaction compaction = { 0 };

	if (ioctl(fd, BCOS_IOC_COMPACTION, &compaction))
		give_up("BCOS_IOC_COMPACTION");
	return compaction;
}

void load_other(const char *name, const char *parameters)
{
	char path[60];
	int fd;

	snprintf(path, sizeof(path), "/bcos/%s.ko", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || syscall(SYS_finit_module, fd, parameters, 0))
		give_up("insmod %s", path);
	close(fd);
}

void unload_other(const char *name)
{
	if (syscall(SYS_delete_module, name, O_NONBLOCK))
		give_up("rmmod %s", name);
}

uint64_t flush_log(int fd)
{
	struct bcos_flush flush = { 0 };

	while (ioctl(fd, BCOS_IOC_FLUSH, &flush))
		if (errno != EINTR)
			give_up("BCOS_IOC_FLUSH");
	return flush.head;
}

void set_watermark(int fd, uint32_t bytes)
{
	struct bcos_watermark watermark = { .bytes = bytes };

	if (ioctl(fd, BCOS_IOC_WATERMARK, &watermark))
		give_up("BCOS_IOC_WATERMARK %u", bytes);
}

short poll_log(int fd, short events, int timeout)
{
	struct pollfd file = { .fd = fd, .events = events };

	while (poll(&file, 1, timeout) < 0)
		if (errno != EINTR)
			give_up("poll");
	return file.revents;
}

uint64_t drain_log(int fd)
{
	static char buffer[65536];
	uint64_t all = 0;
	ssize_t got;

	while ((got = read(fd, buffer, sizeof(buffer))) > 0)
		all += (uint64_t)got;
	if (got < 0 && errno != EAGAIN)
		give_up("read of the log");
	return all;
}

/* ---- loads ------------------------------------------------------------------ */

struct bound {
	void (*body)(void *);
	void *argument;
	pid_t parent;
};

static void be_bound(void *argument)
{
	struct bound *bound = argument;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == bound->parent)
		bound->body(bound->argument);
}

pid_t spawn_bound(void (*body)(void *), void *argument)
{
	struct bound bound = { body, argument, getpid() };

	return spawn_child(be_bound, &bound);
}

void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	reap_child(pid, NULL);
}

struct seat {
	int cpu, from, to;
	uint32_t turns;		/* 0: without end */
};

static int take_turns(void *argument)
{
	struct seat *seat = argument;
	char byte = 0;

	if (!pin_to(seat->cpu))
		give_up("pin to CPU %d", seat->cpu);
	do {
		if (write(seat->to, &byte, 1) != 1)
			give_up("write to a pipe");
	} while (--seat->turns && read(seat->from, &byte, 1) == 1);
	return 0;
}

pid_t clone_process(int (*body)(void *), void *argument)
{
	const size_t size = 65536;
	char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	pid_t pid = stack == MAP_FAILED ? -1 : clone(body, stack + size, CLONE_VM | CLONE_PARENT | SIGCHLD, argument);

	if (pid < 0)
		give_up("clone");
	return pid;
}

struct pair {
	struct seat seat[2];
	int tell;
};

static void be_pair(void *argument)
{
	struct pair *pair = argument;
	pid_t pid = clone_process(take_turns, &pair->seat[1]);

	if (write(pair->tell, &pid, sizeof(pid)) != sizeof(pid))
		give_up("write to a pipe");
	take_turns(&pair->seat[0]);
}

static struct switcher start_pair(int cpu, uint32_t turns)
{
	int there[2], back[2], tell[2];
	struct switcher switcher;
	struct pair pair;

	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC) || pipe2(tell, O_CLOEXEC))
		give_up("pipe");
	pair.seat[0] = (struct seat){ cpu, there[0], back[1], turns };
	pair.seat[1] = (struct seat){ cpu, back[0], there[1], turns };
	pair.tell = tell[1];
	switcher.pid[0] = spawn_bound(be_pair, &pair);
	if (read(tell[0], &switcher.pid[1], sizeof(switcher.pid[1])) != sizeof(switcher.pid[1]))
		give_up("read from a pipe");
	close(there[0]);
	close(there[1]);
	close(back[0]);
	close(back[1]);
	close(tell[0]);
	close(tell[1]);
	return switcher;
}

struct switcher switcher_start(int cpu)
{
	return start_pair(cpu, 0);
}

void switch_turns(int cpu, uint32_t turns)
{
	struct switcher switcher = start_pair(cpu, turns);

	if (reap_child(switcher.pid[0], NULL) || reap_child(switcher.pid[1], NULL))
		give_up("two that take turns");
}

void switcher_stop(struct switcher *switcher)
{
	kill(switcher->pid[0], SIGKILL);
	kill(switcher->pid[1], SIGKILL);
	reap_child(switcher->pid[0], NULL);
	reap_child(switcher->pid[1], NULL);
}

void compact_log(int fd, unsigned int count)
{
	uint64_t until = status_of(fd).compactions + count;
	struct switcher switcher = switcher_start(count_cpus() - 1);

	WAIT_FOR(status_of(fd).compactions >= until);
	switcher_stop(&switcher);
	flush_log(fd);
}

static void do_nothing(void *argument)
{
}

static void fork_on(void *argument)
{
	for (;;)
		reap_child(spawn_child(do_nothing, NULL), NULL);
}

pid_t forker_start(void)
{
	return spawn_bound(fork_on, NULL);
}

pid_t writer_of_log(void)
{
	char path[300], name[32];
	struct dirent *entry;
	DIR *processes = opendir("/proc");
	pid_t found = 0;

	while (processes && !found && (entry = readdir(processes))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && read_file(path, name, sizeof(name)) > 0 &&
		    !strncmp(name, "bcos_evlog", 10))
			found = atoi(entry->d_name);
	}
	errno = 0;
	if (!found)
		give_up("no thread is called bcos_evlog");
	closedir(processes);
	return found;
}

unsigned long long status_figure(pid_t pid, const char *name)
{
	char path[40], text[4096], *at;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (read_file(path, text, sizeof(text)) < 0)
		give_up("%s", path);
	at = strstr(text, name);
	errno = 0;
	if (!at || at[strlen(name)] != ':')
		give_up("%s has no %s", path, name);
	return strtoull(at + strlen(name) + 1, NULL, 10);
}

long meminfo_figure(const char *name)
{
	char text[8192], *at;

	if (read_file("/proc/meminfo", text, sizeof(text)) < 0)
		give_up("/proc/meminfo");
	at = strstr(text, name);
	errno = 0;
	if (!at || at[strlen(name)] != ':')
		give_up("/proc/meminfo has no %s", name);
	return atol(at + strlen(name) + 1);
}

int input_start(const char *name)
{
	struct uinput_setup setup = { .id.bustype = BUS_VIRTUAL };
	int fd = open("/dev/uinput", O_WRONLY | O_CLOEXEC);

	snprintf(setup.name, sizeof(setup.name), "%s", name);
	if (fd < 0 || ioctl(fd, UI_SET_EVBIT, EV_KEY) || ioctl(fd, UI_SET_KEYBIT, KEY_A) ||
	    ioctl(fd, UI_DEV_SETUP, &setup) || ioctl(fd, UI_DEV_CREATE))
		give_up("/dev/uinput");
	return fd;
}
