// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The functions that instrumented code calls to access the simulated memory: see model.h. */
#include <string.h>

#include "simulation.h"

static uint64_t load_directly(const volatile void *address, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)(uintptr_t)address, size);
	return value;
}

uint64_t model_load(const volatile void *address, size_t size, int place)
{
	size_t offset = (uintptr_t)address & 7;
	struct thread *self;
	struct word *what;

	if (memory_thread < 0)
		return load_directly(address, size);
	what = memory_word_at((const void *)(uintptr_t)address);
	if (!what)
		return load_directly(address, size);
	self = &memory_threads[memory_thread];
	memory_settle_thread(self);
	return (memory_load(self, what, place) & memory_mask_of(offset, size)) >> 8 * offset;
}

void model_store(volatile void *address, size_t size, uint64_t value, int place)
{
	struct word *what = memory_thread < 0 ? NULL : memory_word_at((const void *)(uintptr_t)address);
	size_t offset = (uintptr_t)address & 7;
	struct thread *self;

	if (!what) {
		memcpy((void *)(uintptr_t)address, &value, size);
		return;
	}
	self = &memory_threads[memory_thread];
	memory_settle_thread(self);
	memory_push(self, (struct store){ .word = what, .mask = memory_mask_of(offset, size),
				   .value = value << 8 * offset & memory_mask_of(offset, size),
				   .release = place >= 0 && place != memory_off,
				   .overtakes = place >= 0 && place == memory_off });
	memory_show(what, memory_seen_by(self, what));
}

void model_barrier(enum model_kind kind, int place)
{
	struct thread *self;

	if (memory_thread < 0 || place == memory_off)
		return;
	self = &memory_threads[memory_thread];
	memory_settle_thread(self);
	switch (kind) {
	case MODEL_WRITE:
		memory_push(self, (struct store){ .word = NULL });
		break;
	case MODEL_READ:
		if (self->newest_load > self->floor)
			self->floor = self->newest_load;
		break;
	default:
		model_point();
		memory_flush(self);
		self->floor = memory_now;
	}
}

uint64_t model_clock(uint64_t step)
{
	if (memory_thread >= 0) {
		memory_settle_thread(&memory_threads[memory_thread]);
		model_point();
	}
	memory_now += step;
	return memory_now;
}

void model_plain_read(const void *address, size_t size)
{
	const char *at = address, *end = at + size;
	struct thread *self;
	struct word *what;
	uint64_t value;

	if (memory_thread < 0 || !memory_word_at(at))
		return;
	self = &memory_threads[memory_thread];
	memory_settle_thread(self);
	for (; at < end; at = (const char *)(((uintptr_t)at & ~(uintptr_t)7) + 8)) {
		what = memory_word_at(at);
		value = memory_load(self, what, -1);
		if (value == *what->real)
			continue;
		if (self->patches == MEMORY_PATCHES)
			memory_die("too large a read");
		self->patched[self->patches++] = what;
		memory_show(what, value);
	}
}

void model_plain_write(void *address, size_t size)
{
	char *at = address, *end = at + size;
	struct thread *self;

	if (memory_thread < 0 || !memory_word_at(at))
		return;
	self = &memory_threads[memory_thread];
	memory_settle_thread(self);
	/* memory_word_at() saves what a word holds now, before the write, as its first version. */
	for (; at < end; at = (char *)(((uintptr_t)at & ~(uintptr_t)7) + 8))
		memory_word_at(at);
	self->written = address;
	self->written_size = size;
}

/* Copies in pieces that do not cross the boundary of a word. */
void *model_memcpy(void *to, const void *from, size_t size)
{
	char *target = to;
	const char *source = from;
	uint64_t value;
	size_t part;

	if (memory_thread < 0 || (!memory_word_at(to) && !memory_word_at(from)))
		return memcpy(to, from, size);
	for (; size; size -= part, target += part, source += part) {
		part = 8 - ((uintptr_t)target & 7);
		if (8 - ((uintptr_t)source & 7) < part)
			part = 8 - ((uintptr_t)source & 7);
		if (size < part)
			part = size;
		value = model_load(source, part, -1);
		model_store(target, part, value, -1);
	}
	return to;
}

void *model_memset(void *to, int value, size_t size)
{
	char *target = to;

	if (memory_thread < 0 || !memory_word_at(to))
		return memset(to, value, size);
	for (; size; size--, target++)
		model_store(target, 1, (uint8_t)value, -1);
	return to;
}
