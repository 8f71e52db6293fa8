// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the processes whose kernel calls are recorded: see request.h. */
#include <linux/errno.h>

#include "request.h"

struct bcos_requests bcos_calls;

static u32 *bcos_place_of(u32 process)
{
	u32 i;

	for (i = 0; i < bcos_calls.count; i++)
		if (bcos_calls.process[i] == process)
			return &bcos_calls.process[i];
	return NULL;
}

bool bcos_calls_are_on(void)
{
	u32 i;

	for (i = 0; i < bcos_calls.count; i++)
		if (bcos_calls.process[i])
			return true;
	return bcos_calls.all;
}

int bcos_calls_request(u32 process, bool on)
{
	u32 *place = bcos_place_of(process);

	if (!on) {
		if (!place)
			return -ENOENT;
		WRITE_ONCE(*place, 0);
		return 0;
	}
	if (place)
		return 0;
	place = bcos_place_of(0);
	if (place) {
		WRITE_ONCE(*place, process);
		return 0;
	}
	if (bcos_calls.count == BCOS_REQUESTS_MAX)
		return -ENOSPC;
	WRITE_ONCE(bcos_calls.process[bcos_calls.count], process);
	WRITE_ONCE(bcos_calls.count, bcos_calls.count + 1);
	return 0;
}
