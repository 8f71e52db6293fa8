/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads the rows of a part of a boot, and gives them to whoever sends them. */
#ifndef SHIP_WINDOW_H
#define SHIP_WINDOW_H

#include "row_binary.h"
#include "state.h"
#include "state/clock.h"

/**
 * struct ship_window - a part of a boot that is shipped at a time
 * @path: the recording
 * @machine: the machine, as bcoslog_set_machine() takes it
 * @machine_key: the machine in rows
 * @host: its name
 * @boot_id: the boot; NULL: the recording does not know its ID
 * @boot: what was shipped of it
 * @clock: its wall clock
 * @first: the time of the first entry that the recording has of the boot, ns since boot
 * @from: the part begins, ns since boot
 * @until: it ends, ns since boot
 * @severity: the least severity of events that are shipped
 * @without: of each table the columns that are left out, as bits
 * @context: first argument of the functions
 * @ends: reading ends with -EINTR if it returns something else than 0
 * @send: sends the rows of a table.  Return: 0 or a negative errno after a complaint
 * @slack: the time after @until up to which the recording is read, ns
 * @damaged: out: the recording is damaged
 * @lived: out: the processes that live at the end
 */
struct ship_window {
	const char *path, *machine, *machine_key, *host, *boot_id;
	struct ship_boot *boot;
	const struct bcoslog_clock *clock;
	u64 first, from, until;
	u64 severity;
	u64 without[SHIP_TABLES];
	void *context;
	int (*ends)(void *context);
	int (*send)(void *context, enum ship_table_number table, struct row_bytes *rows);
	u64 slack;
	bool damaged;
	struct ship_processes lived;
	struct row_bytes rows[SHIP_TABLES];
};

/* A row that is made, of a table. */
struct ship_row {
	enum ship_table_number table;
	struct bcoslog_value values[SHIP_COLUMNS_MAX];
};

/* Reads the window, and sends all that is in it.  Return: 0, or a negative errno after a complaint. */
int window_ship(struct ship_window *window);

/* Begins a row: the columns that all tables have. @time is that of the row, ns since boot; UINT64_MAX: it is unknown. */
void window_row(const struct ship_window *window, struct ship_row *row, enum ship_table_number table, u64 id, u64 time);
/* Sets a column by its name. */
void window_set_number(struct ship_row *row, const char *column, u64 number);
void window_set_text(struct ship_row *row, const char *column, const char *text);
/* Adds the row to those that are sent.  Return: 0, or a negative errno after a complaint. */
int window_add(struct ship_window *window, const struct ship_row *row);
/* Sends what was added and not sent yet.  Return: likewise. */
int window_send(struct ship_window *window);
/* Adds a row that says that the time from @begin to @end was never shipped. */
int window_add_deleted(struct ship_window *window, u64 begin, u64 end, bool open);
void window_free(struct ship_window *window);

#endif
