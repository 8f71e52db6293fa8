// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counts what a log tells for a monitoring system: see metrics.h. */
#include <errno.h>
#include <stdlib.h>

#include "account/report.h"
#include "metrics.h"

/* What of a process or a device is counted under a name already. */
struct counted {
	u64 value[SERIES_VALUES];
};

/* ---- names ---------------------------------------------------------------------------------------- */

/* Adds to @sums, and to @others unless it is NULL, what @now has more than what was counted before. */
static void add_more(struct metrics *metrics, u64 *sums, u64 *others, const u64 *now, int values, struct counted *before)
{
	int i;

	metrics->failed |= !before;
	for (i = 0; before && i < values; i++) {
		sums[i] += now[i] - before->value[i];
		if (others)
			others[i] += now[i] - before->value[i];
		before->value[i] = now[i];
	}
}

/*
 * Counts what a process had since the last time under its present name. A turn that has not ended is of the name at its end,
 * or at the next write. The kernel is no process here.
 */
static void count_process(struct metrics *metrics, const struct bcoslog_account_process *process)
{
	const u64 now[] = { [NAME_CPU_NS] = process->time, [NAME_TURNS] = process->turns };
	struct counted *before = process->user;
	const char *group;

	if (process->id == BCOS_PROCESS_KERNEL)
		return;
	group = account_process_cgroup(metrics->report->account, process) ?: "";
	if (!before) {
		before = calloc(1, sizeof(*before));
		bcoslog_account_set_user(process, before);
	}
	add_more(metrics, series_of(&metrics->names, process->name, process->name_length, 0),
		 series_of(&metrics->groups, group, strlen(group), 0), now, NAME_TURNS + 1, before);
}

static void count_device(struct metrics *metrics, const struct bcoslog_account_device *device)
{
	const u64 now[DEVICE_VALUES] = {
		[DEVICE_INPUT] = device->input, [DEVICE_OUTPUT] = device->output, [DEVICE_INPUTS] = device->inputs,
		[DEVICE_OUTPUTS] = device->outputs, [DEVICE_INTERRUPTS] = device->interrupts, [DEVICE_FAULTS] = device->faults,
	};
	struct counted *before = device->user;

	if (!before) {
		before = calloc(1, sizeof(*before));
		bcoslog_account_set_device_user(device, before);
	}
	add_more(metrics, series_of(&metrics->devices, device->name, device->name_length, 0), NULL, now, DEVICE_VALUES, before);
}

/* ---- ends ----------------------------------------------------------------------------------------- */

static void count_end(struct metrics *metrics, const struct bcoslog_account_process *process)
{
	u64 *sums = series_of(&metrics->names, process->name, process->name_length, 0);
	enum bcoslog_end end;
	u32 value = 0;

	if (!report_counts(metrics->report, process->ended ? process->end : metrics->now))
		return;
	if (process->vanished) {
		sums[NAME_ENDED + ENDED_VANISHED]++;
		return;
	}
	end = bcoslog_status_end(process->status, &value);
	if (end == BCOSLOG_END_UNKNOWN)
		sums[NAME_ENDED + ENDED_UNKNOWN]++;
	else if (end == BCOSLOG_EXITED)
		sums[NAME_ENDED + ENDED_EXIT]++;
	else
		sums[NAME_ENDED + (value ? ENDED_SIGNAL : ENDED_ABNORMAL)]++;
	if ((end == BCOSLOG_OWNER || end == BCOSLOG_KERNEL) && value)
		series_of(&metrics->kills, process->name, process->name_length, value)[0]++;
}

static void process_ended(void *context, const struct bcoslog_account_process *process)
{
	count_process(context, process);
	count_end(context, process);
	free(process->user);
	bcoslog_account_set_user(process, NULL);
}

static void device_ended(void *context, const struct bcoslog_account_device *device)
{
	count_device(context, device);
	free(device->user);
	bcoslog_account_set_device_user(device, NULL);
}

/* ---- losses --------------------------------------------------------------------------------------- */

static struct loss_sum *loss_of(struct metrics *metrics, u32 lost)
{
	char kinds[LOST_KINDS_TEXT];
	struct loss_sum *larger;
	size_t i;

	lost_kinds(kinds, sizeof(kinds), lost);
	for (i = 0; i < metrics->loss_count; i++)
		if (!strcmp(metrics->losses[i].kinds, kinds))
			return &metrics->losses[i];
	larger = reallocarray(metrics->losses, metrics->loss_count + 1, sizeof(*larger));
	metrics->failed |= !larger;
	if (!larger)
		return NULL;
	metrics->losses = larger;
	larger[metrics->loss_count] = (struct loss_sum){ .count = 0 };
	strcpy(larger[metrics->loss_count].kinds, kinds);
	return &larger[metrics->loss_count++];
}

/* Sums of 0 show what may come. */
static void add_losses(struct metrics *metrics)
{
	u32 i;

	for (i = 0; i < LOSS_KINDS; i++)
		loss_of(metrics, 1u << i);
	loss_of(metrics, 0);
}

static void count_loss(void *context, const struct missing_part *part)
{
	struct metrics *metrics = context;
	struct session *session = metrics->report->session;
	struct loss_sum *sum;

	if (!window_shows(&session->window, &session->clock, part->begin, part->end))
		return;
	sum = loss_of(metrics, part->lost);
	if (!sum)
		return;
	sum->count++;
	sum->events += part->count;
}

/* ---- entries -------------------------------------------------------------------------------------- */

static bool is_oom(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_PROCESS && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_OOM_VICTIM;
}

static bool moves_group(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_PROCESS && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_CGROUP;
}

/* A name or control group is about to change: what was until now belongs to the former one. */
static void count_before_name(struct metrics *metrics, const struct bcos_entry *entry)
{
	const struct bcoslog_account *account = metrics->report->account;
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(account);
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_device *device = NULL;

	if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_PROCESS_NAME || moves_group(entry))
		process = bcoslog_account_process(account, entry->source);
	else if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_SET_DEVICE_NAME)
		device = bcoslog_account_device(account, entry->source);
	if (process)
		count_process(metrics, process);
	if (device)
		count_device(metrics, device);
	metrics->births = totals->births;
	metrics->execs = totals->execs;
}

static int metrics_entry(struct report *report, const struct bcos_entry *entry)
{
	struct metrics *metrics = report->context;

	metrics->bytes += entry->size;
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		metrics->now = entry->time;
	count_before_name(metrics, entry);
	return missing_entry(&metrics->missing, entry);
}

static void count_process_entry(struct metrics *metrics, const struct bcos_entry *entry)
{
	const struct bcoslog_account *account = metrics->report->account;
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(account);
	const struct bcoslog_account_process *process;
	u64 *sums;

	if (totals->births == metrics->births && totals->execs == metrics->execs && !is_oom(entry))
		return;
	process = bcoslog_account_process(account, entry->source);
	if (!process)
		return;
	sums = series_of(&metrics->names, process->name, process->name_length, 0);
	sums[NAME_STARTED] += totals->births - metrics->births;
	sums[NAME_EXECUTED] += totals->execs - metrics->execs;
	if (is_oom(entry) && report_counts(metrics->report, entry->time))
		sums[NAME_OOM]++;
}

static int after_entry(struct report *report, const struct bcos_entry *entry)
{
	struct metrics *metrics = report->context;
	const struct bcoslog_account_device *device;

	count_process_entry(metrics, entry);
	if (entry->type == BCOS_IRQ && report_counts(report, entry->time)) {
		device = bcoslog_account_device(report->account, entry->source);
		if (device)
			series_of(&metrics->lines, device->name, device->name_length,
				  ((const struct bcos_irq *)entry)->number)[0]++;
	}
	return metrics->failed ? -ENOMEM : 0;
}

/* ---- the text ------------------------------------------------------------------------------------- */

int metrics_put(struct metrics *metrics, FILE *out)
{
	struct series_table *const tables[] = { &metrics->names, &metrics->groups, &metrics->devices, &metrics->lines };
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_device *device = NULL;
	bool failed = metrics->kills.failed;
	size_t i;

	add_losses(metrics);
	while ((process = bcoslog_account_next_process(metrics->report->account, process)))
		count_process(metrics, process);
	while ((device = bcoslog_account_next_device(metrics->report->account, device)))
		count_device(metrics, device);
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		series_choose(tables[i]);
		failed |= tables[i]->failed;
	}
	if (failed || metrics->failed)
		return -ENOMEM;
	exposition_put(out, metrics);
	return 0;
}

void metrics_free(struct metrics *metrics)
{
	series_free(&metrics->names);
	series_free(&metrics->groups);
	series_free(&metrics->kills);
	series_free(&metrics->devices);
	series_free(&metrics->lines);
	missing_free(&metrics->missing);
	free(metrics->losses);
}

void metrics_begin(struct metrics *metrics, struct report *report)
{
	*metrics = (struct metrics){
		.report = report, .names.most = 100, .groups.most = 100, .devices.most = 100, .lines.most = 100,
		.missing = { .part = count_loss, .context = metrics },
	};
	report->context = metrics;
	report->sinks.process_ended = process_ended;
	report->sinks.device_ended = device_ended;
	report->entry = metrics_entry;
	report->after = after_entry;
}
