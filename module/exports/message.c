// SPDX-License-Identifier: GPL-2.0-only
/* Lets other kernel modules put messages: see bcos_evlog_module.h. */
#include <linux/errno.h>
#include <linux/export.h>

#include "capture/event.h"
#include "core/format/message.h"
#include "params.h"
#include "bcos_evlog_module.h"

static bool bcos_message_id_valid(u32 id)
{
	return id >= BCOS_MESSAGE_ID_MIN && id <= BCOS_MESSAGE_ID_MAX;
}

bool bcos_evlog_must_log(u32 id)
{
	return bcos_message_id_valid(id) && READ_ONCE(bcos_events_on) &&
	       READ_ONCE(bcos_params.message_mask) >> (min(id, 32u) - 1) & 1;
}
EXPORT_SYMBOL_GPL(bcos_evlog_must_log);

static int bcos_message_stage(enum bcos_raw_kind kind, u32 id, const void *text, size_t length)
{
	struct bcos_raw raw = {
		.kind = kind,
		.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, BCOS_SEVERITY_INFO),
		.id = BCOS_PROCESS_KERNEL,
	};

	if (!bcos_message_id_valid(id))
		return -EINVAL;
	return bcos_event_stage(raw, BCOS_EVENT_MESSAGE | id, 0, text, length);
}

int bcos_evlog_put(u32 id, const u32 *words, size_t count)
{
	if (!count)
		return -EINVAL;
	if (count > BCOS_MESSAGE_WORDS_MAX)
		return -EMSGSIZE;
	return bcos_message_stage(BCOS_RAW_MESSAGE, id, words, count * sizeof(*words));
}
EXPORT_SYMBOL_GPL(bcos_evlog_put);

int bcos_evlog_put_timed(u32 id)
{
	return bcos_message_stage(BCOS_RAW_EVENT, id, BCOS_MESSAGE_TIMED,
				  strlen(BCOS_MESSAGE_TIMED));
}
EXPORT_SYMBOL_GPL(bcos_evlog_put_timed);

u32 bcos_evlog_get_mask(void)
{
	return READ_ONCE(bcos_params.message_mask);
}
EXPORT_SYMBOL_GPL(bcos_evlog_get_mask);

void bcos_evlog_set_mask(u32 mask)
{
	WRITE_ONCE(bcos_params.message_mask, mask);
}
EXPORT_SYMBOL_GPL(bcos_evlog_set_mask);
