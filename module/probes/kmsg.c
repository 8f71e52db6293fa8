// SPDX-License-Identifier: GPL-2.0-only
/* Lines of the kernel's log, from wherever printk() is called: NMI too. */
#include <trace/events/printk.h>

#include "probes.h"

notrace void bcos_on_console(void *data, const char *text, size_t length)
{
	struct bcos_raw raw = {
		.kind = BCOS_RAW_KMSG,
		.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, BCOS_SEVERITY_INFO),
		.id = BCOS_PROCESS_KERNEL,
	};
	struct bcos_raw_event event = {};

	if (length && text[length - 1] == '\n')
		length--;
	bcos_put_text(&raw, &event, text, length);
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_console(bcos_on_console);
}
