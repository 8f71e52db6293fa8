// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The model of a log that goes on: see resume.h. */
#include <stdlib.h>

#include "core/capture/hook.h"
#include "core/format/entry.h"
#include "core/model/core.h"
#include "core/model/device.h"
#include "core/model/line.h"
#include "core/model/process.h"
#include "core/model/space.h"
#include "core/write/group.h"
#include "resume.h"
#include "state/state.h"

/* The greatest number of an ID in its range: the slots of all lower IDs take memory. */
#define NUMBER_MAX (1u << 20)

/* ---- processes --------------------------------------------------------------------- */

static int resume_process(struct bcos_log *log, const struct bcoslog_process *known, const struct resume *resume)
{
	static const char none[BCOS_RAW_NAME] = "";
	struct bcos_process *process = bcos_model_add_process(&log->model, known->id, false, none);
	size_t length = known->name_length < BCOS_NAME_MAX ? known->name_length : BCOS_NAME_MAX - 1;

	if (!process)
		return -ENOMEM;
	log->model.process_bytes -= process->bytes;
	memcpy(process->name, known->name, length);
	process->name_length = (u8)length;
	process->bytes = (u8)bcos_entry_size(sizeof(struct bcos_process_name), length);
	log->model.process_bytes += process->bytes;
	process->start = known->start;
	process->precision = known->precision;
	if (resume->tag_of)
		process->tag = resume->tag_of(resume->context, known->id);
	if (known->id == BCOS_PROCESS_KERNEL)
		log->model.kernel = process;
	return 0;
}

static int resume_processes(struct bcos_log *log, const struct bcoslog_state *state, const struct resume *resume)
{
	static const struct bcoslog_process kernel = { .id = BCOS_PROCESS_KERNEL, .name = "kernel", .name_length = 6 };
	struct node **nodes = table_sorted(&state->processes);
	u32 i;
	int r = nodes ? 0 : -ENOMEM;

	for (i = 0; i < state->processes.count && !r; i++)
		if (nodes[i]->id != BCOS_PROCESS_IDLE)
			r = resume_process(log, &((const struct process *)nodes[i])->public, resume);
	free(nodes);
	return r || log->model.kernel ? r : resume_process(log, &kernel, resume);
}

/* ---- cores and CPUs -------------------------------------------------------------- */

static void resume_estimate(struct bcos_core *core, const struct bcoslog_core *known)
{
	struct bcos_estimate *estimate = &core->estimate;
	u32 i;

	estimate->idle_mw = known->idle_power * 2u;
	estimate->busy_mw = estimate->idle_mw + known->power_difference * 2u;
	for (i = 0; i < known->performances; i++) {
		estimate->performance = known->performance[i];
		if (i < BCOS_SIBLINGS)
			estimate->counted[i] = known->performance[i];
	}
}

static void resume_assignment(struct bcos_log *log, struct bcos_cpu *cpu, const struct cpu *known)
{
	struct bcos_process *process;

	if (!known->public.assigned || !(log->mask & BCOS_CLASSES_SWITCHES))
		return;
	process = known->public.process == BCOS_PROCESS_IDLE ? NULL :
		  bcos_model_process(&log->model, known->public.process);
	if (!process && known->public.process != BCOS_PROCESS_IDLE)
		return;
	cpu->assigned = true;
	cpu->actual = known->public.process;
	bcos_model_hold(cpu, process, known->public.process, known->public.since, known->since_precision);
}

static int resume_cpu(struct bcos_log *log, const struct bcoslog_state *state, const struct cpu *known)
{
	const struct bcoslog_core *of = bcoslog_core(state, known->public.core);
	struct bcos_seen_cpu seen = { .cpu = known->public.id, .core = known->public.core };
	struct bcos_cpu *cpu;
	bool first;
	int r;

	if (seen.cpu >= log->model.cpu_limit)
		return 0;
	cpu = &log->model.cpus[seen.cpu];
	r = bcos_cpu_prime(log, &seen, 1, 0);
	if (r)
		return r;
	first = cpu->core->online == 1;
	cpu->start = known->public.start;
	cpu->precision = known->public.precision;
	if (of && first) {
		cpu->core->start = of->start;
		cpu->core->precision = of->precision;
		resume_estimate(cpu->core, of);
	}
	/* The table of a core may be longer than its CPUs that are online now, and does not become shorter. */
	if (of && of->performances > cpu->core->present && of->performances <= log->model.cpu_limit) {
		log->model.core_bytes += (of->performances - cpu->core->present) * sizeof(u32);
		cpu->core->present = (u32)of->performances;
	}
	resume_assignment(log, cpu, known);
	return 0;
}

static int resume_cpus(struct bcos_log *log, const struct bcoslog_state *state)
{
	struct node **nodes = table_sorted(&state->cpus);
	u32 i;
	int r = nodes ? 0 : -ENOMEM;

	for (i = 0; i < state->cpus.count && !r; i++)
		r = resume_cpu(log, state, (const struct cpu *)nodes[i]);
	free(nodes);
	return r;
}

/* ---- devices ----------------------------------------------------------------------- */

/* Gives a device its number back, and lists the lower numbers that are free.  Return: 0 or -ENOMEM. */
static int place_device(struct bcos_model *model, struct bcos_device *device, u32 number)
{
	struct bcos_device_ids *ids = &model->ids[device->id >> 30];
	struct bcos_device_slot *slot;
	u32 size = ids->size ? ids->size : 16;

	while (size <= number)
		size *= 2;
	if (size > ids->size) {
		slot = bcos_heap_alloc(&model->heap, size * sizeof(*slot));
		if (!slot)
			return -ENOMEM;
		if (ids->used)
			memcpy(slot, ids->slot, ids->used * sizeof(*slot));
		bcos_heap_free(&model->heap, ids->slot, ids->size * sizeof(*slot));
		ids->slot = slot;
		ids->size = size;
	}
	while (ids->used < number) {
		ids->slot[ids->used] = (struct bcos_device_slot){ .free = ids->free };
		ids->free = ++ids->used;
	}
	ids->slot[ids->used++] = (struct bcos_device_slot){ .device = device };
	return 0;
}

static int compare_told(const void *left, const void *right)
{
	const struct bcos_image_device *a = *(const struct bcos_image_device *const *)left;
	const struct bcos_image_device *b = *(const struct bcos_image_device *const *)right;

	/* Of two with one ID the first in the table counts. */
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a < b ? -1 : a > b;
}

/*
 * List the devices of the table by their IDs, in which order a damaged table may not have them.
 * Return: the list, which the caller frees, with a NULL at its end; NULL without memory.
 */
static const struct bcos_image_device **sort_told(const struct resume *resume)
{
	const struct bcos_image_device **told = calloc(resume->devices + 1ul, sizeof(*told));
	u32 i, count = 0;

	for (i = 0; told && i < resume->devices; i++)
		if (resume->device[i].kind == BCOS_IMAGE_IS_DEVICE)
			told[count++] = &resume->device[i];
	if (told)
		qsort(told, count, sizeof(*told), compare_told);
	return told;
}

/* Return: the key by which records name the device; 0 if no record may name it. */
static u64 key_of(const struct bcos_log *log, const struct bcoslog_device *known, const struct bcos_image_device *told)
{
	u64 key = known->id == BCOS_DEVICE_SELF ? BCOS_RAW_KEY(BCOS_DEVICE_SELF, 0) : told ? told->key : 0;

	/* A key of another range, or of another device, is no key of this one. */
	if (!key || BCOS_RAW_RANGE(key) != (known->id & 0xC0000000u) || bcos_model_device_of(&log->model, key))
		return 0;
	return key;
}

/* @told: what the table says of the device; NULL if nothing. */
static int resume_device(struct bcos_log *log, const struct bcoslog_device *known, const struct bcos_image_device *told)
{
	struct bcos_device *device;

	if ((known->id & 0x3FFFFFFFu) > NUMBER_MAX)
		return 0;
	device = bcos_heap_alloc(&log->model.heap, sizeof(*device));
	if (!device)
		return -ENOMEM;
	device->id = known->id;
	if (place_device(&log->model, device, known->id & 0x3FFFFFFFu)) {
		bcos_heap_free(&log->model.heap, device, sizeof(*device));
		return -ENOMEM;
	}
	device->item.key = key_of(log, known, told);
	device->name_length = (u8)(known->name_length < BCOS_DEVICE_NAME_MAX ? known->name_length :
									       BCOS_DEVICE_NAME_MAX - 1);
	memcpy(device->name, known->name, device->name_length);
	if (device->item.key)
		bcos_index_add(&log->model.keys, &log->model.heap, &device->item);
	log->model.device_count++;
	log->model.device_bytes += bcos_entry_size(sizeof(struct bcos_device_name), device->name_length);
	device->start = known->start;
	device->precision = known->precision;
	bcos_model_set_driver(&log->model, device, known->driver);
	if (!told)
		return 0;
	bcos_model_set_requests(&log->model, device, told->requests & BCOS_LOG_REQUESTS);
	if (told->flags & BCOS_IMAGE_ELSEWHERE)
		bcos_model_enter_space(&log->model, device, told->number);
	return 0;
}

/* An interrupt line belongs to the device with the ID that the table tells. */
static int resume_line(struct bcos_log *log, const struct bcos_image_device *told)
{
	struct bcos_device *device = bcos_model_device(&log->model, told->id);
	struct bcos_line *line;

	if (!device || told->key > 0xFFFFFFFFu || bcos_model_line(&log->model, (u32)told->key, told->tag))
		return 0;
	line = bcos_model_add_line(&log->model, (u32)told->key, told->tag, device->name, device->name_length);
	if (!line)
		return -ENOMEM;
	bcos_model_give_line(&log->model, line, device, told->flags & BCOS_IMAGE_OWN);
	return 0;
}

static int resume_devices(struct bcos_log *log, const struct bcoslog_state *state, const struct resume *resume)
{
	const struct bcos_image_device **told = sort_told(resume), **next = told;
	struct node **nodes = table_sorted(&state->devices);
	u32 i, id;
	int r = nodes && told ? 0 : -ENOMEM;

	/* In the order of IDs, as place_device() requires, and as those that are told. */
	for (i = 0; !r && i < state->devices.count; i++) {
		id = nodes[i]->id;
		while (*next && (*next)->id < id)
			next++;
		r = resume_device(log, &((const struct device *)nodes[i])->public, *next && (*next)->id == id ? *next : NULL);
	}
	for (i = 0; i < resume->devices && !r; i++)
		if (resume->device[i].kind == BCOS_IMAGE_IS_LINE)
			r = resume_line(log, &resume->device[i]);
	free(nodes);
	free(told);
	return r;
}

/* ---- statements ---------------------------------------------------------------------- */

static void resume_text(char *to, size_t size, const struct statement *statement, const char *words)
{
	size_t before = strlen(words), length;

	if (!statement->known || statement->length < before || memcmp(statement->text, words, before))
		return;
	length = statement->length - before;
	if (length > size - 1)
		length = size - 1;
	memcpy(to, statement->text + before, length);
	to[length] = 0;
}

static void resume_statements(struct bcos_log *log, const struct bcoslog_state *state)
{
	const struct statement *known = state->statements;
	struct bcos_statements *to = &log->statements;
	const struct bcoslog_wall *wall = bcoslog_state_wall(state);

	resume_text(to->boot, sizeof(to->boot), &known[STATEMENT_BOOT], "boot ");
	resume_text(to->host, sizeof(to->host), &known[STATEMENT_HOST], "host ");
	resume_text(to->kernel, sizeof(to->kernel), &known[STATEMENT_KERNEL], "kernel ");
	resume_text(to->version, sizeof(to->version), &known[STATEMENT_VERSION], "");
	if (!wall || wall->utc < wall->boot)
		return;
	/* The statement has the latest time that the clock may have shown. */
	to->error = wall->precision ? wall->precision : 1;
	to->offset = wall->utc - wall->boot;
	to->offset = to->offset > to->error ? to->offset - to->error : 0;
	to->clock = true;
}

int resume_log(struct bcos_log *log, const struct bcoslog_state *state, const struct resume *resume)
{
	int r;

	log->mask = resume->mask;
	log->on_request = resume->on_request;
	if (resume->elsewhere)
		log->elsewhere_limit = resume->elsewhere;
	log->hide_calls = resume->hide_calls;
	log->stats.lost[BCOS_LOST_SOURCE] = resume->lost;
	r = resume_processes(log, state, resume) ?: resume_cpus(log, state) ?: resume_devices(log, state, resume);
	if (r)
		return r;
	resume_statements(log, state);
	log->time = resume->time;
	log->begin = resume->begin > resume->time ? resume->time : resume->begin;
	log->ring.due = 0;
	log->ring.easy = 0;
	bcos_log_begin(log);
	return 0;
}
