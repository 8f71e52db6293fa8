/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A log states about itself which classes differ from the default ones, what the wall clock shows,
 * and which boot, host, kernel and version wrote it. The statements follow each group of historical
 * entries, so each part of a log has them. A statement that changes is written again.
 */
#ifndef BCOS_CORE_STATEMENT_H
#define BCOS_CORE_STATEMENT_H

#include "log.h"

/* The maximum size of all statements with the longest texts, in bytes. */
#define BCOS_STATEMENTS_MAX 1280

/* The number of texts among the statements. */
#define BCOS_STATEMENT_TEXTS 4

/*
 * Returns the offset of text number @which in struct bcos_statements. Sets *@size to the size of
 * its buffer.
 */
size_t bcos_statement_offset(u32 which, size_t *size);

/* These write the statement of the wall clock at the log's time, and of text number @which. */
void bcos_statement_put_clock(struct bcos_log *log);
void bcos_statement_put_text(struct bcos_log *log, u32 which, u32 precision);

/* Writes all statements. The caller has just written a group. */
void bcos_statements_write(struct bcos_log *log);

/* Returns the bytes that bcos_statements_write() would write now. */
u64 bcos_statements_bytes(const struct bcos_log *log);

#endif
