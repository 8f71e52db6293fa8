// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The findings of bcoslog doctor about the module: on made-up systems, with a file of the module that is made up, too. */
#include "made_system.h"
#include "descriptors.h"
#include "doctor/module_file.h"
#include "version.h"

#define RELEASE "6.12.0-1"
#define PREFIX "/lib/modules/" RELEASE "/"

static struct doctor doctor;
static struct module_file found_file;
static bool is_installed;

bool module_file_find(const struct system *system, struct module_file *file)
{
	assert_ptr_equal(system, &doctor.system);
	assert_int_equal(file->is_signed, SIGNED_UNKNOWN);
	if (is_installed)
		*file = found_file;
	return is_installed;
}

static int begin_system(void **state)
{
	doctor = (struct doctor){
		.system = { .root = made_root, .release = RELEASE, .distribution = OTHER, .capabilities = ~0ull },
	};
	found_file = (struct module_file){ .version = BCOS_VERSION, .is_signed = SIGNED_NO };
	is_installed = true;
	return made_begin(state);
}

/* The findings as lines: verdict, check, text, and the command that mends it. */
static const char *print_findings(void)
{
	static const char *const verdicts[] = { [SOUND] = "ok", [NOTED] = "note", [BROKEN] = "fails", [UNKNOWN] = "unknown" };
	unsigned int before = count_descriptors();
	static char text[4000];
	const struct finding *one;
	size_t used = 0;

	doctor.count = 0;
	examine_module(&doctor);
	assert_int_equal(count_descriptors(), before);
	text[0] = '\0';
	for (one = doctor.findings; one < doctor.findings + doctor.count; one++) {
		assert_int_equal(one->ability, ABLE_MODULE);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %s: %s%s%s\n", verdicts[one->verdict], one->check,
					 one->text, one->mend[0] ? " | " : "", one->mend);
	}
	return text;
}

#define ASSERT_FINDS(expected) assert_string_equal(print_findings(), expected)
/* The line of one check; "" if there is none. */
#define ASSERT_LINE(check, expected) assert_string_equal(line_of(check), expected)

static const char *line_of(const char *check)
{
	static char line[800];
	const char *at = print_findings();

	for (; *at; at = strchr(at, '\n') + 1) {
		if (memcmp(strchr(at, ' ') + 1, check, strlen(check)))
			continue;
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
		return line;
	}
	return "";
}

#define NO_HEADERS "there are none of the kernel " RELEASE ", with which the module is built"

/* ---- loaded, or installed ------------------------------------------------------------------------------------------ */

/* The rest does not matter then. */
static void it_is_loaded(void **state)
{
	made_text("/sys/module/bcos_evlog/other", "");
	ASSERT_FINDS("ok loaded: it is loaded, of a version that it does not say\nnote headers: " NO_HEADERS "\n");
	made_text("/sys/module/bcos_evlog/version", "");
	ASSERT_LINE("loaded", "ok loaded: it is loaded, of a version that it does not say");
	made_text("/sys/module/bcos_evlog/version", BCOS_VERSION "\n");
	made_text(PREFIX "build/Makefile", "");
	ASSERT_FINDS("ok loaded: it is loaded, version " BCOS_VERSION " as this tool and its library\n"
		     "ok headers: those of the kernel " RELEASE " are there\n");
	made_text("/sys/module/bcos_evlog/version", "9");
	ASSERT_LINE("loaded", "note loaded: version 9 is loaded, and tool and library are " BCOS_VERSION
		    " | sudo systemctl stop bcos-record; sudo modprobe -r bcos_evlog && sudo modprobe bcos_evlog");
}

#define SIGNATURE "ok signature: this kernel loads modules without a signature\n"
#define CAN_BE "note loaded: it can be loaded, and is not | sudo modprobe bcos_evlog\n"

static void it_is_installed(void **state)
{
	ASSERT_FINDS("ok installed: it is installed for the kernel " RELEASE "\nnote headers: " NO_HEADERS "\n" SIGNATURE CAN_BE);
	/* The file does not say its version. */
	found_file.version[0] = '\0';
	ASSERT_LINE("installed", "ok installed: it is installed for the kernel " RELEASE);
	strcpy(found_file.version, "9");
	ASSERT_LINE("installed", "note installed: version 9 is installed for the kernel " RELEASE ", and tool and library are "
		    BCOS_VERSION " | make && sudo make install");
	made_text("/usr/src/bcos-evlog-" BCOS_VERSION "/dkms.conf", "");
	ASSERT_LINE("installed", "note installed: version 9 is installed for the kernel " RELEASE ", and tool and library are "
		    BCOS_VERSION " | sudo dkms autoinstall");
	is_installed = false;
	ASSERT_LINE("installed", "note installed: it is not installed for the kernel " RELEASE " | sudo dkms autoinstall");
}

/* If something is broken, it cannot be loaded. */
static void it_cannot_be_loaded(void **state)
{
	doctor.system.contained = true;
	ASSERT_FINDS("ok installed: it is installed for the kernel " RELEASE "\nnote headers: " NO_HEADERS "\n" SIGNATURE
		     "fails container: this is a user namespace of its own, which may load no module; load it on the host\n");
}

/* ---- building it ---------------------------------------------------------------------------------------------------- */

#define BUILT "unknown config: the configuration of the kernel " RELEASE " is nowhere to be read\n" \
	"unknown tracepoints: this kernel does not tell its symbols (/proc/kallsyms)\n" SIGNATURE

static void it_can_be_built(void **state)
{
	is_installed = false;
	ASSERT_FINDS("note installed: it is not installed for the kernel " RELEASE " | make && sudo make install\n"
		     "fails headers: " NO_HEADERS "\n"
		     "fails compiler: there is no compiler, with which the module is built\n" BUILT);
	made_text(PREFIX "build/Makefile", "");
	made_text("/usr/bin/make", "");
	made_text("/usr/bin/clang", "");
	ASSERT_FINDS("note installed: it is not installed for the kernel " RELEASE " | make && sudo make install\n"
		     "ok headers: those of the kernel " RELEASE " are there\nok compiler: compiler and make are there\n" BUILT);
}

static void missing_compilers(void **state)
{
	is_installed = false;
	made_text("/usr/bin/make", "");
	ASSERT_LINE("compiler", "fails compiler: there is no compiler, with which the module is built");
	made_text("/usr/bin/gcc", "");
	ASSERT_LINE("compiler", "ok compiler: compiler and make are there");
	unlink(made_path("/usr/bin/make"));
	doctor.system.distribution = FEDORA;
	ASSERT_LINE("compiler", "fails compiler: there is no make, with which the module is built | sudo dnf install gcc make");
}

static void each_distribution_has_its_command(void **state)
{
	static const struct {
		enum distribution distribution;
		const char *headers, *compiler;
	} commands[] = {
		{ DEBIAN, "sudo apt-get install linux-headers-" RELEASE, "sudo apt-get install gcc make" },
		{ FEDORA, "sudo dnf install kernel-devel-" RELEASE, "sudo dnf install gcc make" },
		{ ARCH, "sudo pacman -S linux-headers", "sudo pacman -S gcc make" },
	};
	char expected[400];
	size_t i;

	is_installed = false;
	for (i = 0; i < 3; i++) {
		doctor.system.distribution = commands[i].distribution;
		snprintf(expected, sizeof(expected), "fails headers: " NO_HEADERS " | %s", commands[i].headers);
		ASSERT_LINE("headers", expected);
		snprintf(expected, sizeof(expected), "fails compiler: there is no compiler, with which the module is built | %s",
			 commands[i].compiler);
		ASSERT_LINE("compiler", expected);
	}
}

/* ---- tracepoints --------------------------------------------------------------------------------------------------------- */

/* Those of module/capture/probes. */
static const char *const names[] = {
	"block_rq_complete", "cpu_idle", "irq_handler_entry", "irq_handler_exit", "mark_victim", "napi_gro_frags_entry",
	"napi_gro_receive_entry", "net_dev_xmit", "netif_receive_skb_entry", "netif_receive_skb_list_entry", "netif_rx_entry",
	"sched_process_exec", "sched_process_exit", "sched_process_fork", "sched_switch", "sched_wakeup_new", "sched_waking",
	"signal_generate", "sys_enter", "sys_exit", "task_rename",
};

#define NAMES (sizeof(names) / sizeof(names[0]))

/* Makes the kernel's symbols: these tracepoints from the last to the first but for one, and others. */
static void make_symbols(size_t without, const char *end)
{
	static char text[4000];
	size_t used = 1, i;

	/* A line may be empty. */
	text[0] = '\n';
	for (i = NAMES; i-- > 0;)
		if (i != without)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%x T other\n%x T __traceiter_%s%s", 1, 2, names[i],
						 end);
	made_text("/proc/kallsyms", text);
}

static void the_kernel_has_each(void **state)
{
	char expected[200];
	size_t i;

	is_installed = false;
	make_symbols(NAMES, "\n");
	ASSERT_LINE("tracepoints", "ok tracepoints: this kernel has those that the module requires");
	/* Those of a module. */
	make_symbols(NAMES, "\t[other]\n");
	ASSERT_LINE("tracepoints", "ok tracepoints: this kernel has those that the module requires");
	for (i = 0; i < NAMES; i++) {
		make_symbols(i, "\n");
		snprintf(expected, sizeof(expected), "fails tracepoints: this kernel lacks the tracepoint %s, which the module "
			 "requires; boot another one", names[i]);
		ASSERT_LINE("tracepoints", expected);
	}
	/* A longer name is another one. */
	make_symbols(NAMES, "_x\n");
	ASSERT_LINE("tracepoints", "fails tracepoints: this kernel lacks the tracepoint block_rq_complete, which the module "
		    "requires; boot another one");
	made_text("/proc/kallsyms", "0 t x\n");
	ASSERT_LINE("tracepoints", "fails tracepoints: this kernel lacks the tracepoint block_rq_complete, which the module "
		    "requires; boot another one");
	made_text("/proc/kallsyms", "");
	ASSERT_LINE("tracepoints", "unknown tracepoints: this kernel does not tell its symbols (/proc/kallsyms)");
}

/* ---- signatures ---------------------------------------------------------------------------------------------------------- */

#define ENFORCED "/sys/module/module/parameters/sig_enforce"
#define DEMANDS "this kernel demands a signature (module.sig_enforce)"
#define IMPORT "sudo mokutil --import /var/lib/dkms/mok.pub, and reboot"

static void who_demands_a_signature(void **state)
{
	static const char variable[] = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
	static const char *const without = "fails signature: this kernel demands a signature (%s), and the module has none | sudo "
		"apt-get install bcos-evlog-dkms, and " IMPORT;
	char expected[400];

	made_text(ENFORCED, "N\n");
	ASSERT_LINE("signature", "ok signature: this kernel loads modules without a signature");
	/* Secure Boot demands one by lockdown only. */
	made_bytes(variable, "\6\0\0\0\1", 5);
	ASSERT_LINE("signature", "ok signature: this kernel loads modules without a signature");
	strcpy(doctor.system.lockdown, "none");
	ASSERT_LINE("signature", "ok signature: this kernel loads modules without a signature");
	strcpy(doctor.system.lockdown, "integrity");
	snprintf(expected, sizeof(expected), without, "Secure Boot");
	ASSERT_LINE("signature", expected);
	snprintf(expected, sizeof(expected), without, "lockdown");
	made_bytes(variable, "\6\0\0\0\0", 5);
	ASSERT_LINE("signature", expected);
	made_bytes(variable, "\6\0\0\0\2", 5);
	ASSERT_LINE("signature", expected);
	made_bytes(variable, "\6\0\0\0", 4);
	ASSERT_LINE("signature", expected);
	made_bytes(variable, "\6\0\0\0\1\1", 6);
	ASSERT_LINE("signature", expected);
	strcpy(doctor.system.lockdown, "none");
	made_text(ENFORCED, "Y\n");
	snprintf(expected, sizeof(expected), without, "module.sig_enforce");
	ASSERT_LINE("signature", expected);
}

/* Before the module is installed, it is not known whether it will be signed. */
static void a_signature_of_a_module_to_come(void **state)
{
	made_text(ENFORCED, "Y");
	is_installed = false;
	ASSERT_LINE("signature", "unknown signature: " DEMANDS ": enrol the key with which the module is signed | " IMPORT);
}

#define ONE_KEY "1 I------ 1 perm 1f030000 0 0 asymmetri "
#define KEYRING "2 I--Q--- 2 perm 1f3f0000 0 65534 keyring _uid.0: empty\n"
#define REJECTED "note signature: " DEMANDS ", and the module has one: if it says \"Key was rejected\", enrol the key | " IMPORT

static void keys_of_signatures(void **state)
{
	static const struct {
		const char *keys;
		enum { NOBODY_TELLS, LACKS, HAS } is;
	} files[] = {
		{ "", NOBODY_TELLS },
		{ KEYRING, NOBODY_TELLS },
		{ "\n" ONE_KEY "My key: 0bcd: X509.rsa 0bcd []\n", HAS },
		{ ONE_KEY "My key: 0bcd: X509.rsa 0bcd []\n", HAS },
		{ ONE_KEY "My key: 0bcd: X509.rsa 0bcd []\n" ONE_KEY "Other: 12: X509.rsa 12 []\n" KEYRING, HAS },
		{ ONE_KEY "Other: 12: X509.rsa 12 []\n" KEYRING ONE_KEY "My key: 0bcd: X509.rsa 0bcd []\n", HAS },
		{ ONE_KEY "Other: 12: X509.rsa 12 []\n" KEYRING, LACKS },
		{ ONE_KEY "My keys: 0bcd: X509.rsa 0bcd []\n", LACKS },
		{ ONE_KEY "Other: 12: X509.rsa 12 []\n3 I keyring My key: empty\n", LACKS },
		{ "3 I keyring My key: empty\n", NOBODY_TELLS },
	};
	static const char *const lines[] = {
		[NOBODY_TELLS] = REJECTED,
		[LACKS] = "fails signature: " DEMANDS ", and the key \"My key\" with which the module is signed is not enrolled | "
			IMPORT,
		[HAS] = "ok signature: " DEMANDS ", and has the key \"My key\" of the module's",
	};
	size_t i;

	made_text(ENFORCED, "Y");
	found_file.is_signed = SIGNED_YES;
	strcpy(found_file.signer, "My key");
	ASSERT_LINE("signature", REJECTED);
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		made_text("/proc/keys", files[i].keys);
		ASSERT_LINE("signature", lines[files[i].is]);
	}
	/* The signature does not name its key. */
	found_file.signer[0] = '\0';
	made_text("/proc/keys", ONE_KEY "My key: 0bcd: X509.rsa 0bcd []\n" ONE_KEY " : 1\n");
	ASSERT_LINE("signature", REJECTED);
}

/* ---- who may load it ------------------------------------------------------------------------------------------------------ */

static void who_may_load_it(void **state)
{
	static const char disabled[] = "/proc/sys/kernel/modules_disabled";
	static const char forbidden[] = "fails forbidden: this kernel loads no modules until it boots again "
		"(kernel.modules_disabled) | sudo reboot";

	ASSERT_LINE("privilege", "");
	ASSERT_LINE("forbidden", "");
	ASSERT_LINE("container", "");
	/* CAP_SYS_MODULE is 16. */
	doctor.system.capabilities = ~0ull & ~(1ull << 16);
	ASSERT_LINE("privilege", "note privilege: you may not load modules (CAP_SYS_MODULE), root may | sudo modprobe bcos_evlog");
	doctor.system.contained = true;
	ASSERT_LINE("privilege", "");
	made_text(disabled, "0\n");
	ASSERT_LINE("forbidden", "");
	made_text(disabled, "");
	ASSERT_LINE("forbidden", "");
	made_text(disabled, "1");
	ASSERT_LINE("forbidden", forbidden);
	ASSERT_LINE("container", "fails container: this is a user namespace of its own, which may load no module; load it on the "
		    "host");
}

#define system_test(test) cmocka_unit_test_setup_teardown(test, begin_system, made_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		system_test(it_is_loaded),
		system_test(it_is_installed),
		system_test(it_cannot_be_loaded),
		system_test(it_can_be_built),
		system_test(missing_compilers),
		system_test(each_distribution_has_its_command),
		system_test(the_kernel_has_each),
		system_test(who_demands_a_signature),
		system_test(a_signature_of_a_module_to_come),
		system_test(keys_of_signatures),
		system_test(who_may_load_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
