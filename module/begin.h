/* SPDX-License-Identifier: GPL-2.0-only */
/* How the log begins (section 7 of the design, "Load"). */
#ifndef BCOS_BEGIN_H
#define BCOS_BEGIN_H

/**
 * bcos_begin_up() - look at the machine as it is, and begin the log with it
 *
 * The probes are registered already, so what changes meanwhile is staged.
 *
 * Context: module load.
 * Return: 0, -ENOMEM or -EINTR.
 */
int bcos_begin_up(void);

#endif
