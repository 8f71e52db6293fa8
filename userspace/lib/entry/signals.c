// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of signals. */
#include "bcoslog.h"

#ifdef __linux__

#include <signal.h>

#define NAMED(number) [number] = #number

const char *bcoslog_signal(__u32 number)
{
	static const char *const names[] = {
		NAMED(SIGHUP), NAMED(SIGINT), NAMED(SIGQUIT), NAMED(SIGILL), NAMED(SIGTRAP),
		NAMED(SIGABRT), NAMED(SIGBUS), NAMED(SIGFPE), NAMED(SIGKILL), NAMED(SIGUSR1),
		NAMED(SIGSEGV), NAMED(SIGUSR2), NAMED(SIGPIPE), NAMED(SIGALRM), NAMED(SIGTERM),
#ifdef SIGSTKFLT
		NAMED(SIGSTKFLT),
#endif
		NAMED(SIGCHLD), NAMED(SIGCONT), NAMED(SIGSTOP), NAMED(SIGTSTP), NAMED(SIGTTIN),
		NAMED(SIGTTOU), NAMED(SIGURG), NAMED(SIGXCPU), NAMED(SIGXFSZ), NAMED(SIGVTALRM),
		NAMED(SIGPROF), NAMED(SIGWINCH), NAMED(SIGIO), NAMED(SIGPWR), NAMED(SIGSYS),
	};

	return number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;
}

#else

/* A reader may run on another architecture than the writer. These are the signals of x86 and Arm by their numbers. */
const char *bcoslog_signal(__u32 number)
{
	static const char *const names[] = {
		NULL, "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL",
		"SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT",
		"SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF",
		"SIGWINCH", "SIGIO", "SIGPWR", "SIGSYS",
	};

	return number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;
}

#endif
