// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks whether the module can be loaded here: whether it is installed or can be built, and the kernel accepts it. */
#include <linux/capability.h>
#include <stdlib.h>

#include "core/capture/hook.h"
#include "version.h"
#include "doctor.h"
#include "module_file.h"

#define NAME "bcos_evlog"

/* The tracepoint of each hook of the module. Several hooks may have the same one. */
static const char *const tracepoints[BCOS_HOOK_COUNT] = {
#define HOOK(purpose, tracepoint, classes) [BCOS_HOOK_##purpose] = #tracepoint,
	BCOS_HOOKS(HOOK)
#undef HOOK
};

static const char *install_command(const struct system *system, const char *debian, const char *fedora,
				   const char *arch)
{
	switch (system->distribution) {
	case DEBIAN:
		return debian;
	case FEDORA:
		return fedora;
	case ARCH:
		return arch;
	default:
		return NULL;
	}
}

static bool check_loaded(struct doctor *doctor)
{
	const struct system *system = &doctor->system;
	char version[64];

	if (!system_has(system, "/sys/module/" NAME))
		return false;
	if (system_read(system, version, sizeof(version), "/sys/module/" NAME "/version") <= 0) {
		found(doctor, SOUND, "loaded", NULL, "it is loaded, of a version that it does not say");
		return true;
	}
	version[strcspn(version, "\n")] = '\0';
	if (!strcmp(version, BCOS_VERSION))
		found(doctor, SOUND, "loaded", NULL, "it is loaded, version %s as this tool and its library", version);
	else
		found(doctor, NOTED, "loaded",
		      "sudo systemctl stop bcos-record; sudo modprobe -r " NAME " && sudo modprobe " NAME,
				      "version %s is loaded, and tool and library are %s", version, BCOS_VERSION);
	return true;
}

/* Return: whether the module is installed for this kernel. */
static bool check_installed(struct doctor *doctor, struct module_file *file)
{
	const struct system *system = &doctor->system;
	bool by_dkms = system_has(system, "/usr/src/bcos-evlog-" BCOS_VERSION "/dkms.conf");

	if (!module_file_find(system, file)) {
		found(doctor, NOTED, "installed", by_dkms ? "sudo dkms autoinstall" : "make && sudo make install",
		      "it is not installed for the kernel %s", system->release);
		return false;
	}
	if (file->version[0] && strcmp(file->version, BCOS_VERSION))
		found(doctor, NOTED, "installed", by_dkms ? "sudo dkms autoinstall" : "make && sudo make install",
		      "version %s is installed for the kernel %s, and tool and library are %s", file->version,
		      system->release, BCOS_VERSION);
	else
		found(doctor, SOUND, "installed", NULL, "it is installed for the kernel %s", system->release);
	return true;
}

static void check_headers(struct doctor *doctor, enum verdict lacking)
{
	const struct system *system = &doctor->system;
	char debian[256], fedora[256];

	snprintf(debian, sizeof(debian), "sudo apt-get install linux-headers-%s", system->release);
	snprintf(fedora, sizeof(fedora), "sudo dnf install kernel-devel-%s", system->release);
	if (system_has(system, "/lib/modules/%s/build/Makefile", system->release))
		found(doctor, SOUND, "headers", NULL, "those of the kernel %s are there", system->release);
	else
		found(doctor, lacking, "headers",
		      install_command(system, debian, fedora, "sudo pacman -S linux-headers"),
		      "there are none of the kernel %s, with which the module is built", system->release);
}

static void check_compiler(struct doctor *doctor)
{
	const struct system *system = &doctor->system;
	bool compiler = system_program(system, "gcc") || system_program(system, "clang"),
	     make = system_program(system, "make");

	if (compiler && make)
		found(doctor, SOUND, "compiler", NULL, "compiler and make are there");
	else
		found(doctor, BROKEN, "compiler",
		      install_command(system, "sudo apt-get install gcc make", "sudo dnf install gcc make",
				      "sudo pacman -S gcc make"),
		      "there is no %s, with which the module is built", compiler ? "make" : "compiler");
}

static void check_configuration(struct doctor *doctor)
{
	static const char *const wanted[] = {"CONFIG_64BIT", "CONFIG_MODULES", "CONFIG_TRACEPOINTS"};
	struct configuration configuration;
	size_t i;

	if (!configuration_read(&doctor->system, &configuration)) {
		found(doctor, UNKNOWN, "config", NULL, "the configuration of the kernel %s is nowhere to be read",
		      doctor->system.release);
		return;
	}
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (!configuration_has(&configuration, wanted[i]))
			break;
	if (i < sizeof(wanted) / sizeof(wanted[0]))
		found(doctor, BROKEN, "config", NULL,
		      "this kernel is built without %s, which the module requires; boot one that has it", wanted[i]);
	else
		found(doctor, SOUND, "config", NULL, "%s has what the module requires", configuration.path);
	configuration_free(&configuration);
}

/* Finds the tracepoints that the kernel has, by their symbols.  Return: whether it names any symbol. */
static bool find_tracepoints(const struct system *system, bool has[BCOS_HOOK_COUNT])
{
	static const char prefix[] = " __traceiter_";
	char path[SYSTEM_PATH], *line = NULL, *name;
	size_t room = 0, i;
	bool named = false;
	FILE *file;

	system_path(system, path, "/proc/kallsyms");
	file = fopen(path, "re");
	if (!file)
		return false;
	while (getline(&line, &room, file) > 0) {
		named = true;
		name = strstr(line, prefix);
		if (!name)
			continue;
		name += sizeof(prefix) - 1;
		name[strcspn(name, "\t\n")] = '\0';
		for (i = 0; i < BCOS_HOOK_COUNT; i++)
			if (!strcmp(name, tracepoints[i]))
				has[i] = true;
	}
	free(line);
	fclose(file);
	return named;
}

static void check_tracepoints(struct doctor *doctor)
{
	bool has[BCOS_HOOK_COUNT] = {false};
	size_t i;

	if (!find_tracepoints(&doctor->system, has)) {
		found(doctor, UNKNOWN, "tracepoints", NULL, "this kernel does not tell its symbols (/proc/kallsyms)");
		return;
	}
	for (i = 0; i < BCOS_HOOK_COUNT; i++) {
		if (has[i] || bcos_hook_is_optional((enum bcos_hook)i))
			continue;
		found(doctor, BROKEN, "tracepoints", NULL,
		      "this kernel lacks the tracepoint %s, which the module requires; boot another one",
		      tracepoints[i]);
		return;
	}
	found(doctor, SOUND, "tracepoints", NULL, "this kernel has those that the module requires");
}

static bool secure_boot(const struct system *system)
{
	char value[8];

	/* An EFI variable has four bytes of attributes and then its value, which is 1 if Secure Boot is on. */
	return system_read(system, value, sizeof(value),
			   "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c") == 5 &&
	       value[4] == 1;
}

enum enrolled { ENROLLED_UNKNOWN, ENROLLED_NO, ENROLLED_YES };

/*
 * Does the kernel have a key of this name? A line of /proc/keys is "... asymmetri NAME: 0123...: X509.rsa ...", and
 * only root sees such lines.
 */
static enum enrolled is_enrolled(const struct system *system, const char *signer)
{
	char path[SYSTEM_PATH], wanted[160], *line = NULL, *name;
	enum enrolled enrolled = ENROLLED_UNKNOWN;
	size_t room = 0;
	FILE *file;

	system_path(system, path, "/proc/keys");
	file = *signer ? fopen(path, "re") : NULL;
	if (!file)
		return ENROLLED_UNKNOWN;
	snprintf(wanted, sizeof(wanted), " %s: ", signer);
	while (enrolled != ENROLLED_YES && getline(&line, &room, file) > 0) {
		name = strstr(line, " asymmetri");
		if (name)
			enrolled = strstr(name, wanted) ? ENROLLED_YES : ENROLLED_NO;
	}
	free(line);
	fclose(file);
	return enrolled;
}

/* Checks the key of the module's signature, since the kernel demands a signature and the module has one. */
static void check_key(struct doctor *doctor, const struct module_file *file, const char *cause)
{
	static const char mend[] = "sudo mokutil --import /var/lib/dkms/mok.pub, and reboot";

	switch (is_enrolled(&doctor->system, file->signer)) {
	case ENROLLED_YES:
		found(doctor, SOUND, "signature", NULL,
		      "this kernel demands a signature (%s), and has the key \"%s\" of the module's",
		      cause, file->signer);
		break;
	case ENROLLED_NO:
		found(doctor, BROKEN, "signature", mend,
		      "this kernel demands a signature (%s), and the key \"%s\" with which the module is signed is not enrolled",
		      cause, file->signer);
		break;
	default:
		found(doctor, NOTED, "signature", mend,
		      "this kernel demands a signature (%s), and the module has one: if it says \"Key was rejected\", "
		      "enrol the key", cause);
	}
}

static void check_signature(struct doctor *doctor, const struct module_file *file)
{
	const struct system *system = &doctor->system;
	bool locked = *system->lockdown && strcmp(system->lockdown, "none");
	const char *cause = secure_boot(system) ? "Secure Boot" : locked ? "lockdown" : "module.sig_enforce";
	char enforced[8];

	system_read(system, enforced, sizeof(enforced), "/sys/module/module/parameters/sig_enforce");
	if (!locked && enforced[0] != 'Y') {
		found(doctor, SOUND, "signature", NULL, "this kernel loads modules without a signature");
		return;
	}
	if (file->is_signed == SIGNED_YES)
		check_key(doctor, file, cause);
	else if (file->is_signed == SIGNED_NO)
		found(doctor, BROKEN, "signature",
		      "sudo apt-get install bcos-evlog-dkms, and sudo mokutil --import /var/lib/dkms/mok.pub, and "
		      "reboot",
		      "this kernel demands a signature (%s), and the module has none", cause);
	else
		found(doctor, UNKNOWN, "signature", "sudo mokutil --import /var/lib/dkms/mok.pub, and reboot",
		      "this kernel demands a signature (%s): enrol the key with which the module is signed", cause);
}

static void check_privilege(struct doctor *doctor)
{
	const struct system *system = &doctor->system;
	char disabled[8];

	/* A file that cannot be read has no text. */
	system_read(system, disabled, sizeof(disabled), "/proc/sys/kernel/modules_disabled");
	if (disabled[0] == '1')
		found(doctor, BROKEN, "forbidden", "sudo reboot",
		      "this kernel loads no modules until it boots again (kernel.modules_disabled)");
	if (system->contained)
		found(doctor, BROKEN, "container", NULL,
		      "this is a user namespace of its own, which may load no module; load it on the host");
	else if (!system_capable(system, CAP_SYS_MODULE))
		found(doctor, NOTED, "privilege", "sudo modprobe " NAME,
		      "you may not load modules (CAP_SYS_MODULE), root may");
}

void examine_module(struct doctor *doctor)
{
	struct module_file file = {.is_signed = SIGNED_UNKNOWN};
	bool installed;

	if (check_loaded(doctor)) {
		check_headers(doctor, NOTED);
		return;
	}
	/* Nothing else matters to such a kernel. */
	if (doctor->system.without_modules) {
		found(doctor, BROKEN, "modules", RECORD_BY_BPF,
		      "this kernel is built without support for modules; BPF programs record the same log");
		return;
	}
	installed = check_installed(doctor, &file);
	check_headers(doctor, installed ? NOTED : BROKEN);
	if (!installed) {
		check_compiler(doctor);
		check_configuration(doctor);
		check_tracepoints(doctor);
	}
	check_signature(doctor, &file);
	check_privilege(doctor);
	if (installed && doctor_works(doctor, ABLE_MODULE))
		found(doctor, NOTED, "loaded", "sudo modprobe " NAME, "it can be loaded, and is not");
}
