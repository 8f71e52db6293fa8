// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * This file makes the choices of an exploration and runs its threads: see model.h. The simulated memory is in memory.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "memory.h"

#define STACK (256u << 10)

/* An execution with more steps than this does not end. */
#define STEPS 100000

/* The number of random executions that find out which words one thread writes and another one reads. */
#define SCOUTS 300

#define CHOICES 4096

/* A random execution interrupts a thread at one of RARITY moments at which another thread may go on. */
#define RARITY 12

struct choice {
	uint16_t chosen, options;
};

struct place {
	enum model_kind kind;
	char name[140];
};

static struct place place[64];
static int places;

static struct choice trail[CHOICES];
static int trail_length, trail_at;
static bool scouting, discarded;
static uint64_t random_state;

static const struct model_program *program;
static ucontext_t scheduler, context[MODEL_THREADS];
static char *stack[MODEL_THREADS];
static bool ended[MODEL_THREADS];
static int preemptions, steps;
static jmp_buf out;
static struct model_result result;

/* ---- places ------------------------------------------------------------------------------------------- */

int model_name(enum model_kind kind, const char *file, const char *function, int line, const char *what)
{
	static const char *const kinds[] = { "acquire", "release", "full barrier", "read barrier", "write barrier" };
	const char *base = strrchr(file, '/');
	char name[sizeof(place->name)];
	int i;

	snprintf(name, sizeof(name), "%.20s:%d %.24s(): %s %.40s", base ? base + 1 : file, line, function, kinds[kind],
		 what);
	for (i = 0; i < places; i++)
		if (!strcmp(place[i].name, name))
			return i;
	if (places == sizeof(place) / sizeof(place[0])) {
		fprintf(stderr, "model: more than %d places\n", places);
		abort();
	}
	place[places].kind = kind;
	memcpy(place[places].name, name, sizeof(name));
	return places++;
}

int model_places(void)
{
	return places;
}

const char *model_place(int number)
{
	return place[number].name;
}

enum model_kind model_kind_of(int number)
{
	return place[number].kind;
}

/* ---- choices ------------------------------------------------------------------------------------------ */

int model_choose(int options)
{
	if (options < 2)
		return 0;
	if (scouting) {
		random_state = random_state * 6364136223846793005u + 1442695040888963407u;
		return (int)((random_state >> 33) % (unsigned int)options);
	}
	if (trail_at == CHOICES)
		model_fail("an execution makes more than %d choices", CHOICES);
	if (trail_at == trail_length)
		trail[trail_length++] = (struct choice){ .chosen = 0, .options = (uint16_t)options };
	return trail[trail_at++].chosen;
}

/* Sets the choices of the next execution. Returns false if there is none. */
static bool next_choices(void)
{
	while (trail_length && trail[trail_length - 1].chosen + 1 == trail[trail_length - 1].options)
		trail_length--;
	if (!trail_length)
		return false;
	trail[trail_length - 1].chosen++;
	return true;
}

/* ---- threads ------------------------------------------------------------------------------------------ */

void model_discard(void)
{
	discarded = true;
	if (memory_thread >= 0)
		setcontext(&scheduler);
	longjmp(out, 1);
}

void model_fail(const char *format, ...)
{
	va_list arguments;

	if (!memory_keeps_promises())
		model_discard();
	result.failed = true;
	va_start(arguments, format);
	vsnprintf(result.reason, sizeof(result.reason), format, arguments);
	va_end(arguments);
	if (memory_thread >= 0)
		setcontext(&scheduler);
	longjmp(out, 1);
}

static void run_thread(void)
{
	program->thread[memory_thread]();
	memory_leave();
	ended[memory_thread] = true;
	setcontext(&scheduler);
}

/* Picks one of the threads that have not ended, other than @except, by number. Returns -1 if there is none. */
static int pick_thread(int except)
{
	int other[MODEL_THREADS], count = 0, i;

	for (i = 0; i < program->threads; i++)
		if (!ended[i] && i != except)
			other[count++] = i;
	return count ? other[model_choose(count)] : -1;
}

/* In a random execution RARITY spreads interruptions over the whole execution. */
static bool is_interrupted(void)
{
	return scouting ? !model_choose(RARITY) : model_choose(2);
}

void model_point(void)
{
	int self = memory_thread, other = -1;

	if (++steps > STEPS)
		model_fail("an execution does not end");
	if (!preemptions)
		return;
	for (int i = 0; i < program->threads && other < 0; i++)
		if (!ended[i] && i != self)
			other = i;
	if (other < 0 || !is_interrupted())
		return;
	preemptions--;
	other = pick_thread(self);
	memory_leave();
	memory_thread = other;
	memory_enter();
	swapcontext(&context[self], &context[other]);
}

static void start_threads(void)
{
	int i;

	for (i = 0; i < program->threads; i++) {
		if (!stack[i])
			stack[i] = malloc(STACK);
		if (!stack[i])
			abort();
		getcontext(&context[i]);
		context[i].uc_stack.ss_sp = stack[i];
		context[i].uc_stack.ss_size = STACK;
		context[i].uc_link = NULL;
		makecontext(&context[i], run_thread, 0);
		ended[i] = false;
	}
}

/* Runs one execution. */
static void execute_once(void)
{
	volatile int next;

	steps = 0;
	trail_at = 0;
	discarded = false;
	preemptions = program->preemptions;
	memory_begin();
	memory_thread = -1;
	if (setjmp(out))
		return;
	program->setup();
	start_threads();
	while (!result.failed && !discarded && (next = pick_thread(-1)) >= 0) {
		memory_thread = next;
		memory_enter();
		swapcontext(&scheduler, &context[next]);
	}
	memory_thread = -1;
	if (result.failed || discarded || !memory_keeps_promises())
		return;
	memory_settle();
	program->finish();
}

static void execute_at_random(uint64_t limit)
{
	uint64_t i;

	scouting = true;
	for (i = 0; i < limit && !result.failed; i++) {
		execute_once();
		result.executions++;
	}
	scouting = false;
}

struct model_result model_explore(const struct model_program *what, int off, uint64_t limit)
{
	program = what;
	memset(&result, 0, sizeof(result));
	memory_off = off;
	memory_forget();
	random_state = 1;
	/*
	 * If a place is switched off, failures are frequent, but the exploration in order may find the first one late.
	 * So random executions come first.
	 */
	execute_at_random(what->sampled || off != MODEL_ALL_ON ? limit : SCOUTS);
	trail_length = 0;
	memory_learned = false;
	while (!what->sampled && !result.failed && !result.whole && result.executions < 2 * limit) {
		execute_once();
		result.executions++;
		if (memory_learned) {
			memory_learned = false;
			trail_length = 0;
		} else if (!result.failed) {
			result.whole = !next_choices();
		}
	}
	return result;
}
