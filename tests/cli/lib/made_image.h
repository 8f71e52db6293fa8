/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes images of a log as a machine leaves them: a log of the core with staging rings, of which a part is merged.  The
 * machine has two CPUs, process 1 "init" and process 100 "cc1", and a disk "vda".  The rest is what the test stages.
 */
#ifndef TEST_MADE_IMAGE_H
#define TEST_MADE_IMAGE_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/image/image.h"
#include "core/merge/merge.h"
#include "core/model/device.h"
#include "core/rules/rules.h"

#define MADE_CPUS 2
#define MADE_RING (256u << 10)
#define MADE_UNITS 1024
#define MADE_TAG 7
#define MADE_DISK BCOS_RAW_DISK(254, 0)

struct made_image {
	struct bcos_log log;
	struct bcos_merge merge;
	struct bcos_stage stage[MADE_CPUS + 1];
	struct bcos_unit ring[MADE_CPUS + 1][MADE_UNITS];
	struct bcos_image_header header;
	u8 *bytes;
	u64 size;
	u64 sequence;
	u32 marks;			/* staged so far */
};

static u64 made_time;

__attribute__((unused)) static u64 made_clock(void)
{
	return made_time;
}

static void *made_alloc(void *context, size_t size)
{
	(void)context;
	return calloc(1, size);
}

static void made_free_memory(void *context, void *memory, size_t size)
{
	(void)context, (void)size;
	free(memory);
}

static u32 made_core(void *context, u32 cpu)
{
	(void)context;
	return cpu;
}

static const struct bcos_host made_host = { .alloc = made_alloc, .free = made_free_memory, .core_of = made_core };

static void *made_ring(void)
{
	char *both = mmap(NULL, 2 * MADE_RING, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = memfd_create("made", MFD_CLOEXEC), half;

	for (half = 0; half < 2; half++)
		if (ftruncate(fd, MADE_RING) || mmap(both + half * MADE_RING, MADE_RING, PROT_READ | PROT_WRITE,
						     MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			abort();
	close(fd);
	return both;
}

/* Stages the text "mark N" of process 100, N from 0 on, 1 us after what was staged before. */
__attribute__((unused)) static void made_mark(struct made_image *made, u32 cpu)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_EVENT, .aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, 64), .id = 100 };
	struct bcos_raw_event event = { .event_id = 5, .tag = MADE_TAG };
	char text[32];
	int length = snprintf(text, sizeof(text), "mark %u", made->marks++);

	made_time += 1000;
	bcos_stage_put_text(&made->stage[cpu], made_clock, &raw, &event, text, (size_t)length);
}

/* Stages that @cpu runs a process. */
__attribute__((unused)) static void made_switch(struct made_image *made, u32 cpu, u32 process)
{
	made_time += 1000;
	bcos_stage_put_one(&made->stage[cpu], made_clock, bcos_stage_word(BCOS_RAW_SWITCH, 0, process));
}

/* Stages a birth, an exec or a death: @name for BIRTH and EXEC, and NULL for DEAD. */
__attribute__((unused)) static void made_life(struct made_image *made, u32 cpu, u8 kind, u32 id, u32 tag,
					      const char *name)
{
	struct bcos_raw raw = { .kind = kind, .units = name ? 3 : 2, .id = id };
	struct {
		struct bcos_raw_life life;
		char name[16];
	} rest = { .life.tag = tag };

	if (name)
		strncpy(rest.name, name, sizeof(rest.name) - 1);
	made_time += 1000;
	bcos_stage_put(&made->stage[cpu], made_clock, &raw, (const struct bcos_unit *)&rest);
}

/* Stages that the disk read bytes. */
__attribute__((unused)) static void made_read(struct made_image *made, u32 cpu, u64 bytes)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_INPUT, .units = 2 };
	struct bcos_raw_device device = { .key = MADE_DISK, .amount = bytes };

	made_time += 1000;
	bcos_stage_put(&made->stage[cpu], made_clock, &raw, (const struct bcos_unit *)&device);
}

/* Merges everything that is staged. */
static void made_merge(struct made_image *made)
{
	made_time += 1000;
	while (bcos_merge_pass(&made->merge, made_clock, 64))
		;
}

static void made_begin_log(struct made_image *made)
{
	static const struct bcos_seen_cpu cpus[] = { { .cpu = 0, .core = 0 }, { .cpu = 1, .core = 1 } };
	static const struct bcos_seen seen[] = {
		{ .id = 1, .tag = 3, .start = 1, .name = "init" },
		{ .id = 100, .tag = MADE_TAG, .start = 500, .name = "cc1" },
	};
	struct {
		struct bcos_raw raw;
		struct bcos_raw_event event;
		struct bcos_raw_device device;
		char name[16];
	} disk = {
		.raw = { .kind = BCOS_RAW_DEVICE, .units = 4, .aux = BCOS_RAW_FOUND, .time = 1 },
		.event = { .length = sizeof(struct bcos_raw_device) + 4 },
		.device = { .key = MADE_DISK }, .name = "vda",
	};

	snprintf(made->log.statements.boot, sizeof(made->log.statements.boot), "%s",
		 "01234567-89ab-cdef-0123-456789abcdef");
	snprintf(made->log.statements.kernel, sizeof(made->log.statements.kernel), "%s", "6.12.0 x86_64");
	snprintf(made->log.statements.host, sizeof(made->log.statements.host), "%s", "made");
	made->log.statements.clock = true;
	made->log.statements.error = 1000;
	made->log.statements.offset = 1700000000000000000ull;
	if (bcos_log_prime(&made->log, cpus, 2, seen, 2, 1000000, 1000000))
		abort();
	made_time = 1000000;
	bcos_stage_put(&made->stage[0], made_clock, &disk.raw, (const struct bcos_unit *)&disk.event);
	made_merge(made);
	made_merge(made);
}

__attribute__((unused)) static struct made_image *made_new(void)
{
	static const struct bcos_image_plan plan = {
		.page_size = 4096, .cpus = MADE_CPUS, .ring_size = MADE_RING,
		.staging_size = MADE_UNITS * sizeof(struct bcos_unit),
		.kmsg_size = MADE_UNITS * sizeof(struct bcos_unit), .least = MADE_CPUS,
	};
	struct made_image *made = aligned_alloc(64, (sizeof(*made) + 63) & ~63ul);
	u32 i;

	memset(made, 0, sizeof(*made));
	if (bcos_log_init(&made->log, &made_host, NULL, made_ring(), MADE_RING, MADE_CPUS, 1) ||
	    bcos_merge_init(&made->merge, &made->log, MADE_CPUS + 1))
		abort();
	for (i = 0; i <= MADE_CPUS; i++) {
		bcos_stage_init(&made->stage[i], made->ring[i], MADE_UNITS);
		bcos_merge_add(&made->merge, i, &made->stage[i]);
	}
	if (bcos_image_lay_out(&plan, &made->header) < 0)
		abort();
	made->size = made->header.pages * 4096;
	made->bytes = aligned_alloc(4096, made->size);
	memset(made->bytes, 0, made->size);
	made->header.begun = 1000000;
	made->header.live_size = 256;
	made->header.state = BCOS_IMAGE_RUNNING;
	snprintf(made->header.kernel, sizeof(made->header.kernel), "6.12.0 x86_64");
	made_begin_log(made);
	return made;
}

/* Publishes what the log writer knows. */
__attribute__((unused)) static void made_publish(struct made_image *made)
{
	struct bcos_image_devices *devices = bcos_image_copy(&made->header, made->bytes, BCOS_IMAGE_DEVICES, 1);
	struct bcos_image_pass *pass = bcos_image_copy(&made->header, made->bytes, BCOS_IMAGE_PASS, ++made->sequence);
	const struct bcos_device *device;
	u32 i;

	devices->generation = 1;
	devices->count = 0;
	for (device = bcos_model_next_device(&made->log.model, NULL); device;
	     device = bcos_model_next_device(&made->log.model, device))
		devices->device[devices->count++] = (struct bcos_image_device){
			.kind = BCOS_IMAGE_IS_DEVICE, .key = device->item.key, .id = device->id };
	devices->sum = bcos_image_devices_sum(devices);
	memset(pass, 0, sizeof(*pass));
	pass->sequence = made->sequence;
	pass->horizon = made->merge.horizon;
	pass->marks = made->log.ring.now;
	pass->devices = 1;
	pass->mask = made->log.mask;
	pass->flags = BCOS_IMAGE_BEGUN;
	pass->resolution = 1;
	for (i = 0; i <= MADE_CPUS; i++) {
		pass->source[i].tail = made->merge.source[i].tail;
		pass->source[i].size = MADE_UNITS;
		pass->source[i].stretch = made->merge.source[i].stretch;
		memcpy(pass->source[i].lost, made->merge.source[i].counted, sizeof(made->merge.source[i].counted));
	}
	pass->sum = bcos_image_pass_sum(pass, MADE_CPUS + 1);
}

/* Says in the list that the image lies from frame @first on, in one piece. */
__attribute__((unused)) static void made_list(struct made_image *made, u64 first)
{
	u64 page, pages = made->size / 4096, frames = 4096 / sizeof(u64) - 1, *list;

	made->header.self = first;
	made->header.list = first + made->header.section[BCOS_IMAGE_LIST].offset / 4096;
	for (page = 0; page < pages; page++) {
		list = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_LIST);
		list += page / frames * 512;
		list[0] = (page / frames + 1) * frames < pages ? made->header.list + page / frames + 1 : 0;
		list[1 + page % frames] = first + page;
	}
}

/* Puts all into the image as it is now, at the end of the machine. */
__attribute__((unused)) static void made_end(struct made_image *made)
{
	struct bcos_image_stage *stage = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_STAGES);
	u64 at = made->header.section[BCOS_IMAGE_RINGS].offset, sum;
	u32 i;

	for (i = 0; i <= MADE_CPUS; i++, at += sizeof(made->ring[0])) {
		stage[i] = (struct bcos_image_stage){ .offset = at, .room = sizeof(made->ring[0]) };
		memcpy(made->bytes + at, made->ring[i], sizeof(made->ring[0]));
	}
	sum = bcos_image_stages_sum(stage, MADE_CPUS + 1);
	memcpy(&stage[MADE_CPUS + 1], &sum, sizeof(sum));
	memcpy(bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_CONTROL), &made->log.ring.own,
	       sizeof(made->log.ring.own));
	memcpy(bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_RING), made->log.ring.data, MADE_RING);
	made->header.sum = bcos_image_header_sum(&made->header);
	memcpy(made->bytes, &made->header, sizeof(made->header));
}

/* Seals the image, as a panic does, before made_end(). */
__attribute__((unused)) static void made_seal(struct made_image *made, const char *reason, const char *lines)
{
	struct bcos_image_seal *seal = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_SEAL);
	struct bcos_image_kmsg *kmsg = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_KMSG);
	u32 i;

	memset(seal, 0, sizeof(*seal));
	seal->kind = BCOS_IMAGE_PANIC;
	seal->time = made_time + 1000;
	seal->local = made_time + 1000;
	strncpy(seal->reason, reason, sizeof(seal->reason) - 1);
	for (i = 0; i <= MADE_CPUS; i++) {
		seal->head[i].mark = made->stage[i].mark;
		seal->head[i].sequence = made->stage[i].lost.sequence;
		seal->head[i].head = made->stage[i].head;
		seal->head[i].last = made->stage[i].last;
		seal->head[i].stretch = made->stage[i].lost.stretch;
		seal->head[i].first = made->stage[i].lost.first;
		seal->head[i].latest = made->stage[i].lost.last;
		seal->head[i].assign_time = made->stage[i].lost.assign_time;
		seal->head[i].assign_id = made->stage[i].lost.assign_id;
		memcpy(seal->head[i].lost, made->stage[i].lost.count, sizeof(made->stage[i].lost.count));
	}
	seal->sum = bcos_image_seal_sum(seal, MADE_CPUS + 1);
	memset(kmsg, 0, sizeof(*kmsg));
	kmsg->length = strlen(lines);
	memcpy(kmsg->text, lines, kmsg->length);
	kmsg->sum = bcos_image_kmsg_sum(kmsg);
	made->header.state = BCOS_IMAGE_SEALED;
}

__attribute__((unused)) static void made_free(struct made_image *made)
{
	munmap(made->log.ring.data, 2 * MADE_RING);
	bcos_merge_destroy(&made->merge);
	bcos_log_destroy(&made->log);
	free(made->bytes);
	free(made);
}

#endif
