/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The meaning of each golden file, by hand from the same tables of the specification. */
#ifndef TEST_GOLDEN_H
#define TEST_GOLDEN_H

#include "core/format/entry.h"

/* The fields that follow the header. */
enum follows { NOTHING, NAME, STATUS, GENERIC, FUNCTIONS, CORE, CORE_ID, PROCESS, DEVICE, BYTES, NUMBER };

struct golden {
	const char *file;
	u32 size, type, source;
	u64 time;
	u32 precision;
	enum follows follows;
	u32 value;		/* status, event ID, core, process, driver, bytes, IRQ number */
	u32 severity;
	u32 idle, difference;
	u32 count, list[3];
	const char *text;
};

static const struct golden golden[] = {
	/* 5.1 to 5.4 */
	{ "set-process-name", 24, 0x0000, 1234, 0x0102030405060708, 1, NAME, .text = "init" },
	{ "set-process-name-pad1", 24, 0x0000, 4194303, 1000000000, 4, NAME, .text = "cat" },
	{ "set-process-name-pad2", 24, 0x0000, 2, 0xFFFFFFFF, 0, NAME, .text = "sh" },
	{ "set-process-name-pad3", 28, 0x0000, 0x12345678, 0x100000000, 0xFFFFFFFF, NAME, .text = "nginx" },
	{ "set-process-name-utf8", 32, 0x0000, 42, 123456789, 32, NAME,
	  .text = "a\u00e9\u20ac\U0001F422" },
	{ "cancel-process-name", 24, 0x0001, 1234, 0x0102030405060709, 1, STATUS, 3 },
	{ "cancel-process-name-owner", 24, 0x0001, 1235, 0x010203040506070A, 1, STATUS, 0x8000000F },
	{ "cancel-process-name-kernel", 24, 0x0001, 1236, 0x010203040506070B, 1, STATUS, 0xC000000B },
	{ "generic-process", 36, 0x0010, 1000, 1000000000000, 100, GENERIC, 0xDEADBEEF, 0x81,
	  .text = "disk full" },
	{ "generic-process-no-text", 28, 0x0010, 1000, 1000000000001, 0, GENERIC, 7, 0, .text = "" },
	{ "generic-process-pad0", 28, 0x0010, 1000, 1000000000002, 0, GENERIC, 0, 0xFF, .text = "EOF" },
	{ "kernel-api", 32, 0x0011, 1337, 1000000000003, 1000000, FUNCTIONS, .count = 3, .list = { 0, 257, 0 } },
	{ "kernel-api-suppressed", 20, 0x0011, 1337, 1000000000004, 0, FUNCTIONS },
	/* 5.5 to 5.7 */
	{ "core-online", 28, 0x2000, 0, 5000000, 1, CORE, .count = 1 },
	{ "core-online-2cpus", 32, 0x2000, 0x00020005, 5000000, 1, CORE, .idle = 65535, .difference = 50000,
	  .count = 2, .list = { 1500000, 744640 } },
	{ "core-offline", 20, 0x2001, 0x00020005, 4299967296, 2, NOTHING },
	{ "generic-core", 32, 0x2010, 0x00020005, 4299967297, 2, GENERIC, 0, 0x80, .text = "hot!" },
	/* 5.8 to 5.11 */
	{ "cpu-online", 24, 0x4000, 3, 5000001, 1, CORE_ID, 0x00020005 },
	{ "cpu-offline", 20, 0x4001, 3, 5000002, 1, NOTHING },
	{ "assign-cpu", 24, 0x4002, 1, 5000003, 30, PROCESS, 1234 },
	{ "assign-cpu-idle", 24, 0x4002, 4095, 5000004, 30, PROCESS, 0xFFFFFFFF },
	{ "assign-cpu-kernel", 24, 0x4002, 0, 5000005, 30, PROCESS, 0 },
	{ "generic-cpu", 32, 0x4010, 7, 5000006, 2000000000, GENERIC, 0x80000001, 0xC0, .text = "7 lost" },
	/* 5.12 to 5.17 */
	{ "set-device-name", 28, 0x6000, 10, 5000016, 1, DEVICE, 0, .text = "sda" },
	{ "set-device-name-driver", 28, 0x6000, 0x40000000, 5000017, 1, DEVICE, 1234, .text = "tun0" },
	{ "cancel-device-name", 24, 0x6001, 10, 5000018, 1, STATUS, 0xC0000000 },
	{ "device-input", 24, 0x6002, 10, 5000019, 1, BYTES, 4096 },
	{ "device-output", 24, 0x6003, 0x40000000, 5000020, 1, BYTES, 4294967294 },
	{ "generic-device", 32, 0x6010, 0xC0000000, 5000021, 0, GENERIC, 0x80000002, 0x40, .text = "missed" },
	{ "irq", 24, 0x6011, 0x80000001, 5000022, 1, NUMBER, 15 },
	/* 5.18 to 5.22 */
	{ "hist-set-process-name", 28, 0x8000, 0, 0, 1, NAME, .text = "kernel" },
	{ "hist-core-online", 32, 0xA000, 1, 5000000, 1, CORE, .idle = 1, .difference = 65534, .count = 2,
	  .list = { 1, 0xFFFFFFFF } },
	{ "hist-cpu-online", 24, 0xC000, 3, 5000001, 1, CORE_ID, 0x00020005 },
	{ "hist-assign-cpu", 24, 0xC002, 1, 5000003, 30, PROCESS, 1234 },
	{ "hist-set-device-name", 36, 0xE000, 0xC0000000, 5000000, 1, DEVICE, 0, .text = "bcos_evlog" },
};

static const struct {
	const char *file;
	enum bcos_malformed wrong;
} malformed[] = {
	{ "truncated-empty", BCOS_TRUNCATED },
	{ "truncated-1", BCOS_TRUNCATED },
	{ "truncated-header", BCOS_TRUNCATED },
	{ "truncated-body", BCOS_TRUNCATED },
	{ "size-0", BCOS_BAD_SIZE },
	{ "size-16", BCOS_BAD_SIZE },
	{ "size-65535", BCOS_TRUNCATED },
	{ "length-cancel-short", BCOS_BAD_LENGTH },
	{ "length-generic-short", BCOS_BAD_LENGTH },
	{ "length-core-short", BCOS_BAD_LENGTH },
	{ "length-device-short", BCOS_BAD_LENGTH },
	{ "length-hist-assign-short", BCOS_BAD_LENGTH },
	{ "text-lone-continuation", BCOS_BAD_TEXT },
	{ "text-overlong", BCOS_BAD_TEXT },
	{ "text-surrogate", BCOS_BAD_TEXT },
	{ "text-above-10ffff", BCOS_BAD_TEXT },
	{ "text-cut", BCOS_BAD_TEXT },
	{ "padding-not-zero", BCOS_BAD_PADDING },
};

/*
 * Entries that readers accept although we never write them (module/DESIGN.md, 3.4), and the string that a reader finds
 * in each.
 */
static const struct {
	const char *file;
	enum bcos_unusual how;
	const char *text;
} allowed[] = {
	{ "size-22", BCOS_ODD_SIZE, "sh" },
	{ "size-21-reserved", BCOS_ODD_SIZE },
	{ "calls-odd", BCOS_ODD_SIZE },
	{ "generic-24", BCOS_SHORT, "" },
	{ "generic-25", BCOS_ODD_SIZE, "" },
	{ "long-assign", BCOS_LONG },
	{ "long-cancel", BCOS_LONG },
	{ "long-core-offline", BCOS_LONG },
	{ "padding-4", BCOS_MUCH_PADDING, "init" },
	{ "padding-generic", BCOS_MUCH_PADDING, "" },
	{ "name-missing", BCOS_EMPTY_NAME, "" },
	{ "name-zero", BCOS_EMPTY_NAME, "" },
	{ "name-device-zero", BCOS_EMPTY_NAME, "" },
};

#endif
