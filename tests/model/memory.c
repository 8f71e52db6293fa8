// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The simulated memory of model.h.
 *
 * The unit of the simulated memory is a word of 8 bytes. Each word has versions, from the oldest to the newest, each
 * with the moment at which it became visible to all threads. Each thread has a buffer of stores that are not visible to
 * other threads yet. Real memory holds what the running thread sees if it loads the newest value: the newest versions,
 * and the thread's own stores over them. Compiled code accesses real memory right after it has called
 * model_plain_read() or model_plain_write(). Therefore model_plain_read() may put an older version into real memory,
 * which the next call takes out again, and the next call after model_plain_write() moves the written value from real
 * memory into the buffer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulation.h"

#define REGIONS 8
#define WORDS (1u << 17)
#define VERSIONS (1u << 16)
#define PROMISES 64

struct version {
	uint64_t time, value;
	uint32_t older;			/* 0: none */
};

/* A store that may become visible before an earlier load of its thread. */
struct promise {
	struct thread *of;
	struct word *word;
	uint64_t mask, value;
};

struct region {
	char *base;
	size_t size;
	bool twice;
	struct word *words;
};

int memory_thread = -1, memory_off = MODEL_ALL_ON;
bool memory_learned;

static struct region region[REGIONS];
static int regions;
static struct word word[WORDS];
static uint32_t words_used;
static struct version version[VERSIONS];
static uint32_t versions;
struct thread memory_threads[MODEL_THREADS];
uint64_t memory_now;
static uint64_t execution;

/*
 * A store overtakes an earlier load only if the release or the acquire that forbids this is switched off. The model
 * learns such stores from earlier executions. A later execution may promise one of them at a load: the store is visible
 * at once, and the thread has to store this value later. If it does not, the execution does not count.
 */
static struct promise learned[PROMISES], promised;
static int learned_count;
static bool kept, passed_off[MODEL_THREADS];

void memory_die(const char *what)
{
	fprintf(stderr, "model: %s\n", what);
	abort();
}

/* ---- words -------------------------------------------------------------------------------------------- */

struct word *memory_word_at(const void *address)
{
	const char *at = address;
	struct word *found;
	size_t offset;
	int i;

	for (i = 0; i < regions; i++) {
		if (at < region[i].base || at >= region[i].base + region[i].size * (region[i].twice ? 2 : 1))
			continue;
		offset = (size_t)(at - region[i].base) % region[i].size & ~(size_t)7;
		found = region[i].words + offset / 8;
		if (found->execution == execution)
			return found;
		found->execution = execution;
		found->real = (uint64_t *)(void *)(region[i].base + offset);
		found->again = region[i].twice ? (uint64_t *)(void *)(region[i].base + region[i].size + offset) : NULL;
		memset(found->seen, 0, sizeof(found->seen));
		if (++versions == VERSIONS)
			memory_die("too many versions");
		version[versions] = (struct version){ .value = *found->real };
		found->newest = versions;
		return found;
	}
	return NULL;
}

void model_share(void *memory, size_t size, bool twice)
{
	struct region *new = &region[regions];

	size = (size + 7) & ~(size_t)7;
	if (regions++ == REGIONS || (uintptr_t)memory % 8 || words_used + size / 8 > WORDS)
		memory_die("too much memory is shared, or it is not aligned");
	*new = (struct region){ .base = memory, .size = size, .twice = twice, .words = word + words_used };
	words_used += (uint32_t)(size / 8);
}

void memory_forget(void)
{
	memset(word, 0, sizeof(word));
	learned_count = 0;
}

void memory_begin(void)
{
	int i;

	execution++;
	regions = 0;
	words_used = 0;
	versions = 0;
	memory_now = 1;
	promised.of = NULL;
	memset(passed_off, 0, sizeof(passed_off));
	for (i = 0; i < MODEL_THREADS; i++) {
		memory_threads[i].stores = memory_threads[i].patches = 0;
		memory_threads[i].floor = memory_threads[i].newest_load = 0;
		memory_threads[i].written = NULL;
	}
}

uint64_t memory_seen_by(const struct thread *self, const struct word *what)
{
	uint64_t value = version[what->newest].value;
	int i;

	for (i = 0; i < self->stores; i++)
		if (self->store[i].word == what)
			value = (value & ~self->store[i].mask) | self->store[i].value;
	return value;
}

/* Both mappings are the same memory, so one store is enough. */
void memory_show(struct word *what, uint64_t value)
{
	*what->real = value;
}

/* ---- stores ------------------------------------------------------------------------------------------- */

/*
 * Marks a word as contended if one thread writes it and another one uses it: only loads of such words have choices.
 * Random executions learn this before the exploration in order begins.
 */
static void learn_contended(struct word *what)
{
	uint8_t users = what->readers | what->writers;

	if (what->contended || !what->writers || !(users & (users - 1)))
		return;
	what->contended = true;
	memory_learned = true;
}

static void publish_version(struct thread *self, struct word *what, uint64_t mask, uint64_t value)
{
	struct version *new;

	if (++versions == VERSIONS)
		memory_die("too many versions");
	new = &version[versions];
	new->time = ++memory_now;
	new->value = (version[what->newest].value & ~mask) | value;
	new->older = what->newest;
	what->newest = versions;
	what->seen[self - memory_threads] = new->time;
	if (memory_thread >= 0)
		memory_show(what, memory_seen_by(&memory_threads[memory_thread], what));
}

/* Remembers a store, so that another execution may promise it. */
static void learn_store(struct thread *self, const struct store *store)
{
	const struct promise *known;

	for (known = learned; known < learned + learned_count; known++)
		if (known->of == self && known->word == store->word && known->mask == store->mask &&
		    known->value == store->value)
			return;
	if (learned_count == PROMISES)
		return;
	learned[learned_count++] = (struct promise){ .of = self, .word = store->word, .mask = store->mask,
						     .value = store->value };
	memory_learned = true;
}

/* Is this the store that was promised? If so, it is visible already. */
static bool keeps_promise(struct thread *self, const struct store *store)
{
	if (promised.of != self || kept || store->word != promised.word)
		return false;
	if (store->mask != promised.mask || store->value != promised.value)
		model_discard();
	kept = true;
	return true;
}

/* Chooses a store to promise, or none, before a load that this store may overtake. */
static void promise_store(struct thread *self)
{
	int number[PROMISES], count = 0, chosen, i;

	if (promised.of)
		return;
	for (i = 0; i < learned_count; i++)
		if (learned[i].of == self && learned[i].word->contended)
			number[count++] = i;
	chosen = model_choose(count + 1);
	if (!chosen)
		return;
	promised = learned[number[chosen - 1]];
	/* The promised store cannot overtake a store to its own word. */
	for (i = 0; i < self->stores; i++)
		if (self->store[i].word == promised.word)
			model_discard();
	kept = false;
	publish_version(self, promised.word, promised.mask, promised.value);
}

bool memory_keeps_promises(void)
{
	return !promised.of || kept;
}

void memory_push(struct thread *self, struct store store)
{
	if (store.word && (store.overtakes || passed_off[self - memory_threads]))
		learn_store(self, &store);
	if (store.word && keeps_promise(self, &store))
		return;
	if (self->stores == MEMORY_STORES)
		memory_die("a thread has too many stores that are not visible");
	if (store.word) {
		store.word->writers |= (uint8_t)(1 << (self - memory_threads));
		learn_contended(store.word);
	}
	self->store[self->stores++] = store;
}

/* Makes one store visible to all, and forgets it. */
static void flush_one(struct thread *self, int number)
{
	struct store store = self->store[number];

	self->stores--;
	memmove(self->store + number, self->store + number + 1, (size_t)(self->stores - number) * sizeof(store));
	if (store.word)
		publish_version(self, store.word, store.mask, store.value);
}

/* Makes a store visible, after those that have to be visible before it. */
static void flush_with_earlier(struct thread *self, int number)
{
	bool needed[MEMORY_STORES] = { false };
	int i, j, left;

	needed[number] = true;
	for (i = number; i >= 0; i--) {
		bool fenced = false;

		if (!needed[i])
			continue;
		for (j = i - 1; j >= 0; j--) {
			if (self->store[i].release || fenced || !self->store[i].word ||
			    self->store[j].word == self->store[i].word)
				needed[j] = true;
			fenced |= !self->store[j].word;
		}
	}
	for (i = 0, left = number; i <= left;) {
		bool goes = needed[number - left + i];

		if (goes) {
			flush_one(self, i);
			left--;
		} else {
			i++;
		}
	}
	while (self->stores && !self->store[0].word)
		flush_one(self, 0);
}

void memory_flush(struct thread *self)
{
	while (self->stores)
		flush_one(self, 0);
}

uint64_t memory_mask_of(size_t offset, size_t size)
{
	return (size == 8 ? ~0ull : (1ull << 8 * size) - 1) << 8 * offset;
}

/* Turns what compiled code has written since the last call into stores. */
static void take_written(struct thread *self)
{
	char *at = self->written, *end = at ? at + self->written_size : at;
	size_t offset, part;
	struct word *what;
	uint64_t mask;

	self->written = NULL;
	for (; at < end; at += part) {
		offset = (uintptr_t)at & 7;
		part = 8 - offset < (size_t)(end - at) ? 8 - offset : (size_t)(end - at);
		what = memory_word_at(at);
		mask = memory_mask_of(offset, part);
		memory_push(self, (struct store){ .word = what, .mask = mask, .value = *what->real & mask });
	}
}

void memory_settle_thread(struct thread *self)
{
	int i;

	for (i = 0; i < self->patches; i++)
		memory_show(self->patched[i], memory_seen_by(self, self->patched[i]));
	self->patches = 0;
	take_written(self);
}

/* ---- loads -------------------------------------------------------------------------------------------- */

/* Chooses how many stores of each other thread to this word become visible now. */
static void see_others(struct thread *self, struct word *what)
{
	int number[MEMORY_STORES], count, chosen, i;
	struct thread *other;

	for (other = memory_threads; other < memory_threads + MODEL_THREADS; other++) {
		if (other == self)
			continue;
		for (i = 0, count = 0; i < other->stores; i++)
			if (other->store[i].word == what)
				number[count++] = i;
		if (!count)
			continue;
		chosen = model_choose(count + 1);
		if (chosen)
			flush_with_earlier(other, number[chosen - 1]);
	}
}

/* Chooses the version that this load returns, and applies the thread's own stores to it. */
static uint64_t load_word(struct thread *self, struct word *what, bool acquire)
{
	uint64_t floor = what->seen[self - memory_threads], when, value;
	uint32_t chosen = what->newest, one;
	int count = 1, i;

	if (self->floor > floor)
		floor = self->floor;
	for (one = what->newest; version[one].time > floor && version[one].older; one = version[one].older)
		count++;
	for (i = model_choose(count); i; i--)
		chosen = version[chosen].older;
	when = version[chosen].time > floor ? version[chosen].time : floor;
	what->seen[self - memory_threads] = version[chosen].time;
	if (when > self->newest_load)
		self->newest_load = when;
	if (acquire && when > self->floor)
		self->floor = when;
	value = version[chosen].value;
	for (i = 0; i < self->stores; i++)
		if (self->store[i].word == what)
			value = (value & ~self->store[i].mask) | self->store[i].value;
	return value;
}

uint64_t memory_load(struct thread *self, struct word *what, int place)
{
	bool acquire = place >= 0 && place != memory_off;

	what->readers |= (uint8_t)(1 << (self - memory_threads));
	learn_contended(what);
	/* Only this thread writes the word, or no other thread uses it, so there is no choice. */
	if (!what->contended || what->writers == 1 << (self - memory_threads))
		return memory_seen_by(self, what);
	/*
	 * A store whose release is switched off may overtake any earlier load. A load whose acquire is switched off may
	 * be overtaken by any later store.
	 */
	if (memory_off >= 0 && (place == memory_off || model_kind_of(memory_off) == MODEL_RELEASE))
		promise_store(self);
	passed_off[self - memory_threads] |= memory_off >= 0 && place == memory_off;
	model_point();
	see_others(self, what);
	return load_word(self, what, acquire);
}

/* ---- called by the scheduler ------------------------------------------------------------------------- */

void memory_enter(void)
{
	struct thread *self = &memory_threads[memory_thread];
	int i;

	for (i = 0; i < self->stores; i++)
		if (self->store[i].word)
			memory_show(self->store[i].word, memory_seen_by(self, self->store[i].word));
}

void memory_leave(void)
{
	struct thread *self = &memory_threads[memory_thread];
	int i;

	memory_settle_thread(self);
	for (i = 0; i < self->stores; i++)
		if (self->store[i].word)
			memory_show(self->store[i].word, version[self->store[i].word->newest].value);
}

void memory_settle(void)
{
	int i;

	for (i = 0; i < MODEL_THREADS; i++)
		memory_flush(&memory_threads[i]);
	for (i = 0; i < regions; i++)
		for (size_t w = 0; w < region[i].size / 8; w++)
			if (region[i].words[w].execution == execution)
				memory_show(&region[i].words[w], version[region[i].words[w].newest].value);
}
