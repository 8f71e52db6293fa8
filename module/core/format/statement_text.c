// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes and reads the texts of statements: see statement_text.h. */
#include "entry.h"
#include "scan.h"
#include "statement_text.h"

#define SECOND 1000000000ull

const char *const bcos_class_names[BCOS_CLASSES] = {
	"assign", "irq", "user", "kmsg", "io", "api", "kernel_time", "idle", "state", "who", "exec",
	"request",
};

_Static_assert((1u << BCOS_CLASSES) - 1 == BCOS_CLASS_ALL, "each class has a name");

/* ---- the classes ------------------------------------------------------------------ */

int bcos_mask_format(char *text, size_t size, u32 from, u32 to)
{
	int at = host_format(text, size, "class mask %#x -> %#x:", from, to);
	u32 bit;

	for (bit = 0; bit < BCOS_CLASSES; bit++)
		if ((from ^ to) >> bit & 1)
			at += host_format(text + at, size - (size_t)at, " %s %s,",
					  bcos_class_names[bit], to >> bit & 1 ? "on" : "off");
	text[--at] = 0;
	return at;
}

bool bcos_mask_parse(const char *text, size_t length, u32 *to)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);
	u32 from;

	/* The names that follow say the same once more. */
	return bcos_scan_word(&scan, "class mask ") && bcos_scan_hex(&scan, &from) &&
	       bcos_scan_word(&scan, " -> ") && bcos_scan_hex(&scan, to) &&
	       (bcos_scan_ends(&scan) || bcos_scan_word(&scan, ":"));
}

/* ---- the wall clock ---------------------------------------------------------------- */

int bcos_clock_format(char *text, size_t size, u64 utc)
{
	return host_format(text, size, "wall clock %llu.%09llu", (unsigned long long)(utc / SECOND),
			   (unsigned long long)(utc % SECOND));
}

bool bcos_clock_parse(const char *text, size_t length, u64 *utc)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);
	u64 seconds, ns = 0;

	if (!bcos_scan_word(&scan, "wall clock ") ||
	    !bcos_scan_number(&scan, ~0ull / SECOND - 1, &seconds) ||
	    !bcos_scan_word(&scan, ".") || scan.end - scan.at != 9)
		return false;
	for (; scan.at < scan.end; scan.at++) {
		if (*scan.at < '0' || *scan.at > '9')
			return false;
		ns = ns * 10 + (u64)(*scan.at - '0');
	}
	*utc = seconds * SECOND + ns;
	return true;
}

/* ---- the boot, host, kernel and version --------------------------------------------- */

/* Returns the words before a fact, or NULL if an event with the ID states no fact. */
static const char *words_before(u32 id)
{
	switch (id) {
	case BCOS_EVENT_BOOT:
		return "boot ";
	case BCOS_EVENT_HOST:
		return "host ";
	case BCOS_EVENT_KERNEL:
		return "kernel ";
	case BCOS_EVENT_VERSION:
		return "";
	default:
		return NULL;
	}
}

size_t bcos_fact_format(char *text, size_t size, u32 id, const char *fact, size_t length)
{
	const char *words = words_before(id);
	size_t before = words ? strlen(words) : 0;

	if (!words || before > size)
		return 0;
	memcpy(text, words, before);
	return before + bcos_utf8_clean(text + before, size - before, fact, length);
}

const char *bcos_fact_parse(u32 id, const char *text, size_t *length)
{
	struct bcos_scan scan = bcos_scan_begin(text, *length);
	const char *words = words_before(id);

	if (!words || !bcos_scan_word(&scan, words) || bcos_scan_ends(&scan))
		return NULL;
	*length = (size_t)(scan.end - scan.at);
	return scan.at;
}

bool bcos_kernel_parse(struct bcos_kernel_fact *kernel, const char *text, size_t length)
{
	const char *fact = bcos_fact_parse(BCOS_EVENT_KERNEL, text, &length), *space;

	if (!fact)
		return false;
	space = memchr(fact, ' ', length);
	kernel->release = fact;
	kernel->release_length = space ? (size_t)(space - fact) : length;
	kernel->machine = space ? space + 1 : fact + length;
	kernel->machine_length = (size_t)(fact + length - kernel->machine);
	return true;
}
