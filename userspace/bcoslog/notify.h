/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Messages of a service to systemd (sd_notify(3)), without its library. In a process that is no service all of these
 * functions do nothing, and none of them fails.
 */
#ifndef BCOSLOG_NOTIFY_H
#define BCOSLOG_NOTIFY_H

#include <stdint.h>

/* Reports that the program has begun its work. */
void notify_ready(void);
/* Reports that the program ends in order. */
void notify_stopping(void);
/* Reports that the program works, at most as often as the watchdog (WATCHDOG_USEC) demands; it may be called at any rate. */
void notify_alive(void);
/* How long it may be until notify_alive() is called again, ns; 0: nobody watches. */
uint64_t notify_interval(void);
/* The state of the service, as systemctl status shows it. */
__attribute__((format(printf, 1, 2)))
void notify_status(const char *format, ...);

#endif
