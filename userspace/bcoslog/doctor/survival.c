// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks what the log outlives: a crash of the kernel, and the end of a recorder of BPF programs. */
#include <stdlib.h>

#include "core/image/image.h"
#include "doctor.h"

#define VERSION(major, minor) ((major) << 8 | (minor))

/* The sizes that the module takes without parameters (module/params.c), and that of the ring of the kernel's log. */
#define RING_KIB 8192
#define STAGING_KIB 1024
#define LINES_BYTES (128u << 10)

/* Regions are of so many MiB each, so that a few more devices or another version do not make them too small. */
#define STEP_MIB 8

static u64 parameter(const struct system *system, const char *name, u64 otherwise)
{
	char text[64];

	if (system_read(system, text, sizeof(text), "/sys/module/bcos_evlog/parameters/%s", name) <= 0)
		return otherwise;
	return strtoull(text, NULL, 0);
}

/* Return: the number of CPUs that the machine may have. */
static u32 possible_cpus(const struct system *system)
{
	char text[256];
	const char *last;

	if (system_read(system, text, sizeof(text), "/sys/devices/system/cpu/possible") <= 0)
		return 64;
	/* The list is in ascending order: "0-3", "0,2-7". */
	last = text + strlen(text);
	while (last > text && !strchr("-,", last[-1]))
		last--;
	return (u32)strtoul(last, NULL, 10) % BCOS_IMAGE_CPUS_MAX + 1;
}

/* Return: the MiB that the log needs in memory which the kernel leaves alone. */
static u64 needed_mib(const struct system *system)
{
	struct bcos_image_plan plan = {
		.page_size = 4096,
		.ring_size = parameter(system, "ring_kb", RING_KIB) << 10,
		.staging_size = parameter(system, "staging_kb", STAGING_KIB) << 10,
		.kmsg_size = LINES_BYTES,
	};
	u64 step = (u64)STEP_MIB << 20;

	plan.cpus = plan.least = possible_cpus(system);
	return (bcos_image_least(&plan) + step - 1) / step * STEP_MIB;
}

/*
 * Find an address for memmap=: in the upper half of the largest piece of memory below 4 GiB, away from its ends.
 * Return: 0 if the kernel tells the caller no addresses.
 */
static u64 find_address(const struct system *system)
{
	unsigned long long first, last, size, most = 0, address = 0;
	char path[SYSTEM_PATH], *line = NULL;
	size_t room = 0;
	FILE *file;

	system_path(system, path, "/proc/iomem");
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (getline(&line, &room, file) > 0) {
		/* What is indented is a part of what is above. */
		if (line[0] == ' ' || !strstr(line, " : System RAM") || sscanf(line, "%llx-%llx", &first, &last) != 2)
			continue;
		size = last > first ? last - first + 1 : 0;
		if (last >= 1ull << 32 || size <= most)
			continue;
		most = size;
		address = (first + size / 4 * 3) & ~0xFFFFFFull;
	}
	free(line);
	fclose(file);
	return address;
}

/* What asks the kernel for memory, and the module to use it. */
struct request {
	char line[64];			/* for the kernel's command line; empty: the machine has none for this */
	char parameters[64];		/* of the module */
};

/* Does another parameter take the memory of this name, as in ramoops.mem_name=NAME or trace_instance=INSTANCE@NAME? */
static bool is_taken(const char *line, const char *name)
{
	size_t length = strlen(name);
	const char *at;

	for (at = line; (at = strstr(at, name)); at += length)
		if (at > line && strchr("=@", at[-1]) && strchr(" ,\n", at[length]))
			return true;
	return false;
}

/* Take the request of a word of the kernel's command line.  Return: is it one? */
static bool take_word(const char *line, const char *word, struct request *request)
{
	unsigned long long address;
	char size[16], name[24];

	/* reserve_mem=SIZE:ALIGNMENT:NAME, memmap=SIZE!ADDRESS */
	if (sscanf(word, "reserve_mem=%*[^: ]:%*[^: ]:%23[^ \n]", name) == 1 && !is_taken(line, name)) {
		snprintf(request->parameters, sizeof(request->parameters), "keep=%s", name);
		return true;
	}
	if (sscanf(word, "memmap=%15[0-9xKMGa-f]!%lli", size, (long long *)&address) != 2)
		return false;
	snprintf(request->parameters, sizeof(request->parameters), "keep_addr=%#llx keep_size=%s", address, size);
	return true;
}

/* Take the request that the kernel's command line has already.  Return: is there one? */
static bool take_present(const char *line, struct request *request)
{
	const char *word = line + strspn(line, " \n");

	while (*word && !take_word(line, word, request)) {
		word += strcspn(word, " \n");
		word += strspn(word, " \n");
	}
	return *word;
}

static void make_request(const struct system *system, struct request *request)
{
	u64 mib = needed_mib(system), address;
	char place[24] = "ADDRESS", implementer[16];

	/* Since 6.12 any architecture reserves memory by name. */
	if (system->kernel >= VERSION(6, 12)) {
		snprintf(request->line, sizeof(request->line), "reserve_mem=%lluM:4096:bcos", (unsigned long long)mib);
		snprintf(request->parameters, sizeof(request->parameters), "keep=bcos");
		return;
	}
	address = find_address(system);
	if (address)
		snprintf(place, sizeof(place), "%#llx", (unsigned long long)address);
	snprintf(request->parameters, sizeof(request->parameters), "keep_addr=%s keep_size=%lluM", place,
		 (unsigned long long)mib);
	if (!system_line(system, "/proc/cpuinfo", "CPU implementer", implementer, sizeof(implementer)))
		snprintf(request->line, sizeof(request->line), "memmap=%lluM!%s", (unsigned long long)mib, place);
}

/* Say where the boot loader takes the kernel's command line from, and what writes it there. */
static void describe_loader(const struct system *system, const char *line, char *text, size_t size)
{
	if (system_has(system, "/etc/default/grub"))
		snprintf(text, size, "add %s to GRUB_CMDLINE_LINUX_DEFAULT in /etc/default/grub, %s", line,
			 system->distribution == DEBIAN ? "sudo update-grub" :
			 system->distribution == FEDORA ? "sudo grub2-mkconfig -o /boot/grub2/grub.cfg" :
							  "sudo grub-mkconfig -o /boot/grub/grub.cfg");
	else if (system_has(system, "/etc/kernel/cmdline"))
		snprintf(text, size, "add %s to /etc/kernel/cmdline, sudo kernel-install add $(uname -r) "
			 "/boot/vmlinuz-$(uname -r)", line);
	else
		snprintf(text, size, "add %s to the kernel's command line in your boot loader", line);
}

#define OPTIONS "echo options bcos_evlog %s | sudo tee /etc/modprobe.d/bcos_evlog-keep.conf"

/* Say what to do for a log that survives. */
static void find_remedy(struct doctor *doctor)
{
	const struct system *system = &doctor->system;
	char line[4096], loader[200], mend[sizeof(doctor->findings[0].mend)];
	static const char lost[] = "a crash of the kernel takes the log with it, up to what is in files";
	struct request request = { "", "" };

	system_read(system, line, sizeof(line), "/proc/cmdline");
	if (take_present(line, &request)) {
		snprintf(mend, sizeof(mend), OPTIONS ", and load the module again", request.parameters);
		found(doctor, NOTED, "crash", mend,
		      "%s; the kernel's command line reserves memory that the module is not told of", lost);
		return;
	}
	make_request(system, &request);
	if (!request.line[0]) {
		found(doctor, NOTED, "crash", NULL,
		      "%s; this kernel reserves memory by the device tree alone: a node of /reserved-memory with "
		      "no-map, and %s for the module", lost, request.parameters);
		return;
	}
	describe_loader(system, request.line, loader, sizeof(loader));
	snprintf(mend, sizeof(mend), "%s, " OPTIONS ", and reboot", loader, request.parameters);
	found(doctor, NOTED, "crash", mend, "%s%s", lost,
	      strstr(request.line, "ADDRESS") ? "; ADDRESS is one of System RAM, and named where root runs this command" : "");
}

/* Does the log outlive the kernel? */
static void check_crash(struct doctor *doctor, bool loaded)
{
	const struct system *system = &doctor->system;
	u64 kept = loaded ? parameter(system, "keep_size", 0) : 0;
	char name[64] = "", address[64] = "";

	if (kept) {
		found(doctor, SOUND, "crash", NULL,
		      "the log is in %llu KiB of memory that a warm reboot leaves alone, so it survives a crash of the "
		      "kernel, if the firmware leaves them alone, too", (unsigned long long)(kept >> 10));
		return;
	}
	if (loaded) {
		system_read(system, name, sizeof(name), "/sys/module/bcos_evlog/parameters/keep");
		system_read(system, address, sizeof(address), "/sys/module/bcos_evlog/parameters/keep_addr");
	}
	if ((name[0] && name[0] != '\n' && name[0] != '(') || strtoull(address, NULL, 0))
		found(doctor, NOTED, "crash", "sudo dmesg | grep bcos_evlog:",
		      "a crash of the kernel takes the log with it: the module was told to keep it in memory, and could "
		      "not; the kernel's log says why");
	else
		find_remedy(doctor);
}

/* ---- the end of a recorder --------------------------------------------------------------- */

/* Return: whether a BPF file system is mounted where maps are pinned. */
static bool may_be_pinned(const struct system *system)
{
	char path[SYSTEM_PATH], *line = NULL;
	bool mounted = false;
	size_t room = 0;
	FILE *file;

	system_path(system, path, "/proc/mounts");
	file = fopen(path, "re");
	while (file && !mounted && getline(&line, &room, file) > 0)
		mounted = strstr(line, " /sys/fs/bpf bpf ");
	free(line);
	if (file)
		fclose(file);
	return mounted;
}

/* Does the first process of the unit have --pin no among its arguments, in one or two? */
static bool pins_nothing(const struct system *system, const char *unit)
{
	static const char two[] = "--pin\0no", one[] = "--pin=no";
	char process[64], arguments[4096];
	ssize_t size, at;

	if (system_read(system, process, sizeof(process), "/sys/fs/cgroup/system.slice/%s/cgroup.procs", unit) <= 0)
		return false;
	size = system_read(system, arguments, sizeof(arguments), "/proc/%lu/cmdline", strtoul(process, NULL, 10));
	for (at = 0; at + (ssize_t)sizeof(two) <= size; at++)
		if (!memcmp(arguments + at, two, sizeof(two)) || !memcmp(arguments + at, one, sizeof(one)))
			return true;
	return false;
}

/* Does the log of a recorder of BPF programs outlive the recorder? */
static void check_kill(struct doctor *doctor, const char *unit)
{
	static const char lost[] = "what is not in files yet is lost when the recorder is killed";
	const struct system *system = &doctor->system;

	if (system_has(system, "/run/bcos_recorder"))
		found(doctor, SOUND, "kill", NULL,
		      "there is a log in /run/bcos_recorder, with which the next recorder goes on when its own is killed");
	else if (pins_nothing(system, unit))
		found(doctor, NOTED, "kill", "sudo bcoslog --engine bpf record --pin maps -o DIR",
		      "%s: the service records with --pin no, since its user may not enter /sys/fs/bpf", lost);
	else if (!may_be_pinned(system))
		found(doctor, NOTED, "kill", "sudo mount -t bpf bpf /sys/fs/bpf",
		      "%s: no BPF file system is mounted, in which its maps would be pinned", lost);
	else if (system->uid)
		found(doctor, NOTED, "kill", "sudo bcoslog --engine bpf record -o DIR",
		      "%s, unless root starts it: you may not write to /run and /sys/fs/bpf", lost);
	else
		found(doctor, SOUND, "kill", NULL,
		      "a recorder that you start leaves its log in /run/bcos_recorder when it is killed, and the next one "
		      "goes on with it");
}

void examine_survival(struct doctor *doctor, bool by_bpf, const char *unit)
{
	if (!by_bpf) {
		check_crash(doctor, system_has(&doctor->system, "/sys/module/bcos_evlog"));
		return;
	}
	if (doctor_works(doctor, ABLE_MODULE))
		found(doctor, NOTED, "crash", "sudo modprobe bcos_evlog",
		      "a crash of the kernel takes with it what BPF programs recorded, up to what is in files; the log of "
		      "the module can survive one");
	else
		found(doctor, NOTED, "crash", NULL,
		      "a crash of the kernel takes with it what BPF programs recorded, up to what is in files");
	check_kill(doctor, unit);
}
