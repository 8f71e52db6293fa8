/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* libmicrohttpd: see late.h. */
#ifndef USERSPACE_LATE_MICROHTTPD_H
#define USERSPACE_LATE_MICROHTTPD_H

#include <microhttpd.h>

#include "late.h"

#define LATE_MICROHTTPD_FUNCTIONS(_) \
	_(MHD_add_response_header) _(MHD_create_response_from_buffer) _(MHD_destroy_response) _(MHD_get_connection_info) \
	_(MHD_get_daemon_info) _(MHD_lookup_connection_value) _(MHD_queue_response) _(MHD_start_daemon) _(MHD_stop_daemon)
LATE_DECLARE(late_microhttpd, LATE_MICROHTTPD_FUNCTIONS);

#endif
