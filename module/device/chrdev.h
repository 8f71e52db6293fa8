/* SPDX-License-Identifier: GPL-2.0-only */
/* The device /dev/bcos_evlog (module/DESIGN.md, 9.2). It depends on no tracepoint. */
#ifndef BCOS_CHRDEV_H
#define BCOS_CHRDEV_H

#include <linux/fs.h>

/* Brings the device up, last of all, and takes it down. */
int bcos_chrdev_up(void);
void bcos_chrdev_down(void);

/*
 * May the caller read logs? The log shows what every process does, so a reader needs the right to
 * profile the system. Returns 0 or an error.
 */
int bcos_may_read(void);

/* ioctl.c: the ioctls of the device. */
long bcos_ioctl(struct file *file, unsigned int command, unsigned long argument);

#endif
