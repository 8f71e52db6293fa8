// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Metrics that are counted beside another use of a log: see metrics.h. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "metrics.h"

struct counter {
	pthread_mutex_t lock;
	struct metrics metrics;
	struct report report;
	struct session session;
};

struct counter *counter_new(void)
{
	struct counter *counter = calloc(1, sizeof(*counter));

	if (!counter)
		return NULL;
	pthread_mutex_init(&counter->lock, NULL);
	counter->report.session = &counter->session;
	metrics_begin(&counter->metrics, &counter->report);
	if (!report_begin(&counter->report))
		return counter;
	counter_free(counter);
	return NULL;
}

int counter_add(struct counter *counter, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry;
	int r = 0;

	pthread_mutex_lock(&counter->lock);
	for (entry = batch->first; !r && entry != batch->end; entry = bcoslog_after(entry))
		r = report_count(&counter->report, entry);
	pthread_mutex_unlock(&counter->lock);
	return r;
}

char *counter_text(struct counter *counter, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	int r = -ENOMEM;

	if (!out)
		return NULL;
	pthread_mutex_lock(&counter->lock);
	bcoslog_account_settle(counter->report.account);
	r = metrics_put(&counter->metrics, out);
	pthread_mutex_unlock(&counter->lock);
	if (!fclose(out) && !r)
		return text;
	free(text);
	return NULL;
}

void counter_free(struct counter *counter)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_device *device = NULL;
	const struct bcoslog_account *account;

	if (!counter)
		return;
	account = counter->report.account;
	while (account && (process = bcoslog_account_next_process(account, process)))
		free(process->user);
	while (account && (device = bcoslog_account_next_device(account, device)))
		free(device->user);
	bcoslog_account_free(counter->report.account);
	metrics_free(&counter->metrics);
	pthread_mutex_destroy(&counter->lock);
	free(counter);
}
