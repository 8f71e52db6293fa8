// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The exporter to trace.dat of trace-cmd, version 6: see read/read.h. All but the records is written at the end, when
 * all names are known, so the output may be a pipe.
 */
#include <errno.h>
#include <stdlib.h>

#include "../read/read.h"
#include "write.h"
#include "version.h"

enum { OPTION_END = 0, OPTION_VERSION = 9 };

static int begin_export(struct export *export)
{
	static const struct switches_sinks sinks = { .put = recorder_put_switch };
	struct recorder *recorder = calloc(1, sizeof(*recorder));
	int r;

	export->own = recorder;
	if (recorder)
		recorder->draft.runs.fd = -1;
	if (!recorder || table_init(&recorder->tasks))
		goto starved;
	recorder->running = calloc(RECORDER_CPUS, sizeof(*recorder->running));
	recorder->switches = switches_new(&sinks, recorder);
	if (!recorder->running || !recorder->switches)
		goto starved;
	r = draft_begin(&recorder->draft, export->output->path);
	if (r)
		complain("there is no temporary file, beside the output or in $TMPDIR: %s", strerror(-r));
	return r;
starved:
	complain("no memory");
	return -ENOMEM;
}

static int recorder_failed(const struct recorder *recorder)
{
	if (recorder->draft.runs.error)
		complain("the temporary file cannot be written: %s", strerror(-recorder->draft.runs.error));
	return recorder->draft.runs.error;
}

static int export_entry(struct export *export, const struct bcos_entry *entry)
{
	struct recorder *recorder = export->own;

	/* Where a loss begins, its CPU switches to "unknown" first: readers take what is lost for what follows that. */
	bool loss = bcoslog_is_loss(entry) || bcoslog_is_missed(entry);

	if (!loss)
		recorder_put_entry(recorder, entry);
	if (unlikely(switches_entry(recorder->switches, entry)))
		return export_no_memory(export);
	if (unlikely(loss))
		recorder_put_entry(recorder, entry);
	return unlikely(recorder->draft.runs.error) ? recorder_failed(recorder) : 0;
}

static int export_resumed(struct export *export)
{
	struct recorder *recorder = export->own;

	switches_forget(recorder->switches);
	return 0;
}

/* Prints the names of threads after their size. */
static int print_tasks(const struct recorder *recorder, FILE *to)
{
	struct tracing_text text;
	int r;

	if (tracing_text_begin(&text))
		return -ENOMEM;
	r = recorder_print_tasks(recorder, text.stream);
	if (tracing_text_end(&text))
		return -ENOMEM;
	tracing_print64(to, text.size);
	fwrite(text.bytes, text.size, 1, to);
	free(text.bytes);
	return r;
}

static void print_option(FILE *to, u16 id, const char *text, u32 size)
{
	fwrite(&id, sizeof(id), 1, to);
	tracing_print32(to, size);
	fwrite(text, size, 1, to);
}

/* Prints everything before the table of CPUs. */
static int print_header(const struct recorder *recorder, FILE *to)
{
	static const char shape[] = { 0, 8 };
	static const char version[] = TRACE_DAT_OURS " " BCOS_VERSION TRACE_DAT_OURS_CLOCK;
	const u16 end = OPTION_END;
	int r;

	fwrite(TRACE_DAT_MAGIC "6", TRACE_DAT_MAGIC_SIZE + 2, 1, to);
	fwrite(shape, sizeof(shape), 1, to);
	tracing_print32(to, PAGE_BYTES);
	r = tracing_print(to, points, POINTS);
	tracing_print32(to, 0);		/* no symbols and no formats of printk */
	tracing_print32(to, 0);
	r = r ? r : print_tasks(recorder, to);
	tracing_print32(to, recorder->draft.cpu_end);
	fwrite("options  ", 10, 1, to);
	print_option(to, OPTION_VERSION, version, sizeof(version));
	fwrite(&end, sizeof(end), 1, to);
	fwrite("flyrecord", 10, 1, to);
	return r;
}

/* Prints the table of CPUs. The pages begin at the next multiple of a page. */
static void print_places(const struct draft *draft, FILE *to)
{
	u64 offset = (u64)ftell(to) + 16 * (u64)draft->cpu_end, gap = -offset % PAGE_BYTES, size;
	u32 id;

	offset += gap;
	for (id = 0; id < draft->cpu_end; id++) {
		size = draft->cpus[id].fill.count * PAGE_BYTES;
		tracing_print64(to, offset);
		tracing_print64(to, size);
		offset += size;
	}
	for (; gap; gap--)
		fputc(0, to);
}

static int write_header(struct recorder *recorder, struct outfile *file)
{
	struct tracing_text text;
	int r;

	if (tracing_text_begin(&text))
		return -ENOMEM;
	r = print_header(recorder, text.stream);
	fflush(text.stream);
	print_places(&recorder->draft, text.stream);
	if (tracing_text_end(&text))
		return -ENOMEM;
	outfile_bytes(file, text.bytes, text.size);
	free(text.bytes);
	return r;
}

/* A page states the losses before it, so each loss that no record of its CPU follows gets one where the log ends. */
static int end_losses(struct recorder *recorder)
{
	u32 id;
	int r = 0;

	for (id = 0; id < recorder->draft.cpu_count && !r; id++)
		if (recorder->draft.cpus[id].lost)
			r = switches_end_unknown(recorder->switches, id);
	return r;
}

static int end_export(struct export *export)
{
	struct recorder *recorder = export->own;
	u32 id;
	int r;

	if (end_losses(recorder))
		return export_no_memory(export);
	recorder->left_out += switches_left_out(recorder->switches);
	if (recorder->left_out)
		complain("%s: %llu assignments of CPUs above %u are left out, which trace.dat has no room for",
			 export->path, (unsigned long long)recorder->left_out, RECORDER_CPUS - 1);
	if (recorder->draft.runs.error)
		return recorder_failed(recorder);
	r = write_header(recorder, &export->output->file);
	if (r) {
		complain("no memory");
		return r;
	}
	for (id = 0; id < recorder->draft.cpu_end && !r; id++)
		r = draft_write(&recorder->draft, id, &export->output->file);
	if (r && r != -EINTR)
		complain("the temporary file cannot be read: %s", strerror(-r));
	return r;
}

static void free_all(struct export *export)
{
	struct recorder *recorder = export->own;

	if (!recorder)
		return;
	draft_free(&recorder->draft);
	switches_free(recorder->switches);
	table_destroy(&recorder->tasks, node_free);
	free(recorder->running);
	free(recorder);
}

const struct exporter trace_dat_exporter = {
	.name = "trace-cmd",
	.also = "trace.dat",
	.suffix = ".dat",
	.help = "trace.dat, for trace-cmd and KernelShark",
	.begin = begin_export,
	.entry = export_entry,
	.resumed = export_resumed,
	.end = end_export,
	.free = free_all,
};
