/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Serves the explorer's page and the newest part of a log by HTTP:
 *
 *	GET /?token=TOKEN		the page
 *	GET /log?token=TOKEN&from=N	entries from offset N on; the headers are the fields of struct latest_part, and
 *					Bcoslog-Age is the age of the newest entry that the server has read, in ns, or 0
 *	GET /metrics?token=TOKEN	what bcoslog metrics prints of all that was read
 *
 * All other requests, and those without the token, are refused. The server never writes to disk.
 */
#ifndef BCOSLOG_SERVE_HTTP_H
#define BCOSLOG_SERVE_HTTP_H

#include "latest.h"

/* Size of the token: 128 random bits in hexadecimal, and a zero. */
#define HTTP_TOKEN 33

struct http;

/**
 * struct http_options - the options of a server
 * @address: numeric address to listen at; NULL: 127.0.0.1
 * @port: port to listen at; 0: any that is free
 * @page: the page, which the caller frees after http_stop()
 * @page_size: bytes of @page
 * @policy: the Content-Security-Policy of the page
 * @present: the log is one that this machine records now, so the age of its newest entry is known
 * @latest: the log, which the caller frees after http_stop()
 * @counter: its metrics, likewise
 * @token: the token, 32 hexadecimal digits; NULL: a random one
 */
struct http_options {
	const char *address;
	unsigned int port;
	const char *page;
	size_t page_size;
	const char *policy;
	bool present;
	struct latest *latest;
	struct counter *counter;
	const char *token;
};

/**
 * http_start() - start a server, which has a thread of its own
 * @options: options, which are copied
 * @url: out: the address of the page, with its token
 * @size: bytes of @url
 *
 * Return: NULL after a complaint.
 */
struct http *http_start(const struct http_options *options, char *url, size_t size);
/* Stops the server, which may be NULL. */
void http_stop(struct http *http);

#endif
