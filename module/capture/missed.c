// SPDX-License-Identifier: GPL-2.0-only
/* Keeps what was missed until the log writer states it: see missed.h. */
#include <linux/spinlock.h>

#include "clock.h"
#include "missed.h"
#include "staging.h"

static DEFINE_SPINLOCK(bcos_missed_lock);
static struct bcos_missed bcos_missed[BCOS_MISSED_KINDS];

void bcos_missed_note(enum bcos_missed_kind kind, u64 count, u64 since)
{
	struct bcos_missed *missed = &bcos_missed[kind];

	spin_lock(&bcos_missed_lock);
	if (!missed->count || since < missed->since)
		missed->since = since;
	missed->until = bcos_now();
	WRITE_ONCE(missed->count, missed->count + count);
	spin_unlock(&bcos_missed_lock);
	bcos_staging_wake();
}

void bcos_missed_tell(struct bcos_log *log)
{
	struct bcos_missed taken;
	u32 kind;

	for (kind = 0; kind < BCOS_MISSED_KINDS; kind++) {
		if (likely(!READ_ONCE(bcos_missed[kind].count)))
			continue;
		spin_lock(&bcos_missed_lock);
		taken = bcos_missed[kind];
		bcos_missed[kind] = (struct bcos_missed){};
		spin_unlock(&bcos_missed_lock);
		bcos_log_missed(log, kind, &taken);
	}
}
