/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The machines and boots of a recorded directory: which ones are read, and a list of them. */
#ifndef BCOSLOG_RECORD_BOOTS_H
#define BCOSLOG_RECORD_BOOTS_H

#include "bcoslog_archive.h"
#include "command.h"

#define BOOT_OPTIONS { "machine", 0, "NAME|ID", take_machine }, { "boot", 0, "BOOT", take_boot }

#define BOOT_HELP \
"      --machine NAME|ID, --boot BOOT\n" \
"                    of a recorded directory this machine, this boot: its ID, or\n" \
"                    0 (the latest), -1 (the one before it), 1 (the oldest)\n"

int take_machine(void *context, const char *text);
int take_boot(void *context, const char *text);

/* Is one of them given? */
bool boots_are_chosen(void);
/* Reads what they choose; nothing of the log was read yet.  Return: 0, or -1 after a complaint. */
int boots_choose(const struct run *run);

/* A boot of a recording, and the ID of its machine, which may be empty. */
struct boot {
	struct bcoslog_boot about;
	char machine[40];
};

/* Learns about the boot with this number.  Return: is there one? */
bool boots_get(struct bcoslog *log, u32 index, struct boot *boot);
/* Are these boots of one machine? */
bool boots_same_machine(const struct boot *one, const struct boot *other);

/* Does the recording have several machines, of which none is chosen and none is this one? */
bool boots_are_several(struct bcoslog *log);
/* Chooses the machine of this boot. */
void boots_choose_machine(const struct boot *boot);

/* The machines and boots of a recording, a line or an object for each.  Return: the exit status. */
int boots_list(struct bcoslog *log, const char *path, bool json);

#endif
