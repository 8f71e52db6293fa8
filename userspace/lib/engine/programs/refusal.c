// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The errors if the kernel refuses the BPF programs: see refusal.h. */
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/linux.h"
#include "engine/machine.h"
#include "refusal.h"
#include "handle/error.h"

#define LOCKDOWN "/sys/kernel/security/lockdown"
#define BTF "/sys/kernel/btf/vmlinux"

static bool has_capability(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return true;
	/* CAP_SYS_ADMIN contains both capabilities. */
	return data[capability >> 5].effective & 1u << (capability & 31) || data[0].effective & 1u << CAP_SYS_ADMIN;
}

static bool is_confidential(void)
{
	char text[128];

	return machine_read_line(LOCKDOWN, text, sizeof(text)) && strstr(text, "[confidentiality]");
}

/* The programs, their maps and their links take nearly as many descriptors as this. */
#define DESCRIPTORS 64

/* Return: the number of descriptors that this process may open, if these are too few; else 0. */
static unsigned int few_descriptors(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < DESCRIPTORS ? (unsigned int)limit.rlim_cur : 0;
}

int refusal(struct bcoslog_error *error, int code, const char *what)
{
	if ((code == -EPERM || code == -EACCES) && (!has_capability(CAP_BPF) || !has_capability(CAP_PERFMON)))
		return error_set(error, -code,
				 "recording by BPF needs the capabilities CAP_BPF and CAP_PERFMON: use sudo");
	if (code == -ENOMEM || code == -EAGAIN)
		return error_set(error, -code, "there is not enough memory for recording by BPF: ask for less with "
				 "--staging");
	if (code == -EMFILE || code == -ENFILE)
		return error_set(error, -code,
				 "there is no free descriptor for recording by BPF: close some, or allow more "
				 "(ulimit -n)");
	/* libbpf finds out what the kernel can do, and takes a want of descriptors for a kernel that cannot do it. */
	if (few_descriptors())
		return error_set(error, EMFILE,
				 "recording by BPF takes up to %u descriptors, and %u are allowed: allow more (ulimit -n)",
				 DESCRIPTORS, few_descriptors());
	if (is_confidential())
		return error_set(error, -code,
				 "this kernel is locked down for confidentiality (lockdown=confidentiality), "
				 "which forbids BPF programs to read it: boot with lockdown=integrity, or load the "
				 "module, signed");
	if (code == -ENOSYS)
		return error_set(error, -code,
				 "this kernel has no BPF: use one with CONFIG_BPF_SYSCALL, or load the module");
	if (access(BTF, R_OK))
		return error_set(error, -code,
				 "this kernel does not describe itself (there is no " BTF "): use one with "
				 "CONFIG_DEBUG_INFO_BTF, or load the module");
	return error_set(error, -code, "recording by BPF failed (%s): %s: the kernel's own reason is shown with "
			 "BCOSLOG_DEBUG=1", what, strerror(-code));
}
