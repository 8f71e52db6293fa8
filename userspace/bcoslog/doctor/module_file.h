/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The file of the module on the examined machine. */
#ifndef BCOSLOG_MODULE_FILE_H
#define BCOSLOG_MODULE_FILE_H

#include "doctor.h"

enum is_signed { SIGNED_UNKNOWN, SIGNED_NO, SIGNED_YES };

/**
 * struct module_file - the properties of the module's file
 * @version: the version of the module; empty if the file does not say, or is compressed and cannot be unpacked
 * @is_signed: does the file have a signature, by any key?
 * @signer: the name of the signature's key; empty: unknown
 */
struct module_file {
	char version[64];
	enum is_signed is_signed;
	char signer[128];
};

/* Finds the file that modprobe would load for the machine's kernel.  Return: whether there is one. */
bool module_file_find(const struct system *system, struct module_file *file);

#endif
