// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collects the findings of the checks. */
#include <stdarg.h>

#include "doctor.h"

void found(struct doctor *doctor, enum verdict verdict, const char *check, const char *mend, const char *format, ...)
{
	struct finding *finding = &doctor->findings[doctor->count];
	va_list args;

	if (doctor->count == FINDINGS)
		return;
	doctor->count++;
	finding->ability = doctor->ability;
	finding->verdict = verdict;
	finding->check = check;
	va_start(args, format);
	vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
	snprintf(finding->mend, sizeof(finding->mend), "%s", mend ? mend : "");
	system_plain(finding->text);
	system_plain(finding->mend);
}

bool doctor_works(const struct doctor *doctor, enum ability ability)
{
	size_t i;

	for (i = 0; i < doctor->count; i++)
		if (doctor->findings[i].ability == ability && doctor->findings[i].verdict == BROKEN)
			return false;
	return true;
}
