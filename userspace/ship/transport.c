// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sends rows by HTTP: see transport.h. */
#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "complain/complain.h"
#include "transport.h"

/* What is read of an answer, and of its headers, at most. */
#define ANSWER_BYTES 65536
/* What is kept of it, to find the number of an error. */
#define ANSWER_KEPT 64
/* The most bytes of an answer that is asked for. */
#define TAKEN_BYTES ((size_t)64 << 20)
/* The most seconds for a connection, and for an answer after the last byte was sent. */
#define CONNECT_SECONDS 10
#define ANSWER_SECONDS 60
/* The fastest level: of these rows a slower one makes little less. Sixteen more bits of the window ask for gzip's header. */
#define GZIP_LEVEL 1
#define GZIP_WINDOW (15 + 16)
#define GZIP_MEMORY 8

struct transport {
	struct transport_options options;
	CURL *curl;
	CURLU *url;
	char *name, *place;
	z_stream gzip;
	bool packs;
	u8 *packed;
	size_t packed_room;
	char kept[ANSWER_KEPT + 1];
	size_t kept_length, answered;
	char reason[512];
};

/* ---- the address ------------------------------------------------------------------------------------ */

/* Makes the address without user, password, query and fragment, which may be secret. */
static char *make_name(CURLU *url)
{
	static const CURLUPart secret[] = { CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_QUERY, CURLUPART_FRAGMENT };
	CURLU *copy = curl_url_dup(url);
	char *text = NULL, *name;
	size_t i;

	if (!copy)
		return NULL;
	for (i = 0; i < sizeof(secret) / sizeof(secret[0]); i++)
		curl_url_set(copy, secret[i], NULL, 0);
	if (curl_url_get(copy, CURLUPART_URL, &text, 0))
		text = NULL;
	curl_url_cleanup(copy);
	name = text ? strdup(text) : NULL;
	curl_free(text);
	return name;
}

/* Adds the database that the address names.  Return: NULL if there is no memory. */
static char *make_place(CURLU *url, const char *name)
{
	static const char parameter[] = "database=";
	char *query = NULL, *place = NULL;
	const char *at;

	if (curl_url_get(url, CURLUPART_QUERY, &query, 0))
		query = NULL;
	for (at = query; at && strncmp(at, parameter, sizeof(parameter) - 1); at = at ? at + 1 : NULL)
		at = strchr(at, '&');
	at = at ? at + sizeof(parameter) - 1 : "";
	if (asprintf(&place, "%.*s %s", (int)strcspn(at, "&"), at, name) < 0)
		place = NULL;
	curl_free(query);
	return place;
}

/* Return: 0, or -1 after a complaint. */
static int take_url(struct transport *transport)
{
	char *scheme = NULL;
	bool known;

	transport->url = curl_url();
	if (!transport->url || curl_url_set(transport->url, CURLUPART_URL, transport->options.url, 0) ||
	    curl_url_get(transport->url, CURLUPART_SCHEME, &scheme, 0)) {
		complain("--to takes an address such as https://HOST:8443/?database=NAME");
		return -1;
	}
	known = !strcmp(scheme, "https") || !strcmp(scheme, "http");
	curl_free(scheme);
	if (!known) {
		complain("--to takes an address that begins with https:// or http://");
		return -1;
	}
	transport->name = make_name(transport->url);
	transport->place = transport->name ? make_place(transport->url, transport->name) : NULL;
	if (!transport->place) {
		complain("there is no memory for the address of the server");
		return -1;
	}
	return 0;
}

/* Sets the address for a statement.  Return: 0 or -ENOMEM. */
static int set_address(struct transport *transport, const char *statement)
{
	CURLU *url = curl_url_dup(transport->url);
	char query[512], *text = NULL;
	int r = -ENOMEM;

	if ((size_t)snprintf(query, sizeof(query), "query=%s", statement) < sizeof(query) && url && !curl_url_set(url, CURLUPART_QUERY, query, CURLU_APPENDQUERY | CURLU_URLENCODE) &&
	    !curl_url_get(url, CURLUPART_URL, &text, 0) && !curl_easy_setopt(transport->curl, CURLOPT_URL, text))
		r = 0;
	curl_free(text);
	curl_url_cleanup(url);
	return r;
}

/* ---- the answer ------------------------------------------------------------------------------------- */

static size_t take_answer(char *bytes, size_t one, size_t size, void *context)
{
	struct transport *transport = context;
	size_t kept = ANSWER_KEPT - transport->kept_length;

	kept = size < kept ? size : kept;
	memcpy(transport->kept + transport->kept_length, bytes, kept);
	transport->kept_length += kept;
	transport->kept[transport->kept_length] = '\0';
	transport->answered += size;
	return transport->answered > ANSWER_BYTES ? 0 : one * size;
}

static size_t take_header(char *bytes, size_t one, size_t size, void *context)
{
	struct transport *transport = context;

	(void)bytes;
	transport->answered += size;
	return transport->answered > ANSWER_BYTES ? 0 : one * size;
}

static int on_progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct transport *transport = context;

	(void)a, (void)b, (void)c, (void)d;
	return transport->options.ends && transport->options.ends(transport->options.context);
}

/* Return: the number of the error of ClickHouse in the answer; 0: there is none. */
static unsigned int error_number(const struct transport *transport)
{
	unsigned int number;

	return sscanf(transport->kept, "Code: %u", &number) == 1 ? number : 0;
}

/* What is wrong by these numbers, and what mends it. */
static const struct known_error {
	unsigned int number;
	const char *remedy;
} known_errors[] = {
	{ 60, "it has not all tables: bcoslog ship --schema prints the statements that make them" },
	{ 81, "it has no such database: name another by ?database=NAME at the end of the address, or make it" },
	{ 16, "its tables are of another version: make those of bcoslog ship --schema" },
	{ 47, "its tables are of another version: make those of bcoslog ship --schema" },
	{ 192, "it does not know the user: ~/.netrc has the user and the password for each host" },
	{ 193, "the password is wrong: ~/.netrc has the user and the password for each host" },
	{ 194, "it asks for a password: ~/.netrc has the user and the password for each host" },
	{ 516, "it refuses the user or the password: ~/.netrc has both for each host" },
	{ 164, "it lets this user only read: let the user insert into the tables" },
	{ 497, "it does not let this user insert: GRANT INSERT on the tables to the user" },
	{ 27, "it cannot read the rows: its tables are of another version, make those of bcoslog ship --schema" },
};

/* Return: 0, -EAGAIN or -EPROTO for an answer. */
static int judge_answer(struct transport *transport, long status, const char **reason)
{
	unsigned int number = error_number(transport), i;

	if (status == 200 && !number)
		return 0;
	*reason = transport->reason;
	for (i = 0; i < sizeof(known_errors) / sizeof(known_errors[0]); i++)
		if (number == known_errors[i].number) {
			snprintf(transport->reason, sizeof(transport->reason), "%s refuses that: %s", transport->name,
				 known_errors[i].remedy);
			return -EPROTO;
		}
	if (number)
		snprintf(transport->reason, sizeof(transport->reason), "%s answers with its error %u (HTTP status %ld): its own log "
			 "tells more", transport->name, number, status);
	else
		snprintf(transport->reason, sizeof(transport->reason), "%s answers with the HTTP status %ld%s", transport->name, status,
			 status == 401 || status == 403 ? ": ~/.netrc has the user and the password for each host" : "");
	/* What the server says of a request as such does not change by itself. */
	if (status >= 500 || status == 408 || status == 429 || status == 200)
		return -EAGAIN;
	return -EPROTO;
}

/* Return: -EAGAIN, -EINTR or -EPROTO for a failure without an answer. */
static int judge_failure(struct transport *transport, CURLcode code, const char **reason)
{
	const char *why = curl_easy_strerror(code);

	*reason = transport->reason;
	if (code == CURLE_ABORTED_BY_CALLBACK)
		return -EINTR;
	if (code == CURLE_WRITE_ERROR)
		why = "its answer has more than 65536 bytes";
	if (code == CURLE_PEER_FAILED_VERIFICATION)
		why = "its certificate is not one that is trusted for this address: --ca names the certificates to trust";
	snprintf(transport->reason, sizeof(transport->reason), "%s does not answer: %s", transport->name, why);
	switch (code) {
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_URL_MALFORMAT:
	case CURLE_LOGIN_DENIED:
		return -EPROTO;
	default:
		return -EAGAIN;
	}
}

/* ---- the body --------------------------------------------------------------------------------------- */

/* Compresses rows.  Return: their size then; 0 if there is no memory. */
static size_t pack_rows(struct transport *transport, const struct row_bytes *rows)
{
	size_t room;
	u8 *bytes;

	if (deflateReset(&transport->gzip) != Z_OK)
		return 0;
	room = deflateBound(&transport->gzip, rows->size);
	if (room > transport->packed_room) {
		bytes = realloc(transport->packed, room);
		if (!bytes)
			return 0;
		transport->packed = bytes;
		transport->packed_room = room;
	}
	transport->gzip.next_in = rows->bytes;
	transport->gzip.avail_in = (uInt)rows->size;
	transport->gzip.next_out = transport->packed;
	transport->gzip.avail_out = (uInt)transport->packed_room;
	return deflate(&transport->gzip, Z_FINISH) == Z_STREAM_END ? transport->gzip.total_out : 0;
}

/* ---- sending ---------------------------------------------------------------------------------------- */

int transport_send(struct transport *transport, const struct ship_table *table, const struct row_bytes *rows, const char **reason)
{
	u64 speed = transport->options.speed;
	char statement[64];
	size_t size = pack_rows(transport, rows);
	long status = 0;
	CURLcode code;

	*reason = "there is no memory for an address, or for rows that are compressed";
	snprintf(statement, sizeof(statement), "INSERT INTO %s FORMAT RowBinary", table->name);
	if (!size || set_address(transport, statement))
		return -EAGAIN;
	transport->kept_length = transport->answered = 0;
	transport->kept[0] = '\0';
	curl_easy_setopt(transport->curl, CURLOPT_POSTFIELDS, transport->packed);
	curl_easy_setopt(transport->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
	/* A server that reads slower than the slowest allowed line is one that hangs. */
	curl_easy_setopt(transport->curl, CURLOPT_TIMEOUT,
			 (long)(CONNECT_SECONDS + ANSWER_SECONDS + size / (speed && speed < 10000 ? speed : 10000) * 2));
	code = curl_easy_perform(transport->curl);
	if (code)
		return judge_failure(transport, code, reason);
	curl_easy_getinfo(transport->curl, CURLINFO_RESPONSE_CODE, &status);
	return judge_answer(transport, status, reason);
}

/* An answer that is taken by lines. */
struct answer {
	struct transport *transport;
	char *bytes;
	size_t length, room;
	bool full;
};

static size_t take_bytes(char *bytes, size_t one, size_t size, void *context)
{
	struct answer *answer = context;
	size_t room = answer->room ? 2 * answer->room : 65536;
	char *larger;

	/* The begin tells what is wrong, if something is. */
	take_answer(bytes, one, size, answer->transport);
	while (room < answer->length + size)
		room *= 2;
	if (answer->length + size > answer->room) {
		larger = room <= TAKEN_BYTES ? realloc(answer->bytes, room) : NULL;
		answer->full = !larger;
		if (!larger)
			return 0;
		answer->bytes = larger;
		answer->room = room;
	}
	memcpy(answer->bytes + answer->length, bytes, size);
	answer->length += size;
	return one * size;
}

/* Gives the lines of an answer.  Return: 0, or -1 if they are not an answer to the question. */
static int give_lines(const struct answer *answer, void *context, int (*line)(void *context, const char *line, size_t length))
{
	const char *at = answer->bytes, *end = answer->bytes + answer->length, *next;
	int r = 0;

	for (; !r && at < end; at = next + 1) {
		next = memchr(at, '\n', (size_t)(end - at));
		if (!next)
			return -1;
		r = next > at ? line(context, at, (size_t)(next - at)) : 0;
	}
	return r;
}

int transport_ask(struct transport *transport, const char *query, void *context,
		  int (*line)(void *context, const char *line, size_t length), const char **reason)
{
	struct answer answer = { .transport = transport };
	long status = 0;
	CURLcode code;
	int r = -ENOMEM;

	*reason = "there is no memory for an address";
	if (set_address(transport, query))
		return r;
	transport->kept_length = transport->answered = 0;
	transport->kept[0] = '\0';
	curl_easy_setopt(transport->curl, CURLOPT_HTTPGET, 1L);
	curl_easy_setopt(transport->curl, CURLOPT_HTTPHEADER, NULL);
	curl_easy_setopt(transport->curl, CURLOPT_WRITEFUNCTION, take_bytes);
	curl_easy_setopt(transport->curl, CURLOPT_WRITEDATA, &answer);
	curl_easy_setopt(transport->curl, CURLOPT_TIMEOUT, (long)(CONNECT_SECONDS + ANSWER_SECONDS));
	code = curl_easy_perform(transport->curl);
	curl_easy_getinfo(transport->curl, CURLINFO_RESPONSE_CODE, &status);
	if (code && answer.full) {
		*reason = "the server's answer is larger than 64 MiB";
		r = -EMSGSIZE;
	} else {
		r = code ? judge_failure(transport, code, reason) : judge_answer(transport, status, reason);
	}
	if (!r && give_lines(&answer, context, line)) {
		snprintf(transport->reason, sizeof(transport->reason), "%s gives an answer that is not one of ClickHouse", transport->name);
		*reason = transport->reason;
		r = -EPROTO;
	}
	free(answer.bytes);
	return r;
}

/* What all requests have in common. */
static void set_options(struct transport *transport)
{
	const struct transport_options *options = &transport->options;
	CURL *curl = transport->curl;
	static struct curl_slist packed = { .data = (char *)"Content-Encoding: gzip" };
	static struct curl_slist headers = { .data = (char *)"Expect:", .next = &packed };

	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_POST, 1L);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, &headers);
	curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, transport);
	curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, transport);
	curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(curl, CURLOPT_XFERINFODATA, transport);
	if (options->speed)
		curl_easy_setopt(curl, CURLOPT_MAX_SEND_SPEED_LARGE, (curl_off_t)options->speed);
	if (options->netrc)
		curl_easy_setopt(curl, CURLOPT_NETRC_FILE, options->netrc);
	if (options->ca)
		curl_easy_setopt(curl, CURLOPT_CAINFO, options->ca);
	if (options->certificate)
		curl_easy_setopt(curl, CURLOPT_SSLCERT, options->certificate);
	if (options->key)
		curl_easy_setopt(curl, CURLOPT_SSLKEY, options->key);
}

/* libcurl would go on without a user if the file is not there.  Return: 0, or -1 after a complaint. */
static int check_netrc(const char *path)
{
	if (!path || !access(path, R_OK))
		return 0;
	complain("%s cannot be read: %s: --netrc takes the file of users and passwords", path, strerror(errno));
	return -1;
}

struct transport *transport_new(const struct transport_options *options)
{
	struct transport *transport = calloc(1, sizeof(*transport));

	if (!transport || curl_global_init(CURL_GLOBAL_DEFAULT)) {
		complain("there is no memory for the sender");
		free(transport);
		return NULL;
	}
	transport->options = *options;
	if (check_netrc(options->netrc) || take_url(transport)) {
		transport_free(transport);
		return NULL;
	}
	transport->curl = curl_easy_init();
	transport->packs = deflateInit2(&transport->gzip, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
	if (!transport->curl || !transport->packs) {
		complain("there is no memory for the sender");
		transport_free(transport);
		return NULL;
	}
	set_options(transport);
	return transport;
}

void transport_free(struct transport *transport)
{
	if (!transport)
		return;
	curl_easy_cleanup(transport->curl);
	curl_url_cleanup(transport->url);
	if (transport->packs)
		deflateEnd(&transport->gzip);
	free(transport->packed);
	free(transport->name);
	free(transport->place);
	free(transport);
	curl_global_cleanup();
}

const char *transport_name(const struct transport *transport)
{
	return transport->name;
}

const char *transport_place(const struct transport *transport)
{
	return transport->place;
}
