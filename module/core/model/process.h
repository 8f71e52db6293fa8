/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How processes enter, are named in, and leave the model. All of this is inlined, since on many
 * machines most processes live for a moment only.
 */
#ifndef BCOS_CORE_PROCESS_H
#define BCOS_CORE_PROCESS_H

#include "core/format/entry.h"
#include "model.h"

/* Returns the bytes of the process's historical entry. */
static __always_inline u32 bcos_process_bytes(const struct bcos_process *process)
{
	return (u32)bcos_entry_size(sizeof(struct bcos_process_name), process->name_length);
}

/*
 * Returns the number of bytes before the first zero byte. All bytes must be ASCII; the lowest byte
 * is the first.
 */
static __always_inline size_t bcos_word_length(u64 word)
{
	const u64 ones = 0x0101010101010101ull;
	u64 zero = (word - ones) & ~word & ones << 7;

	return zero ? (size_t)__builtin_ctzll(zero) / 8 : sizeof(word);
}

/**
 * bcos_plain_name() - copy a name if all of it is ASCII, as nearly every name is
 * @to: BCOS_RAW_NAME bytes: the name, padded with zeros
 * @comm: BCOS_RAW_NAME bytes; the last one is ignored
 *
 * Context: any.
 * Return: the length of the name; 0: it is not ASCII or empty, and @to is unchanged.
 */
static __always_inline u8 bcos_plain_name(char *to, const char *comm)
{
	size_t length, more = 0;
	u64 word[2];

	memcpy(word, comm, sizeof(word));
	word[1] &= ~0ull >> 8;
	length = bcos_word_length(word[0]);
	if (length == sizeof(*word)) {
		more = bcos_word_length(word[1]);
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

/* Initialises all of a new process except its name and links. */
static __always_inline void bcos_process_init(struct bcos_process *process, u32 id, bool hidden)
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
static __always_inline bool bcos_model_is_full(const struct bcos_model *model)
{
	return 2 * model->process_count >= model->process_buckets;
}

/* Enters an initialised and named process into the model. */
static __always_inline void bcos_model_enter(struct bcos_model *model, struct bcos_process *process)
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
static __always_inline void bcos_model_leave(struct bcos_model *model, struct bcos_process *process)
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
static __always_inline struct bcos_process *bcos_model_take_spare(struct bcos_model *model)
{
	struct bcos_process *process = model->spare;

	model->spare = process->same_hash;
	model->spares--;
	return process;
}

/* Keeps the memory of a dead process: where processes die, others are born. There must be room. */
static __always_inline void bcos_model_keep_spare(struct bcos_model *model, struct bcos_process *process)
{
	process->same_hash = model->spare;
	model->spare = process;
	model->spares++;
}

#endif
