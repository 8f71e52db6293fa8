// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stands for http.c where there is no libmicrohttpd: see http.h. */
#include "http.h"

bool http_is_here(void)
{
	return false;
}

struct http *http_start(const struct http_options *options, char *url, size_t size)
{
	(void)options;
	(void)url;
	(void)size;
	return NULL;
}

void http_stop(struct http *http)
{
	(void)http;
}
