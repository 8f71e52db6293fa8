// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The HTTP server of bcoslog serve, with a libmicrohttpd of the test: whose requests are answered, and with what. */
#include "printed.h"

#if __has_include(<microhttpd.h>) && !defined(WITHOUT_HTTP)
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>

#include "../late/microhttpd.h"
#include "made_log.h"
#include "serve/http.h"

/* ---- the library ------------------------------------------------------------------------------ */

struct late_microhttpd late_microhttpd;

struct response {
	char *bytes;
	size_t size;
	enum MHD_ResponseMemoryMode mode;
	char headers[1000];
};

static bool is_missing;
static int start_error, responses, daemons;
static unsigned int daemon_flags, connections, timeout;
static struct sockaddr_storage address;
static MHD_AccessHandlerCallback answer;
static void *answer_context;
/* Parts of a request, and what was answered. */
static const char *host, *token, *from;
static unsigned int status;
static struct response *answered;
static char answered_bytes[1000];

int late_microhttpd_open(const char *feature)
{
	assert_string_equal(feature, "bcoslog serve");
	return is_missing ? -1 : 0;
}

static struct MHD_Response *make_response(size_t size, void *bytes, enum MHD_ResponseMemoryMode mode)
{
	struct response *response = calloc(1, sizeof(*response));

	*response = (struct response){ .bytes = bytes, .size = size, .mode = mode };
	responses++;
	return (struct MHD_Response *)response;
}

static enum MHD_Result add_header(struct MHD_Response *response, const char *name, const char *value)
{
	struct response *to = (struct response *)response;
	size_t used = strlen(to->headers);

	snprintf(to->headers + used, sizeof(to->headers) - used, "%s: %s\n", name, value);
	return MHD_YES;
}

static void drop_response(struct MHD_Response *response)
{
	struct response *dropped = (struct response *)response;

	if (dropped->mode == MHD_RESPMEM_MUST_FREE)
		free(dropped->bytes);
	free(dropped);
	responses--;
}

static struct MHD_Daemon *start_daemon(unsigned int flags, uint16_t port, MHD_AcceptPolicyCallback accept,
	void *accept_context,
				       MHD_AccessHandlerCallback handler, void *context, ...)
{
	enum MHD_OPTION option;
	va_list options;

	daemon_flags = flags;
	answer = handler;
	answer_context = context;
	connections = timeout = 0;
	va_start(options, context);
	while ((option = va_arg(options, enum MHD_OPTION)) != MHD_OPTION_END) {
		if (option == MHD_OPTION_SOCK_ADDR) {
			const struct sockaddr *given = va_arg(options, const struct sockaddr *);

			memcpy(&address, given,
				given->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
		} else if (option == MHD_OPTION_CONNECTION_LIMIT) {
			connections = va_arg(options, unsigned int);
		} else if (option == MHD_OPTION_CONNECTION_TIMEOUT) {
			timeout = va_arg(options, unsigned int);
		} else if (option == MHD_OPTION_NOTIFY_CONNECTION) {
			assert_non_null(va_arg(options, void *));
			assert_ptr_equal(va_arg(options, void *), context);
		} else {
			fail();
		}
	}
	va_end(options);
	errno = start_error;
	daemons += !start_error;
	return start_error ? NULL : (struct MHD_Daemon *)1;
}

static void stop_daemon(struct MHD_Daemon *daemon)
{
	daemons--;
}

static const union MHD_DaemonInfo *get_info(struct MHD_Daemon *daemon, enum MHD_DaemonInfoType kind, ...)
{
	static union MHD_DaemonInfo info;

	assert_int_equal(kind, MHD_DAEMON_INFO_BIND_PORT);
	info.port = 4711;
	return &info;
}

static const union MHD_ConnectionInfo *get_connection(struct MHD_Connection *connection,
						      enum MHD_ConnectionInfoType kind, ...)
{
	return NULL;
}

static const char *look_up(struct MHD_Connection *connection, enum MHD_ValueKind kind, const char *key)
{
	if (kind == MHD_HEADER_KIND && !strcmp(key, "Host"))
		return host;
	if (kind == MHD_GET_ARGUMENT_KIND && !strcmp(key, "token"))
		return token;
	return kind == MHD_GET_ARGUMENT_KIND && !strcmp(key, "from") ? from : NULL;
}

static enum MHD_Result queue_response(struct MHD_Connection *connection, unsigned int code,
	struct MHD_Response *response)
{
	static struct response copy;

	status = code;
	copy = *(struct response *)response;
	if (copy.size)
		memcpy(answered_bytes, copy.bytes,
			copy.size < sizeof(answered_bytes) ? copy.size : sizeof(answered_bytes));
	answered = &copy;
	return MHD_YES;
}

static int use_library(void **state)
{
	late_microhttpd = (struct late_microhttpd){
		.MHD_add_response_header = add_header, .MHD_create_response_from_buffer = make_response,
		.MHD_destroy_response = drop_response, .MHD_get_daemon_info = get_info,
		.MHD_get_connection_info = get_connection,
			.MHD_lookup_connection_value = look_up,
		.MHD_queue_response = queue_response, .MHD_start_daemon = start_daemon, .MHD_stop_daemon = stop_daemon,
	};
	is_missing = false;
	start_error = responses = daemons = 0;
	return 0;
}

/* ---- a server ------------------------------------------------------------------------------------ */

static struct latest *latest;
static struct http *http;
static char url[200];

static void start_server(const char *at)
{
	struct http_options options = {
		.address = at, .page = "the page", .page_size = 8, .policy = "the policy", .latest = latest,
	};

	http_stop(http);
	assert_complains("", (http = http_start(&options, url, sizeof(url))) != NULL);
	token = strstr(url, "token=") + 6;
	host = "127.0.0.1:4711";
	from = NULL;
}

static int end_server(void **state)
{
	http_stop(http);
	http = NULL;
	latest_free(latest);
	latest = NULL;
	return responses || daemons;
}

/* Asks for a place.  Return: the status of the answer, 0: there was none. */
static unsigned int ask_place(const char *method, const char *place)
{
	void *request = NULL;
	size_t size = 0;

	status = 0;
	answered = NULL;
	/* After the headers alone there is no answer. */
	assert_int_equal(answer(answer_context, NULL, place, method, "HTTP/1.1", NULL, &size, &request), MHD_YES);
	assert_int_equal(status, 0);
	assert_int_equal(answer(answer_context, NULL, place, method, "HTTP/1.1", NULL, &size, &request), MHD_YES);
	return status;
}

#define REFUSED "This request is refused: open the address that bcoslog serve printed.\n"
#define SAFE "Cache-Control: no-store\nX-Content-Type-Options: nosniff\nReferrer-Policy: no-referrer\nX-Frame-Options: DENY\n" \
	"Cross-Origin-Resource-Policy: same-origin\n"
#define NO_PAGE "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\n"

static void assert_refused(unsigned int code)
{
	assert_int_equal(status, code);
	assert_int_equal(answered->size, strlen(REFUSED));
	assert_memory_equal(answered_bytes, REFUSED, strlen(REFUSED));
	assert_string_equal(answered->headers, "Content-Type: text/plain\n" NO_PAGE SAFE);
}

/* ---- where it is ----------------------------------------------------------------------------------- */

static void the_address_has_a_token(void **state)
{
	const struct sockaddr_in *four = (const struct sockaddr_in *)&address;
	char first[33];

	start_server(NULL);
	assert_int_equal(strncmp(url, "http://127.0.0.1:4711/?token=", 29), 0);
	assert_int_equal(strlen(token), 32);
	assert_int_equal(strspn(token, "0123456789abcdef"), 32);
	assert_int_equal(four->sin_family, AF_INET);
	assert_int_equal(ntohl(four->sin_addr.s_addr), 0x7F000001);
	assert_int_equal(daemon_flags, MHD_USE_INTERNAL_POLLING_THREAD);
	assert_int_equal(connections, 80);
	assert_int_equal(timeout, 30);
	strcpy(first, token);
	start_server("::1");
	assert_int_equal(strncmp(url, "http://[::1]:4711/?token=", 25), 0);
	assert_int_equal(address.ss_family, AF_INET6);
	assert_int_equal(daemon_flags, MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_IPv6);
	assert_string_not_equal(first, token);
	assert_int_equal(responses, 2);
	assert_int_equal(daemons, 1);
	assert_true(http_is_here());
	http_stop(NULL);
}

static void what_cannot_start(void **state)
{
	struct http_options options = { .address = "nonsense", .port = 5, .page = "p", .page_size = 1, .policy = "p" };

	assert_complains("bcoslog: --listen takes a numeric address, such as 192.0.2.1 or [::1]:8970, and not \"nonsense\"\n",
			 !http_start(&options, url, sizeof(url)));
	start_error = EADDRINUSE;
	options.address = "192.0.2.1";
	assert_complains("bcoslog: cannot listen at 192.0.2.1, port 5: Address already in use\n",
			 !http_start(&options, url, sizeof(url)));
	assert_int_equal(ntohs(((const struct sockaddr_in *)&address)->sin_port), 5);
	options.address = NULL;
	assert_complains("bcoslog: cannot listen at 127.0.0.1, port 5: Address already in use\n",
			 !http_start(&options, url, sizeof(url)));
	is_missing = true;
	assert_complains("", !http_start(&options, url, sizeof(url)));
}

/* ---- who is answered --------------------------------------------------------------------------------- */

static void the_page(void **state)
{
	start_server(NULL);
	assert_int_equal(ask_place("GET", "/"), 200);
	assert_int_equal(answered->size, 8);
	assert_memory_equal(answered_bytes, "the page", 8);
	assert_string_equal(answered->headers,
		"Content-Type: text/html; charset=utf-8\nContent-Security-Policy: the policy\n" SAFE);
	ask_place("GET", "/other");
	assert_refused(404);
	ask_place("GET", "");
	assert_refused(404);
	ask_place("POST", "/");
	assert_refused(405);
	ask_place("get", "/");
	assert_refused(405);
}

/* The body of a request is read and forgotten, and then the request is answered. */
static void a_request_with_a_body(void **state)
{
	void *request = (void *)1;
	size_t size = 5;

	start_server(NULL);
	status = 0;
	assert_int_equal(answer(answer_context, NULL, "/", "POST", "HTTP/1.1", "12345", &size, &request), MHD_YES);
	assert_int_equal(size, 0);
	assert_int_equal(status, 0);
	assert_int_equal(answer(answer_context, NULL, "/", "POST", "HTTP/1.1", NULL, &size, &request), MHD_YES);
	assert_refused(405);
}

static void only_with_the_token(void **state)
{
	const char *right;
	char wrong[40];
	size_t i;

	start_server(NULL);
	right = token;
	for (i = 0; i < 32; i++) {
		strcpy(wrong, right);
		wrong[i] ^= 1;
		token = wrong;
		ask_place("GET", "/log");
		assert_refused(403);
	}
	strcpy(wrong, right);
	wrong[31] = '\0';
	ask_place("GET", "/");
	assert_refused(403);
	snprintf(wrong, sizeof(wrong), "%s0", right);
	ask_place("GET", "/");
	assert_refused(403);
	token = "";
	ask_place("GET", "/");
	assert_refused(403);
	token = NULL;
	ask_place("GET", "/");
	assert_refused(403);
	token = right;
	assert_int_equal(ask_place("GET", "/"), 200);
}

static void assert_host(const char *name, bool taken)
{
	host = name;
	assert_int_equal(ask_place("GET", "/"), taken ? 200 : 403);
}

/* Names and addresses of this machine, with the port. */
static void only_for_this_machine(void **state)
{
	static const char *const places[] = { NULL, "127.0.0.1", "127.9.9.9", "::1" };
	size_t i;

	for (i = 0; i < 4; i++) {
		start_server(places[i]);
		assert_host("127.0.0.1:4711", true);
		assert_host("localhost:4711", true);
		assert_host("LocalHost:4711", true);
		assert_host("[::1]:4711", true);
		assert_host("127.0.0.1", false);
		assert_host("127.0.0.1:4712", false);
		assert_host("127.0.0.1:47110", false);
		assert_host("example.org:4711", false);
		assert_host("192.0.2.1:4711", false);
		assert_host("", false);
		assert_host(NULL, false);
	}
}

/* A request over a network names any numeric address, or this machine. */
static void only_numbers_over_a_network(void **state)
{
	static const char *const places[] = { "192.0.2.1", "0.0.0.0", "126.0.0.1", "128.0.0.1", "2001:db8::1" };
	char name[300], own[200] = "";
	size_t i;

	for (i = 0; i < 5; i++) {
		start_server(places[i]);
		assert_host("127.0.0.1:4711", true);
		assert_host("198.51.100.7:4711", true);
		assert_host("[2001:db8::7]:4711", true);
		assert_host("example.org:4711", false);
		assert_host("198.51.100.7:4712", false);
		assert_host("198.51.100.7", false);
		assert_host("198.51.100:4711", false);
		assert_host("2001:db8::7:4711", false);
		assert_host("[2001:db8::7:4711", false);
		assert_host("[]:4711", false);
		assert_host(":4711", false);
		assert_host("4711", false);
		assert_host("", false);
		assert_int_equal(gethostname(own, sizeof(own) - 1), 0);
		snprintf(name, sizeof(name), "%s:4711", own);
		assert_host(name, true);
		snprintf(name, sizeof(name), "%sx:4711", own);
		assert_host(name, false);
		memset(name, '1', 299);
		strcpy(name + 294, ":4711");
		assert_host(name, false);
	}
}

/* ---- the log --------------------------------------------------------------------------------------------- */

/* Adds an entry of 24 bytes. */
static void add_entry(const struct made *entry)
{
	assert_int_equal(latest_add(latest, (const struct bcos_entry *)entry->word,
		(const struct bcos_entry *)(entry->word + 6)), 0);
}

static void the_log_from_a_place_on(void **state)
{
	struct made made[2];

	latest = latest_new(1 << 20);
	made_word(&made[0], BCOS_ASSIGN_CPU, 0, 5, 10);
	add_entry(&made[0]);
	made_word(&made[1], BCOS_ASSIGN_CPU, 0, 6, 11);
	add_entry(&made[1]);
	start_server(NULL);
	assert_int_equal(ask_place("GET", "/log"), 200);
	assert_int_equal(answered->size, 48);
	assert_memory_equal(answered_bytes, made[0].word, 24);
	assert_memory_equal(answered_bytes + 24, made[1].word, 24);
	assert_string_equal(answered->headers, "Content-Type: application/octet-stream\n" NO_PAGE SAFE
			    "Bcoslog-From: 0\nBcoslog-Base: 0\nBcoslog-Ended: 0\nBcoslog-Full: 0\nBcoslog-Age: 0\n");
	from = "24";
	latest_end(latest);
	assert_int_equal(ask_place("GET", "/log"), 200);
	assert_int_equal(answered->size, 24);
	assert_memory_equal(answered_bytes, made[1].word, 24);
	assert_string_equal(answered->headers, "Content-Type: application/octet-stream\n" NO_PAGE SAFE
			    "Bcoslog-From: 24\nBcoslog-Base: 0\nBcoslog-Ended: 1\nBcoslog-Full: 0\nBcoslog-Age: 0\n");
	from = "48";
	assert_int_equal(ask_place("GET", "/log"), 200);
	assert_int_equal(answered->size, 0);
	/* Nothing of an answer stays. */
	assert_int_equal(responses, 2);
}

#define http_test(test) cmocka_unit_test_setup_teardown(test, use_library, end_server)

int main(void)
{
	const struct CMUnitTest tests[] = {
		http_test(the_address_has_a_token),
		http_test(what_cannot_start),
		http_test(the_page),
		http_test(a_request_with_a_body),
		http_test(only_with_the_token),
		http_test(only_for_this_machine),
		http_test(only_numbers_over_a_network),
		http_test(the_log_from_a_place_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	puts("1..0 # SKIP the tool is built without libmicrohttpd");
	return 77;
}
#endif
