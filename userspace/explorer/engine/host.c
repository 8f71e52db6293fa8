// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The services that the library needs of its host (host/host.h), in a web page. */
#include "host/host.h"

/* The page implements this function by crypto.getRandomValues(). */
__attribute__((import_module("page"), import_name("random"))) u64 page_random(void);

u64 host_random(void)
{
	return page_random();
}
