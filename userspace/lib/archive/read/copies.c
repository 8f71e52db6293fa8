// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Files of a recorded directory of which nothing is read: copies of other files, and files without a whole frame. The
 * names that bcoslog record gives to its own files (format/name.c) tell these from copies.
 */
#include <stdio.h>
#include <stdlib.h>

#include "archive.h"

/* How many different recordings with one header are told apart; further ones are left out. */
#define APART_MAX 16

/* Files without a header have no number. */
static bool is_settled(const struct archive_file *file)
{
	return !file->framed || file->left_out || file->apart;
}

static bool same_number(const struct archive_file *one, const struct archive_file *other)
{
	return archive_same_boot(one, other) && one->header.sequence == other->header.sequence;
}

/* Return: true if one file has a frame that the other has at the same place, or has no frame at all. */
static bool shares_frame(const struct archive_file *one, const struct archive_file *other)
{
	u32 i = 0, j = 0;

	if (!one->count || !other->count)
		return true;
	while (i < one->count && j < other->count) {
		const struct archive_frame *a = one->frames + i, *b = other->frames + j;

		if (a->place == b->place && archive_same_note(&a->note, &b->note))
			return true;
		if (a->place <= b->place)
			i++;
		else
			j++;
	}
	return false;
}

/* Return: true if @one is rather the original than @other. A file that has been read stays the one that is read. */
static bool is_better(const struct archive_file *one, const struct archive_file *other)
{
	bool own = archive_own_name(one->name, &one->header), others = archive_own_name(other->name, &other->header);

	if (one->known != other->known)
		return one->known;
	if (one->written != other->written)
		return one->written;
	if (one->count != other->count)
		return one->count > other->count;
	if (one->closed != other->closed)
		return one->closed;
	if (own != others)
		return own;
	if (strlen(one->name) != strlen(other->name))
		return strlen(one->name) < strlen(other->name);
	return strcmp(one->name, other->name) < 0;
}

static void leave_out(struct archive_file *file)
{
	free(file->frames);
	file->frames = NULL;
	file->count = file->room = 0;
	file->left_out = true;
}

/* Leave out the copies of the best of the @count files, which have one number.  Return: true if others are left. */
static bool leave_out_round(struct archive_file *files, u32 count)
{
	struct archive_file *best = NULL;
	bool others = false;
	u32 i;

	for (i = 0; i < count; i++)
		if (!is_settled(files + i) && (!best || is_better(files + i, best)))
			best = files + i;
	for (i = 0; best && i < count; i++) {
		if (files + i == best || is_settled(files + i))
			continue;
		if (shares_frame(files + i, best))
			leave_out(files + i);
		else
			others = true;
	}
	if (best)
		best->apart = true;
	return others;
}

/* Leave out copies among @count files, which have one number. */
static void settle_number(struct archive_file *files, u32 count)
{
	u32 i, rounds = 0, kept = 0;

	for (i = 0; i < count; i++)
		files[i].apart = false;
	while (leave_out_round(files, count) && ++rounds < APART_MAX)
		;
	for (i = 0; i < count; i++) {
		if (rounds == APART_MAX && !is_settled(files + i))
			leave_out(files + i);
		kept += files[i].framed && !files[i].left_out;
	}
	for (i = 0; i < count; i++)
		files[i].apart = files[i].framed && kept > 1;
}

void archive_leave_out_copies(struct archive *archive)
{
	struct archive_file *files = archive->files;
	u32 first, i;

	for (first = 0; first < archive->count; first = i) {
		for (i = first + 1; i < archive->count && same_number(files + first, files + i); i++)
			;
		if (i > first + 1)
			settle_number(files + first, i - first);
	}
	for (i = 0; i < archive->count; i++)
		files[i].known |= files[i].count;
}

/* Return: true if the file may lack its end, and neither damage nor a notice before another file says so. */
static bool lacks_index(const struct archive *archive, const struct archive_file *file)
{
	const struct archive_file *next = file + 1;

	return file->framed && file->count && !file->closed && !file->written && !archive_file_rest(file) &&
	       (next == archive->files + archive->count || !archive_same_boot(file, next));
}

static const char *original_name(const struct archive *archive, const struct archive_file *copy)
{
	const struct archive_file *file;

	for (file = archive->files; file < archive->files + archive->count; file++)
		if (file->framed && !file->left_out && same_number(file, copy))
			return file->name;
	return "another file";
}

bool archive_flaw(const struct archive *archive, u32 *at, char *text, size_t room)
{
	const struct archive_file *file;
	u64 rest;

	while (*at < archive->count) {
		file = archive->files + (*at)++;
		rest = archive_file_rest(file);
		if (file->left_out)
			snprintf(text, room, "%s is left out: it is a copy of %s, which is read", file->name,
				 original_name(archive, file));
		else if (!archive->single && !file->headed && !file->count && rest)
			snprintf(text, room, "%s is left out: there is no frame of a log in its %llu byte%s", file->name,
				 (unsigned long long)rest, rest == 1 ? "" : "s");
		else if (lacks_index(archive, file))
			snprintf(text, room, "%s has no index: its recorder did not end it, or it is cut, so that its end may be missing",
				 archive->single ? "it" : file->name);
		else
			continue;
		return true;
	}
	return false;
}
