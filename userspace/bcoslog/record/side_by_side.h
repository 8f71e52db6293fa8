/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shows the machines of one recorded directory together: their lines in order of the wall clock. */
#ifndef BCOSLOG_RECORD_SIDE_BY_SIDE_H
#define BCOSLOG_RECORD_SIDE_BY_SIDE_H

/* This process shows one of several machines, and calls side_by_side_key() before each line. */
extern bool beside_others;

/*
 * If the recording has several machines of which none is chosen, forks a process for each machine, and prints the lines
 * of these processes with the names of the machines. @json: each line is a JSON object.
 * Return: the exit status of the subcommand; or -1 if the subcommand shows the log itself, as it does in each of those
 * processes.
 */
int side_by_side(struct run *run, bool json);
/* Puts the key by which the next line is ordered; @time is that of its entry. */
void side_by_side_key(u64 time);

#endif
