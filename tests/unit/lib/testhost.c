// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "testhost.h"

/* This precedes each allocation, so that test_free() can compare the sizes. */
struct block {
	u64 size, magic;
};

#define MAGIC 0x600DB10C600DB10Cull

static __attribute__((noreturn)) void fail_host(const char *what)
{
	fprintf(stderr, "test host: %s\n", what);
	abort();
}

static void *test_alloc(void *context, size_t size)
{
	struct test_host *host = context;
	struct block *block;

	host->asked++;
	if (host->fail_at && host->asked >= host->fail_at && host->asked < host->fail_at + host->fail_for) {
		host->failed++;
		return NULL;
	}
	block = calloc(1, sizeof(*block) + size);
	if (!block)
		fail_host("no memory");
	block->size = size;
	block->magic = MAGIC;
	host->live++;
	host->bytes += size;
	return block + 1;
}

static void test_free(void *context, void *memory, size_t size)
{
	struct test_host *host = context;
	struct block *block = memory;

	if (!memory)
		return;
	block--;
	if (block->magic != MAGIC)
		fail_host("what is freed was not allocated");
	if (block->size != size)
		fail_host("freed with another size than allocated");
	host->live--;
	host->bytes -= size;
	block->magic = 0;
	free(block);
}

static u32 test_core_of(void *context, u32 cpu)
{
	struct test_host *host = context;

	return host->cpus_per_core ? cpu / host->cpus_per_core : cpu;
}

struct bcos_estimate test_estimate;

static void give_estimate(void *context, u32 cpu, struct bcos_estimate *estimate)
{
	*estimate = test_estimate;
}

static u32 test_cgroup(void *context, u32 id, u32 tag, u64 since, char *path, u16 *flags, u64 *until)
{
	struct test_host *host = context;

	if (!host->cgroup || id != host->grouped)
		return 0;
	*until = host->cgroup_read > since ? host->cgroup_read : since;
	memcpy(path, host->cgroup, strlen(host->cgroup));
	return (u32)strlen(host->cgroup);
}

const struct bcos_host test_host = {
	.alloc = test_alloc,
	.free = test_free,
	.core_of = test_core_of,
	.estimate = give_estimate,
	.cgroup = test_cgroup,
};

void *test_ring_map(u64 size)
{
	int fd = memfd_create("ring", 0);
	u8 *place = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u64 i;

	if (fd < 0 || ftruncate(fd, (off_t)size) || place == MAP_FAILED)
		fail_host("no memory for a ring");
	for (i = 0; i < 2; i++)
		if (mmap(place + i * size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
		    MAP_FAILED)
			fail_host("cannot map a ring twice");
	close(fd);
	return place;
}

void test_ring_unmap(void *data, u64 size)
{
	munmap(data, 2 * size);
}

u64 test_env(const char *name, u64 otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

u64 next_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

u64 test_seed(void)
{
	struct timespec now;
	u64 seed;

	clock_gettime(CLOCK_REALTIME, &now);
	seed = test_env("SEED", (u64)now.tv_sec * 1000003u ^ (u64)now.tv_nsec);
	if (!seed)
		seed = 1;
	printf("# SEED=%llu\n", (unsigned long long)seed);
	fflush(stdout);
	return seed;
}
