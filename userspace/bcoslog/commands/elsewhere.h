/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the help of bcoslog says about commands that are in programs of their own. */
#ifndef BCOSLOG_ELSEWHERE_H
#define BCOSLOG_ELSEWHERE_H

#define CONVERT_SUMMARY "convert the log to the format of another tool, or back"
#define BRIDGE_SUMMARY "write the log to user_events tracepoints while it grows"

#endif
