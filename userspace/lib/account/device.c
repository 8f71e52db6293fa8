// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: devices, their transfers, and the latency from an interrupt to its transfer (7.4). */
#include <stdlib.h>

#include "core/format/entry.h"
#include "account.h"

static const char stacked_suffix[] = " (stacked)";

static struct device *next_device(const struct bcoslog_account *account, const struct device *after)
{
	const struct order *order = after ? after->order.next : account->device_order.next;

	return order == &account->device_order ? NULL : item_of(order, struct device, order);
}

static void show_device(const struct bcoslog_account *account, struct device *device)
{
	device->public.lost = account_lost_since(account, device->seen);
	device->public.at_least |=
		!!(device->public.lost & (BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_INTERRUPTS));
}

/* Count the newest interrupt, if it lies in the window and no transfer has followed it, as one without a transfer. */
static void note_fruitless(const struct bcoslog_account *account, struct device *device)
{
	device->public.fruitless += device->prompt == PROMPT_WAITS && account_counts(account, device->prompted);
}

static void forget_device(struct bcoslog_account *account, struct device *device)
{
	show_device(account, device);
	note_fruitless(account, device);
	if (account->options.device_ended)
		account->options.device_ended(account->options.context, &device->public);
	name_free(&device->name, &account->memory);
	formers_free(&device->formers, &account->memory);
	if (device->latencies) {
		account->memory -= sizeof(*device->latencies);
		free(device->latencies);
	}
	account_remove(account, &account->devices, device, sizeof(*device), offsetof(struct device, order));
}

static void device_vanishes(struct bcoslog_account *account, struct device *device)
{
	device->public.vanished = true;
	forget_device(account, device);
}

static struct device *add_device(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct device *device = account_add(account, &account->devices, entry->source, sizeof(*device),
					    &account->device_order, offsetof(struct device, order));

	if (!device)
		return NULL;
	device->public.id = entry->source;
	device->public.serial = ++account->serial;
	device->public.start = entry->time;
	device->public.precision = entry->precision;
	device->seen = account->now;
	return device;
}

/* Give a device its name, and keep another name that it had.  Return: 0 or -ENOMEM. */
static int name_device(struct bcoslog_account *account, struct device *device, const char *text, size_t length)
{
	const struct name *name = &device->name;

	if (device->public.name && (name->length != length || memcmp(name->text, text, length)) &&
	    formers_keep(account, &device->formers, name, NULL))
		return -ENOMEM;
	if (name_set(&device->name, &account->memory, text, length))
		return -ENOMEM;
	device->public.name = device->name.text;
	device->public.name_length = length;
	return 0;
}

int account_device_named(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct device *device = table_find(&account->devices, entry->source);
	bool history = entry->type & BCOS_TYPE_HISTORICAL;
	size_t length, tail = sizeof(stacked_suffix) - 1;
	const char *text = bcos_entry_text(entry, &length);

	if (device && device->gap && (!history || device->public.start != entry->time)) {
		device_vanishes(account, device);
		device = NULL;
	}
	if (!device)
		device = add_device(account, entry);
	if (!device)
		return -ENOMEM;
	device->gap = false;
	device->public.driver = ((const struct bcos_device_name *)entry)->driver;
	if (name_device(account, device, text, length))
		return -ENOMEM;
	device->public.stacked = length > tail && !memcmp(text + length - tail, stacked_suffix, tail);
	return 0;
}

void account_device_cancelled(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct device *device = table_find(&account->devices, entry->source);

	if (!device) {
		account->totals.unnamed++;
		return;
	}
	device->public.ended = true;
	device->public.end = account->now;
	device->public.status = ((const struct bcos_cancel_name *)entry)->status;
	forget_device(account, device);
}

/* ---- latency ---------------------------------------------------------------------- */

static void latency_add(struct latencies *latencies, u64 span, u64 at, u32 precision)
{
	if (precision > latencies->precision)
		latencies->precision = precision;
	if (!latencies->count++ || span < latencies->minimum)
		latencies->minimum = span;
	if (span > latencies->maximum || latencies->count == 1) {
		latencies->maximum = span;
		latencies->maximum_at = at;
	}
	latencies->bucket[latency_bucket(span)]++;
}

/* Return: the latency at place @rank of the sorted latencies, counted from 0; the greatest latency of its bucket. */
static u64 latency_quantile(const struct latencies *latencies, u64 rank)
{
	u64 seen = 0;
	u32 bucket;

	for (bucket = 0; bucket < LATENCY_BUCKETS; bucket++) {
		seen += latencies->bucket[bucket];
		if (seen > rank)
			return latency_bucket_end(bucket) < latencies->maximum ? latency_bucket_end(bucket) : latencies->maximum;
	}
	return latencies->maximum;
}

void bcoslog_account_latency(const struct bcoslog_account_device *public, struct bcoslog_latency *latency)
{
	const struct latencies *latencies = item_of(public, struct device, public)->latencies;

	memset(latency, 0, sizeof(*latency));
	if (!latencies || !latencies->count)
		return;
	latency->count = latencies->count;
	latency->minimum = latencies->minimum;
	latency->median = latency_quantile(latencies, (latencies->count - 1) / 2);
	latency->ninety_nine = latency_quantile(latencies, latencies->count - 1 - latencies->count / 100);
	latency->maximum = latencies->maximum;
	latency->maximum_at = latencies->maximum_at;
}

__u64 bcoslog_account_latency_precision(const struct bcoslog_account_device *public)
{
	const struct latencies *latencies = item_of(public, struct device, public)->latencies;

	return latencies ? latencies->precision : 0;
}

void bcoslog_account_latency_forget(const struct bcoslog_account_device *public)
{
	struct latencies *latencies = item_of(public, struct device, public)->latencies;

	if (latencies)
		memset(latencies, 0, sizeof(*latencies));
}

/* Forget the newest interrupt if a later one may have been lost or not recorded. */
static void prompt_check(struct bcoslog_account *account, struct device *device)
{
	if (device->prompt != PROMPT_NONE && device->prompted < account->interrupts_until)
		device->prompt = PROMPT_NONE;
}

/* ---- transfers and events --------------------------------------------------------- */

/*
 * Relate a transfer, whose time has @precision, to the newest interrupt, which may have come before the window. Only
 * what lies in the window counts. While the class irq is off, nobody knows of interrupts.
 */
static void device_prompted(struct bcoslog_account *account, struct device *device, u32 precision)
{
	bool counts = account_counts(account, account->now);

	prompt_check(account, device);
	switch (device->prompt) {
	case PROMPT_NONE:
		device->public.unprompted += counts && !(account->off & BCOS_CLASS_IRQ);
		break;
	case PROMPT_WAITS:
		device->prompt = PROMPT_SERVED;
		if (device->latencies && counts)
			latency_add(device->latencies, account->now - device->prompted, account->now,
				    precision > device->prompt_precision ? precision : device->prompt_precision);
		break;
	case PROMPT_SERVED:
		device->public.batched += counts;
		break;
	}
}

void account_device_transfer(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct device *device = table_find(&account->devices, entry->source);
	u32 bytes = ((const struct bcos_device_io *)entry)->bytes;
	bool output = entry->type == BCOS_DEVICE_OUTPUT, part;

	if (!device) {
		account->totals.unnamed++;
		return;
	}
	/* A transfer too large for 32 bits has several entries with one time, all but the last of 0xFFFFFFFF bytes. */
	part = device->split_type == entry->type && device->split_time == entry->time;
	device->split_type = bytes == 0xFFFFFFFFu ? entry->type : 0;
	device->split_time = entry->time;
	if (!part)
		device_prompted(account, device, entry->precision);
	if (!account_counts(account, account->now))
		return;
	if (output) {
		device->public.output += bytes;
		device->public.outputs += !part;
	} else {
		device->public.input += bytes;
		device->public.inputs += !part;
	}
	if (account->options.transfer)
		account->options.transfer(account->options.context, &device->public, output, account->now, bytes);
}

int account_device_interrupt(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct device *device = table_find(&account->devices, entry->source);

	if (!device) {
		account->totals.unnamed++;
		return 0;
	}
	if (!device->latencies) {
		if (account->memory + sizeof(*device->latencies) > ITEMS_MEMORY_MAX)
			return -ENOMEM;
		device->latencies = calloc(1, sizeof(*device->latencies));
		if (!device->latencies)
			return -ENOMEM;
		account->memory += sizeof(*device->latencies);
	}
	prompt_check(account, device);
	note_fruitless(account, device);
	device->prompt = PROMPT_WAITS;
	device->prompted = account->now;
	device->prompt_precision = entry->precision;
	if (!account_counts(account, account->now))
		return 0;
	device->public.interrupts++;
	if (account->options.interrupt)
		account->options.interrupt(account->options.context, &device->public, account->now);
	return 0;
}

void account_device_event(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct device *device = table_find(&account->devices, entry->source);

	if (!device)
		account->totals.unnamed++;
	else if (account_counts(account, account->now) &&
		 ((const struct bcos_generic *)entry)->severity >= BCOS_SEVERITY_ERROR)
		device->public.faults++;
}

void account_devices_gap(struct bcoslog_account *account)
{
	struct device *device = next_device(account, NULL), *following;

	for (; device; device = following) {
		following = next_device(account, device);
		if (device->gap)
			device_vanishes(account, device);
		else
			device->gap = true;
	}
}

void account_devices_show(struct bcoslog_account *account)
{
	struct device *device = NULL;

	while ((device = next_device(account, device)))
		show_device(account, device);
}

const char *bcoslog_account_former_device_name(const struct bcoslog_account_device *public, size_t index, size_t *length)
{
	return formers_get(&item_of(public, struct device, public)->formers, index, length);
}

void bcoslog_account_set_device_user(const struct bcoslog_account_device *public, void *user)
{
	item_of(public, struct device, public)->public.user = user;
}

void account_device_release(struct node *node)
{
	struct device *device = (struct device *)node;
	u64 memory = UINT64_MAX;	/* nobody counts it any more */

	name_free(&device->name, &memory);
	formers_free(&device->formers, &memory);
	free(device->latencies);
	free(device);
}
