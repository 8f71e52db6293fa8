// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* LTTng, as a flight recorder: a session in snapshot mode. */
#include "bench.h"

#include <ftw.h>

#define LTTNG "/usr/bin/lttng"
#define DAEMON "/usr/bin/lttng-sessiond"
#define OUTPUT "/tmp/lttng"

static struct tool sessiond;

static void lttng(char *command, char *a, char *b, char *c)
{
	tool_run("lttng", (char *[]){ LTTNG, "--no-sessiond", command, a, b, c, NULL });
}

/* Its daemon stays: it does nothing while no session is there. */
static void start_daemon(void)
{
	if (sessiond.pid)
		return;
	setenv("HOME", "/tmp", 1);
	sessiond = tool_start("lttng-sessiond", (char *[]){ DAEMON, "--no-kernel-ust", NULL });
	WAIT_FOR(access("/var/run/lttng/client-lttng-sessiond", F_OK) == 0);
}

static void lttng_on(void)
{
	start_daemon();
	lttng("create", "bench", "--snapshot", "--output=" OUTPUT);
	lttng("enable-event", "--kernel", "sched_switch", NULL);
	lttng("start", NULL, NULL, NULL);
}

static void lttng_off(void)
{
	lttng("stop", NULL, NULL, NULL);
	lttng("destroy", "bench", NULL, NULL);
}

/* How a packet of LTTng's kernel streams begins (CTF, as its own metadata describes it). */
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
	while (file && !fseek(file, (long)at, SEEK_SET) && fread(&packet, sizeof(packet), 1, file) == 1 && packet.size) {
		content_bits += packet.content;
		at += packet.size / 8;
	}
	if (file)
		fclose(file);
	return 0;
}

/* What few switches the rest before the stretch had are in it, too. */
static double lttng_bytes(uint64_t events)
{
	static double bytes;

	if (bytes)
		return bytes;
	lttng("snapshot", "record", NULL, NULL);
	nftw(OUTPUT, add_stream, 8, FTW_PHYS);
	bytes = content_bits ? (double)content_bits / 8 / (double)events : -1;
	return bytes;
}

const struct variant lttng_variants[] = {
	{ "lttng", "LTTng 2.13, snapshot mode", LTTNG, lttng_on, lttng_off, NULL, NULL, lttng_bytes },
	{ 0 }
};
