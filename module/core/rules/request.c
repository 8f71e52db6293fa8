// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writes requests of disks as generic events (5.3). A request has three records: when a task asks,
 * when the device gets it, and when it completes, of which the last writes the event. What is known
 * of requests under way is here and not in the probes, so that both engines follow one rule.
 *
 * A request that is merged into another one never ends. Its structure is used again, and the next
 * start with its address takes its place; or so many others begin that it is the oldest one.
 */
#include "core/format/request_text.h"
#include "core/write/dropped.h"
#include "core/write/emit.h"
#include "core/write/event.h"
#include "rules.h"

/* More requests than this are hardly under way at once: 1023 for each of 32 queues of a device. */
#define MOST_REQUESTS 32768

static struct bcos_disk_request *request_of(const struct bcos_log *log, u64 key)
{
	if (!log->requests.index.bucket)
		return NULL;
	return (struct bcos_disk_request *)bcos_index_find(&log->requests.index, key);
}

static void drop_request(struct bcos_log *log, struct bcos_disk_request *request)
{
	struct bcos_disk_requests *all = &log->requests;

	*(request->older ? &request->older->newer : &all->oldest) = request->newer;
	*(request->newer ? &request->newer->older : &all->newest) = request->older;
	bcos_index_remove(&all->index, &request->item);
	bcos_heap_free(&log->model.heap, request, sizeof(*request));
}

/* Adds a request, in place of an earlier one with this key. Returns NULL if there is no memory. */
static struct bcos_disk_request *add_request(struct bcos_log *log, u64 key)
{
	struct bcos_disk_requests *all = &log->requests;
	struct bcos_heap *heap = &log->model.heap;
	struct bcos_disk_request *request = request_of(log, key);

	if (request)
		drop_request(log, request);
	else if (all->index.count >= MOST_REQUESTS)
		drop_request(log, all->oldest);
	if (!all->index.bucket && bcos_index_init(&all->index, heap))
		return NULL;
	request = bcos_heap_alloc(heap, sizeof(*request));
	if (!request)
		return NULL;
	request->item.key = key;
	bcos_index_add(&all->index, heap, &request->item);
	request->older = all->newest;
	*(all->newest ? &all->newest->newer : &all->oldest) = request;
	all->newest = request;
	return request;
}

static void begin_request(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_request_start *start;
	struct bcos_disk_request *request;

	start = (const struct bcos_raw_request_start *)(raw + 1);
	request = add_request(log, bcos_raw_request(start->request_low, start->request_high));
	if (!request)
		return bcos_log_starved(log);
	request->started = log->time;
	request->process = raw->id;
	request->thread = start->thread;
	request->whose = start->whose;
	request->flags = raw->aux & BCOS_REQUEST_FLAGS;
}

/* A device that cannot take a request gets it again later, and then the last time counts. */
static void issue_request(struct bcos_log *log, const struct bcos_raw *raw)
{
	u64 key = bcos_raw_request(raw->id, raw->aux);
	struct bcos_disk_request *request = request_of(log, key);

	if (!request)
		request = add_request(log, key);
	if (!request)
		return bcos_log_starved(log);
	request->issued = log->time;
}

/* Sets who issued the request. Returns the process that is the source of the event. */
static u32 tell_issuer(struct bcos_log *log, struct bcos_request_told *told,
		       const struct bcos_disk_request *request)
{
	const struct bcos_process *process;

	if (request->thread != request->process)
		told->thread = request->thread;
	if (request->process == BCOS_PROCESS_KERNEL) {
		told->cgroup = request->whose;
		return BCOS_PROCESS_KERNEL;
	}
	process = bcos_model_process(&log->model, request->process);
	if (process && process->tag == request->whose)
		return process->hidden ? BCOS_PROCESS_KERNEL : request->process;
	told->process = request->process;
	return BCOS_PROCESS_KERNEL;
}

/* Sets what is known of the beginning. Returns the source of the event. */
static u32 tell_beginning(struct bcos_log *log, struct bcos_request_told *told,
			  const struct bcos_disk_request *request)
{
	u64 doubted = log->requests.doubted, issued;

	if (!request)
		return BCOS_PROCESS_KERNEL;
	issued = request->issued > doubted ? request->issued : 0;
	told->has_issue = issued != 0;
	told->service = issued ? log->time - issued : 0;
	if (request->started <= doubted)
		return BCOS_PROCESS_KERNEL;
	told->has_start = true;
	told->queue = (issued ? issued : log->time) - request->started;
	told->flags |= request->flags;
	return tell_issuer(log, told, request);
}

static void end_request(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_request_end *end = (const struct bcos_raw_request_end *)(raw + 1);
	struct bcos_disk_request *request;
	struct bcos_request_told told = {
		.operation = BCOS_RAW_OPERATION(raw->aux),
		.flags = raw->aux & BCOS_REQUEST_FLAGS,
		.bytes = end->bytes,
		.sector = (u64)end->sector_high << 32 | end->sector_low,
		.error = BCOS_RAW_RESULT_ERROR(raw->aux),
	};
	struct bcos_device *device;
	char text[BCOS_REQUEST_TEXT];
	u32 source;

	request = request_of(log, bcos_raw_request(end->request_low, end->request_high));
	/* Once the data of a request are there, it ends a second time, without bytes. */
	if (!request && !end->bytes && !told.error && told.operation != BCOS_OPERATION_FLUSH)
		return;
	device = bcos_model_device_of(&log->model, BCOS_RAW_DISK(raw->id >> 20, raw->id & 0xFFFFF));
	/* A flush has no sector, and the kernel has any number in its place. */
	if (told.operation == BCOS_OPERATION_FLUSH)
		told.sector = 0;
	source = tell_beginning(log, &told, request);
	if (device) {
		if (log->begun)
			bcos_emit_stated_device(log, device);
		told.device = device->id;
		bcos_log_event(log, BCOS_GENERIC_PROCESS, source, log->time, log->time_precision,
			       BCOS_EVENT_REQUEST, BCOS_SEVERITY_DEBUG, text,
			       bcos_request_format(text, &told));
	} else {
		bcos_log_stray(log);
	}
	if (request && !(raw->aux & BCOS_REQUEST_PART))
		drop_request(log, request);
}

void bcos_requests_apply(struct bcos_log *log, const struct bcos_raw *raw)
{
	if (raw->kind == BCOS_RAW_REQUEST_START)
		begin_request(log, raw);
	else if (raw->kind == BCOS_RAW_REQUEST_ISSUE)
		issue_request(log, raw);
	else
		end_request(log, raw);
}

void bcos_requests_doubt(struct bcos_log *log, u64 time)
{
	if (time > log->requests.doubted)
		log->requests.doubted = time;
}

void bcos_requests_forget(struct bcos_log *log)
{
	while (log->requests.oldest)
		drop_request(log, log->requests.oldest);
	if (log->requests.index.bucket)
		bcos_index_destroy(&log->requests.index, &log->model.heap);
	memset(&log->requests.index, 0, sizeof(log->requests.index));
}
