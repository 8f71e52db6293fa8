// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Severities of events as values of options: see severity.h. */
#include "bcoslog.h"
#include "complain/complain.h"
#include "number.h"
#include "severity.h"

int parse_severity(const char *option, const char *text, bool most, u64 *severity)
{
	unsigned int begin;

	for (begin = 0; begin < 256; begin += 0x40) {
		if (!strcmp(text, bcoslog_severity((u8)begin))) {
			*severity = most ? begin + 0x3F : begin;
			return 0;
		}
	}
	/* A warning of the kernel's log is the greatest severity below an error (module/DESIGN.md, 3.18). */
	if (!strcmp(text, "warning")) {
		*severity = BCOS_SEVERITY_ERROR - 1;
		return 0;
	}
	if (text[0] >= '0' && text[0] <= '9')
		return parse_number(option, text, 255, severity);
	complain("%s takes debug, info, warning, error, critical or a number from 0 to 255, not \"%s\"", option, text);
	return -1;
}
