// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The life of a log_writer, from log_writer_new() to log_writer_end(): see log_writer.h. */
#include <stdlib.h>

#include "store.h"
#include "host/temporary.h"

#define MEMORY (64u << 20)

static void subject_free(struct node *node)
{
	free(((struct subject *)node)->name);
	free(node);
}

struct log_writer *log_writer_new(const struct log_writer_options *options)
{
	struct log_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return NULL;
	writer->options = *options;
	writer->sorter = sorter_new(options->folder ? options->folder : temporary_folder(),
				    options->memory ? options->memory : MEMORY);
	writer->state = bcoslog_state_new();
	if (writer->sorter && writer->state && !table_init(&writer->processes) && !table_init(&writer->cores) &&
	    !table_init(&writer->cpus) && !table_init(&writer->devices))
		return writer;
	log_writer_free(writer);
	return NULL;
}

static void table_end(struct table *table)
{
	if (table->buckets)
		table_destroy(table, subject_free);
}

void log_writer_free(struct log_writer *writer)
{
	if (!writer)
		return;
	table_end(&writer->processes);
	table_end(&writer->cores);
	table_end(&writer->cpus);
	table_end(&writer->devices);
	sorter_free(writer->sorter);
	bcoslog_state_free(writer->state);
	free(writer);
}

int log_writer_error(const struct log_writer *writer)
{
	return writer->error;
}

u64 log_writer_dropped(const struct log_writer *writer)
{
	return writer->dropped;
}

u64 log_writer_facts(const struct log_writer *writer)
{
	return writer->facts;
}

int log_verbatim(struct log_writer *writer, const struct bcos_entry *entry)
{
	int r;

	writer->verbatim = true;
	writer->facts++;
	r = writer->error ? writer->error : log_write(writer, entry);
	return r ? log_fail(writer, r) : 0;
}

bool log_writer_is_verbatim(const struct log_writer *writer)
{
	return writer->verbatim;
}

static int write_entry(void *context, const struct bcos_entry *entry)
{
	struct log_writer *writer = context;
	int r = 0;

	if (!writer->begun)
		r = log_group_first(writer, entry->time);
	return r ? r : log_rules_apply(writer, entry);
}

/* The CPUs of which nobody knows what they run when the source ends ran it up to its latest fact. */
static int end_unassigned(struct log_writer *writer)
{
	struct node **cpus = table_sorted(&writer->cpus);
	u32 i, count = writer->cpus.count;
	int r = cpus ? 0 : log_fail(writer, -ENOMEM);

	for (i = 0; !r && i < count; i++)
		r = log_end_unassigned(writer, (struct subject *)cpus[i], writer->latest);
	free(cpus);
	return r;
}

int log_writer_end(struct log_writer *writer)
{
	int r = writer->error;

	if (r || writer->verbatim)
		return r;
	r = end_unassigned(writer);
	if (r)
		return r;
	r = sorter_each(writer->sorter, write_entry, writer);
	if (!r && !writer->begun)
		r = log_group_first(writer, 0);
	return r ? log_fail(writer, r) : 0;
}
