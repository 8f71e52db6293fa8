// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Memory that the kernel has leaked: see lib.h. */
#include "lib.h"

void leaks(void)
{
	static const char path[] = "/sys/kernel/debug/kmemleak";
	static char report[65536];
	int i;

	if (access(path, F_OK)) {
		skip("this kernel has no kmemleak", "kmemleak finds nothing");
		return;
	}
	/* kmemleak ignores memory younger than five seconds, and reports a leak in the scan after. */
	sleep(6);
	for (i = 0; i < 3; i++)
		if (!write_file(path, "scan"))
			die("%s", path);
	if (read_file(path, report, sizeof(report)) < 0)
		die("%s", path);
	if (!ok(!report[0], "kmemleak finds nothing"))
		note("%s", report);
}
