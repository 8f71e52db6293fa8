// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The conditions of --on: see trigger.h. */
#include <regex.h>
#include <stdlib.h>

#include "options/number.h"
#include "options/when.h"
#include "output/complain.h"
#include "record/store/kept.h"
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
};

struct triggers {
	struct condition of[CONDITIONS];
	size_t count;
	bool offcpu, user;
	struct bcoslog_state *state;
	struct table off;
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
	if (triggers->state && !table_init(&triggers->off))
		return triggers;
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
	free(triggers);
}

bool triggers_have_signal(const struct triggers *triggers)
{
	return triggers && triggers->user;
}

/* ---- entries ---------------------------------------------------------------------- */

/*
 * Writes a cause such as "signal-SIGSEGV-sh". Whoever starts a process chooses its name, and the cause becomes a part of
 * a file's name, a complaint and an argument of a command, so it has no characters but those of kept_word().
 */
static void put_cause(char *cause, const char *what, const char *more, const struct bcoslog_process *process)
{
	char text[TRIGGER_CAUSE];

	snprintf(text, sizeof(text), "%s%s%s%s%.*s", what, more ? "-" : "", more ? more : "", process ? "-" : "",
		 process ? (int)process->name_length : 0, process ? process->name : "");
	kept_word(cause, TRIGGER_CAUSE, text);
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

/* Return: the ns for which the process that gets a CPU had none, or 0 if they are unknown. */
static u64 off_for(const struct triggers *triggers, const struct bcos_entry *entry)
{
	const struct off *off;

	if (entry->type != BCOS_ASSIGN_CPU)
		return 0;
	off = table_find(&triggers->off, ((const struct bcos_assign_cpu *)entry)->process);
	return off && entry->time > off->since ? entry->time - off->since : 0;
}

static bool is_off(const struct triggers *triggers, const struct condition *condition, const struct bcos_entry *entry,
		   char *cause)
{
	const struct bcoslog_process *process;

	if (off_for(triggers, entry) <= condition->span)
		return false;
	process = bcoslog_process(triggers->state, ((const struct bcos_assign_cpu *)entry)->process);
	if (condition->name && (!process || process->name_length != condition->length ||
				memcmp(process->name, condition->name, condition->length)))
		return false;
	put_cause(cause, "offcpu", NULL, process);
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

/* Remembers processes that lose their last CPU, and forgets those that get one. */
static void learn_off(struct triggers *triggers, const struct bcos_entry *entry)
{
	const struct bcoslog_cpu *cpu;
	const struct bcoslog_process *process;
	struct off *off;

	if (entry->type == BCOS_CANCEL_PROCESS_NAME || entry->type == BCOS_SET_PROCESS_NAME)
		forget_off(triggers, entry->source);
	if (entry->type != BCOS_ASSIGN_CPU)
		return;
	forget_off(triggers, ((const struct bcos_assign_cpu *)entry)->process);
	cpu = bcoslog_cpu(triggers->state, entry->source);
	if (!cpu || !cpu->assigned || cpu->process == BCOS_PROCESS_IDLE || cpu->process == BCOS_PROCESS_KERNEL ||
	    cpu->process == ((const struct bcos_assign_cpu *)entry)->process)
		return;
	/* The process still has a CPU if another thread of it runs. */
	process = bcoslog_process(triggers->state, cpu->process);
	if (!process || process->cpus != 1 || table_find(&triggers->off, process->id))
		return;
	off = calloc(1, sizeof(*off));
	if (!off)
		return;
	off->node.id = process->id;
	off->since = entry->time;
	/* If there is no memory, the condition does not hold for this process. */
	if (table_add(&triggers->off, &off->node))
		free(off);
}

bool triggers_entry(struct triggers *triggers, const struct bcos_entry *entry, char *cause)
{
	bool found = false;
	size_t i;

	if (bcoslog_is_missed(entry))
		table_clear(&triggers->off, node_free);
	for (i = 0; i < triggers->count && !found && !(entry->type & BCOS_TYPE_HISTORICAL); i++)
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
}
