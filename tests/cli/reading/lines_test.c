// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Compares the output of "bcoslog dump" for a log written by hand, byte for byte. Above all, names, times and
 * precisions that change from one assignment to the next are never the earlier ones.
 *
 * The tool is $BCOSLOG, else $BUILD/bcoslog.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bcos_evlog.h"

#define S 1000000000ull
#define IDLE BCOS_PROCESS_IDLE
#define NAME27 "twenty-seven-bytes-of-names"

/* An entry and its line. */
struct step {
	uint16_t type;
	uint32_t source;
	uint64_t time;
	uint32_t precision;
	uint32_t value;		/* the word after the header, if the type has one */
	const char *text;
	const char *line;
};

#define NAME(id, time, name, line) { BCOS_SET_PROCESS_NAME, id, time, 1, 0, name, line }
#define HIST(id, time, name, line) { BCOS_HIST_SET_PROCESS_NAME, id, time, 1, 0, name, line }
#define ASSIGN(cpu, time, precision, process, line) { BCOS_ASSIGN_CPU, cpu, time, precision, process, NULL, line }

static const struct step steps[] = {
	/* There is one name, and then another second begins. */
	ASSIGN(0, 5, 1, 5, "      0.000000005  Assign CPU           CPU 0 -> process 5 (unnamed)"),
	HIST(5, 7, "sh", "      0.000000007  Historical Set Process Name  process 5 \"sh\""),
	ASSIGN(0, S - 1, 1, 5, "      0.999999999  Assign CPU           CPU 0 -> process 5 \"sh\""),
	ASSIGN(0, S, 1, IDLE, "      1.000000000  Assign CPU           CPU 0 -> idle"),
	ASSIGN(0, S + 1, 1, 5, "      1.000000001  Assign CPU           CPU 0 -> process 5 \"sh\""),
	/* Each kind of entry gives the process another name. */
	NAME(5, S + 2, "bash", "      1.000000002  Set Process Name     process 5 \"bash\" (was \"sh\")"),
	ASSIGN(9, S + 3, 1, 5, "      1.000000003  Assign CPU           CPU 9 -> process 5 \"bash\""),
	HIST(5, 7, "csh", "      0.000000007  Historical Set Process Name  process 5 \"csh\" (was \"bash\")"),
	ASSIGN(10, S + 4, 1, 5, "      1.000000004  Assign CPU           CPU 10 -> process 5 \"csh\""),
	/* The IDs of these processes differ only in high bits. */
	NAME(65541, S + 5, "high", "      1.000000005  Set Process Name     process 65541 \"high\""),
	ASSIGN(99, S + 6, 1, 65541,
	       "      1.000000006  Assign CPU           CPU 99 -> process 65541 \"high\""),
	ASSIGN(100, S + 7, 1, 5, "      1.000000007  Assign CPU           CPU 100 -> process 5 \"csh\""),
	ASSIGN(65541, S + 8, 1, 131077,
	       "      1.000000008  Assign CPU           CPU 65541 -> process 131077 (unnamed)"),
	ASSIGN(65541, S + 8, 1, 65541,
	       "      1.000000008  Assign CPU           CPU 65541 -> process 65541 \"high\""),
	{ BCOS_CANCEL_PROCESS_NAME, 65541, S + 9, 1, 3, NULL,
	  "      1.000000009  Cancel Process Name  process 65541 \"high\": exit code 3" },
	ASSIGN(0xFFFFFFFF, S + 10, 1, 65541,
	       "      1.000000010  Assign CPU           CPU 4294967295 -> process 65541 (unnamed)"),
	ASSIGN(0, S + 11, 1, 5, "      1.000000011  Assign CPU           CPU 0 -> process 5 \"csh\""),
	/* These names are long. */
	NAME(0xFFFFFFFE, S + 12, NAME27,
	     "      1.000000012  Set Process Name     process 4294967294 \"" NAME27 "\""),
	ASSIGN(0, S + 13, 1, 0xFFFFFFFE,
	       "      1.000000013  Assign CPU           CPU 0 -> process 4294967294 \"" NAME27 "\""),
	ASSIGN(0, S + 14, 1, 0xFFFFFFFE,
	       "      1.000000014  Assign CPU           CPU 0 -> process 4294967294 \"" NAME27 "\""),
	NAME(6, S + 15, NAME27 "+",
	     "      1.000000015  Set Process Name     process 6 \"" NAME27 "+\""),
	ASSIGN(0, S + 16, 1, 6, "      1.000000016  Assign CPU           CPU 0 -> process 6 \"" NAME27 "+\""),
	ASSIGN(0, S + 17, 1, 6, "      1.000000017  Assign CPU           CPU 0 -> process 6 \"" NAME27 "+\""),
	/* These bytes have to be escaped. */
	NAME(7, S + 18, "a\"\\\x1B\t\xC3\xA9",
	     "      1.000000018  Set Process Name     process 7 \"a\\\"\\\\\\x1B\\t\xC3\xA9\""),
	ASSIGN(0, S + 19, 1, 7,
	       "      1.000000019  Assign CPU           CPU 0 -> process 7 \"a\\\"\\\\\\x1B\\t\xC3\xA9\""),
	ASSIGN(0, S + 20, 1, 7,
	       "      1.000000020  Assign CPU           CPU 0 -> process 7 \"a\\\"\\\\\\x1B\\t\xC3\xA9\""),
	/* These entries have precisions. */
	ASSIGN(0, S + 21, 0xFFFFFFFF, 5,
	       "      1.000000021  Assign CPU           CPU 0 -> process 5 \"csh\"  or later"),
	ASSIGN(0, S + 22, 12345, 5, "      1.000000022  Assign CPU           CPU 0 -> process 5 \"csh\"  +13us"),
	ASSIGN(0, S + 22, 2, IDLE, "      1.000000022  Assign CPU           CPU 0 -> idle  +2ns"),
	ASSIGN(0, S + 22, 9999, IDLE, "      1.000000022  Assign CPU           CPU 0 -> idle  +9999ns"),
	ASSIGN(0, S + 22, 10000, IDLE, "      1.000000022  Assign CPU           CPU 0 -> idle  +10us"),
	ASSIGN(0, S + 22, 9999001, IDLE, "      1.000000022  Assign CPU           CPU 0 -> idle  +10000us"),
	ASSIGN(0, S + 22, 10000000, IDLE, "      1.000000022  Assign CPU           CPU 0 -> idle  +10ms"),
	ASSIGN(0, S + 22, 0xFFFFFFFE, IDLE, "      1.000000022  Assign CPU           CPU 0 -> idle  +4295ms"),
	{ BCOS_HIST_SET_PROCESS_NAME, 9, 0, 0xFFFFFFFF, 0, "init",
	  "       since boot  Historical Set Process Name  process 9 \"init\"" },
	{ BCOS_HIST_SET_PROCESS_NAME, 9, 0, 0xFFFFFFFE, 0, "init",
	  "      0.000000000  Historical Set Process Name  process 9 \"init\"  +4295ms" },
	ASSIGN(0, S + 23, 0, 5, "      1.000000023  Assign CPU           CPU 0 -> process 5 \"csh\""),
	{ BCOS_HIST_ASSIGN_CPU, 0, S + 23, 0, 6, NULL,
	  "      1.000000023  Historical Assign CPU  CPU 0 -> process 6 \"" NAME27 "+\"" },
	/* Times go to the end and back. */
	ASSIGN(0, 9999999 * S + 123456789, 1, IDLE,
	       "9999999.123456789  Assign CPU           CPU 0 -> idle"),
	ASSIGN(0, 10000000 * S, 1, IDLE, "10000000.000000000  Assign CPU           CPU 0 -> idle"),
	ASSIGN(0, UINT64_MAX, 1, IDLE, "18446744073.709551615  Assign CPU           CPU 0 -> idle"),
	ASSIGN(0, 30, 1, IDLE, "      0.000000030  Assign CPU           CPU 0 -> idle"),
	/* A reader that was overtaken knows no names. */
	{ BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 2 * S, 1, BCOS_EVENT_MISSED, "",
	  "      2.000000000  Generic Device       device 0xC0000000 (unnamed): info 0x40, "
	  "event 0x80000002 (reader overtaken)" },
	ASSIGN(0, 2 * S + 1, 1, 5, "      2.000000001  Assign CPU           CPU 0 -> process 5 (unnamed)"),
	ASSIGN(0, 2 * S + 2, 1, 6, "      2.000000002  Assign CPU           CPU 0 -> process 6 (unnamed)"),
};

#define STEPS (sizeof(steps) / sizeof(steps[0]))

static void write_step(FILE *file, const struct step *step)
{
	struct bcos_entry header = { .type = step->type, .source = step->source, .time = step->time,
				     .precision = step->precision };
	bool generic = step->type == BCOS_GENERIC_DEVICE, word = generic || !step->text;
	size_t length = sizeof(header) + (word ? 4 : 0) + generic + (step->text ? strlen(step->text) : 0);
	static const char zeros[4];

	header.size = (uint16_t)((length + 3) & ~(size_t)3);
	fwrite(&header, sizeof(header), 1, file);
	if (word)
		fwrite(&step->value, 4, 1, file);
	if (generic)
		fputc(BCOS_SEVERITY_INFO, file);
	if (step->text)
		fputs(step->text, file);
	fwrite(zeros, 1, header.size - length, file);
}

/* Judges the log @rounds times in a row, so that the output's buffer ends at all places of a line. */
static bool judge_lines(const char *program, const char *path, int rounds)
{
	char command[8192], line[1024];
	FILE *file = fopen(path, "wb");
	bool good = true;
	size_t i;
	int round;

	for (round = 0; file && round < rounds; round++)
		for (i = 0; i < STEPS; i++)
			write_step(file, &steps[i]);
	if (!file || fclose(file))
		return false;
	snprintf(command, sizeof(command), "'%s' dump --all '%s' 2>/dev/null", program, path);
	file = popen(command, "r");
	for (i = 0; file && good && i < (size_t)rounds * STEPS; i++) {
		good = fgets(line, sizeof(line), file) && strchr(line, '\n');
		line[strcspn(line, "\n")] = '\0';
		if (good && strcmp(line, steps[i % STEPS].line)) {
			printf("# entry %zu\n# expected \"%s\"\n#      got \"%s\"\n", i, steps[i % STEPS].line, line);
			good = false;
		}
	}
	good = good && file && !fgets(line, sizeof(line), file);
	return file && !pclose(file) && good;
}

int main(void)
{
	const char *named = getenv("BCOSLOG"), *build = getenv("BUILD");
	char program[4096], path[] = "/tmp/bcos-lines-XXXXXX";
	int fd = mkstemp(path);
	bool once, often;

	snprintf(program, sizeof(program), "%s%s", named ? named : build ? build : "build", named ? "" : "/bcoslog");
	if (fd < 0 || access(program, X_OK)) {
		perror(program);
		return 1;
	}
	close(fd);
	puts("1..2");
	once = judge_lines(program, path, 1);
	printf("%sok 1 - lines of a log\n", once ? "" : "not ");
	often = judge_lines(program, path, 500);
	printf("%sok 2 - the same 500 times in a row\n", often ? "" : "not ");
	unlink(path);
	return !once || !often;
}
