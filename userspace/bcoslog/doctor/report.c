// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the findings of the doctor as lines or as a JSON object. */
#include "bcoslog.h"
#include "doctor.h"
#include "output/object.h"
#include "output/output.h"

const char *const ability_names[ABILITIES] = {
	[ABLE_MODULE] = "module", [ABLE_BPF] = "bpf", [ABLE_READ] = "read", [ABLE_RECORD] = "record",
};

static const char *const questions[ABILITIES] = {
	[ABLE_MODULE] = "load the module",
	[ABLE_BPF] = "record by BPF programs",
	[ABLE_READ] = "read the device",
	[ABLE_RECORD] = "keep the log in files",
};

static const char *const verdicts[] = {
	[SOUND] = "ok", [NOTED] = "note", [BROKEN] = "fails", [UNKNOWN] = "unknown",
};

static void print_finding(const struct finding *finding)
{
	output_format("  %-7s  %-12s  ", verdicts[finding->verdict], finding->check);
	output_sentence(finding->text);
	if (finding->mend[0])
		output_bytes(": ", 2);
	output_sentence(finding->mend);
	output_bytes("\n", 1);
}

void report_text(const struct doctor *doctor)
{
	int ability;
	size_t i;

	for (ability = 0; ability < ABILITIES; ability++) {
		if (!doctor->asked[ability])
			continue;
		output_format("%s: %s (%s)\n", questions[ability],
			      doctor_works(doctor, (enum ability)ability) ? "yes" : "no", ability_names[ability]);
		for (i = 0; i < doctor->count; i++)
			if (doctor->findings[i].ability == (enum ability)ability)
				print_finding(&doctor->findings[i]);
	}
}

static json_t *works_json(const struct doctor *doctor)
{
	struct object works = { .json = json_object() };
	int ability;

	for (ability = 0; ability < ABILITIES; ability++)
		if (doctor->asked[ability])
			object_add(&works, ability_names[ability],
				   json_boolean(doctor_works(doctor, (enum ability)ability)));
	if (!works.failed)
		return works.json;
	json_decref(works.json);
	return NULL;
}

static void add_finding(struct object *report, json_t *list, const struct finding *finding)
{
	struct object object = { .json = json_object() };

	object_word(&object, "ability", ability_names[finding->ability]);
	object_word(&object, "check", finding->check);
	object_word(&object, "verdict", verdicts[finding->verdict]);
	object_add(&object, "text", json_string(finding->text));
	object_add(&object, "mend", finding->mend[0] ? json_string(finding->mend) : json_null());
	report->failed |= object.failed | json_array_append_new(list, object.json);
}

int report_json(const struct doctor *doctor)
{
	struct object object = { .json = json_object() };
	json_t *list = json_array();
	size_t i;

	object_word(&object, "version", bcoslog_version());
	object_add(&object, "kernel", json_string(doctor->system.release));
	object_add(&object, "works", works_json(doctor));
	for (i = 0; i < doctor->count; i++)
		if (doctor->asked[doctor->findings[i].ability])
			add_finding(&object, list, &doctor->findings[i]);
	object_add(&object, "checks", list);
	return object_print(&object, "what was found");
}
