/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a run of the tool is about. The options fill it in, and whatever reads or shows a log gets it. */
#ifndef BCOSLOG_SESSION_H
#define BCOSLOG_SESSION_H

#include "choice.h"
#include "filter.h"
#include "option.h"
#include "output/times.h"
#include "window.h"

/* The form in which a subcommand prints. */
enum table_form { TABLE_TEXT, TABLE_JSON, TABLE_CSV, TABLE_SVG };

/**
 * struct session - a run of the tool
 * @recorder: which recorder's log is read, if the arguments name no log
 * @asks_nobody: no running bcoslog record is asked for the log that it keeps in its memory
 * @asked_recorder: out: one was asked, and its log is read
 * @joined: out: a recording is read, and after it the running log
 * @folder: out: the recorded directory that is read, if the arguments name no log
 * @boots: the machine and the boot of a recorded directory
 * @window: the time that is shown
 * @filter: the objects and types that are shown
 * @clock: how times are shown, and what the log says of the wall clock
 * @form: the form in which entries or reports are printed
 * @given: the options that were given, each once, also those before the name of the subcommand
 * @given_count: number of @given
 *
 * Zeros are a session without options. A copy that was made before its log was opened serves for another log.
 */
struct session {
	struct recorder_options recorder;
	bool asks_nobody, asked_recorder, joined;
	const char *folder;
	struct boot_choice boots;
	struct window window;
	struct filter filter;
	struct clock clock;
	enum table_form form;
	const struct option_spec *given[64];
	size_t given_count;
};

/* Do the options choose a part of the log? */
static inline bool session_chooses(const struct session *session)
{
	return filter_narrows(&session->filter) || window_is_given(&session->window);
}

/* Is the entry in the window, and does the filter choose it? Call this once for each entry; @state is from before it. */
static inline bool session_wants(struct session *session, const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	return window_takes(&session->window, &session->clock, entry) && filter_wants(&session->filter, state, entry);
}

#endif
