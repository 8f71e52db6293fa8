// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The metadata of a trace: text that describes packets, clock, events and their fields, and the environment. The
 * environment is like that of LTTng's kernel tracer, by which viewers recognise the events.
 *
 * Readers take one underscore off the name of a field. Writers put it there, so that no name is a word of the language.
 */
#include <fcntl.h>
#include <unistd.h>

#include "../../output.h"
#include "write.h"

#define SECOND 1000000000ull
#define UINT(bits) "integer { size = " bits "; align = 8; }"
#define TIME "integer { size = 64; align = 8; map = clock.boottime.value; }"

static void put_trace(struct outfile *file, const u8 *uuid)
{
	outfile_format(file, "/* CTF 1.8 */\n\ntrace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"");
	outfile_format(file, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x\";\n", uuid[0], uuid[1],
		       uuid[2], uuid[3], uuid[4], uuid[5], uuid[6], uuid[7], uuid[8], uuid[9], uuid[10], uuid[11],
		       uuid[12], uuid[13], uuid[14], uuid[15]);
	/* struct ctf_packet_header up to its field "instance". */
	outfile_format(file, "\tbyte_order = le;\n"
		       "\tpacket.header := struct {\n"
		       "\t\t" UINT("32") " magic;\n"
		       "\t\t" UINT("8") " uuid[16];\n"
		       "\t\t" UINT("32") " stream_id;\n"
		       "\t\t" UINT("64") " stream_instance_id;\n"
		       "\t};\n};\n\n");
}

/* Texts of the environment come out of the log, so they are quoted. */
static void put_text(struct outfile *file, const char *name, const char *text)
{
	if (!*text)
		return;
	outfile_format(file, "\t%s = \"", name);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			outfile_bytes(file, "\\", 1);
		if ((u8)*text < ' ' || *text == 0x7F)
			outfile_format(file, "\\x%02x", *text);
		else
			outfile_bytes(file, text, 1);
	}
	outfile_format(file, "\";\n");
}

static void put_environment(struct outfile *file, const struct ctf_environment *environment)
{
	outfile_format(file, "env {\n");
	put_text(file, "hostname", environment->host);
	put_text(file, "domain", "kernel");
	put_text(file, "sysname", "Linux");
	put_text(file, "kernel_release", environment->release);
	put_text(file, "kernel_machine", environment->machine);
	put_text(file, "tracer_name", "lttng-modules");
	outfile_format(file, "\ttracer_major = 2;\n\ttracer_minor = 13;\n\ttracer_patchlevel = 0;\n"
		       "\ttrace_buffering_scheme = \"global\";\n\t" CTF_ENVIRONMENT " = %d;\n};\n\n",
		       CTF_ENVIRONMENT_VERSION);
}

static void put_clock(struct outfile *file, const struct ctf_environment *environment)
{
	u64 wall = environment->has_wall ? environment->wall : 0;

	outfile_format(file, "clock {\n\tname = \"boottime\";\n\tdescription = \"nanoseconds since boot\";\n"
		       "\tfreq = %llu;\n\toffset_s = %llu;\n\toffset = %llu;\n\tabsolute = %s;\n};\n\n", SECOND,
		       (unsigned long long)(wall / SECOND), (unsigned long long)(wall % SECOND),
		       environment->has_wall ? "true" : "false");
}

static void put_stream(struct outfile *file)
{
	/* struct ctf_packet_header from its field "size" on, and struct ctf_event_header. */
	outfile_format(file, "stream {\n\tid = 0;\n"
		       "\tpacket.context := struct {\n"
		       "\t\t" UINT("64") " packet_size;\n"
		       "\t\t" UINT("64") " content_size;\n"
		       "\t\t" TIME " timestamp_begin;\n"
		       "\t\t" TIME " timestamp_end;\n"
		       "\t\t" UINT("64") " events_discarded;\n"
		       "\t\t" UINT("64") " packet_seq_num;\n"
		       "\t\t" UINT("32") " cpu_id;\n"
		       "\t};\n"
		       "\tevent.header := struct {\n"
		       "\t\t" UINT("16") " id;\n"
		       "\t\t" TIME " timestamp;\n"
		       "\t};\n"
		       "\tevent.context := struct {\n"
		       "\t\t" UINT("32") " _" CTF_ORDER ";\n"
		       "\t\t" UINT("32") " _" CTF_PRECISION ";\n"
		       "\t};\n};\n\n");
}

static void put_event(struct outfile *file, enum ctf_layout_id id)
{
	const struct ctf_layout *layout = &ctf_layouts[id];
	const struct ctf_field *field;

	outfile_format(file, "event {\n\tname = \"%s\";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct {\n", layout->name,
		       id);
	for (field = layout->fields; field->kind; field++) {
		if (field->kind == CTF_TEXT)
			outfile_format(file, "\t\tstring { encoding = UTF8; } _%s;\n", field->name);
		else if (field->kind == CTF_LIST)
			outfile_format(file, "\t\t" UINT("32") " __%s_length;\n\t\t" UINT("32") " _%s[__%s_length];\n",
				       field->name, field->name, field->name);
		else
			outfile_format(file, "\t\tinteger { size = %u; align = 8; signed = %s; } _%s;\n",
				       ctf_widths[field->kind] * 8u,
				       field->kind == CTF_S32 || field->kind == CTF_S64 ? "true" : "false", field->name);
	}
	outfile_format(file, "\t};\n};\n\n");
}

void ctf_metadata_write(struct ctf_trace *trace, const struct ctf_environment *environment)
{
	struct outfile file;
	enum ctf_layout_id id;
	int fd, r;

	if (trace->error)
		return;
	fd = openat(trace->folder, "metadata", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	r = fd < 0 ? -errno : outfile_open_fd(&file, fd);
	if (!r) {
		put_trace(&file, trace->uuid);
		put_environment(&file, environment);
		put_clock(&file, environment);
		put_stream(&file);
		for (id = 0; id < CTF_LAYOUTS; id++)
			put_event(&file, id);
		r = outfile_close(&file);
	}
	if (r)
		ctf_trace_fail_write(trace, r);
}
