// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks whether BPF programs can record here. */
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/linux.h"
#include "bcoslog_bpf.h"
#include "reader/reader.h"
#include "doctor.h"

#define VERSION(major, minor) ((major) << 8 | (minor))

static void check_tool(struct doctor *doctor)
{
	if (bcoslog_bpf_classes())
		found(doctor, SOUND, "tool", NULL, "bcoslog is built with the BPF engine");
	else
		found(doctor, BROKEN, "tool", "scripts/deps bpf && make && sudo make install",
		      "bcoslog is built without the BPF engine");
}

static void check_kernel(struct doctor *doctor)
{
	const struct system *system = &doctor->system;

	if (!system->kernel)
		found(doctor, UNKNOWN, "kernel", NULL, "its release is nowhere to be read");
	else if (system->kernel < VERSION(5, 15))
		found(doctor, BROKEN, "kernel", NULL,
		      "Linux %s is older than 5.15, which recording by BPF requires; boot a newer one, or load the "
		      "module",
		      system->release);
	else
		found(doctor, SOUND, "kernel", NULL, "Linux %s is new enough", system->release);
	if (system_has(system, "/sys/kernel/btf/vmlinux"))
		found(doctor, SOUND, "btf", NULL, "this kernel describes its types");
	else
		found(doctor, BROKEN, "btf", NULL,
		      "this kernel does not describe its types (/sys/kernel/btf/vmlinux); boot one with "
		      "CONFIG_DEBUG_INFO_BTF, or load the module");
}

static void check_rights(struct doctor *doctor)
{
	const struct system *system = &doctor->system;
	bool bpf = system_capable(system, CAP_BPF), perfmon = system_capable(system, CAP_PERFMON);

	if (system->contained)
		found(doctor, BROKEN, "container", NULL,
		      "this is a user namespace of its own, whose capabilities the kernel does not take for BPF; "
		      "record on the host");
	else if (system_capable(system, CAP_SYS_ADMIN) || (bpf && perfmon))
		found(doctor, SOUND, "capabilities", NULL, "you have CAP_BPF and CAP_PERFMON");
	else
		found(doctor, BROKEN, "capabilities", RECORD_BY_BPF, "you lack %s",
		      bpf ? "CAP_PERFMON" : perfmon ? "CAP_BPF" : "CAP_BPF and CAP_PERFMON");
	if (!strcmp(system->lockdown, "confidentiality"))
		found(doctor, BROKEN, "lockdown", "boot with lockdown=integrity, or load the module, signed",
		      "this kernel is locked down for confidentiality, which forbids BPF programs to read it");
	else
		found(doctor, SOUND, "lockdown", NULL, "this kernel lets BPF programs read it");
}

/* Since 5.11 the memory of BPF programs counts for the control group. Older kernels count it as locked memory. */
static void check_memory(struct doctor *doctor)
{
	const struct system *system = &doctor->system;
	char limit[64] = "";

	if (!system->kernel || system->kernel >= VERSION(5, 11)) {
		found(doctor, SOUND, "memory", NULL,
		      "the limit of locked memory does not count for BPF on this kernel");
		return;
	}
	system_line(system, "/proc/self/limits", "Max locked memory", limit, sizeof(limit));
	if (strncmp(limit + strspn(limit, " "), "unlimited", 9))
		found(doctor, BROKEN, "memory", "ulimit -l unlimited",
		      "the limit of locked memory counts for BPF on this kernel");
	else
		found(doctor, SOUND, "memory", NULL, "locked memory is not limited");
}

/* Creates a BPF map. Only this shows a filter of system calls, as containers have it. */
static void try_it(struct doctor *doctor)
{
	union bpf_attr attributes = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 1,
	};
	long fd;

	fd = syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes));
	if (fd >= 0) {
		close((int)fd);
		found(doctor, SOUND, "try", NULL, "the kernel makes a map of BPF");
	} else if (errno == ENOSYS) {
		found(doctor, BROKEN, "try", NULL,
		      "this kernel has no BPF; boot one with CONFIG_BPF_SYSCALL, or load the module");
	} else {
		found(doctor, BROKEN, "try", NULL,
		      "the kernel makes no map of BPF (%s), as in a container whose system calls are filtered; record "
		      "on the host",
		      strerror(errno));
	}
}

/* Checks whether the log can tell if an interrupt woke a thread. This asks the kernel that runs. */
static void check_wakers(struct doctor *doctor)
{
	int knows = bcoslog_bpf_knows_wakers();

	if (knows > 0)
		found(doctor, SOUND, "wakers", NULL, "programs can read whether an interrupt woke a thread");
	else if (!knows)
		found(doctor, UNKNOWN, "wakers", NULL,
		      "programs cannot read whether an interrupt woke a thread, so the log says \"by an interrupt or "
		      "process\"; boot a kernel with CONFIG_KALLSYMS_ALL, or load the module");
}

void examine_bpf(struct doctor *doctor)
{
	check_tool(doctor);
	check_kernel(doctor);
	check_rights(doctor);
	check_memory(doctor);
	/* If an earlier check failed, the attempt would fail for the cause that is named already. */
	if (doctor->system.live && doctor_works(doctor, ABLE_BPF))
		try_it(doctor);
	if (doctor->system.live && doctor_works(doctor, ABLE_BPF))
		check_wakers(doctor);
}
