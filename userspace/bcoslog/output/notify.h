/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Messages of a service to systemd, as sd_notify(3) sends them, without systemd's library. In a process that is no
 * service these functions do nothing. They report no errors.
 */
#ifndef BCOSLOG_NOTIFY_H
#define BCOSLOG_NOTIFY_H

#include <stdint.h>

/* Reports that the program has begun its work. */
void notify_ready(void);
/* Reports that the program ends in order. */
void notify_stopping(void);
/*
 * Reports to the watchdog (WATCHDOG_USEC) that the program works. The function may be called at any rate, and sends a
 * message only when one is due.
 */
void notify_alive(void);
/* Return: the longest time, in ns, between two calls of notify_alive(); 0 if no watchdog is set. */
uint64_t notify_interval(void);
/* Sets the line that systemctl status shows as the state of the service. */
__attribute__((format(printf, 1, 2)))
void notify_status(const char *format, ...);

#endif
