// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Whether there is room to keep the log in files, and whether BPF programs can record, as bcoslog doctor finds out. */
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include "bcoslog_bpf.h"
#include "made_system.h"

#define STATE "/var/lib/bcos_evlog"
#define MIB (1ull << 20)

/* ---- disks and the kernel are those of the test ------------------------------------------------ */

static u64 free_blocks;
static unsigned long block_size, flags;
static const char *disk_of;
static int map_error, maps;

int statvfs(const char *path, struct statvfs *disk)
{
	memset(disk, 0, sizeof(*disk));
	if (!disk_of || strcmp(path, made_path(disk_of)))
		return -1;
	disk->f_bavail = free_blocks;
	disk->f_frsize = block_size;
	disk->f_flag = flags;
	return 0;
}

/* The only call is that of bpf(2). */
long syscall(long number, ...)
{
	assert_int_equal(number, SYS_bpf);
	maps++;
	errno = map_error;
	return map_error ? -1 : dup(STDIN_FILENO);
}

static struct doctor doctor;

static int begin_system(void **state)
{
	disk_of = STATE;
	free_blocks = 1 << 20;
	block_size = 4096;
	flags = 0;
	maps = map_error = 0;
	memset(&doctor, 0, sizeof(doctor));
	doctor.system.root = made_root;
	return made_begin(state);
}

static void examine_ability(enum ability ability)
{
	doctor.count = 0;
	doctor.ability = ability;
	if (ability == ABLE_BPF)
		examine_bpf(&doctor);
	else
		examine_recording(&doctor);
}

/* Asserts that there is a finding of this check, and that it says this. */
static void assert_found(enum verdict verdict, const char *check, const char *text, const char *mend)
{
	size_t i;

	for (i = 0; i < doctor.count && strcmp(doctor.findings[i].check, check); i++)
		;
	assert_true(i < doctor.count);
	assert_int_equal(doctor.findings[i].verdict, verdict);
	assert_string_equal(doctor.findings[i].text, text);
	assert_string_equal(doctor.findings[i].mend, mend);
}

/* ---- the disk -------------------------------------------------------------------------------------- */

static void room_on_the_disk(void **state)
{
	static const char *const places[] = { STATE, "/var/lib", "/" };
	size_t i;

	for (i = 0; i < 3; i++) {
		disk_of = places[i];
		examine_ability(ABLE_RECORD);
		assert_found(SOUND, "disk", "4096 MiB are free below " STATE, "");
	}
	disk_of = NULL;
	examine_ability(ABLE_RECORD);
	assert_found(UNKNOWN, "disk", "nobody says how much room there is below " STATE, "");
	disk_of = STATE;
	/* 2 GiB are what the recorder keeps. */
	free_blocks = 2048 * MIB / 512;
	block_size = 512;
	examine_ability(ABLE_RECORD);
	assert_found(SOUND, "disk", "2048 MiB are free below " STATE, "");
	free_blocks--;
	examine_ability(ABLE_RECORD);
	assert_found(NOTED, "disk", "2047 MiB are free below " STATE ", and the recorder keeps up to 2048",
		     "sudo systemctl edit bcos-record.service, and --keep");
	flags = ST_RDONLY | ST_NOSUID;
	examine_ability(ABLE_RECORD);
	assert_found(BROKEN, "disk", STATE " is on a file system that is not writable",
		"sudo mount -o remount,rw /var");
	flags = ST_NOSUID;
	examine_ability(ABLE_RECORD);
	assert_found(NOTED, "disk", "2047 MiB are free below " STATE ", and the recorder keeps up to 2048",
		     "sudo systemctl edit bcos-record.service, and --keep");
}

/* ---- BPF -------------------------------------------------------------------------------------------- */

#define OLD "Linux x is older than 5.15, which recording by BPF requires; boot a newer one, or load the module"
#define NO_LIMIT "the limit of locked memory does not count for BPF on this kernel"

static void kernels_of_their_time(void **state)
{
	strcpy(doctor.system.release, "x");
	examine_ability(ABLE_BPF);
	assert_found(UNKNOWN, "kernel", "its release is nowhere to be read", "");
	assert_found(SOUND, "memory", NO_LIMIT, "");
	doctor.system.kernel = 5 << 8 | 15;
	examine_ability(ABLE_BPF);
	assert_found(SOUND, "kernel", "Linux x is new enough", "");
	doctor.system.kernel = 5 << 8 | 14;
	examine_ability(ABLE_BPF);
	assert_found(BROKEN, "kernel", OLD, "");
	assert_found(SOUND, "memory", NO_LIMIT, "");
	doctor.system.kernel = 6 << 8;
	examine_ability(ABLE_BPF);
	assert_found(SOUND, "kernel", "Linux x is new enough", "");
	doctor.system.kernel = 5 << 8 | 11;
	examine_ability(ABLE_BPF);
	assert_found(SOUND, "memory", NO_LIMIT, "");
	doctor.system.kernel = 5 << 8 | 10;
	examine_ability(ABLE_BPF);
	assert_found(BROKEN, "memory", "the limit of locked memory counts for BPF on this kernel",
		"ulimit -l unlimited");
	made_text("/proc/self/limits", "Max locked memory         unlimited            unlimited            bytes     \n");
	examine_ability(ABLE_BPF);
	assert_found(SOUND, "memory", "locked memory is not limited", "");
	made_text("/proc/self/limits", "Max locked memory         65536                unlimited            bytes     \n");
	examine_ability(ABLE_BPF);
	assert_found(BROKEN, "memory", "the limit of locked memory counts for BPF on this kernel",
		"ulimit -l unlimited");
}

static void types_of_the_kernel(void **state)
{
	examine_ability(ABLE_BPF);
	assert_found(BROKEN, "btf", "this kernel does not describe its types (/sys/kernel/btf/vmlinux); boot one with "
		     "CONFIG_DEBUG_INFO_BTF, or load the module", "");
	made_text("/sys/kernel/btf/vmlinux", "");
	examine_ability(ABLE_BPF);
	assert_found(SOUND, "btf", "this kernel describes its types", "");
}

/* CAP_SYS_ADMIN, or CAP_BPF and CAP_PERFMON: 21, or 39 and 38. */
static void bpf_rights(void **state)
{
	static const struct {
		u64 capabilities;
		const char *lacking;
	} callers[] = {
		{ 1ull << 21, NULL }, { 3ull << 38, NULL }, { 1ull << 39, "you lack CAP_PERFMON" }, { 1ull << 38,
			"you lack CAP_BPF" },
		{ ~(1ull << 21 | 3ull << 38), "you lack CAP_BPF and CAP_PERFMON" },
	};
	size_t i;

	for (i = 0; i < sizeof(callers) / sizeof(callers[0]); i++) {
		doctor.system.capabilities = callers[i].capabilities;
		examine_ability(ABLE_BPF);
		if (callers[i].lacking)
			assert_found(BROKEN, "capabilities", callers[i].lacking, "sudo bcoslog --engine bpf ...");
		else
			assert_found(SOUND, "capabilities", "you have CAP_BPF and CAP_PERFMON", "");
	}
	doctor.system.contained = true;
	doctor.system.capabilities = ~0ull;
	examine_ability(ABLE_BPF);
	assert_found(BROKEN, "container",
		"this is a user namespace of its own, whose capabilities the kernel does not take for BPF; "
		     "record on the host", "");
	assert_found(SOUND, "lockdown", "this kernel lets BPF programs read it", "");
	strcpy(doctor.system.lockdown, "confidentiality");
	examine_ability(ABLE_BPF);
	assert_found(BROKEN, "lockdown",
		"this kernel is locked down for confidentiality, which forbids BPF programs to read it",
		     "boot with lockdown=integrity, or load the module, signed");
}

/* A map is made only on this machine, and only if nothing else speaks against it. */
static void a_map_is_tried(void **state)
{
	if (!bcoslog_bpf_classes())
		skip();
	made_text("/sys/kernel/btf/vmlinux", "");
	doctor.system.kernel = 6 << 8 | 1;
	doctor.system.capabilities = ~0ull;
	examine_ability(ABLE_BPF);
	assert_int_equal(maps, 0);
	doctor.system.live = true;
	examine_ability(ABLE_BPF);
	assert_int_equal(maps, 1);
	assert_found(SOUND, "try", "the kernel makes a map of BPF", "");
	map_error = ENOSYS;
	examine_ability(ABLE_BPF);
	assert_found(BROKEN, "try", "this kernel has no BPF; boot one with CONFIG_BPF_SYSCALL, or load the module", "");
	map_error = EPERM;
	examine_ability(ABLE_BPF);
	assert_found(BROKEN, "try", "the kernel makes no map of BPF (Operation not permitted), as in a container whose system calls "
		     "are filtered; record on the host", "");
	doctor.system.capabilities = 0;
	examine_ability(ABLE_BPF);
	assert_int_equal(maps, 3);
}

/* The map is closed again. */
static void no_descriptor_stays(void **state)
{
	int before = dup(STDIN_FILENO), after;

	close(before);
	a_map_is_tried(state);
	after = dup(STDIN_FILENO);
	close(after);
	assert_int_equal(before, after);
}

#define system_test(test) cmocka_unit_test_setup_teardown(test, begin_system, made_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		system_test(room_on_the_disk),
		system_test(kernels_of_their_time),
		system_test(types_of_the_kernel),
		system_test(bpf_rights),
		system_test(a_map_is_tried),
		system_test(no_descriptor_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
