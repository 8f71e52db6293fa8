// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the life of a process as a page. */
#include "entry/who.h"
#include "output/output.h"
#include "page.h"
#include "story.h"

/* The precision of a begin at some unknown time since boot. */
#define SINCE_BOOT 0xFFFFFFFFu

/* The greatest number of CPUs that are named; the others are counted. */
#define CPUS_SHOWN 16

static void put_least(const struct life *life)
{
	if (life->process.at_least)
		put_literal(">=");
}

/* Return: the mark of a count of waits or stretches, of which some may be missing. */
static const char *least_of(const struct life *life, u32 lost)
{
	return life->process.lost & lost ? ">=" : "";
}

static void put_beginning(const struct life *life)
{
	struct bcoslog_parent parent;

	page_begin("began");
	if (life->process.precision == SINCE_BOOT)
		put_literal("before the log");
	else
		page_moment(life->clock, life->process.start, life->process.precision);
	if (!life->process.born && life->process.precision != SINCE_BOOT)
		put_literal(", before the log");
	if (life->parent.text && !bcoslog_parent(&parent, life->parent.text, life->parent.length)) {
		put_literal(", born of ");
		page_process(parent.process, parent.name, parent.name_length);
	}
	page_end();
}

static void put_exec(const struct life *life, const struct life_note *note)
{
	struct bcoslog_exec exec;
	unsigned int i;

	page_moment(life->clock, note->time, note->precision);
	put_char(' ');
	if (bcoslog_exec(&exec, note->text, note->length)) {
		page_quoted(note->text, note->length);
		return;
	}
	put_text(exec.path, strlen(exec.path), 0);
	if (exec.path_cut)
		put_literal("...");
	for (i = 0; i < exec.count; i++) {
		put_char(' ');
		put_quoted(exec.argument[i], strlen(exec.argument[i]));
	}
	if (exec.cut)
		put_literal("...");
	page_format(", as user %u", exec.user);
	if (!exec.cgroup)
		return;
	put_literal(" in ");
	put_text(exec.cgroup, strlen(exec.cgroup), 0);
	if (exec.cgroup_cut)
		put_literal("...");
}

static void put_execs(const struct life *life)
{
	size_t i, count = life_note_count(&life->execs);

	for (i = 0; i < count; i++) {
		page_begin(i ? "" : "runs");
		put_exec(life, life_note(&life->execs, i));
		page_end();
	}
	if (life->execs.count > count) {
		page_begin("");
		page_format("and before these %llu more", (unsigned long long)(life->execs.count - count));
		page_end();
	}
}

/* The log tells of a group at the latest when the process is in it. */
static void put_groups(const struct life *life)
{
	size_t i, count = life_note_count(&life->groups);
	const struct life_note *note;

	for (i = 0; i < count; i++) {
		note = life_note(&life->groups, i);
		page_begin(i ? "" : "in groups");
		put_text(note->text, note->length, 0);
		if (note->event)
			put_literal(" (version 1, controller cpu)");
		if (life->groups.count > 1) {
			put_literal(", at the latest since ");
			page_moment(life->clock, note->time, note->precision);
		}
		page_end();
	}
	if (life->groups.count > count) {
		page_begin("");
		page_format("and before these %llu more", (unsigned long long)(life->groups.count - count));
		page_end();
	}
	if (count && life->process.lost & LIFE_LOST_GROUPS) {
		page_begin("");
		put_literal("and perhaps others: moves are missing for some of the time");
		page_end();
	}
}

static void put_names(const struct life *life)
{
	const struct life_note *name;
	size_t i;

	for (i = 0; i < life_note_count(&life->names); i++) {
		name = life_note(&life->names, i);
		page_begin(i ? "" : "was named");
		page_quoted(name->text, name->length);
		put_literal(" until ");
		page_moment(life->clock, name->time, name->precision);
		page_end();
	}
}

static void put_cpus(const struct life *life)
{
	size_t i;

	page_begin("on CPUs");
	put_least(life);
	page_span(life->process.time);
	page_format(" in %s%llu turn%s", least_of(life, BCOSLOG_LOST_ASSIGNMENTS), (unsigned long long)life->process.turns,
		    life->process.turns == 1 ? "" : "s");
	for (i = 0; i < life->cpu_count && i < CPUS_SHOWN; i++) {
		page_format("%s CPU %u ", i ? "," : ":", life->cpus[i].id);
		put_least(life);
		page_span(life->cpus[i].time);
	}
	if (life->cpu_count > CPUS_SHOWN)
		page_format(", and %zu other%s", life->cpu_count - CPUS_SHOWN, life->cpu_count == CPUS_SHOWN + 1 ? "" : "s");
	page_end();
}

static void put_use(const struct recent_use *use)
{
	if (use->use == BCOSLOG_USE_IDLE)
		put_literal("idle");
	else if (use->use == BCOSLOG_USE_UNKNOWN)
		put_literal("unknown");
	else
		page_process(use->process, use->name, use->name_length);
}

static void put_stretch(const struct life *life, const struct stretch *stretch)
{
	if (stretch->unknown || stretch->cut)
		put_string(!stretch->cut ? "<=" : stretch->unknown ? "~" : ">=");
	page_span(stretch->end - stretch->begin);
	put_literal(" from ");
	page_time(life->clock, stretch->begin);
	put_literal(" to ");
	page_time(life->clock, stretch->end);
	page_format(", CPU %u", stretch->left);
	if (stretch->cpu != stretch->left)
		page_format(" to %u", stretch->cpu);
	if (stretch->unknown) {
		put_literal("; not all of it is in the log: it may have run for up to ");
		page_span(stretch->unknown);
		put_literal(" in between");
	}
	if (!stretch->known)
		return;
	page_format("; CPU %u meanwhile: ", stretch->left);
	put_use(&stretch->instead);
	put_string(stretch->instead.partial ? " >=" : " ");
	page_span(stretch->instead.time);
}

static void put_offs(const struct life *life)
{
	size_t i;

	for (i = 0; i < LIFE_STRETCHES && life->offs[i].end; i++) {
		page_begin(i ? "" : "off CPUs");
		put_stretch(life, &life->offs[i]);
		page_end();
	}
	if (life->off_count <= LIFE_STRETCHES)
		return;
	page_begin("");
	page_format("in all %s%llu times, %s", least_of(life, BCOSLOG_LOST_ASSIGNMENTS), (unsigned long long)life->off_count,
		    life->off_unknown ? "<=" : "");
	page_span(life->off_sum);
	page_end();
}

/* Puts the number of waits that may have been shorter, and the longest of them. */
static void put_unsure(u64 count, u64 longest)
{
	page_format("%llu time%s of which not all is in the log, at most ", (unsigned long long)count, count == 1 ? "" : "s");
	page_span(longest);
}

static void put_waits(const struct life *life)
{
	const struct waits *waits = &life->waits;

	if (!waits->count && !waits->unsure)
		return;
	page_begin("waited");
	if (!waits->count) {
		put_unsure(waits->unsure, waits->unsure_longest);
		page_end();
		return;
	}
	page_format("%s%llu time%s for a CPU, woken or preempted: ", least_of(life, LOST_WAITS),
		    (unsigned long long)waits->count, waits->count == 1 ? "" : "s");
	if (waits->unsure || waits->cut || life->process.lost & LOST_WAITS)
		put_literal("~");
	page_span(waits->sum / waits->count);
	put_literal(" on average, at most ");
	put_string(waits->longest_cut ? ">=" : least_of(life, LOST_WAITS));
	page_span(waits->longest);
	put_literal(" until ");
	page_time(life->clock, waits->longest_at);
	if (waits->unsure) {
		put_literal("; and ");
		put_unsure(waits->unsure, waits->unsure_longest);
	}
	page_end();
}

static void put_devices(const struct life *life)
{
	const struct life_device *device;
	size_t i;

	for (i = 0; i < life->device_count; i++) {
		device = &life->devices[i];
		page_begin(i ? "" : "drives");
		page_format("device 0x%08X ", device->id);
		page_quoted(device->name, device->length);
		put_literal(" since ");
		if (device->precision == SINCE_BOOT)
			put_literal("before the log");
		else
			page_moment(life->clock, device->time, device->precision);
		page_end();
	}
}

static void put_children(const struct life *life)
{
	const char *least = least_of(life, LIFE_LOST_CHILDREN);
	size_t i, count = life_note_count(&life->children);
	const struct life_note *child;

	if (!count)
		return;
	page_begin("children");
	if (life->children.count > count)
		page_format("%s%llu, of which the last ones are ", least, (unsigned long long)life->children.count);
	else if (*least)
		page_format("%s%zu: ", least, count);
	for (i = 0; i < count; i++) {
		child = life_note(&life->children, i);
		put_string(i ? ", " : "");
		page_process(child->event, child->text, child->length);
	}
	page_end();
}

static void put_requests(const struct life *life)
{
	const struct life_requests *requests = &life->requests;
	const char *least = least_of(life, BCOSLOG_LOST_REQUESTS);

	if (!requests->count)
		return;
	page_begin("disks");
	page_format("%s%llu request%s, %s%llu bytes read, %s%llu written; ", least, (unsigned long long)requests->count,
		    requests->count == 1 ? "" : "s", least, (unsigned long long)requests->read_bytes, least,
		    (unsigned long long)requests->written_bytes);
	put_string(least);
	page_span(requests->queue);
	put_literal(" in the queue, ");
	put_string(least);
	page_span(requests->device);
	put_literal(" on the device, at most ");
	put_string(least);
	page_span(requests->longest);
	put_literal(" until ");
	page_time(life->clock, requests->longest_at);
	if (requests->failures)
		page_format("; %s%llu failed", least, (unsigned long long)requests->failures);
	if (requests->untimed)
		page_format("; of %s%llu it is not known when the device got them", least, (unsigned long long)requests->untimed);
	page_end();
}

static void put_events(const struct life *life)
{
	const struct life_note *event;
	size_t i, count = life_note_count(&life->events);

	for (i = 0; i < count; i++) {
		event = life_note(&life->events, i);
		page_begin(i ? "" : "said");
		page_moment(life->clock, event->time, event->precision);
		page_format(" %s ", bcoslog_severity(event->severity));
		if (event->length)
			page_quoted(event->text, event->length);
		else
			page_format("event 0x%08X", event->event);
		page_end();
	}
	if (life->events.count > count) {
		page_begin("");
		page_format("and before these %llu more: bcoslog text --process %u",
			    (unsigned long long)(life->events.count - count), life->process.id);
		page_end();
	}
}

static void put_killer(const struct life *life)
{
	struct bcoslog_killed killed;
	const char *signal;

	if (!life->killed.text || bcoslog_killed(&killed, life->killed.text, life->killed.length))
		return;
	page_begin("killed by");
	if (killed.process == BCOS_PROCESS_KERNEL) {
		put_literal("the kernel");
	} else {
		page_process(killed.process, killed.name, killed.name_length);
		page_format(" of user %u", killed.user);
	}
	signal = bcoslog_signal(killed.signal);
	if (signal)
		page_format(", by %s", signal);
	else
		page_format(", by signal %u", killed.signal);
	page_end();
}

/* Puts the uses of the CPUs when the process ended. Idle CPUs are only counted, since a large machine has many. */
static void put_moment(const struct life *life)
{
	const struct life_moment *moment;
	size_t i, idle = 0, shown = 0;

	if (!life->at_end_count)
		return;
	page_begin("meanwhile");
	for (i = 0; i < life->at_end_count; i++) {
		moment = &life->at_end[i];
		if (moment->use.use == BCOSLOG_USE_IDLE || shown == CPUS_SHOWN) {
			idle += moment->use.use == BCOSLOG_USE_IDLE;
			continue;
		}
		page_format("%sCPU %u ", shown++ ? ", " : "", moment->cpu);
		put_use(&moment->use);
		if (moment->use.use != BCOSLOG_USE_UNKNOWN && moment->since <= life->process.end) {
			put_literal(" for ");
			page_span(life->process.end - moment->since);
		}
	}
	if (idle)
		page_format("%s%zu idle", shown ? ", " : "", idle);
	page_end();
}

static void put_end(const struct life *life)
{
	char how[64];
	struct cell cell = cell_end(&life->process, how, sizeof(how));

	page_begin("ended");
	if (life->process.vanished) {
		put_literal("unseen: the reader of the log was overtaken");
	} else if (life->process.ended) {
		page_moment(life->clock, life->process.end, life->end_precision);
		put_literal(", ");
		put_bytes(cell.text, cell.length);
	} else {
		put_literal("not in the log: it is ");
		put_bytes(cell.text, cell.length);
	}
	page_end();
	put_killer(life);
	put_moment(life);
	if (!life->process.ended)
		return;
	page_begin("see also");
	page_format("bcoslog around %llu.%09llu", (unsigned long long)(life->process.end / 1000000000),
		    (unsigned long long)(life->process.end % 1000000000));
	page_end();
}

void story_page(const struct life *life)
{
	output_format("Process %u \"", life->process.id);
	put_text(life->process.name, life->process.name_length < PAGE_TEXT ? life->process.name_length : PAGE_TEXT,
		 '"');
	output_format("\"\n");
	put_beginning(life);
	put_execs(life);
	put_groups(life);
	put_names(life);
	put_cpus(life);
	story_threads(life);
	put_offs(life);
	put_waits(life);
	put_children(life);
	put_devices(life);
	put_requests(life);
	put_events(life);
	put_end(life);
	if (!life->process.at_least)
		return;
	page_begin("unknown");
	put_literal("the log states losses while it lived: what has >= before it is at least so much, and more may have happened");
	page_end();
}
