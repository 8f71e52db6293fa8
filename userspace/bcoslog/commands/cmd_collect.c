// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog collect: prints the log as messages of 32-bit words. */
#include "bcoslog_collector.h"
#include "command.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/program.h"
#include "log/run.h"
#include "options/number.h"
#include "options/options.h"
#include "options/shared.h"
#include "output/output.h"
#include "complain/complain.h"

struct collect {
	u64 mask, monitor, put, shift;
	bool timed;
};

static int take_mask(struct arguments *arguments, const char *text)
{
	return parse_number("--mask", text, 0xFFFFFFFFu, &((struct collect *)arguments->context)->mask);
}

static int take_monitor(struct arguments *arguments, const char *text)
{
	return parse_number("--monitor", text, 15, &((struct collect *)arguments->context)->monitor);
}

static int take_shift(struct arguments *arguments, const char *text)
{
	return parse_number("--shift", text, 63, &((struct collect *)arguments->context)->shift);
}

static int take_put(struct arguments *arguments, const char *text)
{
	struct collect *collect = arguments->context;

	if (parse_number("--put", text, BCOS_MESSAGE_ID_MAX, &collect->put))
		return -1;
	if (collect->put >= BCOS_MESSAGE_ID_MIN)
		return 0;
	complain("--put takes an ID, at least %u", BCOS_MESSAGE_ID_MIN);
	return -1;
}

static int take_timed(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct collect *)arguments->context)->timed = true;
	return 0;
}

static void show_message(__u32 id, __u32 dropped, const __u32 *words, __u32 count)
{
	__u32 i;

	output_format("%u %u", id, dropped);
	for (i = 0; i < count; i++)
		output_format(" %08x", words[i]);
	output_format("\n");
}

/* Prints the messages that are there now.  Return: as bcoslog_collector_get(), but never above 0. */
static int drain_collector(struct run *run, struct bcoslog_collector *collector)
{
	__u32 id, dropped, words[BCOS_MESSAGE_WORDS_MAX], size;
	int r;

	do {
		size = BCOS_MESSAGE_WORDS_MAX;
		r = bcoslog_collector_get(collector, &id, &dropped, words, &size);
		if (r > 0)
			show_message(id, dropped, words, size);
		else if (r == -EBADMSG && run_damaged(run))
			r = 1;
	} while (r > 0 && !run_ends());
	return r < 0 ? r : 0;
}

/* bcoslog_wait() does not wake for all messages, so the collector is read again after this time, in ms. */
#define LOOK_AGAIN 1000

static __u32 shifted_time(void *context, __u64 time)
{
	return (__u32)(time >> *(const u64 *)context);
}

static int collect_log(struct run *run, const struct collect *collect)
{
	struct bcoslog_collector *collector;
	int r = run_record(run);

	if (r)
		return r;
	collector = bcoslog_collector_of(run->log);
	if (!collector) {
		complain("there is no memory for a collector");
		return EXIT_ENVIRONMENT;
	}
	bcoslog_collector_set_mask(collector, (__u32)collect->mask);
	bcoslog_collector_set_monitor_mask(collector, (__u32)collect->monitor);
	bcoslog_collector_set_timer(collector, shifted_time, (void *)&collect->shift);
	do {
		r = drain_collector(run, collector);
		if (r || output_flush() || (run_signal && !run_finishing))
			break;
		r = bcoslog_wait(run->log, LOOK_AGAIN);
	} while (r > 0 || r == -ETIMEDOUT);
	if ((!r || r == -EINTR) && run_stop_recording(run))
		r = drain_collector(run, collector);
	bcoslog_collector_free(collector);
	run_damage_end(run);
	if (r < 0 && r != -EINTR && r != -EPIPE && r != -EBADMSG)
		return run_failed(run);
	return run->damages ? EXIT_DAMAGE : EXIT_OK;
}

static int put_message(struct run *run, const struct collect *collect)
{
	__u32 words[BCOS_MESSAGE_WORDS_MAX + 1];
	size_t count = 0;
	char text[32];
	u64 word;
	int r;

	if (collect->timed)
		return bcoslog_put_timed(run->log, (__u32)collect->put) ? run_failed(run) : EXIT_OK;
	while (count <= BCOS_MESSAGE_WORDS_MAX && scanf("%31s", text) == 1) {
		/* A word that fills @text was cut, and is refused. */
		if (parse_number("a message's word", strlen(text) < sizeof(text) - 1 ? text : "", 0xFFFFFFFFu, &word))
			return EXIT_ENVIRONMENT;
		words[count++] = (__u32)word;
	}
	r = bcoslog_put(run->log, (__u32)collect->put, words, count);
	return r ? run_failed(run) : EXIT_OK;
}

static int cmd_collect(struct session *session, int argc, char **argv)
{
	struct collect collect = { .mask = 0xFFFFFFFFu, .monitor = 15 };
	struct arguments arguments = { .session = session, .command = &command_collect, .context = &collect };
	int status = arguments_parse(&arguments, argc, argv);
	struct run run = { .session = session };

	if (status >= 0)
		return status;
	if (collect.timed && !collect.put) {
		complain("--timed goes with --put");
		return EXIT_ENVIRONMENT;
	}
	run.path = arguments.path;
	run.follow = arguments.follow;
	if (run_open(&run, collect.put ? BCOSLOG_CONTROL : 0))
		return EXIT_ENVIRONMENT;
	status = collect.put ? put_message(&run, &collect) : collect_log(&run, &collect);
	return run_close(&run, status);
}

static const struct option_spec options[] = {
	{ .name = "mask", .value = "M", .take = take_mask,
	  .help = "only messages whose bit is set: bit 0 is ID 1, bit 31 is ID 32 and all above (0xffffffff)" },
	{ .name = "monitor", .value = "M", .take = take_monitor,
	  .help = "only these of the messages 4 to 6: 1 running processes, 2 states, 4 calls, 8 processes and CPUs "
		  "that come and go (15)" },
	{ .name = "shift", .value = "BITS", .take = take_shift,
	  .help = "shift times right by 0 to 63 bits before they are cut to 32 bits (0)" },
	{ .name = "put", .value = "ID", .take = take_put,
	  .help = "put a message with this ID into the device LOG, with the words from standard input, and end" },
	{ .name = "timed", .take = take_timed, .help = "with --put: the message has the time instead of words" },
	{ .name = NULL },
};

const struct command command_collect = {
	.name = "collect",
	.summary = "print the log as messages of numbers, as event loggers do",
	.usage = "bcoslog collect [OPTIONS] [LOG]",
	.about =
"Prints the log as messages of numbers, as the event loggers of embedded systems\n"
"do.  Each line has the ID of a message, the number of entries that were lost\n"
"since the message before, and the words of the message in hexadecimal.\n"
"\n"
"  1 context switch     time, process        (class assign)\n"
"  2 interrupt          time, device, line   (class irq)\n"
"  3 sleep              begin, end, cause    (class idle)\n"
"  4 task state change  time, thread, state  (class state; --monitor 1: assign)\n"
"  5 command packet     time, process, call  (class api)\n"
"  6 kernel event       time, type of entry\n"
"  7 and above          messages that modules and programs put",
	.options = { options, follow_options },
	.status = "0 done, 1 LOG is damaged, 2 wrong usage, or LOG cannot be used.",
	.records = true,
	.run = cmd_collect,
};
