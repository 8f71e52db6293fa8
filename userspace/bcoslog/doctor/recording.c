// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks whether the log is kept in files: whether the service runs, finds a log, and has room. */
#include <sys/statvfs.h>

#include "doctor.h"

#define UNIT "bcos-record.service"
/* The service that records by BPF programs, where the module is not loaded. */
#define BPF_UNIT "bcos-record-bpf.service"
#define STATE "/var/lib/bcos_evlog"

/* The bytes that the service keeps at most (scripts/systemd/bcos-record.service). */
#define KEPT ((u64)2 << 30)

static bool unit_is_installed(const struct system *system)
{
	static const char *const places[] = {
		"/etc/systemd/system",
		"/usr/local/lib/systemd/system",
		"/usr/lib/systemd/system",
		"/lib/systemd/system",
	};
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (system_has(system, "%s/" UNIT, places[i]))
			return true;
	return false;
}

static bool unit_runs(const struct system *system, const char *unit)
{
	char processes[64];

	return system_read(system, processes, sizeof(processes), "/sys/fs/cgroup/system.slice/%s/cgroup.procs",
			   unit) > 0;
}

static void check_service(struct doctor *doctor)
{
	const struct system *system = &doctor->system;
	bool bpf = unit_runs(system, BPF_UNIT);
	bool enabled = system_has(system, bpf ? "/etc/systemd/system/multi-user.target.wants/" BPF_UNIT :
				  "/etc/systemd/system/dev-bcos_evlog.device.wants/" UNIT);

	if (!unit_is_installed(system)) {
		found(doctor, BROKEN, "unit", "sudo make install", UNIT " is not installed");
		return;
	}
	found(doctor, SOUND, "unit", NULL, UNIT " is installed");
	if (!system_has(system, "/run/systemd/system")) {
		found(doctor, BROKEN, "service", "bcoslog record -o " STATE,
		      "systemd does not run here, so that nothing starts the recorder");
		return;
	}
	if (!bpf && !unit_runs(system, UNIT))
		found(doctor, BROKEN, "service", "sudo systemctl enable --now " UNIT, "the recorder does not run");
	else if (!enabled)
		found(doctor, NOTED, "service", bpf ? "sudo systemctl enable " BPF_UNIT : "sudo systemctl enable " UNIT,
		      "the recorder runs, and is not started at boot");
	else
		found(doctor, SOUND, "service", NULL, "the recorder runs, and is started at boot");
}

static void check_disk(struct doctor *doctor)
{
	static const char *const folders[] = {STATE, "/var/lib", "/"};
	char path[SYSTEM_PATH];
	struct statvfs disk;
	u64 free = 0;
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		system_path(&doctor->system, path, "%s", folders[i]);
		if (!statvfs(path, &disk))
			break;
	}
	if (i == sizeof(folders) / sizeof(folders[0])) {
		found(doctor, UNKNOWN, "disk", NULL, "nobody says how much room there is below " STATE);
		return;
	}
	free = (u64)disk.f_bavail * disk.f_frsize;
	if (disk.f_flag & ST_RDONLY)
		found(doctor, BROKEN, "disk", "sudo mount -o remount,rw /var",
		      STATE " is on a file system that is not writable");
	else if (free < KEPT)
		found(doctor, NOTED, "disk", "sudo systemctl edit " UNIT ", and --keep",
		      "%llu MiB are free below " STATE ", and the recorder keeps up to %llu",
		      (unsigned long long)(free >> 20), (unsigned long long)(KEPT >> 20));
	else
		found(doctor, SOUND, "disk", NULL, "%llu MiB are free below " STATE, (unsigned long long)(free >> 20));
}

/* Checks that the recorder has a source: the module's device, or BPF programs. */
static void check_source(struct doctor *doctor)
{
	if (system_has(&doctor->system, "/sys/module/bcos_evlog"))
		found(doctor, SOUND, "source", NULL, "the recorder finds the module");
	else if (unit_runs(&doctor->system, BPF_UNIT))
		found(doctor, SOUND, "source", NULL, "BPF programs record, without the module");
	else
		found(doctor, BROKEN, "source", "sudo modprobe bcos_evlog",
		      "the recorder finds no module to read from");
}

void examine_recording(struct doctor *doctor)
{
	check_service(doctor);
	check_source(doctor);
	check_disk(doctor);
}
