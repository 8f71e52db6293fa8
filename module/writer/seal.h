/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seals the image of the log when the kernel ends: a panic says where each staging ring ends, and a
 * reboot that the kernel ended in order, after a last pass.
 */
#ifndef BCOS_SEAL_H
#define BCOS_SEAL_H

/* Makes the image one that others find, and waits for the end. Returns 0 or an error. */
int bcos_seal_up(void);
void bcos_seal_down(void);

/* Seals the image of a module that is unloaded, after its last pass. */
void bcos_seal_unload(void);

#endif
