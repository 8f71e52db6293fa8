// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Recording by BPF programs and into files, as bcoslog doctor examines them on made-up systems. */
#include <sys/syscall.h>

#include <linux/bpf.h>

#include "bcoslog_bpf.h"
#include "made_system.h"

static struct doctor doctor;
static u32 classes;
static int map_error, closed_map;

u32 bcoslog_bpf_classes(void)
{
	return classes;
}

/* The map is a descriptor of the test's own. */
long syscall(long number, ...)
{
	union bpf_attr *attributes;
	va_list arguments;

	assert_int_equal(number, SYS_bpf);
	va_start(arguments, number);
	assert_int_equal(va_arg(arguments, int), BPF_MAP_CREATE);
	attributes = va_arg(arguments, union bpf_attr *);
	assert_int_equal(va_arg(arguments, size_t), sizeof(*attributes));
	va_end(arguments);
	assert_int_equal(attributes->map_type, BPF_MAP_TYPE_ARRAY);
	/* The kernel takes no other size for the key of an array. */
	assert_int_equal(attributes->key_size, 4);
	assert_true(attributes->value_size && attributes->max_entries);
	errno = map_error;
	closed_map = map_error ? -1 : dup(STDIN_FILENO);
	return closed_map;
}

static int begin_system(void **state)
{
	doctor = (struct doctor){
		.system = { .root = made_root, .release = "6.1", .kernel = 0x601, .capabilities = ~0ull, .lockdown = "none" },
	};
	classes = 1;
	map_error = 0;
	closed_map = -1;
	return made_begin(state);
}

/* The findings as lines: verdict, check, text, and the command that mends it. */
static const char *print_findings(void (*examine)(struct doctor *doctor), enum ability ability)
{
	static const char *const verdicts[] = { [SOUND] = "ok", [NOTED] = "note", [BROKEN] = "fails", [UNKNOWN] = "unknown" };
	static char text[4000];
	const struct finding *one;
	size_t used = 0;

	doctor.count = 0;
	doctor.ability = ability;
	examine(&doctor);
	text[0] = '\0';
	for (one = doctor.findings; one < doctor.findings + doctor.count; one++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %s: %s%s%s\n", verdicts[one->verdict], one->check,
					 one->text, one->mend[0] ? " | " : "", one->mend);
	return text;
}

#define ASSERT_BPF(expected) assert_string_equal(print_findings(examine_bpf, ABLE_BPF), expected)

/* ---- BPF ------------------------------------------------------------------------------------------------------------ */

#define TOOL "ok tool: bcoslog is built with the BPF engine\n"
#define KERNEL "ok kernel: Linux 6.1 is new enough\n"
#define TYPES "ok btf: this kernel describes its types\n"
#define RIGHTS "ok capabilities: you have CAP_BPF and CAP_PERFMON\n"
#define LOCKDOWN "ok lockdown: this kernel lets BPF programs read it\n"
#define MEMORY "ok memory: the limit of locked memory does not count for BPF on this kernel\n"

static void nothing_is_lacking(void **state)
{
	made_text("/sys/kernel/btf/vmlinux", "");
	ASSERT_BPF(TOOL KERNEL TYPES RIGHTS LOCKDOWN MEMORY);
	/* On the machine itself, it is tried. */
	doctor.system.live = true;
	ASSERT_BPF(TOOL KERNEL TYPES RIGHTS LOCKDOWN MEMORY "ok try: the kernel makes a map of BPF\n");
	/* The map is given back. */
	assert_true(closed_map >= 0);
	assert_int_equal(fcntl(closed_map, F_GETFD), -1);
}

static void a_kernel_that_makes_no_map(void **state)
{
	made_text("/sys/kernel/btf/vmlinux", "");
	doctor.system.live = true;
	map_error = ENOSYS;
	ASSERT_BPF(TOOL KERNEL TYPES RIGHTS LOCKDOWN MEMORY
		   "fails try: this kernel has no BPF; boot one with CONFIG_BPF_SYSCALL, or load the module\n");
	map_error = EPERM;
	ASSERT_BPF(TOOL KERNEL TYPES RIGHTS LOCKDOWN MEMORY
		   "fails try: the kernel makes no map of BPF (Operation not permitted), as in a container whose system calls are "
		   "filtered; record on the host\n");
}

/* Nothing is tried if something fails already. */
static void everything_is_lacking(void **state)
{
	doctor.system.live = true;
	classes = 0;
	doctor.system.kernel = 0;
	strcpy(doctor.system.lockdown, "confidentiality");
	doctor.system.capabilities = 0;
	ASSERT_BPF("fails tool: bcoslog is built without the BPF engine | scripts/deps bpf && make && sudo make install\n"
		   "unknown kernel: its release is nowhere to be read\n"
		   "fails btf: this kernel does not describe its types (/sys/kernel/btf/vmlinux); boot one with CONFIG_DEBUG_INFO_BTF, "
		   "or load the module\n"
		   "fails capabilities: you lack CAP_BPF and CAP_PERFMON | sudo bcoslog --engine bpf ...\n"
		   "fails lockdown: this kernel is locked down for confidentiality, which forbids BPF programs to read it | boot with "
		   "lockdown=integrity, or load the module, signed\n" MEMORY);
	assert_int_equal(closed_map, -1);
}

static void versions_of_kernels(void **state)
{
	static const struct {
		unsigned int kernel;
		const char *is, *memory;
	} kernels[] = {
		{ 0x50f, "ok kernel: Linux 6.1 is new enough\n", MEMORY },
		{ 0x50e, "fails kernel: Linux 6.1 is older than 5.15, which recording by BPF requires; boot a newer one, or load "
			"the module\n", MEMORY },
		{ 0x50b, "fails kernel: Linux 6.1 is older than 5.15, which recording by BPF requires; boot a newer one, or load "
			"the module\n", MEMORY },
		{ 0x50a, "fails kernel: Linux 6.1 is older than 5.15, which recording by BPF requires; boot a newer one, or load "
			"the module\n", "fails memory: the limit of locked memory counts for BPF on this kernel | ulimit -l "
			"unlimited\n" },
	};
	char expected[1000];
	size_t i;

	made_text("/sys/kernel/btf/vmlinux", "");
	for (i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		doctor.system.kernel = kernels[i].kernel;
		snprintf(expected, sizeof(expected), TOOL "%s" TYPES RIGHTS LOCKDOWN "%s", kernels[i].is, kernels[i].memory);
		ASSERT_BPF(expected);
	}
	made_text("/proc/self/limits", "Max locked memory         8388608   unlimited  bytes\n");
	assert_non_null(strstr(print_findings(examine_bpf, ABLE_BPF), "fails memory: "));
	made_text("/proc/self/limits", "Max locked memory         unlimited            unlimited            bytes\n");
	assert_non_null(strstr(print_findings(examine_bpf, ABLE_BPF), "ok memory: locked memory is not limited\n"));
}

/* CAP_PERFMON is 38, CAP_BPF 39, and CAP_SYS_ADMIN, which has both, 21. */
static void bpf_capabilities(void **state)
{
	static const struct {
		u64 has;
		const char *is;
	} callers[] = {
		{ 1ull << 38 | 1ull << 39, RIGHTS }, { 1ull << 21, RIGHTS },
		{ 1ull << 38, "fails capabilities: you lack CAP_BPF | sudo bcoslog --engine bpf ...\n" },
		{ 1ull << 39, "fails capabilities: you lack CAP_PERFMON | sudo bcoslog --engine bpf ...\n" },
		{ ~(1ull << 21 | 1ull << 38 | 1ull << 39),
			"fails capabilities: you lack CAP_BPF and CAP_PERFMON | sudo bcoslog --engine bpf ...\n" },
	};
	char expected[1000];
	size_t i;

	made_text("/sys/kernel/btf/vmlinux", "");
	for (i = 0; i < sizeof(callers) / sizeof(callers[0]); i++) {
		doctor.system.capabilities = callers[i].has;
		snprintf(expected, sizeof(expected), TOOL KERNEL TYPES "%s" LOCKDOWN MEMORY, callers[i].is);
		ASSERT_BPF(expected);
	}
	doctor.system.contained = true;
	doctor.system.capabilities = ~0ull;
	ASSERT_BPF(TOOL KERNEL TYPES "fails container: this is a user namespace of its own, whose capabilities the kernel does not "
		   "take for BPF; record on the host\n" LOCKDOWN MEMORY);
}

#define system_test(test) cmocka_unit_test_setup_teardown(test, begin_system, made_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		system_test(nothing_is_lacking),
		system_test(a_kernel_that_makes_no_map),
		system_test(everything_is_lacking),
		system_test(versions_of_kernels),
		system_test(bpf_capabilities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
