/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Commands that are in programs of their own: bcoslog-convert and bcoslog-serve. */
#ifndef BCOSLOG_ELSEWHERE_H
#define BCOSLOG_ELSEWHERE_H

/* What the help of bcoslog says about them. */
#define CONVERT_SUMMARY "convert the log to the format of another tool, or back"
#define SERVE_SUMMARY "show that page while the log grows"
#define BRIDGE_SUMMARY "write the log to user_events tracepoints while it grows"

/* The commands as those programs have them. */
extern const struct command bridge_command, convert_command, serve_command;

#endif
