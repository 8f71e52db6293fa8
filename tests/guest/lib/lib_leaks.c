// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Memory that the kernel has leaked: see lib.h. */
#include "lib.h"

void check_leaks(void)
{
	static const char path[] = "/sys/kernel/debug/kmemleak";
	static char report[65536];
	int i;

	if (access(path, F_OK)) {
		skip_point("this kernel has no kmemleak", "kmemleak finds nothing");
		return;
	}
	/* kmemleak ignores memory younger than five seconds, and reports a leak in the scan after. */
	sleep(6);
	for (i = 0; i < 3; i++)
		if (!write_file(path, "scan"))
			give_up("%s", path);
	if (read_file(path, report, sizeof(report)) < 0)
		give_up("%s", path);
	if (!make_point(!report[0], "kmemleak finds nothing"))
		print_note("%s", report);
}
