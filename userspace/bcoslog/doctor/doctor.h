/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog doctor: the machine that it examines, and its findings. */
#ifndef BCOSLOG_DOCTOR_H
#define BCOSLOG_DOCTOR_H

#include "core/host/user.h"

/* The abilities of a machine that the doctor looks at. */
enum ability { ABLE_MODULE, ABLE_BPF, ABLE_READ, ABLE_RECORD, ABILITIES };

enum verdict {
	SOUND,			/* nothing to mend */
	NOTED,			/* it works, but not as well as it could, or not for long */
	BROKEN,			/* because of this, the machine lacks the ability */
	UNKNOWN,		/* the check cannot find out */
};

/* The result of a check, which is printed as one line. */
struct finding {
	enum ability ability;
	enum verdict verdict;
	const char *check;	/* the name of the check, which does not change between versions */
	char text[320];		/* the finding in words, without full stop */
	char mend[320];		/* the command that mends it; empty: there is none, or none is needed */
};

enum distribution { DEBIAN, FEDORA, ARCH, OTHER };

/**
 * struct system - the examined machine, as its files describe it
 * @root: the folder of its root directory; empty for the machine on which the tool runs
 * @live: the tool runs on the examined machine, so checks can also ask the kernel
 * @release: the release of its kernel, as uname -r prints it
 * @kernel: version and patch level of its kernel, 5.15 as 0x50f; 0: unknown
 * @distribution: the distribution whose commands mend it
 * @uid: the effective user ID of the caller
 * @capabilities: the effective capabilities of the caller, a bit for each
 * @lockdown: "none", "integrity" or "confidentiality"; empty: the kernel does not say
 * @contained: the caller is in a user namespace of its own
 * @without_modules: its kernel is built without support for modules
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
	bool without_modules;
};

#define FINDINGS 64

struct doctor {
	struct system system;
	enum ability ability;	/* the ability that is being examined */
	struct finding findings[FINDINGS];
	size_t count;
	bool asked[ABILITIES];	/* the abilities that the user asks about */
};

/* ---- system.c: the files of the examined machine ---------------------------- */

#define SYSTEM_PATH 4096

/* Fills in @system, except for @root and @live. */
void system_look(struct system *system);
/* Writes the path of a file of the examined machine; @format and its arguments give the path on that machine. */
__attribute__((format(printf, 3, 4)))
void system_path(const struct system *system, char path[SYSTEM_PATH], const char *format, ...);
/* Return: whether the file exists on the examined machine. */
__attribute__((format(printf, 2, 3)))
bool system_has(const struct system *system, const char *format, ...);
/* Reads the beginning of a file as a string.  Return: the length of the string, or -1 if the file cannot be read. */
__attribute__((format(printf, 4, 5)))
ssize_t system_read(const struct system *system, char *text, size_t size, const char *format, ...);
/*
 * Reads the rest of the first line that begins with @start, without the line's end, from a file.
 * Return: whether there is such a line.
 */
bool system_line(const struct system *system, const char *path, const char *start, char *text, size_t size);
/* Return: whether one of the usual folders has this program. */
bool system_program(const struct system *system, const char *name);
/* Replaces all characters that are not printable ASCII, since texts come from files. */
void system_plain(char *text);
/* Return: whether the caller has the capability. */
bool system_capable(const struct system *system, int capability);

/* ---- packed.c: files that may be compressed --------------------------------- */

/*
 * Reads the beginning of a file as system_read() does, unpacked by xz, zstd or gzip if its name ends with .xz, .zst or
 * .gz.  Return: the number of bytes; -1 if the file cannot be read, or the program is missing or fails.
 */
__attribute__((format(printf, 4, 5)))
ssize_t system_unpack(const struct system *system, char *text, size_t size, const char *format, ...);

/* ---- configuration.c -------------------------------------------------------- */

/**
 * struct configuration - the options with which the machine's kernel was built
 * @path: the file that has them
 * @text: its text; NULL if they are nowhere to be read
 */
struct configuration {
	char path[256];
	char *text;
};

/* Reads the options.  Return: whether they are anywhere to be read; configuration_free() frees them. */
bool configuration_read(const struct system *system, struct configuration *configuration);
/* Return: whether the option, such as "CONFIG_MODULES", is built in. */
bool configuration_has(const struct configuration *configuration, const char *option);
void configuration_free(struct configuration *configuration);

/* ---- finding.c ------------------------------------------------------------- */

/* Adds a finding about the ability that is being examined; @mend is a command, or NULL. */
__attribute__((format(printf, 5, 6)))
void found(struct doctor *doctor, enum verdict verdict, const char *check, const char *mend, const char *format, ...);
/* Return: whether no finding about the ability is BROKEN so far. */
bool doctor_works(const struct doctor *doctor, enum ability ability);

/* ---- module.c, bpf.c, reading.c, recording.c ------------------------------- */

/* The commands and the reports that record by BPF programs where there is no module. */
#define RECORD_BY_BPF "sudo bcoslog --engine bpf ..."

/* These check an ability each, and add their findings. */
void examine_module(struct doctor *doctor);
void examine_bpf(struct doctor *doctor);
void examine_reading(struct doctor *doctor);
void examine_recording(struct doctor *doctor);

/* ---- survival.c ------------------------------------------------------------- */

/*
 * Checks what the log outlives; adds findings about ABLE_RECORD, none of which is BROKEN.
 * @by_bpf: BPF programs record here; @unit is their service
 */
void examine_survival(struct doctor *doctor, bool by_bpf, const char *unit);

/* ---- report.c -------------------------------------------------------------- */

extern const char *const ability_names[ABILITIES];
/* Prints the findings about the abilities that the user asks about, as lines. */
void report_text(const struct doctor *doctor);
/* Prints these findings as a JSON object.  Return: 0, or -ENOMEM after a complaint. */
int report_json(const struct doctor *doctor);

#endif
