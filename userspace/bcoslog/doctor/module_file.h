/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The module as a file of the system that is examined. */
#ifndef BCOSLOG_MODULE_FILE_H
#define BCOSLOG_MODULE_FILE_H

#include "doctor.h"

enum is_signed { SIGNED_UNKNOWN, SIGNED_NO, SIGNED_YES };

/**
 * struct module_file - what the file of the module tells
 * @version: of the module; empty if the file does not say, or if it is compressed and the program that unpacks it is missing
 * @is_signed: by whichever key
 * @signer: the name of that key; empty: unknown
 */
struct module_file {
	char version[64];
	enum is_signed is_signed;
	char signer[128];
};

/* The one that modprobe would load for the system's kernel.  Return: there is one. */
bool module_file_find(const struct system *system, struct module_file *file);

#endif
