/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Putting records into the rings: see shared.h.  In every program. */
#ifndef BCOS_BPF_STAGE_H
#define BCOS_BPF_STAGE_H

#include "shared.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/* Their sizes are set before they are loaded. */
struct bcos_bpf_slots {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct bcos_unit);
};

/* Says nothing; it wakes who waits for it. */
struct bcos_bpf_kicks {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);
};

struct bcos_bpf_cpus {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct bcos_bpf_cpu);
};

extern struct bcos_bpf_slots bcos_slots SEC(".maps");
extern struct bcos_bpf_kicks bcos_kicks SEC(".maps");
extern struct bcos_bpf_cpus bcos_cpus SEC(".maps");

extern const volatile struct bcos_bpf_config bcos_config;

#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile typeof(x) *)&(x) = (v))

/* A full barrier, which an addition is only if its result is used. */
static __always_inline void bcos_add(u32 *counter, u32 amount)
{
	u32 before = __sync_fetch_and_add(counter, amount);

	asm volatile("" :: "r"(before));
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
	/* A program that interrupts this one may do the same. */
	bcos_add(&cpu->losing, 1);
	if (lost->stretch == READ_ONCE(cpu->taken)) {
		WRITE_ONCE(lost->stretch, lost->stretch + 1);
		WRITE_ONCE(lost->first, now);
	}
	WRITE_ONCE(lost->last, now);
	__sync_fetch_and_add(&lost->count[class], 1);
	if (kind == BCOS_RAW_SWITCH) {
		WRITE_ONCE(lost->assign_time, now);
		WRITE_ONCE(lost->assign_id, id);
	}
	bcos_add(&lost->sequence, 1);
	bcos_add(&cpu->losing, -1);
	return 0;
}

/* The log writer is to empty the rings. */
static __noinline int bcos_kick(u64 number)
{
	bpf_ringbuf_output(&bcos_kicks, &number, sizeof(number), BPF_RB_FORCE_WAKEUP);
	return 0;
}

/* The second word of a record of one unit. */
static __always_inline u64 bcos_word(u8 kind, u16 aux, u32 id)
{
	return (u64)id << 32 | (u32)aux << 16 | 1u << 8 | kind;
}

static __always_inline struct bcos_unit *bcos_slot(u32 number, u64 at)
{
	u32 index = number * bcos_config.units + ((u32)at & (bcos_config.units - 1));

	return bpf_map_lookup_elem(&bcos_slots, &index);
}

/* Units that are left to others by records of this kind: as class_limit() in module/core/stage.c. */
static __always_inline u32 bcos_left(u8 kind)
{
	switch (bcos_raw_class(kind)) {
	case BCOS_LOSS_LIFE:
	case BCOS_LOSS_DEVICE:
		return BCOS_BPF_SLACK;
	case BCOS_LOSS_ASSIGN:
		return bcos_config.units / 8;
	default:
		return bcos_config.units / 4;
	}
}

/* Takes the place of @units units.  Return: false: there is no room. */
static __always_inline bool bcos_reserve(struct bcos_bpf_cpu *cpu, u32 number, u8 kind, u32 units, u64 *at)
{
	u64 head = READ_ONCE(cpu->head);

	if (head + units + bcos_left(kind) > READ_ONCE(cpu->tail) + bcos_config.units)
		return false;
	*at = __sync_fetch_and_add(&cpu->head, units);
	if ((*at + units) >> bcos_config.kick_shift != *at >> bcos_config.kick_shift)
		bcos_kick(number);
	return true;
}

/* What is stored before is seen before. */
static __always_inline void bcos_publish(struct bcos_unit *unit, u64 what)
{
#ifdef __TARGET_ARCH_x86
	asm volatile("" ::: "memory");
	WRITE_ONCE(unit->word[1], what);
#else
	__sync_lock_test_and_set(&unit->word[1], what);
#endif
}

/* A record of one unit, of this CPU. */
static __always_inline void bcos_put_one(struct bcos_bpf_cpu *cpu, u32 number, u8 kind, u16 aux, u32 id)
{
	struct bcos_unit *unit;
	u64 at;

	if (!bcos_reserve(cpu, number, kind, 1, &at)) {
		bcos_lose(cpu, kind, id);
		return;
	}
	unit = bcos_slot(number, at);
	if (!unit) {
		bcos_lose(cpu, kind, id);
		return;
	}
	unit->word[0] = bpf_ktime_get_boot_ns();
	bcos_publish(unit, bcos_word(kind, aux, id));
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
 * A record of several units, which @size bytes at @record hold but for its
 * time.  Word by word: of a memcpy() from constants clang 14 leaves out stores.
 */
static __always_inline bool bcos_put(const void *record, u32 size)
{
	const volatile u64 *word = record;
	const struct bcos_raw *raw = record;
	u32 number, units = size / sizeof(struct bcos_unit), i;
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);
	struct bcos_unit *unit;
	u64 at, now;

	if (!cpu)
		return false;
	if (!bcos_reserve(cpu, number, raw->kind, units, &at)) {
		bcos_lose(cpu, raw->kind, raw->id);
		return false;
	}
	now = bpf_ktime_get_boot_ns();
#pragma unroll
	for (i = 1; i < units; i++) {
		unit = bcos_slot(number, at + i);
		if (!unit)
			break;
		unit->word[0] = word[2 * i];
		WRITE_ONCE(unit->word[1], word[2 * i + 1]);
	}
	unit = bcos_slot(number, at);
	if (!unit) {
		bcos_lose(cpu, raw->kind, raw->id);
		return false;
	}
	unit->word[0] = now;
	bcos_publish(unit, word[1]);
	return true;
}

/* This CPU is @id's from now on. */
static __always_inline void bcos_assign(struct bcos_bpf_cpu *cpu, u32 number, u32 id)
{
	/* Set even if the record is lost: the newest lost assignment is kept. */
	cpu->current_id = id;
	bcos_put_one(cpu, number, BCOS_RAW_SWITCH, 0, id);
}

#endif
