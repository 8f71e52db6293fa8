/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a service tells systemd (sd_notify(3)), without its library. Whoever is no service tells nobody: all of these do
 * nothing then, and none of them fails.
 */
#ifndef BCOSLOG_NOTIFY_H
#define BCOSLOG_NOTIFY_H

#include <stdint.h>

/* It has begun to do what it is for. */
void notify_ready(void);
/* It ends in order. */
void notify_stopping(void);
/* It goes on: to be called again and again, and said only as often as the watchdog (WATCHDOG_USEC) demands. */
void notify_alive(void);
/* How long it may be until notify_alive() is called again, ns; 0: nobody watches. */
uint64_t notify_interval(void);
/* The state of the service, as systemctl status shows it. */
__attribute__((format(printf, 1, 2)))
void notify_status(const char *format, ...);

#endif
