// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Serves by libmicrohttpd: see http.h. */
#include <arpa/inet.h>
#include <limits.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/random.h>
#include <unistd.h>

#include "host/linux.h"
#include "http.h"
#include "places.h"
#include "complain/complain.h"
#include "views/metrics/metrics.h"

#define IDLE_SECONDS 30
#define HTTP_PORT 80		/* a browser leaves this port out */

/* The Content-Security-Policy of answers that are no page. */
#define NO_PAGE "default-src 'none'; frame-ancestors 'none'"

/* About how many bytes of the log one answer has. */
#define PART (4u << 20)

struct http {
	struct MHD_Daemon *daemon;
	struct http_options options;
	struct MHD_Response *page, *refused;
	struct places places;
	struct sockaddr_storage address;
	char token[HTTP_TOKEN];
	bool everywhere;		/* the address is no loopback address */
	unsigned int port;
};

/* Is @given the token? The time that this takes does not depend on the place where the strings differ. */
static bool is_token(const struct http *http, const char *given)
{
	size_t length = given ? strlen(given) : 0, i;
	unsigned int differ = length != HTTP_TOKEN - 1;

	for (i = 0; i < HTTP_TOKEN - 1; i++)
		differ |= (unsigned char)http->token[i] ^ (unsigned int)(i < length ? (unsigned char)given[i] : 0);
	return !differ;
}

/*
 * Gets the name or address out of "NAME", "NAME:PORT", "[ADDRESS]" or "[ADDRESS]:PORT", without the zone of an address.
 * Return: whether the port is the server's.
 */
static bool split_host(const struct http *http, const char *host, char *name, size_t size)
{
	bool six = *host == '[';
	size_t length = strcspn(host + six, six ? "]" : ":");
	const char *rest = host + six + length;
	char port[8];

	if (six && *rest++ != ']')
		return false;
	snprintf(port, sizeof(port), ":%u", http->port);
	if (strcmp(rest, port) && (*rest || http->port != HTTP_PORT))
		return false;
	return (size_t)snprintf(name, size, "%.*s", (int)strcspn(host + six, six ? "%]" : ":"), host + six) < size;
}

/* Is @name an address of this machine at which the server can be reached? It may be written in several ways. */
static bool is_address(const struct http *http, const char *name, bool six)
{
	const struct sockaddr_in6 *own6 = (const struct sockaddr_in6 *)&http->address;
	const struct sockaddr_in *own = (const struct sockaddr_in *)&http->address;
	struct in6_addr address6;
	struct in_addr address;

	if (six)
		return inet_pton(AF_INET6, name, &address6) == 1 &&
		       (http->everywhere || IN6_IS_ADDR_LOOPBACK(&address6) ||
			(own6->sin6_family == AF_INET6 && IN6_ARE_ADDR_EQUAL(&address6, &own6->sin6_addr)));
	return inet_pton(AF_INET, name, &address) == 1 &&
	       (http->everywhere || ntohl(address.s_addr) == INADDR_LOOPBACK ||
		(own->sin_family == AF_INET && address.s_addr == own->sin_addr.s_addr));
}

/*
 * A page of another site can make a browser send requests to this server under a name of that site that resolves to
 * this machine. Such a request has that name in its Host header, so only names and addresses of this machine are
 * accepted. A server that listens on a network accepts any numeric address, since no name was resolved for it.
 */
static bool is_own_host(const struct http *http, const char *host)
{
	char name[300], own[HOST_NAME_MAX + 1] = "";

	if (!host || !split_host(http, host, name, sizeof(name)))
		return false;
	if (is_address(http, name, *host == '['))
		return true;
	if (*host == '[')
		return false;
	return !strcasecmp(name, "localhost") ||
	       (http->everywhere && !gethostname(own, sizeof(own) - 1) && *own && !strcasecmp(name, own));
}

static struct MHD_Response *make_response(char *bytes, size_t size, enum MHD_ResponseMemoryMode mode, const char *type,
					  const char *policy)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(size, bytes, mode);

	if (!response)
		return NULL;
	MHD_add_response_header(response, "Content-Type", type);
	MHD_add_response_header(response, "Content-Security-Policy", policy);
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
	MHD_add_response_header(response, "X-Frame-Options", "DENY");
	MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
	return response;
}

static void add_number(struct MHD_Response *response, const char *name, u64 number)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	MHD_add_response_header(response, name, text);
}

/* Return: the ns that have passed since the newest entry of the log; 0 if that is not known. */
static u64 age_of(const struct http *http, const struct latest_part *part)
{
	u64 now = clock_now(CLOCK_BOOTTIME);

	return http->options.present && part->newest && now > part->newest ? now - part->newest : 0;
}

static enum MHD_Result answer_log(const struct http *http, struct MHD_Connection *connection)
{
	const char *from = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "from");
	struct MHD_Response *response;
	struct latest_part part;
	enum MHD_Result result;

	if (latest_copy(http->options.latest, from ? strtoull(from, NULL, 10) : 0, PART, &part))
		return MHD_NO;
	response = make_response(part.bytes, part.size, MHD_RESPMEM_MUST_FREE, "application/octet-stream", NO_PAGE);
	if (!response) {
		free(part.bytes);
		return MHD_NO;
	}
	add_number(response, "Bcoslog-From", part.from);
	add_number(response, "Bcoslog-Base", part.base);
	add_number(response, "Bcoslog-Ended", part.ended);
	add_number(response, "Bcoslog-Full", part.full);
	add_number(response, "Bcoslog-Age", age_of(http, &part));
	result = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result answer_metrics(const struct http *http, struct MHD_Connection *connection)
{
	struct MHD_Response *response;
	enum MHD_Result result;
	size_t size;
	char *text = counter_text(http->options.counter, &size);

	response = text ? make_response(text, size, MHD_RESPMEM_MUST_FREE,
					"application/openmetrics-text; version=1.0.0; charset=utf-8", NO_PAGE) : NULL;
	if (!response) {
		free(text);
		return MHD_NO;
	}
	result = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return result;
}

/* The server says that a connection begins or ends. Its context is its place. */
static void note_connection(void *context, struct MHD_Connection *connection, void **place,
			    enum MHD_ConnectionNotificationCode code)
{
	const union MHD_ConnectionInfo *info;
	struct http *http = context;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		place_leave(*place);
		return;
	}
	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	*place = info ? place_take(&http->places, info->connect_fd) : NULL;
}

/* A client that has the token keeps its place. */
static void trust_connection(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	if (info && info->socket_context)
		((struct place *)info->socket_context)->trusted = true;
}

static enum MHD_Result answer_request(void *context, struct MHD_Connection *connection, const char *url,
				      const char *method, const char *version, const char *data, size_t *size,
				      void **state)
{
	const struct http *http = context;

	(void)version;
	(void)data;
	/* The first call for a request comes with the headers alone. An answer to it would close the connection. */
	if (!*state) {
		*state = (void *)1;
		return MHD_YES;
	}
	if (*size) {
		*size = 0;
		return MHD_YES;
	}
	if (strcmp(method, "GET"))
		return MHD_queue_response(connection, MHD_HTTP_METHOD_NOT_ALLOWED, http->refused);
	if (!is_own_host(http, MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host")) ||
	    !is_token(http, MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token")))
		return MHD_queue_response(connection, MHD_HTTP_FORBIDDEN, http->refused);
	trust_connection(connection);
	if (!strcmp(url, "/"))
		return MHD_queue_response(connection, MHD_HTTP_OK, http->page);
	if (!strcmp(url, "/log"))
		return answer_log(http, connection);
	if (!strcmp(url, "/metrics"))
		return answer_metrics(http, connection);
	return MHD_queue_response(connection, MHD_HTTP_NOT_FOUND, http->refused);
}

static int make_token(struct http *http)
{
	unsigned char random[(HTTP_TOKEN - 1) / 2];
	size_t i;

	if (http->options.token) {
		memcpy(http->token, http->options.token, HTTP_TOKEN);
		return 0;
	}
	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return -errno;
	for (i = 0; i < sizeof(random); i++)
		snprintf(http->token + 2 * i, 3, "%02x", random[i]);
	return 0;
}

/* Parses the numeric address.  Return: 0, or -1 if it is none. */
static int resolve_address(const struct http_options *options, struct sockaddr_storage *address)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM }, *found;
	char port[8];

	snprintf(port, sizeof(port), "%u", options->port);
	if (getaddrinfo(options->address ? options->address : "127.0.0.1", port, &hints, &found))
		return -1;
	memcpy(address, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	return 0;
}

static bool is_loopback(const struct sockaddr_storage *address)
{
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
	const struct sockaddr_in *four = (const struct sockaddr_in *)address;

	if (address->ss_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
	return ntohl(four->sin_addr.s_addr) >> 24 == 127;
}

static void name_url(const struct http *http, const struct sockaddr_storage *address, char *url, size_t size)
{
	const char *name = http->options.address ? http->options.address : "127.0.0.1";
	bool six = address->ss_family == AF_INET6;
	const char *zone = strchrnul(name, '%');

	/* In an URL the percent sign before a zone is escaped. */
	snprintf(url, size, "http://%s%.*s%s%s%s:%u/?token=%s", six ? "[" : "", (int)(zone - name), name,
		 *zone ? "%25" : "", *zone ? zone + 1 : "", six ? "]" : "", http->port, http->token);
}

struct http *http_start(const struct http_options *options, char *url, size_t size)
{
	struct http *http = calloc(1, sizeof(*http));
	struct sockaddr_storage address = { 0 };
	const union MHD_DaemonInfo *info;
	static char text[] = "This request is refused: open the address that bcoslog serve printed.\n";

	if (http)
		http->options = *options;
	if (!http || make_token(http)) {
		complain("no memory or no random numbers for a server");
		free(http);
		return NULL;
	}
	if (resolve_address(options, &address)) {
		complain("--listen takes a numeric address, such as 192.0.2.1 or [::1]:8970, and not \"%s\"",
			 options->address);
		free(http);
		return NULL;
	}
	http->address = address;
	http->everywhere = !is_loopback(&address);
	http->page = make_response((char *)(uintptr_t)options->page, options->page_size, MHD_RESPMEM_PERSISTENT,
				   "text/html; charset=utf-8", options->policy);
	http->refused = make_response(text, sizeof(text) - 1, MHD_RESPMEM_PERSISTENT, "text/plain", NO_PAGE);
	http->daemon = !http->page || !http->refused ? NULL :
		MHD_start_daemon(
			MHD_USE_INTERNAL_POLLING_THREAD | (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0), 0,
			NULL, NULL, answer_request, http, MHD_OPTION_SOCK_ADDR, &address,
			MHD_OPTION_CONNECTION_LIMIT, (unsigned int)(PLACES + PLACES_SPARE),
			MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)IDLE_SECONDS,
			MHD_OPTION_NOTIFY_CONNECTION, note_connection, http, MHD_OPTION_END);
	if (!http->daemon) {
		complain("cannot listen at %s, port %u: %s", options->address ? options->address : "127.0.0.1",
			 options->port,
			 strerror(errno));
		http_stop(http);
		return NULL;
	}
	info = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT);
	http->port = info ? info->port : options->port;
	name_url(http, &address, url, size);
	return http;
}

void http_stop(struct http *http)
{
	if (!http)
		return;
	if (http->daemon)
		MHD_stop_daemon(http->daemon);
	if (http->page)
		MHD_destroy_response(http->page);
	if (http->refused)
		MHD_destroy_response(http->refused);
	free(http);
}
