// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes the files of a trace: folders, files of CPUs, info/ and eventdefs/. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../read/read.h"
#include "write.h"

#define SECOND 1000000000ull

int ltt_fail(struct ltt_writer *writer, int error, const char *what)
{
	const char *last = strrchr(what, '/');

	if (!*writer->why)
		snprintf(writer->why, sizeof(writer->why), "%.200s: %s", last ? last + 1 : what, strerror(-error));
	return error;
}

static int write_file(struct ltt_writer *writer, const char *name, const char *text, size_t size)
{
	char *path;
	ssize_t n;
	int fd, r = 0;

	if (asprintf(&path, "%s/%s", writer->folder, name) < 0)
		return ltt_fail(writer, -ENOMEM, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	free(path);
	if (fd < 0)
		return ltt_fail(writer, -errno, name);
	while (size && !r) {
		n = write(fd, text, size);
		if (n < 0 && errno != EINTR)
			r = -errno;
		text += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	if (close(fd) && !r)
		r = -errno;
	return r ? ltt_fail(writer, r, name) : 0;
}

static int open_blocks(struct ltt_writer *writer, struct ltt_blocks *blocks, const char *name, u64 time)
{
	char *path;
	int r;

	if (asprintf(&path, "%s/%s", writer->folder, name) < 0)
		return ltt_fail(writer, -ENOMEM, name);
	r = ltt_blocks_begin(blocks, path, writer->wall, time);
	free(path);
	return r ? ltt_fail(writer, r, name) : 0;
}

/* ---- CPUs ---------------------------------------------------------------------- */

struct ltt_cpu *ltt_cpu_new(struct ltt_writer *writer, u32 id)
{
	struct ltt_cpu *cpu;
	char name[32];

	if (writer->cpus_count == LTT_CPUS_MAX) {
		snprintf(writer->why, sizeof(writer->why), "the log names more than %u CPUs, which no machine has",
			 LTT_CPUS_MAX);
		return NULL;
	}
	cpu = calloc(1, sizeof(*cpu));
	snprintf(name, sizeof(name), "cpu/%u", id);
	if (!cpu || open_blocks(writer, &cpu->blocks, name, writer->now)) {
		free(cpu);
		return NULL;
	}
	cpu->node.id = id;
	if (id < LTT_CPUS_MAX) {
		writer->cpus[id] = cpu;
	} else if (table_add(&writer->more_cpus, &cpu->node)) {
		ltt_blocks_free(&cpu->blocks);
		free(cpu);
		ltt_fail(writer, -ENOMEM, name);
		return NULL;
	}
	writer->cpus_count++;
	if (id >= writer->cpu_end)
		writer->cpu_end = (u64)id + 1;
	return cpu;
}

int ltt_each_cpu(struct ltt_writer *writer, int (*use)(struct ltt_writer *writer, struct ltt_cpu *cpu))
{
	struct node *node, *next;
	int r = 0;
	size_t i;

	for (i = 0; !r && i < LTT_CPUS_MAX; i++)
		if (writer->cpus[i])
			r = use(writer, writer->cpus[i]);
	for (i = 0; !r && writer->more_cpus.count && i < (size_t)1 << writer->more_cpus.bits; i++)
		for (node = writer->more_cpus.buckets[i]; !r && node; node = next) {
			next = node->next;
			r = use(writer, (struct ltt_cpu *)node);
		}
	return r;
}

static int approach_end(struct ltt_writer *writer, struct ltt_cpu *cpu)
{
	int r = ltt_blocks_approach(&cpu->blocks, writer->now);
	u32 need = ltt_blocks_need(&cpu->blocks);

	if (need > writer->block)
		writer->block = need;
	return r ? ltt_fail(writer, r, cpu->blocks.path) : 0;
}

static int end_cpu(struct ltt_writer *writer, struct ltt_cpu *cpu)
{
	int r;

	cpu->blocks.size = writer->block;
	r = ltt_blocks_end(&cpu->blocks, writer->now);
	return r ? ltt_fail(writer, r, cpu->blocks.path) : 0;
}

static int free_cpu(struct ltt_writer *writer, struct ltt_cpu *cpu)
{
	(void)writer;
	ltt_blocks_free(&cpu->blocks);
	free(cpu);
	return 0;
}

/* ---- XML ------------------------------------------------------------------------ */

/* Writes a text for XML. A control character that is no white space, or a byte above 0x7E, becomes a question mark. */
static void put_escaped(FILE *to, const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '&')
			fputs("&amp;", to);
		else if (c == '<')
			fputs("&lt;", to);
		else if (c == '>')
			fputs("&gt;", to);
		else if (c == '"')
			fputs("&quot;", to);
		else if (c < ' ' || c >= 0x7F)
			fputc(c == '\t' || c == '\n' ? ' ' : '?', to);
		else
			fputc(c, to);
	}
}

static void put_attribute(FILE *to, enum ltt_attribute attribute, const char *value)
{
	fprintf(to, "  %s=\"", ltt_attributes[attribute]);
	put_escaped(to, value, strlen(value));
	fputs("\"\n", to);
}

static bool is_32_bit(const char *machine)
{
	static const char *const names[] = { "i386", "i486", "i586", "i686", "arm", "armv7l", "riscv32" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(machine, names[i]))
			return true;
	return false;
}

static void put_system(struct ltt_writer *writer, FILE *to)
{
	bool kernel = *writer->release;
	char number[32];

	fputs("<system\n", to);
	put_attribute(to, LTT_NODE_NAME, *writer->host ? writer->host : "unknown");
	put_attribute(to, LTT_DOMAINNAME, "unknown");
	snprintf(number, sizeof(number), "%llu", (unsigned long long)writer->cpu_end);
	put_attribute(to, LTT_CPU, number);
	put_attribute(to, LTT_ARCH_SIZE, is_32_bit(writer->machine) ? "ILP32" : "LP64");
	put_attribute(to, LTT_ENDIAN, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "little" : "big");
	put_attribute(to, LTT_KERNEL_NAME, kernel ? "Linux" : "unknown");
	put_attribute(to, LTT_KERNEL_RELEASE, kernel ? writer->release : "unknown");
	put_attribute(to, LTT_KERNEL_VERSION, "unknown");
	put_attribute(to, LTT_MACHINE, *writer->machine ? writer->machine : "unknown");
	put_attribute(to, LTT_PROCESSOR, "unknown");
	put_attribute(to, LTT_HARDWARE_PLATFORM, "unknown");
	put_attribute(to, LTT_OPERATING_SYSTEM, kernel ? "Linux" : "unknown");
	put_attribute(to, LTT_MAJOR_VERSION, "2");
	put_attribute(to, LTT_MINOR_VERSION, "0");
	snprintf(number, sizeof(number), "%u", writer->block);
	put_attribute(to, LTT_BLOCK_SIZE, number);
	fputs(">\nMade of a BCOS event log. The cycle counter counts nanoseconds since boot.\n</system>\n", to);
}

static int write_system(struct ltt_writer *writer)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	int r = -ENOMEM;

	if (to) {
		put_system(writer, to);
		if (!fclose(to))
			r = write_file(writer, "info/system.xml", text, size);
	}
	free(text);
	return r == -ENOMEM ? ltt_fail(writer, r, "system.xml") : r;
}

int ltt_bookmark_add(struct ltt_writer *writer, u64 begin, u64 end, u32 cpu, const char *text, size_t length)
{
	char *part = NULL, *whole;
	size_t size = 0;
	FILE *to;

	if (writer->bookmarks_count == LTT_BOOKMARKS_MAX)
		return 0;
	to = open_memstream(&part, &size);
	if (!to)
		return ltt_fail(writer, -ENOMEM, "bookmarks.xml");
	begin += writer->wall;
	end += writer->wall;
	fprintf(to, "  <location name=\"loss\" cpu=\"%u\" start_time=\"%llu.%09llu\" end_time=\"%llu.%09llu\">", cpu,
		(unsigned long long)(begin / SECOND), (unsigned long long)(begin % SECOND),
		(unsigned long long)(end / SECOND), (unsigned long long)(end % SECOND));
	put_escaped(to, text, length);
	fputs("</location>\n", to);
	if (fclose(to) || !(whole = realloc(writer->bookmarks, writer->bookmarks_size + size))) {
		free(part);
		return ltt_fail(writer, -ENOMEM, "bookmarks.xml");
	}
	memcpy(whole + writer->bookmarks_size, part, size);
	free(part);
	writer->bookmarks = whole;
	writer->bookmarks_size += size;
	writer->bookmarks_count++;
	return 0;
}

static int write_bookmarks(struct ltt_writer *writer)
{
	char *text;
	int size = asprintf(&text, "<bookmarks>\n%.*s</bookmarks>\n", (int)writer->bookmarks_size,
			    writer->bookmarks ? writer->bookmarks : ""), r;

	if (size < 0)
		return ltt_fail(writer, -ENOMEM, "bookmarks.xml");
	r = write_file(writer, "info/bookmarks.xml", text, (size_t)size);
	free(text);
	return r;
}

/* ---- the whole ------------------------------------------------------------------ */

static int make_folders(struct ltt_writer *writer)
{
	static const char *const names[] = { "info", "eventdefs", "control", "cpu" };
	char *path;
	size_t i;
	int r = 0;

	for (i = 0; !r && i < sizeof(names) / sizeof(names[0]); i++) {
		if (asprintf(&path, "%s/%s", writer->folder, names[i]) < 0)
			return ltt_fail(writer, -ENOMEM, names[i]);
		if (mkdir(path, 0777) && errno != EEXIST)
			r = ltt_fail(writer, -errno, names[i]);
		free(path);
	}
	return r;
}

static int put_load(struct ltt_writer *writer, struct ltt_blocks *blocks, const char *name, const char *xml, u32 base)
{
	u8 *at = ltt_event(blocks, LTT_FACILITY_LOAD, writer->first, strlen(name) + 1 + 8);

	if (!at)
		return ltt_fail(writer, blocks->error, blocks->path);
	at = ltt_put_text(at, name, strlen(name));
	at = ltt_put32(at, ltt_checksum(xml, strlen(xml)));
	ltt_put32(at, base);
	return 0;
}

static int write_facilities(struct ltt_writer *writer)
{
	struct ltt_blocks blocks;
	int r = open_blocks(writer, &blocks, "control/facilities", writer->first);

	if (r)
		return r;
	blocks.size = writer->block;
	r = put_load(writer, &blocks, "core", ltt_core_xml, LTT_CORE);
	if (!r)
		r = put_load(writer, &blocks, "bcos", ltt_bcos_xml(), LTT_BCOS);
	if (!r) {
		r = ltt_blocks_end(&blocks, writer->first);
		if (r)
			ltt_fail(writer, r, blocks.path);
	}
	ltt_blocks_free(&blocks);
	return r;
}

int ltt_files_begin(struct ltt_writer *writer)
{
	int r = make_folders(writer);

	if (!r)
		r = write_file(writer, "eventdefs/core.xml", ltt_core_xml, strlen(ltt_core_xml));
	if (!r)
		r = write_file(writer, "eventdefs/bcos.xml", ltt_bcos_xml(), strlen(ltt_bcos_xml()));
	if (!r)
		r = open_blocks(writer, &writer->processes, "control/processes", writer->now);
	return r ? r : open_blocks(writer, &writer->interrupts, "control/interrupts", writer->now);
}

/* Sets the size of a block. The facilities need less than any file. */
static int choose_block(struct ltt_writer *writer)
{
	struct ltt_blocks *const control[] = { &writer->processes, &writer->interrupts };
	size_t i;
	int r = ltt_each_cpu(writer, approach_end);

	for (i = 0; !r && i < 2; i++) {
		r = ltt_blocks_approach(control[i], writer->now);
		if (r)
			return ltt_fail(writer, r, control[i]->path);
		if (ltt_blocks_need(control[i]) > writer->block)
			writer->block = ltt_blocks_need(control[i]);
	}
	for (i = 0; i < 2; i++)
		control[i]->size = writer->block;
	return r;
}

int ltt_files_end(struct ltt_writer *writer)
{
	int r = choose_block(writer);

	r = r ? r : ltt_each_cpu(writer, end_cpu);
	if (!r && (r = ltt_blocks_end(&writer->processes, writer->now)))
		ltt_fail(writer, r, "processes");
	if (!r && (r = ltt_blocks_end(&writer->interrupts, writer->now)))
		ltt_fail(writer, r, "interrupts");
	r = r ? r : write_facilities(writer);
	if (!r)
		r = write_system(writer);
	return r ? r : write_bookmarks(writer);
}

void ltt_writer_free(struct ltt_writer *writer)
{
	ltt_each_cpu(writer, free_cpu);
	memset(writer->cpus, 0, sizeof(writer->cpus));
	free(writer->more_cpus.buckets);
	if (writer->devices.buckets)
		table_destroy(&writer->devices, node_free);
	ltt_blocks_free(&writer->processes);
	ltt_blocks_free(&writer->interrupts);
	bcoslog_state_free(writer->state);
	free(writer->bookmarks);
	free(writer->held);
	free(writer->folder);
}
