// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Conditions of bcoslog record --on: which of them are accepted, and which entries fulfil them (bcoslog-record(1)). */
#include "printed.h"
#include "made_log.h"
#include "record/incident/trigger.h"

static struct made made;

static struct triggers *triggers_of(const char *condition)
{
	struct triggers *triggers = NULL;

	assert_complains("", triggers_add(&triggers, condition) == 0);
	assert_non_null(triggers);
	return triggers;
}

/* Gives an entry.  Return: the cause, or NULL. */
static const char *cause_of(struct triggers *triggers, const struct bcos_entry *entry)
{
	static char cause[TRIGGER_CAUSE];

	return triggers_entry(triggers, entry, cause) ? cause : NULL;
}

#define assert_holds(triggers, entry, expected) do { \
		const char *cause_ = cause_of(triggers, entry); \
		assert_non_null(cause_); \
		assert_string_equal(cause_, expected); \
	} while (0)
#define assert_nothing(triggers, entry) assert_null(cause_of(triggers, entry))

static const struct bcos_entry *ended_process(u32 process, u32 status)
{
	return made_word(&made, BCOS_CANCEL_PROCESS_NAME, process, 500, status);
}

static const struct bcos_entry *said_event(u16 type, u32 source, u32 id, u8 severity, const char *text)
{
	return made_event(&made, type, source, 600, id, severity, text);
}

static const struct bcos_entry *assigned_cpu(u32 cpu, u64 time, u32 process)
{
	return made_word(&made, BCOS_ASSIGN_CPU, cpu, time, process);
}

/* ---- what is accepted ------------------------------------------------------------------- */

/* The complaints themselves are in tests/cli/golden/record.cases. */
static void what_is_no_condition(void **state)
{
	static const struct {
		const char *condition, *named;
	} refused[] = {
		{ "", "signal" }, { "los", "\"los\"" }, { "losses", "losses" }, { "SIGUSR", "\"SIGUSR\"" }, { "SIGUSR2", "SIGUSR2" },
		{ "signal:", "\"signal:\"" }, { "signal:SEGV", "signal:SEGV" }, { "signal-SIGSEGV", "signal-SIGSEGV" },
		{ "severity>error", "severity>error" }, { "severity>=256", "256" }, { "text:(", "text:(" },
		{ "offcpu50ms", "offcpu50ms" }, { "offcpu:>50ms", "offcpu:>50ms\"" }, { "offcpux>50ms", "offcpux>50ms" },
		{ "offcpu>x", "\"x\"" },
	};
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct triggers *triggers = NULL;

		assert_names("--on", refused[i].named, triggers_add(&triggers, refused[i].condition) == -1);
		triggers_free(triggers);
	}
}

/* A condition that is refused takes no place. */
static void thirty_two_conditions(void **state)
{
	struct triggers *triggers = triggers_of("loss");
	int i;

	for (i = 0; i < 40; i++)
		assert_names("--on", "nothing", triggers_add(&triggers, "nothing") == -1);
	for (i = 1; i < 32; i++)
		assert_complains("", triggers_add(&triggers, i < 31 ? "loss" : "text:hit") == 0);
	assert_names("--on", "32", triggers_add(&triggers, "loss") == -1);
	/* The last one is looked at, too. */
	assert_holds(triggers, said_event(BCOS_GENERIC_PROCESS, 1, 0, 0, "a hit"), "text");
	triggers_free(triggers);
}

static void only_sigusr1_needs_the_signal(void **state)
{
	struct triggers *triggers = triggers_of("loss");

	assert_false(triggers_have_signal(NULL));
	assert_false(triggers_have_signal(triggers));
	assert_int_equal(triggers_add(&triggers, "SIGUSR1"), 0);
	assert_true(triggers_have_signal(triggers));
	assert_int_equal(triggers_add(&triggers, "signal"), 0);
	assert_true(triggers_have_signal(triggers));
	triggers_free(triggers);
	triggers_free(NULL);
}

/* No entry fulfils it: the recorder does when the signal comes. */
static void sigusr1_is_in_no_entry(void **state)
{
	struct triggers *triggers = triggers_of("SIGUSR1");

	assert_nothing(triggers, ended_process(5, BCOS_STATUS_OWNER | 10));
	assert_nothing(triggers, said_event(BCOS_GENERIC_CPU, 0, BCOS_EVENT_LOSS, 0xC0, "lost"));
	triggers_free(triggers);
}

/* ---- signals ---------------------------------------------------------------------------- */

static void any_signal(void **state)
{
	struct triggers *triggers = triggers_of("signal");

	assert_nothing(triggers, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 5, 1, "sh"));
	assert_nothing(triggers, ended_process(5, 9));
	assert_nothing(triggers, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 5, 1, "sh"));
	assert_holds(triggers, ended_process(5, BCOS_STATUS_OWNER | 9), "signal-SIGKILL-sh");
	/* It has no name any more. */
	assert_holds(triggers, ended_process(5, BCOS_STATUS_KERNEL | 11), "signal-SIGSEGV");
	/* A number that is no signal's, and none at all. */
	assert_holds(triggers, ended_process(5, BCOS_STATUS_OWNER | 100), "signal-100");
	assert_nothing(triggers, ended_process(5, BCOS_STATUS_OWNER));
	/* An entry of another type that has the same word there. */
	assert_nothing(triggers, made_word(&made, BCOS_ASSIGN_CPU, 5, 500, BCOS_STATUS_OWNER | 9));
	triggers_free(triggers);
}

static void one_signal(void **state)
{
	struct triggers *triggers = triggers_of("signal:SIGHUP");

	assert_nothing(triggers, ended_process(5, BCOS_STATUS_OWNER | 2));
	assert_nothing(triggers, ended_process(5, 1));
	assert_holds(triggers, ended_process(5, BCOS_STATUS_KERNEL | 1), "signal-SIGHUP");
	triggers_free(triggers);
	triggers = triggers_of("signal:SIGINT");
	assert_nothing(triggers, ended_process(5, BCOS_STATUS_OWNER | 1));
	assert_holds(triggers, ended_process(5, BCOS_STATUS_OWNER | 2), "signal-SIGINT");
	triggers_free(triggers);
}

/* A condition that was refused leaves nothing to the next one. */
static void a_signal_after_what_is_no_condition(void **state)
{
	struct triggers *triggers = NULL;

	assert_names("--on", "kill", triggers_add(&triggers, "kill") == -1);
	assert_int_equal(triggers_add(&triggers, "signal"), 0);
	assert_holds(triggers, ended_process(5, BCOS_STATUS_OWNER | 9), "signal-SIGKILL");
	triggers_free(triggers);
}

/* ---- events ----------------------------------------------------------------------------- */

static void least_severities(void **state)
{
	static const struct {
		const char *condition;
		u8 least;
	} severities[] = {
		{ "severity>=debug", 0 }, { "severity>=info", 0x40 }, { "severity>=error", 0x80 },
			{ "severity>=critical", 0xC0 },
		{ "severity>=129", 129 }, { "severity>=0xff", 255 },
	};
	struct triggers *triggers;
	size_t i;

	for (i = 0; i < sizeof(severities) / sizeof(severities[0]); i++) {
		triggers = triggers_of(severities[i].condition);
		if (severities[i].least)
			assert_nothing(triggers,
				       said_event(BCOS_GENERIC_PROCESS, 5, 0, (u8)(severities[i].least - 1), "x"));
		assert_non_null(cause_of(triggers, said_event(BCOS_GENERIC_CPU, 5, 0, severities[i].least, "x")));
		/* A statement of the log about itself is no event. */
		assert_nothing(triggers, said_event(BCOS_GENERIC_PROCESS, 0, BCOS_EVENT_HOST, 0xFF, "host x"));
		/* Its bytes are no severity. */
		assert_nothing(triggers, made_word(&made, BCOS_IRQ, 5, 500, 0xFFFFFFFF));
		triggers_free(triggers);
	}
	triggers = triggers_of("severity>=64");
	assert_holds(triggers, said_event(BCOS_GENERIC_PROCESS, 5, 0, 0x40, "x"), "severity-info");
	assert_holds(triggers, said_event(BCOS_GENERIC_PROCESS, 5, 0, 0xC0, "x"), "severity-critical");
	triggers_free(triggers);
}

static void matching_texts(void **state)
{
	struct triggers *triggers = triggers_of("text:^(one|two)+$");

	assert_holds(triggers, said_event(BCOS_GENERIC_DEVICE, 5, 0, 0, "onetwo"), "text");
	assert_holds(triggers, said_event(BCOS_GENERIC_DEVICE, 5, 0, 0xC0, "two"), "text");
	assert_nothing(triggers, said_event(BCOS_GENERIC_DEVICE, 5, 0, 0, "one three"));
	assert_nothing(triggers, said_event(BCOS_GENERIC_DEVICE, 5, 0, 0, "ONE"));
	assert_nothing(triggers, made_name(&made, BCOS_SET_PROCESS_NAME, 5, 1, "one"));
	triggers_free(triggers);
	triggers = triggers_of("text:host");
	assert_nothing(triggers, said_event(BCOS_GENERIC_PROCESS, 0, BCOS_EVENT_HOST, 0x40, "host x"));
	assert_holds(triggers, said_event(BCOS_GENERIC_PROCESS, 7, 0, 0x40, "host x"), "text");
	triggers_free(triggers);
}

/* The longest text, and one that is longer than any of ours: it is cut. */
static void long_texts(void **state)
{
	struct triggers *triggers = triggers_of("text:^x{1023}[yz]$");
	static u32 room[1200];
	struct bcos_generic *event = (struct bcos_generic *)room;

	event->header = (struct bcos_entry){ .size = 20 + 5 + 1024 + 3, .type = BCOS_GENERIC_PROCESS, .source = 1,
		.time = 1 };
	memset(event->text, 'x', 1023);
	event->text[1023] = 'y';
	assert_holds(triggers, &event->header, "text");
	event->header.size = 20 + 5 + 2048 + 3;
	memset(event->text + 1024, 'x', 1024);
	event->text[1023] = 'z';
	assert_holds(triggers, &event->header, "text");
	triggers_free(triggers);
}

static void told_losses(void **state)
{
	struct triggers *triggers = triggers_of("loss");

	assert_holds(triggers, said_event(BCOS_GENERIC_CPU, 0, BCOS_EVENT_LOSS, 0xC0, "lost"), "loss");
	assert_holds(triggers, said_event(BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, BCOS_EVENT_MISSED, 0xC0, "missed"),
		     "loss");
	assert_nothing(triggers, said_event(BCOS_GENERIC_CPU, 0, BCOS_EVENT_MASK, 0xC0, "lost"));
	assert_nothing(triggers, said_event(BCOS_GENERIC_DEVICE, 7, BCOS_EVENT_MISSED, 0xC0, "missed"));
	triggers_free(triggers);
}

/* The first of several conditions that holds is the cause. */
static void several_conditions(void **state)
{
	struct triggers *triggers = triggers_of("loss");

	assert_int_equal(triggers_add(&triggers, "severity>=error"), 0);
	assert_int_equal(triggers_add(&triggers, "text:x"), 0);
	assert_holds(triggers, said_event(BCOS_GENERIC_CPU, 0, BCOS_EVENT_LOSS, 0xC0, "x"), "loss");
	assert_holds(triggers, said_event(BCOS_GENERIC_CPU, 0, 0, 0xC0, "x"), "severity-critical");
	assert_holds(triggers, said_event(BCOS_GENERIC_CPU, 0, 0, 0, "x"), "text");
	assert_nothing(triggers, said_event(BCOS_GENERIC_CPU, 0, 0, 0, "y"));
	triggers_free(triggers);
}

/* ---- who had no CPU ----------------------------------------------------------------------- */

/* CPUs 0 and 1 run the processes 10 ("ten") and 11 ("eleven") since 100. */
static struct triggers *two_cpus(const char *condition)
{
	static const u32 performance[] = { 1000 };
	struct triggers *triggers = triggers_of(condition);

	assert_nothing(triggers, made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 1, 0, 0, performance, 1));
	assert_nothing(triggers, made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 1, 0));
	assert_nothing(triggers, made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 1, 0));
	assert_nothing(triggers, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel"));
	assert_nothing(triggers, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 1, "ten"));
	assert_nothing(triggers, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 11, 1, "eleven"));
	assert_nothing(triggers, assigned_cpu(0, 100, 10));
	assert_nothing(triggers, assigned_cpu(1, 100, 11));
	return triggers;
}

static void longer_than_that(void **state)
{
	struct triggers *triggers = two_cpus("offcpu>50ns");

	assert_nothing(triggers, assigned_cpu(0, 200, 0));
	assert_nothing(triggers, assigned_cpu(0, 250, 10));
	assert_nothing(triggers, assigned_cpu(0, 300, 0));
	assert_holds(triggers, assigned_cpu(1, 351, 10), "offcpu-ten");
	/* Since then 11 has none. */
	assert_holds(triggers, assigned_cpu(0, 402, 11), "offcpu-eleven");
	assert_nothing(triggers, assigned_cpu(0, 403, 11));
	triggers_free(triggers);
}

static void of_one_name(void **state)
{
	struct triggers *triggers = two_cpus("offcpu:ten>0ns");

	assert_nothing(triggers, assigned_cpu(1, 200, 0));
	assert_nothing(triggers, assigned_cpu(0, 200, 11));
	assert_holds(triggers, assigned_cpu(1, 201, 10), "offcpu-ten");
	/* A name that begins alike, or that it begins with. */
	assert_nothing(triggers, made_name(&made, BCOS_SET_PROCESS_NAME, 12, 210, "tent"));
	assert_nothing(triggers, made_name(&made, BCOS_SET_PROCESS_NAME, 13, 210, "te"));
	assert_nothing(triggers, assigned_cpu(0, 220, 12));
	assert_nothing(triggers, assigned_cpu(1, 220, 13));
	assert_nothing(triggers, assigned_cpu(0, 230, BCOS_PROCESS_IDLE));
	assert_nothing(triggers, assigned_cpu(1, 230, BCOS_PROCESS_IDLE));
	assert_nothing(triggers, assigned_cpu(0, 240, 12));
	assert_nothing(triggers, assigned_cpu(1, 240, 13));
	triggers_free(triggers);
}

/* A name with a character that ends the name elsewhere. */
static void of_a_name_with_a_sign(void **state)
{
	struct triggers *triggers = two_cpus("offcpu:a>b>5ns");

	assert_nothing(triggers, made_name(&made, BCOS_SET_PROCESS_NAME, 12, 210, "a>b"));
	assert_nothing(triggers, assigned_cpu(0, 220, 12));
	assert_nothing(triggers, assigned_cpu(0, 230, 10));
	assert_holds(triggers, assigned_cpu(0, 240, 12), "offcpu-a_b");
	triggers_free(triggers);
}

/* Idle time and the kernel's are no process, and a process with another CPU still has one. */
static void who_has_a_cpu_or_needs_none(void **state)
{
	struct triggers *triggers = two_cpus("offcpu>10ns");

	assert_nothing(triggers, assigned_cpu(0, 200, BCOS_PROCESS_IDLE));
	assert_nothing(triggers, assigned_cpu(0, 201, BCOS_PROCESS_KERNEL));
	assert_nothing(triggers, assigned_cpu(0, 300, BCOS_PROCESS_IDLE));
	assert_nothing(triggers, assigned_cpu(0, 400, BCOS_PROCESS_KERNEL));
	/* Two threads of 11: the first one leaves its CPU. */
	assert_nothing(triggers, assigned_cpu(0, 500, 11));
	assert_nothing(triggers, assigned_cpu(0, 600, BCOS_PROCESS_IDLE));
	assert_nothing(triggers, assigned_cpu(0, 700, 11));
	/* Both leave: it has none since the second one left. */
	assert_nothing(triggers, assigned_cpu(0, 800, BCOS_PROCESS_IDLE));
	assert_nothing(triggers, assigned_cpu(1, 900, BCOS_PROCESS_IDLE));
	assert_nothing(triggers, assigned_cpu(1, 910, 11));
	triggers_free(triggers);
}

/* An ID that comes again is somebody else. */
static void an_id_that_comes_again(void **state)
{
	struct triggers *triggers = two_cpus("offcpu>10ns");

	assert_nothing(triggers, assigned_cpu(0, 200, 0));
	assert_nothing(triggers, ended_process(10, 0));
	assert_nothing(triggers, made_name(&made, BCOS_SET_PROCESS_NAME, 10, 600, "again"));
	assert_nothing(triggers, assigned_cpu(0, 700, 10));
	assert_nothing(triggers, assigned_cpu(0, 710, 0));
	assert_nothing(triggers, made_name(&made, BCOS_SET_PROCESS_NAME, 10, 715, "renamed"));
	assert_nothing(triggers, assigned_cpu(0, 800, 10));
	triggers_free(triggers);
}

/* A process that left may have been back where nobody looked. */
static void what_is_missing_is_unknown(void **state)
{
	struct triggers *triggers = two_cpus("offcpu>10ns");

	assert_nothing(triggers, assigned_cpu(0, 200, 0));
	assert_nothing(triggers, said_event(BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, BCOS_EVENT_MISSED, 0xC0, "missed"));
	/* No group has named it again. */
	assert_holds(triggers, assigned_cpu(0, 700, 10), "offcpu-perhaps");
	triggers_free(triggers);
	triggers = two_cpus("offcpu>10ns");
	assert_nothing(triggers, assigned_cpu(0, 200, 0));
	triggers_forget(triggers);
	assert_nothing(triggers, assigned_cpu(0, 700, 10));
	triggers_free(triggers);
	/* Names are forgotten, too. */
	triggers = triggers_of("signal");
	assert_nothing(triggers, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 5, 1, "sh"));
	triggers_forget(triggers);
	assert_holds(triggers, ended_process(5, BCOS_STATUS_OWNER | 9), "signal-SIGKILL");
	triggers_free(triggers);
}

/* History is no news: what it tells holds already. */
static void history_fulfils_nothing(void **state)
{
	struct triggers *triggers = two_cpus("offcpu>10ns");

	assert_nothing(triggers, assigned_cpu(0, 200, 0));
	assert_nothing(triggers, made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 300, 10));
	triggers_free(triggers);
	triggers = triggers_of("severity>=debug");
	assert_nothing(triggers, said_event(BCOS_GENERIC_PROCESS | BCOS_TYPE_HISTORICAL, 5, 0, 0xC0, "x"));
	triggers_free(triggers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_condition),
		cmocka_unit_test(thirty_two_conditions),
		cmocka_unit_test(only_sigusr1_needs_the_signal),
		cmocka_unit_test(sigusr1_is_in_no_entry),
		cmocka_unit_test(any_signal),
		cmocka_unit_test(one_signal),
		cmocka_unit_test(a_signal_after_what_is_no_condition),
		cmocka_unit_test(least_severities),
		cmocka_unit_test(matching_texts),
		cmocka_unit_test(long_texts),
		cmocka_unit_test(told_losses),
		cmocka_unit_test(several_conditions),
		cmocka_unit_test(longer_than_that),
		cmocka_unit_test(of_one_name),
		cmocka_unit_test(of_a_name_with_a_sign),
		cmocka_unit_test(who_has_a_cpu_or_needs_none),
		cmocka_unit_test(an_id_that_comes_again),
		cmocka_unit_test(what_is_missing_is_unknown),
		cmocka_unit_test(history_fulfils_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
