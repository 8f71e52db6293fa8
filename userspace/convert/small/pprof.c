// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A profile of pprof. It has a sample for each core, CPU and process, with the nanoseconds for which the process had the
 * CPU, under the ancestors of the process. The file is a gzip file of uncompressed blocks: a profile is small, and this needs no library.
 */
#include <stdlib.h>

#include "../convert.h"
#include "../proto.h"
#include "small.h"

enum { SAMPLE_TYPE = 1, SAMPLE = 2, LOCATION = 4, FUNCTION = 5, STRING = 6, TIME = 9, DURATION = 10, PERIOD_TYPE = 11,
       PERIOD = 12 };	/* Profile */
enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_NUMBER = 3 };
enum { LOCATION_ID = 1, LOCATION_LINE = 4, LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2 };

struct pprof {
	struct stacks *stacks;
	struct bcoslog_wall wall;
	bool has_wall;
	struct proto profile, message, part;
	u64 strings, frames;
	u64 pid;		/* the string "pid" */
	u64 unknown;		/* the frame for nobody known, or 0 */
	u64 orphan, cut;	/* the frames for missing parents, or 0 */
};

static int pprof_begin(struct export *export)
{
	struct pprof *pprof = calloc(1, sizeof(*pprof));

	export->own = pprof;
	if (pprof)
		pprof->stacks = stacks_new();
	return pprof && pprof->stacks ? 0 : export_no_memory(export);
}

static int pprof_entry(struct export *export, const struct bcos_entry *entry)
{
	struct pprof *pprof = export->own;

	if (entry->type == BCOS_GENERIC_PROCESS && !pprof->has_wall)
		pprof->has_wall = bcoslog_wall_clock(entry, &pprof->wall);
	return stacks_entry(pprof->stacks, entry) ? export_no_memory(export) : 0;
}

/* Adds a string. Returns its index. */
static u64 put_string(struct pprof *pprof, const char *text, size_t length)
{
	proto_bytes(&pprof->profile, STRING, text, length);
	return pprof->strings++;
}

/* Adds a frame, which is a location with a function of its own. Returns its ID. */
static u64 put_frame(struct pprof *pprof, const char *text, size_t length)
{
	u64 name = put_string(pprof, text, length), id = ++pprof->frames;

	proto_number(&pprof->message, FUNCTION_ID, id);
	proto_number(&pprof->message, FUNCTION_NAME, name);
	proto_message(&pprof->profile, FUNCTION, &pprof->message);
	proto_number(&pprof->message, LOCATION_ID, id);
	proto_number(&pprof->part, LINE_FUNCTION, id);
	proto_message(&pprof->message, LOCATION_LINE, &pprof->part);
	proto_message(&pprof->profile, LOCATION, &pprof->message);
	return id;
}

static u64 put_numbered(struct pprof *pprof, const char *word, u32 number)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%s %u", word, number);

	return put_frame(pprof, text, (size_t)n);
}

static u64 frame_of(struct pprof *pprof, struct stacks_process *process)
{
	char text[STACKS_FRAME];
	size_t length;

	if (!process->frame) {
		length = stacks_frame(process, text);
		process->frame = put_frame(pprof, text, length);
	}
	return process->frame;
}

/* Makes all frames of a process, since a frame must not begin amid a sample. */
static size_t make_frames(struct pprof *pprof, struct stacks_process *process, u64 *frames)
{
	struct stacks_process *chain[STACKS_DEPTH];
	const char *root;
	size_t i, used = 0, count = stacks_chain(process, chain, &root);
	u64 *missing = chain[0]->parent ? &pprof->cut : &pprof->orphan;

	/* The innermost frame comes first. */
	for (i = count; i > 0; i--)
		frames[used++] = frame_of(pprof, chain[i - 1]);
	if (root && !*missing)
		*missing = put_frame(pprof, root, strlen(root));
	if (root)
		frames[used++] = *missing;
	return used;
}

static void put_sample(struct pprof *pprof, const struct stack *stack, u64 cpu, u64 core)
{
	u64 frames[STACKS_DEPTH + 1];
	size_t i, used = 1;

	if (stack->process) {
		used = make_frames(pprof, stack->process, frames);
	} else {
		if (!pprof->unknown)
			pprof->unknown = put_frame(pprof, "unknown", 7);
		frames[0] = pprof->unknown;
	}
	for (i = 0; i < used; i++)
		proto_number(&pprof->message, SAMPLE_LOCATION, frames[i]);
	proto_number(&pprof->message, SAMPLE_LOCATION, cpu);
	proto_number(&pprof->message, SAMPLE_LOCATION, core);
	proto_number(&pprof->message, SAMPLE_VALUE, stack->time);
	/* A number of 0 would mean that there is none. */
	if (stack->process && stack->process->id) {
		proto_number(&pprof->part, LABEL_KEY, pprof->pid);
		proto_number(&pprof->part, LABEL_NUMBER, stack->process->id);
		proto_message(&pprof->message, SAMPLE_LABEL, &pprof->part);
	}
	proto_message(&pprof->profile, SAMPLE, &pprof->message);
}

static void put_samples(struct pprof *pprof, const struct stack **list, size_t count)
{
	u64 core = 0, cpu = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!i || list[i]->core != list[i - 1]->core)
			core = put_numbered(pprof, "core", list[i]->core);
		if (!i || list[i]->core != list[i - 1]->core || list[i]->cpu != list[i - 1]->cpu)
			cpu = put_numbered(pprof, "CPU", list[i]->cpu);
		put_sample(pprof, list[i], cpu, core);
	}
}

/* Computes the CRC-32 of a gzip file. */
static u32 crc_of(const u8 *bytes, size_t size)
{
	u32 crc = ~0u;
	int bit;

	while (size--) {
		crc ^= *bytes++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
	}
	return ~crc;
}

#define BLOCK 65535u

static void put_gzip(struct outfile *file, const u8 *bytes, size_t size)
{
	static const u8 head[] = { 0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255 };
	u32 tail[] = { crc_of(bytes, size), (u32)size };
	size_t part;
	u8 block[5];

	outfile_bytes(file, head, sizeof(head));
	do {
		part = size < BLOCK ? size : BLOCK;
		block[0] = part == size;
		block[1] = (u8)part;
		block[2] = (u8)(part >> 8);
		block[3] = (u8)~block[1];
		block[4] = (u8)~block[2];
		outfile_bytes(file, block, sizeof(block));
		outfile_bytes(file, bytes, part);
		bytes += part;
		size -= part;
	} while (size);
	outfile_bytes(file, tail, sizeof(tail));
}

static void put_type(struct pprof *pprof, u32 field, u64 kind, u64 unit)
{
	proto_number(&pprof->message, TYPE_TYPE, kind);
	proto_number(&pprof->message, TYPE_UNIT, unit);
	proto_message(&pprof->profile, field, &pprof->message);
}

static int pprof_end(struct export *export)
{
	struct pprof *pprof = export->own;
	const struct bcoslog_account_totals *totals;
	const struct stack **list;
	u64 kind, unit;
	size_t count;

	list = stacks_end(pprof->stacks, &count);
	if (!list)
		return export_no_memory(export);
	totals = stacks_totals(pprof->stacks);
	put_string(pprof, "", 0);
	kind = put_string(pprof, "cpu", 3);
	unit = put_string(pprof, "nanoseconds", 11);
	pprof->pid = put_string(pprof, "pid", 3);
	put_type(pprof, SAMPLE_TYPE, kind, unit);
	/* Each nanosecond counts, so the values are no estimates from samples. */
	put_type(pprof, PERIOD_TYPE, kind, unit);
	proto_number(&pprof->profile, PERIOD, 1);
	put_samples(pprof, list, count);
	free(list);
	if (pprof->has_wall)
		proto_number(&pprof->profile, TIME, bcoslog_wall_time(&pprof->wall, totals->begin));
	proto_number(&pprof->profile, DURATION, totals->end - totals->begin);
	if (pprof->profile.starved || pprof->message.starved || pprof->part.starved)
		return export_no_memory(export);
	put_gzip(&export->output->file, pprof->profile.bytes, pprof->profile.used);
	return 0;
}

static void pprof_free(struct export *export)
{
	struct pprof *pprof = export->own;

	if (!pprof)
		return;
	stacks_free(pprof->stacks);
	proto_free(&pprof->profile);
	proto_free(&pprof->message);
	proto_free(&pprof->part);
	free(pprof);
}

const struct exporter pprof_exporter = {
	.name = "pprof",
	.suffix = ".pb.gz",
	.help = "profile of CPU time by core, CPU and process tree, for pprof",
	.begin = pprof_begin,
	.entry = pprof_entry,
	.end = pprof_end,
	.free = pprof_free,
};
