// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* balance LOG...: does the account of each log add up?  Exit status: 0, 1 with a sentence, 2 a log cannot be read. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "balance.h"

static const char *judge_log(const char *path, int *status)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *wrong = "it cannot be read";
	ssize_t got = 0;
	struct stat stat;
	char *log = NULL;
	size_t size = 0;

	*status = 2;
	if (fd >= 0 && !fstat(fd, &stat))
		log = malloc((size_t)stat.st_size + 1);
	while (log && size < (size_t)stat.st_size) {
		got = read(fd, log + size, (size_t)stat.st_size - size);
		if (got <= 0)
			break;
		size += (size_t)got;
	}
	if (log && got >= 0) {
		wrong = balance_of(log, size);
		*status = wrong ? 1 : 0;
	}
	free(log);
	if (fd >= 0)
		close(fd);
	return wrong;
}

int main(int argc, char **argv)
{
	int worst = argc < 2 ? 2 : 0, status, i;
	const char *wrong;

	for (i = 1; i < argc; i++) {
		wrong = judge_log(argv[i], &status);
		if (wrong)
			printf("%s: %s\n", argv[i], wrong);
		if (status > worst)
			worst = status;
	}
	return worst;
}
