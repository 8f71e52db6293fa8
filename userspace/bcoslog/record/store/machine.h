/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The ID of this machine, with which its files in a directory are told from those of others. */
#ifndef BCOSLOG_RECORD_MACHINE_H
#define BCOSLOG_RECORD_MACHINE_H

#include "archive/format.h"

/*
 * Learns the name and the ID of this machine. Where it has no ID, it gets a random one, which the directory keeps. The ID is
 * zeros where it cannot be known.
 */
void machine_learn(int directory, struct archive_machine *machine);
/* Writes the name of a hidden file that the machine has in the directory into the @room bytes of @name. */
void machine_file(char *name, size_t room, const struct archive_machine *machine, const char *suffix);

#endif
