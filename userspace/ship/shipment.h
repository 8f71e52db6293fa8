/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ships a recording to a server, and goes on as it grows. */
#ifndef SHIP_SHIPMENT_H
#define SHIP_SHIPMENT_H

#include "transport.h"

/**
 * struct ship_options - what is shipped, and how
 * @path: the recording
 * @machine: the machine, as bcoslog_set_machine() takes it; NULL: the one that bcoslog_open() chooses
 * @state: path of the file of what has arrived
 * @once: end when all that the recording has now has arrived
 * @severity: the least severity of events that are shipped
 * @without: names of columns with commas between that are left out; NULL: none are
 * @transport: the server. Its function @ends, which ends everything, is called with its @context
 */
struct ship_options {
	const char *path, *machine, *state;
	bool once;
	u64 severity;
	const char *without;
	struct transport_options transport;
};

/* Return: 0, -EBADMSG if the recording is damaged, or another negative errno; after a complaint unless it is -EINTR. */
int ship_run(const struct ship_options *options);
/* Return: 0, or -1 after a complaint about @names. */
int ship_check_without(const char *names);

#endif
