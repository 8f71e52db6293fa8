/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The lines of several machines in one recorded directory, side by side in order of the wall clock. */
#ifndef BCOSLOG_RECORD_SIDE_BY_SIDE_H
#define BCOSLOG_RECORD_SIDE_BY_SIDE_H

#include "command.h"

/* This process shows one of several machines, and side_by_side_key() comes before each line. */
extern bool beside_others;

/*
 * If the recording has several machines of which none is chosen, a process for each of them shows it, and this one prints
 * their lines, with the names of the machines. @json: a line is an object.
 * Return: -1: the command goes on, as it also does in such a process; else its exit status.
 */
int side_by_side(struct run *run, bool json);
/* Gives the place of the next line: the time of its entry. */
void side_by_side_key(u64 time);

#endif
