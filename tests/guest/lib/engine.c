// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The BPF engine in the place of module and device, in this process: see lib.h.
 *
 * This file reads the engine's ring as it grows, and keeps everything.
 */
#include "lib.h"

#include <malloc.h>
#include <sys/eventfd.h>

#include "reader/reader.h"
#include "bcoslog_bpf.h"

#define FILES 256
#define BTF "/sys/kernel/btf/vmlinux"

static struct bcoslog *recorder;
static struct log history;
static size_t place[FILES];	/* by descriptor: how much of the history it was given */

static uint32_t number_after(const char *parameters, const char *name)
{
	const char *at = strstr(parameters, name);

	return at ? (uint32_t)strtoul(at + strlen(name), NULL, 0) : 0;
}

static uint32_t classes_of(const char *parameters)
{
	const char *at = strstr(parameters, "mask=");
	uint32_t mask = 0, part;
	size_t length;

	if (!at)
		return BCOS_CLASS_DEFAULT;
	for (at += strlen("mask=");; at += length + 1) {
		length = strcspn(at, ", ");
		if (bcoslog_class_mask(at, length, &part))
			give_up("class %s", at);
		mask |= part;
		if (at[length] != ',')
			return mask;
	}
}

void recording_begin(const char *parameters)
{
	struct bcoslog_bpf options = { .size = sizeof(options) };
	struct bcoslog_error error;

	const char *engine = getenv("ENGINE");

	if (access(BTF, R_OK))
		skip_all("this kernel does not describe itself (" BTF "), which BPF programs take");
	parameters = parameters ? parameters : "";
	/* The engine then records as on a kernel that refuses membarrier(). */
	if (engine && !strcmp(engine, "bpf-map"))
		options.flags |= BCOSLOG_BPF_NO_MEMBARRIER;
	if (strstr(parameters, "no_count=1"))
		options.flags |= BCOSLOG_BPF_NO_COUNT;
	options.classes = classes_of(parameters);
	options.ring_kb = number_after(parameters, "ring_kb=");
	options.staging_kb = number_after(parameters, "staging_kb=");
	errno = 0;
	if (bcoslog_open_bpf(&recorder, &options, BCOSLOG_FOLLOW, &error))
		give_up("%s", error.text);
	/* Free the memory of loading, because children would take long to free it. */
	malloc_trim(0);
}

void recording_end(void)
{
	int error = bcoslog_stop_bpf(recorder);

	if (!make_point(!error, "the recording ends"))
		print_note("%s", bcoslog_error(recorder)->text);
	bcoslog_close(recorder);
	recorder = NULL;
}

int recording_open(void)
{
	int fd = eventfd(0, EFD_CLOEXEC);

	if (fd < 0 || fd >= FILES)
		give_up("eventfd");
	place[fd] = 0;
	return fd;
}

void recording_status(struct bcos_status *status)
{
	errno = 0;
	if (bcoslog_status(recorder, status))
		give_up("%s", bcoslog_error(recorder)->text);
}

/* Reads everything that has happened until now into the history. */
static void engine_read(void)
{
	struct bcoslog_batch batch;
	size_t size;
	int more;

	errno = 0;
	if (bcoslog_flush(recorder, NULL))
		give_up("%s", bcoslog_error(recorder)->text);
	while ((more = bcoslog_batch(recorder, &batch)) > 0) {
		size = (size_t)((const char *)batch.end - (const char *)batch.first);
		history.bytes = grow_memory(history.bytes, history.size + size);
		memcpy(history.bytes + history.size, batch.first, size);
		history.size += size;
	}
	if (more < 0)
		give_up("%s", bcoslog_error(recorder)->text);
}

void recording_append(struct log *log, int fd)
{
	size_t size;

	engine_read();
	size = history.size - place[fd];
	log->bytes = grow_memory(log->bytes, log->size + size + LOG_SLACK);
	memcpy(log->bytes + log->size, history.bytes + place[fd], size);
	log->size += size;
	place[fd] = history.size;
}
