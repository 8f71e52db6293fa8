/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The explorer's page and the newest part of a log, by HTTP:
 *
 *	GET /?token=TOKEN		the page
 *	GET /log?token=TOKEN&from=N	entries from offset N on; headers say where they really begin and what follows
 *
 * Any other request, and one without the token, is refused. The server never writes to disk.
 */
#ifndef BCOSLOG_SERVE_HTTP_H
#define BCOSLOG_SERVE_HTTP_H

#include "latest.h"

/* 128 random bits in hexadecimal, and a zero. */
#define HTTP_TOKEN 33

struct http;

/**
 * struct http_options - what is served, and where
 * @address: numeric address, NULL: 127.0.0.1
 * @port: 0: any that is free
 * @page: the page, of @page_size bytes; it stays the caller's
 * @policy: its Content-Security-Policy
 * @latest: the log; it stays the caller's
 */
struct http_options {
	const char *address;
	unsigned int port;
	const char *page;
	size_t page_size;
	const char *policy;
	struct latest *latest;
};

/**
 * http_start() - serve, in threads of its own
 * @options: copied
 * @url: out: where the page is, with its token; @size bytes
 * @size: of @url
 *
 * Returns NULL after it has complained.
 */
struct http *http_start(const struct http_options *options, char *url, size_t size);
void http_stop(struct http *http);

/* Was the tool built with the library that this takes? */
bool http_is_here(void);

#endif
