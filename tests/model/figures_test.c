// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log writer publishes figures that readers get without a lock. This test runs both in many orders
 * (module/DESIGN.md, 9.1).
 *
 * Each figure follows from the number of its publication, so a reader knows whether all figures are of one publication.
 *
 * test: rounds=4000:400000 timeout=120:1800
 */
#include "core/write/figures.h"
#include "report.h"
#include "testhost.h"

static struct bcos_figures figures;
static struct bcos_log log_of_ours;
static u64 number;			/* of the newest publication */

/* These figures lie at the beginning of the structure and at its end. */
static void publish_figures(void)
{
	number++;
	log_of_ours.ring.size = 2 * number;
	log_of_ours.stats.historical = 5 * number;
	log_of_ours.time = 13 * number;
	log_of_ours.model.device_count = (u32)number;
	bcos_figures_publish(&figures, &log_of_ours, number);
}

/* The second publication overwrites the figures that were valid before the first one. */
static void publish_on(void)
{
	publish_figures();
	publish_figures();
	publish_figures();
}

static u64 look_once(u64 before)
{
	struct bcos_status status;
	u64 at;

	bcos_figures_get(&figures, &status);
	at = status.batches;
	if (at < before)
		model_fail("publication %llu comes after %llu", (unsigned long long)at, (unsigned long long)before);
	if (status.ring_size != 2 * at || status.historical != 5 * at || status.last_time != 13 * at ||
	    status.devices != (u32)at)
		model_fail("the figures are of several publications");
	return at;
}

static void look_twice(void)
{
	look_once(look_once(0));
}

static void set_up(void)
{
	memset(&figures, 0, sizeof(figures));
	memset(&log_of_ours, 0, sizeof(log_of_ours));
	number = 0;
	publish_figures();
	model_share(&figures, sizeof(figures), false);
}

static void finish_run(void)
{
	if (look_once(0) != number)
		model_fail("the last publication is not what remains");
}

static const struct model_program programs[] = {
	{
		.name = "figures", .threads = 2, .setup = set_up, .thread = { publish_on, look_twice },
		.finish = finish_run, .preemptions = 2, .sampled = true,
	},
};

static const struct model_excuse excuses[] = {
	{ NULL, NULL },
};

int main(void)
{
	static const char *const files[] = { "figures.", NULL };

	return model_report(programs, sizeof(programs) / sizeof(programs[0]), files, excuses, test_env("ROUNDS", 4000));
}
