// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: losses that the log states, and classes that are off. */
#include "core/format/entry.h"
#include "account.h"

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

static u64 moment_after(u64 time)
{
	return time + (time != ~(u64)0);
}

/*
 * A loss that ends before the window leaves the sums exact. If the use of a CPU stays unknown until later,
 * charge_time() counts that loss.
 */
void account_loss_note(struct bcoslog_account *account, u32 kinds, u64 begin, u64 end)
{
	u32 kind;

	if (kinds & BCOSLOG_LOST_INTERRUPTS && end > account->interrupts_until)
		account->interrupts_until = end;
	if (!account_loss_concerns(account, begin, end))
		return;
	account->totals.lost |= kinds;
	for (kind = 0; kind < LOST_KINDS; kind++)
		if (kinds >> kind & 1 && account->lost_until[kind] < moment_after(end))
			account->lost_until[kind] = moment_after(end);
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
	/* CPUs may have come and gone in the gap. */
	if (account_loss_concerns(account, account->gap_since, account->now))
		account->unbounded = account->gap_since + 1;
	account_loss_note(account, LOST_ALL, account->gap_since, account->now);
	account_loss_tell(account, LOST_ALL, account->gap_since, account->now);
}

/* Return: the kinds of losses that have not ended, and concern the window. */
static u32 present_losses(const struct bcoslog_account *account)
{
	u32 class, kind, kinds = 0;

	for (class = 0; account->off && class < 32; class++)
		if (account->off >> class & 1 &&
		    account_loss_concerns(account, account->mask_since[class], account->now))
			kinds |= account_loss_of_class(class);
	for (kind = 0; account->open >> kind; kind++)
		if (account->open >> kind & 1 && account_loss_concerns(account, account->open_since[kind], account->now))
			kinds |= 1u << kind;
	if (account->lost_cpus && account->now > account->options.since && account_counts(account, account->now))
		kinds |= BCOSLOG_LOST_ASSIGNMENTS;
	if (account->gap && account_loss_concerns(account, account->gap_since, account->now))
		kinds |= LOST_ALL;
	return kinds;
}

u32 account_lost_since(const struct bcoslog_account *account, u64 seen)
{
	u32 kind, kinds = present_losses(account);

	for (kind = 0; kind < LOST_KINDS; kind++)
		kinds |= (u32)(account->lost_until[kind] > seen) << kind;
	return kinds;
}

/* Call @use for each loss whose end the log does not tell. */
static void each_open(struct bcoslog_account *account, u64 end,
		      void (*use)(struct bcoslog_account *account, u32 kinds, u64 begin, u64 end))
{
	u32 kind;

	for (kind = 0; account->open >> kind; kind++)
		if (account->open >> kind & 1)
			use(account, 1u << kind, account->open_since[kind], end);
}

void account_loss_settle(struct bcoslog_account *account)
{
	u32 class;

	for (class = 0; class < 32; class++)
		if (unlikely(account->off >> class & 1))
			account_loss_note(account, account_loss_of_class(class), account->mask_since[class],
					  account->now);
	each_open(account, account->now, account_loss_note);
	if (account->gap)
		account_loss_note(account, LOST_ALL, account->gap_since, account->now);
}

void account_loss_group(struct bcoslog_account *account)
{
	if (likely(!account->open) || account->now < account->open_until)
		return;
	each_open(account, account->now, account_loss_note);
	each_open(account, account->now, account_loss_tell);
	account->open = 0;
}

void account_loss_end(struct bcoslog_account *account)
{
	u32 class;

	account_loss_settle(account);
	each_open(account, account->open_until > account->now ? account->open_until : account->now, account_loss_tell);
	account->open = 0;
	for (class = 0; class < 32; class++)
		if (account->off >> class & 1)
			account_loss_tell(account, account_loss_of_class(class), account->mask_since[class],
					  account->now);
	account->off = 0;
	if (account->gap)
		account_loss_tell(account, LOST_ALL, account->gap_since, account->now);
}
