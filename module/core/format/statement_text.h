/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The texts by which a log states something about itself, for programs as well as people. Whoever
 * writes or repeats a statement uses these formatters, and whoever reads one the parsers beside
 * them:
 *
 *	BCOS_EVENT_MASK		class mask 0x21f -> 0x21e: assign off
 *	BCOS_EVENT_CLOCK	wall clock 1764201600.000000000
 *	BCOS_EVENT_BOOT		boot 6b7f8a1e-...
 *	BCOS_EVENT_HOST		host NAME
 *	BCOS_EVENT_KERNEL	kernel RELEASE ARCHITECTURE
 *	BCOS_EVENT_VERSION	bcos_evlog VERSION module
 *
 * Formatters write no more than @size bytes, of which the last one may be a zero, and return the
 * length of the text. Parsers take any bytes, and return false or NULL if they are no such text.
 */
#ifndef BCOS_CORE_STATEMENT_TEXT_H
#define BCOS_CORE_STATEMENT_TEXT_H

#include "core/host/host.h"

/* The number of classes, and the name of class 1 << n. */
#define BCOS_CLASSES 12
extern const char *const bcos_class_names[BCOS_CLASSES];

/* Room for any text of a change of the mask. */
#define BCOS_MASK_TEXT 220

/* These write and read a change of the mask. @to: the classes that are on after it. */
int bcos_mask_format(char *text, size_t size, u32 from, u32 to);
bool bcos_mask_parse(const char *text, size_t length, u32 *to);

/* Room for any text of the wall clock. */
#define BCOS_CLOCK_TEXT 40

/* These write and read the wall clock. @utc: ns since 1970. */
int bcos_clock_format(char *text, size_t size, u64 utc);
bool bcos_clock_parse(const char *text, size_t length, u64 *utc);

/**
 * bcos_fact_format() - write the boot, host, kernel or version
 * @text: not zero-terminated
 * @size: room at @text
 * @id: BCOS_EVENT_BOOT, _HOST, _KERNEL or _VERSION
 * @fact: what is stated; invalid UTF-8 in it becomes U+FFFD
 * @length: bytes of @fact
 *
 * Context: any.
 * Return: bytes of text; 0 if there is no room, or an event with @id states no such fact.
 */
size_t bcos_fact_format(char *text, size_t size, u32 id, const char *fact, size_t length);

/**
 * bcos_fact_parse() - read the boot, host, kernel or version
 * @id: BCOS_EVENT_BOOT, _HOST, _KERNEL or _VERSION
 * @text: of an event with this ID
 * @length: in: bytes of @text; out: bytes of the fact
 *
 * Context: any.
 * Return: the fact, a part of @text; NULL if this is no such text, or the fact is empty.
 */
const char *bcos_fact_parse(u32 id, const char *text, size_t *length);

/* What a statement of the kernel says, as parts of the text. @machine_length may be 0. */
struct bcos_kernel_fact {
	const char *release, *machine;
	size_t release_length, machine_length;
};

/* Reads the text of an event BCOS_EVENT_KERNEL. */
bool bcos_kernel_parse(struct bcos_kernel_fact *kernel, const char *text, size_t length);

#endif
