// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of types, severities and events, and the texts of entries. */
#include "core/format/entry.h"
#include "core/format/loss_text.h"

#include "bcoslog_entry.h"

const char *bcoslog_type_name(__u16 type)
{
	const struct bcos_type *known = bcos_type_of(type);

	return known ? known->name : NULL;
}

const char *bcoslog_subject(__u16 type)
{
	static const char *const subjects[] = { "process", "core", "CPU", "device" };

	return subjects[(type & BCOS_TYPE_SUBJECT_MASK) >> 13];
}

const char *bcoslog_text(const struct bcos_entry *entry, size_t *length)
{
	return bcos_entry_text(entry, length);
}

bool bcoslog_is_missed(const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;

	return entry->type == BCOS_GENERIC_DEVICE && entry->source == BCOS_DEVICE_SELF &&
	       event->event_id == BCOS_EVENT_MISSED;
}

bool bcoslog_is_loss(const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;

	return entry->type == BCOS_GENERIC_CPU && event->event_id == BCOS_EVENT_LOSS;
}

bool bcoslog_loss(const struct bcos_entry *entry, struct bcoslog_loss *loss)
{
	struct bcos_loss_stated stated;
	const char *text;
	size_t length;

	if (!bcoslog_is_loss(entry))
		return false;
	text = bcos_entry_text(entry, &length);
	bcos_loss_text_parse(&stated, text, length, entry->time, entry->precision);
	*loss = (struct bcoslog_loss){
		.begin = stated.begin, .end = stated.end, .count = stated.count, .lost = stated.kinds,
		.late = stated.late, .open = stated.open, .what = stated.what, .what_length = stated.what_length,
		.reason = stated.reason, .reason_length = stated.reason_length,
	};
	return true;
}

const char *bcoslog_severity(__u8 severity)
{
	static const char *const words[] = { "debug", "info", "error", "critical" };

	return words[severity >> 6];
}

const char *bcoslog_event(__u16 type, __u32 event_id)
{
	if (type == BCOS_GENERIC_CPU && event_id == BCOS_EVENT_LOSS)
		return "records lost";
	if (type == BCOS_GENERIC_DEVICE && event_id == BCOS_EVENT_MISSED)
		return "reader overtaken";
	if (type == BCOS_GENERIC_CPU && event_id == BCOS_EVENT_MASK)
		return "classes changed";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_OOM_VICTIM)
		return "chosen by the out-of-memory killer";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_REFUSED)
		return "events refused";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_TASK_STATE)
		return "task state";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_THREAD_LEFT)
		return "thread left its CPU";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_THREAD_RUNS)
		return "thread runs";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_THREAD_WOKEN)
		return "thread woken";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_THREAD_NAME)
		return "name of a thread";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_KILLED)
		return "who sent the signal";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_PARENT)
		return "parent";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_CGROUP)
		return "control group";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_EXEC)
		return "program";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_REQUEST)
		return "request of a disk";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_ENDED)
		return "end of the machine's run";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_CLOCK)
		return "wall clock";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_BOOT)
		return "boot ID";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_HOST)
		return "host name";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_KERNEL)
		return "kernel";
	if (type == BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_VERSION)
		return "version";
	if (type == BCOS_GENERIC_CPU && event_id == BCOS_EVENT_IDLE)
		return "idle state";
	if (type == BCOS_GENERIC_DEVICE && event_id == BCOS_EVENT_PRESSURE)
		return "quota and stalls";
	if (type != BCOS_GENERIC_PROCESS && event_id == BCOS_EVENT_UNSPECIFIED)
		return "unspecified";
	return NULL;
}

enum bcoslog_end bcoslog_status_end(__u32 status, __u32 *value)
{
	*value = 0;
	if (status == BCOS_STATUS_UNKNOWN)
		return BCOSLOG_END_UNKNOWN;
	*value = status;
	if (status < BCOS_STATUS_OWNER)
		return BCOSLOG_EXITED;
	*value = status & 0x3FFFFFFFu;
	return status < BCOS_STATUS_KERNEL ? BCOSLOG_OWNER : BCOSLOG_KERNEL;
}
