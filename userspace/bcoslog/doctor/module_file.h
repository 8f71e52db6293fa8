/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The module as a file of the system that is examined. */
#ifndef BCOSLOG_MODULE_FILE_H
#define BCOSLOG_MODULE_FILE_H

#include "doctor.h"

enum is_signed { SIGNED_UNKNOWN, SIGNED_NO, SIGNED_YES };

/**
 * struct module_file - what the file of the module tells
 * @version: of the module; empty if the file does not say, as where it is compressed
 * @is_signed: by whichever key
 */
struct module_file {
	char version[64];
	enum is_signed is_signed;
};

/* The one that modprobe would load for the system's kernel.  Return: there is one. */
bool module_file_find(const struct system *system, struct module_file *file);

#endif
