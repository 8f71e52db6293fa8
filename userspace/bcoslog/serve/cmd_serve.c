// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog serve: serves the explorer's page while the log grows. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "command.h"
#include "libexec/libexec.h"
#include "commands/commands.h"
#include "http.h"
#include "log/lag.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "log/boots.h"
#include "options/number.h"
#include "options/options.h"
#include "options/shared.h"
#include "output/output.h"
#include "served.h"
#include "complain/complain.h"
#include "views/metrics/metrics.h"

/* make_page() replaces the first two texts in the page by the others, so that the page asks its server for the log. */
static const char log_place[] = "<!--bcoslog:log-->", no_requests[] = "connect-src 'none'",
		  own_requests[] = "connect-src 'self'";
static const char live_mark[] = "<meta name=\"bcoslog-live\" content=\"log\">";

static struct serve {
	const char *address;
	unsigned int port;
	u64 mib;
	struct counter *counter;
	char token[HTTP_TOKEN + 1];	/* empty: a random one */
	bool full;			/* entries are left out up to the next group, and a complaint has said so */
	char storage[80];
} serve = { .mib = 32 };

static int take_port(const char *text)
{
	u64 port;

	if (parse_number("--listen", text, 65535, &port))
		return -1;
	serve.port = (unsigned int)port;
	return 0;
}

/* Takes ADDRESS, ADDRESS:PORT, [ADDRESS]:PORT or :PORT. An address with several colons is one of IPv6. */
static int take_listen(struct arguments *arguments, const char *text)
{
	const char *begin = text, *end = text + strlen(text), *colon = strrchr(text, ':');

	(void)arguments;
	if (*text == '[') {
		begin = text + 1;
		end = strchr(text, ']');
		if (!end || (end[1] && end[1] != ':')) {
			complain("--listen takes [ADDRESS]:PORT, and not \"%s\"", text);
			return -1;
		}
		colon = end[1] ? end + 1 : NULL;
	} else if (colon && colon == strchr(text, ':')) {
		end = colon;
	} else {
		colon = NULL;
	}
	if ((size_t)(end - begin) >= sizeof(serve.storage)) {
		complain("--listen: \"%s\" is no address", text);
		return -1;
	}
	memcpy(serve.storage, begin, (size_t)(end - begin));
	serve.address = end > begin ? serve.storage : NULL;
	return colon ? take_port(colon + 1) : 0;
}

static int take_memory(struct arguments *arguments, const char *text)
{
	(void)arguments;
	if (parse_number("--memory", text, 1024, &serve.mib))
		return -1;
	if (serve.mib)
		return 0;
	complain("--memory takes 1 to 1024 MiB");
	return -1;
}

/* Who asks again and again, as Prometheus does, needs the same token after each start. */
static int take_token(struct arguments *arguments, const char *path)
{
	char text[HTTP_TOKEN + 1];
	FILE *file = fopen(path, "re");
	bool good;

	(void)arguments;
	if (!file) {
		complain("%s cannot be read: %s", path, strerror(errno));
		return -1;
	}
	good = fgets(text, sizeof(text), file) && strspn(text, "0123456789abcdef") == HTTP_TOKEN - 1 && !text[HTTP_TOKEN - 1 + (text[HTTP_TOKEN - 1] == '\n')];
	fclose(file);
	if (!good) {
		complain("%s has no token of 32 hexadecimal digits: openssl rand -hex 16 makes one", path);
		return -1;
	}
	memcpy(serve.token, text, HTTP_TOKEN - 1);
	return 0;
}

static int take_entries(struct run *run, const struct bcoslog_batch *batch)
{
	int counted = counter_add(serve.counter, batch), r = served_add(run->context, batch);

	if (counted || (r && r != -ENOSPC)) {
		r = r && r != -ENOSPC ? r : counted;
		complain("no memory for the names in %s", run->path);
		return r;
	}
	if (r && !serve.full)
		complain("%s has no group of historical entries in %llu MiB: the page goes on at the next group; --memory keeps "
			 "more", run->path, (unsigned long long)serve.mib);
	serve.full = r;
	return 0;
}

static void resume_entries(struct run *run)
{
	served_forget(run->context);
}

/* Appends bytes at *@to, and advances it. */
static void append_bytes(char **to, const char *from, size_t size)
{
	memcpy(*to, from, size);
	*to += size;
}

/*
 * Return: the policy that the page states, for a header, with a rule against frames, which works only in a header; NULL
 * if there is no policy or no memory.
 */
static char *policy_of(const char *page, size_t size)
{
	static const char before[] = "Content-Security-Policy\" content=\"";
	const char *begin = memmem(page, size, before, sizeof(before) - 1), *end;
	char *policy = NULL;

	if (!begin)
		return NULL;
	begin += sizeof(before) - 1;
	end = memchr(begin, '"', size - (size_t)(begin - page));
	if (!end || asprintf(&policy, "%.*s; frame-ancestors 'none'", (int)(end - begin), begin) < 0)
		return NULL;
	return policy;
}

/* Return: a copy of the built page that asks its server for the log; NULL if there is no memory. */
static char *make_page(size_t *size)
{
	size_t whole = (size_t)(explorer_page_end - explorer_page);
	const char *policy = memmem(explorer_page, whole, no_requests, sizeof(no_requests) - 1);
	const char *log = memmem(explorer_page, whole, log_place, sizeof(log_place) - 1);
	char *page = malloc(whole + sizeof(live_mark)), *at = page;

	if (!page || !policy || !log || log < policy) {
		free(page);
		return NULL;
	}
	append_bytes(&at, explorer_page, (size_t)(policy - explorer_page));
	append_bytes(&at, own_requests, sizeof(own_requests) - 1);
	policy += sizeof(no_requests) - 1;
	append_bytes(&at, policy, (size_t)(log - policy));
	append_bytes(&at, live_mark, sizeof(live_mark) - 1);
	log += sizeof(log_place) - 1;
	append_bytes(&at, log, (size_t)(explorer_page_end - log));
	*size = (size_t)(at - page);
	return page;
}

/* Reads the log until it ends, and serves it until a signal comes.  Return: the exit status. */
static int serve_log(struct run *run, struct latest *latest, const char *page, size_t size, const char *policy)
{
	struct http_options where = {
		.address = serve.address, .port = serve.port, .page = page, .page_size = size, .policy = policy,
		.latest = latest, .counter = serve.counter, .token = *serve.token ? serve.token : NULL,
	};
	char url[256];
	struct http *http;
	int status;

	if (run_open(run, 0))
		return EXIT_ENVIRONMENT;
	where.present = lag_is_known(run);
	http = http_start(&where, url, sizeof(url));
	if (!http)
		return run_close(run, EXIT_ENVIRONMENT);
	output_sentence(bcoslog_kind(run->log) == BCOSLOG_BPF ? "The log of the BPF programs" : run->path);
	output_format(" is at %s\n", url);
	output_flush();
	status = run_log(run);
	latest_end(latest);
	while (!run_signal && !output.error && status != EXIT_ENVIRONMENT)
		poll(NULL, 0, 100);
	http_stop(http);
	return run_close(run, status);
}

static int cmd_serve(struct session *session, int argc, char **argv)
{
	struct arguments arguments = { .session = session, .command = &serve_command };
	struct run run = { .session = session, .entries = take_entries, .resumed = resume_entries, .states_gaps = true, .follow = true,
			   .newest = true };
	struct latest *latest = NULL;
	int status = arguments_parse(&arguments, argc, argv);
	char *page, *policy = NULL;
	size_t size;

	if (status >= 0)
		return status;
	if (!*explorer_page) {
		complain("this bcoslog was built without the explorer: scripts/deps explorer brings what is missing, then make "
			 "again");
		return EXIT_ENVIRONMENT;
	}
	run.path = arguments.path;
	latest = latest_new((size_t)serve.mib << 20);
	run.context = latest ? served_new(latest, (size_t)serve.mib << 20) : NULL;
	serve.counter = counter_new();
	page = make_page(&size);
	if (page)
		policy = policy_of(page, size);
	if (run.context && serve.counter && policy) {
		status = serve_log(&run, latest, page, size, policy);
	} else {
		complain("no memory");
		status = EXIT_ENVIRONMENT;
	}
	free(policy);
	free(page);
	served_free(run.context);
	counter_free(serve.counter);
	latest_free(latest);
	return status;
}

static const struct option_spec options[] = {
	{ .name = "listen", .value = "ADDRESS", .word = "ADDRESS[:PORT]", .take = take_listen,
	  .help = "listen there (127.0.0.1, at a free port); with an address that is not a loopback address, the "
		  "log and the token pass over the network in plain text" },
	{ .name = "memory", .value = "MIB", .take = take_memory,
	  .help = "keep this much of the log, the newest part (32)" },
	{ .name = "token", .value = "FILE", .take = take_token,
	  .help = "take the token of FILE, 32 hexadecimal digits, and no random one" },
	{ .name = NULL },
};

const struct command serve_command = {
	.name = "serve",
	.summary = SERVE_SUMMARY,
	.usage = "bcoslog serve [OPTIONS] [LOG]",
	.about =
"Shows LOG (the device, BPF, a file, a recorded directory, or - for standard\n"
"input; default " BCOS_DEVICE_PATH ") in a browser while it grows: the page of\n"
"bcoslog explore, which asks for new entries once a second.  It prints the\n"
"address of the page, which has a secret token; it refuses every request without\n"
"the token.  At /metrics?token=TOKEN it has what bcoslog metrics prints of all\n"
"that it has read.  It writes nothing to disk.  Ctrl-C or SIGTERM ends it.",
	.options = { options, boot_options },
	.status = "0 a signal ended it, 1 LOG is damaged, 2 LOG cannot be read, or the address cannot be used.",
	.run = cmd_serve,
};
