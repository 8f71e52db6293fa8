// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog bridge: writes the entries of a log as events of user_events tracepoints, which other tools can record. */
#include <errno.h>

#include "../eventheader/write/write.h"
#include "command.h"
#include "libexec/libexec.h"
#include "log/notes.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "log/boots.h"
#include "options/options.h"
#include "options/shared.h"
#include "complain/complain.h"

struct bridge {
	struct encoder encoder;
	struct user_events events;
	u64 unheard, failed;
	bool written;
	int error;
};

static int bridge_entry(struct bridge *bridge, const struct bcos_entry *entry)
{
	u8 event[USER_EVENT_MAX];
	unsigned int point;
	size_t size = encoder_event(&bridge->encoder, entry, event, USER_EVENT_MAX, &point);
	int r;

	if (!size) {
		complain("no memory");
		return -ENOMEM;
	}
	if (bcoslog_is_missed(entry))
		encoder_forget(&bridge->encoder);
	r = user_events_enabled(&bridge->events, point) ? user_events_write(&bridge->events, point, event, size) :
		-EBADF;
	if (!r) {
		bridge->written = true;
	} else if (r == -EBADF) {
		bridge->unheard++;
	} else {
		bridge->failed++;
		bridge->error = -r;
	}
	return 0;
}

static int bridge_entries(struct run *run, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry;
	int r;

	run_each(run, entry, batch) {
		note_entry(&run->notes, run->session, entry);
		r = bridge_entry(run->context, entry);
		if (r)
			return r;
	}
	return 0;
}

static void bridge_resumed(struct run *run)
{
	struct bridge *bridge = run->context;

	encoder_forget(&bridge->encoder);
}

static int bridge_log(struct run *run, struct bridge *bridge)
{
	int status = EXIT_ENVIRONMENT;

	if (user_events_open(&bridge->events, &bridge->encoder)) {
		complain("%s", bridge->events.reason);
		return status;
	}
	if (!run_open(run, BCOSLOG_WAKINGS))
		status = run_close(run, run_log(run));
	user_events_close(&bridge->events);
	if (bridge->failed)
		complain("the kernel refused %llu event%s: %s", (unsigned long long)bridge->failed, bridge->failed == 1 ? "" : "s",
			 strerror(bridge->error));
	if (bridge->unheard && !bridge->written)
		complain("nobody recorded any of the %llu event%s: begin with perf record -a -e 'user_events:bcos_*' once bcoslog "
			 "bridge runs with -f", (unsigned long long)bridge->unheard, bridge->unheard == 1 ? "" : "s");
	return bridge->failed ? EXIT_ENVIRONMENT : status;
}

static int cmd_bridge(struct session *session, int argc, char **argv)
{
	static struct bridge bridge;
	struct arguments arguments = { .session = session, .command = &bridge_command };
	struct run run = { .session = session, .entries = bridge_entries, .resumed = bridge_resumed, .states_gaps = true,
			   .context = &bridge };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	run.path = arguments.path;
	run.follow = arguments.follow;
	run.command = arguments.program;
	if (encoder_init(&bridge.encoder)) {
		complain("no memory");
		return EXIT_ENVIRONMENT;
	}
	status = bridge_log(&run, &bridge);
	encoder_destroy(&bridge.encoder);
	return status;
}

const struct command bridge_command = {
	.name = "bridge",
	.summary = BRIDGE_SUMMARY,
	.usage =
"bcoslog bridge [OPTIONS] [LOG]\n"
"bcoslog bridge [OPTIONS] -- PROGRAM...",
	.about =
"Writes each entry of LOG (the device, a file, or - for standard input; default\n"
BCOS_DEVICE_PATH ") as an event of a tracepoint user_events:bcos_L*K*, while\n"
"a program records that, such as perf record -e 'user_events:bcos_*'.  The\n"
"events are those of bcoslog convert -t eventheader.  This requires a kernel with\n"
"CONFIG_USER_EVENTS, and root.  There are no filters: bcoslog cat writes a part\n"
"of a log, which may be LOG.",
	.options = { boot_options, follow_options },
	.status = "0 done, 1 LOG is damaged, 2 LOG cannot be read, or no tracepoint can be registered.",
	.records = true,
	.takes_program = true,
	.run = cmd_bridge,
};
