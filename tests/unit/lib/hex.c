// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <ctype.h>
#include <stdio.h>
#include "hex.h"

long hex_read(const char *path, void *to, size_t size)
{
	FILE *file = fopen(path, "r");
	unsigned char *at = to;
	size_t n = 0;
	unsigned int byte;
	int c, result = -1;

	if (!file) {
		perror(path);
		return -1;
	}
	while ((c = fgetc(file)) != EOF) {
		if (c == '#')
			while ((c = fgetc(file)) != EOF && c != '\n')
				;
		if (isspace(c) || c == EOF)
			continue;
		ungetc(c, file);
		if (fscanf(file, "%2x", &byte) != 1 || n == size) {
			fprintf(stderr, "%s: byte %zu is not hexadecimal, or too many\n", path, n);
			goto out;
		}
		at[n++] = (unsigned char)byte;
	}
	result = 0;
out:
	fclose(file);
	return result ? -1 : (long)n;
}
