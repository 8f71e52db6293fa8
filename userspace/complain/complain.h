/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Complaints on standard error, of the tool and the converters. */
#ifndef COMPLAIN_H
#define COMPLAIN_H

#include "core/host/user.h"

/* Prints "bcoslog: " and a sentence to standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/*
 * Has complaints begin with the name of what they are about, as long as several logs are read at a time; NULL ends that.
 * The name stays the caller's.
 */
void complain_about(const char *name);
/* Holds complaints back while a screen is shown (@on), and writes them when the screen has ended. */
void complain_hold(bool on);
/*
 * Gives the first complaint that was held back, without "bcoslog: ", drops all of them, and ends the holding back.
 * Return: whether there was one.
 */
bool complain_take(char *text, size_t room);

#endif
