// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/image/: an image that is laid out is one that is accepted, and an image of which a byte is wrong is refused, or
 * goes without the part that has this byte. The memory ends where the image does, so ASan finds reads beyond it.
 */
#include "check.h"
#include "core/image/image.h"

#define CPUS 3
#define PAGE 4096u
#define RING (256u << 10)
#define STAGING (64u << 10)
#define KMSG (128u << 10)

static const struct bcos_image_plan plan = {
	.page_size = PAGE, .cpus = CPUS, .ring_size = RING, .staging_size = STAGING, .kmsg_size = KMSG, .least = 1,
};

struct fixture {
	struct bcos_image_header *header;
	u8 *bytes;
	u64 size;
	struct bcos_image image;
};

static void *part(struct fixture *f, u32 number)
{
	return bcos_image_part(f->header, f->bytes, number);
}

static void place_stages(struct fixture *f)
{
	struct bcos_image_stage *stage = part(f, BCOS_IMAGE_STAGES);
	u64 at = f->header->section[BCOS_IMAGE_RINGS].offset, sum;
	u32 i;

	for (i = 0; i <= CPUS; i++) {
		stage[i].offset = at;
		stage[i].room = i < CPUS ? STAGING : KMSG;
		at += stage[i].room;
	}
	sum = bcos_image_stages_sum(stage, CPUS + 1);
	memcpy(&stage[CPUS + 1], &sum, sizeof(sum));
}

static void add_pass(struct fixture *f, u64 sequence)
{
	struct bcos_image_pass *pass = bcos_image_copy(f->header, f->bytes, BCOS_IMAGE_PASS, sequence);
	struct bcos_image_devices *devices = bcos_image_copy(f->header, f->bytes, BCOS_IMAGE_DEVICES, sequence);
	u32 i;

	memset(pass, 0, sizeof(*pass));
	pass->sequence = sequence;
	pass->horizon = 1000 * sequence;
	pass->marks.head.offset = 64 * sequence;
	pass->devices = sequence;
	pass->segments = 1;
	for (i = 0; i <= CPUS; i++) {
		pass->source[i].tail = sequence;
		pass->source[i].size = (i < CPUS ? STAGING : KMSG) / sizeof(struct bcos_unit);
	}
	pass->sum = bcos_image_pass_sum(pass, CPUS + 1);
	devices->generation = sequence;
	devices->count = 1;
	devices->device[0].key = 77;
	devices->sum = bcos_image_devices_sum(devices);
}

static void end_image(struct fixture *f, u64 how)
{
	struct bcos_image_seal *seal = part(f, BCOS_IMAGE_SEAL);
	struct bcos_image_kmsg *kmsg = part(f, BCOS_IMAGE_KMSG);

	strcpy(seal->reason, "sysrq triggered crash");
	seal->kind = BCOS_IMAGE_PANIC;
	seal->sum = bcos_image_seal_sum(seal, CPUS + 1);
	kmsg->length = 11;
	memcpy(kmsg->text, "<0>[1.0] a\n", 11);
	kmsg->sum = bcos_image_kmsg_sum(kmsg);
	f->header->state = how;
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct bcos_image_header header = { 0 };
	struct bcos_control *control;
	u32 i;

	assert_non_null(f);
	assert_int_equal(bcos_image_lay_out(&plan, &header), CPUS);
	header.live_size = 512;
	for (i = 0; i < BCOS_IMAGE_LIVES; i++)
		header.live[i] = (u16)(16 * i);
	strcpy(header.boot, "b");
	f->size = header.pages * PAGE;
	f->bytes = malloc(f->size);
	assert_non_null(f->bytes);
	memset(f->bytes, 0, f->size);
	f->header = (struct bcos_image_header *)f->bytes;
	memcpy(f->header, &header, sizeof(header));
	f->header->sum = bcos_image_header_sum(f->header);
	f->header->state = BCOS_IMAGE_RUNNING;
	place_stages(f);
	control = part(f, BCOS_IMAGE_CONTROL);
	control->size = sizeof(*control);
	add_pass(f, 6);
	add_pass(f, 7);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	free(f->bytes);
	free(f);
	return 0;
}

static enum bcos_image_fault check(struct fixture *f)
{
	return bcos_image_check(f->bytes, f->size, &f->image);
}

static void good(void **state)
{
	struct fixture *f = *state;
	u64 units;

	assert_int_equal(check(f), BCOS_IMAGE_GOOD);
	assert_int_equal(f->image.pass->sequence, 7);
	assert_int_equal(f->image.devices->device[0].key, 77);
	assert_null(f->image.seal);
	assert_null(f->image.kmsg);
	assert_int_equal(f->image.marks.head.offset, 7 * 64);
	assert_ptr_equal(bcos_image_ring(&f->image, 1, &units),
			 f->bytes + f->header->section[BCOS_IMAGE_RINGS].offset + STAGING);
	assert_int_equal(units, STAGING / 16);
	end_image(f, BCOS_IMAGE_SEALED);
	assert_int_equal(check(f), BCOS_IMAGE_GOOD);
	assert_string_equal(f->image.seal->reason, "sysrq triggered crash");
	assert_int_equal(f->image.kmsg->length, 11);
}

/* The list has a frame for each page, also for its own. */
static void sections(void **state)
{
	struct fixture *f = *state;
	const struct bcos_image_section *section = f->header->section;
	u64 at = sizeof(*f->header);
	u32 i;

	for (i = 0; i < BCOS_IMAGE_PARTS; i++) {
		assert_true(section[i].offset >= at && section[i].size);
		at = section[i].offset + section[i].size;
	}
	assert_int_equal(at, f->size);
	assert_true(section[BCOS_IMAGE_LIST].size / PAGE * (PAGE / 8 - 1) >= f->header->pages);
	assert_int_equal(section[BCOS_IMAGE_RINGS].size, CPUS * STAGING + KMSG);
}

/* With less memory there are fewer rings of CPUs, and with less than the least there is no image. */
static void limits(void **state)
{
	struct bcos_image_plan less = plan;
	struct bcos_image_header header = { 0 };
	u64 least = bcos_image_least(&plan);

	less.limit = least;
	assert_int_equal(bcos_image_lay_out(&less, &header), 1);
	assert_int_equal(header.pages * PAGE, least);
	less.limit = least + STAGING + PAGE;
	assert_int_equal(bcos_image_lay_out(&less, &header), 2);
	assert_int_equal(header.section[BCOS_IMAGE_RINGS].size, 2 * STAGING + KMSG);
	less.limit = least - 1;
	assert_int_equal(bcos_image_lay_out(&less, &header), -ENOSPC);
	less.limit = 1;
	assert_int_equal(bcos_image_lay_out(&less, &header), -ENOSPC);
	/* A list of many pages lists itself, too. */
	less.limit = 0;
	less.ring_size = 1ull << 30;
	memset(&header, 0, sizeof(header));
	assert_int_equal(bcos_image_lay_out(&less, &header), CPUS);
	assert_true(header.section[BCOS_IMAGE_LIST].size / PAGE >= bcos_image_list_pages(header.pages, PAGE));
}

/* Any wrong bit of the constant parts makes that there is no image. */
static void constants(void **state)
{
	struct fixture *f = *state;
	u64 stages = f->header->section[BCOS_IMAGE_STAGES].offset, i;

	for (i = 0; i < offsetof(struct bcos_image_header, state); i++) {
		f->bytes[i] ^= (u8)(1 << i % 8);
		assert_int_not_equal(check(f), BCOS_IMAGE_GOOD);
		f->bytes[i] ^= (u8)(1 << i % 8);
	}
	for (i = stages; i < stages + (CPUS + 1) * sizeof(struct bcos_image_stage) + 8; i++) {
		f->bytes[i] ^= 0x80;
		assert_int_equal(check(f), BCOS_IMAGE_FAULT_STAGES);
		f->bytes[i] ^= 0x80;
	}
	assert_int_equal(check(f), BCOS_IMAGE_GOOD);
}

/* A pass that is torn is none, and the one before it counts. */
static void torn(void **state)
{
	struct fixture *f = *state;
	struct bcos_image_pass *pass = bcos_image_copy(f->header, f->bytes, BCOS_IMAGE_PASS, 7);
	u8 *byte = (u8 *)pass;
	u64 i, size = sizeof(*pass) + (CPUS + 1) * sizeof(pass->source[0]);

	for (i = 0; i < size; i++) {
		/* Nobody reads the segments that are not used. */
		if (i >= offsetof(struct bcos_image_pass, segment[1]) &&
		    i < offsetof(struct bcos_image_pass, reserved2))
			continue;
		byte[i] ^= 1;
		assert_int_equal(check(f), BCOS_IMAGE_GOOD);
		assert_int_equal(f->image.pass->sequence, 6);
		assert_int_equal(f->image.devices->generation, 6);
		byte[i] ^= 1;
	}
	byte[8] ^= 1;
	((u8 *)bcos_image_copy(f->header, f->bytes, BCOS_IMAGE_PASS, 6))[8] ^= 1;
	assert_int_equal(check(f), BCOS_IMAGE_GOOD);
	assert_null(f->image.pass);
	assert_null(f->image.devices);
	assert_int_equal(f->image.marks.head.offset, 0);
}

/* Each wrong byte of a table of devices, of a seal or of the kernel's log takes just that away. */
static void parts(void **state)
{
	struct fixture *f = *state;
	u8 *devices = bcos_image_copy(f->header, f->bytes, BCOS_IMAGE_DEVICES, 7);
	u8 *seal = part(f, BCOS_IMAGE_SEAL), *kmsg = part(f, BCOS_IMAGE_KMSG);
	u64 i;

	end_image(f, BCOS_IMAGE_SEALED);
	for (i = 0; i < sizeof(struct bcos_image_devices) + sizeof(struct bcos_image_device); i++) {
		devices[i] ^= 0xFF;
		assert_int_equal(check(f), BCOS_IMAGE_GOOD);
		assert_null(f->image.devices);
		devices[i] ^= 0xFF;
	}
	for (i = 0; i < sizeof(struct bcos_image_seal) + (CPUS + 1) * sizeof(struct bcos_image_head); i++) {
		seal[i] ^= 0x10;
		assert_int_equal(check(f), BCOS_IMAGE_GOOD);
		assert_null(f->image.seal);
		seal[i] ^= 0x10;
	}
	for (i = 0; i < sizeof(struct bcos_image_kmsg) + 16; i++) {
		kmsg[i] ^= 0x10;
		assert_int_equal(check(f), BCOS_IMAGE_GOOD);
		assert_null(f->image.kmsg);
		kmsg[i] ^= 0x10;
	}
	f->header->state ^= 1;
	assert_int_equal(check(f), BCOS_IMAGE_GOOD);
	assert_null(f->image.seal);
}

/* Numbers that contradict each other are refused, also where the sum is right. */
static void contradictions(void **state)
{
	struct fixture *f = *state;
	struct bcos_image_header *header = f->header, right = *header;
	u32 i;

	for (i = 0; i < 18; i++) {
		*header = right;
		switch (i) {
		case 0: header->page_size = 0; break;
		case 1: header->page_size = 4097; break;
		case 2: header->pages = ~0ull; break;
		case 3: header->pages--; break;
		case 4: header->cpus = 0; break;
		case 5: header->cpus = 0xFFFFFFFF; header->stages = 0; break;
		case 6: header->stages = CPUS; break;
		case 7: header->ring_size *= 2; break;
		case 8: header->ring_size = 0; break;
		case 9: header->classes = 13; break;
		case 10: header->section[BCOS_IMAGE_PASS].offset = ~0ull - 63; break;
		case 11: header->section[BCOS_IMAGE_PASS].size = ~0ull; break;
		case 12: header->section[BCOS_IMAGE_SEAL].offset = header->section[BCOS_IMAGE_PASS].offset; break;
		case 13: header->section[BCOS_IMAGE_RINGS].size += PAGE; break;
		case 14: header->device_room = 0xFFFFFFFF; break;
		case 15: memset(header->boot, 'x', sizeof(header->boot)); break;
		case 16: header->live[BCOS_IMAGE_LIVE_LOST] = 510; break;
		case 17: header->section[BCOS_IMAGE_CONTROL].offset += 64; break;
		}
		header->sum = bcos_image_header_sum(header);
		assert_int_equal(check(f), BCOS_IMAGE_FAULT_LAYOUT);
	}
	*header = right;
	header->version = 2;
	assert_int_equal(check(f), BCOS_IMAGE_FAULT_VERSION);
}

/* Memory that ends too early is no image, until only staging rings are missing. */
static void truncated(void **state)
{
	struct fixture *f = *state;
	u64 all = f->size, end = f->header->section[BCOS_IMAGE_RINGS].offset, size, units;
	u8 *less;

	for (size = 0; size < all; size += size < 1200 ? 8 : 4096 - 8) {
		less = malloc(size ? size : 1);
		assert_non_null(less);
		memcpy(less, f->bytes, size);
		if (size < 24)
			assert_int_equal(bcos_image_check(less, size, &f->image), BCOS_IMAGE_FAULT_MAGIC);
		else
			assert_int_equal(bcos_image_check(less, size, &f->image),
					 size < end ? BCOS_IMAGE_FAULT_SHORT : BCOS_IMAGE_GOOD);
		if (size >= end) {
			assert_null(bcos_image_ring(&f->image, CPUS, &units));
			assert_int_equal(!!bcos_image_ring(&f->image, 0, &units), size >= end + STAGING);
		}
		free(less);
	}
}

/* The control page is newer than the pass if the kernel died in a pass. */
static void newer_control(void **state)
{
	struct fixture *f = *state;
	struct bcos_control *control = part(f, BCOS_IMAGE_CONTROL);

	control->generation = 3;
	control->marks[1].oldest.offset = 128;
	control->marks[1].group.offset = 256;
	control->marks[1].head.offset = 1000;
	assert_int_equal(check(f), BCOS_IMAGE_GOOD);
	assert_int_equal(f->image.marks.oldest.offset, 128);
	assert_int_equal(f->image.marks.group.offset, 128);
	assert_int_equal(f->image.marks.head.offset, 7 * 64);
	control->marks[1].oldest.offset = control->marks[1].group.offset = 4 * 128;
	assert_int_equal(check(f), BCOS_IMAGE_GOOD);
	assert_int_equal(f->image.marks.oldest.offset, 512);
	assert_int_equal(f->image.marks.head.offset, 512);
	/* A damaged one says nothing. */
	control->marks[1].oldest.offset = 2000;
	assert_int_equal(check(f), BCOS_IMAGE_GOOD);
	assert_int_equal(f->image.marks.oldest.offset, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(good), TEST(sections), TEST(limits), TEST(constants), TEST(torn), TEST(parts),
		TEST(contradictions), TEST(truncated), TEST(newer_control),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
