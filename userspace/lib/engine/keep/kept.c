// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Making and publishing the image of a log that outlives its recorder: see kept.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/shared.h"
#include "engine/machine.h"
#include "handle/error.h"
#include "host/linux.h"
#include "kept.h"

static int lay_out(const struct kept_plan *plan, struct bcos_image_header *header)
{
	const struct bcos_image_plan sizes = {
		.page_size = (u32)sysconf(_SC_PAGESIZE),
		.cpus = plan->cpus,
		.ring_size = plan->ring_size,
		.staging_size = (u64)plan->units * sizeof(struct bcos_unit),
		.kmsg_size = (u64)sysconf(_SC_PAGESIZE),
		.least = plan->cpus,
	};
	struct bcos_statements machine;
	long r = bcos_image_lay_out(&sizes, header);

	if (r < 0)
		return (int)r;
	machine_statements(&machine);
	header->flags = BCOS_IMAGE_BY_BPF;
	header->begun = clock_now(CLOCK_BOOTTIME);
	header->wall = header->begun + machine.offset;
	header->live_size = BCOS_IMAGE_CLASSES * sizeof(u64);
	host_format(header->boot, sizeof(header->boot), "%s", machine.boot);
	host_format(header->kernel, sizeof(header->kernel), "%s", machine.kernel);
	host_format(header->module, sizeof(header->module), "%s", machine.version);
	host_format(header->pins, sizeof(header->pins), "%s", plan->pins);
	header->setup = plan->setup;
	header->programs = BCOS_BPF_VERSION;
	header->rings = plan->rings;
	header->units = plan->units;
	header->owner = (u32)getpid();
	header->state = BCOS_IMAGE_RUNNING;
	header->sum = bcos_image_header_sum(header);
	return 0;
}

/* Write what never changes; the file has zeros, which are what an empty pass and an empty ring have.  */
static void fill_front(struct kept *kept, const struct bcos_image_header *header)
{
	struct bcos_image_stage *stage = bcos_image_part(header, kept->image, BCOS_IMAGE_STAGES);
	u64 sum = bcos_image_stages_sum(stage, header->stages);

	memcpy(kept->image, header, sizeof(*header));
	memcpy(stage + header->stages, &sum, sizeof(sum));
	kept->publisher.header = (const struct bcos_image_header *)kept->image;
	kept->publisher.image = kept->image;
}

/* Map the file, for all of which there is memory: without it a write to the mapping would end the process. */
static int map_file(struct kept *kept, int fd, const struct bcos_image_header *header)
{
	u64 ring = header->section[BCOS_IMAGE_RING].offset;
	struct stat file;
	void *front;
	int r = posix_fallocate(fd, 0, (off_t)(ring + header->ring_size));

	if (r)
		return -r;
	if (fstat(fd, &file))
		return -errno;
	kept->file = file.st_ino;
	front = mmap(NULL, ring, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (front == MAP_FAILED)
		return -errno;
	madvise(front, ring, MADV_DONTFORK);
	kept->image = front;
	kept->front = ring;
	kept->ring = double_map(fd, ring, header->ring_size);
	kept->ring_size = header->ring_size;
	return kept->ring ? 0 : -errno;
}

int kept_make(struct kept *kept, const struct place *place, const struct kept_plan *plan, struct bcoslog_error *error)
{
	struct bcos_image_header header;
	int fd, r;

	memset(kept, 0, sizeof(*kept));
	memset(&header, 0, sizeof(header));
	kept->units = plan->units;
	kept->tail = calloc(plan->cpus, sizeof(*kept->tail));
	unlinkat(place->run, PLACE_NEW, 0);
	fd = openat(place->run, PLACE_NEW, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	r = fd < 0 ? -errno : kept->tail ? lay_out(plan, &header) ?: map_file(kept, fd, &header) : -ENOMEM;
	if (fd >= 0)
		close(fd);
	if (!r) {
		fill_front(kept, &header);
		return 0;
	}
	/* It would keep its memory until the next recorder comes. */
	unlinkat(place->run, PLACE_NEW, 0);
	return error_set(error, -r, "there is no room for the log in " PLACE_RUN "/%s: %s", place->name, strerror(-r));
}

void kept_unmap(struct kept *kept)
{
	if (kept->image)
		munmap(kept->image, kept->front);
	double_unmap(kept->ring, kept->ring_size);
	free(kept->tail);
	memset(kept, 0, sizeof(*kept));
}

int kept_commit(const struct kept *kept, const struct place *place)
{
	(void)kept;
	return renameat(place->run, PLACE_NEW, place->run, PLACE_IMAGE) ? -errno : 0;
}

void kept_publish(struct kept *kept, const struct bcos_merge *merge, u64 kmsg, u64 missed)
{
	const struct bcos_publication publication = {
		.time = clock_now(CLOCK_BOOTTIME),
		.offset = merge->log->statements.offset,
		.kmsg = kmsg,
		.missed = missed,
		.tail = kept->tail,
		.size = kept->units,
	};

	bcos_image_publish(&kept->publisher, merge, &publication);
	/* A killed process leaves its stores in the order of the program: what the compiler may not change. */
	barrier();
}

bool kept_is_there(const struct kept *kept, const struct place *place)
{
	struct stat file;

	return !fstatat(place->run, PLACE_IMAGE, &file, AT_SYMLINK_NOFOLLOW) && file.st_ino == kept->file;
}
