/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The pass over a log, up to its end or to a signal. */
#ifndef BCOSLOG_PASS_H
#define BCOSLOG_PASS_H

#include "run.h"

/* Passes over the log.  Return: the exit status. */
int run_log(struct run *run);
/*
 * Passes the next batch on, or skips a damaged place, after which @status is EXIT_DAMAGE.
 * Return: 1, 0 at the end of the entries that are there now, or -1 if the pass cannot go on, with the exit status in
 * @status.
 */
int run_step(struct run *run, int *status);
/* Ends a pass by run_step().  Return: the exit status, which is @status or a greater one. */
int run_end(struct run *run, int status);
/*
 * Writes the rest of the output and closes the log.
 * Return: @status, if it is not 0; else 128 plus the signal that ended the pass, or the exit status of @run's command;
 * EXIT_ENVIRONMENT if the output cannot be written.
 */
int run_close(struct run *run, int status);

/* Complains about the damaged place at which the log is, and skips it.  Return: whether the log has more entries. */
bool run_damaged(struct run *run);
/* Counts a damaged place of the log of @run, which somebody else read and skips, and complains about it. */
void run_note_damage(struct run *run, const struct bcoslog_error *error);
/* Reports at the end the damage that no complaint named. */
void run_damage_end(struct run *run);

/*
 * Stops the recording by BPF programs of this process if a signal came. The log is lost when the process ends, so the
 * tool shows all entries up to the signal.
 * Return: true if it has stopped the recording; the caller then shows the rest of the log.
 */
bool run_stop_recording(struct run *run);

#endif
