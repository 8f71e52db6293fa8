// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The reports of violations, and of entries that are legal but unusual. */
#include "check.h"

static const char *const unusual_kinds[] = {
	[BCOS_ODD_SIZE] = "its size is not a multiple of 4",
	[BCOS_SHORT] = "a generic event without a severity",
	[BCOS_LONG] = "bytes follow its last field",
	[BCOS_MUCH_PADDING] = "more than three zeros follow its string",
	[BCOS_EMPTY_NAME] = "its name is empty",
};

void note_unusual(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	enum bcos_unusual what = bcos_entry_unusual(entry);
	struct bcoslog_violation note = { .offset = check->offset, .word = "unusual", .legal = true };

	if (what == BCOS_USUAL)
		return;
	check->summary.unusual++;
	note.reason = unusual_kinds[what];
	if (check->report)
		check->report(check->context, &note);
}

void violation_at(struct bcoslog_check *check, u64 offset, const char *word,
		  const char *format, ...)
{
	struct bcoslog_violation violation = { .offset = offset, .word = word };
	char reason[256];
	va_list args;

	check->summary.violations++;
	if (!check->report)
		return;
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	violation.reason = reason;
	check->report(check->context, &violation);
}
