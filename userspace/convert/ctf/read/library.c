// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Opens Babeltrace 2's library: see library.h. */
#include "../../../late/late.h"
#include "library.h"

struct ctf_library bt;

int ctf_library_load(void)
{
	static const char *const names[] = {
#define CTF_FUNCTION(name) "bt_" #name,
		CTF_FUNCTIONS(CTF_FUNCTION)
#undef CTF_FUNCTION
	};
	static bool loaded;
	int r = loaded ? 0 : late_open(LATE_BABELTRACE_SONAME, "libbabeltrace2-0", "a CTF trace", names,
				       sizeof(names) / sizeof(names[0]), (void **)&bt);

	loaded = !r;
	return r;
}

const char *ctf_library_error(void)
{
	static char text[512];
	const bt_error *error = bt.current_thread_take_error();

	text[0] = 0;
	if (!error)
		return text;
	/* The first cause is the origin of the error. */
	if (bt.error_get_cause_count(error))
		snprintf(text, sizeof(text), "%s",
			 bt.error_cause_get_message(bt.error_borrow_cause_by_index(error, 0)));
	bt.error_release(error);
	return text;
}
