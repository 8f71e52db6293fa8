/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/bcos_evlog (section 6 of the design).  It knows no tracepoint. */
#ifndef BCOS_CHRDEV_H
#define BCOS_CHRDEV_H

#include <linux/fs.h>

/* Bring-up: the device appears, and everything it needs is there. */
int bcos_chrdev_up(void);
void bcos_chrdev_down(void);

/* ioctl.c */
long bcos_ioctl(struct file *file, unsigned int command, unsigned long argument);

#endif
