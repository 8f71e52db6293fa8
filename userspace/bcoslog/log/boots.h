/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Machines and boots of a recorded directory, and the choice of those that are read. */
#ifndef BCOSLOG_BOOTS_H
#define BCOSLOG_BOOTS_H

#include "archive/recording.h"
#include "options/choice.h"

/*
 * Restricts the log to the machine and boot that the options choose. Call this before anything of the log is read.
 * @path names the log in complaints, and @follow says that its end is awaited, which only one machine's log allows.
 * Return: 0, or -1 after a complaint.
 */
int boots_choose(const struct boot_choice *chosen, struct bcoslog *log, const char *path, bool follow);

/* A boot of a recording, and the ID of its machine, which is empty if it is unknown. */
struct boot {
	struct bcoslog_boot about;
	char machine[40];
	u32 index;			/* in the recording */
};

/* Gets the boot at @index.  Return: whether there is one. */
bool boots_get(struct bcoslog *log, u32 index, struct boot *boot);
/* Are these boots of one machine? */
bool boots_same_machine(const struct boot *one, const struct boot *other);

/* Lists the names of the machines of a recording in @text.  Return: their number. */
u32 boots_machines(struct bcoslog *log, char *text, size_t room);
/* Is this machine the one whose boots are read? */
bool boots_are_own(struct bcoslog *log);

/* Does the recording have several machines, of which neither an option nor this machine's ID chooses one? */
bool boots_are_several(const struct boot_choice *chosen, struct bcoslog *log);
/* Chooses the machine of this boot, as --machine would. */
void boots_choose_machine(struct boot_choice *chosen, const struct boot *boot);

#endif
