/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef FORGET_H
#define FORGET_H

/* Lets the programs of this process forget which devices they have named. */
void programs_forget(void);

#endif
