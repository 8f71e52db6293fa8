/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page of bcoslog explore. */
#ifndef BCOSLOG_EXPLORER_PAGE_H
#define BCOSLOG_EXPLORER_PAGE_H

/* The page of bcoslog explore, from its first byte to its end. The page is empty if the build had none. */
extern const char explorer_page[], explorer_page_end[];

#endif
