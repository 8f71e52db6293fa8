/* SPDX-License-Identifier: GPL-2.0-only */
/* Starts the log with the state found at load (module/DESIGN.md, 2.8). */
#ifndef BCOS_START_H
#define BCOS_START_H

/**
 * bcos_begin_up() - find the current CPUs and processes, and begin the log with them
 *
 * The probes are registered already, so changes meanwhile are staged.
 *
 * Context: module load; may sleep.
 * Return: 0, -ENOMEM or -EINTR.
 */
int bcos_begin_up(void);

#endif
