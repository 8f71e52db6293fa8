// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Machines and boots of a recording: which ones options choose, when somebody is asked, and the list of them. Each test
 * has a process of its own, since options are remembered.
 */
#include <errno.h>
#include <sys/wait.h>

#include "command.h"
#include "log/run.h"
#include "said.h"
#include "failing_memory.h"
#include "archive/archive.h"
#include "output/times.h"
#include "options/boots.h"

#define FOUR(digit) digit digit digit digit
#define ID(digit) FOUR(digit) FOUR(digit) "-" FOUR(digit) "-" FOUR(digit) "-" FOUR(digit) "-" \
	FOUR(digit) FOUR(digit) FOUR(digit)
#define ALPHA "aaaaaaaabbbbbbbbccccccccdddddddd"
#define SECOND 1000000000ull

/* ---- a recording ---------------------------------------------------------------------------------------- */

static struct boot boots[8];
static u32 count;
static enum bcoslog_kind kind;
static int machine_error, boot_error;
static struct archive_machine own;

enum bcoslog_kind bcoslog_kind(const struct bcoslog *log)
{
	return kind;
}

int bcoslog_boot(struct bcoslog *log, __u32 index, struct bcoslog_boot *boot)
{
	assert_int_equal(boot->size, sizeof(*boot));
	if (index < count)
		*boot = boots[index].about;
	boot->size = sizeof(*boot);
	return index < count;
}

int bcoslog_boot_machine(struct bcoslog *log, __u32 index, char machine[40])
{
	if (index < count)
		strcpy(machine, boots[index].machine);
	return index < count;
}

int bcoslog_set_machine(struct bcoslog *log, const char *machine)
{
	note_call("machine %s", machine);
	return machine_error;
}

int bcoslog_set_boot(struct bcoslog *log, const char *boot)
{
	note_call("boot %s", boot);
	return boot_error;
}

const struct bcoslog_error *bcoslog_error(const struct bcoslog *log)
{
	static const struct bcoslog_error error = { .text = "a reason" };

	return &error;
}

int archive_this_machine(struct archive_machine *machine)
{
	*machine = own;
	return 0;
}

/* Whether it has both is the library's concern. */
bool archive_is_machine(const struct archive_machine *one, const struct archive_machine *other)
{
	return !memcmp(one, other, sizeof(*one));
}

/* A boot with this ID, or none, which began at a time of the wall clock, or at no known one; all take 3.5 s. */
static struct bcoslog_boot *add_boot(const char *host, const char *machine, const char *id, u64 wall_clock)
{
	struct boot *boot = &boots[count++];

	memset(boot, 0, sizeof(*boot));
	strcpy(boot->about.host, host);
	strcpy(boot->machine, machine);
	strcpy(boot->about.boot, id);
	boot->about.first = SECOND / 2;
	boot->about.last = 4 * SECOND;
	boot->about.begin = boot->about.end = (struct bcoslog_wall){ .utc = wall_clock };
	boot->about.flags = BCOSLOG_BOOT_READ;
	return &boot->about;
}

static struct run run;

static void begin_recording(void)
{
	run = (struct run){ .path = "LOG" };
	kind = BCOSLOG_RECORDING;
	add_boot("alpha", ALPHA, ID("1"), 1700000000 * SECOND);
	add_boot("alpha", ALPHA, ID("2"), 1700001000 * SECOND);
	add_boot("alpha", ALPHA, "", 0);
	add_boot("alpha", ALPHA, ID("4"), 1700002000 * SECOND);
	add_boot("beta", "", ID("5"), 1700000500 * SECOND)->flags = 0;
}

/* This machine is the one of these boots. */
static void own_machine(const char *host, const char *id)
{
	memset(&own, 0, sizeof(own));
	strcpy(own.host, host);
	archive_id_get(own.id, id, strlen(id));
}

static void test_part(void **state)
{
	static bool in_child;
	int status;
	pid_t child;

	/* A test that failed there goes on to the next one. */
	if (in_child)
		exit(1);
	fflush(stdout);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		in_child = true;
		setenv("TZ", "UTC0", 1);
		begin_recording();
		(*(void (**)(void))state)();
		exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

#define assert_chosen(result, complaint, text) do { \
		assert_complains(complaint, boots_choose(run.log, run.path, run.follow) == (result)); \
		assert_string_equal(take_calls(), text); \
	} while (0)

/* ---- options ------------------------------------------------------------------------------------------------ */

static void values_of_options(void)
{
	static const char *const wrong[] = { "x", "", "1x", "-", "9223372036854775808" };
	char expected[200];
	size_t i;

	assert_false(boots_are_chosen());
	for (i = 0; i < 5; i++) {
		snprintf(expected, sizeof(expected), "bcoslog: --boot takes 0 (the latest boot), -1 (the one "
				"before it), 1 (the "
			 "oldest one), or the ID of a boot, as bcoslog status --boots lists them, not "
					"\"%s\"\n", wrong[i]);
		assert_complains(expected, take_boot(NULL, wrong[i]) < 0);
	}
	assert_complains("bcoslog: --machine takes the name or the ID of a machine, and this is empty\n",
			 take_machine(NULL, "") < 0);
	assert_complains("", take_machine(NULL, "m") == 0);
	assert_true(boots_are_chosen());
	kind = BCOSLOG_FILE;
	assert_chosen(-1, "bcoslog: LOG is no recorded directory, of which --machine and --boot choose a part: "
			"leave them out, or "
		      "name one\n", "");
}

static void a_machine(void)
{
	take_machine(NULL, "m");
	assert_chosen(0, "", "machine m; ");
	machine_error = -ENOENT;
	assert_chosen(-1, "bcoslog: a reason\n", "machine m; ");
	assert_false(boots_are_several(NULL));
	/* Another one is chosen by its ID, or its name where it has none. */
	machine_error = 0;
	boots_choose_machine(&boots[0]);
	assert_chosen(0, "", "machine " ALPHA "; ");
	boots_choose_machine(&boots[4]);
	assert_chosen(0, "", "machine beta; ");
}

static void a_boot_by_its_number(void)
{
	static const struct {
		const char *number, *id;
	} chosen[] = {
		{ "0", "4" }, { "-2", "2" }, { "-3", "1" }, { "1", "1" }, { "2", "2" }, { "4", "4" },
	};
	char expected[200];
	size_t i;

	own_machine("alpha", ALPHA);
	for (i = 0; i < 6; i++) {
		assert_complains("", take_boot(NULL, chosen[i].number) == 0);
		assert_complains("", boots_choose(run.log, run.path, run.follow) == 0);
		assert_int_equal(strlen(done), strlen("boot ; ") + 36);
		assert_int_equal(done[5], *chosen[i].id);
		take_calls();
	}
	take_boot(NULL, "-1");
	assert_chosen(-1, "bcoslog: the log does not state the ID of boot -1, by which it is chosen: name a "
			"time instead "
		      "(--since, --until)\n", "");
	take_boot(NULL, "5");
	assert_chosen(-1, "bcoslog: LOG has no boot 5: it has 4, which bcoslog status --boots lists\n", "");
	take_boot(NULL, "-4");
	assert_chosen(-1, "bcoslog: LOG has no boot -4: it has 4, which bcoslog status --boots lists\n", "");
	take_boot(NULL, "0");
	boot_error = -ENOENT;
	snprintf(expected, sizeof(expected), "boot %s; ", ID("4"));
	assert_chosen(-1, "bcoslog: a reason\n", expected);
}

static void a_boot_by_its_id(void)
{
	own_machine("alpha", ALPHA);
	assert_complains("", take_boot(NULL, ID("7")) == 0);
	assert_chosen(0, "", "boot " ID("7") "; ");
	take_machine(NULL, "m");
	assert_chosen(0, "", "machine m; boot " ID("7") "; ");
}

/* ---- several machines ------------------------------------------------------------------------------------------- */

static void somebody_is_asked(void)
{
	own_machine("gamma", "");
	assert_true(boots_are_several(NULL));
	assert_chosen(-1, "bcoslog: LOG has logs of several machines, alpha (aaaaaaaa), beta: choose one of "
			"them by --machine\n", "");
	run.follow = true;
	assert_chosen(-1, "bcoslog: LOG has logs of several machines, alpha (aaaaaaaa), beta, of which only one "
			"can be followed: "
		      "choose it by --machine\n", "");
	/* Two of one name are two. */
	strcpy(boots[4].about.host, "alpha");
	assert_true(boots_are_several(NULL));
	boots[4].about.host[0] = '\0';
	run.follow = false;
	assert_chosen(-1, "bcoslog: LOG has logs of several machines, alpha (aaaaaaaa), ?: choose one of them "
			"by --machine\n", "");
	kind = BCOSLOG_FILE;
	assert_false(boots_are_several(NULL));
	assert_chosen(0, "", "");
}

static void nobody_is_asked(void)
{
	/* This machine is the one whose boots are read. */
	own_machine("alpha", ALPHA);
	assert_false(boots_are_several(NULL));
	assert_chosen(0, "", "");
	/* Or there is but one. */
	own_machine("beta", "");
	assert_true(boots_are_several(NULL));
	count = 4;
	assert_false(boots_are_several(NULL));
	assert_chosen(0, "", "");
	count = 0;
	assert_false(boots_are_several(NULL));
}

/* The first boot that is read says it, by a name alone where the machine has no ID. */
static void whose_boots_are_read(void)
{
	u32 i;

	own_machine("beta", "");
	for (i = 0; i < 4; i++)
		boots[i].about.flags = 0;
	assert_true(boots_are_several(NULL));
	boots[4].about.flags = BCOSLOG_BOOT_READ;
	assert_false(boots_are_several(NULL));
}

static void many_machines(void)
{
	char expected[400] = "bcoslog: LOG has logs of several machines, ";
	int i;

	count = 0;
	for (i = 0; i < 8; i++) {
		memset(boots[count].about.host, 0, 64);
		add_boot("", "", "", 0);
		memset(boots[i].about.host, 'a' + i, 50);
	}
	/* The text has 255 characters at most. */
	for (i = 0; i < 4; i++)
		sprintf(expected + strlen(expected), "%.*s, ", 50, boots[i].about.host);
	sprintf(expected + strlen(expected), "%.*s: choose one of them by "
			"--machine\n", 255 - 4 * 52, boots[4].about.host);
	assert_chosen(-1, expected, "");
}

/* ---- the list -------------------------------------------------------------------------------------------------- */

#define HEAD "machine          its ID   boot  ID                                    from                 to       " \
	"                 entries  losses  bytes\n"
#define UNKNOWN "?                                     "

/* In order of the wall clock, with numbers back from the latest boot of the machine. */
static void a_list(void)
{
	struct bcoslog_boot *boot = &boots[3].about;

	boot->entries = 123456789012;
	boot->losses = 123456;
	boot->stored = 77;
	assert_complains("", boots_list(NULL, "LOG", false) == EXIT_OK);
	assert_printed(HEAD
		"alpha            aaaaaaaa   -1  " UNKNOWN "?                    ?                              "
				" 0       0  0\n"
		"alpha            aaaaaaaa   -3  " ID("1") "  2023-11-14 22:13:20  2023-11-14 22:13:24          "
				"   0       0  0\n"
		"beta             ?           0  " ID("5") "  2023-11-14 22:21:40  2023-11-14 22:21:44          "
				"   0       0  0\n"
		"alpha            aaaaaaaa   -2  " ID("2") "  2023-11-14 22:30:00  2023-11-14 22:30:04          "
				"   0       0  0\n"
		"alpha            aaaaaaaa    0  " ID("4") "  2023-11-14 22:46:40  2023-11-14 22:46:44  "
				"123456789012  123456  77\n");
	/* At one time by name. */
	boots[4].about.begin.utc = 1700000000 * SECOND;
	strcpy(boots[4].about.host, "aleph");
	count = 5;
	assert_complains("", boots_list(NULL, "LOG", false) == EXIT_OK);
	assert_non_null(strstr(printed_text(), "\naleph            ?           0  " ID("5")
			       "  2023-11-14 22:13:20  2023-11-14 22:21:44             0       0  0\nalpha      "
					"      aaaaaaaa   -3"));
	/* A name may have one letter. */
	strcpy(boots[4].about.host, "h");
	assert_complains("", boots_list(NULL, "LOG", false) == EXIT_OK);
	assert_non_null(strstr(printed_text(), "\nh                ?           0  " ID("5")));
}

static void a_list_as_json(void)
{
	struct bcoslog_boot *boot = &boots[0].about;

	count = 1;
	boot->files = 2;
	boot->entries = 3;
	boot->losses = 4;
	boot->stored = 5;
	boot->raw = 6;
	assert_complains("", boots_list(NULL, "LOG", true) == EXIT_OK);
	assert_printed("{\"machine\":\"alpha\",\"machine_id\":\"" ALPHA "\",\"number\":0,"
			"\"boot\":\"" ID("1") "\",\"first\":500000000,"
		       "\"last\":4000000000,\"first_wall\":1700000000500000000,"
				"\"last_wall\":1700000004000000000,\"files\":2,"
		       "\"entries\":3,\"losses\":4,\"stored\":5,\"raw\":6,\"read\":true}\n");
	boots[0] = boots[4];
	count = 2;
	boots[1].about.begin.utc = boots[1].about.end.utc = 0;
	assert_complains("", boots_list(NULL, "LOG", true) == EXIT_OK);
	assert_printed("{\"machine\":\"alpha\",\"machine_id\":\"" ALPHA "\",\"number\":0,"
			"\"boot\":\"" ID("2") "\",\"first\":500000000,"
		       "\"last\":4000000000,\"first_wall\":0,\"last_wall\":0,\"files\":0,"
		       "\"entries\":0,\"losses\":0,\"stored\":0,\"raw\":0,\"read\":true}\n"
		       "{\"machine\":\"beta\",\"machine_id\":\"\",\"number\":0,\"boot\":\"" ID("5") "\","
				"\"first\":500000000,"
		       "\"last\":4000000000,\"first_wall\":1700000500500000000,"
				"\"last_wall\":1700000504000000000,\"files\":0,"
		       "\"entries\":0,\"losses\":0,\"stored\":0,\"raw\":0,\"read\":false}\n");
}

static void no_list(void)
{
	assert_complains("bcoslog: no memory for the boots in LOG\n", (failing = 1, boots_list(NULL, "LOG", false)) ==
			 EXIT_ENVIRONMENT);
	assert_printed("");
	assert_complains("bcoslog: no memory for a boot as "
			"JSON\n", (failing = 2, boots_list(NULL, "LOG", true)) == EXIT_ENVIRONMENT);
	assert_printed("");
	kind = BCOSLOG_FILE;
	assert_complains("bcoslog: LOG is no recorded directory, whose boots --boots lists: name one\n",
			 boots_list(NULL, "LOG", false) == EXIT_ENVIRONMENT);
}

#define part_test(part) { #part, test_part, NULL, NULL, (void *)(part) }

int main(void)
{
	const struct CMUnitTest tests[] = {
		part_test(values_of_options),
		part_test(a_machine),
		part_test(a_boot_by_its_number),
		part_test(a_boot_by_its_id),
		part_test(somebody_is_asked),
		part_test(nobody_is_asked),
		part_test(whose_boots_are_read),
		part_test(many_machines),
		part_test(a_list),
		part_test(a_list_as_json),
		part_test(no_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
