// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading the description of this machine in /proc and /sys: see machine.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/capture/core_id.h"
#include "core/capture/performance.h"
#include "host/linux.h"
#include "machine.h"
#include "version.h"

/* Tests define another folder. */
#ifndef MACHINE_SYS
#define MACHINE_SYS "/sys"
#endif
#define CPUS MACHINE_SYS "/devices/system/cpu"
/* If this folder exists, the kernel has taken the cores from it, and numbers the cores of each cluster from 0. */
#define TREE_OF_CPUS MACHINE_SYS "/firmware/devicetree/base/cpus/cpu-map"

bool machine_read_line(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = 0;
	text[strcspn(text, "\n")] = 0;
	return true;
}

static bool read_number(const char *path, long *number)
{
	char text[64], *end;

	if (!machine_read_line(path, text, sizeof(text)))
		return false;
	*number = strtol(text, &end, 10);
	return end != text;
}

/* Parse a list of IDs such as "0-3,8".  Return: the number of the IDs. */
static u32 parse_list(const char *text, u32 *cpu, u32 room)
{
	unsigned long first, last;
	u32 count = 0;
	char *end;

	while (*text >= '0' && *text <= '9') {
		first = last = strtoul(text, &end, 10);
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && count < room; first++)
			cpu[count++] = (u32)first;
		text = *end == ',' ? end + 1 : end;
	}
	return count;
}

/* Return: the last ID of the list in a file, plus 1; the number of configured CPUs if the file cannot be read. */
static u32 behind_last(const char *path)
{
	char text[4096];
	u32 last = 0;
	const char *at;

	if (!machine_read_line(path, text, sizeof(text)))
		return (u32)sysconf(_SC_NPROCESSORS_CONF);
	for (at = text; *at; at += *at != 0) {
		last = (u32)strtoul(at, NULL, 10);
		at += strcspn(at, "-,");
	}
	return last + 1;
}

u32 machine_cpus(void)
{
	return behind_last(CPUS "/possible");
}

u32 machine_present(void)
{
	return behind_last(CPUS "/present");
}

u32 machine_online(u32 *cpu, u32 room)
{
	char text[4096];

	return machine_read_line(CPUS "/online", text, sizeof(text)) ? parse_list(text, cpu, room) : 0;
}

bool machine_core(u32 cpu, u32 *core)
{
	long package, cluster, number;
	char path[96];

	host_format(path, sizeof(path), CPUS "/cpu%u/topology/core_id", cpu);
	if (!read_number(path, &number))
		return false;
	host_format(path, sizeof(path), CPUS "/cpu%u/topology/physical_package_id", cpu);
	if (!read_number(path, &package))
		package = -1;
	host_format(path, sizeof(path), CPUS "/cpu%u/topology/cluster_id", cpu);
	if (access(TREE_OF_CPUS, F_OK) || !read_number(path, &cluster))
		cluster = -1;
	*core = bcos_core_id(package, cluster, number);
	return true;
}

u32 machine_policy(u32 cpu, u32 *cpus, u32 room)
{
	char path[96], text[4096], *at = text, *end;
	u32 count = 0;

	host_format(path, sizeof(path), CPUS "/cpu%u/cpufreq/affected_cpus", cpu);
	if (!machine_read_line(path, text, sizeof(text)))
		return 0;
	for (; count < room; at = end) {
		cpus[count] = (u32)strtoul(at, &end, 10);
		if (end == at)
			break;
		count++;
	}
	return count;
}

/*
 * The clock rates from /proc/cpuinfo in kHz, for CPUs without a frequency policy; 0 before the first reading. They are
 * read once, because the file may show the present rate, which changes all the time.
 */
static u32 cpu_khz[4096];

static void read_clock_rates(void)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	const char *value;
	char line[256];
	u32 cpu = 0;

	while (file && fgets(line, sizeof(line), file)) {
		value = strchr(line, ':');
		if (value && !strncmp(line, "processor", 9))
			cpu = (u32)strtoul(value + 1, NULL, 10);
		else if (value && !strncmp(line, "cpu MHz", 7) && cpu < sizeof(cpu_khz) / sizeof(cpu_khz[0]) &&
			 !cpu_khz[cpu])
			cpu_khz[cpu] = (u32)(strtod(value + 1, NULL) * 1000 + 0.5);
	}
	if (file)
		fclose(file);
}

/* Return: the number in a file of the CPU's folder in /sys; 0 if unknown. */
static u32 number_of(u32 cpu, const char *file)
{
	char path[96];
	long number;

	host_format(path, sizeof(path), CPUS "/cpu%u/%s", cpu, file);
	return read_number(path, &number) && number > 0 ? (u32)number : 0;
}

/* Return: the clock rate of a CPU in kHz; 0 if unknown. */
static u32 clock_rate(u32 cpu)
{
	u32 number = number_of(cpu, "cpufreq/scaling_max_freq");

	if (number)
		return number;
	if (cpu >= sizeof(cpu_khz) / sizeof(cpu_khz[0]))
		return 0;
	if (!cpu_khz[cpu])
		read_clock_rates();
	return cpu_khz[cpu];
}

void machine_estimate(u32 cpu, struct bcos_estimate *estimate)
{
	struct bcos_speed speed = {
		.khz = clock_rate(cpu),
		.most_khz = number_of(cpu, "cpufreq/cpuinfo_max_freq"),
		.capacity = number_of(cpu, "cpu_capacity"),
	};
	u32 other;

	for (other = 0; speed.capacity && !speed.fastest_khz && other < machine_cpus(); other++)
		if (number_of(other, "cpu_capacity") == BCOS_CAPACITY)
			speed.fastest_khz = number_of(other, "cpufreq/cpuinfo_max_freq");
	/* Nothing in /sys tells the power, so it stays unknown. */
	estimate->performance = bcos_performance_guess(&speed);
	estimate->guessed = estimate->performance != 0;
}

/* Compare the clocks several times, and keep the most precise result: the thread may lose its CPU meanwhile. */
static void compare_clocks(struct bcos_statements *now)
{
	u64 before, real, after;
	int tries = 8;

	now->error = 0xFFFFFFFFu;
	while (tries--) {
		before = clock_now(CLOCK_BOOTTIME);
		real = clock_now(CLOCK_REALTIME);
		after = clock_now(CLOCK_BOOTTIME);
		if (after - before + 1 >= now->error)
			continue;
		now->error = (u32)(after - before + 1);
		now->offset = real - after;
		now->clock = true;
	}
}

void machine_statements(struct bcos_statements *now)
{
	struct utsname name;

	memset(now, 0, sizeof(*now));
	compare_clocks(now);
	if (!machine_read_line("/proc/sys/kernel/random/boot_id", now->boot, sizeof(now->boot)))
		now->boot[0] = 0;
	if (!uname(&name)) {
		host_format(now->host, sizeof(now->host), "%s", name.nodename);
		host_format(now->kernel, sizeof(now->kernel), "%s %s", name.release, name.machine);
	}
	host_format(now->version, sizeof(now->version), "bcos_evlog " BCOS_VERSION " bpf");
}

bool machine_has_own_time(void)
{
	FILE *file = fopen("/proc/self/timens_offsets", "re");
	long long seconds, ns;
	char clock[32];
	bool shifted = false;

	while (file && fscanf(file, "%31s %lld %lld", clock, &seconds, &ns) == 3)
		shifted |= !strcmp(clock, "boottime") && (seconds || ns);
	if (file)
		fclose(file);
	return shifted;
}

u32 machine_net_space(void)
{
	struct stat space;

	return stat("/proc/self/ns/net", &space) ? 0 : (u32)space.st_ino;
}

bool machine_has_old_groups(void)
{
	FILE *groups = fopen("/proc/self/cgroup", "re");
	char *line = NULL;
	size_t room = 0;
	bool old = false;

	/* A line is "HIERARCHY:CONTROLLERS:PATH", and hierarchy 0 is that of version 2. */
	while (groups && !old && getline(&line, &room, groups) > 0)
		old = strncmp(line, "0:", 2) != 0;
	free(line);
	if (groups)
		fclose(groups);
	return old;
}

u64 machine_memory(void)
{
	return (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
}

void machine_interrupt(u32 line, char *name, size_t size)
{
	DIR *functions = opendir(MACHINE_SYS "/bus/pci/devices");
	const struct dirent *function;
	char path[320];

	name[0] = 0;
	while (functions && !name[0] && (function = readdir(functions))) {
		host_format(path, sizeof(path), MACHINE_SYS "/bus/pci/devices/%.255s/msi_irqs/%u", function->d_name, line);
		if (!access(path, F_OK))
			host_format(name, size, "%s", function->d_name);
	}
	if (functions)
		closedir(functions);
}

int machine_watch_clock(void)
{
	/* The kernel takes this for the end of all time, so only a setting of the clock ends the wait for it. */
	const struct itimerspec never = { .it_value.tv_sec = INT64_MAX };
	int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0 && timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

bool machine_clock_was_set(int fd)
{
	u64 count;

	return fd >= 0 && read(fd, &count, sizeof(count)) < 0 && errno == ECANCELED;
}
