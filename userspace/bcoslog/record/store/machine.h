/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The ID of this machine, by which its files in a directory differ from those of other machines. */
#ifndef BCOSLOG_RECORD_MACHINE_H
#define BCOSLOG_RECORD_MACHINE_H

#include "archive/format/format.h"

/*
 * Gets the name and the ID of this machine. A machine without an ID gets a random one, which is kept in the directory.
 * If that fails, the ID is all zeros.
 */
void machine_learn(int directory, struct archive_machine *machine);
/* Writes the name of a hidden file that the machine has in the directory; @name has @room bytes. */
void machine_file(char *name, size_t room, const struct archive_machine *machine, const char *suffix);

#endif
