/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The texts of processes. */
#ifndef BCOSLOG_PROCESS_H
#define BCOSLOG_PROCESS_H

#include "line.h"

/*
 * Prints `process 12 "name"`. The text is cached until process_forget() gets an entry that changes it, or
 * process_forget_all() is called.
 */
void put_process(struct lines *lines, u32 id);
void process_forget(struct lines *lines, const struct bcos_entry *entry);
void process_forget_all(struct lines *lines);

#endif
