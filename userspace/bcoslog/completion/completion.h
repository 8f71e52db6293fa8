/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The words by which a shell completes a command line of bcoslog. */
#ifndef BCOSLOG_COMPLETION_H
#define BCOSLOG_COMPLETION_H

#include "command.h"

/* A candidate, if it begins with what is typed so far, and a word on it, or NULL. */
void candidate(const char *text, const char *about);
/* Likewise, of a list with commas: what is behind the last one is completed. */
void candidate_of_list(const char *text, const char *about);
/* The beginning of the word, as far as it is typed. */
extern const char *typed;

/* values.c: candidates for the value that an option calls by this name, or for an argument of this kind. */
void complete_value(const char *kind);

/* recorder.c: options that say who records. */
extern const struct option_spec recorder_specs[];

#endif
