// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How an image ended, and what is missing of it: see recovery.h. */
#include "core/format/loss_text.h"
#include "core/format/entry.h"
#include "core/write/event.h"
#include "recovery.h"

/* Return: the words for an orderly end. */
static const char *kind_words(u32 kind)
{
	switch (kind) {
	case BCOS_IMAGE_RESTART:
		return "the machine was restarted";
	case BCOS_IMAGE_HALT:
		return "the machine was halted";
	case BCOS_IMAGE_POWER_OFF:
		return "the machine was powered off";
	case BCOS_IMAGE_UNLOAD:
		return "the module was unloaded";
	default:
		return "the log ended in order";
	}
}

/* Write the reason of the seal, which may be any bytes. */
static int append_reason(char *text, int at, int size, const char *reason)
{
	char clean[3 * sizeof(((struct bcos_image_seal *)NULL)->reason)];
	size_t length = strlen(reason);

	while (length && (reason[length - 1] == '\n' || reason[length - 1] == ' '))
		length--;
	length = bcos_utf8_clean(clean, sizeof(clean) - 1, reason, length);
	clean[length] = 0;
	return length ? at + host_format(text + at, (size_t)(size - at), ": %s", clean) : at;
}

void recovery_note_end(struct recovery *recovery)
{
	const struct bcos_image_seal *seal = recovery->image.seal;
	struct recovered *result = recovery->result;
	char *text = result->reason;
	int size = sizeof(result->reason), at;

	result->end = seal ? seal->time : 0;
	if (seal && result->state == BCOS_IMAGE_SEALED) {
		at = host_format(text, (size_t)size, "panic");
		append_reason(text, at, size, seal->reason);
	} else if (seal) {
		at = host_format(text, (size_t)size, "%s", kind_words(seal->kind));
		append_reason(text, at, size, seal->reason);
	} else if (result->state != BCOS_IMAGE_RUNNING) {
		host_format(text, (size_t)size, "the seal is damaged, so nothing tells how it ended");
	} else if (recovery->image.header->flags & BCOS_IMAGE_BY_BPF) {
		host_format(text, (size_t)size, "process %u recorded it, and is running, or ended before all of it was in files: %s",
			    recovery->image.header->owner, recovery->ends ? "this log has what is in its maps, too" :
			    "the next recorder of this boot also has what is in its maps");
	} else if (result->dumped) {
		host_format(text, (size_t)size, "the memory was dumped while the kernel was there");
	} else {
		host_format(text, (size_t)size, "without notice: a reset, a power loss, or a crash that nothing could seal");
	}
}

/* ---- what is missing ------------------------------------------------------------------ */

static void state_loss(struct recovery *recovery, u32 cpu, u64 count, const char *what, const char *reason, u64 since)
{
	struct bcos_log *log = &recovery->log;
	u64 end = recovery->result->end > log->time ? recovery->result->end : log->time;
	char text[200];
	int at = 0;

	/* A CPU that the log does not name cannot state anything. */
	if (!bcos_log_knows(log, BCOS_SUBJECT_CPU, cpu))
		cpu = bcos_log_spokesman(log);
	if (cpu >= log->model.cpu_limit)
		return;
	at = bcos_loss_text_count(text, at, sizeof(text), count, what);
	at = bcos_loss_text_end(text, at, sizeof(text), reason, log->time, since, end);
	bcos_log_event(log, BCOS_GENERIC_CPU, cpu, log->time, bcos_precision(end - log->time, 1), BCOS_EVENT_LOSS,
		       BCOS_SEVERITY_ERROR, text, (size_t)at);
}

/* Return: the time since which the records of a stage are missing, ns since boot. */
static u64 missing_since(struct recovery *recovery, const struct recovery_stage *own)
{
	u64 time = own->last ? bcos_timebase_time(&recovery->merge.timebase, own->last) : 0;

	return time > recovery->image.pass->horizon ? time : recovery->image.pass->horizon;
}

static void state_stages(struct recovery *recovery)
{
	u32 number, cpus = recovery->image.header->cpus;

	for (number = 0; number < cpus; number++) {
		const struct recovery_stage *own = &recovery->stage[number];

		if (own->uncounted)
			state_loss(recovery, number, 0, NULL, "records of this CPU whose number is damaged",
				   recovery->image.pass->horizon);
		/* The stage of a CPU that never was online has nothing, unless the end tells otherwise. */
		if (own->absent && (own->unread || bcos_log_knows(&recovery->log, BCOS_SUBJECT_CPU, number)))
			state_loss(recovery, number, 0, NULL, "the newest records of this CPU are not in the image",
				   missing_since(recovery, own));
		else if (own->unread)
			state_loss(recovery, number, 0, NULL, "the newest records of this CPU are damaged",
				   missing_since(recovery, own));
		else if (own->endless)
			state_loss(recovery, number, 0, NULL,
				   "the memory that tells where the records of this CPU end is missing",
				   missing_since(recovery, own));
		else if (own->amid)
			state_loss(recovery, number, 0, NULL, "this CPU was recording an event at the end, which may be missing",
				   missing_since(recovery, own));
	}
	if (recovery->stage[cpus].unread || recovery->stage[cpus].absent || recovery->stage[cpus].endless)
		state_loss(recovery, cpus, recovery->lines_lost ?: 1, "kernel messages or more",
			   "the newest lines of the kernel's log are damaged",
			   missing_since(recovery, &recovery->stage[cpus]));
	if (recovery->image.kmsg && recovery->image.kmsg->missing)
		state_loss(recovery, cpus, recovery->image.kmsg->missing,
			   "kernel messages", "overwritten in the kernel's own buffer, or too many for the image",
			   recovery->image.pass->horizon);
}

void recovery_write_end(struct recovery *recovery)
{
	const char *text = recovery->result->reason;
	struct bcos_log *log = &recovery->log;
	u64 time = recovery->result->end > log->time ? recovery->result->end : log->time;

	state_stages(recovery);
	/* The end of a recorder is not that of the machine. */
	if (recovery->image.header->flags & BCOS_IMAGE_BY_BPF)
		return;
	bcos_log_event(log, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL, time, log->precision, BCOS_EVENT_ENDED,
		       recovery->result->state == BCOS_IMAGE_SEALED ? BCOS_SEVERITY_CRITICAL : BCOS_SEVERITY_INFO, text,
		       strlen(text));
}
