// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: the effect of a loss that the log states, of a class that goes off, and of overwritten entries. */
#include "core/format/entry.h"
#include "account.h"

/*
 * Note that states of threads are lost up to @end if a loss concerns them. A loss that names no known kind concerns all
 * kinds, and all CPUs.
 */
static void threads_lost(struct bcoslog_account *account, struct cpu *cpu, u32 kinds, const char *text, size_t length,
			 u64 end)
{
	static const char states[] = "task states";
	bool all = kinds == LOST_ALL;

	if (all || kinds & BCOSLOG_LOST_ASSIGNMENTS || memmem(text, length, states, sizeof(states) - 1))
		account_threads_lost(account, all ? NULL : cpu, end, account_loss_concerns(account, account->now, end));
}

void account_gap_stated(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct cpu *cpu = table_find(&account->cpus, entry->source);
	size_t length;
	const char *text = bcos_entry_text(entry, &length);
	u32 kinds = account_loss_kinds(text, length);

	u64 end = account->now > ~(u64)0 - entry->precision ? ~(u64)0 : account->now + entry->precision;

	account->totals.losses++;
	account_loss_note(account, kinds, account->now, end);
	account_loss_tell(account, kinds, account->now, end);
	if (kinds & LOST_TRANSFERS && end > account->transfers_known)
		account->transfers_known = end;
	/* The log writer keeps the newest of the assignments that it loses, so the next assignment ends the loss. */
	if (kinds & BCOSLOG_LOST_ASSIGNMENTS && cpu)
		account_cpu_lose(account, cpu);
	if (account->has_threads)
		threads_lost(account, cpu, kinds, text, length, end);
}

void account_gap_mask_changed(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	size_t length;
	const char *text = bcos_entry_text(entry, &length);
	u32 mask, class, kinds;

	if (!account_loss_mask(text, length, &mask))
		return;
	if (account->has_threads && !(mask & BCOS_CLASS_STATE))
		account_threads_lost(account, NULL, account->now, account->now < account->options.until);
	account->calls = mask & BCOS_CLASS_KERNEL_TIME;
	account->no_calls = !account->calls;
	/* The class kernel_time requires all assignments. */
	if (mask & BCOS_CLASS_KERNEL_TIME)
		mask |= BCOS_CLASS_ASSIGN;
	for (class = 0; class < 32; class++) {
		kinds = account_loss_of_class(class);
		if (!kinds || (account->off >> class & 1) == !(mask >> class & 1))
			continue;
		account->off ^= 1u << class;
		if (account->off >> class & 1) {
			account->mask_since[class] = account->now;
			account_loss_note(account, kinds, account->now, account->now);
			if (kinds & BCOSLOG_LOST_ASSIGNMENTS)
				account_cpu_lose(account, NULL);
		} else {
			account_loss_note(account, kinds, account->mask_since[class], account->now);
			account_loss_tell(account, kinds, account->mask_since[class], account->now);
		}
	}
}

void account_gap_overtaken(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	(void)entry;
	account->totals.overtaken++;
	account_loss_note(account, LOST_ALL, account->now, account->now);
	if (account->has_threads)
		account_threads_lost(account, NULL, account->now,
				     account_loss_concerns(account, account->now, account->now));
	account_cpus_gap(account);
	account_processes_gap(account);
	account_devices_gap(account);
	account->gap = true;
	account->gap_since = account->now;
}
