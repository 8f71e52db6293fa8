/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells when somebody set the wall clock. The log states that where it happened, however late the
 * log writer comes there.
 */
#ifndef BCOS_SETTING_H
#define BCOS_SETTING_H

#include <linux/types.h>

/* Begin and end to watch. A setting wakes the log writer. */
int bcos_setting_up(void);
void bcos_setting_down(void);

/*
 * Returns the time in ns since boot of the first setting of the wall clock since the last call of
 * bcos_setting_stated(), or 0. If the clock was read before this call and this returns 0, the
 * reading is of the clock that has been stated. Context: the log writer.
 */
u64 bcos_setting_time(void);
/* The caller will read the clock now, and state it. Context: the log writer. */
void bcos_setting_stated(void);

#endif
