// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * CPUs go offline and come online while the machine works. With the argument "absent", a CPU is not there at load.
 *
 * guest: cpus=2 rounds=10:50 debug-rounds=5 timeout=90:400 also=all
 * guest: cpus=2 append=maxcpus=1 timeout=60 also=6.1 args=absent
 * guest: cpus=4 smt=yes slots=3 memory=1024 modprobe=virtio_pci,virtio_blk,virtio_net,loop rounds=10:50 timeout=120:400 full-only=yes
 * guest: cpus=2 rounds=5:50 timeout=90:400 engine=bpf
 *
 * The oracle is this test, which takes the CPUs off and on itself, and the topology that sysfs tells of them.
 */
#include "device.h"

#include <sched.h>

#define CPUS_MAX 8

static uint32_t core_of[CPUS_MAX];
static int cpu_count;

static int read_topology(int cpu, const char *what)
{
	char path[100], text[20];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, what);
	if (read_file(path, text, sizeof(text)) <= 0)
		give_up("%s", path);
	return atoi(text);
}

static void learn_topology(int cpu)
{
	int package = read_topology(cpu, "physical_package_id"), core = read_topology(cpu, "core_id");

	core_of[cpu] = BCOS_CORE_ID(package < 0 ? 0 : package, core);
}

static bool set_online(int cpu, bool online)
{
	char path[100];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return write_file(path, "%d", online);
}

/* ---- the log, one entry after another, with what is online at each point ------------------- */

struct course {
	bool online[CPUS_MAX];
	bool assigned[CPUS_MAX];
	uint32_t process[CPUS_MAX];
	unsigned int offline_entries[CPUS_MAX], online_entries[CPUS_MAX];
	unsigned int core_offline, core_online;
	unsigned int wrong;
};

static void note_wrong(struct course *course, const struct bcos_entry *entry, const char *what)
{
	if (course->wrong++ < 5)
		print_note("%s: type %04x, source %x, at %llu.%09llu", what, entry->type, entry->source,
			   (unsigned long long)(entry->time / 1000000000u),
			   (unsigned long long)(entry->time % 1000000000u));
}

static int online_of_core(const struct course *course, uint32_t core)
{
	int cpu, count = 0;

	for (cpu = 0; cpu < cpu_count; cpu++)
		count += course->online[cpu] && core_of[cpu] == core;
	return count;
}

static void cpu_online(struct course *course, const struct log *log, const struct bcos_entry *entry,
		       const struct bcos_entry *previous)
{
	uint32_t cpu = entry->source;
	const struct bcos_entry *next = entry_after(log, entry);

	if (course->online[cpu])
		note_wrong(course, entry, "a CPU that is online comes online");
	if (entry_word(entry) != core_of[cpu])
		note_wrong(course, entry, "its core is not the one of sysfs");
	if (!online_of_core(course, core_of[cpu]) &&
	    (!previous || previous->type != BCOS_CORE_ONLINE || previous->source != core_of[cpu]))
		note_wrong(course, entry, "the first CPU of a core comes without Core Online before it");
	while (next && next->type & BCOS_TYPE_HISTORICAL)
		next = entry_after(log, next);
	if (!next || next->type != BCOS_ASSIGN_CPU || next->source != cpu)
		note_wrong(course, entry, "a CPU comes online, and what it runs is not said");
	course->online[cpu] = true;
	course->assigned[cpu] = false;
	course->online_entries[cpu]++;
}

static void cpu_offline(struct course *course, const struct log *log, const struct bcos_entry *entry)
{
	uint32_t cpu = entry->source;
	const struct bcos_entry *next = entry_after(log, entry);

	if (!course->online[cpu])
		note_wrong(course, entry, "a CPU that is offline goes offline");
	if (!course->assigned[cpu] || course->process[cpu] != BCOS_PROCESS_IDLE)
		note_wrong(course, entry, "a CPU goes offline that was not assigned idle before");
	course->online[cpu] = course->assigned[cpu] = false;
	course->offline_entries[cpu]++;
	while (next && next->type & BCOS_TYPE_HISTORICAL)
		next = entry_after(log, next);
	if (!online_of_core(course, core_of[cpu]) &&
	    (!next || next->type != BCOS_CORE_OFFLINE || next->source != core_of[cpu]))
		note_wrong(course, entry, "the last CPU of a core goes without Core Offline after it");
}

static void follow_assignment(struct course *course, const struct bcos_entry *entry)
{
	uint32_t cpu = entry->source;

	if (!course->online[cpu])
		note_wrong(course, entry, "an offline CPU is assigned");
	if (course->assigned[cpu] && course->process[cpu] == entry_word(entry))
		note_wrong(course, entry, "a CPU is assigned what it runs already");
	course->assigned[cpu] = true;
	course->process[cpu] = entry_word(entry);
}

/* Follows the log: the group at its beginning, and then the entries after the group. */
static struct course follow_log(const struct log *log)
{
	const struct bcos_entry *previous = NULL;
	struct course course;

	memset(&course, 0, sizeof(course));
	for_each_entry(entry, log) {
		uint16_t subject = entry->type & BCOS_TYPE_SUBJECT_MASK;

		if (subject == BCOS_SUBJECT_CPU && entry->source >= (uint32_t)cpu_count) {
			note_wrong(&course, entry, "there is no such CPU");
			continue;
		}
		switch (entry->type) {
		case BCOS_HIST_CPU_ONLINE:
			course.online[entry->source] = true;
			break;
		case BCOS_HIST_ASSIGN_CPU:
			course.assigned[entry->source] = true;
			course.process[entry->source] = entry_word(entry);
			break;
		case BCOS_CPU_ONLINE:
			cpu_online(&course, log, entry, previous);
			break;
		case BCOS_CPU_OFFLINE:
			cpu_offline(&course, log, entry);
			break;
		case BCOS_ASSIGN_CPU:
			follow_assignment(&course, entry);
			break;
		case BCOS_CORE_ONLINE:
			course.core_online++;
			break;
		case BCOS_CORE_OFFLINE:
			course.core_offline++;
			if (online_of_core(&course, entry->source))
				note_wrong(&course, entry, "a core goes offline whose CPUs are not");
			break;
		}
		if (!(entry->type & BCOS_TYPE_HISTORICAL))
			previous = entry;
	}
	return course;
}

/* ---- off and on under load --------------------------------------------------------------------- */

/* Computes on whatever CPU is free. */
static void be_busy(void *argument)
{
	for (;;)
		burn_cpu(1000000);
}

static void be_restless(void *argument)
{
	for (;;)
		sched_yield();
}

static void visit_cpu(void *argument)
{
	if (!pin_to(*(int *)argument) || sched_getcpu() != *(int *)argument)
		give_up("pin to CPU %d", *(int *)argument);
}

/*
 * The CPUs that go offline, in this order. They come online in the reverse order. With two CPUs a core, the whole core
 * goes.
 */
static const int turns[][4] = { { 1, -1 }, { 2, 3, -1 }, { 3, 2, 1, -1 } };

struct visitor {
	int cpu;
	pid_t pid;
};

static bool was_seen(const struct log *log, const struct visitor *visitor)
{
	const struct bcos_entry *entry = NULL;

	while ((entry = entry_find(log, entry, BCOS_ASSIGN_CPU, (uint32_t)visitor->cpu)))
		if (entry_word(entry) == (uint32_t)visitor->pid)
			return true;
	return false;
}

static void judge_turns(const struct log *log, const unsigned int *turned)
{
	struct course course = follow_log(log);
	int cpu;

	for (cpu = 1; cpu < cpu_count; cpu++)
		make_point(course.offline_entries[cpu] == turned[cpu] && course.online_entries[cpu] == turned[cpu],
			   "CPU %d: %u CPU Offline and %u CPU Online, of %u", cpu, course.offline_entries[cpu],
			   course.online_entries[cpu], turned[cpu]);
	make_point(!course.offline_entries[0] && !course.online_entries[0], "CPU 0 stayed");
	make_point(!course.wrong,
		   "in the right order: idle, CPU Offline, Core Offline; Core Online, CPU Online, Assign CPU");
	if (cpu_count == 2)
		make_point(course.core_offline == turned[1] && course.core_online == turned[1],
			   "%u Core Offline and %u Core Online", course.core_offline, course.core_online);
}

static void off_and_on(int times)
{
	unsigned int turned[CPUS_MAX] = { 0 };
	struct visitor *visitor = calloc((size_t)times, sizeof(*visitor));
	int loads = 0, failed = 0, unseen = 0, i, j;
	pid_t pid[2 * CPUS_MAX + 1];
	const int *turn;
	struct log log;

	load_module("ring_kb=65536");
	for (i = 0; i < cpu_count; i++) {
		pid[loads++] = spawn_bound(be_busy, NULL);
		pid[loads++] = spawn_bound(be_restless, NULL);
	}
	pid[loads++] = forker_start();
	for (i = 0; i < times; i++) {
		turn = cpu_count == 2 ? turns[0] : turns[i % (int)ARRAY_SIZE(turns)];
		for (j = 0; turn[j] >= 0; j++)
			failed += !set_online(turn[j], false);
		while (j--) {
			failed += !set_online(turn[j], true);
			turned[turn[j]]++;
		}
		visitor[i].cpu = turn[0];
		visitor[i].pid = spawn_bound(visit_cpu, &visitor[i].cpu);
		failed += reap_child(visitor[i].pid, NULL) != 0;
	}
	for (i = 0; i < loads; i++)
		end_child(pid[i]);
	make_point(!failed, "CPUs go offline and come online %d times under load", times);
	log = log_take();
	judge_turns(&log, turned);
	for (i = 0; i < times; i++)
		unseen += !was_seen(&log, &visitor[i]);
	make_point(!unseen, "a process that runs there afterwards is seen there, each time");
	make_point(!status_of(-1).unnamed, "no process is used without a name");
	log_check(&log, "after CPUs went and came %d times", times);
	log_free(&log);
	free(visitor);
	unload_module();
}

/* ---- not there at load -------------------------------------------------------------------------- */

static void test_absent(void)
{
	struct visitor visitor = { .cpu = 1 };
	struct course course;
	struct log log;
	int fd;

	load_module("ring_kb=8192");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	make_point(status_of(fd).cpus == 1, "one CPU at load");
	if (!make_point(set_online(1, true), "the other one comes online"))
		give_up("cpu1/online");
	learn_topology(1);
	visitor.pid = spawn_bound(visit_cpu, &visitor.cpu);
	if (reap_child(visitor.pid, NULL))
		give_up("the visitor failed");
	log = log_take();
	course = follow_log(&log);
	make_point(course.online_entries[1] == 1 && !course.offline_entries[1] && !course.online_entries[0],
		   "one CPU Online, for CPU 1");
	make_point(core_of[0] == core_of[1] || course.core_online == 1, "and one Core Online, for its core");
	make_point(!course.wrong, "in the right order");
	make_point(was_seen(&log, &visitor), "a process that runs there is seen there");
	make_point(status_of(fd).cpus == 2, "the status counts two CPUs");
	log_check(&log, "with a CPU that was absent at load");
	log_free(&log);
	make_point(set_online(1, false), "it goes offline");
	log = log_take();
	course = follow_log(&log);
	make_point(course.offline_entries[1] == 1 && !course.wrong, "one CPU Offline");
	log_check(&log, "after it went");
	log_free(&log);
	close(fd);
	unload_module();
}

int main(int argc, char **argv)
{
	int cpu;

	cpu_count = count_cpus();
	for (cpu = 0; cpu < cpu_count; cpu++)
		learn_topology(cpu);
	if (argc > 1 && !strcmp(argv[1], "absent")) {
		if (access("/sys/devices/system/cpu/cpu1/online", F_OK) || cpu_count != 1)
			skip_all("this wants a machine with a CPU that is offline");
		cpu_count = 2;
		test_absent();
	} else {
		if (access("/sys/devices/system/cpu/cpu1/online", F_OK))
			skip_all("this wants a machine whose CPU 1 can go offline");
		off_and_on(get_rounds(10));
	}
	return finish_test();
}
