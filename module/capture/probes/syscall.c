// SPDX-License-Identifier: GPL-2.0-only
/* Records the kernel calls of all processes, or of those for which there is a request. */
#include <linux/compat.h>
#include <linux/sched.h>
#include <trace/events/syscalls.h>

#include "capture/request.h"
#include "capture/thread.h"
#include "probes.h"

notrace void bcos_on_sys_enter(void *data, struct pt_regs *regs, long id)
{
	u16 number = bcos_task_call(id);

	if (!bcos_calls_are_wanted(current->tgid))
		return;
	if (in_compat_syscall())
		number |= BCOS_RAW_COMPAT;
	bcos_put_one_anywhere(BCOS_RAW_API, number, current->tgid);
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_sys_enter(bcos_on_sys_enter);
}
