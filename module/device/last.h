/* SPDX-License-Identifier: GPL-2.0-only */
/* The device /dev/bcos_evlog.last: the image of the former boot, until it is released. */
#ifndef BCOS_LAST_DEVICE_H
#define BCOS_LAST_DEVICE_H

/*
 * Brings the device up if there is such an image, and takes it down. Returns 0: a device that
 * cannot be made is a sentence in the kernel's log, and the image is dropped.
 */
int bcos_last_up(void);
void bcos_last_down(void);

#endif
