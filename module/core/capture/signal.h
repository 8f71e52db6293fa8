/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rules about signals, which tell who caused a death. Probes and BPF programs include this, so both
 * engines decide alike (module/DESIGN.md, 2.1). The includer defines the kernel's numbers of
 * signals and of si_code.
 */
#ifndef BCOS_CORE_SIGNAL_H
#define BCOS_CORE_SIGNAL_H

#include "core/host/host.h"

/* These two values of the kernel's pointer to siginfo are no addresses. */
#define BCOS_SIGNAL_NO_INFO	0ul	/* SEND_SIG_NOINFO */
#define BCOS_SIGNAL_KERNEL	1ul	/* SEND_SIG_PRIV */

#define BCOS_SIGNAL_BIT(number)	(1ull << (number))

/*
 * May this signal kill? The harmless signals stop a process, or are ignored by default. The most
 * frequent signal, SIGCHLD, is one of them.
 */
static __always_inline bool bcos_signal_may_kill(u32 number)
{
	const u64 harmless = BCOS_SIGNAL_BIT(SIGCHLD) | BCOS_SIGNAL_BIT(SIGCONT) |
			     BCOS_SIGNAL_BIT(SIGURG) | BCOS_SIGNAL_BIT(SIGWINCH) |
			     BCOS_SIGNAL_BIT(SIGSTOP) | BCOS_SIGNAL_BIT(SIGTSTP) |
			     BCOS_SIGNAL_BIT(SIGTTIN) | BCOS_SIGNAL_BIT(SIGTTOU);

	return number > 63 || !(harmless >> number & 1);
}

/*
 * Did user space send the signal? @info is the pointer to siginfo. If @info is an address, @code is
 * its si_code. @to_itself: the current task is the receiver. A signal without siginfo to another
 * task is sent on behalf of the current process (cgroup.kill, PR_SET_PDEATHSIG). A signal without
 * siginfo to the current task is the result of the task's own call (SIGPIPE, SIGXFSZ).
 */
static __always_inline bool bcos_signal_is_from_user(unsigned long info, int code, bool to_itself)
{
	if (info == BCOS_SIGNAL_NO_INFO)
		return !to_itself;
	if (info == BCOS_SIGNAL_KERNEL || code > 0)
		return false;
	return code != SI_TIMER && code != SI_MESGQ && code != SI_ASYNCIO && code != SI_SIGIO &&
	       code != SI_ASYNCNL && code != SI_DETHREAD;
}

/* Returns @code, or without siginfo the code that the kernel's own tracepoint reports. */
static __always_inline int bcos_signal_code(unsigned long info, int code)
{
	if (info == BCOS_SIGNAL_NO_INFO)
		return SI_USER;
	return info == BCOS_SIGNAL_KERNEL ? SI_KERNEL : code;
}

#endif
