// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: losses that the log states, and classes that are off. */
#include "core/format/entry.h"
#include "account.h"

static bool begins_with(const char *text, size_t length, const char *word)
{
	size_t size = strlen(word);

	return length >= size && !memcmp(text, word, size);
}

/* Return: the kinds of events that the words after a count in the text of a loss name; all kinds for unknown words. */
static u32 kind_of(const char *text, size_t length)
{
	static const struct {
		const char *word;
		u32 kind;
	} kinds[] = {
		{ "births and deaths", BCOSLOG_LOST_LIVES },
		{ "births or devices", BCOSLOG_LOST_LIVES | BCOSLOG_LOST_DEVICES },
		{ "births, devices or senders of signals",
		  BCOSLOG_LOST_LIVES | BCOSLOG_LOST_DEVICES | BCOSLOG_LOST_EVENTS },
		{ "executed programs", BCOSLOG_LOST_EVENTS },
		{ "network interfaces", BCOSLOG_LOST_DEVICES },
		{ "packets", BCOSLOG_LOST_TRANSFERS },
		{ "assignments", BCOSLOG_LOST_ASSIGNMENTS },
		{ "interrupts", BCOSLOG_LOST_INTERRUPTS },
		{ "user events", BCOSLOG_LOST_EVENTS },
		{ "kernel messages", BCOSLOG_LOST_EVENTS },
		{ "transfers", BCOSLOG_LOST_TRANSFERS },
		{ "kernel calls", BCOSLOG_LOST_CALLS },
		{ "idle states", BCOSLOG_LOST_EVENTS },
		{ "task states", BCOSLOG_LOST_EVENTS },
		{ "devices", BCOSLOG_LOST_DEVICES },
		/* Such records are about processes or devices that the log does not name, so no CPU time is unknown. */
		{ "records: about what has no name here", BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_EVENTS },
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (begins_with(text, length, kinds[i].word))
			return kinds[i].kind;
	return LOST_ALL;
}

u32 account_loss_kinds(const char *text, size_t length)
{
	u32 kinds = 0;
	size_t at = 0;

	/* A text is, for example, "lost 3 assignments, 1 interrupts: staging full, until 1.000000000 s". */
	while (at < length && text[at] != ':') {
		if (text[at] < '0' || text[at] > '9') {
			at++;
			continue;
		}
		while (at < length && text[at] >= '0' && text[at] <= '9')
			at++;
		while (at < length && text[at] == ' ')
			at++;
		kinds |= kind_of(text + at, length - at);
		while (at < length && text[at] != ',' && text[at] != ':')
			at++;
	}
	return kinds ? kinds : LOST_ALL;
}

bool account_loss_mask(const char *text, size_t length, u32 *mask)
{
	size_t at = 0, digits = 0;
	u32 value = 0;
	int digit;

	/* In the text "class mask 0x1f -> 0x1e: assign off" the last number before the colon counts. */
	while (at + 2 < length && text[at] != ':') {
		if (text[at] != '0' || text[at + 1] != 'x') {
			at++;
			continue;
		}
		value = 0;
		for (at += 2, digits = 0; at < length && digits < 8; at++, digits++) {
			digit = text[at] >= '0' && text[at] <= '9' ? text[at] - '0' :
				text[at] >= 'a' && text[at] <= 'f' ? text[at] - 'a' + 10 : -1;
			if (digit < 0)
				break;
			value = value << 4 | (u32)digit;
		}
	}
	*mask = value;
	return digits;
}

bool account_loss_concerns(const struct bcoslog_account *account, u64 begin, u64 end)
{
	return begin < account->options.until && (end > account->options.since || begin >= account->options.since);
}

void account_loss_tell(struct bcoslog_account *account, u32 kinds, u64 begin, u64 end)
{
	if (account->options.unknown && account_loss_concerns(account, begin, end))
		account->options.unknown(account->options.context, kinds, account_clip(account, begin),
					 account_clip(account, end));
}

/*
 * A loss that ends before the window leaves the sums exact. If the use of a CPU stays unknown until later,
 * charge_time() counts that loss.
 */
void account_loss_note(struct bcoslog_account *account, u32 kinds, u64 begin, u64 end)
{
	account->interrupt_losses += !!(kinds & BCOSLOG_LOST_INTERRUPTS);
	if (!account_loss_concerns(account, begin, end))
		return;
	account->totals.lost |= kinds;
	account->cpu_losses += !!(kinds & BCOSLOG_LOST_ASSIGNMENTS);
	account->device_losses += !!(kinds & LOST_TRANSFERS);
}

u32 account_loss_of_class(u32 class)
{
	switch (1u << class) {
	case BCOS_CLASS_ASSIGN:
		return BCOSLOG_LOST_ASSIGNMENTS;
	case BCOS_CLASS_IRQ:
		return BCOSLOG_LOST_INTERRUPTS;
	case BCOS_CLASS_IO:
		return BCOSLOG_LOST_TRANSFERS;
	case BCOS_CLASS_USER:
	case BCOS_CLASS_KMSG:
		return BCOSLOG_LOST_EVENTS;
	default:
		/* The other classes do not make the account uncertain. */
		return 0;
	}
}

void account_loss_restated(struct bcoslog_account *account)
{
	account_loss_note(account, LOST_ALL, account->gap_since, account->now);
	account_loss_tell(account, LOST_ALL, account->gap_since, account->now);
}

void account_loss_settle(struct bcoslog_account *account)
{
	u32 class;

	for (class = 0; class < 32; class++)
		if (unlikely(account->off >> class & 1))
			account_loss_note(account, account_loss_of_class(class), account->mask_since[class],
					  account->now);
	if (account->gap)
		account_loss_note(account, LOST_ALL, account->gap_since, account->now);
}

bool account_loses_assignments(const struct bcoslog_account *account)
{
	return account->lost_cpus && account->now > account->options.since && account_counts(account, account->now);
}

bool account_loses_transfers(const struct bcoslog_account *account)
{
	u32 class;

	for (class = 0; class < 32; class++)
		if (account->off >> class & 1 && account_loss_of_class(class) & LOST_TRANSFERS &&
		    account_loss_concerns(account, account->mask_since[class], account->now))
			return true;
	if (account->gap && account_loss_concerns(account, account->gap_since, account->now))
		return true;
	return false;
}

void account_loss_end(struct bcoslog_account *account)
{
	u32 class;

	account_loss_settle(account);
	for (class = 0; class < 32; class++)
		if (account->off >> class & 1)
			account_loss_tell(account, account_loss_of_class(class), account->mask_since[class],
					  account->now);
	account->off = 0;
	if (account->gap)
		account_loss_tell(account, LOST_ALL, account->gap_since, account->now);
}
