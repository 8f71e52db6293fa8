// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The module's threads hand some things to each other without a lock. This test runs the functions that do so, which
 * tests/model/extract takes out of module/, in every order. fake_kernel.h has the kernel functions that they call.
 *
 * test: rounds=5000:500000 timeout=120:1800
 */
#include <stdio.h>

#include "core/ring/cursor.h"
#include "fake_kernel.h"
#include "report.h"
#include "testhost.h"

static const struct bcos_ring *bcos_waiters_ring;
static struct bcos_waiter *bcos_waiters;
static u64 bcos_news;
static int bcos_waiters_lock;
static struct {
	u64 answered, answering, due;
} bcos_wakeup;
static struct {
	struct {
		u64 now, horizon;
		bool exact;
	} merge;
} bcos_writer;

u32 bcos_topology_core_of(u32 cpu);
void bcos_topology_note(u32 cpu);
__poll_t bcos_waiter_events(struct bcos_waiter *waiter);
void bcos_waiters_news(void);
void bcos_waiters_appended(bool news);
void bcos_wakeup_answer(u64 asked, u64 now, bool exact, u64 horizon);
void bcos_kmsg_on(bool on);
void bcos_reader_bind(struct bcos_reader *reader, const struct bcos_mark *place, u64 time, bool caught_up);
void bcos_reader_advance(struct bcos_reader *reader, const struct bcos_cursor *next);

#include "module.inc"

/* ---- the reserve of memory ------------------------------------------------------------------------------------- */

static void work_item(void)
{
	bcos_reserve_fill(&bcos_reserve.work);
	bcos_reserve_fill(&bcos_reserve.work);
}

static void take_piece(size_t size)
{
	u64 *memory = bcos_reserve_take(size);
	u32 i;

	for (i = 0; memory && i < 4; i++)
		if (memory[i] != size)
			model_fail("%zu bytes are a piece of %llu", size, (unsigned long long)memory[i]);
}

static void take_others(void)
{
	take_piece(64);
	take_piece(128);
	take_piece(128);
}

static void set_up_reserve(void)
{
	memset(&bcos_reserve, 0, sizeof(bcos_reserve));
	memset(pool, 0, sizeof(pool));
	pool_used = 0;
	bcos_reserve.wanted = 64;
	model_share(&bcos_reserve, sizeof(bcos_reserve), false);
	model_share(pool, sizeof(pool), false);
}

/*
 * ---- a CPU's core
 * --------------------------------------------------------------------------------------------------
 */

static void note_core(void)
{
	bcos_topology_note(0);
}

static void ask_core(void)
{
	u32 core = bcos_topology_core_of(0);

	if (core != CORE)
		model_fail("the CPU is one of core %u", core);
}

static void set_up_core(void)
{
	memset(&bcos_core_ids, 0, sizeof(bcos_core_ids));
	model_share(&bcos_core_ids, sizeof(bcos_core_ids), false);
}

/*
 * ---- a task that exits
 * ----------------------------------------------------------------------------------------------
 */

static struct task_struct task;

/* do_exit() sets PF_EXITING and then gives up the memory. Locks and barriers lie between. */
static void exit_task(void)
{
	WRITE_ONCE(task.flags, PF_EXITING);
	smp_mb();
	WRITE_ONCE(task.mm, 0);
}

static void look_at_task(void)
{
	if (bcos_task_hidden(&task))
		model_fail("a process that exits is taken for a helper");
}

static void set_up_task(void)
{
	task = (struct task_struct){ .mm = &task };
	model_share(&task, sizeof(task), false);
}

/*
 * ---- the kernel's log
 * ------------------------------------------------------------------------------------------------
 */

static void switch_on(void)
{
	bcos_kmsg_on(true);
}

static void read_lines(void)
{
	if (bcos_kmsg_is_on() && bcos_kmsg.next.cur_seq != PRINTED)
		model_fail("it begins at line %llu", (unsigned long long)bcos_kmsg.next.cur_seq);
}

static void set_up_kmsg(void)
{
	memset(&bcos_kmsg, 0, sizeof(bcos_kmsg));
	model_share(&bcos_kmsg.on, sizeof(bcos_kmsg.on), false);
	model_share(&bcos_kmsg.begin, sizeof(bcos_kmsg.begin), false);
}

/*
 * ---- readers that wait
 * ------------------------------------------------------------------------------------------------
 */

#define BYTES 64			/* bytes of an entry */

static struct bcos_ring ring;
static void *data;
static struct bcos_reader reader;
static struct file file;
static __poll_t seen;

static void append_entry(void)
{
	struct bcos_entry entry = { .size = BYTES };
	u64 *place = bcos_ring_reserve(&ring, BYTES, 0);

	memset(place, 0, BYTES);
	memcpy(place, &entry, sizeof(entry));
	bcos_ring_commit(&ring, BYTES);
	bcos_ring_publish(&ring);
}

/* The log writer publishes a batch and wakes readers. */
static void append_and_wake(void)
{
	append_entry();
	bcos_waiters_news();
	bcos_waiters_appended(true);
}

/* The log writer makes a pass for which a reader has asked. */
static void append_and_answer(void)
{
	append_entry();
	bcos_answer(true, 1);
}

/*
 * A reader that asked for a pass and finds it answered, so that it does not sleep, must see the entries of that pass.
 */
static void read_if_answered(void)
{
	if (bcos_is_answered(1) && !(bcos_waiter_events(&reader.waiter) & EPOLLIN))
		model_fail("a reader is answered, and sees nothing of what the pass has appended");
}

static void append_one(void)
{
	append_entry();
}

/* Moves the reader to the head. */
static void read_all(void)
{
	struct bcos_cursor next = { 0 };
	struct bcos_marks marks;

	bcos_ring_marks(&ring, &marks);
	next.place = marks.head;
	bcos_reader_advance(&reader, &next);
}

/* Moves the reader, which is not bound yet, to the head. */
static void bind_at_end(void)
{
	struct bcos_marks marks;

	bcos_ring_marks(&ring, &marks);
	bcos_reader_bind(&reader, &marks.head, 0, false);
}

static void poll_once(void)
{
	poll_table table = { 0 };

	seen = bcos_poll(&file, &table);
}

/* The ring never has as many bytes to read as the watermark asks for. */
static void poll_for_more(void)
{
	__poll_t events = bcos_waiter_events(&reader.waiter);

	if (events & EPOLLIN)
		model_fail("a reader is told that there is more than there is");
	if (events & EPOLLERR)
		model_fail("a reader is told that it was overtaken");
}

static void set_up_waiter(bool bound)
{
	if (!data)
		data = test_ring_map(BCOS_RING_MIN);
	memset(&ring, 0, sizeof(ring));
	memset(&reader, 0, sizeof(reader));
	bcos_ring_init(&ring, data, BCOS_RING_MIN);
	bcos_ring_group_begin(&ring);
	append_entry();
	bcos_ring_group_end(&ring);
	bcos_ring_publish(&ring);
	file = (struct file){ .private_data = &reader, .f_mode = FMODE_READ };
	bcos_waiters_ring = &ring;
	bcos_waiters = &reader.waiter;
	bcos_news = BYTES;
	reader.waiter.watermark = 1;
	reader.waiter.bound = bound;
	reader.waiter.cursor.place = ring.now.head;
	bcos_ring_marks(&ring, &reader.waiter.known);
	seen = 0;
	model_share(&ring.own, sizeof(ring.own), false);
	model_share(&reader, sizeof(reader), false);
	model_share(&bcos_news, sizeof(bcos_news), false);
	model_share(data, BCOS_RING_MIN, true);
}

static void set_up_poll(void)
{
	set_up_waiter(true);
}

static void set_up_watermark(void)
{
	set_up_waiter(true);
	reader.waiter.watermark = BYTES + 1;
}

static void set_up_answer(void)
{
	set_up_waiter(true);
	reader.waiter.caught_up = true;
	memset(&bcos_wakeup, 0, sizeof(bcos_wakeup));
	bcos_writer.merge.now = bcos_writer.merge.horizon = 1;
	bcos_writer.merge.exact = true;
	model_share(&bcos_wakeup, sizeof(bcos_wakeup), false);
}

/* The log has discarded its first entry. Until a reader is bound, its cursor means nothing. */
static void set_up_unbound(void)
{
	set_up_waiter(false);
	append_entry();
	ring.now.oldest = (struct bcos_mark){ .offset = BYTES, .entry = 1 };
	bcos_ring_publish(&ring);
	reader.waiter.watermark = BYTES + 1;
	reader.waiter.cursor.place = (struct bcos_mark){ 0 };
}

/* A reader that sleeps although there are entries would never wake. */
static void finish_poll(void)
{
	if (!(seen & EPOLLIN) && !reader.waiter.wait.woken)
		model_fail("a reader sleeps, and nobody wakes it");
}

static void do_nothing(void)
{
}

static const struct model_program programs[] = {
	{
		.name = "a reserve of memory", .threads = 2, .setup = set_up_reserve,
		.thread = { work_item, take_others },
		.finish = do_nothing, .preemptions = 4,
	}, {
		.name = "the core of a CPU", .threads = 2, .setup = set_up_core, .thread = { note_core, ask_core },
		.finish = do_nothing, .preemptions = 2,
	}, {
		.name = "a task that exits", .threads = 2, .setup = set_up_task, .thread = { exit_task, look_at_task },
		.finish = do_nothing, .preemptions = 2,
	}, {
		.name = "the kernel's log is switched on", .threads = 2, .setup = set_up_kmsg,
		.thread = { switch_on, read_lines }, .finish = do_nothing, .preemptions = 2,
	}, {
		.name = "a reader that begins to wait", .threads = 2, .setup = set_up_poll,
		.thread = { append_and_wake, poll_once }, .finish = finish_poll, .preemptions = 2, .sampled = true,
	}, {
		.name = "a reader that reads meanwhile", .threads = 3, .setup = set_up_watermark,
		.thread = { append_one, read_all, poll_for_more }, .finish = do_nothing, .preemptions = 2,
		.sampled = true,
	}, {
		.name = "a reader that has asked for a pass", .threads = 2, .setup = set_up_answer,
		.thread = { append_and_answer, read_if_answered }, .finish = do_nothing, .preemptions = 2,
		.sampled = true,
	}, {
		.name = "a reader that seeks meanwhile", .threads = 2, .setup = set_up_unbound,
		.thread = { bind_at_end, poll_for_more }, .finish = do_nothing, .preemptions = 2, .sampled = true,
	},
};

static const struct model_excuse excuses[] = {
	{ "bcos_reserve_fill(): acquire",
	  "what it stores depends on what it has loaded, and no processor stores before it knows "
	  "that it will" },
	{ NULL, NULL },
};

int main(void)
{
	static const char *const files[] = { "memory.", "topology.", "task.", "kmsg.", "waiter.", "wakeup.", "read.",
					     "chrdev.", NULL };

	return model_report(programs, sizeof(programs) / sizeof(programs[0]), files, excuses, test_env("ROUNDS", 5000));
}
