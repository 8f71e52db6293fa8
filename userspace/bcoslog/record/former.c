// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Taking over the image of the former boot: see former.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "former.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "archive/write/write.h"
#include "complain/complain.h"
#include "uapi/bcos_image.h"

const char *former_path(void)
{
	const char *path = getenv("BCOSLOG_IMAGE");

	return path && *path ? path : BCOS_IMAGE_PATH;
}

/* Release the image, whose memory the module then uses anew. A file is only a copy, and stays. */
static void release_image(const char *path)
{
	struct bcos_image_release release = { 0 };
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && (!ioctl(fd, BCOS_IOC_IMAGE_RELEASE, &release) || errno == ENOTTY)) {
		close(fd);
		return;
	}
	complain("the image of the former boot is recorded, and %s cannot be released: %s: its memory stays in use until "
		 "somebody writes to it", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

void former_record(const struct recorder *recorder, const struct session *session)
{
	struct session all = *session;
	struct recorder former = {
		.limits = recorder->limits, .directory = recorder->directory, .socket = "",
		.interval = 3600000000000ull, .store = recorder->store, .former = true,
	};
	struct run run = {
		.session = &all, .path = former_path(), .entries = record_entries, .resumed = record_resumed,
	};
	struct bcoslog_error error;
	int status;

	if (access(run.path, F_OK))
		return;
	run_catch_signals();
	/* --for limits the recording of the present. */
	all.recorder.time = 0;
	if (bcoslog_open(&run.log, run.path, 0, &error)) {
		complain("the log of the former boot is not recorded: %s", error.text);
		return;
	}
	status = record_log(&former, &run);
	run_damage_end(&run);
	bcoslog_close(run.log);
	store_finish(recorder->store);
	/* The next recorder goes on where this one has ended. */
	if (status != EXIT_OK || run_signal || !store_is_safe(recorder->store)) {
		complain("the log of the former boot may not be in %s as a whole, so %s stays: begin the recorder again, or give "
			 "the image up by writing to it", recorder->directory, run.path);
		return;
	}
	complain("the log of the former boot is recorded in %s", recorder->directory);
	release_image(run.path);
}
