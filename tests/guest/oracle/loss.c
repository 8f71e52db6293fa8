// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The losses that the log states: see loss.h. */
#include "loss.h"

/* Parses "lost 3 births and deaths, 17 assignments, 4 interrupts: staging full, until 12.345678901 s". */
static bool parse_loss(const struct bcos_entry *entry, struct loss *loss)
{
	const char *text = entry_text(entry), *at = text + 4, *until;
	unsigned long long number, fraction;
	int length;

	*loss = (struct loss){ .from = entry->time };
	if (strncmp(text, "lost", 4))
		return false;
	while (sscanf(at, " %llu%n", &number, &length) == 1) {
		at += length;
		if (!strncmp(at, " births and deaths", 18))
			loss->life = number;
		else if (!strncmp(at, " assignments", 12))
			loss->assign = number;
		else if (!strncmp(at, " interrupts", 11))
			loss->irq = number;
		else if (!strncmp(at, " events", 7))
			loss->nested = number;
		else
			return false;
		at += strcspn(at, ",:");
		if (*at++ != ',')
			break;
	}
	until = strstr(text, "until ");
	if (!until || sscanf(until, "until %llu.%9llu s", &number, &fraction) != 2)
		return false;
	loss->until = number * 1000000000u + fraction;
	return true;
}

bool loss_of(const struct bcos_entry *entry, struct loss *loss)
{
	if (entry->type != BCOS_GENERIC_CPU || ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_LOSS)
		return false;
	errno = 0;
	if (!parse_loss(entry, loss))
		give_up("what does this loss say: \"%s\"", entry_text(entry));
	return true;
}

struct losses losses_of(const struct log *log)
{
	struct losses sum = { 0 };
	struct loss loss;

	for_each_entry(entry, log) {
		if (!loss_of(entry, &loss))
			continue;
		sum.statements++;
		sum.life += loss.life;
		sum.assign += loss.assign;
		sum.irq += loss.irq;
		sum.nested += loss.nested;
	}
	return sum;
}
