/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How a process comes into the model, is named and goes: inlined, since on many machines processes live for a moment. */
#ifndef BCOS_CORE_PROCESS_H
#define BCOS_CORE_PROCESS_H

#include "entry.h"
#include "model.h"

/* Bytes of its historical entry. */
static __always_inline u32 bcos_process_bytes(const struct bcos_process *process)
{
	return (u32)bcos_entry_size(sizeof(struct bcos_process_name), process->name_length);
}

/* Bytes before the first zero byte; all of them ASCII, the first one lowest. */
static __always_inline size_t bcos_word_length(u64 word)
{
	const u64 ones = 0x0101010101010101ull;
	u64 zero = (word - ones) & ~word & ones << 7;

	return zero ? (size_t)__builtin_ctzll(zero) / 8 : sizeof(word);
}

/**
 * bcos_plain_name() - what nearly every name is: all of it ASCII
 * @to: BCOS_RAW_NAME bytes: the name, and zeroes behind it
 * @comm: BCOS_RAW_NAME bytes, of which the last one is not looked at
 *
 * Return: its length; 0: it is another one, or empty, and nothing was done.
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

/* All of a new one but its name, and its links. */
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

/* The table is half full at most, so that nearly every look finds what it wants at once. */
static __always_inline bool bcos_model_is_full(const struct bcos_model *model)
{
	return 2 * model->process_count >= model->process_buckets;
}

/* Initialised and named, it becomes one of the model's. */
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

/* The reverse; its memory stays.  It is nobody's driver. */
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

/* Memory of the dead.  There must be some. */
static __always_inline struct bcos_process *bcos_model_take_spare(struct bcos_model *model)
{
	struct bcos_process *process = model->spare;

	model->spare = process->same_hash;
	model->spares--;
	return process;
}

/* A machine where processes die is one where others are born.  There must be room. */
static __always_inline void bcos_model_keep_spare(struct bcos_model *model, struct bcos_process *process)
{
	process->same_hash = model->spare;
	model->spare = process;
	model->spares++;
}

#endif
