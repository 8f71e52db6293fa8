/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An entry as a JSON object. */
#ifndef BCOSLOG_JSON_H
#define BCOSLOG_JSON_H

#include "line.h"

/* Prints an entry as a JSON object; @offset is that of the entry in the log.  Return: 0 or -ENOMEM. */
int json_entry(struct lines *lines, const struct bcos_entry *entry, u64 offset);

#endif
