// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Processes, threads and devices of an export: their koids, their objects, and the thread table. */
#include "export.h"

/*
 * Readers cut koids to 32 bits. In these, a thread has the number of its CPU above 22 bits of its process; below are
 * idle CPUs and devices. A process with a larger number gets a koid of 64 bits.
 */
#define PID_BITS 22
#define CPUS_MAX 1022u
#define IDLES_MAX 0xFFFFu
#define DEVICES_FIRST 0x10000u
#define DEVICES_MAX ((1u << PID_BITS) - DEVICES_FIRST)

/* In the place of a CPU: what the item is. */
enum { A_PROCESS = 1, A_DEVICE, A_CPU, A_CORE, AN_IDLE_CPU };
#define ITEM(kind) ((u64)(kind) << 32)

static u64 process_koid(u32 pid)
{
	return pid == BCOS_PROCESS_KERNEL ? FXT_KERNEL : pid;
}

static u64 thread_koid(u32 pid, u32 cpu)
{
	if (pid >> PID_BITS || cpu >= CPUS_MAX)
		return 1ull << 63 | (u64)cpu << 32 | pid;
	return (u64)(cpu + 1) << PID_BITS | pid;
}

/* ---- the thread table ------------------------------------------------------- */

static u8 take_slot(struct fxt_export *fxt, struct fxt_thread *thread)
{
	struct fxt_threads *threads = &fxt->threads;
	u64 words[3];
	unsigned int slot;

	slot = threads->taken < 255 ? ++threads->taken : (threads->hand++ % 255) + 1;
	if (threads->slots[slot])
		threads->slots[slot]->slot = 0;
	threads->slots[slot] = thread;
	thread->slot = (u8)slot;
	words[0] = FXT_THREAD | 3 << 4 | (u64)slot << 16;
	words[1] = thread->pid_koid;
	words[2] = thread->koid;
	outfile_bytes(fxt->file, words, sizeof(words));
	return thread->slot;
}

u8 fxt_thread_ref(struct fxt_export *fxt, struct fxt_thread *thread)
{
	if (likely(thread->slot))
		return thread->slot;
	/* Once the table is full, a slot is for who comes again. */
	if (fxt->threads.taken == 255 && !thread->used) {
		thread->used = true;
		return 0;
	}
	return take_slot(fxt, thread);
}

void fxt_thread_inline(struct record *record, const struct fxt_thread *thread, u8 ref)
{
	if (ref)
		return;
	record_word(record, thread->pid_koid);
	record_word(record, thread->koid);
}

/* ---- objects ----------------------------------------------------------------- */

/* Begins the object of a process or thread. */
static struct record *object(struct fxt_export *fxt, u64 type, u64 koid, const char *name, size_t length)
{
	struct record *record = &fxt->record;

	if (length > FXT_STRING_MAX)
		length = FXT_STRING_MAX;
	record->count = record->arguments = 0;
	record_word(record, type << 16 | record_inline(length) << 24);
	record_word(record, koid);
	record_stream(record, name, length);
	return record;
}

static void object_end(struct fxt_export *fxt)
{
	record_write(&fxt->record, fxt->file, FXT_KERNEL_OBJECT, 40);
}

/* When a historical item began. */
static void put_start(struct record *record, const struct bcos_entry *entry)
{
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		return;
	record_u64(record, FXT_W_START, entry->time);
	record_u32(record, FXT_W_PRECISION, entry->precision);
}

static void thread_object(struct fxt_export *fxt, const struct fxt_thread *thread, const char *name, size_t length)
{
	struct record *record = object(fxt, FXT_OBJECT_THREAD, thread->koid, name, length);

	record_koid(record, FXT_W_PROCESS, thread->pid_koid);
	object_end(fxt);
}

/* Finds or adds a process, whose object is written, if it is new, with this name. */
static struct fxt_thread *process_of(struct fxt_export *fxt, u32 pid, const char *name, size_t length)
{
	struct fxt_thread *process = fxt_thread_find(&fxt->threads, pid, ITEM(A_PROCESS));

	if (process)
		return process;
	process = fxt_thread_add(&fxt->threads, pid, ITEM(A_PROCESS));
	if (!process)
		return NULL;
	process->pid_koid = process->koid = process_koid(pid);
	if (name) {
		if (fxt_thread_rename(process, name, length))
			return NULL;
		object(fxt, FXT_OBJECT_PROCESS, process->koid, name, length);
		object_end(fxt);
	}
	return process;
}

struct fxt_thread *fxt_thread_of(struct fxt_export *fxt, u32 pid, u32 cpu)
{
	struct fxt_thread *thread = fxt_thread_find(&fxt->threads, pid, cpu), *process;
	const char *name = pid == FXT_UNKNOWN ? "unknown" : "?";

	if (likely(thread))
		return thread;
	process = process_of(fxt, pid, name, strlen(name));
	thread = process ? fxt_thread_add(&fxt->threads, pid, cpu) : NULL;
	if (!thread)
		return NULL;
	thread->sibling = process->sibling;
	process->sibling = thread;
	thread->pid_koid = process->koid;
	thread->koid = thread_koid(pid, cpu);
	thread_object(fxt, thread, process->name, process->length);
	return thread;
}

struct fxt_thread *fxt_idle_thread(struct fxt_export *fxt, u32 cpu)
{
	struct fxt_thread *thread = fxt_thread_find(&fxt->threads, cpu, ITEM(AN_IDLE_CPU));

	if (thread)
		return thread;
	thread = fxt_thread_add(&fxt->threads, cpu, ITEM(AN_IDLE_CPU));
	/* It has no object: a reader takes the koid of its process for 0, which is how it knows that nobody runs. */
	if (thread)
		thread->koid = cpu < IDLES_MAX ? cpu + 1 : 1ull << 62 | cpu;
	return thread;
}

/* ---- processes ------------------------------------------------------------------ */

int fxt_process_named(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;
	struct fxt_thread *process = fxt_thread_find(&fxt->threads, entry->source, ITEM(A_PROCESS)), *thread;
	struct record *record;
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (historical && process)
		return 0;
	process = process_of(fxt, entry->source, NULL, 0);
	if (!process || fxt_thread_rename(process, name, length))
		return -ENOMEM;
	record = object(fxt, FXT_OBJECT_PROCESS, process->koid, name, length);
	put_start(record, entry);
	object_end(fxt);
	for (thread = process->sibling; thread; thread = thread->sibling)
		thread_object(fxt, thread, name, length);
	if (historical)
		return 0;
	thread = fxt_thread_of(fxt, entry->source, 0);
	if (!thread)
		return -ENOMEM;
	record = fxt_event(fxt, FXT_INSTANT, entry->time, thread, FXT_W_PROCESS, FXT_W_NAMED, NULL, 0);
	record_text(record, FXT_W_NAME, name, length < 30000 ? length : 30000);
	fxt_event_end(fxt, entry);
	return 0;
}

int fxt_process_ended(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	struct fxt_thread *thread = fxt_thread_of(fxt, entry->source, 0), *process;
	struct record *record;
	u32 cpu;

	if (!thread)
		return -ENOMEM;
	record = fxt_event(fxt, FXT_INSTANT, entry->time, thread, FXT_W_PROCESS, FXT_W_ENDED, NULL, 0);
	record_u32(record, FXT_W_STATUS, ((const struct bcos_cancel_name *)entry)->status);
	fxt_event_end(fxt, entry);
	for (cpu = 0; cpu < fxt->cpu_count; cpu++) {
		if (!fxt->cpus[cpu].known || fxt->cpus[cpu].process != entry->source)
			continue;
		fxt->cpus[cpu].ended = true;
		fxt->cpus[cpu].thread = NULL;
	}
	process = fxt_thread_find(&fxt->threads, entry->source, ITEM(A_PROCESS));
	fxt_thread_remove(&fxt->threads, process);
	return 0;
}

/* ---- devices ------------------------------------------------------------------------ */

static struct fxt_thread *device_of(struct fxt_export *fxt, u32 id)
{
	struct fxt_thread *device = fxt_thread_find(&fxt->threads, id, ITEM(A_DEVICE));
	u32 number;

	if (device)
		return device;
	device = fxt_thread_add(&fxt->threads, id, ITEM(A_DEVICE));
	if (!device)
		return NULL;
	number = fxt->device_koids++;
	device->koid = number < DEVICES_MAX ? DEVICES_FIRST + number : 1ull << 61 | number;
	device->pid_koid = FXT_KERNEL;
	return device;
}

struct fxt_thread *fxt_device_thread(struct fxt_export *fxt, u32 id)
{
	struct fxt_thread *device = fxt_thread_find(&fxt->threads, id, ITEM(A_DEVICE));

	if (device)
		return device;
	device = device_of(fxt, id);
	if (device)
		thread_object(fxt, device, "?", 1);
	return device;
}

int fxt_device_named(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;
	struct fxt_thread *device = fxt_thread_find(&fxt->threads, entry->source, ITEM(A_DEVICE));
	u32 driver = ((const struct bcos_device_name *)entry)->driver;
	struct record *record;
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (historical && device)
		return 0;
	device = device_of(fxt, entry->source);
	if (!device || !process_of(fxt, driver, "?", 1))
		return -ENOMEM;
	/* The table says whose thread it was. */
	if (device->slot && device->pid_koid != process_koid(driver)) {
		fxt->threads.slots[device->slot] = NULL;
		device->slot = 0;
	}
	device->pid_koid = process_koid(driver);
	record = object(fxt, FXT_OBJECT_THREAD, device->koid, name, length);
	record_koid(record, FXT_W_PROCESS, device->pid_koid);
	record_u32(record, FXT_W_DEVICE, entry->source);
	put_start(record, entry);
	object_end(fxt);
	if (historical)
		return 0;
	record = fxt_event(fxt, FXT_INSTANT, entry->time, device, FXT_W_DEVICE, FXT_W_NAMED, NULL, 0);
	record_u32(record, FXT_W_ID, entry->source);
	record_u32(record, FXT_W_DRIVER, driver);
	record_text(record, FXT_W_NAME, name, length < 30000 ? length : 30000);
	fxt_event_end(fxt, entry);
	return 0;
}

int fxt_device_ended(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	struct fxt_thread *device = fxt_device_thread(fxt, entry->source);
	struct record *record;

	if (!device)
		return -ENOMEM;
	record = fxt_event(fxt, FXT_INSTANT, entry->time, device, FXT_W_DEVICE, FXT_W_ENDED, NULL, 0);
	record_u32(record, FXT_W_ID, entry->source);
	record_u32(record, FXT_W_STATUS, ((const struct bcos_cancel_name *)entry)->status);
	fxt_event_end(fxt, entry);
	fxt_thread_remove(&fxt->threads, device);
	return 0;
}

/* ---- cores and CPUs --------------------------------------------------------------------- */

int fxt_item_known(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	u64 kind = ITEM(entry->type & BCOS_SUBJECT_CPU & BCOS_TYPE_SUBJECT_MASK ? A_CPU : A_CORE);
	struct fxt_thread *item = fxt_thread_find(&fxt->threads, entry->source, kind);

	switch (entry->type) {
	case BCOS_CORE_OFFLINE:
	case BCOS_CPU_OFFLINE:
		if (item)
			fxt_thread_remove(&fxt->threads, item);
		return 0;
	default:
		if (item)
			return 1;
		return fxt_thread_add(&fxt->threads, entry->source, kind) ? 0 : -ENOMEM;
	}
}
