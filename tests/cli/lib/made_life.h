/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A life that a test makes by itself, for the tests of what is printed of it. */
#ifndef BCOS_TESTS_CLI_MADE_LIFE_H
#define BCOS_TESTS_CLI_MADE_LIFE_H

#include "printed.h"
#include "views/story/story.h"

#define SECOND 1000000000ull

static struct life life;
static struct life_thread told[2];
static struct life_cpu cpus[20];
static struct life_moment at_end[24];

static inline struct life_note note_of(u64 time, const char *text)
{
	return (struct life_note){ .time = time, .text = (char *)text, .length = strlen(text) };
}

static inline void add_note(struct life_notes *notes, u64 time, const char *text)
{
	notes->of[notes->count++ % LIFE_NOTES] = note_of(time, text);
}

static inline struct recent_use use_of(enum bcoslog_use use, u32 process, const char *name)
{
	struct recent_use of = { .use = use, .process = process };

	recent_name_it(&of, name, strlen(name));
	return of;
}

static inline int begin_story(void **state)
{
	memset(&life, 0, sizeof(life));
	memset(told, 0, sizeof(told));
	memset(cpus, 0, sizeof(cpus));
	memset(at_end, 0, sizeof(at_end));
	life.process = (struct bcoslog_account_process){
		.id = 10, .name = "ten", .name_length = 3, .start = SECOND, .precision = 1, .born = true,
	};
	life.told = told;
	life.cpus = cpus;
	life.at_end = at_end;
	output.used = 0;
	return 0;
}

#endif
