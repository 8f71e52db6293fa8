// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counts what an import takes: see guard.h. */
#include <fts.h>
#include <sys/stat.h>

#include "../caller.h"
#include "guard.h"

/* Returns the size of all files below a directory. A folder that links to folders could be walked without end. */
static u64 measure_directory(const char *path)
{
	char *const paths[] = { (char *)path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	struct stat target;
	FTSENT *entry;
	u64 size = 0;

	while (tree && !convert_interrupted() && (entry = fts_read(tree)))
		if (entry->fts_info == FTS_F && S_ISREG(entry->fts_statp->st_mode))
			size += (u64)entry->fts_statp->st_size;
		else if (entry->fts_info == FTS_SL && !stat(entry->fts_path, &target) && S_ISREG(target.st_mode))
			size += (u64)target.st_size;
	if (tree)
		fts_close(tree);
	return size;
}

u64 guard_measure(const char *path)
{
	struct stat stat_of;

	if (stat(path, &stat_of))
		return 0;
	if (S_ISDIR(stat_of.st_mode))
		return measure_directory(path);
	return S_ISREG(stat_of.st_mode) ? (u64)stat_of.st_size : 0;
}

void guard_begin(struct guard *guard, const char *path)
{
	memset(guard, 0, sizeof(*guard));
	if (strcmp(path, "-"))
		guard->input = guard_measure(path);
}

void guard_grow(struct guard *guard, u64 bytes)
{
	if (guard)
		guard->input += bytes;
}

int guard_error(const struct guard *guard)
{
	if (guard && guard->error)
		return guard->error;
	return convert_interrupted() ? -EINTR : 0;
}

static int count_bytes(struct guard *guard, u64 *count, u64 bytes, unsigned int times, u64 more, const char *what)
{
	u64 most;

	guard->error = guard_error(guard);
	if (guard->error)
		return guard->error;
	most = guard->input > (UINT64_MAX - more) / times ? UINT64_MAX : guard->input * times + more;
	if (*count <= most && bytes <= most - *count) {
		*count += bytes;
		return 0;
	}
	guard->what = what;
	guard->times = times;
	guard->error = -EFBIG;
	return -EFBIG;
}

int guard_read(struct guard *guard, u64 bytes)
{
	return guard ? count_bytes(guard, &guard->read, bytes, GUARD_READ_TIMES, GUARD_READ_MORE, "make bcoslog read") :
		       guard_error(NULL);
}

int guard_unpack(struct guard *guard, u64 bytes)
{
	return guard ? count_bytes(guard, &guard->unpacked, bytes, GUARD_UNPACK_TIMES, GUARD_UNPACK_MORE,
				   "unpack to") : guard_error(NULL);
}

int guard_tell(struct guard *guard, u64 bytes)
{
	return guard ? count_bytes(guard, &guard->told, bytes, GUARD_WRITE_TIMES, GUARD_WRITE_MORE,
				   "become a log of") : guard_error(NULL);
}

int guard_write(struct guard *guard, u64 bytes)
{
	return guard ? count_bytes(guard, &guard->written, bytes, GUARD_WRITE_TIMES, GUARD_WRITE_MORE,
				   "become a log of") : guard_error(NULL);
}

void guard_complain(const struct guard *guard, const char *path)
{
	if (guard->error == -EFBIG)
		complain("%s is refused: it would %s more than %u times its own size, as damaged or hostile files do; "
			 "if it is neither, unpack or divide it first", path, guard->what, guard->times);
}
