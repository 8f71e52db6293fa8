/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Statements are what a log says about itself, after each group of historical entries and again
 * when it changes: which default classes are off, the wall clock, and the boot, host, kernel and
 * version that wrote it. So each part of a log contains them.
 */
#ifndef BCOS_CORE_STATEMENT_H
#define BCOS_CORE_STATEMENT_H

#include "log.h"

/* The maximum size of all statements, each with its longest text, in bytes. */
#define BCOS_STATEMENTS_MAX 1280

/* Writes the text of the entry for a change of the mask. Returns its length. */
int bcos_mask_format(char *text, size_t size, u32 from, u32 to);

/* The number of texts among the statements. */
#define BCOS_STATEMENT_TEXTS 4

/* Returns where text number @which is in struct bcos_statements, and the size of its buffer. */
size_t bcos_statement_offset(u32 which, size_t *size);

/* These write the statement of the wall clock at the log's time, and of text number @which. */
void bcos_statement_put_clock(struct bcos_log *log);
void bcos_statement_put_text(struct bcos_log *log, u32 which, u32 precision);

/* Writes all statements; this follows a group. */
void bcos_statements_write(struct bcos_log *log);

/* Returns the bytes that bcos_statements_write() would write now. */
u64 bcos_statements_bytes(const struct bcos_log *log);

#endif
