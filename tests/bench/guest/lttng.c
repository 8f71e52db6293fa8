// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Runs LTTng as a flight recorder: a session in snapshot mode. */
#include "bench.h"

#include <ftw.h>

#define LTTNG "/usr/bin/lttng"
#define DAEMON "/usr/bin/lttng-sessiond"
#define OUTPUT "/tmp/lttng"

static void run_lttng(char *command, char *a, char *b, char *c)
{
	tool_run("lttng", (char *[]){ LTTNG, "--no-sessiond", command, a, b, c, NULL });
}

/* Starts the daemon of LTTng. It stays, since it does nothing while there is no session. */
static void start_daemon(void)
{
	static bool started;

	if (started)
		return;
	setenv("HOME", "/tmp", 1);
	if (symlink("/run", "/var/run") && errno != EEXIST)
		give_up("/var/run");
	tool_run("lttng-sessiond", (char *[]){ DAEMON, "--daemonize", "--kmod-probes=sched", NULL });
	started = true;
}

static uint64_t switches_before;

static uint64_t all_switches(void)
{
	char text[16384], *at;

	if (read_file("/proc/stat", text, sizeof(text)) < 0)
		give_up("/proc/stat");
	at = strstr(text, "\nctxt ");
	return at ? strtoull(at + 6, NULL, 10) : 0;
}

static void lttng_on(void)
{
	start_daemon();
	run_lttng("create", "bench", "--snapshot", "--output=" OUTPUT);
	run_lttng("enable-event", "--kernel", "sched_switch", NULL);
	switches_before = all_switches();
	run_lttng("start", NULL, NULL, NULL);
}

static void lttng_off(void)
{
	run_lttng("stop", NULL, NULL, NULL);
	run_lttng("destroy", "bench", NULL, NULL);
}

/* The begin of a packet of LTTng's kernel streams (CTF, as its own metadata describes it). */
struct packet {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t stream;
	uint64_t instance;
	uint64_t begin, end;
	uint64_t content, size;		/* bits */
};

static uint64_t content_bits;

static int add_stream(const char *path, const struct stat *status, int type, struct FTW *place)
{
	struct packet packet;
	uint64_t at = 0;
	FILE *file;

	if (type != FTW_F || strncmp(path + place->base, "channel0_", 9))
		return 0;
	file = fopen(path, "r");
	while (file && !fseek(file, (long)at, SEEK_SET) && fread(&packet, sizeof(packet), 1, file) == 1 &&
	       packet.size) {
		content_bits += packet.content;
		at += packet.size / 8;
	}
	if (file)
		fclose(file);
	return 0;
}

/* Returns the bytes for a switch. The figure includes events of the rest before the measured time. */
static double lttng_bytes(uint64_t events)
{
	static double bytes;
	uint64_t switches = all_switches() - switches_before;

	if (bytes)
		return bytes;
	run_lttng("snapshot", "record", NULL, NULL);
	nftw(OUTPUT, add_stream, 8, FTW_PHYS);
	bytes = content_bits ? (double)content_bits / 8 / (double)switches : -1;
	return bytes;
}

const struct variant lttng_variants[] = {
	{ "lttng", "LTTng 2.13, snapshot mode", LTTNG, lttng_on, lttng_off, NULL, NULL, lttng_bytes },
	{ 0 }
};
