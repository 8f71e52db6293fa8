// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log of an image has what was merged and what was not, in order, and says how the machine ended.  An image of which
 * a byte is wrong or missing is refused, or its log says so; no name in it is wrong.
 *
 * test: timeout=300:900
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <elf.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "archive/read/archive.h"
#include "bcoslog.h"
#include "check/check.h"
#include "image/gather.h"
#include "image/recover.h"
#include "made_image.h"

struct seen {
	u32 marks;			/* in order, from 0 on */
	bool out_of_order;
	u32 births;			/* of process 101 */
	u32 ends, losses, panics, reads, wrong_names, missed;
	u64 violations;
	char end[400];
};

static void print_violation(void *context, const struct bcoslog_violation *violation)
{
	struct seen *seen = context;

	if (!violation->legal)
		seen->violations++;
}

static bool is_text(const struct bcos_entry *entry, const char *begin, char *text, size_t size)
{
	size_t length;
	const char *said = bcoslog_text(entry, &length);

	snprintf(text, size, "%.*s", (int)length, said);
	return !strncmp(text, begin, strlen(begin));
}

static void look_at_name(struct seen *seen, const struct bcos_entry *entry)
{
	static const char *const names[] = { "kernel", "init", "cc1", "as", "bcos_evlog", "vda" };
	bool device = bcos_type_of(entry->type) && (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE;
	const char *name = device ? ((const struct bcos_device_name *)entry)->name :
				    ((const struct bcos_process_name *)entry)->name;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return;
	seen->wrong_names++;
}

static void look_at(struct seen *seen, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	char text[500];

	if (entry->type == BCOS_SET_PROCESS_NAME || entry->type == BCOS_HIST_SET_PROCESS_NAME ||
	    entry->type == BCOS_SET_DEVICE_NAME || entry->type == BCOS_HIST_SET_DEVICE_NAME)
		look_at_name(seen, entry);
	seen->births += entry->type == BCOS_SET_PROCESS_NAME && entry->source == 101;
	seen->losses += bcoslog_is_loss(entry);
	seen->missed += bcoslog_is_missed(entry);
	seen->reads += entry->type == BCOS_DEVICE_INPUT;
	if (entry->type != BCOS_GENERIC_PROCESS)
		return;
	if (event->event_id == BCOS_EVENT_ENDED) {
		seen->ends++;
		is_text(entry, "", seen->end, sizeof(seen->end));
	} else if (is_text(entry, "mark ", text, sizeof(text))) {
		seen->out_of_order |= strtoul(text + 5, NULL, 10) != seen->marks++;
	}
	/* Another process, which has the ID of "cc1" now, says this: the log does not name it. */
	seen->wrong_names += event->header.source == 100 && is_text(entry, "other", text, sizeof(text));
	/* This is from a record of a former lap of a staging ring. */
	seen->wrong_names += is_text(entry, "wrong", text, sizeof(text));
	seen->panics += is_text(entry, "Kernel panic - not syncing: for a test", text, sizeof(text));
}

/* Makes a log of the bytes, and reads it.  Returns the result of the recovery. */
static int recover(const void *bytes, u64 size, const struct recover_end *ends, struct recovered *recovered,
		   struct seen *seen)
{
	int fd = memfd_create("log", MFD_CLOEXEC), r;
	const struct bcos_entry *entry;
	struct bcoslog_check *check;
	struct bcoslog_batch batch;
	struct bcoslog_error error;
	struct bcoslog *log;

	memset(seen, 0, sizeof(*seen));
	r = recover_image(bytes, size, ends, fd, recovered, &error);
	if (r) {
		assert_true(strlen(error.text) > 10);
		if (getenv("BCOS_SHOW"))
			print_message("%s\n", error.text);
		close(fd);
		return r;
	}
	lseek(fd, 0, SEEK_SET);
	assert_int_equal(bcoslog_open_fd(&log, fd, "log", BCOSLOG_CLOSE, &error), 0);
	check = bcoslog_check_new(print_violation, seen);
	while ((r = bcoslog_batch(log, &batch)) > 0)
		bcoslog_each(entry, &batch) {
			assert_int_equal(bcoslog_check_entry(check, 0, entry), 0);
			look_at(seen, entry);
		}
	assert_int_equal(r, 0);
	bcoslog_check_end(check);
	bcoslog_check_free(check);
	bcoslog_close(log);
	return 0;
}

/* A machine with 10 marks that are merged and 10 that are not, among other records. */
static struct made_image *a_machine(void)
{
	struct made_image *made = made_new();
	u32 i;

	for (i = 0; i < 10; i++)
		made_mark(made, i & 1);
	made_switch(made, 0, 100);
	made_read(made, 0, 512);
	made_merge(made);
	made_publish(made);
	for (i = 0; i < 10; i++) {
		made_mark(made, i & 1);
		if (i == 2)
			made_life(made, 0, BCOS_RAW_BIRTH, 101, 9, "as");
		if (i == 4)
			made_switch(made, 0, 101);
		if (i == 6)
			made_life(made, 1, BCOS_RAW_DEAD, 101, 9, NULL);
	}
	made_read(made, 1, 1024);
	return made;
}

static void test_reset(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_false(seen.out_of_order);
	assert_int_equal(seen.reads, 2);
	assert_int_equal(seen.ends, 1);
	assert_int_equal(seen.losses, 0);
	assert_non_null(strstr(seen.end, "without notice"));
	assert_int_equal(recovered.unread, 0);
	made_free(made);
}

static void test_panic(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_seal(made, "for a test", "<0>[    0.001010] Kernel panic - not syncing: for a test\n"
				      "<4>[    0.001011] CPU: 0\n");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_false(seen.out_of_order);
	assert_string_equal(seen.end, "panic: for a test");
	assert_int_equal(seen.panics, 1);
	made_free(made);
}

/* Lines that the kernel printed after the newest record, which is what a panic does, by a clock without ticks. */
static void test_late_lines(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;
	char lines[100];

	(void)state;
	made_time += 50000000;
	snprintf(lines, sizeof(lines), "<0>[    0.%06u] Kernel panic - not syncing: for a test\n",
		 (u32)(made_time / 1000 - 1000));
	made_seal(made, "for a test", lines);
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_int_equal(seen.panics, 1);
	assert_int_equal(seen.losses, 0);
	assert_int_equal(recovered.unread, 0);
	made_free(made);
}

/* A kernel with printk.time=0 prints lines without times. */
static void test_lines_without_times(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_seal(made, "for a test", "<0>Kernel panic - not syncing: for a test\n<4>[drm] off\n");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_false(seen.out_of_order);
	assert_int_equal(seen.panics, 1);
	assert_int_equal(recovered.unread, 0);
	made_free(made);
}

/* The log writer makes a pass after the image was sealed, and the kernel still records something. */
static void pass_after_seal(u64 state, u32 marks)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	made_seal(made, "for a test", "");
	made->header.state = state;
	made_mark(made, 0);
	made_mark(made, 1);
	made_merge(made);
	made_publish(made);
	made_mark(made, 0);
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, marks);
	assert_int_equal(seen.losses, 0);
	assert_int_equal(recovered.unread, 0);
	made_free(made);
}

static void test_pass_after_seal(void **state)
{
	(void)state;
	pass_after_seal(BCOS_IMAGE_SEALED, 23);
	pass_after_seal(BCOS_IMAGE_CLEAN, 23);
}

/* What the kernel recorded after a clean end was sealed is there, too. */
static void test_record_after_seal(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_seal(made, "for a test", "");
	made->header.state = BCOS_IMAGE_CLEAN;
	made_mark(made, 0);
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 21);
	assert_int_equal(seen.losses, 0);
	assert_int_equal(recovered.unread, 0);
	made_free(made);
}

/* More marks than the ring has room for: as many as the seal says are stated as lost. */
static void test_losses(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;
	u32 i;

	(void)state;
	for (i = 0; i < MADE_UNITS; i++)
		made_mark(made, 1);
	assert_true(made->stage[1].lost.count[BCOS_LOSS_USER] > 0);
	made_seal(made, "for a test", "");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.losses, 1);
	assert_int_equal(seen.marks + made->stage[1].lost.count[BCOS_LOSS_USER], made->marks);
	made_free(made);
}

/* The newest record of a CPU is damaged, although the seal says that it is there. */
static void test_damaged_record(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_seal(made, "for a test", "");
	made->ring[0][(made->stage[0].head - 3) & (MADE_UNITS - 1)].word[1] = 0;
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(recovered.unread, 3);
	assert_int_equal(seen.losses, 1);
	made_free(made);
}

/* The end of "cc1" is lost, and the birth of another process with its ID: what that does has not the name of "cc1". */
static void test_lost_birth(void **state)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_EVENT, .aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, 64), .id = 100 };
	struct bcos_raw_event event = { .event_id = 5, .tag = MADE_TAG + 1 };
	struct made_image *made = made_new();
	struct recovered recovered;
	struct seen seen;
	u32 i;

	(void)state;
	made_merge(made);
	made_publish(made);
	for (i = 0; !made->stage[1].lost.count[BCOS_LOSS_LIFE]; i++)
		made_life(made, 1, BCOS_RAW_BIRTH, 1000 + i, 9, "as");
	made_life(made, 1, BCOS_RAW_DEAD, 100, MADE_TAG, NULL);
	made_life(made, 1, BCOS_RAW_BIRTH, 100, MADE_TAG + 1, "as");
	assert_int_equal(made->stage[1].lost.count[BCOS_LOSS_LIFE], 3);
	made_time += 1000;
	bcos_stage_put_text(&made->stage[0], made_clock, &raw, &event, "other", 5);
	made_seal(made, "for a test", "");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.wrong_names, 0);
	/* One entry states the births and deaths. */
	assert_int_equal(seen.losses, 1);
	made_free(made);
}

static void set_seal_sum(struct made_image *made)
{
	struct bcos_image_seal *seal = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_SEAL);

	seal->sum = bcos_image_seal_sum(seal, MADE_CPUS + 1);
}

/* The machine ended while a CPU counted a loss, so nobody knows how many there are. */
static void test_torn_losses(void **state)
{
	struct made_image *made = a_machine();
	struct bcos_image_seal *seal = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_SEAL);
	struct recovered recovered;
	struct seen seen;

	(void)state;
	made_seal(made, "for a test", "");
	seal->head[1].sequence = 1;
	set_seal_sum(made);
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.losses, 1);
	made_free(made);
}

/* The end tells of records of a CPU that had no ring in the last pass. */
static void test_new_ring(void **state)
{
	struct made_image *made = a_machine();
	struct bcos_image_pass *pass = bcos_image_copy(&made->header, made->bytes, BCOS_IMAGE_PASS, made->sequence);
	struct recovered recovered;
	struct seen seen;

	(void)state;
	pass->source[1].size = 0;
	pass->sum = bcos_image_pass_sum(pass, MADE_CPUS + 1);
	made_seal(made, "for a test", "");
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.losses, 1);
	made_free(made);
}

/* A dump lacks the memory that tells where the records of a CPU end. */
static void test_missing_end(void **state)
{
	struct made_image *made = a_machine();
	struct recover_end ends[MADE_CPUS + 1] = { 0 };
	struct recovered recovered;
	struct seen seen;
	u32 cpu;

	(void)state;
	made_end(made);
	for (cpu = 1; cpu <= MADE_CPUS; cpu++)
		ends[cpu] = (struct recover_end){ .known = true, .head.head = made->stage[cpu].head };
	assert_int_equal(recover(made->bytes, made->size, ends, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_int_equal(seen.losses, 1);
	made_free(made);
}

/* Recover what a panic left with these lines, of which a byte, and the seal, may be damaged.  Return: the losses. */
static u32 losses_of_lines(const char *lines, bool damaged, bool sealed)
{
	struct made_image *made = a_machine();
	struct bcos_image_kmsg *kmsg = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_KMSG);
	struct bcos_image_seal *seal = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_SEAL);
	struct recovered recovered;
	struct seen seen;

	made_seal(made, "for a test", lines);
	kmsg->first ^= damaged;
	seal->wall ^= !sealed;
	made_end(made);
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
	assert_int_equal(seen.violations, 0);
	assert_int_equal(seen.marks, 20);
	assert_int_equal(!!recovered.unread, !!seen.losses);
	made_free(made);
	return seen.losses;
}

/* Lines that cannot be read, or have no time, are missing, and the log says so. */
static void test_missing_lines(void **state)
{
	static const char line[] = "<0>[    0.001010] Kernel panic - not syncing: for a test\n";

	(void)state;
	assert_int_equal(losses_of_lines(line, false, true), 0);
	assert_int_equal(losses_of_lines("", false, true), 0);
	assert_int_equal(losses_of_lines("", false, false), 0);
	assert_int_equal(losses_of_lines(line, true, true), 1);
	assert_int_equal(losses_of_lines("", true, true), 1);
	assert_int_equal(losses_of_lines(line, false, false), 1);
	assert_int_equal(losses_of_lines("no line\n", false, true), 1);
}

/* All stages claim the whole of the rings: the image is refused, as its size bounds the work. */
static void test_shared_ring(void **state)
{
	struct made_image *made = a_machine();
	struct bcos_image_stage *stage = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_STAGES);
	const struct bcos_image_section *rings = &made->header.section[BCOS_IMAGE_RINGS];
	struct recovered recovered;
	struct seen seen;
	u64 sum;
	u32 i;

	(void)state;
	made_end(made);
	for (i = 0; i <= MADE_CPUS; i++)
		stage[i] = (struct bcos_image_stage){ .offset = rings->offset, .room = rings->size };
	sum = bcos_image_stages_sum(stage, MADE_CPUS + 1);
	memcpy(&stage[MADE_CPUS + 1], &sum, sizeof(sum));
	assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), -EBADMSG);
	made_free(made);
}

/* ---- any byte, any end --------------------------------------------------------------------- */

static void test_any_byte(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;
	u64 at, ring, step;
	u8 *copy;

	(void)state;
	made_seal(made, "for a test", "<0>[    0.001010] Kernel panic - not syncing: for a test\n");
	made_end(made);
	copy = malloc(made->size);
	memcpy(copy, made->bytes, made->size);
	ring = made->header.section[BCOS_IMAGE_RING].offset;
	/* Everything before the log has a sum, or does not count; most of it is unused. */
	for (at = 0, step = 1; at < ring; at += step) {
		step = made->bytes[at] ? 1 : 37;
		copy[at] ^= (u8)(1 + at % 255);
		if (!recover(copy, made->size, NULL, &recovered, &seen)) {
			assert_int_equal(seen.violations, 0);
			assert_int_equal(seen.wrong_names, 0);
			assert_false(seen.out_of_order);
			/* A seal that is damaged tells nothing, and the records end where they end. */
			assert_int_equal(seen.marks, 20);
			assert_int_equal(seen.ends, 1);
		}
		copy[at] = made->bytes[at];
	}
	free(copy);
	made_free(made);
}

static void test_any_end(void **state)
{
	struct made_image *made = a_machine();
	struct recovered recovered;
	struct seen seen;
	u64 size, rings;
	u8 *copy;

	(void)state;
	made_end(made);
	rings = made->header.section[BCOS_IMAGE_RINGS].offset;
	for (size = 0; size < made->size; size += size < 6000 ? 13 : 1019) {
		/* The memory ends where the image does, so that ASan finds a look behind it. */
		copy = malloc(size ? size : 1);
		memcpy(copy, made->bytes, size);
		if (recover(copy, size, NULL, &recovered, &seen)) {
			assert_true(size < rings);
		} else {
			assert_true(size >= rings - 4096);
			assert_int_equal(seen.violations, 0);
			assert_false(seen.out_of_order && !seen.losses);
			assert_true(seen.marks == 20 || seen.losses);
		}
		free(copy);
	}
	made_free(made);
}

/* ---- where records end ------------------------------------------------------------------------ */

/* Stages any records, among them texts that look like records. */
static void stage_any(struct made_image *made, u32 cpu)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_EVENT, .aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, 64), .id = 100 };
	struct bcos_raw_event event = { .event_id = 5, .tag = MADE_TAG };
	struct bcos_raw fake[4];
	u32 i;

	switch (rand() % 6) {
	case 0:
		for (i = 0; i < 4; i++)
			fake[i] = (struct bcos_raw){ .time = made_time - 1 - (u64)(rand() % 1000), .kind = BCOS_RAW_SWITCH,
						     .units = 1, .id = 100 };
		made_time += 1000;
		bcos_stage_put_text(&made->stage[cpu], made_clock, &raw, &event, (const char *)fake, sizeof(fake));
		break;
	case 1:
		made_switch(made, cpu, rand() & 1 ? 100 : 1);
		break;
	case 2:
		made_read(made, cpu, (u64)rand());
		break;
	case 3:
		made_life(made, cpu, BCOS_RAW_BIRTH, 200, 11, "as");
		made_life(made, cpu, BCOS_RAW_DEAD, 200, 11, NULL);
		break;
	default:
		made_mark(made, cpu);
	}
}

/* The walk over the records finds the true head of each ring, after any number of laps. */
static void test_heads(void **state)
{
	u32 round, i, cpu, steps;

	(void)state;
	srand(1);
	for (round = 0; round < 300; round++) {
		struct made_image *made = made_new();
		struct recovered recovered;
		struct recover_end ends[MADE_CPUS + 1] = { 0 };
		struct seen seen, told;

		steps = (u32)(rand() % 2000);
		for (i = 0; i < steps; i++) {
			stage_any(made, (u32)(rand() & 1));
			if (rand() % 50 == 0)
				made_merge(made);
		}
		made_merge(made);
		made_publish(made);
		for (i = (u32)(rand() % 150); i; i--)
			stage_any(made, (u32)(rand() & 1));
		made_end(made);
		assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, &seen), 0);
		for (cpu = 0; cpu <= MADE_CPUS; cpu++) {
			ends[cpu].known = true;
			ends[cpu].head.head = made->stage[cpu].head;
		}
		assert_int_equal(recover(made->bytes, made->size, ends, &recovered, &told), 0);
		assert_int_equal(recovered.unread, 0);
		assert_int_equal(seen.violations, 0);
		assert_int_equal(told.violations, 0);
		assert_int_equal(seen.marks, told.marks);
		assert_int_equal(seen.reads, told.reads);
		made_free(made);
	}
}

/* ---- every step of a put ----------------------------------------------------------------------- */

/*
 * Makes a machine whose next record goes to the beginning of the ring of CPU 0, where records of the former lap name
 * "wrong" a process that there is not. All of them are merged.
 */
static struct made_image *a_second_lap(void)
{
	struct made_image *made = made_new();
	u32 unit = (u32)made->stage[0].head;

	for (; unit % 3 != MADE_UNITS % 3; unit++)
		made_switch(made, 0, 1);
	for (; unit < MADE_UNITS; unit += 3) {
		made_life(made, 0, BCOS_RAW_RENAME, 900, 1, "wrong");
		if (unit % 64 == 0)
			made_merge(made);
	}
	assert_int_equal(made->stage[0].head, MADE_UNITS);
	made_merge(made);
	made_publish(made);
	return made;
}

static void put_birth(struct made_image *made)
{
	made_life(made, 0, BCOS_RAW_BIRTH, 101, 9, "as");
}

/* The same by the function for short records, which probes use. */
static void put_short_birth(struct made_image *made)
{
	made_time += 1000;
	bcos_stage_put_short(&made->stage[0], made_clock, 3, bcos_stage_head(BCOS_RAW_BIRTH, 3, 0, 101),
			     bcos_stage_life(9, 0), 0x7361, 0);
}

/* The same, where the function takes its slow path. */
static void put_full_birth(struct made_image *made)
{
	made->stage[0].soft = made->stage[0].head;
	put_short_birth(made);
}

static void put_text(struct made_image *made)
{
	made_mark(made, 0);
}

/*
 * Another process makes the record, and the machine is reset after each of its instructions that changes the ring.
 * Returns false if no process may be traced here. @seen: out: the log after the last one.
 */
static bool step_through(struct made_image *made, void (*put)(struct made_image *), struct seen *seen, u32 *states)
{
	static u8 now[sizeof(made->ring)];
	struct iovec to = { now, sizeof(now) }, from = { made->ring, sizeof(now) };
	struct recovered recovered;
	pid_t child = fork();
	int status;

	*states = 0;
	if (!child) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(1);
		raise(SIGSTOP);
		put(made);
		_exit(0);
	}
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
		if (process_vm_readv(child, &to, 1, &from, 1, 0) == (ssize_t)sizeof(now) &&
		    memcmp(now, made->ring, sizeof(now))) {
			memcpy(made->ring, now, sizeof(now));
			made_end(made);
			assert_int_equal(recover(made->bytes, made->size, NULL, &recovered, seen), 0);
			assert_int_equal(seen->violations, 0);
			assert_int_equal(seen->wrong_names, 0);
			++*states;
		}
		ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
	}
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* A record that the reset cut is not in the log, and in no case a mixture with what the ring had there before. */
static void test_any_step(void **state)
{
	static void (*const puts[])(struct made_image *) = { put_birth, put_short_birth, put_full_birth, put_text };
	struct seen seen;
	u32 i, states;

	(void)state;
	for (i = 0; i < sizeof(puts) / sizeof(puts[0]); i++) {
		struct made_image *made = a_second_lap();
		bool traced = step_through(made, puts[i], &seen, &states);

		made_free(made);
		if (!traced)
			skip();
		/* The test sees more than the beginning and the end, and at the end the record. */
		assert_true(states > 2);
		assert_int_equal(puts[i] == put_text ? seen.marks : seen.births, 1);
	}
}

/* ---- dumps of memory ------------------------------------------------------------------------- */

/* Write a dump: an ELF header, the program headers, and @bytes at @offset. */
static int write_dump(const Elf64_Phdr *part, u32 parts, u64 offset, const void *bytes, size_t size)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE, .e_version = EV_CURRENT, .e_phoff = sizeof(header), .e_ehsize = sizeof(header),
		.e_phentsize = sizeof(*part), .e_phnum = (Elf64_Half)parts,
	};
	int fd = memfd_create("dump", MFD_CLOEXEC);

	assert_int_equal(pwrite(fd, &header, sizeof(header), 0), sizeof(header));
	assert_int_equal(pwrite(fd, part, parts * sizeof(*part), sizeof(header)), parts * sizeof(*part));
	assert_int_equal(pwrite(fd, bytes, size, (off_t)offset), size);
	return fd;
}

/* A page with the magic at the end of the address space is searched once, not for ever. */
static void test_last_address(void **state)
{
	const Elf64_Phdr part = { .p_type = PT_LOAD, .p_offset = 4096, .p_paddr = -4096ull, .p_filesz = 4095 };
	char page[4096] = BCOS_IMAGE_MAGIC;
	struct bcoslog_error error;
	struct gathered gathered;
	int fd = write_dump(&part, 1, 4096, page, sizeof(page));

	(void)state;
	alarm(20);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), -EILSEQ);
	alarm(0);
	gather_free(&gathered);
	close(fd);
}

/* Say in the list that the image lies at 16 MiB. The list is its own section. */
static void list_pages(struct made_image *made)
{
	u64 page, pages = made->size / 4096, frames = 4096 / sizeof(u64) - 1, *own;

	made->header.self = 4096;
	made->header.list = 4096 + made->header.section[BCOS_IMAGE_LIST].offset / 4096;
	for (page = 0; page < pages; page++) {
		own = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_LIST);
		own += page / frames * 512;
		own[0] = (page / frames + 1) * frames < pages ? made->header.list + page / frames + 1 : 0;
		own[1 + page % frames] = 4096 + page;
	}
}

/* A piece inside another one, as that of the kernel's text, hides nothing of the memory after it. */
static void test_nested_piece(void **state)
{
	struct made_image *made = a_machine();
	struct gathered gathered;
	struct bcoslog_error error;
	Elf64_Phdr part[2];
	int fd;

	(void)state;
	list_pages(made);
	made_end(made);
	part[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_offset = 8192, .p_paddr = 4096ull << 12, .p_filesz = made->size };
	/* A second look at four pages of it, which ends long before the first piece does. */
	part[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_offset = 8192 + 8 * 4096, .p_paddr = (4096ull + 8) << 12,
				.p_filesz = 4 * 4096 };
	fd = write_dump(part, 2, 8192, made->bytes, made->size);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), 0);
	assert_int_equal(gathered.size, made->size);
	assert_memory_equal(gathered.bytes, made->bytes, made->size);
	gather_free(&gathered);
	close(fd);
	made_free(made);
}

/*
 * Put two images into a dump, of which the second one was begun later. It lies behind the first, and its list tells the pages
 * of the first, which has the same; bit 0 of @damaged says that the first has no list, and bit 1 that the second has none.
 */
static int two_images(u32 damaged)
{
	struct made_image *made = a_machine();
	const Elf64_Phdr part = { .p_type = PT_LOAD, .p_offset = 4096, .p_paddr = 4096ull << 12, .p_filesz = 2 * made->size };
	u8 *two = malloc(2 * made->size);
	u64 list;
	int fd;

	list_pages(made);
	list = made->header.list;
	made->header.wall = 1000;
	made->header.list = damaged & 1 ? 0 : list;
	made_end(made);
	memcpy(two, made->bytes, made->size);
	made->header.self += made->size / 4096;
	made->header.wall = 2000;
	made->header.list = damaged & 2 ? 0 : list;
	made_end(made);
	memcpy(two + made->size, made->bytes, made->size);
	fd = write_dump(&part, 1, 4096, two, 2 * made->size);
	free(two);
	made_free(made);
	return fd;
}

/* Of several images the one that was begun last counts, unless it is so damaged that an earlier one is more. */
static void test_several_images(void **state)
{
	struct bcoslog_error error;
	struct gathered gathered;
	u32 damaged;
	int fd, r;

	(void)state;
	for (damaged = 0; damaged < 4; damaged++) {
		fd = two_images(damaged);
		r = gather_image(&gathered, fd, "dump", &error);
		assert_int_equal(r, damaged == 3 ? -EBADMSG : 0);
		assert_int_equal(gathered.images, 2);
		assert_int_equal(gathered.passed, damaged == 2);
		gather_free(&gathered);
		close(fd);
	}
}

/* A dump of which the end is missing, as after a copy to a full disk, is read as far as it goes, and is known as one. */
static void test_cut_dump(void **state)
{
	struct made_image *made = a_machine();
	const Elf64_Phdr part[2] = {
		{ .p_type = PT_LOAD, .p_offset = 4096, .p_paddr = 4096ull << 12, .p_filesz = made->size + 8192 },
		{ .p_type = PT_LOAD, .p_offset = 4096 + made->size + 8192, .p_paddr = 1ull << 40, .p_filesz = 4096 },
	};
	struct bcoslog_error error;
	struct gathered gathered;
	int fd;

	(void)state;
	list_pages(made);
	made_end(made);
	fd = write_dump(part, 2, 4096, made->bytes, made->size);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), 0);
	assert_int_equal(gathered.cut, 3 * 4096);
	assert_memory_equal(gathered.bytes, made->bytes, made->size);
	gather_free(&gathered);
	assert_int_equal(ftruncate(fd, (off_t)(4096 + 2 * 4096)), 0);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), 0);
	assert_int_equal(gathered.cut, made->size + 4096);
	gather_free(&gathered);
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), -EILSEQ);
	assert_non_null(strstr(error.text, "ends before its memory does"));
	gather_free(&gathered);
	close(fd);
	made_free(made);
}

static int want_no_more(void)
{
	return 1;
}

/* The search in a large dump ends when the program is told to end. */
static void test_no_patience(void **state)
{
	struct made_image *made = a_machine();
	const Elf64_Phdr part = { .p_type = PT_LOAD, .p_offset = 4096, .p_paddr = 4096ull << 12, .p_filesz = made->size };
	struct bcoslog_error error;
	struct gathered gathered;
	int fd;

	(void)state;
	list_pages(made);
	made_end(made);
	fd = write_dump(&part, 1, 4096, made->bytes, made->size);
	archive_patience = want_no_more;
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), -EINTR);
	archive_patience = NULL;
	gather_free(&gathered);
	close(fd);
	made_free(made);
}

/* Headers that all claim the whole file would have it read once for each of them. */
static void test_claimed_twice(void **state)
{
	const Elf64_Phdr part[2] = {
		{ .p_type = PT_LOAD, .p_offset = 0, .p_paddr = 0, .p_filesz = 8192 },
		{ .p_type = PT_LOAD, .p_offset = 0, .p_paddr = 1 << 20, .p_filesz = 8192 },
	};
	char page[4096] = "";
	struct bcoslog_error error;
	struct gathered gathered;
	int fd = write_dump(part, 2, 4096, page, sizeof(page));

	(void)state;
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), -EBADMSG);
	assert_non_null(strstr(error.text, "more memory than the file has"));
	gather_free(&gathered);
	close(fd);
}

/* A list that names one page again and again makes no image that is larger than the file. */
static void test_repeated_page(void **state)
{
	struct made_image *made = a_machine();
	const Elf64_Phdr part = { .p_type = PT_LOAD, .p_offset = 4096, .p_paddr = 4096ull << 12, .p_filesz = 65536 };
	struct bcoslog_error error;
	struct gathered gathered;
	u64 *frame, page;
	int fd;

	(void)state;
	list_pages(made);
	/* The file has 16 pages: those of the header and of the list are the first of them. */
	assert_true(made->header.section[BCOS_IMAGE_LIST].offset + made->header.section[BCOS_IMAGE_LIST].size <= 65536);
	frame = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_LIST);
	for (page = 16; page < 30; page++)
		frame[1 + page] = 4096;
	made_end(made);
	fd = write_dump(&part, 1, 4096, made->bytes, 65536);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), -EBADMSG);
	assert_non_null(strstr(error.text, "list of pages is damaged"));
	gather_free(&gathered);
	close(fd);
	made_free(made);
}

/* Of a file that begins with an image, no more is read than the image. */
static void test_image_alone(void **state)
{
	struct made_image *made = a_machine();
	struct bcoslog_error error;
	struct gathered gathered;
	int fd = memfd_create("image", MFD_CLOEXEC);

	(void)state;
	made_end(made);
	assert_int_equal(write(fd, made->bytes, made->size), made->size);
	assert_int_equal(ftruncate(fd, 64 << 20), 0);
	assert_int_equal(gather_image(&gathered, fd, "image", &error), 0);
	assert_int_equal(gathered.size, made->size);
	gather_free(&gathered);
	/* A header that is damaged tells no size: the rest is not read. */
	made->bytes[offsetof(struct bcos_image_header, pages)] ^= 1;
	assert_int_equal(pwrite(fd, made->bytes, 4096, 0), 4096);
	assert_int_equal(gather_image(&gathered, fd, "image", &error), 0);
	assert_true(gathered.size <= 4096);
	gather_free(&gathered);
	close(fd);
	made_free(made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_panic),
		cmocka_unit_test(test_late_lines),
		cmocka_unit_test(test_lines_without_times),
		cmocka_unit_test(test_pass_after_seal),
		cmocka_unit_test(test_record_after_seal),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_damaged_record),
		cmocka_unit_test(test_lost_birth),
		cmocka_unit_test(test_torn_losses),
		cmocka_unit_test(test_new_ring),
		cmocka_unit_test(test_missing_end),
		cmocka_unit_test(test_missing_lines),
		cmocka_unit_test(test_shared_ring),
		cmocka_unit_test(test_any_byte),
		cmocka_unit_test(test_any_end),
		cmocka_unit_test(test_heads), cmocka_unit_test(test_any_step),
		cmocka_unit_test(test_last_address),
		cmocka_unit_test(test_nested_piece),
		cmocka_unit_test(test_several_images),
		cmocka_unit_test(test_cut_dump),
		cmocka_unit_test(test_no_patience),
		cmocka_unit_test(test_claimed_twice),
		cmocka_unit_test(test_repeated_page),
		cmocka_unit_test(test_image_alone),
	};

	return cmocka_run_group_tests_name("recover", tests, NULL, NULL);
}
