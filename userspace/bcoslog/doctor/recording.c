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

static bool unit_is_installed(const struct system *system, const char *unit)
{
	static const char *const places[] = {
		"/etc/systemd/system",
		"/usr/local/lib/systemd/system",
		"/usr/lib/systemd/system",
		"/lib/systemd/system",
	};
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (system_has(system, "%s/%s", places[i], unit))
			return true;
	return false;
}

static bool unit_runs(const struct system *system, const char *unit)
{
	char processes[64];

	return system_read(system, processes, sizeof(processes), "/sys/fs/cgroup/system.slice/%s/cgroup.procs",
			   unit) > 0;
}

static bool module_is_loaded(const struct system *system)
{
	return system_has(system, "/sys/module/bcos_evlog");
}

/* Return: whether BPF programs are the recorder's source on this machine, because they record or nothing else can. */
static bool records_by_bpf(const struct doctor *doctor)
{
	const struct system *system = &doctor->system;

	if (unit_runs(system, BPF_UNIT))
		return true;
	return !module_is_loaded(system) && !doctor_works(doctor, ABLE_MODULE) && doctor_works(doctor, ABLE_BPF);
}

/* The service is a convenience: without it, the user can start the recorder by hand. So nothing here is BROKEN. */
static void check_service(struct doctor *doctor)
{
	const struct system *system = &doctor->system;
	bool bpf = records_by_bpf(doctor);
	const char *unit = bpf ? BPF_UNIT : UNIT;
	char mend[128];

	if (!unit_is_installed(system, unit)) {
		snprintf(mend, sizeof(mend), "sudo make install, or sudo bcoslog%s record -o DIR",
			 bpf ? " --engine bpf" : "");
		found(doctor, NOTED, "unit", mend, "%s is not installed, so that nothing is kept by itself", unit);
		return;
	}
	found(doctor, SOUND, "unit", NULL, "%s is installed", unit);
	if (!system_has(system, "/run/systemd/system")) {
		snprintf(mend, sizeof(mend), "sudo bcoslog%s record -o " STATE, bpf ? " --engine bpf" : "");
		found(doctor, NOTED, "service", mend, "systemd does not run here, so that nothing starts the recorder");
		return;
	}
	snprintf(mend, sizeof(mend), "sudo systemctl enable --now %s", unit);
	if (!unit_runs(system, unit))
		found(doctor, NOTED, "service", mend, "the recorder does not run, so that nothing is kept now");
	else if (!system_has(system, "/etc/systemd/system/%s.wants/%s",
			     bpf ? "multi-user.target" : "dev-bcos_evlog.device", unit))
		found(doctor, NOTED, "service", mend, "the recorder runs, and is not started at boot");
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
		found(doctor, NOTED, "disk", records_by_bpf(doctor) ? "sudo systemctl edit " BPF_UNIT ", and --keep" :
					       "sudo systemctl edit " UNIT ", and --keep",
		      "%llu MiB are free below " STATE ", and the recorder keeps up to %llu",
		      (unsigned long long)(free >> 20), (unsigned long long)(KEPT >> 20));
	else
		found(doctor, SOUND, "disk", NULL, "%llu MiB are free below " STATE, (unsigned long long)(free >> 20));
}

/* Checks that the recorder has a source: the module's device, or BPF programs. */
static void check_source(struct doctor *doctor)
{
	if (module_is_loaded(&doctor->system))
		found(doctor, SOUND, "source", NULL, "the recorder finds the module");
	else if (unit_runs(&doctor->system, BPF_UNIT))
		found(doctor, SOUND, "source", NULL, "BPF programs record, without the module");
	else if (doctor_works(doctor, ABLE_MODULE))
		found(doctor, NOTED, "source", "sudo modprobe bcos_evlog", "the module is not loaded yet");
	else if (doctor_works(doctor, ABLE_BPF))
		found(doctor, SOUND, "source", NULL, "BPF programs can record here, without the module");
	else
		found(doctor, BROKEN, "source", "bcoslog doctor module bpf",
		      "the recorder has nothing to read from: neither the module nor BPF programs can record here");
}

void examine_recording(struct doctor *doctor)
{
	check_service(doctor);
	check_source(doctor);
	check_disk(doctor);
	/* Where nothing can record, nothing is lost. */
	if (doctor_works(doctor, ABLE_MODULE) || doctor_works(doctor, ABLE_BPF))
		examine_survival(doctor, records_by_bpf(doctor), BPF_UNIT);
}
