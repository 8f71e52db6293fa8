// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to the Fuchsia trace format: names and ends of processes, devices, cores and CPUs. */
#include "write.h"

/* ---- processes ------------------------------------------------------------------ */

int fxt_process_named(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;
	struct fxt_thread *process = fxt_thread_find(&fxt->threads, entry->source, FXT_ITEM(FXT_A_PROCESS)), *thread;
	struct record *record;
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (historical && process)
		return 0;
	process = fxt_process_item(fxt, entry->source, NULL, 0);
	if (!process || fxt_thread_rename(process, name, length))
		return -ENOMEM;
	record = fxt_object(fxt, FXT_OBJECT_PROCESS, process->koid, name, length);
	fxt_put_start(record, entry);
	fxt_object_end(fxt);
	/* Its threads follow when they are next shown, or at the end: all at once for each name would be a square. */
	process->renames++;
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
	struct fxt_cpu *cpu;

	if (!thread)
		return -ENOMEM;
	record = fxt_event(fxt, FXT_INSTANT, entry->time, thread, FXT_W_PROCESS, FXT_W_ENDED, NULL, 0);
	record_u32(record, FXT_W_STATUS, ((const struct bcos_cancel_name *)entry)->status);
	fxt_event_end(fxt, entry);
	process = thread->process;
	for (thread = process->sibling; thread; thread = thread->sibling) {
		cpu = thread->cpu < fxt->cpu_count ? &fxt->cpus[thread->cpu] : NULL;
		if (fxt_thread_is_stale(thread))
			fxt_thread_object(fxt, thread, process->name, process->length);
		if (!cpu || !cpu->known || cpu->process != entry->source)
			continue;
		cpu->dead = (struct fxt_thread){ .pid_koid = thread->pid_koid, .koid = thread->koid };
		cpu->thread = NULL;
	}
	fxt_thread_remove(&fxt->threads, process);
	return 0;
}

int fxt_device_named(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;
	struct fxt_thread *device = fxt_thread_find(&fxt->threads, entry->source, FXT_ITEM(FXT_A_DEVICE));
	u32 driver = ((const struct bcos_device_name *)entry)->driver;
	struct record *record;
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (historical && device)
		return 0;
	device = fxt_device_item(fxt, entry->source);
	if (!device || !fxt_process_item(fxt, driver, "?", 1))
		return -ENOMEM;
	/* A slot of the thread table fixes the process of a thread. */
	if (device->slot && device->pid_koid != fxt_process_koid(driver)) {
		fxt->threads.slots[device->slot] = NULL;
		device->slot = 0;
	}
	device->pid_koid = fxt_process_koid(driver);
	record = fxt_object(fxt, FXT_OBJECT_THREAD, device->koid, name, length);
	record_koid(record, FXT_W_PROCESS, device->pid_koid);
	record_u32(record, FXT_W_DEVICE, entry->source);
	fxt_put_start(record, entry);
	fxt_object_end(fxt);
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
	u64 kind = FXT_ITEM(entry->type & BCOS_SUBJECT_CPU & BCOS_TYPE_SUBJECT_MASK ? FXT_A_CPU : FXT_A_CORE);
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
