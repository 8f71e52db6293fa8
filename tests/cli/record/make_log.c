// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * make_log [KEY=VALUE...]: writes a log of any length to standard output. It is that of a made-up machine with two
 * CPUs, whose processes take turns, die and are born. Two calls that differ only in from= and to= give parts of the
 * same log. Each part begins with a group, and another group follows after each group=N steps. The program shares no
 * code with what reads logs.
 *
 *	from=0 to=10000		which steps; one takes 10 us, and most are one entry
 *	group=2500		steps from one group to the next; 0: only the first
 *	utc=1700000000		what the wall clock showed at boot, in seconds; 0: it is not stated
 *	set=STEP,SECONDS	from this step on the wall clock is so much later; may be negative
 *	kill=STEP		a process is ended by SIGSEGV; up to 16 of these
 *	say=STEP,TEXT		process 0 says this, as an error
 *	boot=1			number of the boot
 *	host=fir		name of the machine; empty: it is not stated
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 40
#define STEP 10000ull

static struct {
	uint32_t id;
	uint64_t start;
} slots[SLOTS];

static int running[2] = { -1, -1 };	/* slot of the process that each CPU runs, or -1: idle */
static uint64_t since[2];
static uint32_t next_id = 1000;

static uint64_t from, to = 10000, every = 2500, utc = 1700000000, boot = 1, set_at = ~0ull;
static long long set_by;
static const char *host = "fir", *said;
static uint64_t kills[16], say_at = ~0ull;
static int kill_count;
static int quiet;			/* nothing is written before the first step that is wanted */

static void put_entry(uint16_t type, uint32_t source, uint64_t time, uint32_t precision, const void *body, size_t size)
{
	uint16_t whole = (uint16_t)((20 + size + 3) / 4 * 4);
	static const char zeros[4];

	if (quiet)
		return;
	fwrite(&whole, 2, 1, stdout);
	fwrite(&type, 2, 1, stdout);
	fwrite(&source, 4, 1, stdout);
	fwrite(&time, 8, 1, stdout);
	fwrite(&precision, 4, 1, stdout);
	if (size)
		fwrite(body, size, 1, stdout);
	fwrite(zeros, whole - 20 - size, 1, stdout);
}

static void say_so(uint32_t event, char severity, const char *text, uint64_t time)
{
	char body[256];

	memcpy(body, &event, 4);
	body[4] = severity;
	strcpy(body + 5, text);
	put_entry(0x0010, 0, time, 1, body, 5 + strlen(text));
}

static void say_info(uint32_t event, const char *text, uint64_t time)
{
	say_so(event, 0x40, text, time);
}

static void put_statements(uint64_t time, uint64_t step)
{
	uint64_t seconds = utc + time / 1000000000u;
	char text[200];

	if (step >= set_at)
		seconds += (uint64_t)set_by;
	snprintf(text, sizeof(text), "wall clock %llu.%09llu", (unsigned long long)seconds,
		 (unsigned long long)(time % 1000000000u));
	if (utc)
		say_info(0xC0000010, text, time);
	snprintf(text, sizeof(text), "boot 00000000-0000-4000-8000-%012llu", (unsigned long long)boot);
	if (*host)
		say_info(0xC0000011, text, time);
	snprintf(text, sizeof(text), "host %s", host);
	if (*host)
		say_info(0xC0000012, text, time);
}

static void name_of(int slot, char *name)
{
	snprintf(name, 16, "p%u", slots[slot].id % 7);
}

static void put_group(uint64_t time, uint64_t step)
{
	uint32_t core[3] = { 0, 1000, 1500 }, zero = 0, id;
	char name[16];
	int i;

	put_entry(0xA000, 0, 10, 1, core, 12);
	put_entry(0xC000, 0, 10, 1, &zero, 4);
	put_entry(0xC000, 1, 10, 1, &zero, 4);
	put_entry(0x8000, 0, 0, 0xFFFFFFFF, "kernel", 6);
	for (i = 0; i < SLOTS; i++) {
		name_of(i, name);
		put_entry(0x8000, slots[i].id, slots[i].start, 1, name, strlen(name));
	}
	put_entry(0xE000, 0xC0000000, 10, 1, "\0\0\0\0bcos_evlog", 14);
	for (i = 0; i < 2; i++) {
		id = running[i] < 0 ? 0xFFFFFFFF : slots[running[i]].id;
		put_entry(0xC002, (uint32_t)i, since[i], 1, &id, 4);
	}
	put_statements(time, step);
}

static void assign_cpu(int cpu, int slot, uint64_t time, int kernel)
{
	uint32_t id = kernel ? 0 : slot < 0 ? 0xFFFFFFFF : slots[slot].id;

	put_entry(0x4002, (uint32_t)cpu, time, 1, &id, 4);
	running[cpu] = slot;
	since[cpu] = time;
}

static void begin_anew(int slot, uint64_t time, uint32_t status)
{
	char name[16];
	int cpu;

	for (cpu = 0; cpu < 2; cpu++)
		if (running[cpu] == slot) {
			assign_cpu(cpu, slot, time, 1);
			running[cpu] = -1;
		}
	put_entry(0x0001, slots[slot].id, time, 1, &status, 4);
	for (cpu = 0; cpu < 2; cpu++)
		if (running[cpu] < 0)
			assign_cpu(cpu, -1, time, 0);
	slots[slot].id = next_id++;
	slots[slot].start = time;
	name_of(slot, name);
	put_entry(0x0000, slots[slot].id, time, 1, name, strlen(name));
}

static void make_step(uint64_t i)
{
	uint64_t time = 1000000 + i * STEP;
	int slot = (int)((i * 7 + i / 11) % SLOTS), cpu = (int)(i % 2), k;

	quiet = i < from;
	if (i == from || (every && i % every == 0))
		put_group(time, i);
	if (i == set_at && i != from)
		put_statements(time, i);
	if (i == say_at)
		say_so(0, (char)0x80, said, time);
	for (k = 0; k < kill_count; k++)
		if (i == kills[k])
			begin_anew(slot, time, 0xC000000B);
	if (i % 50 == 49)
		begin_anew((int)(i / 50 % SLOTS), time, 0);
	else
		assign_cpu(cpu, i % 3 && running[!cpu] != slot ? slot : -1, time, 0);
}

static const char *value_of(const char *argument, const char *key)
{
	size_t length = strlen(key);

	return strncmp(argument, key, length) ? NULL : argument + length;
}

int main(int argc, char **argv)
{
	const char *value;
	uint64_t i;
	int a;

	for (a = 1; a < argc; a++) {
		if ((value = value_of(argv[a], "from=")))
			from = strtoull(value, NULL, 0);
		else if ((value = value_of(argv[a], "to=")))
			to = strtoull(value, NULL, 0);
		else if ((value = value_of(argv[a], "group=")))
			every = strtoull(value, NULL, 0);
		else if ((value = value_of(argv[a], "utc=")))
			utc = strtoull(value, NULL, 0);
		else if ((value = value_of(argv[a], "boot=")))
			boot = strtoull(value, NULL, 0);
		else if ((value = value_of(argv[a], "host=")))
			host = value;
		else if ((value = value_of(argv[a], "kill=")) && kill_count < 16)
			kills[kill_count++] = strtoull(value, NULL, 0);
		else if ((value = value_of(argv[a], "say=")) && strchr(value, ',') && strlen(value) < 200) {
			say_at = strtoull(value, NULL, 0);
			said = strchr(value, ',') + 1;
		} else if ((value = value_of(argv[a], "set=")) && strchr(value, ',')) {
			set_at = strtoull(value, NULL, 0);
			set_by = atoll(strchr(value, ',') + 1);
		} else {
			fprintf(stderr, "make_log: what is %s?\n", argv[a]);
			return 2;
		}
	}
	for (a = 0; a < SLOTS; a++) {
		slots[a].id = next_id++;
		slots[a].start = 100 + (uint64_t)a;
	}
	for (i = 0; i < to; i++)
		make_step(i);
	return fflush(stdout) || ferror(stdout);
}
