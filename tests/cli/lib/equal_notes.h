/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Compares two notes of frames, field by field. Include cmocka.h first. */
#ifndef BCOS_TESTS_CLI_EQUAL_NOTES_H
#define BCOS_TESTS_CLI_EQUAL_NOTES_H

#include "archive/format/format.h"

static inline void assert_notes_equal(const struct archive_note *one, const struct archive_note *other)
{
	assert_int_equal(one->flags, other->flags);
	assert_int_equal(one->stored, other->stored);
	assert_int_equal(one->raw, other->raw);
	assert_int_equal(one->entries, other->entries);
	assert_int_equal(one->historical, other->historical);
	assert_int_equal(one->losses, other->losses);
	assert_true(one->first == other->first && one->last == other->last && one->set == other->set);
	assert_true(one->wall.boot == other->wall.boot && one->wall.utc == other->wall.utc);
	assert_int_equal(one->wall.precision, other->wall.precision);
}

#endif
