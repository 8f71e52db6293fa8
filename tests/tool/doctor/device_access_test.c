// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Access to the device, as bcoslog doctor finds it: users, groups, modes, capabilities, and the copy that has one. */
#include <sys/xattr.h>

#include "made_system.h"

#define DEVICE "/dev/bcos_evlog"
#define COPY "/usr/libexec/bcoslog-read"
#define LOCAL_COPY "/usr/local/libexec/bcoslog-read"

/* ---- files have the owners that a test gives them -------------------------------------------- */

static struct {
	mode_t mode;
	uid_t user;
	gid_t group;
} device, copy;
static bool copy_is_capable;
static ssize_t capability_size = 20;

int stat(const char *path, struct stat *status)
{
	bool is_device = !strcmp(path, made_path(DEVICE));

	memset(status, 0, sizeof(*status));
	if (access(path, F_OK))
		return -1;
	status->st_mode = S_IFCHR | (is_device ? device.mode : copy.mode);
	status->st_uid = is_device ? device.user : copy.user;
	status->st_gid = is_device ? device.group : copy.group;
	return 0;
}

ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
{
	/* Its size is asked for. */
	assert_int_equal(size, 0);
	return copy_is_capable && !strcmp(name, "security.capability") ? capability_size : -1;
}

static struct doctor doctor;
/* The error of an attempt to open the device, or 0. No attempt is made unless the test examines its own machine. */
static int open_error;
static bool live;
static int opened;

int bcoslog_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error)
{
	assert_true(live);
	assert_string_equal(path, DEVICE);
	assert_int_equal(flags, 0);
	error->code = open_error;
	strcpy(error->text, "this is why");
	*log = open_error ? NULL : (struct bcoslog *)&doctor;
	opened += !open_error;
	return -open_error;
}

void bcoslog_close(struct bcoslog *log)
{
	assert_ptr_equal(log, &doctor);
	opened--;
}

/* The caller has the user 1000, his own group, and these others. */
static void made_caller(const char *groups)
{
	char text[200];

	snprintf(text, sizeof(text), "Uid:\t1000\t1000\t1000\t1000\nGid:\t7\t1000\t8\t9\nGroups:\t%s\nCapEff:\t0\n",
		groups);
	made_text("/proc/self/status", text);
}

static void examine_caller(u64 capabilities)
{
	memset(&doctor, 0, sizeof(doctor));
	doctor.system.root = made_root;
	doctor.system.live = live;
	doctor.system.uid = 1000;
	doctor.system.capabilities = capabilities;
	doctor.ability = ABLE_READ;
	examine_reading(&doctor);
}

#define assert_finding(number, expected_verdict, expected_check, expected_text, expected_mend) do { \
		assert_true(doctor.count > (number)); \
		assert_int_equal(doctor.findings[number].verdict, expected_verdict); \
		assert_string_equal(doctor.findings[number].check, expected_check); \
		assert_string_equal(doctor.findings[number].text, expected_text); \
		assert_string_equal(doctor.findings[number].mend, expected_mend); \
	} while (0)

static int begin_device(void **state)
{
	if (made_begin(state))
		return -1;
	made_text(DEVICE, "");
	device.mode = 0640;
	device.user = 0;
	device.group = 50;
	copy_is_capable = false;
	made_caller("");
	return 0;
}

/* ---- the permissions of the device -------------------------------------------------------------- */

static void without_a_device(void **state)
{
	assert_int_equal(unlink(made_path(DEVICE)), 0);
	examine_caller(~0ull);
	assert_int_equal(doctor.count, 1);
	assert_finding(0, BROKEN, "device", "there is no /dev/bcos_evlog, since the module is not loaded",
		"sudo modprobe bcos_evlog");
}

static void may_open(const char *text)
{
	examine_caller(0);
	assert_finding(0, SOUND, "device", "/dev/bcos_evlog is there", "");
	assert_finding(1, SOUND, "permissions", text, "");
}

static void may_not_open(void)
{
	examine_caller(0);
	assert_int_equal(doctor.findings[1].verdict, BROKEN);
	assert_string_equal(doctor.findings[1].check, "permissions");
}

/* The owner has the owner's permission alone, a member that of the group, all others that of others. */
static void each_has_his_permission(void **state)
{
	device.user = 1000;
	device.mode = 0400;
	may_open("you may open /dev/bcos_evlog (mode 400)");
	device.mode = 0077;
	may_not_open();
	device.user = 1001;
	device.group = 50;
	made_caller("50");
	device.mode = 0040;
	may_open("you may open /dev/bcos_evlog (mode 40)");
	device.mode = 0707;
	may_not_open();
	made_caller("");
	device.mode = 0004;
	may_open("you may open /dev/bcos_evlog (mode 4)");
	device.mode = 0773;
	may_not_open();
}

/* By his effective group, which is the second number, or one of the others. */
static void members_of_the_group(void **state)
{
	static const struct {
		gid_t group;
		const char *groups;
		bool member;
	} members[] = {
		{ 1000, "", true }, { 7, "", false }, { 8, "", false }, { 50, "50", true }, { 50, "4 24 50 \t", true },
		{ 50, "4 50 24", true }, { 50, "4 500 5", false }, { 0, "", false }, { 50, "x 50", false },
	};
	size_t i;

	device.mode = 0040;
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		device.group = members[i].group;
		made_caller(members[i].groups);
		if (members[i].member)
			may_open("you may open /dev/bcos_evlog (mode 40)");
		else
			may_not_open();
	}
	unlink(made_path("/proc/self/status"));
	device.group = 0;
	may_not_open();
}

/* CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, 1 and 2. */
static void capabilities_open_any_file(void **state)
{
	device.mode = 0;
	examine_caller(1u << 1);
	assert_finding(1, SOUND, "permissions", "you may open /dev/bcos_evlog (mode 0)", "");
	examine_caller(1u << 2);
	assert_finding(1, SOUND, "permissions", "you may open /dev/bcos_evlog (mode 0)", "");
	examine_caller(~6ull);
	assert_int_equal(doctor.findings[1].verdict, BROKEN);
}

#define NOT_APPLIED(mode, group) "/dev/bcos_evlog is for root alone (mode " mode ", " group "): the udev rule was not applied"
#define APPLY "sudo groupadd -f -r bcos; sudo udevadm control --reload; sudo udevadm trigger -c add /dev/bcos_evlog"

static void why_he_may_not(void **state)
{
	examine_caller(0);
	assert_finding(1, BROKEN, "permissions", "you are not in the group 50, which may read /dev/bcos_evlog",
		       "sudo usermod -aG bcos \"$USER\", and log in again");
	device.mode = 0600;
	examine_caller(0);
	assert_finding(1, BROKEN, "permissions", NOT_APPLIED("600", "group 50"), APPLY);
	device.mode = 0640;
	device.group = 0;
	examine_caller(0);
	assert_finding(1, BROKEN, "permissions", NOT_APPLIED("640", "group 0"), APPLY);
}

/* The name of the group stands in /etc/group. */
static void the_group_has_a_name(void **state)
{
	static const struct {
		const char *file, *text;
	} groups[] = {
		{ "root:x:0:\nbcos:x:50:me,you\nother:x:51:\n",
			"you are not in the group bcos, which may read /dev/bcos_evlog" },
		{ "a:x:5:\nb:x:500:\nc:50:x:\nd:x:x50:\ne::50\nf:x:50",
			"you are not in the group e, which may read /dev/bcos_evlog" },
		{ "50\n:\nlast:x:50", "you are not in the group last, which may read /dev/bcos_evlog" },
		/* This is no number, though it could be read as one. */
		{ "plus:x:+50:\nspace:x: 50:\nminus:x:-50:\n", "you are not in the group 50, which may read /dev/bcos_evlog" },
		{ "bcos:x\nbcos:x:\n", "you are not in the group 50, which may read /dev/bcos_evlog" },
		{ "", "you are not in the group 50, which may read /dev/bcos_evlog" },
	};
	size_t i;

	for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		made_text("/etc/group", groups[i].file);
		examine_caller(0);
		assert_string_equal(doctor.findings[1].text, groups[i].text);
	}
	device.group = 9;
	made_text("/etc/group", "a:x:8:\nnine:x:9:\n");
	made_caller("");
	examine_caller(0);
	assert_string_equal(doctor.findings[1].text, "you are not in the group nine, which may read /dev/bcos_evlog");
}

/* ---- the capability ------------------------------------------------------------------------------- */

#define LACKING "you lack CAP_PERFMON and CAP_SYSLOG, and bcoslog-read, which has one of them, is not installed"

/* CAP_PERFMON, CAP_SYSLOG or CAP_SYS_ADMIN: 38, 34 or 21. */
static void his_own(void **state)
{
	static const int own[] = { 38, 34, 21 };
	size_t i;

	for (i = 0; i < 3; i++) {
		examine_caller(1ull << own[i]);
		assert_finding(2, SOUND, "capability", "you have one that the device demands", "");
		assert_int_equal(doctor.count, 3);
	}
	examine_caller(~(1ull << 38 | 1ull << 34 | 1ull << 21));
	assert_finding(2, BROKEN, "capability", LACKING, "sudo make install, or sudo bcoslog ...");
}

static void that_of_the_copy(void **state)
{
	static const char *const places[] = { COPY, LOCAL_COPY };
	size_t i;

	for (i = 0; i < 2; i++) {
		copy_is_capable = false;
		copy.mode = 0750;
		copy.group = 50;
		made_text(places[i], "");
		examine_caller(0);
		assert_finding(2, BROKEN, "capability", "bcoslog-read is installed, and has no capability",
			       "sudo setcap cap_perfmon=ep \"$(command -v bcoslog | sed s:bin/bcoslog:libexec/bcoslog-read:)\"");
		/* It has none, either, if the attribute is empty. */
		copy_is_capable = true;
		capability_size = 0;
		examine_caller(0);
		assert_string_equal(doctor.findings[2].text, "bcoslog-read is installed, and has no capability");
		capability_size = 20;
		examine_caller(0);
		assert_finding(2, BROKEN, "capability", "bcoslog-read has the capability, and you may not run it",
			       "sudo usermod -aG bcos \"$USER\", and log in again");
		copy.mode = 0751;
		examine_caller(0);
		assert_finding(2, SOUND, "capability", "bcoslog-read has the one that the device demands", "");
		copy.mode = 0750;
		copy.group = 1000;
		examine_caller(0);
		assert_finding(2, SOUND, "capability", "bcoslog-read has the one that the device demands", "");
		unlink(made_path(places[i]));
	}
}

/* The namespace's capabilities are none that the device demands, whoever has them. */
static void in_a_container(void **state)
{
	memset(&doctor, 0, sizeof(doctor));
	doctor.system.root = made_root;
	doctor.system.contained = true;
	doctor.system.capabilities = ~0ull;
	doctor.ability = ABLE_READ;
	examine_reading(&doctor);
	assert_finding(2, BROKEN, "container",
		       "this is a user namespace of its own, whose capabilities the device does not accept; read it on the host", "");
	assert_int_equal(doctor.count, 3);
}

static void a_kernel_that_is_locked_down(void **state)
{
	static const char *const words[] = { "none", "integrity", "", "confidentiality" };
	size_t i;

	for (i = 0; i < 4; i++) {
		memset(&doctor, 0, sizeof(doctor));
		doctor.system.root = made_root;
		doctor.system.capabilities = ~0ull;
		strcpy(doctor.system.lockdown, words[i]);
		examine_reading(&doctor);
		assert_int_equal(doctor.count, i < 3 ? 3 : 4);
	}
	assert_finding(3, BROKEN, "lockdown", "this kernel is locked down for confidentiality, which closes the device",
		       "boot with lockdown=integrity");
}

/* On the machine itself the device is opened, unless something else fails already. */
static void the_device_is_tried(void **state)
{
	live = true;
	open_error = 0;
	examine_caller(~0ull);
	assert_finding(3, SOUND, "try", "it opens, and its module fits this tool", "");
	assert_int_equal(opened, 0);
	open_error = EPERM;
	examine_caller(~0ull);
	assert_finding(3, UNKNOWN, "try", "only bcoslog-read can open it", "bcoslog status");
	open_error = EACCES;
	examine_caller(~0ull);
	assert_finding(3, UNKNOWN, "try", "only bcoslog-read can open it", "bcoslog status");
	open_error = EPROTO;
	examine_caller(~0ull);
	assert_finding(3, BROKEN, "try", "this is why", "");
	assert_int_equal(doctor.count, 4);
	examine_caller(0);
	assert_string_equal(doctor.findings[doctor.count - 1].check, "capability");
	live = false;
}

/* Each examination gives back its descriptors. */
static void no_descriptor_stays(void **state)
{
	int before = dup(STDIN_FILENO), after;

	close(before);
	made_text("/etc/group", "bcos:x:50:\n");
	examine_caller(0);
	after = dup(STDIN_FILENO);
	close(after);
	assert_int_equal(before, after);
}

#define device_test(test) cmocka_unit_test_setup_teardown(test, begin_device, made_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		device_test(without_a_device),
		device_test(each_has_his_permission),
		device_test(members_of_the_group),
		device_test(capabilities_open_any_file),
		device_test(why_he_may_not),
		device_test(the_group_has_a_name),
		device_test(his_own),
		device_test(that_of_the_copy),
		device_test(in_a_container),
		device_test(a_kernel_that_is_locked_down),
		device_test(the_device_is_tried),
		device_test(no_descriptor_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
