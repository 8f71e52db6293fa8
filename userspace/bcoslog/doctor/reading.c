// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks whether the caller can read the device: by its permissions, and by a capability, his own or bcoslog-read's. */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "host/linux.h"
#include "bcoslog.h"
#include "doctor.h"

#define GROUP "bcos"

/*
 * Does the caller's process have the group? A user who was added to the group has to log in again before his processes
 * have it.
 */
static bool is_member(const struct system *system, unsigned int group)
{
	char line[4096], *at, *end;
	unsigned int own;

	if (system_line(system, "/proc/self/status", "Gid:", line, sizeof(line)) && sscanf(line, "%*u %u", &own) == 1 &&
	    own == group)
		return true;
	if (!system_line(system, "/proc/self/status", "Groups:", line, sizeof(line)))
		return false;
	for (at = line;; at = end) {
		own = (unsigned int)strtoul(at, &end, 10);
		if (end == at)
			return false;
		if (own == group)
			return true;
	}
}

/* Writes "group bcos", or "group 997" if /etc/group has no name for the group. */
static void name_group(const struct system *system, unsigned int group, char *text, size_t size)
{
	char path[SYSTEM_PATH], *line = NULL, *number;
	size_t room = 0;
	FILE *file;

	snprintf(text, size, "group %u", group);
	system_path(system, path, "/etc/group");
	file = fopen(path, "re");
	if (!file)
		return;
	while (getline(&line, &room, file) > 0) {
		/* NAME:PASSWORD:NUMBER:MEMBERS */
		number = strchr(line, ':');
		number = number ? strchr(number + 1, ':') : NULL;
		if (!number || number[1] < '0' || number[1] > '9' || strtoul(number + 1, NULL, 10) != group)
			continue;
		snprintf(text, size, "group %.*s", (int)strcspn(line, ":"), line);
		break;
	}
	free(line);
	fclose(file);
}

static void check_permissions(struct doctor *doctor, const struct stat *node)
{
	const struct system *system = &doctor->system;
	bool everything = system_capable(system, CAP_DAC_OVERRIDE) || system_capable(system, CAP_DAC_READ_SEARCH);
	mode_t mode = node->st_mode;
	char group[64];

	name_group(system, node->st_gid, group, sizeof(group));
	if (everything || (system->uid == node->st_uid	     ? mode & 0400
			   : is_member(system, node->st_gid) ? mode & 040
							     : mode & 04)) {
		found(doctor, SOUND, "permissions", NULL, "you may open " BCOS_DEVICE_PATH " (mode %o)", mode & 0777);
		return;
	}
	if (!node->st_gid || !(mode & 040))
		found(doctor, BROKEN, "permissions",
		      "sudo groupadd -f -r " GROUP "; sudo udevadm control --reload; "
		      "sudo udevadm trigger -c add /dev/bcos_evlog",
		      BCOS_DEVICE_PATH " is for root alone (mode %o, %s): the udev rule was not applied", mode & 0777,
		      group);
	else
		found(doctor, BROKEN, "permissions", "sudo usermod -aG " GROUP " \"$USER\", and log in again",
		      "you are not in the %s, which may read " BCOS_DEVICE_PATH, group);
}

/* Finds bcoslog-read where make install puts it: see libexec/helper.c. */
static bool find_helper(const struct system *system, char path[SYSTEM_PATH], struct stat *helper)
{
	static const char *const places[] = {"/usr/local/libexec/bcoslog-read", "/usr/libexec/bcoslog-read"};
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		system_path(system, path, "%s", places[i]);
		if (!stat(path, helper))
			return true;
	}
	return false;
}

static void check_capability(struct doctor *doctor)
{
	const struct system *system = &doctor->system;
	char path[SYSTEM_PATH];
	struct stat helper;

	if (system->contained) {
		found(doctor, BROKEN, "container", NULL,
		      "this is a user namespace of its own, whose capabilities the device does not accept; read it "
		      "on the host");
		return;
	}
	if (system_capable(system, CAP_PERFMON) || system_capable(system, CAP_SYSLOG) ||
	    system_capable(system, CAP_SYS_ADMIN)) {
		found(doctor, SOUND, "capability", NULL, "you have one that the device demands");
		return;
	}
	if (!find_helper(system, path, &helper)) {
		found(doctor, BROKEN, "capability", "sudo make install, or sudo bcoslog ...",
		      "you lack CAP_PERFMON and CAP_SYSLOG, and bcoslog-read, which has one of them, is not installed");
		return;
	}
	if (getxattr(path, "security.capability", NULL, 0) <= 0)
		found(doctor, BROKEN, "capability",
		      "sudo setcap cap_perfmon=ep \"$(command -v bcoslog | sed s:bin/bcoslog:libexec/bcoslog-read:)\"",
		      "bcoslog-read is installed, and has no capability");
	else if (!is_member(system, helper.st_gid) && !(helper.st_mode & 1))
		found(doctor, BROKEN, "capability", "sudo usermod -aG " GROUP " \"$USER\", and log in again",
		      "bcoslog-read has the capability, and you may not run it");
	else
		found(doctor, SOUND, "capability", NULL, "bcoslog-read has the one that the device demands");
}

static void check_lockdown(struct doctor *doctor)
{
	if (!strcmp(doctor->system.lockdown, "confidentiality"))
		found(doctor, BROKEN, "lockdown", "boot with lockdown=integrity",
		      "this kernel is locked down for confidentiality, which closes the device");
}

/* Opens the device, which shows causes that the other checks do not know. */
static void try_it(struct doctor *doctor)
{
	struct bcoslog_error error;
	struct bcoslog *log;

	if (!bcoslog_open(&log, BCOS_DEVICE_PATH, 0, &error)) {
		bcoslog_close(log);
		found(doctor, SOUND, "try", NULL, "it opens, and its module fits this tool");
	} else if (error.code == EPERM || error.code == EACCES) {
		/* The device can only be opened by bcoslog-read, which the doctor does not run. */
		found(doctor, UNKNOWN, "try", "bcoslog status", "only bcoslog-read can open it");
	} else {
		found(doctor, BROKEN, "try", NULL, "%s", error.text);
	}
}

void examine_reading(struct doctor *doctor)
{
	const struct system *system = &doctor->system;
	char path[SYSTEM_PATH];
	struct stat node;

	system_path(system, path, "%s", BCOS_DEVICE_PATH);
	if (stat(path, &node)) {
		if (system->without_modules)
			found(doctor, BROKEN, "device", RECORD_BY_BPF,
			      "there is no " BCOS_DEVICE_PATH ", since this kernel loads no modules; without it, "
			      "commands record by BPF programs themselves");
		else
			found(doctor, BROKEN, "device", "sudo modprobe bcos_evlog",
			      "there is no " BCOS_DEVICE_PATH ", since the module is not loaded");
		return;
	}
	found(doctor, SOUND, "device", NULL, BCOS_DEVICE_PATH " is there");
	check_permissions(doctor, &node);
	check_capability(doctor);
	check_lockdown(doctor);
	if (system->live && doctor_works(doctor, ABLE_READ))
		try_it(doctor);
}
