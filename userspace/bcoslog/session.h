/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a run of the tool is about. The options fill it in, and whatever reads or shows a log gets it. */
#ifndef BCOSLOG_SESSION_H
#define BCOSLOG_SESSION_H

#include "core/host/user.h"

/* The form in which a subcommand prints. */
enum table_form { TABLE_TEXT, TABLE_JSON, TABLE_CSV, TABLE_SVG };

/**
 * struct session - a run of the tool
 * @form: the form in which it prints
 */
struct session {
	enum table_form form;
};

#endif
