/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The oracle's parser of entries, and its state. */
#ifndef TEST_ORACLE_STATE_H
#define TEST_ORACLE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDLE 0xFFFFFFFFu
#define BUCKETS 1024

enum table { PROCESSES, CORES, CPUS, DEVICES, TABLES };

struct item {
	struct item *next;
	uint32_t id;
	bool named;
	bool stated;			/* a historical entry has stated it */
	uint64_t start;			/* time of the first entry of this incarnation */
	uint32_t precision;
	uint32_t value;			/* CPU: core; device: driver; core: entries of its table */
	char name[128];
	size_t length;
	unsigned int in_group;		/* number of the newest group that has it */
	unsigned int users;		/* core: number of its CPUs online */
	bool assigned;			/* this and the following members: CPU */
	uint32_t process;
	uint64_t assigned_at;
	unsigned int assigned_in;
};

struct oracle {
	unsigned int flags;
	struct item *tables[TABLES][BUCKETS];
	struct item *gone[TABLES][BUCKETS];	/* what was cancelled or went offline, newest first */
	uint64_t newest, newest_history;
	unsigned int groups;
	bool in_group, later_group;
	int rank;
	/* The entry that is checked now. */
	uint64_t at;
	unsigned int size, type;
	uint32_t source, precision;
	uint64_t time;
	uint32_t value;
	const char *text;
	size_t text_length;
};

/* Parses the entry at @bytes. Return: NULL, or how the entry is malformed. */
const char *parse_entry(struct oracle *o, const uint8_t *bytes, uint64_t available);

struct item *find_item(const struct oracle *o, enum table table, uint32_t id);
struct item *add_item(struct oracle *o, enum table table, uint32_t id);
/* Returns the item of this ID that ended last, or NULL. */
struct item *find_gone(const struct oracle *o, enum table table, uint32_t id);
void take_out(struct oracle *o, enum table table, struct item *item);
/* Takes over what the entry that is checked now says of an item. */
void set_item(struct oracle *o, struct item *item);
void free_items(struct oracle *o);

#endif
