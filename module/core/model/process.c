// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How processes enter, are named in, and leave the model. */
#include "device.h"
#include "process.h"

/* ---- names -------------------------------------------------------------------------- */

/*
 * Returns the number of bytes before the first zero byte. All bytes must be ASCII; the lowest byte
 * is the first.
 */
static size_t word_length(u64 word)
{
	const u64 ones = 0x0101010101010101ull;
	u64 zero = (word - ones) & ~word & ones << 7;

	return zero ? (size_t)__builtin_ctzll(zero) / 8 : sizeof(word);
}

/*
 * Copies a name of BCOS_RAW_NAME bytes, of which the last one is ignored, and pads it with zeros. Nearly every name is
 * ASCII; of one that is not, or is empty, nothing is copied. Returns the length of what was copied.
 */
static u8 ascii_name(char *to, const char *comm)
{
	size_t length, more = 0;
	u64 word[2];

	memcpy(word, comm, sizeof(word));
	word[1] &= ~0ull >> 8;
	length = word_length(word[0]);
	if (length == sizeof(*word)) {
		more = word_length(word[1]);
		word[1] &= (1ull << 8 * more) - 1;
	} else {
		word[0] &= (1ull << 8 * length) - 1;
		word[1] = 0;
	}
	if (!length || (word[0] | word[1]) & 0x8080808080808080ull)
		return 0;
	memcpy(to, word, sizeof(word));
	return (u8)(length + more);
}

/*
 * Writes the cleaned name to @to, BCOS_NAME_MAX bytes, and zeros up to BCOS_RAW_NAME bytes at
 * least. Returns its length.
 */
static u8 clean_name(char *to, const char *name, size_t length)
{
	u8 ascii;

	/* comm has at most 15 bytes. A character that is cut there becomes bad bytes here. */
	if (length > BCOS_RAW_NAME - 1) {
		ascii = ascii_name(to, name);
		if (ascii)
			return ascii;
		length = BCOS_RAW_NAME - 1;
	}
	memset(to, 0, BCOS_RAW_NAME);
	return (u8)bcos_name_clean(to, BCOS_NAME_MAX, name, length);
}

static void set_name(struct bcos_process *process, const char *name, size_t length)
{
	process->name_length = clean_name(process->name, name, length);
}

bool bcos_model_process_has_name(const struct bcos_process *process, const char *name, size_t length)
{
	char clean[BCOS_NAME_MAX];

	return clean_name(clean, name, length) == process->name_length &&
	       !memcmp(clean, process->name, process->name_length);
}

/* ---- entering and leaving ------------------------------------------------------------ */

/* Doubles the table. Without memory the old table stays: slower, but right. */
static void grow(struct bcos_model *model)
{
	struct bcos_process **old = model->processes;
	u32 buckets = model->process_buckets;
	struct bcos_process **table = bcos_heap_alloc(&model->heap, 2ul * buckets * sizeof(*table));
	struct bcos_process *process;
	struct bcos_link *link;
	u32 at;

	if (!table)
		return;
	model->processes = table;
	model->process_buckets = 2 * buckets;
	for (link = model->recent.next; link != &model->recent; link = link->next) {
		process = (struct bcos_process *)link;
		at = bcos_model_bucket(model, process->id);
		process->same_hash = table[at];
		table[at] = process;
	}
	bcos_heap_free(&model->heap, old, buckets * sizeof(*old));
}

/* Initialises all of a new process except its name and links. */
static void init(struct bcos_process *process, u32 id, bool hidden)
{
	process->ready = ~0ull;
	process->id = id;
	process->cpus = 0;
	process->stated = 0;
	process->start = 0;
	process->named = 0;
	process->user_signals = 0;
	process->senders = NULL;
	process->precision = 0;
	process->tag = 0;
	process->status = 0;
	process->walk = 0;
	process->devices = NULL;
	process->parent = BCOS_PROCESS_NONE;
	process->hidden = hidden;
	process->exited = false;
}

/* The table is at most half full, so nearly every search finds its process at once. */
static bool is_full(const struct bcos_model *model)
{
	return 2 * model->process_count >= model->process_buckets;
}

/* Enters an initialised and named process into the model. */
static void enter(struct bcos_model *model, struct bcos_process *process)
{
	struct bcos_process **at = &model->processes[bcos_model_bucket(model, process->id)];
	struct bcos_link *head = &model->recent;

	process->same_hash = *at;
	*at = process;
	process->recent.next = head->next;
	process->recent.previous = head;
	head->next->previous = &process->recent;
	head->next = &process->recent;
	model->process_count++;
	if (!process->hidden) {
		model->named_processes++;
		model->process_bytes += bcos_process_bytes(process);
	}
}

/* Removes a process from the model and keeps its memory. It must not be the driver of a device. */
static void leave(struct bcos_model *model, struct bcos_process *process)
{
	struct bcos_process **at = &model->processes[bcos_model_bucket(model, process->id)];

	while (*at != process)
		at = &(*at)->same_hash;
	*at = process->same_hash;
	process->recent.previous->next = process->recent.next;
	process->recent.next->previous = process->recent.previous;
	model->process_count--;
	if (!process->hidden) {
		model->named_processes--;
		model->process_bytes -= bcos_process_bytes(process);
	}
}

/* Takes the memory of a dead process. The model must have some. */
static struct bcos_process *take_spare(struct bcos_model *model)
{
	struct bcos_process *process = model->spare;

	model->spare = process->same_hash;
	model->spares--;
	return process;
}

/* Keeps the memory of a dead process. There must be room. */
static void keep_spare(struct bcos_model *model, struct bcos_process *process)
{
	process->same_hash = model->spare;
	model->spare = process;
	model->spares++;
}

struct bcos_process *bcos_model_add_process(struct bcos_model *model, u32 id, bool hidden,
					    const char *name, size_t length)
{
	struct bcos_process *process;

	if (model->spare)
		process = take_spare(model);
	else
		process = bcos_heap_alloc(&model->heap, sizeof(*process));
	if (!process)
		return NULL;
	init(process, id, hidden);
	set_name(process, name, length);
	if (is_full(model))
		grow(model);
	enter(model, process);
	return process;
}

void bcos_model_remove_process(struct bcos_model *model, struct bcos_process *process)
{
	while (process->devices)
		bcos_model_set_driver(model, process->devices, BCOS_PROCESS_KERNEL);
	leave(model, process);
	bcos_heap_free(&model->heap, process->senders, sizeof(*process->senders));
	process->senders = NULL;
	if (model->spares < model->spare_limit)
		keep_spare(model, process);
	else
		bcos_heap_free(&model->heap, process, sizeof(*process));
}

void bcos_model_rename_process(struct bcos_model *model, struct bcos_process *process,
			       const char *name, size_t length)
{
	if (!process->hidden)
		model->process_bytes -= bcos_process_bytes(process);
	set_name(process, name, length);
	if (!process->hidden)
		model->process_bytes += bcos_process_bytes(process);
}

void bcos_model_ran(struct bcos_model *model, struct bcos_process *process)
{
	struct bcos_link *link = &process->recent, *head = &model->recent;

	link->previous->next = link->next;
	link->next->previous = link->previous;
	link->next = head->next;
	link->previous = head;
	head->next->previous = link;
	head->next = link;
}

void bcos_model_reveal(struct bcos_model *model, struct bcos_process *process)
{
	if (!process->hidden)
		return;
	process->hidden = false;
	model->named_processes++;
	model->process_bytes += bcos_process_bytes(process);
}

void bcos_model_free_spares(struct bcos_model *model)
{
	while (model->spare)
		bcos_heap_free(&model->heap, take_spare(model), sizeof(struct bcos_process));
}
