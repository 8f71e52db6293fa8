// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Gathering an image: see gather.h. */
#include <elf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "engine/look.h"
#include "gather.h"
#include "handle/error.h"
#include "memory.h"

/* No image is larger: rings of 4 GiB, and rings of all CPUs. A header that claims more is refused. */
#define IMAGE_MAX (64ull << 30)

/* An image in a dump may be so much larger than the dump, which leaves out pages of zeros. */
#define LEFT_OUT_MIN (256ull << 20)
#define LEFT_OUT_FACTOR 16

static const char magic[BCOS_IMAGE_MAGIC_SIZE] = BCOS_IMAGE_MAGIC;

bool gather_knows(const void *bytes, size_t size)
{
	static const char *const dumps[] = { ELFMAG, "KDUMP   ", "DISKDUMP", "makedumpfile" };
	size_t i;

	if (size >= sizeof(magic) && !memcmp(bytes, magic, sizeof(magic)))
		return true;
	for (i = 0; i < sizeof(dumps) / sizeof(dumps[0]); i++)
		if (size >= strlen(dumps[i]) && !memcmp(bytes, dumps[i], strlen(dumps[i])))
			return true;
	return false;
}

/* ---- an image in one piece ----------------------------------------------------------- */

/*
 * Read a file on up to its byte @end, or to its own end, which a device tells only there. Memory grows with what is there.
 * Return: 0 or a negative errno.
 */
static int read_up_to(struct gathered *gathered, int fd, u64 *room, u64 end)
{
	char *grown;
	ssize_t n;

	while (gathered->size < end) {
		if (gathered->size == *room) {
			*room = *room ? 2 * *room : 1u << 20;
			grown = realloc(gathered->bytes, *room);
			if (!grown)
				return -ENOMEM;
			gathered->bytes = grown;
		}
		n = read(fd, (char *)gathered->bytes + gathered->size,
			 (*room < end ? *room : end) - gathered->size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : 0;
		gathered->size += (u64)n;
	}
	return 0;
}

/* Say why the maps of a recorder of BPF programs are not read. */
static void leave_maps(struct gathered *gathered, const struct bcoslog_error *error)
{
	host_format(gathered->unread, sizeof(gathered->unread), "%s", error->text);
	look_close(gathered->look);
	gathered->look = NULL;
}

/* Copy the maps of an image that lies in a file.  The image is read after that. */
static void copy_maps(struct gathered *gathered, int fd)
{
	struct bcos_image_header header;
	struct bcoslog_error error = { .text = "this bcoslog was built without BPF" };

	if (pread(fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header) || bcos_image_check_header(&header) ||
	    !(header.flags & BCOS_IMAGE_BY_BPF))
		return;
	if (look_open(&gathered->look, &header, &error))
		leave_maps(gathered, &error);
}

static void take_look_end(struct recover_end *end, const struct look_end *from)
{
	const struct bcos_stage *stage = &from->stage;

	end->known = from->known;
	end->ring = stage->ring;
	end->units = stage->size;
	end->head = (struct bcos_image_head){
		.head = stage->head, .last = stage->last, .nested = stage->nested, .nmi = stage->nmi,
		.sequence = from->uncounted, .stretch = stage->lost.stretch, .assign_id = stage->lost.assign_id,
		.first = stage->lost.first, .latest = stage->lost.last, .assign_time = stage->lost.assign_time,
	};
	memcpy(end->head.lost, stage->lost.count, sizeof(stage->lost.count));
}

/* Add the records of the maps to the image. What is wrong with the image is said later.  Return: 0 or -ENOMEM. */
static int add_maps(struct gathered *gathered)
{
	struct bcoslog_error error;
	struct bcos_image image;
	struct look_end *end;
	u32 i;

	if (!gathered->look || bcos_image_check(gathered->bytes, gathered->size, &image) || !image.pass)
		return 0;
	end = aligned_alloc(64, image.header->stages * sizeof(*end));
	if (!end)
		return -ENOMEM;
	memset(end, 0, image.header->stages * sizeof(*end));
	if (look_ends(gathered->look, &image, end, &error)) {
		leave_maps(gathered, &error);
		free(end);
		return 0;
	}
	gathered->ends = calloc(image.header->stages, sizeof(*gathered->ends));
	for (i = 0; gathered->ends && i < image.header->stages; i++)
		take_look_end(&gathered->ends[i], &end[i]);
	free(end);
	return gathered->ends ? 0 : -ENOMEM;
}

/* Read the header, and the pages that it tells; what is wrong with it is said later.  Return: 0 or a negative errno. */
static int read_image(struct gathered *gathered, int fd)
{
	const struct bcos_image_header *header;
	u64 room = 0;
	int r;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	r = read_up_to(gathered, fd, &room, sizeof(*header));
	header = gathered->bytes;
	if (r || gathered->size < sizeof(*header) || bcos_image_check_header(header))
		return r;
	if (header->pages > IMAGE_MAX / header->page_size)
		return -EFBIG;
	return read_up_to(gathered, fd, &room, header->pages * header->page_size);
}

/* ---- an image in memory ---------------------------------------------------------------- */

/*
 * Read the pages of the image by its list. Each page of memory is one page of the image at most, so that a list that names
 * more pages of the file than it has is damaged; pages that the file leaves out take no memory here.
 * Return: 0; -EBADMSG if the list is damaged; -ENOMEM; -EINTR.
 */
static int read_pages(struct gathered *gathered, struct memory *memory, const struct bcos_image_header *header)
{
	u32 page_size = header->page_size, frames = page_size / sizeof(u64) - 1, i;
	struct bcos_image_list *list = malloc(page_size);
	u64 at = 0, next = header->list, left = memory->bytes / page_size + memory->pieces;
	int r = list ? 0 : -ENOMEM;

	gathered->pages = gathered->absent = 0;
	while (!r && at < header->pages) {
		r = next ? archive_ask_patience() : -EBADMSG;
		if (r)
			break;
		memory_read(memory, next * page_size, list, page_size);
		next = list->next;
		for (i = 0; i < frames && at < header->pages && !r; i++, at++) {
			gathered->pages += !!list->frame[i];
			if (!list->frame[i])
				continue;
			if (!memory_has(memory, list->frame[i] * page_size, page_size)) {
				gathered->absent++;
				continue;
			}
			r = left ? 0 : -EBADMSG;
			left--;
			if (!r)
				memory_read(memory, list->frame[i] * page_size, (char *)gathered->bytes + at * page_size,
					    page_size);
		}
	}
	free(list);
	return r;
}

static u64 live_word(const u8 *live, const struct bcos_image_header *header, u32 what)
{
	u64 word;

	memcpy(&word, live + header->live[what], sizeof(word));
	return word;
}

/* Read the structure of a stage, which may lie in two pages. */
static void read_live(struct memory *memory, const struct bcos_image_header *header,
		      const struct bcos_image_stage *stage, u8 *live)
{
	u64 first = header->page_size - stage->live % header->page_size;

	if (first > header->live_size)
		first = header->live_size;
	memory_read(memory, stage->live, live, first);
	if (first < header->live_size)
		memory_read(memory, stage->live_next ?: stage->live + first, live + first, header->live_size - first);
}

static void take_end(struct recover_end *end, const struct bcos_image_header *header, const u8 *live)
{
	struct bcos_image_head *head = &end->head;

	/* A structure of zeros is a page that the dump leaves out. */
	end->known = live_word(live, header, BCOS_IMAGE_LIVE_SIZE) != 0;
	head->mark = (u32)live_word(live, header, BCOS_IMAGE_LIVE_MARK);
	head->head = live_word(live, header, BCOS_IMAGE_LIVE_HEAD);
	head->last = live_word(live, header, BCOS_IMAGE_LIVE_LAST);
	head->nested = live_word(live, header, BCOS_IMAGE_LIVE_NESTED);
	head->nmi = live_word(live, header, BCOS_IMAGE_LIVE_NMI);
	head->sequence = (u32)live_word(live, header, BCOS_IMAGE_LIVE_SEQUENCE);
	head->stretch = (u32)live_word(live, header, BCOS_IMAGE_LIVE_STRETCH);
	head->first = live_word(live, header, BCOS_IMAGE_LIVE_FIRST);
	head->latest = live_word(live, header, BCOS_IMAGE_LIVE_LATEST);
	head->assign_time = live_word(live, header, BCOS_IMAGE_LIVE_ASSIGN_TIME);
	head->assign_id = (u32)live_word(live, header, BCOS_IMAGE_LIVE_ASSIGN_ID);
	memcpy(head->lost, live + header->live[BCOS_IMAGE_LIVE_LOST], header->classes * sizeof(u64));
}

static int read_ends(struct gathered *gathered, struct memory *memory)
{
	const struct bcos_image_stage *stage;
	struct bcos_image image;
	u8 live[4096 + sizeof(u64)];
	u32 i;

	/* What is wrong with the image is said later. */
	if (bcos_image_check(gathered->bytes, gathered->size, &image))
		return 0;
	gathered->ends = calloc(image.header->stages, sizeof(*gathered->ends));
	if (!gathered->ends)
		return -ENOMEM;
	for (i = 0; i < image.header->stages; i++) {
		stage = &image.stage[i];
		if (!stage->live)
			continue;
		memset(live, 0, sizeof(live));
		read_live(memory, image.header, stage, live);
		take_end(&gathered->ends[i], image.header, live);
	}
	return 0;
}

/*
 * Return: the most bytes of an image in a file. The pages of it that the file leaves out are zeros, which cost memory where
 * the log is copied: so they may be more than the file, but not without limit.
 */
static u64 image_limit(const struct memory *memory)
{
	u64 limit = LEFT_OUT_MIN + LEFT_OUT_FACTOR * memory->stored;

	return memory->stored < IMAGE_MAX && limit < IMAGE_MAX ? limit : IMAGE_MAX;
}

/* Headers of images, those that were begun last first. */
struct candidates {
	struct bcos_image_header header[GATHER_TRIES];
	u32 count;
	u64 found;
};

static void add_candidate(struct candidates *candidates, const struct bcos_image_header *header)
{
	u32 at = candidates->count;

	candidates->found++;
	if (at == GATHER_TRIES && candidates->header[--at].wall >= header->wall)
		return;
	for (; at && candidates->header[at - 1].wall < header->wall; at--)
		candidates->header[at] = candidates->header[at - 1];
	candidates->header[at] = *header;
	if (candidates->count < GATHER_TRIES)
		candidates->count++;
}

/* Find the headers of images.  Return: 0, -ENOMEM or -EINTR. */
static int find_headers(struct memory *memory, struct candidates *candidates)
{
	struct bcos_image_header header;
	u64 at, from = 0;
	int r;

	while ((r = memory_find(memory, magic, sizeof(magic), from, &at)) > 0) {
		from = at + 4096;
		memory_read(memory, at, &header, sizeof(header));
		/* A page with another frame is a copy, such as a file in the page cache. */
		if (!bcos_image_check_header(&header) && header.self == at / header.page_size &&
		    at % header.page_size == 0 && header.pages <= image_limit(memory) / header.page_size)
			add_candidate(candidates, &header);
	}
	return r;
}

/* Gather the image of a header.  Return: 0, also for an image whose other parts are damaged, or a negative errno. */
static int gather_pages(struct gathered *gathered, struct memory *memory, const struct bcos_image_header *header)
{
	int r;

	free(gathered->bytes);
	free(gathered->ends);
	gathered->ends = NULL;
	gathered->size = header->pages * header->page_size;
	gathered->bytes = calloc(1, gathered->size);
	r = gathered->bytes ? read_pages(gathered, memory, header) : -ENOMEM;
	return r ?: read_ends(gathered, memory);
}

/* Return: whether there is a log in the image. */
static bool has_log(const struct gathered *gathered)
{
	struct bcos_image image;

	return !bcos_image_check(gathered->bytes, gathered->size, &image) && image.pass &&
	       image.pass->flags & BCOS_IMAGE_BEGUN && image.marks.head.offset != image.marks.oldest.offset;
}

/* Gather the first candidate with a log; if none has one, the first of all, whose errors count.  Return: 0 or a negative errno. */
static int gather_candidate(struct gathered *gathered, struct memory *memory, const struct candidates *candidates)
{
	u32 i;
	int r;

	gathered->images = candidates->found;
	for (i = 0; i < candidates->count; i++) {
		r = gather_pages(gathered, memory, &candidates->header[i]);
		gathered->passed = i;
		if (r ? r != -EBADMSG : has_log(gathered))
			return r;
	}
	gathered->passed = 0;
	return gather_pages(gathered, memory, &candidates->header[0]);
}

static int gather_from_memory(struct gathered *gathered, int fd, const char *name, struct bcoslog_error *error)
{
	struct candidates *candidates = calloc(1, sizeof(*candidates));
	struct memory memory;
	bool searched;
	int r = memory_open(&memory, fd, name, error);

	if (r) {
		memory_close(&memory);
		free(candidates);
		return r;
	}
	r = candidates ? find_headers(&memory, candidates) : -ENOMEM;
	searched = !r;
	if (!r)
		r = candidates->count ? gather_candidate(gathered, &memory, candidates) : -EILSEQ;
	gathered->cut = memory.cut;
	gathered->broken = memory.broken;
	gathered->unsearched = memory.unsearched;
	gathered->incomplete = memory.incomplete;
	gathered->failed = memory.error;
	memory_close(&memory);
	free(candidates);
	/* Pages of the image that were not read must not count as zeros. Another one may just be damaged. */
	if (memory.refused || (memory.library && r))
		return error_set(error, ENOTSUP, "%s has pages that are compressed by %s, without which this bcoslog was built: "
				 "makedumpfile -c %s FILE compresses them anew by zlib", name, memory.library, name);
	if (!r || r == -ENOMEM)
		return r ? error_set(error, ENOMEM, "there is no memory for the image in %s", name) : 0;
	if (r == -EINTR)
		return error_set(error, EINTR, "the search for an image in %s was ended", name);
	if (r == -EBADMSG && !searched)
		return error_set(error, EBADMSG, "%s is damaged: its pages claim more than the file has", name);
	if (r == -EBADMSG)
		return error_set(error, EBADMSG, "%s has an image of the log whose list of pages is damaged", name);
	if (gathered->failed)
		return error_set(error, gathered->failed, "%s has no image of the log where it can be read, and elsewhere: %s",
				 name, strerror(gathered->failed));
	return error_set(error, EILSEQ, "%s has no image of the log: the module was not loaded, or is of another version, or "
			 "its memory is not in the file%s", name,
			 gathered->cut ? ", which ends before its memory does" :
			 memory.unsearched || memory.broken ? ", of which pages are damaged" : "");
}

int gather_image(struct gathered *gathered, int fd, const char *name, struct bcoslog_error *error)
{
	char begin[BCOS_IMAGE_MAGIC_SIZE] = "";
	int r;

	memset(gathered, 0, sizeof(*gathered));
	if (pread(fd, begin, sizeof(begin), 0) < 0)
		return error_set(error, errno, "%s cannot be read: %s", name, strerror(errno));
	if (memcmp(begin, magic, sizeof(magic)))
		return gather_from_memory(gathered, fd, name, error);
	copy_maps(gathered, fd);
	r = read_image(gathered, fd) ?: add_maps(gathered);
	return r ? error_set(error, -r, "%s cannot be read: %s", name, strerror(-r)) : 0;
}

void gather_free(struct gathered *gathered)
{
	look_close(gathered->look);
	free(gathered->bytes);
	free(gathered->ends);
	memset(gathered, 0, sizeof(*gathered));
}
