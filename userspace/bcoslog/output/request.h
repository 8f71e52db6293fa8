/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Requests of disks, in words. */
#ifndef BCOSLOG_OUTPUT_REQUEST_H
#define BCOSLOG_OUTPUT_REQUEST_H

#include "bcoslog.h"
#include "core/format/request_text.h"

/* Room for the words of any request. */
#define REQUEST_WORDS 256

/* Return: whether the entry is the event of a request, of which @told then tells. */
bool request_read(const struct bcos_entry *entry, struct bcos_request_told *told);
/* Return: whether the log tells who issued the request. Of most requests whose beginning nobody saw it does not. */
bool request_has_issuer(const struct bcos_request_told *told);
/* Return: when it began, if @told->has_start; it completed at @end. */
u64 request_begin(const struct bcos_request_told *told, u64 end);
/* Writes what was asked for, such as "write of 4096 bytes".  Return: the length. */
int request_what(char *text, const struct bcos_request_told *told);
/* Writes how long it took, such as "1.2 us in the queue, 84.1 us on the device".  Return: the length. */
int request_times(char *text, const struct bcos_request_told *told);

#endif
