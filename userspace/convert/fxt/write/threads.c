// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Export to the Fuchsia trace format: koids and objects of threads, and the thread table. Processes and devices are
 * items of the same kind.
 */
#include "write.h"

/*
 * Readers cut koids to 32 bits. In these, a thread has the number of its CPU above 22 bits for its process. Lower koids
 * are those of idle CPUs and devices. The first koids above them are those of the threads that stand for
 * nobody known, by CPU. The others go to the threads of processes and CPUs with larger numbers, in the order in which
 * they come, and once these are used up such threads get koids of 64 bits.
 */
#define PID_BITS 22
#define CPUS_MAX 1022u
#define IDLES_MAX 0xFFFFu
#define DEVICES_FIRST 0x10000u
#define DEVICES_MAX ((1u << PID_BITS) - DEVICES_FIRST)
#define UNKNOWN_FIRST ((CPUS_MAX + 1) << PID_BITS)
#define ODD_FIRST (UNKNOWN_FIRST + FXT_CPUS)
/* The last two are those of processes: the kernel and nobody known. */
#define ODD_MAX (FXT_UNKNOWN - 1 - ODD_FIRST)

u64 fxt_process_koid(u32 pid)
{
	return pid == BCOS_PROCESS_KERNEL ? FXT_KERNEL : pid;
}

static u64 thread_koid(struct fxt_export *fxt, u32 pid, u32 cpu)
{
	if (pid == FXT_UNKNOWN && cpu < FXT_CPUS)
		return UNKNOWN_FIRST + cpu;
	if (likely(!(pid >> PID_BITS) && cpu < CPUS_MAX))
		return (u64)(cpu + 1) << PID_BITS | pid;
	if (fxt->odd_koids < ODD_MAX)
		return ODD_FIRST + fxt->odd_koids++;
	return 1ull << 63 | (u64)cpu << 32 | pid;
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
	/* Once the table is full, only a thread that is used for the second time gets a slot. */
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

struct record *fxt_object(struct fxt_export *fxt, u64 type, u64 koid, const char *name, size_t length)
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

void fxt_object_end(struct fxt_export *fxt)
{
	record_write(&fxt->record, fxt->file, FXT_KERNEL_OBJECT, 40);
}

void fxt_put_start(struct record *record, const struct bcos_entry *entry)
{
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		return;
	record_u64(record, FXT_W_START, entry->time);
	record_u32(record, FXT_W_PRECISION, entry->precision);
}

void fxt_thread_object(struct fxt_export *fxt, const struct fxt_thread *thread, const char *name, size_t length)
{
	struct record *record = fxt_object(fxt, FXT_OBJECT_THREAD, thread->koid, name, length);

	record_koid(record, FXT_W_PROCESS, thread->pid_koid);
	fxt_object_end(fxt);
}

struct fxt_thread *fxt_process_item(struct fxt_export *fxt, u32 pid, const char *name, size_t length)
{
	struct fxt_thread *process = fxt_thread_find(&fxt->threads, pid, FXT_ITEM(FXT_A_PROCESS));

	if (process)
		return process;
	process = fxt_thread_add(&fxt->threads, pid, FXT_ITEM(FXT_A_PROCESS));
	if (!process)
		return NULL;
	process->pid_koid = process->koid = fxt_process_koid(pid);
	if (name) {
		if (fxt_thread_rename(process, name, length))
			return NULL;
		fxt_object(fxt, FXT_OBJECT_PROCESS, process->koid, name, length);
		fxt_object_end(fxt);
	}
	return process;
}

/* Writes the object of a thread again, whose process has a new name. */
static void refresh_thread(void *context, struct fxt_thread *thread)
{
	thread->renames = thread->process->renames;
	fxt_thread_object(context, thread, thread->process->name, thread->process->length);
}

void fxt_refresh_threads(struct fxt_export *fxt)
{
	fxt_threads_stale(&fxt->threads, refresh_thread, fxt);
}

struct fxt_thread *fxt_thread_of(struct fxt_export *fxt, u32 pid, u32 cpu)
{
	struct fxt_thread *thread = fxt_thread_find(&fxt->threads, pid, cpu), *process;
	const char *name = pid == FXT_UNKNOWN ? "unknown" : "?";

	if (likely(thread)) {
		if (unlikely(fxt_thread_is_stale(thread)))
			refresh_thread(fxt, thread);
		return thread;
	}
	process = fxt_process_item(fxt, pid, name, strlen(name));
	thread = process ? fxt_thread_add(&fxt->threads, pid, cpu) : NULL;
	if (!thread)
		return NULL;
	fxt_thread_join(process, thread);
	thread->pid_koid = process->koid;
	thread->koid = thread_koid(fxt, pid, cpu);
	fxt_thread_object(fxt, thread, process->name, process->length);
	return thread;
}

struct fxt_thread *fxt_idle_thread(struct fxt_export *fxt, u32 cpu)
{
	struct fxt_thread *thread = fxt_thread_find(&fxt->threads, cpu, FXT_ITEM(FXT_AN_IDLE_CPU));

	if (thread)
		return thread;
	thread = fxt_thread_add(&fxt->threads, cpu, FXT_ITEM(FXT_AN_IDLE_CPU));
	/*
	 * The idle thread has no object: readers then take 0 as the koid of its process, and so know that the CPU is
	 * idle.
	 */
	if (thread)
		thread->koid = cpu < IDLES_MAX ? cpu + 1 : 1ull << 62 | cpu;
	return thread;
}

/* ---- devices ------------------------------------------------------------------------ */

struct fxt_thread *fxt_device_item(struct fxt_export *fxt, u32 id)
{
	struct fxt_thread *device = fxt_thread_find(&fxt->threads, id, FXT_ITEM(FXT_A_DEVICE));
	u32 number;

	if (device)
		return device;
	device = fxt_thread_add(&fxt->threads, id, FXT_ITEM(FXT_A_DEVICE));
	if (!device)
		return NULL;
	number = fxt->device_koids++;
	device->koid = number < DEVICES_MAX ? DEVICES_FIRST + number : 1ull << 61 | number;
	device->pid_koid = FXT_KERNEL;
	return device;
}

struct fxt_thread *fxt_device_thread(struct fxt_export *fxt, u32 id)
{
	struct fxt_thread *device = fxt_thread_find(&fxt->threads, id, FXT_ITEM(FXT_A_DEVICE));

	if (device)
		return device;
	device = fxt_device_item(fxt, id);
	if (device)
		fxt_thread_object(fxt, device, "?", 1);
	return device;
}
