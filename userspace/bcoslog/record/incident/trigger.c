// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The conditions of --on: see trigger.h. */
#include <regex.h>
#include <stdlib.h>

#include "account/account.h"
#include "core/format/statement_text.h"
#include "options/number.h"
#include "options/when.h"
#include "archive/format/format.h"
#include "complain/complain.h"
#include "state/table.h"
#include "trigger.h"

#define CONDITIONS 32

enum condition_kind { ON_SIGNAL, ON_SEVERITY, ON_TEXT, ON_OFFCPU, ON_LOSS, ON_USER };

struct condition {
	enum condition_kind kind;
	u32 number;			/* ON_SIGNAL: the signal, 0: any; ON_SEVERITY: the least severity */
	u64 span;			/* ON_OFFCPU: ns */
	const char *name;		/* ON_OFFCPU: name of the process, without a zero at its end; NULL: any */
	size_t length;
	regex_t regex;
};

/* A process that has no CPU. */
struct off {
	struct node node;
	u64 since;			/* ns since boot */
	bool unsure;			/* it may have lost its CPU later */
	bool unseen;			/* it may have kept its CPU: the log does not tell that it lost it */
};

/* A CPU that the log has assigned. */
struct seen_cpu {
	struct node node;
	u32 process;			/* the newest one */
	bool lost;			/* assignments were lost since then, from @lost_since on */
	u64 lost_since;
};

struct triggers {
	struct condition of[CONDITIONS];
	size_t count;
	bool offcpu, user;
	struct bcoslog_state *state;
	struct table off, cpus;
	u64 lost_until;			/* before this time assignments were lost, and a process may have run unseen */
	bool assign_off;		/* the class assign is off */
};

/* ---- conditions as users write them ------------------------------------------------ */

static int refuse_condition(const char *text)
{
	complain("--on takes signal, signal:SIGSEGV, severity>=error, text:REGEX, offcpu>50ms, offcpu:NAME>50ms, loss or "
		 "SIGUSR1, not \"%s\"", text);
	return -1;
}

static int add_signal(struct condition *condition, const char *text)
{
	u32 number;

	condition->kind = ON_SIGNAL;
	if (!*text)
		return 0;
	for (number = 1; number < 128; number++) {
		const char *name = bcoslog_signal(number);

		if (name && !strcmp(name, text + 1))
			condition->number = number;
	}
	return *text == ':' && condition->number ? 0 : -1;
}

static int add_severity(struct condition *condition, const char *text)
{
	u64 number;
	u32 i;

	condition->kind = ON_SEVERITY;
	for (i = 0; i < 4; i++) {
		if (!strcmp(bcoslog_severity((u8)(i << 6)), text)) {
			condition->number = i << 6;
			return 0;
		}
	}
	if (parse_number("--on severity>=", text, 255, &number))
		return -2;
	condition->number = (u32)number;
	return 0;
}

static int add_text(struct condition *condition, const char *text)
{
	char reason[200];
	int r = regcomp(&condition->regex, text, REG_EXTENDED | REG_NOSUB);

	condition->kind = ON_TEXT;
	if (!r)
		return 0;
	regerror(r, &condition->regex, reason, sizeof(reason));
	complain("--on text:%s is no regular expression: %s", text, reason);
	return -2;
}

static int add_offcpu(struct condition *condition, const char *text)
{
	const char *above = strrchr(text, '>');

	condition->kind = ON_OFFCPU;
	if (!above || (above != text && (*text != ':' || above == text + 1)))
		return -1;
	if (above != text) {
		condition->name = text + 1;
		condition->length = (size_t)(above - text - 1);
	}
	return parse_duration("--on offcpu>", above + 1, &condition->span) ? -2 : 0;
}

static bool begins_with(const char *text, const char *words, const char **rest)
{
	size_t length = strlen(words);

	*rest = text + length;
	return !strncmp(text, words, length);
}

static int parse_condition(struct condition *condition, const char *text)
{
	const char *rest;

	if (begins_with(text, "severity>=", &rest))
		return add_severity(condition, rest);
	if (begins_with(text, "text:", &rest))
		return add_text(condition, rest);
	if (begins_with(text, "offcpu", &rest))
		return add_offcpu(condition, rest);
	if (begins_with(text, "signal", &rest))
		return add_signal(condition, rest);
	condition->kind = ON_LOSS;
	if (!strcmp(text, "loss"))
		return 0;
	condition->kind = ON_USER;
	return strcmp(text, "SIGUSR1") ? -1 : 0;
}

static struct triggers *triggers_new(void)
{
	struct triggers *triggers = calloc(1, sizeof(*triggers));

	if (!triggers)
		return NULL;
	triggers->state = bcoslog_state_new();
	if (triggers->state && !table_init(&triggers->off)) {
		if (!table_init(&triggers->cpus))
			return triggers;
		table_destroy(&triggers->off, node_free);
	}
	bcoslog_state_free(triggers->state);
	free(triggers);
	return NULL;
}

int triggers_add(struct triggers **result, const char *text)
{
	struct triggers *triggers = *result ? *result : triggers_new();
	int r;

	if (!triggers) {
		complain("no memory");
		return -1;
	}
	*result = triggers;
	if (triggers->count == CONDITIONS) {
		complain("--on can be given %d times, and not more", CONDITIONS);
		return -1;
	}
	r = parse_condition(triggers->of + triggers->count, text);
	if (r)
		return r == -1 ? refuse_condition(text) : -1;
	triggers->offcpu |= triggers->of[triggers->count].kind == ON_OFFCPU;
	triggers->user |= triggers->of[triggers->count].kind == ON_USER;
	triggers->count++;
	return 0;
}

void triggers_free(struct triggers *triggers)
{
	size_t i;

	if (!triggers)
		return;
	for (i = 0; i < triggers->count; i++)
		if (triggers->of[i].kind == ON_TEXT)
			regfree(&triggers->of[i].regex);
	bcoslog_state_free(triggers->state);
	table_destroy(&triggers->off, node_free);
	table_destroy(&triggers->cpus, node_free);
	free(triggers);
}

bool triggers_have_signal(const struct triggers *triggers)
{
	return triggers && triggers->user;
}

/* ---- entries ---------------------------------------------------------------------- */

/*
 * Writes a cause such as "signal-SIGSEGV-sh". A user who starts a process chooses its name, and the cause becomes a part of
 * a file's name, a complaint and an argument of a command, so it has no characters but those of archive_name_word().
 */
static void put_cause(char *cause, const char *what, const char *more, const struct bcoslog_process *process)
{
	char text[TRIGGER_CAUSE];

	snprintf(text, sizeof(text), "%s%s%s%s%.*s", what, more ? "-" : "", more ? more : "", process ? "-" : "",
		 process ? (int)process->name_length : 0, process ? process->name : "");
	archive_name_word(cause, TRIGGER_CAUSE, text);
}

static bool is_signal(const struct triggers *triggers, const struct condition *condition,
		      const struct bcos_entry *entry, char *cause)
{
	char text[16];
	u32 value;

	if (entry->type != BCOS_CANCEL_PROCESS_NAME ||
	    bcoslog_status_end(((const struct bcos_cancel_name *)entry)->status, &value) == BCOSLOG_EXITED || !value ||
	    (condition->number && condition->number != value))
		return false;
	snprintf(text, sizeof(text), "%u", value);
	put_cause(cause, "signal", bcoslog_signal(value) ? bcoslog_signal(value) : text,
		  bcoslog_process(triggers->state, entry->source));
	return true;
}

static bool is_severe(const struct condition *condition, const struct bcos_entry *entry, char *cause)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;

	if (!bcoslog_is_generic(entry->type) || event->severity < condition->number || bcoslog_is_statement(entry))
		return false;
	put_cause(cause, "severity", bcoslog_severity(event->severity), NULL);
	return true;
}

static bool is_text(const struct condition *condition, const struct bcos_entry *entry, char *cause)
{
	char text[BCOS_EVENT_TEXT_MAX + 1];
	size_t length = 0;
	const char *said = bcoslog_is_generic(entry->type) ? bcoslog_text(entry, &length) : NULL;

	if (!said || bcoslog_is_statement(entry))
		return false;
	if (length > BCOS_EVENT_TEXT_MAX)
		length = BCOS_EVENT_TEXT_MAX;
	memcpy(text, said, length);
	text[length] = 0;
	put_cause(cause, "text", NULL, NULL);
	return !regexec(&condition->regex, text, 0, NULL, 0);
}

/* Return: true if assignments were lost while the process had no CPU. */
static bool is_unsure(const struct triggers *triggers, const struct off *off)
{
	return off->unsure || off->since < triggers->lost_until;
}

/*
 * Return: the process that gets a CPU after it had none, or NULL. A historical entry tells of a process that got one
 * where assignments were lost.
 */
static const struct off *back_from_off(const struct triggers *triggers, const struct bcos_entry *entry)
{
	const struct seen_cpu *cpu;
	const struct off *off;

	if ((entry->type & ~BCOS_TYPE_HISTORICAL) != BCOS_ASSIGN_CPU)
		return NULL;
	off = table_find(&triggers->off, ((const struct bcos_assign_cpu *)entry)->process);
	if (!off || (entry->type & BCOS_TYPE_HISTORICAL && !is_unsure(triggers, off)))
		return NULL;
	cpu = table_find(&triggers->cpus, entry->source);
	return off->unseen && cpu && cpu->process == off->node.id ? NULL : off;
}

static bool is_off(const struct triggers *triggers, const struct condition *condition, const struct bcos_entry *entry,
		   char *cause)
{
	const struct off *off = back_from_off(triggers, entry);
	const struct bcoslog_process *process;

	if (!off || entry->time <= off->since || entry->time - off->since <= condition->span)
		return false;
	process = bcoslog_process(triggers->state, off->node.id);
	if (condition->name && (!process || process->name_length != condition->length ||
				memcmp(process->name, condition->name, condition->length)))
		return false;
	put_cause(cause, "offcpu", is_unsure(triggers, off) ? "perhaps" : NULL, process);
	return true;
}

static bool condition_holds(const struct triggers *triggers, const struct condition *condition,
			    const struct bcos_entry *entry, char *cause)
{
	switch (condition->kind) {
	case ON_SIGNAL:
		return is_signal(triggers, condition, entry, cause);
	case ON_SEVERITY:
		return is_severe(condition, entry, cause);
	case ON_TEXT:
		return is_text(condition, entry, cause);
	case ON_OFFCPU:
		return is_off(triggers, condition, entry, cause);
	case ON_LOSS:
		put_cause(cause, "loss", NULL, NULL);
		return bcoslog_is_loss(entry) || bcoslog_is_missed(entry);
	default:
		return false;
	}
}

static void forget_off(struct triggers *triggers, u32 id)
{
	struct node *node = table_find(&triggers->off, id);

	if (!node)
		return;
	table_remove(&triggers->off, node);
	free(node);
}

/* Remembers a process that has no CPU since a time. If there is no memory, the condition does not hold for it. */
static void add_off(struct triggers *triggers, u32 id, u64 since, bool unsure, bool unseen)
{
	struct off *off;

	if (id == BCOS_PROCESS_IDLE || id == BCOS_PROCESS_KERNEL || table_find(&triggers->off, id))
		return;
	off = calloc(1, sizeof(*off));
	if (!off)
		return;
	*off = (struct off){ .node.id = id, .since = since, .unsure = unsure, .unseen = unseen };
	if (table_add(&triggers->off, &off->node))
		free(off);
}

/* Notes that from @time on nothing is known of any CPU. */
static void lose_cpus(struct triggers *triggers, u64 time)
{
	struct node **cpus = table_sorted(&triggers->cpus);
	u32 i;

	for (i = 0; cpus && i < triggers->cpus.count; i++)
		add_off(triggers, ((struct seen_cpu *)cpus[i])->process, time, true, true);
	free(cpus);
	/* Also what happened at that very time may be followed by something that is lost. */
	if (time >= triggers->lost_until && time < UINT64_MAX)
		triggers->lost_until = time + 1;
}

static void learn_mask(struct triggers *triggers, const struct bcos_entry *entry)
{
	size_t length;
	const char *text = bcoslog_text(entry, &length);
	u32 mask;
	bool off;

	if (!bcos_mask_parse(text, length, &mask))
		return;
	/* The class kernel_time requires all assignments. */
	off = !(mask & (BCOS_CLASS_ASSIGN | BCOS_CLASS_KERNEL_TIME));
	if (off && !triggers->assign_off)
		lose_cpus(triggers, entry->time);
	triggers->assign_off = off;
}

/* Learns where the log lacks assignments. */
static void learn_loss(struct triggers *triggers, const struct bcos_entry *entry)
{
	struct seen_cpu *cpu;
	struct bcoslog_loss loss;

	if (bcoslog_is_missed(entry))
		lose_cpus(triggers, entry->time);
	if (entry->type != BCOS_GENERIC_CPU)
		return;
	if (((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MASK)
		learn_mask(triggers, entry);
	if (!bcoslog_loss(entry, &loss) || !(loss.lost & BCOSLOG_LOST_ASSIGNMENTS))
		return;
	if (loss.end > triggers->lost_until)
		triggers->lost_until = loss.end;
	cpu = table_find(&triggers->cpus, entry->source);
	if (!cpu)
		return;
	if (!cpu->lost || loss.begin < cpu->lost_since)
		cpu->lost_since = loss.begin;
	cpu->lost = true;
}

/* Return: the CPU of an assignment; NULL if there is no memory. */
static struct seen_cpu *see_cpu(struct triggers *triggers, u32 id)
{
	struct seen_cpu *cpu = table_find(&triggers->cpus, id);

	if (cpu)
		return cpu;
	cpu = calloc(1, sizeof(*cpu));
	if (!cpu)
		return NULL;
	cpu->node.id = id;
	if (!table_add(&triggers->cpus, &cpu->node))
		return cpu;
	free(cpu);
	return NULL;
}

/* Remembers processes that lose their last CPU, and forgets those that get one. */
static void learn_assignment(struct triggers *triggers, const struct bcos_entry *entry)
{
	u32 next = ((const struct bcos_assign_cpu *)entry)->process;
	struct seen_cpu *seen = see_cpu(triggers, entry->source);
	const struct bcoslog_cpu *cpu = bcoslog_cpu(triggers->state, entry->source);
	const struct bcoslog_process *process;
	bool lost = seen && seen->lost && !(entry->type & BCOS_TYPE_HISTORICAL);

	forget_off(triggers, next);
	if (seen) {
		seen->process = next;
		seen->lost &= !lost;
	}
	if (entry->type & BCOS_TYPE_HISTORICAL || !cpu || !cpu->assigned || cpu->process == next)
		return;
	/* The process still has a CPU if another thread of it runs. */
	process = bcoslog_process(triggers->state, cpu->process);
	if (process && process->cpus == 1)
		add_off(triggers, process->id, lost ? seen->lost_since : entry->time, lost, false);
}

static void learn_off(struct triggers *triggers, const struct bcos_entry *entry)
{
	const struct off *off;

	switch (entry->type) {
	case BCOS_CANCEL_PROCESS_NAME:
	case BCOS_SET_PROCESS_NAME:
		forget_off(triggers, entry->source);
		break;
	case BCOS_HIST_SET_PROCESS_NAME:
		/* Another process got the ID where the end of the former one was lost. */
		off = table_find(&triggers->off, entry->source);
		if (off && entry->time > off->since)
			forget_off(triggers, entry->source);
		break;
	case BCOS_ASSIGN_CPU:
	case BCOS_HIST_ASSIGN_CPU:
		learn_assignment(triggers, entry);
		break;
	}
}

bool triggers_entry(struct triggers *triggers, const struct bcos_entry *entry, char *cause)
{
	bool found = false;
	size_t i;

	if (triggers->offcpu)
		learn_loss(triggers, entry);
	for (i = 0; i < triggers->count && !found; i++)
		if (!(entry->type & BCOS_TYPE_HISTORICAL) || triggers->of[i].kind == ON_OFFCPU)
			found = condition_holds(triggers, triggers->of + i, entry, cause);
	if (triggers->offcpu)
		learn_off(triggers, entry);
	/* The result is ignored: without memory a cause lacks a name. */
	if (triggers->offcpu || (entry->type & ~BCOS_TYPE_HISTORICAL) != BCOS_ASSIGN_CPU)
		bcoslog_state_apply(triggers->state, entry);
	return found;
}

void triggers_forget(struct triggers *triggers)
{
	bcoslog_state_forget(triggers->state);
	table_clear(&triggers->off, node_free);
	table_clear(&triggers->cpus, node_free);
}
