/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Complaints on standard error. */
#ifndef BCOSLOG_COMPLAIN_H
#define BCOSLOG_COMPLAIN_H

#include "../../late/complain.h"
#include "core/host/user.h"

/* Holds complaints back while a screen is shown (@on), and writes them when the screen has ended. */
void complain_hold(bool on);

#endif
