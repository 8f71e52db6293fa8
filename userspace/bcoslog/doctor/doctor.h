/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog doctor: what it examines, and what it finds. */
#ifndef BCOSLOG_DOCTOR_H
#define BCOSLOG_DOCTOR_H

#include "command.h"

/* The abilities of a machine that the doctor looks at. */
enum ability { ABLE_MODULE, ABLE_BPF, ABLE_READ, ABLE_RECORD, ABILITIES };

enum verdict {
	SOUND,			/* nothing to mend */
	NOTED,			/* works, but not as well as it could, or not for long */
	BROKEN,			/* the ability is lacking because of this */
	UNKNOWN,		/* cannot be found out here */
};

/* One check, which is one line. */
struct finding {
	enum ability ability;
	enum verdict verdict;
	const char *check;	/* a short stable word */
	char text[320];		/* what was found, without full stop */
	char mend[320];		/* the command that mends it; empty: there is none, or none is needed */
};

enum distribution { DEBIAN, FEDORA, ARCH, OTHER };

/**
 * struct system - the machine that is examined, as its files tell
 * @root: in front of each path; empty for the machine that this runs on
 * @live: it is that machine, so that the kernel can be asked, too
 * @release: of its kernel, as uname -r
 * @kernel: version and patch level of the kernel, 5.15 as 0x50f
 * @distribution: whose commands mend it
 * @uid: of the caller
 * @capabilities: that are effective for him
 * @lockdown: "none", "integrity" or "confidentiality"; empty: this kernel does not say
 * @contained: the caller is in a user namespace of its own
 */
struct system {
	const char *root;
	bool live;
	char release[128];
	unsigned int kernel;
	enum distribution distribution;
	unsigned int uid;
	u64 capabilities;
	char lockdown[32];
	bool contained;
};

#define FINDINGS 64

struct doctor {
	struct system system;
	enum ability ability;	/* that is examined now */
	struct finding findings[FINDINGS];
	size_t count;
	bool asked[ABILITIES];
};

/* ---- system.c: the one place that looks at files --------------------------- */

#define SYSTEM_PATH 4096

/* Find out what all checks ask for. */
void system_look(struct system *system);
/* "PATH" of the system that is examined, by a format. */
__attribute__((format(printf, 3, 4)))
void system_path(const struct system *system, char path[SYSTEM_PATH], const char *format, ...);
/* Is there such a file? */
__attribute__((format(printf, 2, 3)))
bool system_has(const struct system *system, const char *format, ...);
/* The beginning of a file, as a string.  Return: its length, or -1 if it cannot be read. */
__attribute__((format(printf, 4, 5)))
ssize_t system_read(const struct system *system, char *text, size_t size, const char *format, ...);
/* The first line of a file that begins with @start, without that and without its end.  Return: there is one. */
bool system_line(const struct system *system, const char *path, const char *start, char *text, size_t size);
/* A program that this system can run, in one of the usual folders? */
bool system_program(const struct system *system, const char *name);
/* Text that comes from files stays on its line, and is ASCII. */
void system_plain(char *text);
bool system_capable(const struct system *system, int capability);

/* ---- finding.c ------------------------------------------------------------- */

/* Add a finding; @mend is a command, or NULL. */
__attribute__((format(printf, 5, 6)))
void found(struct doctor *doctor, enum verdict verdict, const char *check, const char *mend, const char *format, ...);
/* Returns whether nothing that the ability needs is BROKEN, as far as that is known yet. */
bool doctor_works(const struct doctor *doctor, enum ability ability);

/* ---- module.c, bpf.c, reading.c, recording.c ------------------------------- */

void examine_module(struct doctor *doctor);
void examine_bpf(struct doctor *doctor);
void examine_reading(struct doctor *doctor);
void examine_recording(struct doctor *doctor);

/* ---- report.c -------------------------------------------------------------- */

extern const char *const ability_names[ABILITIES];
void report_text(const struct doctor *doctor);
/* Return: 0 or -ENOMEM, after saying so. */
int report_json(const struct doctor *doctor);

#endif
