// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: providers, and the tables that records refer to. */
#include <stdlib.h>

#include "host/host.h"
#include "read.h"

#define STRINGS 0x8000u

int fxt_use_provider(struct fxt_import *fxt, u32 id)
{
	struct fxt_provider *provider;
	unsigned int i;

	for (i = 0; i < fxt->provider_count; i++) {
		if (fxt->providers[i]->id == id || i == FXT_PROVIDERS - 1) {
			fxt->provider = fxt->providers[i];
			return 0;
		}
	}
	provider = calloc(1, sizeof(*provider));
	if (!provider)
		return -ENOMEM;
	provider->id = id;
	provider->shared = fxt->provider_count == FXT_PROVIDERS - 1;
	provider->rate = 1000000000;
	snprintf(provider->name, sizeof(provider->name), "%u", id);
	fxt->providers[fxt->provider_count++] = provider;
	fxt->provider = provider;
	return 0;
}

void fxt_set_full(struct fxt_import *fxt, u32 id)
{
	unsigned int i;

	for (i = 0; i < fxt->provider_count; i++)
		if (fxt->providers[i]->id == id || i == FXT_PROVIDERS - 1)
			fxt->providers[i]->full = true;
}

int fxt_set_string(struct fxt_import *fxt, unsigned int index, const char *text, size_t length)
{
	struct fxt_provider *provider = fxt->provider;
	struct fxt_string *string;
	char *copy;

	if (!index)
		return 0;
	if (!provider->strings)
		provider->strings = calloc(STRINGS, sizeof(*provider->strings));
	if (!provider->strings)
		return -ENOMEM;
	string = &provider->strings[index];
	fxt->strings -= string->length;
	free((char *)string->text);
	*string = (struct fxt_string){ NULL, 0 };
	if (fxt->strings + length > FXT_STRINGS_MAX)
		return -ENOMEM;
	copy = malloc(length + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, length);
	*string = (struct fxt_string){ copy, length };
	fxt->strings += length;
	return 0;
}

void fxt_free_tables(struct fxt_import *fxt)
{
	struct fxt_koid *koid, *next;
	unsigned int i, n;

	for (i = 0; i < fxt->provider_count; i++) {
		for (n = 0; fxt->providers[i]->strings && n < STRINGS; n++)
			free((char *)fxt->providers[i]->strings[n].text);
		free(fxt->providers[i]->strings);
		free(fxt->providers[i]);
	}
	for (i = 0; fxt->koids && i < 1u << fxt->koid_bits; i++) {
		for (koid = fxt->koids[i]; koid; koid = next) {
			next = koid->next;
			free(koid);
		}
	}
	free(fxt->koids);
}

int fxt_make_koids(struct fxt_import *fxt)
{
	fxt->koid_bits = FXT_KOID_BITS;
	fxt->koids = calloc((size_t)1 << FXT_KOID_BITS, sizeof(*fxt->koids));
	/* The author of a trace must not be able to choose koids of one bucket. */
	fxt->multiplier = host_random() | 1;
	return fxt->koids ? 0 : -ENOMEM;
}

static struct fxt_koid **bucket_of(const struct fxt_import *fxt, u64 koid)
{
	return &fxt->koids[koid * fxt->multiplier >> (64 - fxt->koid_bits)];
}

static void grow_koids(struct fxt_import *fxt)
{
	struct fxt_koid **koids = fxt->koids, **bucket, *koid, *next;
	size_t i, old = (size_t)1 << fxt->koid_bits;

	fxt->koids = calloc(2 * old, sizeof(*koids));
	if (!fxt->koids) {
		fxt->koids = koids;
		return;
	}
	fxt->koid_bits++;
	for (i = 0; i < old; i++) {
		for (koid = koids[i]; koid; koid = next) {
			next = koid->next;
			bucket = bucket_of(fxt, koid->koid);
			koid->next = *bucket;
			*bucket = koid;
		}
	}
	free(koids);
}

static struct fxt_koid *find_koid(const struct fxt_import *fxt, u64 koid, bool is_thread)
{
	struct fxt_koid *known = *bucket_of(fxt, koid);

	while (known && (known->koid != koid || known->is_thread != is_thread))
		known = known->next;
	return known;
}

struct fxt_koid *fxt_koid(struct fxt_import *fxt, u64 koid, bool is_thread)
{
	struct fxt_koid *known = find_koid(fxt, koid, is_thread), **bucket;

	if (known)
		return known;
	known = fxt->koid_count >= FXT_KOIDS_MAX ? NULL : calloc(1, sizeof(*known));
	if (!known)
		return NULL;
	if (fxt->koid_count >= 1ull << fxt->koid_bits)
		grow_koids(fxt);
	bucket = bucket_of(fxt, koid);
	*known = (struct fxt_koid){ .next = *bucket, .koid = koid, .is_thread = is_thread };
	/* A small koid is the ID in the log. Each larger one gets the next ID from the middle of the range on. */
	known->id = koid < 0x80000000u ? (u32)koid : 0x80000000u + fxt->next_id[is_thread]++;
	*bucket = known;
	fxt->koid_count++;
	return known;
}

/* Is the record of an export of bcoslog, in which the largest koids of 32 bits stand for the kernel and for nobody known? */
static bool is_ours(const struct fxt_import *fxt)
{
	return fxt->provider && !strcmp(fxt->provider->name, FXT_PROVIDER_NAME);
}

bool fxt_is_unknown(const struct fxt_import *fxt, u64 koid)
{
	return koid == FXT_UNKNOWN && is_ours(fxt);
}

u32 fxt_process_id(struct fxt_import *fxt, u64 koid)
{
	struct fxt_koid *known;

	if (koid && koid < 0x80000000u)
		return (u32)koid;
	if (koid == FXT_KERNEL && is_ours(fxt))
		return BCOS_PROCESS_KERNEL;
	known = koid && !fxt_is_unknown(fxt, koid) ? fxt_koid(fxt, koid, false) : NULL;
	return known ? known->id : log_unknown_process(fxt->import->log);
}

u32 fxt_thread_id(struct fxt_import *fxt, u64 tid)
{
	const struct fxt_koid *known = tid < 0x80000000u ? NULL : fxt_koid(fxt, tid, true);

	return known ? known->id : (u32)tid;
}

u64 fxt_owner_of(const struct fxt_import *fxt, struct fxt_reference thread)
{
	u64 process = thread.pid ? thread.pid : fxt_process_of(fxt, thread.tid);

	return process ? process : thread.tid;
}

u64 fxt_process_of(const struct fxt_import *fxt, u64 tid)
{
	const struct fxt_koid *known = tid ? find_koid(fxt, tid, true) : NULL;

	return known ? known->process : 0;
}

struct fxt_value *fxt_find(struct fxt_import *fxt, const char *name)
{
	unsigned int i;

	for (i = 0; i < fxt->argument_count; i++)
		if (fxt_is(fxt->arguments[i].name, name))
			return &fxt->arguments[i];
	return NULL;
}

u64 fxt_number(struct fxt_import *fxt, const char *name, u64 otherwise)
{
	const struct fxt_value *argument = fxt_find(fxt, name);

	switch (argument ? argument->type : FXT_NULL) {
	case FXT_INT32:
	case FXT_UINT32:
	case FXT_INT64:
	case FXT_UINT64:
	case FXT_KOID:
		return argument->value;
	default:
		return otherwise;
	}
}
