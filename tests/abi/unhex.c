// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* unhex FILE.hex...: writes the bytes of golden files to standard output. */
#include <stdio.h>
#include "hex.h"

int main(int argc, char **argv)
{
	static unsigned char bytes[65536];
	long n;
	int i;

	for (i = 1; i < argc; i++) {
		n = hex_read(argv[i], bytes, sizeof(bytes));
		if (n < 0 || fwrite(bytes, 1, (size_t)n, stdout) != (size_t)n)
			return 1;
	}
	return fflush(stdout) ? 1 : 0;
}
