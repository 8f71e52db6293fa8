// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The classes of events that bcoslog record keeps: see classes.h. */
#include <string.h>

#include "bcoslog.h"
#include "classes.h"
#include "complain/complain.h"
#include "libexec/libexec.h"
#include "options/recorder_options.h"
#include "reader/reader.h"

u32 classes_choose(struct session *session, const char *path)
{
	struct recorder_options *recorder = &session->recorder;

	recorder_wants(session, RECORDER_EXPLAINS);
	if (path == default_log && recorder->bpf_only && !strcmp(recorder->bpf_only, "classes"))
		recorder->bpf_only = NULL;
	return recorder->classes_given ? recorder->classes : BCOS_CLASS_DEFAULT | RECORDER_EXPLAINS;
}

/* Writes the names of classes, with commas between. */
static void write_names(char *text, size_t size, u32 classes)
{
	unsigned int bit;
	size_t used = 0;

	text[0] = 0;
	for (bit = 0; bcoslog_class(bit); bit++)
		if (classes >> bit & 1 && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", bcoslog_class(bit));
}

/* Changes the classes by a handle of its own, since the one that reads need not be allowed to.  Return: 0 or a negative errno. */
static int change_classes(u32 clear, u32 set, struct bcoslog_error *error)
{
	struct bcoslog *control;
	int r = bcoslog_open(&control, default_log, BCOSLOG_CONTROL, error);

	if (r)
		return r;
	r = bcoslog_mask(control, clear, set, NULL);
	if (r)
		*error = *bcoslog_error(control);
	bcoslog_close(control);
	return r;
}

u32 classes_turn_on(struct bcoslog *log, u32 wanted)
{
	struct bcoslog_error error;
	struct bcos_status status;
	char names[160];
	u32 off;

	if (bcoslog_kind(log) != BCOSLOG_DEVICE || bcoslog_status(log, &status))
		return 0;
	off = wanted & ~status.mask;
	if (!off || !change_classes(0, off, &error))
		return off;
	write_names(names, sizeof(names), off);
	complain("what the classes %s tell is not recorded, since they are off, and cannot be turned on: %s", names, error.text);
	return 0;
}

void classes_turn_off(u32 classes)
{
	struct bcoslog_error error;
	char names[160];

	if (!classes || !change_classes(classes, 0, &error))
		return;
	write_names(names, sizeof(names), classes);
	complain("the classes %s stay on: %s", names, error.text);
}
