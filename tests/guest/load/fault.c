// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Allocations that fail on demand: see fault.h. */
#include "fault.h"

#include "device.h"

#include <inttypes.h>

#define SETTING "/sys/module/withhold/parameters/"
#define TEXT_SECTION "/sys/module/bcos_evlog/sections/.text"

/* The places to which a module is loaded at different times are less than this apart. */
#define AREA 0x1000000ull

/* The code of the module, as it was loaded last. */
static uint64_t code_begin, code_end;

/* The file of the parameter nth, which is open before an allocation can fail. */
static int nth = -1;

static void set_fault(const char *path, unsigned long long value)
{
	if (!write_file(path, "%llu", value))
		give_up("%s", path);
}

static unsigned int number_failed(void)
{
	char text[32] = "";

	if (read_file(SETTING "failed", text, sizeof(text)) <= 0)
		give_up(SETTING "failed");
	return (unsigned int)strtoul(text, NULL, 0);
}

static void find_code(void)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	char line[512], type, owner[64], text[32];
	uint64_t at;

	if (!symbols)
		give_up("/proc/kallsyms");
	if (read_file(TEXT_SECTION, text, sizeof(text)) <= 0)
		give_up(TEXT_SECTION);
	code_begin = strtoull(text, NULL, 0);
	code_end = 0;
	while (fgets(line, sizeof(line), symbols))
		if (sscanf(line, "%" SCNx64 " %c %*s %63s", &at, &type, owner) == 3 && !strcmp(owner, "[bcos_evlog]") &&
		    (type == 't' || type == 'T') && at > code_end)
			code_end = at;
	fclose(symbols);
	if (code_end <= code_begin)
		give_up("the code of the module is not in /proc/kallsyms");
	/* The last function has an end, too. */
	code_end += 4096;
}

void faults_load(void)
{
	load_other("withhold", "");
	nth = open(SETTING "nth", O_WRONLY | O_CLOEXEC);
	if (nth < 0)
		give_up(SETTING "nth");
}

void faults_unload(void)
{
	close(nth);
	unload_other("withhold");
}

void faults_at(enum fault_place place)
{
	uint64_t more = place == FAULT_LOADING ? AREA : 0;

	if (place == FAULT_MODULE)
		find_code();
	set_fault(SETTING "begin", place == FAULT_ANYWHERE ? 0 : code_begin - more);
	set_fault(SETTING "end", place == FAULT_ANYWHERE ? 0 : code_end + more);
}

void faults_begin(void)
{
	set_fault(SETTING "failed", 0);
	set_fault(SETTING "all", 1);
}

unsigned int faults_end(void)
{
	set_fault(SETTING "all", 0);
	return number_failed();
}

void fault_arm(unsigned int n)
{
	char text[20];

	set_fault(SETTING "failed", 0);
	snprintf(text, sizeof(text), "%u", n);
	if (write(nth, text, strlen(text)) < 0)
		give_up(SETTING "nth");
}

bool fault_disarm(void)
{
	/* Writing allocates a buffer first, which may fail. */
	while (write(nth, "0", 1) < 0)
		if (errno != ENOMEM)
			give_up(SETTING "nth");
	return number_failed() > 0;
}
