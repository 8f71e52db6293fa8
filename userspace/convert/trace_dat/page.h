/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A page of the kernel's ring buffer. */
#ifndef TRACE_DAT_PAGE_H
#define TRACE_DAT_PAGE_H

#include "core/host/user.h"

/**
 * struct page_reader - functions that get the records of a page
 * @big: the page is big-endian
 * @long_size: size of a long, 4 or 8
 * @context: passed to the functions below, which return 0 or a negative errno
 * @record: called for each record; @time is its time
 * @lost: called if records were lost before the page; @count is 0 if their count is not known
 */
struct page_reader {
	bool big;
	u8 long_size;
	void *context;
	int (*record)(void *context, u64 time, const u8 *bytes, size_t size);
	int (*lost)(void *context, u64 time, u64 count);
};

/**
 * page_read() - read all records of a page
 * @reader: gets the records
 * @page: begins with u64 time, and a long with the count of bytes that follow and a flag for lost records
 * @size: bytes at @page
 *
 * Return: 0; -EBADMSG if the page is damaged; or what a function of @reader returned.
 */
int page_read(const struct page_reader *reader, const u8 *page, size_t size);

#endif
