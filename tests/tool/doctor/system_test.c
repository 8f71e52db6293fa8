// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The files of a system that bcoslog doctor reads, and its findings: made-up files, and texts at their bounds. */
#include <sys/syscall.h>

#include "made_system.h"

/* A call returns so many bytes at most. */
static size_t at_once = ~(size_t)0;

ssize_t read(int fd, void *to, size_t size)
{
	return syscall(SYS_read, fd, to, size < at_once ? size : at_once);
}

static struct system made = { .root = made_root };

/* ---- files ------------------------------------------------------------------------------- */

static void a_path_is_below_the_root(void **state)
{
	static char root[SYSTEM_PATH + 8], path[SYSTEM_PATH];
	struct system deep = { .root = root };

	system_path(&made, path, "/a%d/%s", 5, "b");
	assert_string_equal(path, made_path("/a5/b"));
	/* Where there is no room for all of it, it is cut. */
	memset(root, 'r', SYSTEM_PATH - 3);
	system_path(&deep, path, "/bcd");
	assert_int_equal(strlen(path), SYSTEM_PATH - 1);
	assert_string_equal(path + SYSTEM_PATH - 4, "r/b");
	memset(root, 'r', SYSTEM_PATH + 4);
	system_path(&deep, path, "/bcd");
	assert_int_equal(strlen(path), SYSTEM_PATH - 1);
	assert_string_equal(path + SYSTEM_PATH - 4, "rrr");
}

static void files_that_are_there(void **state)
{
	made_text("/a/b", "x");
	assert_true(system_has(&made, "/a"));
	assert_true(system_has(&made, "/%s/b", "a"));
	assert_false(system_has(&made, "/b"));
	assert_false(system_has(&made, "/a/b/c"));
}

static void the_beginning_of_a_file(void **state)
{
	char text[6];

	made_text("/f", "12345");
	assert_int_equal(system_read(&made, text, 6, "/f"), 5);
	assert_string_equal(text, "12345");
	assert_int_equal(system_read(&made, text, 5, "/f"), 4);
	assert_string_equal(text, "1234");
	assert_int_equal(system_read(&made, text, 1, "/f"), 0);
	assert_string_equal(text, "");
	/* In several pieces. */
	at_once = 2;
	assert_int_equal(system_read(&made, text, 6, "/f"), 5);
	assert_string_equal(text, "12345");
	assert_int_equal(system_read(&made, text, 5, "/f"), 4);
	assert_string_equal(text, "1234");
	at_once = 3;
	assert_int_equal(system_read(&made, text, 5, "/f"), 4);
	assert_string_equal(text, "1234");
	at_once = 1;
	assert_int_equal(system_read(&made, text, 5, "/f"), 4);
	at_once = ~(size_t)0;
	made_text("/f", "");
	strcpy(text, "x");
	assert_int_equal(system_read(&made, text, 6, "/%s", "f"), 0);
	assert_string_equal(text, "");
	/* A file that cannot be opened or read has no text. */
	strcpy(text, "x");
	assert_int_equal(system_read(&made, text, 6, "/g"), -1);
	assert_string_equal(text, "");
	assert_int_equal(system_read(&made, text, 6, "/"), -1);
	/* A pipe that nobody writes to is empty. */
	assert_int_equal(mkfifo(made_path("/pipe"), 0600), 0);
	assert_int_equal(system_read(&made, text, 6, "/pipe"), 0);
}

/* Each has a descriptor of its own, of which none stays open. */
static void no_descriptor_stays_open(void **state)
{
	int before = dup(STDIN_FILENO), after;
	char text[6];

	close(before);
	made_text("/f", "12345");
	system_read(&made, text, sizeof(text), "/f");
	system_line(&made, "/f", "12", text, sizeof(text));
	system_line(&made, "/f", "x", text, sizeof(text));
	after = dup(STDIN_FILENO);
	close(after);
	assert_int_equal(before, after);
}

static void the_first_line_that_begins_so(void **state)
{
	char text[6] = "";

	made_text("/f", "no\n\nkey:one\nkey:two\nxkey:\nlast:7");
	assert_true(system_line(&made, "/f", "key:", text, sizeof(text)));
	assert_string_equal(text, "one");
	assert_true(system_line(&made, "/f", "last:", text, sizeof(text)));
	assert_string_equal(text, "7");
	assert_true(system_line(&made, "/f", "", text, sizeof(text)));
	assert_string_equal(text, "no");
	assert_true(system_line(&made, "/f", "k", text, 4));
	assert_string_equal(text, "ey:");
	assert_false(system_line(&made, "/f", "ey:", text, sizeof(text)));
	assert_false(system_line(&made, "/f", "last:78", text, sizeof(text)));
	assert_false(system_line(&made, "/g", "", text, sizeof(text)));
}

static void programs_are_in_usual_folders(void **state)
{
	static const char *const folders[] = { "/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin", "/sbin" };
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(name, sizeof(name), "%s/tool", folders[i]);
		assert_false(system_program(&made, "tool"));
		made_text(name, "");
		assert_true(system_program(&made, "tool"));
		unlink(made_path(name));
	}
	made_text("/opt/tool", "");
	assert_false(system_program(&made, "tool"));
}

static void a_text_is_made_plain(void **state)
{
	char text[] = "\x1f a~\x7f\xc3\xa4\n!";

	system_plain(text);
	assert_string_equal(text, "? a~" "??" "??" "!");
}

/* ---- what all checks ask for --------------------------------------------------------------- */

static struct system look_around(void)
{
	struct system system = { .root = made_root };

	system_look(&system);
	return system;
}

static void nothing_is_known_of_nothing(void **state)
{
	struct system system = look_around();

	assert_string_equal(system.release, "");
	assert_int_equal(system.kernel, 0);
	assert_int_equal(system.distribution, OTHER);
	assert_int_equal(system.uid, ~0u);
	assert_int_equal(system.capabilities, 0);
	assert_string_equal(system.lockdown, "");
	assert_false(system.contained);
}

static void kernel_releases(void **state)
{
	static const struct {
		const char *file, *release;
		unsigned int kernel;
	} kernels[] = {
		{ "6.12.5-amd64\n", "6.12.5-amd64", 0x60c }, { "5.255.1\n", "5.255.1", 0x5ff }, { "5.256.1\nx",
			"5.256.1", 0x5ff },
		{ "6\n", "6", 0 }, { "new 6.1\n", "new 6.1", 0 }, { "6.1\x01", "6.1?", 0x601 },
	};
	struct system system;
	size_t i;

	for (i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		made_text("/proc/sys/kernel/osrelease", kernels[i].file);
		system = look_around();
		assert_string_equal(system.release, kernels[i].release);
		assert_int_equal(system.kernel, kernels[i].kernel);
	}
}

/* The effective user, which is the second number, and the effective capabilities. */
static void effective_callers(void **state)
{
	struct system system;

	made_text("/proc/self/status", "Name:\tx\nUid:\t7\t8\t9\t10\nCapPrm:\tffffffff\nCapEff:\t0000004000000003\n");
	system = look_around();
	assert_int_equal(system.uid, 8);
	assert_true(system_capable(&system, 0));
	assert_true(system_capable(&system, 1));
	assert_false(system_capable(&system, 2));
	assert_false(system_capable(&system, 37));
	assert_true(system_capable(&system, 38));
	assert_false(system_capable(&system, 39));
}

/* A caller who has all numbers, from 0 to 0, is in the namespace of the host. */
static void mapped_containers(void **state)
{
	static const struct {
		const char *map;
		bool contained;
	} maps[] = {
		{ "         0          0 4294967295\n", false }, { "0 1 4294967295\n", true }, { "1 0 4294967295\n",
			true },
		{ "0 0 4294967294\n", true }, { "0 100000 65536\n", true }, { "0 0\n", false }, { "", false },
	};
	size_t i;

	for (i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		made_text("/proc/self/uid_map", maps[i].map);
		assert_int_equal(look_around().contained, maps[i].contained);
	}
}

static void lockdown_words(void **state)
{
	static const struct {
		const char *file, *word;
	} lockdowns[] = {
		{ "[none] integrity confidentiality\n", "none" }, { "none [integrity] confidentiality\n", "integrity" },
		{ "none integrity [confidentiality]\n", "confidentiality" }, { "none\n", "" }, { "[none\n", "" },
			{ "none]\n", "" },
		{ "", "" }, { "[]\n", "" }, { "] [none]\n", "none" },
	};
	size_t i;

	for (i = 0; i < sizeof(lockdowns) / sizeof(lockdowns[0]); i++) {
		made_text("/sys/kernel/security/lockdown", lockdowns[i].file);
		assert_string_equal(look_around().lockdown, lockdowns[i].word);
	}
}

/* Debian's file counts before all others. */
static void known_distributions(void **state)
{
	made_text("/etc/arch-release", "");
	assert_int_equal(look_around().distribution, ARCH);
	made_text("/etc/redhat-release", "");
	assert_int_equal(look_around().distribution, FEDORA);
	unlink(made_path("/etc/redhat-release"));
	made_text("/etc/fedora-release", "");
	assert_int_equal(look_around().distribution, FEDORA);
	made_text("/etc/debian_version", "");
	assert_int_equal(look_around().distribution, DEBIAN);
}

/* ---- findings ------------------------------------------------------------------------------ */

static void a_finding_has_what_it_is_given(void **state)
{
	struct doctor doctor = { .ability = ABLE_READ };
	char long_text[400];

	found(&doctor, NOTED, "check", "mend\x01", "%d\n%s", 5, "x");
	found(&doctor, SOUND, "other", NULL, "y");
	assert_int_equal(doctor.count, 2);
	assert_int_equal(doctor.findings[0].ability, ABLE_READ);
	assert_int_equal(doctor.findings[0].verdict, NOTED);
	assert_string_equal(doctor.findings[0].check, "check");
	assert_string_equal(doctor.findings[0].text, "5?x");
	assert_string_equal(doctor.findings[0].mend, "mend?");
	assert_string_equal(doctor.findings[1].text, "y");
	assert_string_equal(doctor.findings[1].mend, "");
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	found(&doctor, SOUND, "long", long_text, "%s", long_text);
	assert_int_equal(strlen(doctor.findings[2].text), 319);
	assert_int_equal(strlen(doctor.findings[2].mend), 319);
}

/* More findings than there is room for are left out. */
static void findings_have_room(void **state)
{
	static struct doctor doctor;
	int i;

	for (i = 0; i < FINDINGS + 3; i++)
		found(&doctor, SOUND, "check", NULL, "%d", i);
	assert_int_equal(doctor.count, FINDINGS);
	assert_string_equal(doctor.findings[FINDINGS - 1].text, "63");
	assert_true(doctor_works(&doctor, ABLE_MODULE));
}

/* Something works if nothing of it is broken. Findings that are noted or unknown do no harm. */
static void what_works(void **state)
{
	struct doctor doctor = { .ability = ABLE_RECORD };

	found(&doctor, BROKEN, "first", NULL, "x");
	assert_false(doctor_works(&doctor, ABLE_RECORD));
	doctor.count = 0;
	doctor.ability = ABLE_BPF;
	found(&doctor, NOTED, "a", NULL, "x");
	found(&doctor, UNKNOWN, "b", NULL, "x");
	found(&doctor, SOUND, "c", NULL, "x");
	doctor.ability = ABLE_MODULE;
	found(&doctor, BROKEN, "d", NULL, "x");
	assert_true(doctor_works(&doctor, ABLE_BPF));
	assert_false(doctor_works(&doctor, ABLE_MODULE));
	assert_true(doctor_works(&doctor, ABLE_RECORD));
	doctor.ability = ABLE_RECORD;
	found(&doctor, BROKEN, "e", NULL, "x");
	assert_false(doctor_works(&doctor, ABLE_RECORD));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		made_test(a_path_is_below_the_root),
		made_test(files_that_are_there),
		made_test(the_beginning_of_a_file),
		made_test(no_descriptor_stays_open),
		made_test(the_first_line_that_begins_so),
		made_test(programs_are_in_usual_folders),
		made_test(a_text_is_made_plain),
		made_test(nothing_is_known_of_nothing),
		made_test(kernel_releases),
		made_test(effective_callers),
		made_test(mapped_containers),
		made_test(lockdown_words),
		made_test(known_distributions),
		cmocka_unit_test(a_finding_has_what_it_is_given),
		cmocka_unit_test(findings_have_room),
		cmocka_unit_test(what_works),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
