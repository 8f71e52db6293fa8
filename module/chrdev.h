/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/bcos_evlog (section 6 of the design).  It knows no tracepoint. */
#ifndef BCOS_CHRDEV_H
#define BCOS_CHRDEV_H

#include <linux/fs.h>

#include "readers.h"

/* Bring-up: the device appears, and everything it needs is there. */
int bcos_chrdev_up(void);
void bcos_chrdev_down(void);

/**
 * bcos_reader_flush() - merge all that happened before the call
 * @reader: who asks; at most once in a millisecond, else it waits first
 *
 * Context: may sleep; not under @reader->lock.
 * Return: 0, or -ERESTARTSYS on a signal.
 */
int bcos_reader_flush(struct bcos_reader *reader);

/* ioctl.c */
long bcos_ioctl(struct file *file, unsigned int command, unsigned long argument);

#endif
