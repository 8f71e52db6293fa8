/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A signal tells who caused a death. Probes and BPF programs include this, so both engines decide
 * alike (module/DESIGN.md, 2.1). The includer provides the kernel's numbers of signals and of
 * si_code.
 */
#ifndef BCOS_CORE_SIGNAL_H
#define BCOS_CORE_SIGNAL_H

#include "core/host/host.h"

/* Two values of the kernel's pointer to siginfo are no addresses. */
#define BCOS_SIGNAL_NO_INFO	0ul	/* SEND_SIG_NOINFO */
#define BCOS_SIGNAL_KERNEL	1ul	/* SEND_SIG_PRIV */

#define BCOS_SIGNAL_BIT(number)	(1ull << (number))

/*
 * May this signal kill? Those that may not are ignored by default, or stop; the most frequent one,
 * SIGCHLD, may not.
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
 * Did user space send the signal? @info is the pointer to siginfo, and @code its si_code if it is
 * an address. @to_itself: the current task is the receiver. Without information a signal to another
 * task is sent on behalf of the current process (cgroup.kill, PR_SET_PDEATHSIG). To the current
 * task itself it is the result of its own call (SIGPIPE, SIGXFSZ).
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

/* Returns si_code, or what the kernel's own tracepoint reports if there is no siginfo. */
static __always_inline int bcos_signal_code(unsigned long info, int code)
{
	if (info == BCOS_SIGNAL_NO_INFO)
		return SI_USER;
	return info == BCOS_SIGNAL_KERNEL ? SI_KERNEL : code;
}

#endif
