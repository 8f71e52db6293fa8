// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Folded stacks, from which flame graphs are drawn. Each line has a core, a CPU, the ancestors of a process and the
 * process, and the nanoseconds for which the process had the CPU.
 */
#include <stdlib.h>

#include "entry/text.h"
#include "../convert.h"
#include "small.h"

static int folded_begin(struct export *export)
{
	export->own = stacks_new();
	return export->own ? 0 : export_no_memory(export);
}

static int folded_entry(struct export *export, const struct bcos_entry *entry)
{
	return stacks_entry(export->own, entry) ? export_no_memory(export) : 0;
}

/*
 * A semicolon would end a frame, and a newline the line, and a terminal would obey other control characters and those that
 * change the direction of writing. All are shown as "_".
 */
static void put_frame(struct outfile *file, const char *name, size_t length)
{
	size_t i = 0, size;
	u32 code;

	outfile_bytes(file, ";", 1);
	while (i < length) {
		size = escape_code(name + i, length - i, &code);
		if (!size && name[i] == ';')
			size = 1;
		outfile_bytes(file, size ? "_" : name + i, 1);
		i += size ? size : 1;
	}
}

static void put_process(struct outfile *file, struct stacks_process *process)
{
	struct stacks_process *chain[STACKS_DEPTH];
	char text[STACKS_FRAME];
	const char *root;
	size_t i, count = stacks_chain(process, chain, &root);

	if (root)
		put_frame(file, root, strlen(root));
	for (i = 0; i < count; i++)
		put_frame(file, text, stacks_frame(chain[i], text));
}

static int folded_end(struct export *export)
{
	struct outfile *file = &export->output->file;
	const struct stack **list;
	size_t i, count;

	list = stacks_end(export->own, &count);
	if (!list)
		return export_no_memory(export);
	for (i = 0; i < count; i++) {
		outfile_format(file, "core %u;CPU %u", list[i]->core, list[i]->cpu);
		if (list[i]->process)
			put_process(file, list[i]->process);
		else
			put_frame(file, "unknown", 7);
		outfile_format(file, " %llu\n", (unsigned long long)list[i]->time);
	}
	free(list);
	return 0;
}

static void folded_free(struct export *export)
{
	stacks_free(export->own);
}

const struct exporter folded_exporter = {
	.name = "folded",
	.suffix = ".folded",
	.help = "folded stacks of CPU time by core, CPU and process tree, for flame graphs",
	.text = true,
	.begin = folded_begin,
	.entry = folded_entry,
	.end = folded_end,
	.free = folded_free,
};
