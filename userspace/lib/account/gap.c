// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: the effect of a loss that the log states, of a class that goes off, and of overwritten entries. */
#include <stdlib.h>

#include "core/format/entry.h"
#include "core/format/statement_text.h"
#include "account.h"
#include "state/thread_name.h"

/* Note that the log does not tell the end of a loss. */
static void open_loss(struct bcoslog_account *account, const struct bcoslog_loss *loss)
{
	u32 kind;

	for (kind = 0; kind < LOST_KINDS; kind++)
		if (loss->lost >> kind & 1 &&
		    (!(account->open >> kind & 1) || loss->begin < account->open_since[kind]))
			account->open_since[kind] = loss->begin;
	account->open |= loss->lost;
	if (loss->end > account->open_until)
		account->open_until = loss->end;
}

/* Return: true if wake-ups of threads may be lost. The BPF engine misses switches of which the kernel does not tell, alone. */
static bool loses_wakes(const struct bcoslog_loss *loss)
{
	static const char switches[] = "told of no switch";

	return loss->lost & BCOSLOG_LOST_STATES &&
	       !(loss->reason_length && memmem(loss->reason, loss->reason_length, switches, sizeof(switches) - 1));
}

/*
 * Apply a loss, which has begun at the present time or before. The log writer keeps the newest of the assignments that
 * it loses, so the next assignment ends a loss. If the loss was stated late, the log does not tell which assignments it
 * lacks, so none of them counts before the end of the loss.
 */
static void apply_loss(struct bcoslog_account *account, const struct bcoslog_loss *loss, u32 source, bool wakes)
{
	struct cpu *cpu = table_find(&account->cpus, source);

	account->state_losses += wakes;
	if (loss->lost & BCOSLOG_LOST_LIVES)
		account_cgroups_forget(account);
	if (loss->lost & BCOSLOG_LOST_LIVES && account->ends_lost <= loss->end)
		account->ends_lost = loss->end + (loss->end != UINT64_MAX);
	account_loss_note(account, loss->lost, loss->begin, loss->end);
	if (loss->open)
		open_loss(account, loss);
	else
		account_loss_tell(account, loss->lost, loss->begin, loss->end);
	if (loss->lost & BCOSLOG_LOST_ASSIGNMENTS && cpu) {
		account_cpu_lose(account, cpu);
		cpu->public.lost |= account_loss_concerns(account, loss->begin, loss->end);
		if (loss->late && loss->end > cpu->lost_until)
			cpu->lost_until = loss->end;
		if (loss->end > cpu->stale_until)
			cpu->stale_until = loss->end;
	}
	/* A loss that names no known kind concerns all kinds, and all CPUs. */
	if (account->has_threads && loss->lost & (BCOSLOG_LOST_ASSIGNMENTS | BCOSLOG_LOST_STATES))
		account_threads_lost(account, loss->lost == LOST_ALL ? NULL : cpu, loss->end,
				     account_loss_concerns(account, loss->begin, loss->end));
}

void account_gap_stated(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct bcoslog_loss loss;

	bcoslog_loss(entry, &loss);
	account->totals.losses++;
	if (loss.lost & BCOSLOG_LOST_LIVES)
		account_cgroups_forget(account);
	if (loss.late && account->announced) {
		account->announced--;
		return;
	}
	/* The account cannot take back what it has counted since the loss began. */
	if (loss.late && loss.lost & BCOSLOG_LOST_ASSIGNMENTS && account_loss_concerns(account, loss.begin, loss.end)) {
		account->unbounded = account->now + 1;
		account_unseen_late(account, loss.begin, loss.end);
	}
	apply_loss(account, &loss, entry->source, loses_wakes(&loss));
}

int bcoslog_account_coming(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct coming *larger, coming = { .cpu = entry->source };
	size_t at, room;

	if (!bcoslog_loss(entry, &coming.loss) || !coming.loss.late)
		return 0;
	if (account->comings == account->coming_room) {
		room = account->coming_room ? 2 * account->coming_room : 16;
		larger = reallocarray(account->coming, room, sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		account->coming = larger;
		account->coming_room = room;
	}
	for (at = account->comings; at && account->coming[at - 1].loss.begin > coming.loss.begin; at--)
		;
	memmove(account->coming + at + 1, account->coming + at, (account->comings - at) * sizeof(*larger));
	coming.wakes = loses_wakes(&coming.loss);
	account->coming[at] = coming;
	account->comings++;
	account->announced++;
	return 0;
}

void account_gap_begin(struct bcoslog_account *account, u64 time)
{
	size_t i;

	for (i = 0; i < account->comings && account->coming[i].loss.begin <= time; i++)
		apply_loss(account, &account->coming[i].loss, account->coming[i].cpu, account->coming[i].wakes);
	account->comings -= i;
	memmove(account->coming, account->coming + i, account->comings * sizeof(*account->coming));
}

void account_gap_mask_changed(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	size_t length;
	const char *text = bcos_entry_text(entry, &length);
	u32 mask, class, kinds;

	if (!bcos_mask_parse(text, length, &mask))
		return;
	if (account->has_threads && !(mask & BCOS_CLASS_STATE))
		account_threads_lost(account, NULL, account->now, account->now < account->options.until);
	account_threads_recorded(account, mask & BCOS_CLASS_STATE);
	/* While the class who is off, nobody tells of moves. */
	if (account->no_who != !(mask & BCOS_CLASS_WHO))
		account_cgroups_forget(account);
	account->no_who = !(mask & BCOS_CLASS_WHO);
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
	account_cgroups_forget(account);
	account_loss_note(account, LOST_ALL, account->now, account->now);
	account->state_losses++;
	thread_names_forget(&account->thread_names, &account->memory);
	if (account->has_threads)
		account_threads_lost(account, NULL, account->now,
				     account_loss_concerns(account, account->now, account->now));
	account_cpus_gap(account);
	account_processes_gap(account);
	account_devices_gap(account);
	/* Nothing is known until the next group, also if the reader is overtaken again before. */
	if (!account->gap)
		account->gap_since = account->now;
	account->gap = true;
	account->gap_stated = account->now;
}
