/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stages records in the rings: see shared.h. Every program includes this. */
#ifndef BCOS_BPF_STAGE_H
#define BCOS_BPF_STAGE_H

#include "shared.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/* User space sets the sizes of these maps before it loads the programs. */
struct bcos_bpf_slots {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct bcos_unit);
};

/* This ring buffer carries no data; it only wakes the log writer. */
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

/* Adds with a full barrier, which clang emits only if the result is used. */
static __always_inline void bcos_add(u32 *counter, u32 amount)
{
	u32 before = __sync_fetch_and_add(counter, amount);

	asm volatile("" :: "r"(before));
}

/* Counts a record as lost: the counterpart of lose_record() in module/core/raw/stage.c. */
static __noinline int bcos_lose(struct bcos_bpf_cpu *cpu, u8 kind, u32 id)
{
	struct bcos_stage_lost *lost;
	u32 class = bcos_raw_class(kind);
	u64 now = bpf_ktime_get_boot_ns();

	if (!cpu || class >= BCOS_LOSS_CLASSES)
		return 0;
	lost = &cpu->lost;
	/* A program that interrupts this one may be losing a record, too. */
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

/* Wakes the log writer. */
static __noinline int bcos_kick(u64 number)
{
	bpf_ringbuf_output(&bcos_kicks, &number, sizeof(number), BPF_RB_FORCE_WAKEUP);
	return 0;
}

/* Builds the second word of a record of one unit. */
static __always_inline u64 bcos_word(u8 kind, u16 aux, u32 id)
{
	return (u64)id << 32 | (u32)aux << 16 | 1u << 8 | kind;
}

/* Returns unit @at of the ring of CPU @number. */
static __always_inline struct bcos_unit *bcos_slot(u32 number, u64 at)
{
	u32 index = number * bcos_config.units + ((u32)at & (bcos_config.units - 1));

	return bpf_map_lookup_elem(&bcos_slots, &index);
}

/* Returns the units that records of this kind must leave free. */
static __always_inline u32 bcos_left(u8 kind)
{
	u32 reserve = bcos_raw_reserve(bcos_raw_class(kind), bcos_config.units);

	return reserve ? reserve : BCOS_BPF_SLACK;
}

/*
 * Reserves the place of @units units, and sets *@at to its first unit. Returns false if there is no
 * room.
 */
static __always_inline bool bcos_reserve(struct bcos_bpf_cpu *cpu, u32 number, u8 kind, u32 units,
					 u64 *at)
{
	u64 head = READ_ONCE(cpu->head);

	if (head + units + bcos_left(kind) > READ_ONCE(cpu->tail) + bcos_config.units)
		return false;
	*at = __sync_fetch_and_add(&cpu->head, units);
	if ((*at + units) >> bcos_config.kick_shift != *at >> bcos_config.kick_shift)
		bcos_kick(number);
	return true;
}

/*
 * Publishes a record: stores the second word of its first unit, after all that was stored before.
 */
static __always_inline void bcos_publish(struct bcos_unit *unit, u64 what)
{
#ifdef __TARGET_ARCH_x86
	asm volatile("" ::: "memory");
	WRITE_ONCE(unit->word[1], what);
#else
	__sync_lock_test_and_set(&unit->word[1], what);
#endif
}

/* Stages a record of one unit on this CPU. */
static __always_inline void bcos_put_one(struct bcos_bpf_cpu *cpu, u32 number, u8 kind, u16 aux,
					 u32 id)
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

static __always_inline void bcos_put_here(u8 kind, u16 aux, u32 id)
{
	u32 number;
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);

	if (cpu)
		bcos_put_one(cpu, number, kind, aux, id);
}

/*
 * Stages a record of @units units, whose time this function sets. It copies word by word, since
 * clang 14 drops stores of a memcpy() from constants. Returns false if there is no room.
 */
static __always_inline bool bcos_put_units(const void *record, u32 units)
{
	const volatile u64 *word = record;
	const struct bcos_raw *raw = record;
	u32 number, i;
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
	for (i = 1; i < BCOS_RAW_UNITS_MAX && i < units; i++) {
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

/* Stages a record of @size bytes, a constant: see bcos_put_units(). */
static __always_inline bool bcos_put(const void *record, u32 size)
{
	return bcos_put_units(record, size / sizeof(struct bcos_unit));
}

/* Assigns this CPU to process @id; @aux is 0 or BCOS_BPF_UNSEEN. */
static __always_inline void bcos_assign_as(struct bcos_bpf_cpu *cpu, u32 number, u16 aux, u32 id)
{
	/*
	 * current_id is set even if the record is lost, since the newest lost assignment is kept.
	 */
	cpu->current_id = id;
	bcos_put_one(cpu, number, BCOS_RAW_SWITCH, aux, id);
}

static __always_inline void bcos_assign(struct bcos_bpf_cpu *cpu, u32 number, u32 id)
{
	bcos_assign_as(cpu, number, 0, id);
}

#endif
