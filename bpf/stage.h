/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Putting records into the rings: see shared.h.  In every program. */
#ifndef BCOS_BPF_STAGE_H
#define BCOS_BPF_STAGE_H

#include "shared.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/* Their sizes are set before they are loaded. */
struct bcos_bpf_ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);
};

struct bcos_bpf_rings {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__array(values, struct bcos_bpf_ring);
};

struct bcos_bpf_cpus {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct bcos_bpf_cpu);
};

extern struct bcos_bpf_rings bcos_rings SEC(".maps");
extern struct bcos_bpf_ring bcos_saved SEC(".maps");
extern struct bcos_bpf_cpus bcos_cpus SEC(".maps");

extern const volatile struct bcos_bpf_config bcos_config;

#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile typeof(x) *)&(x) = (v))

/* On the other machines two stores may be seen in another order: there only an atomic operation keeps it. */
static __always_inline void bcos_order(struct bcos_stage_lost *lost)
{
#ifdef __TARGET_ARCH_x86
	asm volatile("" ::: "memory");
#else
	__sync_fetch_and_add(&lost->padding, 0);
#endif
}

/* As lose() in module/core/stage.c. */
static __noinline int bcos_lose(struct bcos_bpf_cpu *cpu, u8 kind, u32 id)
{
	struct bcos_stage_lost *lost;
	u32 class = bcos_raw_class(kind);
	u64 now = bpf_ktime_get_boot_ns();

	if (!cpu || class >= BCOS_LOSS_CLASSES)
		return 0;
	lost = &cpu->lost;
	WRITE_ONCE(lost->sequence, lost->sequence + 1);
	bcos_order(lost);
	if (lost->stretch == READ_ONCE(cpu->taken)) {
		WRITE_ONCE(lost->stretch, lost->stretch + 1);
		WRITE_ONCE(lost->first, now);
	}
	WRITE_ONCE(lost->last, now);
	WRITE_ONCE(lost->count[class], lost->count[class] + 1);
	if (kind == BCOS_RAW_SWITCH) {
		WRITE_ONCE(lost->assign_time, now);
		WRITE_ONCE(lost->assign_id, id);
	}
	bcos_order(lost);
	WRITE_ONCE(lost->sequence, lost->sequence + 1);
	return 0;
}

/* Is it time that somebody empties the ring? */
static __always_inline u64 bcos_wake(struct bcos_bpf_cpu *cpu)
{
	return ++cpu->records & bcos_config.kick_mask ? BPF_RB_NO_WAKEUP : BPF_RB_FORCE_WAKEUP;
}

/* The second word of a record of one unit. */
static __always_inline u64 bcos_word(u8 kind, u16 aux, u32 id)
{
	return (u64)id << 32 | (u32)aux << 16 | 1u << 8 | kind;
}

/*
 * Where a record goes, with its time: the clock is read when its place is
 * known, so that there is little that can come between.
 */
static __always_inline struct bcos_raw *bcos_reserve(u32 number, u32 size)
{
	void *ring = bpf_map_lookup_elem(&bcos_rings, &number);
	struct bcos_raw *raw = ring ? bpf_ringbuf_reserve(ring, size, 0) : NULL;

	if (raw)
		raw->time = bpf_ktime_get_boot_ns();
	return raw;
}

/* A record of one unit, of this CPU. */
static __always_inline void bcos_put_one(struct bcos_bpf_cpu *cpu, u32 number, u8 kind, u16 aux, u32 id)
{
	struct bcos_raw *raw = bcos_reserve(number, sizeof(*raw));

	if (!raw) {
		bcos_lose(cpu, kind, id);
		return;
	}
	((struct bcos_unit *)raw)->word[1] = bcos_word(kind, aux, id);
	bpf_ringbuf_submit(raw, bcos_wake(cpu));
}

static __always_inline struct bcos_bpf_cpu *bcos_this_cpu(u32 *number)
{
	*number = bpf_get_smp_processor_id();
	return bpf_map_lookup_elem(&bcos_cpus, number);
}

static __always_inline void bcos_put_plain(u8 kind, u16 aux, u32 id)
{
	u32 number;
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);

	if (cpu)
		bcos_put_one(cpu, number, kind, aux, id);
}

/*
 * All of a record but its time. By words: of a memcpy() from constants
 * clang 14 leaves out stores.
 */
static __always_inline void bcos_copy(void *to, const void *from, u32 size)
{
	u32 word;

#pragma unroll
	for (word = 1; word < size / sizeof(u64); word++)
		((volatile u64 *)to)[word] = ((const volatile u64 *)from)[word];
}

/* A record of several units, which @size bytes at @record hold but for its time. */
static __always_inline bool bcos_put(const void *record, u32 size)
{
	const struct bcos_raw *raw = record;
	u32 number;
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);
	struct bcos_raw *to;

	if (!cpu)
		return false;
	to = bcos_reserve(number, size);
	if (!to) {
		bcos_lose(cpu, raw->kind, raw->id);
		return false;
	}
	bcos_copy(to, record, size);
	bpf_ringbuf_submit(to, bcos_wake(cpu));
	return true;
}

/* Likewise of a life: at most 48 bytes, and when this CPU's ring is full it goes where there is room kept for it. */
static __always_inline void bcos_put_life(const void *record, u32 size)
{
	const struct bcos_raw *raw = record;
	struct bcos_bpf_saved *rescue;
	struct bcos_bpf_cpu *cpu;
	struct bcos_raw *to;
	u32 number;

	cpu = bcos_this_cpu(&number);
	if (!cpu)
		return;
	to = bcos_reserve(number, size);
	if (to) {
		bcos_copy(to, record, size);
		bpf_ringbuf_submit(to, bcos_wake(cpu));
		return;
	}
	rescue = bpf_ringbuf_reserve(&bcos_saved, sizeof(*rescue), 0);
	if (!rescue) {
		bcos_lose(cpu, raw->kind, raw->id);
		return;
	}
	rescue->cpu = number;
	__builtin_memset(rescue->unit, 0, sizeof(rescue->unit));
	bcos_copy(rescue->unit, record, size);
	rescue->unit[0].word[0] = bpf_ktime_get_boot_ns();
	bpf_ringbuf_submit(rescue, BPF_RB_FORCE_WAKEUP);
}

/* This CPU is @id's from now on. */
static __always_inline void bcos_assign(struct bcos_bpf_cpu *cpu, u32 number, u32 id)
{
	/* Set even if the record is lost: the newest lost assignment is kept. */
	cpu->current_id = id;
	bcos_put_one(cpu, number, BCOS_RAW_SWITCH, 0, id);
}

#endif
