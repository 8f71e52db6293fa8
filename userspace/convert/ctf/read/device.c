// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Devices of a kernel's trace that the log_writer has been told of. */
#include <stdlib.h>

#include "read.h"

bool ctf_known_device(const struct ctf_reader *reader, u32 id)
{
	return reader->devices.buckets && table_find(&reader->devices, id);
}

int ctf_know_device(struct ctf_reader *reader, u32 id, const char *name, size_t length)
{
	struct node *node;

	if (!reader->devices.buckets && table_init(&reader->devices))
		return -ENOMEM;
	if (!table_find(&reader->devices, id)) {
		node = calloc(1, sizeof(*node));
		if (!node)
			return -ENOMEM;
		node->id = id;
		if (table_add(&reader->devices, node)) {
			free(node);
			return -ENOMEM;
		}
	}
	return log_known_device(reader->log, (struct moment){ 0, SINCE_BOOT }, id, BCOS_PROCESS_KERNEL, name, length);
}
