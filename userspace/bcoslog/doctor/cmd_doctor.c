// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog doctor: finds out which abilities the machine has, what it lacks for the others, and how to mend that. */
#include <unistd.h>

#include "command.h"
#include "complain/complain.h"
#include "doctor.h"
#include "options/options.h"
#include "output/output.h"
#include "options/session.h"

enum { EXIT_NOTHING_WORKS = 3 };

static int take_root(struct arguments *arguments, const char *text)
{
	struct system *system = &((struct doctor *)arguments->context)->system;

	if (access(text, X_OK)) {
		complain("--root takes the folder of a system, and %s cannot be entered: %s", text, strerror(errno));
		return -1;
	}
	system->root = text;
	system->live = false;
	return 0;
}

static int take_ability(struct arguments *arguments, const char *text)
{
	struct doctor *doctor = arguments->context;
	int ability;

	if (text[0] == '-')
		return 0;
	for (ability = 0; ability < ABILITIES; ability++) {
		if (strcmp(text, ability_names[ability]))
			continue;
		doctor->asked[ability] = true;
		return 1;
	}
	complain("doctor examines module, bpf, read or record, not \"%s\"", text);
	return -1;
}

static void examine_system(struct doctor *doctor)
{
	static void (*const examinations[ABILITIES])(struct doctor *doctor) = {
		[ABLE_MODULE] = examine_module, [ABLE_BPF] = examine_bpf, [ABLE_READ] = examine_reading,
		[ABLE_RECORD] = examine_recording,
	};
	int ability;

	system_look(&doctor->system);
	/* Examines all abilities. The report shows those that the user asks about. */
	for (ability = 0; ability < ABILITIES; ability++) {
		doctor->ability = (enum ability)ability;
		examinations[ability](doctor);
	}
}

/* If the user named no ability, all are asked for. */
static void ask_for_all(struct doctor *doctor)
{
	int ability;

	for (ability = 0; ability < ABILITIES; ability++)
		if (doctor->asked[ability])
			return;
	for (ability = 0; ability < ABILITIES; ability++)
		doctor->asked[ability] = true;
}

static int judge_findings(const struct doctor *doctor)
{
	int ability, asked = 0, works = 0;

	for (ability = 0; ability < ABILITIES; ability++) {
		if (!doctor->asked[ability])
			continue;
		asked++;
		works += doctor_works(doctor, (enum ability)ability);
	}
	if (works == asked)
		return EXIT_OK;
	return works ? EXIT_DAMAGE : EXIT_NOTHING_WORKS;
}

static int cmd_doctor(struct session *session, int argc, char **argv)
{
	static struct doctor doctor = { .system = { .root = "", .live = true } };
	struct arguments arguments = { .session = session, .command = &command_doctor, .context = &doctor, .change = take_ability };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	ask_for_all(&doctor);
	examine_system(&doctor);
	if (session->form != TABLE_JSON)
		report_text(&doctor);
	else if (report_json(&doctor))
		return EXIT_ENVIRONMENT;
	status = print_end();
	return status ? status : judge_findings(&doctor);
}

static const struct option_spec options[] = {
	{ .name = "json", .take = take_json, .help = "print an object" },
	{ .name = "root", .value = "DIR", .take = take_root,
	  .help = "examine the system below DIR by its files alone" },
	{ .name = NULL },
};

const struct command command_doctor = {
	.name = "doctor",
	.summary = "find out what this machine lacks, and how to mend it",
	.usage = "bcoslog doctor [OPTIONS] [module] [bpf] [read] [record]",
	.about =
"Examines whether the module can be loaded here, whether BPF programs can\n"
"record, whether you can read the device, and whether the log is kept in files;\n"
"or only the named abilities.  Each check is a line, with the command that mends\n"
"a failure.  It changes nothing.",
	.options = { options },
	.status = "0 all of them work, 1 some work, 2 wrong usage, 3 none works.",
	.plain = VALUE_ABILITY,
	.run = cmd_doctor,
};
