// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Calls that have to fail: see badcall.h. */
#include "badcall.h"

#include <sys/mman.h>

bool expect_error(long result, int wanted, const char *what)
{
	int got = result < 0 ? errno : 0;

	if (got == wanted)
		return true;
	print_note("%s: %s instead of %s", what, got ? strerror(got) : "success",
		   wanted ? strerror(wanted) : "success");
	return false;
}

char *half_page(void)
{
	char *memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || munmap(memory + PAGE, PAGE))
		give_up("mmap");
	return memory;
}
