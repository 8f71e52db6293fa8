/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A page of the kernel's ring buffer. */
#ifndef TRACE_DAT_PAGE_H
#define TRACE_DAT_PAGE_H

#include "core/host/user.h"

/**
 * struct page_reader - what is given out of a page
 * @big: byte order
 * @long_size: 4 or 8
 * @context: for the functions below, which return 0 or a negative errno
 * @record: a record at @time
 * @lost: before the page, @count records were lost; 0: not known how many
 */
struct page_reader {
	bool big;
	u8 long_size;
	void *context;
	int (*record)(void *context, u64 time, const u8 *bytes, size_t size);
	int (*lost)(void *context, u64 time, u64 count);
};

/**
 * page_read() - all records of a page
 * @reader: takes them
 * @page: its header is u64 time, and a long that says how many bytes follow and whether records were lost before
 * @size: bytes at @page
 *
 * Return: 0; -EBADMSG if the page is damaged; or what @reader's functions returned.
 */
int page_read(const struct page_reader *reader, const u8 *page, size_t size);

#endif
