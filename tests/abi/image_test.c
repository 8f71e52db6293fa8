// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Every offset, size and number of an image of the log. They are counted by hand from the description in bcos_image.h,
 * so that a change of the header that changes the ABI does not compile here. A reader of a later version meets images
 * of this one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "core/image/image.h"

#define FIELD(type, member, offset, bytes) \
	_Static_assert(offsetof(struct type, member) == (offset), #type "." #member); \
	_Static_assert(sizeof(((struct type *)0)->member) == (bytes), #type "." #member " size")
#define AT(type, member, offset) _Static_assert(offsetof(struct type, member) == (offset), #type "." #member)
#define SIZE(type, bytes) _Static_assert(sizeof(struct type) == (bytes), "size of " #type)
#define VALUE(name, value) _Static_assert((name) == (value), #name)

VALUE(BCOS_IMAGE_VERSION, 1);
VALUE(BCOS_IMAGE_RAW, 4);
VALUE(BCOS_IMAGE_IN_REGION, 1);
VALUE(BCOS_IMAGE_LIST, 0);
VALUE(BCOS_IMAGE_STAGES, 1);
VALUE(BCOS_IMAGE_PASS, 2);
VALUE(BCOS_IMAGE_DEVICES, 3);
VALUE(BCOS_IMAGE_SEAL, 4);
VALUE(BCOS_IMAGE_KMSG, 5);
VALUE(BCOS_IMAGE_CONTROL, 6);
VALUE(BCOS_IMAGE_RING, 7);
VALUE(BCOS_IMAGE_RINGS, 8);
VALUE(BCOS_IMAGE_LIVE_MARK, 0);
VALUE(BCOS_IMAGE_LIVE_HEAD, 1);
VALUE(BCOS_IMAGE_LIVE_LAST, 2);
VALUE(BCOS_IMAGE_LIVE_NESTED, 3);
VALUE(BCOS_IMAGE_LIVE_NMI, 4);
VALUE(BCOS_IMAGE_LIVE_SEQUENCE, 5);
VALUE(BCOS_IMAGE_LIVE_STRETCH, 6);
VALUE(BCOS_IMAGE_LIVE_FIRST, 7);
VALUE(BCOS_IMAGE_LIVE_LATEST, 8);
VALUE(BCOS_IMAGE_LIVE_ASSIGN_TIME, 9);
VALUE(BCOS_IMAGE_LIVE_ASSIGN_ID, 10);
VALUE(BCOS_IMAGE_LIVE_LOST, 11);
VALUE(BCOS_IMAGE_LIVE_TAIL, 12);
VALUE(BCOS_IMAGE_LIVE_SIZE, 13);

FIELD(bcos_image_section, offset, 0, 8);
FIELD(bcos_image_section, size, 8, 8);
SIZE(bcos_image_section, 16);

FIELD(bcos_image_header, magic, 0, 24);
FIELD(bcos_image_header, version, 24, 4);
FIELD(bcos_image_header, size, 28, 4);
FIELD(bcos_image_header, sum, 32, 8);
FIELD(bcos_image_header, page_size, 40, 4);
FIELD(bcos_image_header, flags, 44, 4);
FIELD(bcos_image_header, pages, 48, 8);
FIELD(bcos_image_header, self, 56, 8);
FIELD(bcos_image_header, list, 64, 8);
FIELD(bcos_image_header, cpus, 72, 4);
FIELD(bcos_image_header, stages, 76, 4);
FIELD(bcos_image_header, region_address, 80, 8);
FIELD(bcos_image_header, region_size, 88, 8);
FIELD(bcos_image_header, begun, 96, 8);
FIELD(bcos_image_header, wall, 104, 8);
FIELD(bcos_image_header, ring_size, 112, 8);
FIELD(bcos_image_header, raw, 120, 4);
FIELD(bcos_image_header, classes, 124, 4);
FIELD(bcos_image_header, device_room, 128, 4);
FIELD(bcos_image_header, live_size, 132, 4);
FIELD(bcos_image_header, boot, 136, 40);
FIELD(bcos_image_header, kernel, 176, 144);
FIELD(bcos_image_header, module, 320, 64);
FIELD(bcos_image_header, section, 384, 12 * 16);
FIELD(bcos_image_header, live, 576, 16 * 2);
FIELD(bcos_image_header, pins, 608, 128);
FIELD(bcos_image_header, setup, 736, 8);
FIELD(bcos_image_header, programs, 744, 4);
FIELD(bcos_image_header, rings, 748, 4);
FIELD(bcos_image_header, units, 752, 4);
FIELD(bcos_image_header, owner, 756, 4);
FIELD(bcos_image_header, reserved, 760, 33 * 8);
FIELD(bcos_image_header, state, 1024, 8);
FIELD(bcos_image_header, reserved2, 1032, 7 * 8);
SIZE(bcos_image_header, 1088);

FIELD(bcos_image_list, next, 0, 8);
AT(bcos_image_list, frame, 8);

FIELD(bcos_image_stage, offset, 0, 8);
FIELD(bcos_image_stage, room, 8, 8);
FIELD(bcos_image_stage, live, 16, 8);
FIELD(bcos_image_stage, live_next, 24, 8);
SIZE(bcos_image_stage, 32);

FIELD(bcos_image_segment, ticks, 0, 8);
FIELD(bcos_image_segment, length, 8, 8);
FIELD(bcos_image_segment, time, 16, 8);
FIELD(bcos_image_segment, rate, 24, 8);
FIELD(bcos_image_segment, precision, 32, 4);
FIELD(bcos_image_segment, reserved, 36, 4);
SIZE(bcos_image_segment, 40);

FIELD(bcos_image_source, tail, 0, 8);
FIELD(bcos_image_source, gathered, 8, 8);
FIELD(bcos_image_source, size, 16, 8);
FIELD(bcos_image_source, nested, 24, 8);
FIELD(bcos_image_source, nmi, 32, 8);
FIELD(bcos_image_source, stretch, 40, 4);
FIELD(bcos_image_source, reserved, 44, 4);
FIELD(bcos_image_source, lost, 48, 12 * 8);
SIZE(bcos_image_source, 144);

VALUE(BCOS_IMAGE_HIDES_CALLS, 1);
VALUE(BCOS_IMAGE_BEGUN, 2);
VALUE(BCOS_IMAGE_SAMPLED, 4);
FIELD(bcos_image_pass, sum, 0, 8);
FIELD(bcos_image_pass, sequence, 8, 8);
FIELD(bcos_image_pass, passes, 16, 8);
FIELD(bcos_image_pass, time, 24, 8);
FIELD(bcos_image_pass, offset, 32, 8);
FIELD(bcos_image_pass, horizon, 40, 8);
FIELD(bcos_image_pass, marks, 48, 80);
FIELD(bcos_image_pass, devices, 128, 8);
FIELD(bcos_image_pass, kmsg, 136, 8);
FIELD(bcos_image_pass, mask, 144, 4);
FIELD(bcos_image_pass, on_request, 148, 4);
FIELD(bcos_image_pass, elsewhere, 152, 4);
FIELD(bcos_image_pass, flags, 156, 4);
FIELD(bcos_image_pass, sample_ticks, 160, 8);
FIELD(bcos_image_pass, sample_time, 168, 8);
FIELD(bcos_image_pass, low, 176, 8);
FIELD(bcos_image_pass, rate, 184, 8);
FIELD(bcos_image_pass, sample_span, 192, 4);
FIELD(bcos_image_pass, resolution, 196, 4);
FIELD(bcos_image_pass, segments, 200, 4);
FIELD(bcos_image_pass, reserved, 204, 4);
FIELD(bcos_image_pass, segment, 208, 32 * 40);
FIELD(bcos_image_pass, missed, 1488, 8);
FIELD(bcos_image_pass, reserved2, 1496, 7 * 8);
AT(bcos_image_pass, source, 1552);

VALUE(BCOS_IMAGE_IS_DEVICE, 1);
VALUE(BCOS_IMAGE_IS_LINE, 2);
VALUE(BCOS_IMAGE_ELSEWHERE, 1);
VALUE(BCOS_IMAGE_OWN, 2);
FIELD(bcos_image_device, key, 0, 8);
FIELD(bcos_image_device, id, 8, 4);
FIELD(bcos_image_device, number, 12, 4);
FIELD(bcos_image_device, kind, 16, 4);
FIELD(bcos_image_device, tag, 20, 2);
FIELD(bcos_image_device, flags, 22, 2);
FIELD(bcos_image_device, requests, 24, 4);
FIELD(bcos_image_device, reserved, 28, 4);
SIZE(bcos_image_device, 32);

FIELD(bcos_image_devices, sum, 0, 8);
FIELD(bcos_image_devices, generation, 8, 8);
FIELD(bcos_image_devices, count, 16, 4);
FIELD(bcos_image_devices, missing, 20, 4);
FIELD(bcos_image_devices, reserved, 24, 8);
AT(bcos_image_devices, device, 32);

FIELD(bcos_image_head, head, 0, 8);
FIELD(bcos_image_head, last, 8, 8);
FIELD(bcos_image_head, nested, 16, 8);
FIELD(bcos_image_head, nmi, 24, 8);
FIELD(bcos_image_head, mark, 32, 4);
FIELD(bcos_image_head, sequence, 36, 4);
FIELD(bcos_image_head, stretch, 40, 4);
FIELD(bcos_image_head, assign_id, 44, 4);
FIELD(bcos_image_head, first, 48, 8);
FIELD(bcos_image_head, latest, 56, 8);
FIELD(bcos_image_head, assign_time, 64, 8);
FIELD(bcos_image_head, lost, 72, 12 * 8);
SIZE(bcos_image_head, 168);

VALUE(BCOS_IMAGE_PANIC, 1);
VALUE(BCOS_IMAGE_RESTART, 2);
VALUE(BCOS_IMAGE_HALT, 3);
VALUE(BCOS_IMAGE_POWER_OFF, 4);
VALUE(BCOS_IMAGE_UNLOAD, 5);
FIELD(bcos_image_seal, sum, 0, 8);
FIELD(bcos_image_seal, kind, 8, 4);
FIELD(bcos_image_seal, cpu, 12, 4);
FIELD(bcos_image_seal, time, 16, 8);
FIELD(bcos_image_seal, ticks, 24, 8);
FIELD(bcos_image_seal, wall, 32, 8);
FIELD(bcos_image_seal, local, 40, 8);
FIELD(bcos_image_seal, online, 48, 4);
FIELD(bcos_image_seal, reserved, 52, 4);
FIELD(bcos_image_seal, reason, 56, 256);
FIELD(bcos_image_seal, reserved2, 312, 4 * 8);
AT(bcos_image_seal, head, 344);

FIELD(bcos_image_kmsg, sum, 0, 8);
FIELD(bcos_image_kmsg, length, 8, 8);
FIELD(bcos_image_kmsg, first, 16, 8);
FIELD(bcos_image_kmsg, missing, 24, 8);
FIELD(bcos_image_kmsg, reserved, 32, 16);
AT(bcos_image_kmsg, text, 48);

/* 1 << 30 | 8 << 16 | 0xBC << 8 | 16 */
SIZE(bcos_image_release, 8);
VALUE(BCOS_IOC_IMAGE_RELEASE, 0x4008BC10u);

/* A raw record is part of an image, too: whoever changes it gives BCOS_IMAGE_RAW another number. */
VALUE(BCOS_RAW_KINDS, 34);
VALUE(BCOS_LOSS_CLASSES, 11);
SIZE(bcos_raw, 16);

static void magic_and_states(void **unused)
{
	static const char magic[] = "\211BCOS flight recorder\n\0";
	u64 state[] = { BCOS_IMAGE_RUNNING, BCOS_IMAGE_SEALED, BCOS_IMAGE_CLEAN };

	assert_int_equal(sizeof(BCOS_IMAGE_MAGIC), 23);
	assert_int_equal(BCOS_IMAGE_MAGIC_SIZE, 24);
	assert_memory_equal(BCOS_IMAGE_MAGIC, magic, sizeof(BCOS_IMAGE_MAGIC));
	assert_memory_equal(&state[0], "RUNNING", 8);
	assert_memory_equal(&state[1], "SEALED\0", 8);
	assert_memory_equal(&state[2], "CLEAN\0\0", 8);
}

/* (0xCBF29CE484222325 ^ word) * 0x9E3779B97F4A7C15, folded by its upper half, for each word. */
static void sums(void **unused)
{
	u64 word[] = { 0, 1, 0x8000000000000000 };

	assert_true(bcos_image_sum(BCOS_IMAGE_SUM, word, 0) == 0xCBF29CE484222325);
	assert_true(bcos_image_sum(BCOS_IMAGE_SUM, word, 8) == 0xF8BB92C91B3F5CC0);
	assert_true(bcos_image_sum(BCOS_IMAGE_SUM, word + 1, 16) == 0xDFBEE6A7A16C8C13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(magic_and_states),
		cmocka_unit_test(sums),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
