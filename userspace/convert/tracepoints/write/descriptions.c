// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes descriptions of tracepoints: see write.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "write.h"

int tracing_text_begin(struct tracing_text *text)
{
	text->stream = open_memstream(&text->bytes, &text->size);
	return text->stream ? 0 : -ENOMEM;
}

int tracing_text_end(struct tracing_text *text)
{
	int failed = ferror(text->stream);

	if (!fclose(text->stream) && !failed)
		return 0;
	free(text->bytes);
	return -ENOMEM;
}

void tracing_print64(FILE *to, u64 value)
{
	fwrite(&value, sizeof(value), 1, to);
}

void tracing_print32(FILE *to, u32 value)
{
	fwrite(&value, sizeof(value), 1, to);
}

static void print_word(FILE *to, const char *word)
{
	fwrite(word, strlen(word) + 1, 1, to);
}

static void print_sized(FILE *to, const char *text)
{
	tracing_print64(to, strlen(text));
	fputs(text, to);
}

static int print_description(FILE *to, const struct perf_point *point, u32 number)
{
	struct tracing_text text;

	if (tracing_text_begin(&text))
		return -ENOMEM;
	fprintf(text.stream, "name: %s\nID: %u\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n%s\nprint fmt: %s\n",
		point->name, number, point->fields, point->print);
	if (tracing_text_end(&text))
		return -ENOMEM;
	print_sized(to, text.bytes);
	free(text.bytes);
	return 0;
}

/* Returns how many points in a row, from @first on, belong to one system. */
static size_t same_system(const struct perf_point *points, size_t count, size_t first)
{
	size_t i = first;

	while (i < count && !strcmp(points[i].system, points[first].system))
		i++;
	return i - first;
}

static int print_systems(FILE *to, const struct perf_point *points, size_t count)
{
	size_t i, j, same, systems = 0;
	int r = 0;

	for (i = 0; i < count; i += same_system(points, count, i))
		systems++;
	tracing_print32(to, (u32)systems);
	for (i = 0; i < count && !r; i += same) {
		same = same_system(points, count, i);
		print_word(to, points[i].system);
		tracing_print32(to, (u32)same);
		for (j = i; j < i + same && !r; j++)
			r = print_description(to, &points[j], PERF_POINT_FIRST + (u32)j);
	}
	return r;
}

int tracing_print(FILE *to, const struct perf_point *points, size_t count)
{
	static const char header_page[] =
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
	static const char header_event[] =
		"# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
		"\tarray       :   32 bits\n\n\tpadding     : type == 29\n\ttime_extend : type == 30\n"
		"\ttime_stamp : type == 31\n\tdata max type_len  == 28\n";

	print_word(to, "header_page");
	print_sized(to, header_page);
	print_word(to, "header_event");
	print_sized(to, header_event);
	tracing_print32(to, 0);		/* no events of ftrace itself */
	return print_systems(to, points, count);
}
