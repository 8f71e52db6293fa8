// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* States quotas and stalls of control groups as events: see quota_events.h. */
#include <stdlib.h>

#include "complain/complain.h"
#include "host/linux.h"
#include "options/recorder_options.h"
#include "quota_events.h"
#include "quotas.h"

struct quota_events {
	struct quotas *quotas;
	struct bcoslog *log;		/* takes events */
	bool own, refused;		/* @log is open for that alone; it refused an event */
	bool told;			/* that groups are left out */
};

static void put_event(void *context, const struct pressure *pressure)
{
	struct quota_events *events = context;
	char text[PRESSURE_TEXT];
	size_t length = pressure_text(text, pressure);

	if (events->refused)
		return;
	text[length] = 0;
	if (!bcoslog_emit(events->log, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, BCOS_EVENT_PRESSURE, BCOS_SEVERITY_INFO, text))
		return;
	complain("quotas of control groups are not recorded: %s", bcoslog_error(events->log)->text);
	events->refused = true;
}

/* The handle that reads the device need not be allowed to write events.  Return: whether there is one that is. */
static bool open_log(struct quota_events *events, struct run *run)
{
	struct bcoslog_error error;

	events->log = run->log;
	if (bcoslog_kind(run->log) == BCOSLOG_BPF)
		return true;
	events->own = !bcoslog_open(&events->log, run->path, BCOSLOG_CONTROL, &error);
	if (!events->own)
		complain("quotas of control groups are not recorded: %s", error.text);
	return events->own;
}

struct quota_events *quota_events_open(struct run *run)
{
	const struct recorder_options *recorder = &run->session->recorder;
	struct quota_events *events;

	if (recorder->classes_given && !(recorder->classes & BCOS_CLASS_WHO))
		return NULL;
	events = calloc(1, sizeof(*events));
	if (!events)
		return NULL;
	events->quotas = quotas_open(put_event, events);
	if (events->quotas && open_log(events, run))
		return events;
	quotas_close(events->quotas);
	free(events);
	return NULL;
}

void quota_events_read(struct quota_events *events)
{
	size_t left_out;

	if (!events)
		return;
	quotas_read(events->quotas, clock_now(CLOCK_BOOTTIME));
	left_out = quotas_left_out(events->quotas);
	if (left_out && !events->told)
		complain("the quotas and stalls of %zu control groups are not recorded: there are more than 4096, or more than 256 "
			 "of them have a quota or stall", left_out);
	events->told |= left_out;
}

u64 quota_events_interval(const struct quota_events *events)
{
	return events ? quotas_interval(events->quotas) : UINT64_MAX;
}

void quota_events_close(struct quota_events *events)
{
	if (!events)
		return;
	quotas_close(events->quotas);
	if (events->own)
		bcoslog_close(events->log);
	free(events);
}
