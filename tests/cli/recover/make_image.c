// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * make_image COUNT [FRAME]: writes the image of a machine that panicked to standard output. It has COUNT marks that are
 * merged, and as many that are not. With FRAME it lies at that frame of the machine's memory.
 */
#include <stdio.h>

#include "made_image.h"

int main(int argc, char **argv)
{
	struct made_image *made = made_new();
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, i;

	for (i = 0; i < count; i++)
		made_mark(made, i & 1);
	made_merge(made);
	made_publish(made);
	for (i = 0; i < count; i++)
		made_mark(made, i & 1);
	if (argc > 2)
		made_list(made, strtoull(argv[2], NULL, 10));
	made_seal(made, "for a test", "<0>[    0.001010] Kernel panic - not syncing: for a test\n");
	made_end(made);
	return fwrite(made->bytes, 1, made->size, stdout) != made->size;
}
