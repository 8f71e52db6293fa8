// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog mask: shows and changes which classes of events are recorded. */
#include "command.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/names.h"
#include "options/options.h"
#include "output/output.h"
#include "reader/reader.h"
#include "complain/complain.h"

struct change {
	u32 clear, set;
	bool asked;
	const char *process, *device;	/* as they were given, or NULL */
};

static int take_process(struct arguments *arguments, const char *text)
{
	((struct change *)arguments->context)->process = text;
	return 0;
}

static int take_device(struct arguments *arguments, const char *text)
{
	((struct change *)arguments->context)->device = text;
	return 0;
}

/* Parses a list of classes.  Return: 1 if it is one, 0 if it does not begin with a class, or -1 after a complaint. */
static int parse_list(const char *text, u32 *mask)
{
	const char *at = text;
	size_t length;
	u32 one;

	*mask = 0;
	for (;;) {
		length = strcspn(at, ",");
		if (bcoslog_class_mask(at, length, &one)) {
			if (at == text)
				return 0;
			complain("there is no class \"%.*s\": see bcoslog mask --help", (int)length,
				 at);
			return -1;
		}
		*mask |= one;
		if (!at[length])
			return 1;
		at += length + 1;
	}
}

static int take_change(struct arguments *arguments, const char *text)
{
	struct change *change = arguments->context;
	bool plus = text[0] == '+', minus = text[0] == '-';
	u32 mask;
	int r = parse_list(text + (plus || minus), &mask);

	if (!r && (plus || (minus && text[1]))) {
		complain("there is no class or option \"%s\": see bcoslog mask --help", text);
		return -1;
	}
	if (r <= 0)
		return r;
	change->asked = true;
	if (plus) {
		change->set |= mask;
		change->clear &= ~mask;
	} else if (minus) {
		change->clear |= mask;
		change->set &= ~mask;
	} else {
		change->clear = BCOS_CLASS_ALL & ~mask;
		change->set = mask;
	}
	return 1;
}

static void show_mask(const struct bcos_mask *mask)
{
	const char *name;
	unsigned int bit;

	for (bit = 0; (name = bcoslog_class(bit)); bit++) {
		if (!(mask->mask & 1u << bit))
			output_format("%-12s off\n", name);
		else if (mask->active & 1u << bit)
			output_format("%-12s on\n", name);
		else
			output_format("%-12s on, but this module does not record it\n", name);
	}
}

/* Can the change be about one process or one device? If not, the function complains. */
static bool is_request(const struct change *change)
{
	u32 classes = change->set | change->clear;

	if (change->process && change->device)
		complain("a request is about a process or about a device: give --process or --device");
	else if (change->process && classes != BCOS_CLASS_API)
		complain("a single process has only the class api: --process %s +api, or -api", change->process);
	else if (change->device && (!classes || classes & ~(BCOS_CLASS_IO | BCOS_CLASS_IRQ)))
		complain("a single device has only the classes io and irq: --device %s +io", change->device);
	else
		return true;
	return false;
}

/*
 * Finds the process or device that a request is about. A process that has ended is accepted if its request is taken
 * back.  Return: 0, or -1 after a complaint.
 */
static int find_source(struct run *run, const struct change *change, u32 *source)
{
	if (change->device)
		return named_device(run->log, run->path, change->device, source);
	if (named_process(run->log, run->path, change->process, change->set, source))
		return -1;
	if (*source)
		return 0;
	complain("--process takes a process, and 0 is the kernel");
	return -1;
}

/* Makes and takes back requests for the process or device.  Return: the exit status. */
static int request_mask(struct run *run, const struct change *change)
{
	u32 source;

	if (find_source(run, change, &source))
		return EXIT_ENVIRONMENT;
	if ((change->set && bcoslog_request(run->log, change->set, source, true)) ||
	    (change->clear && bcoslog_request(run->log, change->clear, source, false)))
		return run_failed(run);
	return EXIT_OK;
}

static int cmd_mask(struct session *session, int argc, char **argv)
{
	struct change change = { 0 };
	struct arguments arguments = { .session = session, .command = &command_mask, .context = &change, .change = take_change };
	struct bcos_mask mask;
	struct run run = { .session = session };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	run.path = arguments.path;
	if ((change.process || change.device) && !is_request(&change))
		return EXIT_ENVIRONMENT;
	if (run_open(&run, change.asked || change.process || change.device ? BCOSLOG_CONTROL : 0))
		return EXIT_ENVIRONMENT;
	if (change.process || change.device)
		return run_close(&run, request_mask(&run, &change));
	if (bcoslog_mask(run.log, change.clear, change.set, &mask))
		return run_close(&run, run_failed(&run));
	show_mask(&mask);
	return run_close(&run, EXIT_OK);
}

/* Prints the classes as the help names them, one a line with its number. */
static void list_classes(void)
{
	const char *name;
	unsigned int bit;

	output_format("Classes:\n");
	for (bit = 0; (name = bcoslog_class(bit)); bit++)
		output_format("  %-12s  %#x\n", name, 1u << bit);
	output_format("\n");
}

static const struct option_spec options[] = {
	{ .name = "process", .value = "PID|NAME", .kind = VALUE_PROCESS, .word = "P", .many = true, .take = take_process,
	  .help = "+api and -api apply to the calls of this process alone, by number, or by a name that only one "
		  "process has; the request lasts until -api takes it back" },
	{ .name = "device", .value = "ID|NAME", .kind = VALUE_DEVICE, .word = "D", .many = true, .take = take_device,
	  .help = "+io, -io, +irq and -irq apply to this device alone" },
	{ .name = NULL },
};

const struct command command_mask = {
	.name = "mask",
	.summary = "choose the classes of events to record",
	.usage = "bcoslog mask [OPTIONS] [CHANGE...] [DEVICE]",
	.about =
"Shows or changes the classes of events that are recorded.  Names of processes,\n"
"cores, CPUs and devices are always recorded.  CHANGE is one of\n"
"\n"
"  +CLASS[,CLASS...]  record these classes, too\n"
"  -CLASS[,CLASS...]  do not record these classes any more\n"
"  CLASS[,CLASS...]   record exactly these classes\n"
"\n"
"and CLASS is one of those below; or all, none, default, or a number whose bits\n"
"are the classes in their order.  bcoslog-mask(1) describes the classes.  If the\n"
"name of DEVICE is that of a class, write ./DEVICE.",
	.options = { options },
	.list = list_classes,
	.status = "0 done, 2 the command failed.",
	.plain = VALUE_CHANGE,
	.run = cmd_mask,
};
