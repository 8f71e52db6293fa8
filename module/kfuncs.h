/* SPDX-License-Identifier: GPL-2.0-only */
/* What BPF programs of type tracing (fentry, fexit, tp_btf) call to put generic events into the log. */
#ifndef BCOS_KFUNCS_H
#define BCOS_KFUNCS_H

/* Bring-up: where kernel or module have no type information there are none, and that is said. */
int bcos_kfuncs_up(void);

#endif
