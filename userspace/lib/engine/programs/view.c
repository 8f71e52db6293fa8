// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Copying the rings that another process pinned: see programs.h. Its maps are mapped for reading only. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/rings/grace.h"
#include "host/linux.h"
#include "programs.h"
#include "skeleton.h"

#define PATH 256

/* An array that another process pinned, and its copy here. */
struct view {
	const char *shared;
	char *copy;
	size_t size;
};

/* Open an array, and check that it is what this version makes of it.  Return: a descriptor, or a negative errno. */
static int open_array(const char *folder, const char *name, u32 value, u32 entries)
{
	char path[PATH];
	int fd;

	if (host_format(path, sizeof(path), "%s/%s", folder, name) >= PATH - 1)
		return -ENAMETOOLONG;
	/* The kernel maps no descriptor that permits reading only. */
	fd = bpf_obj_get(path);
	if (fd < 0)
		return -errno;
	if (programs_is_map(fd, BPF_MAP_TYPE_ARRAY, value, entries))
		return fd;
	close(fd);
	return -EBADMSG;
}

/* Pages of the copy that nobody fills take no memory. */
static int map_view(struct view *view, int fd, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *shared, *copy;

	size = (size + page - 1) & ~(page - 1);
	shared = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED)
		return -errno;
	view->shared = shared;
	view->size = size;
	copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (copy == MAP_FAILED)
		return -errno;
	view->copy = copy;
	return 0;
}

static const struct bcos_bpf_cpu *shared_cpu(const struct programs *programs, const struct view *cpus, u32 cpu)
{
	return (const struct bcos_bpf_cpu *)(cpus->shared + cpu * programs->stride);
}

/*
 * Note where the ring of each CPU begins and ends. Whoever takes a time before now has reserved its place already.
 * Return: 0; -EBADMSG if a ring is damaged.
 */
static int note_ends(const struct programs *programs, const struct view *cpus)
{
	const struct bcos_bpf_cpu *from;
	struct bcos_bpf_cpu *own;
	u32 cpu;

	for (cpu = 0; cpu < programs->rings; cpu++) {
		from = shared_cpu(programs, cpus, cpu);
		own = programs_cpu(programs, cpu);
		/* The tail follows the head, so the one that is read later is not behind it. */
		own->tail = smp_load_acquire(&from->tail);
		own->head = smp_load_acquire(&from->head);
		/* Between the two the ring may have gone on by more than it has room for. */
		if (own->head - own->tail > programs->units)
			own->tail = smp_load_acquire(&from->tail);
		if (own->head - own->tail > programs->units)
			return -EBADMSG;
	}
	return 0;
}

static void copy_ring(const struct programs *programs, const struct view *slots, u32 cpu)
{
	const struct bcos_bpf_cpu *own = programs_cpu(programs, cpu);
	size_t first = (size_t)cpu * programs->units * sizeof(struct bcos_unit), place;
	u64 at;

	for (at = own->tail; at != own->head; at++) {
		place = first + (at & (programs->units - 1)) * sizeof(struct bcos_unit);
		host_copy_racy(slots->copy + place, slots->shared + place, sizeof(struct bcos_unit));
	}
}

/* The number of attempts to copy the losses of a CPU between two that a program counts. */
#define TRIES 1000

/* Copy what programs change. The copy is that of a program which is counting a loss, if no attempt came between two. */
static void copy_cpu(const struct programs *programs, const struct view *cpus, u32 cpu)
{
	const struct bcos_bpf_cpu *from = shared_cpu(programs, cpus, cpu);
	struct bcos_bpf_cpu *own = programs_cpu(programs, cpu);
	u64 head = own->head, tail = own->tail;
	u32 tries, sequence;
	bool whole = false;

	for (tries = 0; tries < TRIES && !whole; tries++) {
		sequence = smp_load_acquire(&from->lost.sequence);
		whole = !smp_load_acquire(&from->losing);
		host_copy_racy(own, from, sizeof(*own));
		smp_rmb();
		whole = whole && !smp_load_acquire(&from->losing) && READ_ONCE(from->lost.sequence) == sequence;
	}
	own->losing = !whole;
	own->head = head;
	own->tail = tail;
}

static int copy_all(struct programs *programs, const struct view *cpus, const struct view *slots, u64 *time)
{
	struct grace grace;
	u32 cpu;
	int r = grace_open(&grace, false);

	if (r)
		return r;
	*time = clock_now(CLOCK_BOOTTIME);
	/* After the grace period each place up to these ends is filled, or will never be. */
	r = note_ends(programs, cpus) ?: grace_wait(&grace);
	grace_close(&grace);
	for (cpu = 0; cpu < programs->options.cpus && !r; cpu++) {
		if (cpu < programs->rings)
			copy_ring(programs, slots, cpu);
		copy_cpu(programs, cpus, cpu);
	}
	smp_rmb();
	return r;
}

static void unmap_shared(const struct view *view)
{
	if (view->shared)
		munmap((void *)(uintptr_t)view->shared, view->size);
}

static int view_all(struct programs *programs, const char *folder, u64 *time)
{
	struct programs_fds *fd = &programs->fd;
	struct view cpus = { 0 }, slots = { 0 };
	int r;

	fd->slots = open_array(folder, "slots", sizeof(struct bcos_unit), programs->rings * programs->units);
	if (fd->slots < 0)
		return fd->slots;
	fd->cpus = open_array(folder, "cpus", sizeof(struct bcos_bpf_cpu), programs->options.cpus);
	if (fd->cpus < 0)
		return fd->cpus;
	programs->stride = (sizeof(struct bcos_bpf_cpu) + 7) & ~(size_t)7;
	r = programs_get_recording(programs, folder) ?:
	    map_view(&cpus, fd->cpus, programs->stride * programs->options.cpus) ?:
	    map_view(&slots, fd->slots, (size_t)programs->rings * programs->units * sizeof(struct bcos_unit));
	programs->cpus = cpus.copy;
	programs->cpus_size = cpus.size;
	programs->slots = (struct bcos_unit *)slots.copy;
	programs->slots_size = slots.size;
	r = r ?: copy_all(programs, &cpus, &slots, time);
	unmap_shared(&cpus);
	unmap_shared(&slots);
	return r;
}

int programs_view(struct programs **result, const struct programs_options *options, const char *folder, u64 *time)
{
	struct programs *programs = programs_new(options);
	int r;

	*result = NULL;
	if (!programs)
		return -ENOMEM;
	programs->held = true;
	r = view_all(programs, folder, time);
	if (r)
		programs_free(programs);
	else
		*result = programs;
	return r;
}

int programs_view_from(struct programs *programs, u32 cpu, u64 tail)
{
	const struct bcos_bpf_cpu *own = programs_cpu(programs, cpu);

	if (tail < own->tail)
		return -ESTALE;
	programs->read[cpu] = tail < own->head ? tail : own->head;
	return 0;
}
