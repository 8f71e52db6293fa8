// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/image/publish.c: whenever the kernel ends, each record is in the log of the newest pass or in its ring, and
 * once. The test ends the kernel at the moment at which it publishes, and within passes, by taking copies of an image.
 */
#include "check.h"
#include "core/image/publish.h"
#include "staged.h"

#define CPUS 2
#define UNITS 256
#define PAGE 4096u

static struct bcos_publisher publisher;
static u8 *memory;
static u64 size;

static void publish(const struct bcos_merge *merge)
{
	struct bcos_publication host = { .time = staged_now, .offset = 5, .kmsg = 9 };

	bcos_image_publish(&publisher, merge, &host);
}

static int set_up(void **state)
{
	const struct bcos_image_plan plan = {
		.page_size = PAGE, .cpus = CPUS, .ring_size = BCOS_RING_MIN, .staging_size = PAGE, .kmsg_size = PAGE,
	};
	struct bcos_image_header header = { 0 };
	struct staged *staged = staged_new(CPUS, UNITS);
	struct bcos_image_header *image;
	struct bcos_image_stage *stage;
	struct bcos_control *control;
	u64 sum;

	assert_int_equal(bcos_image_lay_out(&plan, &header), CPUS);
	header.live_size = 512;
	size = header.pages * PAGE;
	memory = calloc(1, size);
	assert_non_null(memory);
	image = (struct bcos_image_header *)memory;
	*image = header;
	/* The test's merge has no source for the kernel's log. */
	image->stages = CPUS;
	image->sum = bcos_image_header_sum(image);
	control = bcos_image_part(image, memory, BCOS_IMAGE_CONTROL);
	control->size = sizeof(*control);
	stage = bcos_image_part(image, memory, BCOS_IMAGE_STAGES);
	sum = bcos_image_stages_sum(stage, CPUS);
	memcpy(&stage[CPUS], &sum, sizeof(sum));
	memset(&publisher, 0, sizeof(publisher));
	publisher.header = image;
	publisher.image = memory;
	staged->merge.passed = publish;
	*state = staged;
	return 0;
}

static int tear_down(void **state)
{
	free(memory);
	return staged_tear_down(state);
}

static const struct bcos_image_pass *newest(void)
{
	const struct bcos_image_pass *copy[2];
	u32 i;

	for (i = 0; i < 2; i++) {
		copy[i] = bcos_image_copy(publisher.header, memory, BCOS_IMAGE_PASS, i);
		if (bcos_image_pass_sum(copy[i], CPUS) != copy[i]->sum)
			copy[i] = NULL;
	}
	if (!copy[0] || (copy[1] && copy[1]->sequence > copy[0]->sequence))
		return copy[1];
	return copy[0];
}

/* The pass says what is in the log, and the producer has not got the room back before it says so. */
static u64 released;

static void look_and_publish(const struct bcos_merge *merge)
{
	released = merge->source[0].stage->tail;
	publish(merge);
}

static void tails(void **state)
{
	struct staged *staged = *state;
	const struct bcos_image_pass *pass;
	u64 tail = staged->stage[0]->tail;

	staged->merge.passed = look_and_publish;
	staged_put(staged, 0, 1500, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_put(staged, 0, 1600, record_plain(BCOS_RAW_SWITCH, BCOS_PROCESS_IDLE, 0));
	staged_put(staged, 0, 5000, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_pass(staged, 2000, 100);
	pass = newest();
	assert_non_null(pass);
	assert_int_equal(pass->sequence, 1);
	assert_int_equal(pass->horizon, 2000);
	assert_int_equal(pass->source[0].tail, tail + 2);
	assert_int_equal(pass->source[0].size, UNITS);
	assert_int_equal(pass->kmsg, 9);
	assert_int_equal(pass->offset, 5);
	assert_int_equal(pass->marks.head.offset, staged->feed.log.ring.now.head.offset);
	assert_true(pass->flags & BCOS_IMAGE_BEGUN);
	assert_int_equal(released, tail);
	assert_int_equal(staged->stage[0]->tail, tail + 2);
	staged_pass(staged, 6000, 100);
	assert_int_equal(newest()->sequence, 2);
	assert_int_equal(newest()->source[0].tail, tail + 3);
}

/* A table of devices is made anew only when a device or a line has changed, and beside the old one. */
static void devices(void **state)
{
	struct staged *staged = *state;
	const struct bcos_image_devices *table;
	u64 generation;

	staged_pass(staged, 2000, 100);
	generation = newest()->devices;
	staged_put(staged, 0, 2500, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_pass(staged, 3000, 100);
	assert_int_equal(newest()->devices, generation);
	table = bcos_image_copy(publisher.header, memory, BCOS_IMAGE_DEVICES, generation);
	assert_int_equal(table->generation, generation);
	assert_true(bcos_image_devices_sum(table) == table->sum);
	/* The log itself is a device, with this key. */
	assert_true(table->count >= 1);
	assert_true(table->device[0].key == BCOS_RAW_KEY(BCOS_DEVICE_SELF, 0));
	assert_int_equal(table->device[0].id, BCOS_DEVICE_SELF);
	assert_int_equal(table->device[0].kind, BCOS_IMAGE_IS_DEVICE);
	staged_put(staged, 0, 3500, record_irq(5, false, 1, "disk"));
	staged_pass(staged, 4000, 100);
	assert_int_equal(newest()->devices, generation + 1);
	table = bcos_image_copy(publisher.header, memory, BCOS_IMAGE_DEVICES, generation + 1);
	assert_true(bcos_image_devices_sum(table) == table->sum);
	assert_int_equal(table->device[table->count - 1].kind, BCOS_IMAGE_IS_LINE);
	assert_int_equal(table->device[table->count - 1].key, 5);
	table = bcos_image_copy(publisher.header, memory, BCOS_IMAGE_DEVICES, generation);
	assert_int_equal(table->generation, generation);
}

/* What is lost and not yet stated is not counted. */
static void losses(void **state)
{
	struct staged *staged = *state;
	u64 time;

	for (time = 2000; time < 2000 + UNITS; time++)
		staged_put(staged, 0, time, record_plain(BCOS_RAW_SWITCH, time & 1 ? BCOS_PROCESS_IDLE : 0, 0));
	staged_pass(staged, 2100, 4096);
	assert_int_equal(newest()->source[0].lost[BCOS_LOSS_ASSIGN], 0);
	while (staged_pass(staged, 9000, 4096))
		;
	/* An eighth is kept for other records, and the newest one that was lost is in the log. */
	assert_int_equal(newest()->source[0].lost[BCOS_LOSS_ASSIGN], staged->stage[0]->lost.count[BCOS_LOSS_ASSIGN]);
	assert_int_equal(newest()->source[0].stretch, staged->stage[0]->lost.stretch);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(tails), TEST(devices), TEST(losses) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
