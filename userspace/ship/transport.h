/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sends rows to a server by HTTP, and asks it. Answers are bounded in size and time, and nothing of the text of an error is shown. */
#ifndef SHIP_TRANSPORT_H
#define SHIP_TRANSPORT_H

#include "row_binary.h"

struct transport;

/**
 * struct transport_options - the server, and how to reach it
 * @url: its address; it may have a user's name and password, which no message shows
 * @netrc: file of users and passwords; NULL: ~/.netrc, if there is one
 * @ca: file of the certificates that are trusted; NULL: those of the system
 * @certificate: file of the certificate of this client; NULL: it has none
 * @key: file of the key to that; NULL: it is in @certificate
 * @speed: bytes a second at most; 0: there is no limit
 * @context: first argument of @ends
 * @ends: called from time to time; sending ends with -EINTR if it returns something else than 0
 */
struct transport_options {
	const char *url, *netrc, *ca, *certificate, *key;
	u64 speed;
	void *context;
	int (*ends)(void *context);
};

/* Return: the sender, which transport_free() frees; NULL after a complaint. */
struct transport *transport_new(const struct transport_options *options);
void transport_free(struct transport *transport);

/* Return: the server's address without what is secret. */
const char *transport_name(const struct transport *transport);

/* Return: what tells whether rows go to the same place: the server's address without what is secret, and the database. */
const char *transport_place(const struct transport *transport);

/**
 * transport_send() - insert rows into a table of the server
 * @transport: the sender
 * @table: the table
 * @rows: the rows
 * @reason: receives the reason of a failure, a sentence without a full stop
 *
 * Return: 0 if the server has taken the rows, -EAGAIN if it may take them later, -EINTR, or -EPROTO if somebody has to mend
 * something first. After a failure the server may have taken them nevertheless.
 */
int transport_send(struct transport *transport, const struct ship_table *table, const struct row_bytes *rows, const char **reason);

/**
 * transport_ask() - have the server answer a statement that only reads
 * @transport: a transport that sends nothing
 * @query: the statement
 * @context: first argument of @line
 * @line: called for each line of the answer.  Return: 0, or -1 if the answer is not the one to @query
 * @reason: receives the reason of a failure, a sentence without a full stop
 *
 * Return: 0 or a negative errno.
 */
int transport_ask(struct transport *transport, const char *query, void *context,
		  int (*line)(void *context, const char *line, size_t length), const char **reason);

#endif
