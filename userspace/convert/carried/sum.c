// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The sum of an export's bytes: see carried.h. */
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carried.h"

#define PIECE (256u << 10)

/* Each step is a bijection of the sum, so no change of a single word stays unnoticed. */
static void add_word(struct sum *sum, const u8 *bytes)
{
	u64 word;

	memcpy(&word, bytes, sizeof(word));
	sum->value = (sum->value ^ word) * 0x9E3779B97F4A7C15ull;
	sum->value ^= sum->value >> 29;
}

void sum_add(struct sum *sum, const void *from, size_t size)
{
	size_t used = sum->size % sizeof(sum->part), n;
	const u8 *bytes = from;

	sum->size += size;
	if (used) {
		n = sizeof(sum->part) - used < size ? sizeof(sum->part) - used : size;
		memcpy(sum->part + used, bytes, n);
		if (used + n < sizeof(sum->part))
			return;
		add_word(sum, sum->part);
		bytes += n;
		size -= n;
	}
	for (; size >= sizeof(sum->part); bytes += sizeof(sum->part), size -= sizeof(sum->part))
		add_word(sum, bytes);
	memcpy(sum->part, bytes, size);
}

u64 sum_end(struct sum *sum)
{
	size_t used = sum->size % sizeof(sum->part);

	memset(sum->part + used, 0, sizeof(sum->part) - used);
	add_word(sum, sum->part);
	return sum->value ^ sum->size;
}

int sum_add_file(struct sum *sum, int fd, u64 size, struct guard *guard)
{
	u8 *bytes = malloc(PIECE);
	u64 at = 0;
	ssize_t n;
	int r = bytes ? 0 : -ENOMEM;

	while (!r && at < size) {
		n = pread(fd, bytes, size - at < PIECE ? (size_t)(size - at) : PIECE, (off_t)at);
		if (n > 0) {
			sum_add(sum, bytes, (size_t)n);
			at += (u64)n;
			r = guard_read(guard, (u64)n);
		} else if (!n || errno != EINTR) {
			r = n ? -errno : -EBADMSG;
		} else {
			r = guard_error(guard);
		}
	}
	free(bytes);
	return r;
}

int sum_add_input(struct sum *sum, struct input *input, u64 size)
{
	u8 bytes[16384];
	size_t n;
	u64 at;

	for (at = 0; at < size; at += n) {
		n = size - at < sizeof(bytes) ? (size_t)(size - at) : sizeof(bytes);
		if (!input_at(input, at, bytes, n))
			return guard_error(input->guard) ? : -EIO;
		sum_add(sum, bytes, n);
	}
	return 0;
}

/* Adds a file with its name, the name of its folder, and its size. */
static int add_named(struct sum *sum, const char *path, const char *name, struct guard *guard)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), r;
	struct stat is;
	u64 size;

	if (fd < 0 || fstat(fd, &is)) {
		r = -errno;
		if (fd >= 0)
			close(fd);
		return r;
	}
	size = (u64)is.st_size;
	sum_add(sum, name, strlen(name) + 1);
	sum_add(sum, &size, sizeof(size));
	r = sum_add_file(sum, fd, size, guard);
	close(fd);
	return r;
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

int sum_add_folder(struct sum *sum, const char *folder, struct guard *guard)
{
	char *const paths[] = { (char *)folder, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, compare_names);
	const char *name;
	FTSENT *entry;
	int r = 0;

	while (tree && !r && (entry = fts_read(tree))) {
		name = entry->fts_path + strlen(folder);
		name += strspn(name, "/");
		if (entry->fts_level && *entry->fts_name == '.')
			fts_set(tree, entry, FTS_SKIP);
		else if (entry->fts_info == FTS_F && strcmp(name, CARRIED_NAME))
			r = add_named(sum, entry->fts_path, name, guard);
		else
			r = guard_error(guard);
	}
	if (tree)
		fts_close(tree);
	return tree ? r : -ENOMEM;
}
