// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collects the life of a process: see life.h. */
#include <stdlib.h>

#include "entry/who.h"
#include "account/report.h"
#include "entry/text.h"
#include "life.h"
#include "output/request.h"

/* The bytes to which a text is cut. */
#define TEXT_MAX 4096

static int set_note(struct life_note *note, u64 time, u32 precision, const char *text, size_t length)
{
	char *copy;

	length = utf8_fit(text, length, TEXT_MAX);
	copy = malloc(length + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, length);
	free(note->text);
	*note = (struct life_note){ .time = time, .precision = precision, .text = copy, .length = length };
	return 0;
}

/* Return: the place of the next note. */
static struct life_note *next_note(struct life_notes *notes)
{
	return &notes->of[notes->count % LIFE_NOTES];
}

size_t life_note_count(const struct life_notes *notes)
{
	return notes->count < LIFE_NOTES ? notes->count : LIFE_NOTES;
}

const struct life_note *life_note(const struct life_notes *notes, size_t at)
{
	return &notes->of[(notes->count - life_note_count(notes) + at) % LIFE_NOTES];
}

/* Notes the ID of the thread that an entry tells of. */
static void note_thread(struct life *life, const struct bcos_entry *entry)
{
	struct bcoslog_thread thread;
	size_t i;

	if (bcoslog_thread(&thread, entry))
		return;
	for (i = 0; i < life->thread_count && i < LIFE_THREADS; i++)
		if (life->threads[i] == thread.thread)
			return;
	if (life->thread_count < LIFE_THREADS)
		life->threads[life->thread_count] = thread.thread;
	/* Further threads are not told apart, so the count ends at LIFE_THREADS + 1. */
	if (life->thread_count <= LIFE_THREADS)
		life->thread_count++;
}

void life_request(struct life *life, const struct bcos_request_told *told, u64 time)
{
	struct life_requests *requests = &life->requests;
	u64 both = sum_of(told->queue, told->service);

	requests->failures += told->error != 0;
	if (told->operation == BCOS_OPERATION_READ)
		requests->read_bytes += told->error ? 0 : told->bytes;
	else if (told->operation == BCOS_OPERATION_WRITE)
		requests->written_bytes += told->error ? 0 : told->bytes;
	/* The last part has the times of the whole. */
	if (told->flags & BCOS_REQUEST_PART)
		return;
	requests->count++;
	/* Without the time at which the device got it, the other one is that of both. */
	if (told->has_issue)
		sum_add(&requests->queue, told->queue);
	else
		requests->untimed++;
	sum_add(&requests->device, told->service);
	if (both > requests->longest) {
		requests->longest = both;
		requests->longest_at = time;
	}
}

int life_entry(struct life *life, const struct bcos_entry *entry, bool counts)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct life_note *note;
	struct bcos_request_told told;
	size_t length;
	const char *text = bcoslog_text(entry, &length);
	int r;

	switch (event->event_id) {
	case BCOS_EVENT_PARENT:
		return set_note(&life->parent, entry->time, entry->precision, text, length);
	case BCOS_EVENT_KILLED:
		return set_note(&life->killed, entry->time, entry->precision, text, length);
	case BCOS_EVENT_TASK_STATE:
	case BCOS_EVENT_THREAD_LEFT:
	case BCOS_EVENT_THREAD_RUNS:
	case BCOS_EVENT_THREAD_WOKEN:
		note_thread(life, entry);
		return 0;
	case BCOS_EVENT_THREAD_NAME:
	case BCOS_EVENT_CGROUP:
		return 0;
	case BCOS_EVENT_EXEC:
		r = set_note(next_note(&life->execs), entry->time, entry->precision, text, length);
		life->execs.count += !r;
		return r;
	default:
		break;
	}
	if (!counts)
		return 0;
	if (request_read(entry, &told)) {
		/* The source of a request of one who had ended, or whom nobody saw, is the kernel, and not who issued it. */
		if (!told.process && request_has_issuer(&told))
			life_request(life, &told, entry->time);
		return 0;
	}
	note = next_note(&life->events);
	r = set_note(note, entry->time, entry->precision, text, length);
	if (r)
		return r;
	note->event = event->event_id;
	note->severity = event->severity;
	life->events.count++;
	return 0;
}

int life_child(struct life *life, const struct bcoslog_account_process *child, u64 time, u32 precision)
{
	struct life_note *note = next_note(&life->children);
	int r = set_note(note, time, precision, child->name, child->name_length);

	if (r)
		return r;
	note->event = child->id;
	life->children.count++;
	return 0;
}

int life_child_named(struct life *life, const struct bcoslog_account_process *child)
{
	size_t at, count = life_note_count(&life->children);
	struct life_note *note;
	int r = 0;

	/* The newest child of that ID. */
	for (at = count; at > 0; at--) {
		note = &life->children.of[(life->children.count - count + at - 1) % LIFE_NOTES];
		if (note->event != child->id)
			continue;
		r = set_note(note, note->time, note->precision, child->name, child->name_length);
		note->event = child->id;
		break;
	}
	return r;
}

int life_named(struct life *life, const struct bcoslog_account_process *process, u64 time, u32 precision)
{
	int r;

	if (process->renames == life->renames)
		return 0;
	life->renames = process->renames;
	r = set_note(next_note(&life->names), time, precision, process->former, process->former_length);
	life->names.count += !r;
	return r;
}

int life_device(struct life *life, const struct bcos_entry *entry)
{
	struct life_device *device;
	struct life_note note = { 0 };
	size_t i, length;
	const char *text = bcoslog_text(entry, &length);

	for (i = 0; i < life->device_count; i++)
		if (life->devices[i].id == entry->source)
			return 0;
	if (life->device_count == LIFE_DEVICES)
		return 0;
	if (set_note(&note, entry->time, entry->precision, text, length))
		return -ENOMEM;
	device = &life->devices[life->device_count++];
	*device = (struct life_device){ .id = entry->source, .precision = entry->precision, .time = entry->time,
					.name = note.text, .length = note.length };
	return 0;
}

int life_interval(struct life *life, const struct bcoslog_interval *interval)
{
	struct life_cpu *larger;
	size_t i;

	life->left = interval->cpu;
	for (i = 0; i < life->cpu_count; i++)
		if (life->cpus[i].id == interval->cpu)
			break;
	if (i == life->cpu_count) {
		larger = reallocarray(life->cpus, i + 1, sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		life->cpus = larger;
		larger[life->cpu_count++] = (struct life_cpu){ .id = interval->cpu };
	}
	life->cpus[i].time += interval->end - interval->begin;
	return 0;
}

void life_off(struct life *life, const struct recent *recent, const struct bcoslog_account *account,
	      const struct bcoslog_stretch *off)
{
	struct stretch *last = &life->offs[LIFE_STRETCHES - 1], stretch;
	u64 span = off->end - off->begin;
	size_t i;

	life->off_count++;
	sum_add(&life->off_sum, span);
	sum_add(&life->off_unknown, off->unknown);
	if (span <= last->end - last->begin)
		return;
	recent_stretch(recent, &stretch, account, life->left, off);
	for (i = LIFE_STRETCHES - 1; i && life->offs[i - 1].end - life->offs[i - 1].begin < span; i--)
		life->offs[i] = life->offs[i - 1];
	life->offs[i] = stretch;
}

bool life_has_name(const struct life *life, const struct bcoslog_account_process *process, const char *name)
{
	const struct life_note *note;
	size_t length = strlen(name), i;

	if (process->name_length == length && !memcmp(process->name, name, length))
		return true;
	for (i = 0; life && i < life_note_count(&life->names); i++) {
		note = life_note(&life->names, i);
		if (note->length == length && !memcmp(note->text, name, length))
			return true;
	}
	return false;
}

/* Remembers the present use of each CPU.  Return: 0 or -ENOMEM. */
static int remember_moment(struct life *life, const struct bcoslog_account *account)
{
	const struct bcoslog_account_cpu *cpu = NULL;
	size_t count = 0;

	while ((cpu = bcoslog_account_next_cpu(account, cpu)))
		count += cpu->up;
	life->at_end = calloc(count + 1, sizeof(*life->at_end));
	if (!life->at_end)
		return -ENOMEM;
	while ((cpu = bcoslog_account_next_cpu(account, cpu))) {
		if (!cpu->up)
			continue;
		life->at_end[life->at_end_count].cpu = cpu->id;
		life->at_end[life->at_end_count].since = cpu->since;
		recent_describe(&life->at_end[life->at_end_count++].use, cpu->use, cpu->process);
	}
	return 0;
}

int life_cgroup(struct life *life, const struct bcoslog_account_process *process, const struct bcos_entry *entry)
{
	size_t count = life_note_count(&life->groups);
	const struct life_note *last = count ? life_note(&life->groups, count - 1) : NULL;
	struct life_note *note = next_note(&life->groups);
	const char *path = process->cgroup;
	int r;

	if (!path || (last && last->event == process->cgroup_cpu && last->length == strlen(path) &&
		      !memcmp(last->text, path, last->length)))
		return 0;
	r = set_note(note, entry->time, entry->precision, path, strlen(path));
	if (r)
		return r;
	note->event = process->cgroup_cpu;
	life->groups.count++;
	return 0;
}

int life_ends(struct life *life, const struct bcoslog_account *account, const struct bcoslog_account_process *process)
{
	life->process = *process;
	life->process.former = NULL;
	if (set_note(&life->name, 0, 1, process->name, process->name_length))
		return -ENOMEM;
	life->process.name = life->name.text;
	life->process.name_length = life->name.length;
	return process->ended ? remember_moment(life, account) : 0;
}

static void free_notes(struct life_notes *notes)
{
	size_t i;

	for (i = 0; i < life_note_count(notes); i++)
		free(notes->of[i].text);
}

void life_free(struct life *life)
{
	size_t i;

	if (!life)
		return;
	free_notes(&life->names);
	free_notes(&life->execs);
	free_notes(&life->events);
	free_notes(&life->children);
	free_notes(&life->groups);
	free(life->parent.text);
	free(life->killed.text);
	for (i = 0; i < life->device_count; i++)
		free(life->devices[i].name);
	free(life->told);
	free(life->cpus);
	free(life->at_end);
	free(life->name.text);
	free(life);
}
