// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The command line, the report and the exit status of bcoslog doctor, with findings that are made up here. */
#include <sys/wait.h>

#include <jansson.h>

#include "command.h"
#include "made_system.h"

/* ---- the examinations ------------------------------------------------------------------------------------------------- */

/* The verdict about each ability. */
static enum verdict verdicts[ABILITIES];

static void examine_ability(struct doctor *doctor, enum ability ability, const char *check, const char *mend)
{
	assert_int_equal(doctor->ability, ability);
	found(doctor, verdicts[ability], check, mend, "%s of %s", doctor->system.live ? "live" : "files",
	      doctor->system.root[0] ? "root" : "here");
}

void examine_module(struct doctor *doctor)
{
	examine_ability(doctor, ABLE_MODULE, "first", "do this");
}

void examine_bpf(struct doctor *doctor)
{
	examine_ability(doctor, ABLE_BPF, "a-longer-check", NULL);
	found(doctor, NOTED, "second", "do that", "more");
}

void examine_reading(struct doctor *doctor)
{
	examine_ability(doctor, ABLE_READ, "third", NULL);
}

void examine_recording(struct doctor *doctor)
{
	examine_ability(doctor, ABLE_RECORD, "fourth", NULL);
}

/* ---- the command ------------------------------------------------------------------------------------------------------ */

static char printed[4000];

/* Runs bcoslog doctor with these words in a process of its own, since it is made to run once.  Return: its exit status. */
static int examine_words(char **words)
{
	char *copy[8] = { (char *)"doctor" };
	FILE *file = tmpfile();
	int count = 1, status;
	size_t length;
	pid_t child;

	for (; *words; words++)
		copy[count++] = *words;
	assert_non_null(file);
	child = fork();
	if (!child) {
		dup2(fileno(file), STDOUT_FILENO);
		_exit(cmd_doctor(count, copy));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	rewind(file);
	length = fread(printed, 1, sizeof(printed) - 1, file);
	printed[length] = '\0';
	fclose(file);
	return WEXITSTATUS(status);
}

#define examines(...) examine_words((char *[]){ __VA_ARGS__, NULL })
#define ASSERT_TELLS(status, text, ...) do { \
		assert_complains("", examines(__VA_ARGS__) == (status)); \
		assert_string_equal(printed, text); \
	} while (0)

static int begin_doctor(void **state)
{
	memset(verdicts, 0, sizeof(verdicts));
	return made_begin(state);
}

#define MODULE(answer, verdict, how) "load the module: " answer " (module)\n" \
	"  " verdict "  first         " how ": do this\n"
#define BPF(answer, verdict, how) "record by BPF programs: " answer " (bpf)\n" \
	"  " verdict "  a-longer-check  " how "\n" \
	"  note     second        more: do that\n"
#define READ(answer, verdict, how) "read the device: " answer " (read)\n  " verdict "  third         " how "\n"
#define RECORD(answer, verdict, how) "keep the log in files: " answer " (record)\n  " verdict "  fourth        " how "\n"
#define OK "ok     "
#define NOTE "note   "
#define FAILS "fails  "

static void everything_is_told(void **state)
{
	static char *none[] = { NULL };

	assert_complains("", examine_words(none) == EXIT_OK);
	assert_string_equal(printed, MODULE("yes", OK, "live of here") BPF("yes", OK, "live of here") READ("yes", OK, "live of here")
			    RECORD("yes", OK, "live of here"));
	/* Another system has nothing but its files. */
	ASSERT_TELLS(EXIT_OK, MODULE("yes", OK, "files of root") BPF("yes", OK, "files of root") READ("yes", OK, "files of root")
		     RECORD("yes", OK, "files of root"), "--root", made_root);
}

static void what_is_asked_for_is_told(void **state)
{
	ASSERT_TELLS(EXIT_OK, BPF("yes", OK, "live of here"), "bpf");
	ASSERT_TELLS(EXIT_OK, MODULE("yes", OK, "live of here") RECORD("yes", OK, "live of here"), "record", "module", "record");
	assert_complains("bcoslog: doctor examines module, bpf, read or record, not \"mod\"\n", examines("mod") == EXIT_ENVIRONMENT);
	assert_complains("bcoslog: --root takes the folder of a system, and /no cannot be entered: No such file or directory\n",
			 examines("--root", "/no") == EXIT_ENVIRONMENT);
	assert_complains("bcoslog: doctor has no option --follow: see bcoslog doctor --help\n",
			 examines("--follow") == EXIT_ENVIRONMENT);
	assert_string_equal(printed, "");
	assert_complains("", examines("--help") == EXIT_OK);
	assert_memory_equal(printed, "Usage: bcoslog doctor ", 22);
	assert_null(strstr(printed, "live of"));
}

/* All of it works, some of it, or nothing, of the abilities that are asked for. */
static void how_it_ends(void **state)
{
	verdicts[ABLE_MODULE] = NOTED;
	verdicts[ABLE_READ] = UNKNOWN;
	verdicts[ABLE_RECORD] = BROKEN;
	ASSERT_TELLS(EXIT_OK, MODULE("yes", NOTE, "live of here") READ("yes", "unknown", "live of here"), "module", "read");
	ASSERT_TELLS(1, READ("yes", "unknown", "live of here") RECORD("no", FAILS, "live of here"), "record", "read");
	ASSERT_TELLS(3, RECORD("no", FAILS, "live of here"), "record");
	verdicts[ABLE_BPF] = BROKEN;
	ASSERT_TELLS(3, BPF("no", FAILS, "live of here") RECORD("no", FAILS, "live of here"), "record", "bpf");
	assert_complains("", examines("record", "bpf", "module", "--json") == 1);
}

static void as_an_object(void **state)
{
	static const char expected[] = "{\"version\": \"%s\", \"kernel\": \"6.1\", \"works\": {\"module\": true, \"bpf\": false}, \"checks\": ["
		"{\"ability\": \"module\", \"check\": \"first\", \"verdict\": \"ok\", \"text\": \"files of root\", \"mend\": \"do this\"}, "
		"{\"ability\": \"bpf\", \"check\": \"a-longer-check\", \"verdict\": \"fails\", \"text\": \"files of root\", \"mend\": null}, "
		"{\"ability\": \"bpf\", \"check\": \"second\", \"verdict\": \"note\", \"text\": \"more\", \"mend\": \"do that\"}]}";
	json_error_t error;
	json_t *got, *wanted;
	char text[1000];

	snprintf(text, sizeof(text), expected, bcoslog_version());
	made_text("/proc/sys/kernel/osrelease", "6.1\n");
	verdicts[ABLE_BPF] = BROKEN;
	assert_complains("", examines("--json", "--root", made_root, "module", "bpf") == 1);
	got = json_loads(printed, 0, &error);
	wanted = json_loads(text, 0, &error);
	assert_non_null(wanted);
	assert_true(json_equal(got, wanted));
	/* It is a line by itself. */
	assert_ptr_equal(strchr(printed, '\n'), printed + strlen(printed) - 1);
	json_decref(got);
	json_decref(wanted);
}

#define doctor_test(test) cmocka_unit_test_setup_teardown(test, begin_doctor, made_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		doctor_test(everything_is_told),
		doctor_test(what_is_asked_for_is_told),
		doctor_test(how_it_ends),
		doctor_test(as_an_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
