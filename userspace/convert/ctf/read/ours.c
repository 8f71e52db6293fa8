// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events of a trace that was made from a log become entries again. */
#include "../../log/restored.h"
#include "core/format/entry.h"
#include "reader.h"
#include "state/state.h"

/* The index of the field bcos_process in sched_switch and sched_wakeup. */
#define SWITCH_PROCESS 7
#define WAKEUP_PROCESS 6

/* The type of the entry for each event, and how to make it: one letter for each field of the event's layout. */
static const struct {
	u16 type;
	/*
	 * s: source, S: source as a thread, 4, 2, 1: a number of this many bytes, T: a process as a thread, n: text, l:
	 * list, t: time, -: not used. Other code handles numbers that the entry has before or in another order than the
	 * event.
	 */
	const char *fields;
} entries[CTF_LAYOUTS] = {
	[CTF_SCHED_SWITCH] = { BCOS_ASSIGN_CPU, "-------T" },
	[CTF_SCHED_WAKEUP] = { BCOS_GENERIC_PROCESS, "----1nS" },
	[CTF_SCHED_PROCESS_FORK] = { BCOS_SET_PROCESS_NAME, "----nS---" },
	[CTF_SCHED_PROCESS_EXEC] = { BCOS_GENERIC_PROCESS, "-S-1n" },
	[CTF_SCHED_PROCESS_EXIT] = { BCOS_CANCEL_PROCESS_NAME, "-S-4" },
	[CTF_IRQ_HANDLER_ENTRY] = { BCOS_IRQ, "--s4" },
	[CTF_BLOCK_RQ_COMPLETE] = { BCOS_DEVICE_INPUT, "s----4" },
	[CTF_NET_IF_RECEIVE_SKB] = { BCOS_DEVICE_INPUT, "-4-s" },
	[CTF_NET_DEV_XMIT] = { BCOS_DEVICE_OUTPUT, "--4-s" },
	[CTF_STATEDUMP_PROCESS_STATE] = { BCOS_HIST_SET_PROCESS_NAME, "S--n------t" },
	[CTF_STATEDUMP_BLOCK_DEVICE] = { BCOS_HIST_SET_DEVICE_NAME, "snTt" },
	[CTF_STATEDUMP_NETWORK_INTERFACE] = { BCOS_HIST_SET_DEVICE_NAME, "n-sTt" },
	[CTF_PROCESS_RENAME] = { BCOS_SET_PROCESS_NAME, "Sn" },
	[CTF_KERNEL_CALL] = { BCOS_KERNEL_API, "Sl" },
	[CTF_GENERIC_PROCESS] = { BCOS_GENERIC_PROCESS, "S41n" },
	[CTF_GENERIC_CORE] = { BCOS_GENERIC_CORE, "s41n" },
	[CTF_GENERIC_CPU] = { BCOS_GENERIC_CPU, "s41n" },
	[CTF_GENERIC_DEVICE] = { BCOS_GENERIC_DEVICE, "s41n" },
	[CTF_CORE_ONLINE] = { BCOS_CORE_ONLINE, "s22l" },
	[CTF_CORE_OFFLINE] = { BCOS_CORE_OFFLINE, "s" },
	[CTF_CPU_ONLINE] = { BCOS_CPU_ONLINE, "s4" },
	[CTF_CPU_OFFLINE] = { BCOS_CPU_OFFLINE, "s" },
	[CTF_DEVICE_NAME] = { BCOS_SET_DEVICE_NAME, "sTn" },
	[CTF_DEVICE_END] = { BCOS_CANCEL_DEVICE_NAME, "s4" },
	[CTF_DEVICE_INPUT] = { BCOS_DEVICE_INPUT, "s4" },
	[CTF_DEVICE_OUTPUT] = { BCOS_DEVICE_OUTPUT, "s4" },
	[CTF_STATE_PROCESS] = { BCOS_HIST_SET_PROCESS_NAME, "Snt" },
	[CTF_STATE_CORE] = { BCOS_HIST_CORE_ONLINE, "s22lt" },
	[CTF_STATE_CPU] = { BCOS_HIST_CPU_ONLINE, "s4t" },
	[CTF_STATE_DEVICE] = { BCOS_HIST_SET_DEVICE_NAME, "sTnt" },
	[CTF_STATE_ASSIGN] = { BCOS_HIST_ASSIGN_CPU, "sTt" },
};

/* ---- entries --------------------------------------------------------------------------- */

/* An entry that is being made. Its text comes last, wherever the event has it. */
struct making {
	struct bcos_entry *entry;
	u8 *at, *end;
	const char *text;
	size_t length;
	bool has_text;
};

static bool put_bytes(struct making *making, const void *bytes, size_t size)
{
	if ((size_t)(making->end - making->at) < size)
		return false;
	memcpy(making->at, bytes, size);
	making->at += size;
	return true;
}

static bool put_number(struct making *making, u64 number, char how)
{
	u32 four = how == 'T' ? ctf_process((s32)number) : (u32)number;
	u16 two = (u16)number;
	u8 one = (u8)number;

	switch (how) {
	case 's':
		making->entry->source = (u32)number;
		return true;
	case 'S':
		making->entry->source = ctf_process((s32)number);
		return true;
	case 't':
		making->entry->time = number;
		return true;
	case '2':
		return put_bytes(making, &two, sizeof(two));
	case '1':
		return put_bytes(making, &one, sizeof(one));
	default:
		return put_bytes(making, &four, sizeof(four));
	}
}

static bool take_field(struct making *making, const struct ctf_seen *seen, unsigned int field, char how)
{
	u64 number;

	switch (how) {
	case '-':
		return true;
	case 'n':
		making->text = ctf_text(seen, field, &making->length);
		making->has_text = true;
		return making->text;
	case 'l':
		return field < seen->count && seen->values[field].kind == CTF_NUMBERS &&
		       put_bytes(making, seen->values[field].numbers, seen->values[field].number * sizeof(u32));
	default:
		return ctf_number(seen, field, &number) && put_number(making, number, how);
	}
}

/* Completes an entry with its text, and pads it with zeros to a multiple of four bytes. */
static bool end_entry(struct making *making)
{
	if (making->has_text && !put_bytes(making, making->text, strnlen(making->text, making->length)))
		return false;
	while ((size_t)(making->at - (u8 *)making->entry) % 4)
		if (!put_bytes(making, "", 1))
			return false;
	making->entry->size = (u16)(making->at - (u8 *)making->entry);
	return true;
}

static u16 type_of(const struct ctf_seen *seen)
{
	u64 rwbs;

	if (seen->which == CTF_BLOCK_RQ_COMPLETE && ctf_number(seen, 4, &rwbs) && rwbs & 1)
		return BCOS_DEVICE_OUTPUT;
	return entries[seen->which].type;
}

/* Returns the letters for an event. In traces without the field bcos_process, the fields of threads hold processes. */
static const char *fields_of(const struct ctf_seen *seen)
{
	u64 process;

	if (seen->which == CTF_SCHED_SWITCH && !ctf_number(seen, SWITCH_PROCESS, &process))
		return "-----T-";
	if (seen->which == CTF_SCHED_WAKEUP && !ctf_number(seen, WAKEUP_PROCESS, &process))
		return "-S--1n";
	return seen->which < CTF_LAYOUTS ? entries[seen->which].fields : NULL;
}

static bool make_entry(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	struct bcos_entry *entry = (struct bcos_entry *)reader->room;
	struct making making = { .entry = entry, .end = (u8 *)entry + BCOS_ENTRY_MAX - BCOS_ENTRY_MAX % 4 };
	const char *how = fields_of(seen);
	u32 id = seen->which == CTF_SCHED_WAKEUP ? BCOS_EVENT_TASK_STATE : BCOS_EVENT_EXEC;
	unsigned int i;

	if (!how)
		return false;
	making.at = (u8 *)(entry + 1);
	*entry = (struct bcos_entry){
		.type = type_of(seen), .source = seen->cpu, .time = seen->time, .precision = seen->precision,
	};
	if ((seen->which == CTF_SCHED_WAKEUP || seen->which == CTF_SCHED_PROCESS_EXEC) &&
	    !put_bytes(&making, &id, sizeof(id)))
		return false;
	for (i = 0; how[i]; i++)
		if (!take_field(&making, seen, i, how[i]))
			return false;
	/* The trace may contain anything, so the entry is checked. */
	return end_entry(&making) && bcos_entry_check(entry, entry->size) == BCOS_WELL_FORMED;
}

int ctf_ours_event(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	struct bcos_entry *entry = (struct bcos_entry *)reader->room;
	u64 process;

	if (seen->which == CTF_SCHED_SWITCH && ctf_number(seen, SWITCH_PROCESS, &process) &&
	    (s32)process == CTF_NO_ENTRY)
		return 0;
	if (!make_entry(reader, seen))
		return -EBADMSG;
	return log_restored(reader->log, reader->state, &reader->missed, reader->start, entry, seen->time);
}
