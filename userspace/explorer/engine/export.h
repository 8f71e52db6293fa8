/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The attribute of functions that the page's JavaScript calls. */
#ifndef EXPLORER_EXPORT_H
#define EXPLORER_EXPORT_H

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name), visibility("default")))
#else
#define EXPORT(name)
#endif

#endif
