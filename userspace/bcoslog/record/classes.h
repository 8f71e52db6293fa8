/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The classes of events that bcoslog record keeps: BPF programs begin with them, and the module is asked for them. */
#ifndef BCOSLOG_RECORD_CLASSES_H
#define BCOSLOG_RECORD_CLASSES_H

#include "options/session.h"

struct bcoslog;

/**
 * classes_choose() - choose what a recorder keeps
 * @session: whose options may name the classes; BPF programs record them then
 * @path: the log; for the device the module may be asked for the classes, so that --classes is no option of BPF programs alone
 *
 * Return: the classes
 */
u32 classes_choose(struct session *session, const char *path);

/**
 * classes_turn_on() - have the module record classes
 * @log: the log; if it is not the device, nothing happens
 * @wanted: classes, of which some may be on
 *
 * Complains if that is not possible, which is no reason not to record the others.
 *
 * Return: the classes that were off, and are on now
 */
u32 classes_turn_on(struct bcoslog *log, u32 wanted);

/* Has the module no longer record these classes, which classes_turn_on() turned on. */
void classes_turn_off(u32 classes);

#endif
