// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include "churn.h"

static u32 roll_dice(struct churn *churn, u32 sides)
{
	return (u32)(next_random(&churn->seed) >> 16) % sides;
}

static void emit_record(struct churn *churn, u32 cpu, struct feed_record record)
{
	/* A fifth of all records has the time of the previous record. */
	if (roll_dice(churn, 5))
		churn->time += 1 + roll_dice(churn, 50);
	churn->count[record.raw.kind]++;
	churn->emit(churn->context, cpu, churn->time, record);
	/* A record of this class is always older than the next record. */
	if (bcos_raw_class(record.raw.kind) == BCOS_LOSS_LIFE)
		churn->time++;
}

static u32 running_cpu(struct churn *churn)
{
	u32 cpu = roll_dice(churn, churn->cpus);

	while (!churn->cpu[cpu].online)
		cpu = (cpu + 1) % churn->cpus;
	return cpu;
}

static void random_name(struct churn *churn, char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz/:-";
	u32 length = roll_dice(churn, BCOS_RAW_NAME), i;

	memset(name, 0, BCOS_RAW_NAME);
	for (i = 0; i < length; i++)
		name[i] = letters[roll_dice(churn, sizeof(letters) - 1)];
	/* Some names end with an incomplete UTF-8 character. */
	if (length && !roll_dice(churn, 20))
		name[length - 1] = (char)0xC3;
}

static struct feed_record record_of(const struct churn_life *life, u8 kind, u32 status)
{
	bool named = kind == BCOS_RAW_BIRTH || kind == BCOS_RAW_HELPER || kind == BCOS_RAW_EXEC ||
		     kind == BCOS_RAW_RENAME;

	return record_life(kind, life->id, 0, life->tag, status, named ? life->name : NULL);
}

static void hide_life(struct churn *churn, const struct churn_life *life)
{
	u32 cpu;

	for (cpu = 0; cpu < churn->cpus; cpu++)
		if (churn->cpu[cpu].online && churn->cpu[cpu].shown == life->id && !life->hidden)
			churn->cpu[cpu].shown = BCOS_PROCESS_KERNEL;
}

/*
 * Creates a process in a free place of the table. Its ID is free, or belongs to a process whose last switch is still to
 * come.
 */
static struct churn_life *create_life(struct churn *churn)
{
	u32 place = roll_dice(churn, churn->lives), id = 1 + roll_dice(churn, churn->ids);
	struct churn_life *life, *other;

	while (churn->life[place].alive)
		place = (place + 1) % churn->lives;
	while (churn->by_id[id] && !churn->life[churn->by_id[id] - 1].exited)
		id = id % churn->ids + 1;
	life = &churn->life[place];
	if (churn->by_id[id]) {
		other = &churn->life[churn->by_id[id] - 1];
		hide_life(churn, other);
		other->reborn = true;
	}
	*life = (struct churn_life){ .id = id, .tag = ++churn->tag, .alive = true };
	life->hidden = !roll_dice(churn, 10);
	random_name(churn, life->name);
	churn->by_id[id] = place + 1;
	churn->live++;
	return life;
}

static void be_born(struct churn *churn)
{
	struct feed_record record;
	struct churn_life *life;

	if (churn->live + CHURN_CPUS >= churn->lives)
		return;
	life = create_life(churn);
	record = record_of(life, life->hidden ? BCOS_RAW_HELPER : BCOS_RAW_BIRTH, 0);
	/* Half of the births name a parent, which may be a process that does not exist. */
	if (life->tag & 1) {
		record.raw.aux = BCOS_RAW_PARENT;
		record.life.status = life->tag / 2 % churn->ids;
	}
	emit_record(churn, running_cpu(churn), record);
}

static struct churn_life *pick_life(struct churn *churn)
{
	u32 place = roll_dice(churn, churn->lives), i;

	for (i = 0; i < churn->lives; i++, place = (place + 1) % churn->lives)
		if (churn->life[place].alive && !churn->life[place].exited)
			return &churn->life[place];
	return NULL;
}

static void do_switch(struct churn *churn, u32 cpu, u32 next)
{
	struct churn_life *life = next < CHURN_KERNEL ? &churn->life[next] : NULL;
	u32 id = life ? life->id : next == CHURN_IDLE ? BCOS_PROCESS_IDLE : BCOS_PROCESS_KERNEL;

	/* The probe stages the kernel in the place of a process whose last thread has begun to exit. */
	if (life && life->exited)
		id = BCOS_PROCESS_KERNEL;
	churn->cpu[cpu].runs = next;
	churn->cpu[cpu].shown = life && life->hidden ? BCOS_PROCESS_KERNEL : id;
	emit_record(churn, cpu, record_plain(BCOS_RAW_SWITCH, id, 0));
}

static void bury_life(struct churn *churn, u32 cpu, u32 place)
{
	struct churn_life *life = &churn->life[place];

	if (!life->reborn) {
		hide_life(churn, life);
		churn->by_id[life->id] = 0;
	}
	emit_record(churn, cpu, record_of(life, BCOS_RAW_DEAD, 3 << 8));
	life->alive = false;
	churn->live--;
	if (churn->cpu[cpu].runs == place)
		do_switch(churn, cpu, CHURN_IDLE);
}

/* Lets a process exit. Its last switch comes now or later, perhaps when another process has its ID already. */
static void end_life(struct churn *churn)
{
	struct churn_life *life = pick_life(churn);
	u32 cpu = running_cpu(churn), place, other;

	if (!life)
		return;
	place = (u32)(life - churn->life);
	for (other = 0; other < churn->cpus; other++)
		if (churn->cpu[other].online && churn->cpu[other].runs == place && other != cpu)
			do_switch(churn, other, CHURN_IDLE);
	other = churn->cpu[cpu].runs;
	if (other < CHURN_KERNEL && churn->life[other].exited)
		bury_life(churn, cpu, other);
	if (churn->cpu[cpu].runs != place)
		do_switch(churn, cpu, place);
	life->exited = true;
	emit_record(churn, cpu, record_of(life, BCOS_RAW_EXIT, 3 << 8));
	if (roll_dice(churn, 3))
		bury_life(churn, cpu, place);
}

static void bury_one(struct churn *churn)
{
	u32 cpu, place;

	for (cpu = 0; cpu < churn->cpus; cpu++) {
		place = churn->cpu[cpu].runs;
		if (churn->cpu[cpu].online && place < CHURN_KERNEL && churn->life[place].exited) {
			bury_life(churn, cpu, place);
			return;
		}
	}
}

static void switch_process(struct churn *churn)
{
	u32 cpu = running_cpu(churn), place = churn->cpu[cpu].runs;
	struct churn_life *life;

	/* A process that has exited leaves the CPU by its last switch. */
	if (place < CHURN_KERNEL && churn->life[place].exited) {
		bury_life(churn, cpu, place);
		return;
	}
	switch (roll_dice(churn, 6)) {
	case 0:
		do_switch(churn, cpu, CHURN_IDLE);
		break;
	case 1:
		do_switch(churn, cpu, CHURN_KERNEL);
		break;
	default:
		life = pick_life(churn);
		if (life)
			do_switch(churn, cpu, (u32)(life - churn->life));
	}
}

static void take_name(struct churn *churn, u8 kind)
{
	struct churn_life *life = pick_life(churn);
	u32 place, cpu, at = running_cpu(churn);

	if (!life)
		return;
	random_name(churn, life->name);
	place = (u32)(life - churn->life);
	if (kind == BCOS_RAW_EXEC) {
		life->hidden = false;
		for (cpu = 0; cpu < churn->cpus; cpu++)
			if (churn->cpu[cpu].online && churn->cpu[cpu].runs == place)
				churn->cpu[cpu].shown = life->id;
	}
	emit_record(churn, at, record_of(life, kind, 0));
}

static void plug_cpu(struct churn *churn)
{
	u32 cpu = 1 + roll_dice(churn, churn->cpus - 1), place = churn->cpu[cpu].runs;

	if (!churn->cpu[cpu].online) {
		churn->cpu[cpu].online = true;
		do_switch(churn, cpu, CHURN_KERNEL);
		return;
	}
	if (place < CHURN_KERNEL && churn->life[place].exited)
		bury_life(churn, cpu, place);
	churn->cpu[cpu].online = false;
	churn->cpu[cpu].runs = CHURN_IDLE;
	emit_record(churn, running_cpu(churn), record_plain(BCOS_RAW_CPU_DOWN, cpu, 0));
}

static void raise_interrupt(struct churn *churn)
{
	u32 line = roll_dice(churn, 12);
	char name[32];

	snprintf(name, sizeof(name), "line %u", line / (1 + roll_dice(churn, 2)));
	if (roll_dice(churn, 20))
		emit_record(churn, running_cpu(churn), record_plain(BCOS_RAW_IRQ, line, (u16)(line & 3)));
	else
		emit_record(churn, running_cpu(churn), record_irq(line, line > 8, (u16)(line & 3), name));
}

void churn_step(struct churn *churn)
{
	u32 roll = roll_dice(churn, 100);

	if (roll < 4)
		churn->live < churn->target + churn->target / 8 + 2 ? be_born(churn) : end_life(churn);
	else if (roll < 8)
		churn->live > churn->target - churn->target / 8 ? end_life(churn) : be_born(churn);
	else if (roll < 10)
		take_name(churn, roll_dice(churn, 2) ? BCOS_RAW_EXEC : BCOS_RAW_RENAME);
	else if (roll < 12)
		bury_one(churn);
	else if (roll < 13 && churn->hotplug && !roll_dice(churn, 4))
		plug_cpu(churn);
	else if (roll < 30 && churn->interrupts)
		raise_interrupt(churn);
	else
		switch_process(churn);
}

void churn_settle(struct churn *churn)
{
	u32 cpu, place;

	for (cpu = 0; cpu < churn->cpus; cpu++) {
		place = churn->cpu[cpu].runs;
		if (!churn->cpu[cpu].online)
			continue;
		if (place < CHURN_KERNEL && churn->life[place].exited)
			bury_life(churn, cpu, place);
		do_switch(churn, cpu, CHURN_IDLE);
	}
}

void churn_init(struct churn *churn, u64 seed, u32 cpus, u32 target)
{
	u32 cpu;

	memset(churn, 0, sizeof(*churn));
	churn->seed = seed;
	churn->cpus = cpus;
	churn->target = target;
	churn->time = 2000;
	churn->lives = 2 * target + 4 * CHURN_CPUS;
	churn->ids = churn->lives;
	churn->life = calloc(churn->lives, sizeof(*churn->life));
	churn->by_id = calloc(churn->ids + 1, sizeof(*churn->by_id));
	if (!churn->life || !churn->by_id)
		abort();
	for (cpu = 0; cpu < cpus; cpu++) {
		churn->cpu[cpu].online = true;
		churn->cpu[cpu].runs = CHURN_IDLE;
		churn->cpu[cpu].shown = BCOS_PROCESS_IDLE;
	}
}

void churn_free(struct churn *churn)
{
	free(churn->life);
	free(churn->by_id);
}

void churn_populate(struct churn *churn, u32 count)
{
	while (churn->live < count)
		create_life(churn)->hidden = false;
}

u32 churn_walk(const struct churn *churn, struct bcos_seen *seen)
{
	u32 place, n = 0;

	for (place = 0; place < churn->lives; place++) {
		const struct churn_life *life = &churn->life[place];

		/* A walk skips processes without a live thread. */
		if (!life->alive || life->exited)
			continue;
		seen[n] = (struct bcos_seen){ .id = life->id, .tag = life->tag, .start = 500, .hidden = life->hidden };
		memcpy(seen[n].name, life->name, BCOS_RAW_NAME);
		n++;
	}
	return n;
}

const char *churn_compare(const struct churn *churn, const struct bcos_model *model)
{
	static char text[200];
	const struct bcos_link *link;
	u32 place, cpu, live = 0;

	for (place = 0; place < churn->lives; place++) {
		const struct churn_life *life = &churn->life[place];
		const struct bcos_process *process = bcos_model_process(model, life->id);

		if (!life->alive || life->reborn)
			continue;
		live++;
		if (process && process->tag == life->tag && process->hidden == life->hidden)
			continue;
		snprintf(text, sizeof(text), "process %u (%s): tag %u, hidden %d; in the model tag %u, hidden %d",
			 life->id,
			 life->name, life->tag, life->hidden, process ? process->tag : 0,
			 process ? process->hidden : 0);
		return text;
	}
	for (link = model->recent.next; link != &model->recent; link = link->next) {
		const struct bcos_process *process = (const struct bcos_process *)link;

		place = process->id <= churn->ids ? churn->by_id[process->id] : 0;
		if (!process->id || (place && churn->life[place - 1].tag == process->tag))
			continue;
		snprintf(text, sizeof(text), "process %u, tag %u, start %llu is in the model but dead", process->id,
			 process->tag, (unsigned long long)process->start);
		return text;
	}
	if (model->process_count != live + 1) {
		snprintf(text, sizeof(text), "%u processes live, %u in the model", live + 1, model->process_count);
		return text;
	}
	for (cpu = 0; cpu < churn->cpus; cpu++) {
		if (model->cpus[cpu].online != churn->cpu[cpu].online)
			return model->cpus[cpu].online ? "a CPU is online that should not be" : "a CPU is not online";
		if (!churn->cpu[cpu].online || !model->cpus[cpu].assigned)
			continue;
		if (model->cpus[cpu].process != churn->cpu[cpu].shown) {
			snprintf(text, sizeof(text), "CPU %u shows %x instead of %x", cpu, model->cpus[cpu].process,
				 churn->cpu[cpu].shown);
			return text;
		}
	}
	return NULL;
}
