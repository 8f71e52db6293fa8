// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/raw/stage.c and stage.h: one CPU's staging ring, its room for each class, its losses, its kicks. */
#include "check.h"
#include "core/raw/stage.h"

#define SIZE 64

static u64 now;

static u64 advance_clock(void)
{
	return ++now;
}

struct fixture {
	struct bcos_stage stage;
	struct bcos_unit *ring;
};

static int set_up(void **state)
{
	struct fixture *f = aligned_alloc(64, (sizeof(*f) + 63) & ~63ul);

	assert_non_null(f);
	memset(f, 0, sizeof(*f));
	f->ring = calloc(SIZE, sizeof(*f->ring));
	assert_non_null(f->ring);
	bcos_stage_init(&f->stage, f->ring, SIZE);
	now = 0;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(f->stage.mark, 0);
	assert_int_equal(f->stage.lost.sequence & 1, 0);
	free(f->ring);
	free(f);
	return 0;
}

static enum bcos_staged put_record(struct fixture *f, u8 kind, u8 units, u32 id)
{
	struct bcos_raw raw = { .kind = kind, .units = units, .id = id };
	struct bcos_unit tail[3] = { { { id, 1 } }, { { id, 2 } }, { { id, 3 } } };

	if (units == 1)
		return bcos_stage_put_one(&f->stage, advance_clock, bcos_stage_word(kind, 0, id));
	/* Use both functions by turns. */
	if (units <= 3 && id % 2)
		return bcos_stage_put_short(&f->stage, advance_clock, units, bcos_stage_head(kind, units, 0, id), id,
					    id, 2);
	return bcos_stage_put(&f->stage, advance_clock, &raw, tail);
}

static bool was_staged(enum bcos_staged result)
{
	return result == BCOS_STAGED || result == BCOS_STAGED_KICK;
}

/* Puts records of one unit until one is lost. Return: how many were staged. */
static u32 fill_stage(struct fixture *f, u8 kind)
{
	u32 n = 0;

	while (was_staged(put_record(f, kind, 1, n)))
		n++;
	return n;
}

static void test_put(void **state)
{
	struct fixture *f = *state;
	const struct bcos_raw *raw = (const struct bcos_raw *)f->ring;

	assert_int_equal(put_record(f, BCOS_RAW_SWITCH, 1, 42), BCOS_STAGED);
	assert_int_equal(put_record(f, BCOS_RAW_BIRTH, 3, 44), BCOS_STAGED);
	assert_int_equal(put_record(f, BCOS_RAW_BIRTH, 3, 45), BCOS_STAGED);
	assert_int_equal(f->stage.head, 7);
	assert_int_equal(f->stage.last, 3);
	assert_int_equal(raw[0].time, 1);
	assert_int_equal(raw[0].kind, BCOS_RAW_SWITCH);
	assert_int_equal(raw[0].id, 42);
	assert_int_equal(raw[1].time, 2);
	assert_int_equal(raw[1].units, 3);
	assert_int_equal(f->ring[2].word[1], 1);
	assert_int_equal(f->ring[3].word[1], 2);
	assert_int_equal(raw[4].time, 3);
	assert_int_equal(raw[4].units, 3);
	assert_int_equal(raw[4].id, 45);
	assert_int_equal(f->ring[5].word[0], 45);
	assert_int_equal(f->ring[5].word[1], 0);
	assert_int_equal(f->ring[6].word[0], 45);
	assert_int_equal(f->ring[6].word[1], 2);
}

/* A record of two units is whole, wherever thresholds of the ring lie. */
static void test_second_unit(void **state)
{
	struct fixture *f = *state;
	const struct bcos_unit *unit;
	u64 what;
	u32 i;

	for (i = 1; i < 1000; i++) {
		what = bcos_stage_head(BCOS_RAW_STATE, 2, 5, i);
		assert_true(was_staged(bcos_stage_put_short(&f->stage, advance_clock, 2, what, i, 0, ~(u64)i)));
		unit = &f->ring[(f->stage.head - 1) % SIZE];
		assert_int_equal(unit->word[0], i);
		assert_int_equal(unit->word[1], ~(u64)i);
		if (i % (SIZE / 4) == 0) {
			smp_store_release(&f->stage.tail, f->stage.head);
			WRITE_ONCE(f->stage.kicked, 0);
		}
	}
	assert_int_equal(f->stage.lost.sequence, 0);
}

static void test_wrap(void **state)
{
	struct fixture *f = *state;
	u32 i;

	for (i = 0; i < 1000; i++) {
		assert_true(was_staged(put_record(f, BCOS_RAW_BIRTH, 3, i)));
		assert_int_equal(((struct bcos_raw *)&f->ring[f->stage.tail % SIZE])->id, i);
		assert_int_equal(f->ring[(f->stage.tail + 2) % SIZE].word[0], i);
		smp_store_release(&f->stage.tail, f->stage.head);
		WRITE_ONCE(f->stage.kicked, 0);
	}
	assert_int_equal(f->stage.head, 3000);
	assert_int_equal(f->stage.lost.sequence, 0);
}

/* module/DESIGN.md, 5.2: optional classes are shed first, and room is kept for births and deaths. */
static void test_class_room(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(fill_stage(f, BCOS_RAW_IRQ), SIZE * 3 / 4);
	assert_int_equal(fill_stage(f, BCOS_RAW_SWITCH), SIZE / 8);
	assert_int_equal(fill_stage(f, BCOS_RAW_DEAD), SIZE / 8);
	assert_int_equal(f->stage.head, SIZE);
	/* Nothing was overwritten. */
	assert_int_equal(((struct bcos_raw *)f->ring)->kind, BCOS_RAW_IRQ);
	assert_int_equal(f->stage.lost.count[BCOS_LOSS_IRQ], 1);
	assert_int_equal(f->stage.lost.count[BCOS_LOSS_ASSIGN], 1);
	assert_int_equal(f->stage.lost.count[BCOS_LOSS_LIFE], 1);
}

/* A record of several units is staged whole or not at all. */
static void test_whole_records(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(fill_stage(f, BCOS_RAW_DEAD), SIZE);
	f->stage.tail += 2;
	assert_false(was_staged(put_record(f, BCOS_RAW_BIRTH, 3, 1)));
	assert_int_equal(f->stage.head, SIZE);
	f->stage.tail += 1;
	assert_true(was_staged(put_record(f, BCOS_RAW_BIRTH, 3, 1)));
	assert_int_equal(f->stage.head, SIZE + 3);
}

/* The counts of losses by class only grow, and the newest lost switch is kept. */
static void test_losses(void **state)
{
	struct fixture *f = *state;
	const struct bcos_stage_lost *lost = &f->stage.lost;
	u64 first;

	fill_stage(f, BCOS_RAW_SWITCH);
	first = now;
	assert_int_equal(lost->stretch, 1);
	assert_int_equal(lost->first, first);
	assert_int_equal(lost->assign_id, SIZE * 7 / 8);
	put_record(f, BCOS_RAW_IRQ, 1, 1);
	put_record(f, BCOS_RAW_SWITCH, 1, 4711);
	put_record(f, BCOS_RAW_IRQ_NAME, 3, 1);
	assert_int_equal(lost->stretch, 1);
	assert_int_equal(lost->first, first);
	assert_int_equal(lost->last, first + 3);
	assert_int_equal(lost->assign_time, first + 2);
	assert_int_equal(lost->assign_id, 4711);
	assert_int_equal(lost->count[BCOS_LOSS_ASSIGN], 2);
	assert_int_equal(lost->count[BCOS_LOSS_IRQ], 2);
	assert_int_equal(lost->count[BCOS_LOSS_LIFE], 0);
	/* The time of a lost record is the CPU's newest time as well. */
	assert_int_equal(f->stage.last, now);
	/* The writer has seen the stretch, so the next loss begins another stretch. */
	f->stage.taken = lost->stretch;
	put_record(f, BCOS_RAW_SWITCH, 1, 4712);
	assert_int_equal(lost->stretch, 2);
	assert_int_equal(lost->first, now);
	assert_int_equal(lost->count[BCOS_LOSS_ASSIGN], 3);
}

/* The ring kicks the writer once while it fills, and again only after the writer came. */
static void test_kick(void **state)
{
	struct fixture *f = *state;
	u32 i, kicks = 0, at = 0;
	enum bcos_staged result;

	for (i = 1; i <= 2 * SIZE; i++) {
		result = put_record(f, BCOS_RAW_SWITCH, 1, i);
		if (result == BCOS_STAGED_KICK || result == BCOS_STAGE_LOST_KICK) {
			kicks++;
			at = i;
		}
	}
	assert_int_equal(kicks, 1);
	assert_int_equal(at, SIZE / 4 + 1);
	/* The writer came and took nothing: the next record kicks it again, even if that record is lost. */
	WRITE_ONCE(f->stage.kicked, 0);
	assert_int_equal(put_record(f, BCOS_RAW_SWITCH, 1, 1), BCOS_STAGE_LOST_KICK);
	assert_int_equal(put_record(f, BCOS_RAW_SWITCH, 1, 1), BCOS_STAGE_LOST);
	/* The writer came and took all: a quarter of the ring may fill before the next kick. */
	WRITE_ONCE(f->stage.kicked, 0);
	f->stage.tail = f->stage.head;
	for (i = 0; i < SIZE / 4; i++)
		assert_int_equal(put_record(f, BCOS_RAW_SWITCH, 1, i), BCOS_STAGED);
	assert_int_equal(put_record(f, BCOS_RAW_SWITCH, 1, i), BCOS_STAGED_KICK);
}

/* An event inside the recording of another is refused, counted, and disturbs nothing. */
static void test_nested(void **state)
{
	struct fixture *f = *state;
	struct bcos_raw raw = { .kind = BCOS_RAW_IRQ, .units = 1, .id = 1 };

	put_record(f, BCOS_RAW_SWITCH, 1, 42);
	f->stage.mark = 1;
	assert_int_equal(bcos_stage_put(&f->stage, advance_clock, &raw, NULL), BCOS_STAGE_NESTED);
	assert_int_equal(put_record(f, BCOS_RAW_SWITCH, 1, 43), BCOS_STAGE_NESTED);
	assert_int_equal(f->stage.mark, 1);
	assert_int_equal(f->stage.head, 1);
	assert_int_equal(f->stage.nested, 2);
	assert_int_equal(now, 1);
	f->stage.mark = 0;
	assert_int_equal(put_record(f, BCOS_RAW_IRQ, 1, 1), BCOS_STAGED);
}

/* Staged and lost records add up to all records, whenever the writer comes. */
static void test_accounting(void **state)
{
	static const u8 kinds[] = { BCOS_RAW_SWITCH, BCOS_RAW_SWITCH, BCOS_RAW_IRQ, BCOS_RAW_BIRTH, BCOS_RAW_DEAD,
				    BCOS_RAW_EVENT, BCOS_RAW_KMSG, BCOS_RAW_INPUT, BCOS_RAW_DEVICE, BCOS_RAW_API,
				    BCOS_RAW_IDLE,
				    BCOS_RAW_STATE, BCOS_RAW_LIMITS, BCOS_RAW_CHECK, BCOS_RAW_PROGRAM,
				    BCOS_RAW_REQUEST_START, BCOS_RAW_REQUEST_ISSUE, BCOS_RAW_REQUEST_END,
				    BCOS_RAW_THREAD, BCOS_RAW_CGROUP };
	static const u8 units[] = { 1, 1, 1, 3, 2, 2, 4, 2, 4, 1, 1, 2, 2, 3, 4, 2, 1, 2, 3, 4 };
	u64 seed = test_seed(), total[BCOS_LOSS_CLASSES] = { 0 }, taken[BCOS_LOSS_CLASSES] = { 0 };
	struct fixture *f = *state;
	const struct bcos_raw *raw;
	u32 i, kind, class, wait;

	for (i = 0; i < 20000; i++) {
		kind = (u32)(next_random(&seed) % COUNT(kinds));
		total[bcos_raw_class(kinds[kind])]++;
		put_record(f, kinds[kind], units[kind], i);
		assert_true(f->stage.head - f->stage.tail <= SIZE);
		wait = (u32)(next_random(&seed) % 4);
		while (!wait && f->stage.tail != f->stage.head && next_random(&seed) % 8) {
			raw = (const struct bcos_raw *)&f->ring[f->stage.tail % SIZE];
			taken[bcos_raw_class(raw->kind)]++;
			f->stage.tail += raw->units;
		}
	}
	while (f->stage.tail != f->stage.head) {
		raw = (const struct bcos_raw *)&f->ring[f->stage.tail % SIZE];
		taken[bcos_raw_class(raw->kind)]++;
		f->stage.tail += raw->units;
	}
	for (class = 0; class < BCOS_LOSS_CLASSES; class++) {
		assert_true(taken[class] > 0);
		assert_int_equal(taken[class] + f->stage.lost.count[class], total[class]);
	}
	assert_true(f->stage.lost.count[BCOS_LOSS_IRQ] > 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_put), TEST(test_second_unit), TEST(test_wrap), TEST(test_class_room), TEST(test_whole_records),
		TEST(test_losses), TEST(test_kick), TEST(test_nested), TEST(test_accounting),
	};

	return cmocka_run_group_tests_name("stage", tests, NULL, NULL);
}
