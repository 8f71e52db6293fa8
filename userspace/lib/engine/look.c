// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The newest records of a recorder of BPF programs: see look.h. */
#include <stdlib.h>

#include "bpf/shared.h"
#include "engine_log.h"
#include "handle/error.h"
#include "look.h"
#include "machine.h"

/*
 * @engine: takes the records as that of the recorder would, and writes no log
 * @header: of the image
 * @time: all records before this time are in the copy, ns since boot
 */
struct look {
	struct engine engine;
	struct bcos_image_header header;
	u64 time;
};

/* ---- the copy --------------------------------------------------------------------------- */

/* Return: 0, or a negative errno after a sentence, if the maps of the image cannot be those that are pinned. */
static int check_header(const struct bcos_image_header *header, struct bcoslog_error *error)
{
	struct bcos_statements machine;

	machine_statements(&machine);
	if (!machine.boot[0] || strcmp(machine.boot, header->boot))
		return error_set(error, ESTALE, "its maps ended with the boot in which it was recorded");
	if (header->raw != BCOS_IMAGE_RAW || header->programs != BCOS_BPF_VERSION)
		return error_set(error, ENOTSUP, "it is of another version: read it with the bcoslog of that version");
	if (header->rings > header->cpus || !header->units || header->units & (header->units - 1) ||
	    header->units < BCOS_BPF_UNITS_MIN || header->units > 1u << 22 ||
	    strncmp(header->pins, PLACE_PINS "/", strlen(PLACE_PINS "/")))
		return error_set(error, EBADMSG, "it contradicts itself");
	return 0;
}

/* Return: the error of programs_view(), after a sentence. */
static int explain_view(const struct look *look, int r, struct bcoslog_error *error)
{
	const char *pins = look->header.pins;

	if (r == -EACCES || r == -EPERM)
		return error_set(error, -r, "this user may not read the maps in %s: run the command as the recorder's user, with "
				 "CAP_BPF", pins);
	if (r == -ENOENT)
		return error_set(error, -r, "the maps in %s are gone: another recorder has gone on with them, or somebody removed "
				 "them", pins);
	if (r == -EBADMSG)
		return error_set(error, -r, "the maps in %s are damaged, or of another version", pins);
	return error_set(error, -r, "the maps in %s cannot be read: %s", pins, strerror(-r));
}

int look_open(struct look **result, const struct bcos_image_header *header, struct bcoslog_error *error)
{
	struct programs_options options = {
		.cpus = header->cpus, .rings = header->rings, .staging = header->units * (u32)sizeof(struct bcos_unit),
	};
	int r = check_header(header, error);
	struct look *look;

	*result = NULL;
	if (r)
		return r;
	look = aligned_alloc(64, (sizeof(*look) + 63) & ~63ul);
	if (!look)
		return error_set(error, ENOMEM, "there is no memory for its maps");
	memset(look, 0, sizeof(*look));
	look->header = *header;
	look->engine.kernel.fd = -1;
	look->engine.cpus = header->cpus;
	pthread_mutex_init(&look->engine.lock, NULL);
	r = programs_view(&look->engine.programs, &options, look->header.pins, &look->time);
	if (r)
		r = explain_view(look, r, error);
	if (r)
		look_close(look);
	else
		*result = look;
	return r;
}

void look_close(struct look *look)
{
	u32 cpu;

	if (!look)
		return;
	for (cpu = 0; look->engine.cpu && cpu <= look->engine.cpus; cpu++) {
		stream_free(&look->engine.cpu[cpu].stream);
		free(look->engine.cpu[cpu].stage.ring);
	}
	free(look->engine.cpu);
	kernel_log_close(&look->engine.kernel);
	programs_free(look->engine.programs);
	pthread_mutex_destroy(&look->engine.lock);
	free(look);
}

/* ---- the records ------------------------------------------------------------------------ */

static void read_lines(struct engine *engine, const struct bcos_image_pass *pass, bool *known)
{
	struct kernel_log *kernel = &engine->kernel;
	u64 next;

	*known = !(pass->mask & BCOS_CLASS_KMSG);
	if (*known || !pass->kmsg || !kernel_log_open(kernel))
		return;
	*known = true;
	kernel->put = engine_take_other;
	kernel->lost = engine_lost;
	kernel->context = engine;
	kernel_log_go_on(kernel, pass->kmsg, pass->horizon);
	/* All lines that are not read yet have been printed since then. */
	do {
		next = kernel->next;
		kernel_log_read(kernel);
		kernel->since = pass->horizon;
	} while (kernel->next != next);
}

/* Read what the image lacks into the streams.  Return: 0 or a negative errno. */
static int take_records(struct look *look, const struct bcos_image_pass *pass, bool *lines)
{
	struct engine *engine = &look->engine;
	u32 cpu;
	int r = 0;

	engine->options.classes = pass->mask;
	engine->merge.horizon = pass->horizon;
	engine->keep.since = pass->horizon;
	for (cpu = 0; cpu < look->header.rings && !r; cpu++)
		r = programs_view_from(engine->programs, cpu, pass->source[cpu].tail);
	/* A place that is empty stays so, which programs_drain() believes at its second look. */
	while (!r && !programs_all_read(engine->programs))
		r = programs_drain(engine->programs, engine_take, engine);
	r = r ?: engine_write_unseen(engine, look->time);
	if (!r)
		read_lines(engine, pass, lines);
	return r ?: engine->error;
}

/* Give a stage the records of its stream that are before @before, in their order.  Return: 0 or -ENOMEM. */
static int fill_stage(struct engine_cpu *own, u64 tail, u64 before)
{
	u64 size = 256, at;
	const struct bcos_raw *raw;
	size_t taken = 0;
	u32 i;

	while (size < own->stream.units)
		size *= 2;
	own->stage.ring = calloc(size, sizeof(*own->stage.ring));
	if (!own->stage.ring)
		return -ENOMEM;
	own->stage.size = size;
	own->stage.mask = size - 1;
	at = own->stage.tail = tail;
	while ((raw = stream_next(&own->stream, &taken, before))) {
		for (i = 0; i < raw->units; i++)
			own->stage.ring[at++ & own->stage.mask] = ((const struct bcos_unit *)raw)[i];
		own->stage.last = raw->time;
	}
	own->stage.head = at;
	return 0;
}

/* Add how often the kernel ran no program, which it does not tell by CPU, to a CPU that is online. */
static void add_missed(const struct look *look, const struct bcos_image_pass *pass)
{
	u64 missed = programs_missed(look->engine.programs);
	u32 cpu = 0;

	if (missed <= pass->missed)
		return;
	if (!machine_online(&cpu, 1) || cpu >= look->header.cpus)
		cpu = 0;
	look->engine.cpu[cpu].stage.nested += missed - pass->missed;
}

int look_ends(struct look *look, const struct bcos_image *image, struct look_end *end, struct bcoslog_error *error)
{
	const struct bcos_image_pass *pass = image->pass;
	struct engine *engine = &look->engine;
	struct engine_cpu *own;
	bool lines = false;
	u32 cpu;
	int r;

	if (image->header->sum != look->header.sum)
		return error_set(error, ESTALE, "another recorder began meanwhile: try again");
	engine->cpu = aligned_alloc(64, (look->header.cpus + 1ul) * sizeof(*engine->cpu));
	if (!engine->cpu)
		return error_set(error, ENOMEM, "there is no memory for its maps");
	memset(engine->cpu, 0, (look->header.cpus + 1ul) * sizeof(*engine->cpu));
	r = take_records(look, pass, &lines);
	if (r == -ESTALE)
		return error_set(error, ESTALE, "the recorder has gone on since this copy of its log was made: read the log itself");
	for (cpu = 0; cpu <= look->header.cpus && !r; cpu++) {
		own = &engine->cpu[cpu];
		/* The lines of the kernel have no time of their own, and their entries say from when to when they may be. */
		r = fill_stage(own, pass->source[cpu].tail, cpu < look->header.cpus ? look->time : ~0ull);
		own->stage.nested = pass->source[cpu].nested;
		own->stage.nmi = pass->source[cpu].nmi;
		end[cpu].known = cpu < look->header.cpus || lines;
		if (cpu < look->header.cpus)
			end[cpu].uncounted = !engine_copy_losses(programs_cpu(engine->programs, cpu), &own->stage);
	}
	if (r)
		return error_set(error, -r, "its maps cannot be read: %s", r == -EBADMSG ? "they are damaged" : strerror(-r));
	add_missed(look, pass);
	for (cpu = 0; cpu <= look->header.cpus; cpu++)
		end[cpu].stage = engine->cpu[cpu].stage;
	return 0;
}
