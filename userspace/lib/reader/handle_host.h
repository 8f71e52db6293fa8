/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions on an open log for the files of the library that use descriptors, clocks and the device. */
#ifndef BCOSLOG_HANDLE_HOST_H
#define BCOSLOG_HANDLE_HOST_H

#include "core/ring/cursor.h"
#include "engine/engine.h"
#include "handle/handle.h"

/* ---- mapping.c ------------------------------------------------------------------- */

/* A mapping of the device. A reader copies entries from it without system calls. */

struct mapping {
	void *base;
	size_t size;
	struct bcos_ring ring;		/* only control, data and size are set */
	struct bcos_cursor cursor;
	u64 end;			/* position of the end of the log when it was mapped */
};

/* Map @fd, and flush the events before this call into the log.  Return: false if the caller has to read @fd instead. */
bool mapping_open(struct mapping *mapping, int fd);
void mapping_close(struct mapping *mapping);

/*
 * Copy the next whole entries before @mapping->end.
 * Return: the number of bytes; 0 at the end; -EMSGSIZE if @size is too small for the next entry.
 */
long mapping_read(struct mapping *mapping, void *to, size_t size);

/* ---- handle_host.c --------------------------------------------------------------- */

/* Fill @error with the reason why @name cannot be opened or controlled.  Return: -@code. */
int error_open(struct bcoslog_error *error, int code, const char *name, bool device);
/* Fill @error: the module has another ABI version; @status is NULL if the device gives no status.  Return: -EPROTO. */
int error_abi(struct bcoslog_error *error, const char *name, const struct bcos_status *status);

/* Return: a handle that does not know its kind of log yet; NULL if there is no memory or no free descriptor. */
struct bcoslog *handle_new(int fd, const char *name, unsigned int flags);

/* Ask the device for its status.  Return: 0, or a negative errno if @fd is not the device. */
int device_status(int fd, struct bcos_status *status);

/* Wait for @events of @fd.  Return: as bcoslog_wait(). */
int handle_poll(struct bcoslog *log, int fd, short events, int timeout);

#endif
