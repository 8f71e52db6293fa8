// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes and rotates recorded files: see write.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "write.h"
#include "host/linux.h"

#define SECOND 1000000000ull
/* How often the lock is tried, a tenth of a second apart. */
#define LOCK_TRIES 30
/* How many numbers are tried for a name that exists already. */
#define NAMES 1000

struct store {
	struct store_limits limits;
	const struct store_caller *caller;
	char *path;
	int directory, lock;
	struct closed_files closed;		/* the closed files */
	u64 sequence;			/* number of the next file */
	struct packer *packer;

	/* The open file; if there is none, @fd is -1. */
	int fd;
	char name[256];
	struct archive_header header;
	struct archive_frame *frames;
	u32 count, room;
	u64 size, opened, written;	/* bytes; ns since boot; bytes that are not on the disk yet */
	u64 synced;			/* ns since boot */
	bool unsafe;			/* something may not be on the disk */
	char newest[4096];		/* path of the file that was closed last */
};

/* Waits a second if the disk has no room even for an empty file.  Return: whether to try again. */
static bool wait_for_room(const struct store *store, bool *waiting)
{
	struct timespec second = { .tv_sec = 1 };

	if ((errno != ENOSPC && errno != EDQUOT) || !store->caller->goes_on())
		return false;
	if (!*waiting)
		store->caller->complain("there is no room left for %s: recording begins when there is some", store->path);
	*waiting = true;
	nanosleep(&second, NULL);
	return true;
}

/* Takes the lock of the machine, which keeps a second recorder away.  Return: 0, or -1 after a complaint. */
static int take_lock(struct store *store, const struct archive_machine *machine)
{
	struct timespec pause = { .tv_nsec = 100000000 };
	bool waiting = false;
	char name[128];
	int tries;

	machine_file(name, sizeof(name), machine, "lock");
	do
		store->lock = openat(store->directory, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
	while (store->lock < 0 && (errno == EINTR || wait_for_room(store, &waiting)));
	if (store->lock < 0) {
		store->caller->complain("nothing can be written into %s: %s", store->path, strerror(errno));
		return -1;
	}
	/* A recorder that is being killed has the lock until its last write ends. */
	for (tries = 0; lockf(store->lock, F_TLOCK, 0) && tries < LOCK_TRIES; tries++)
		nanosleep(&pause, NULL);
	if (tries < LOCK_TRIES)
		return 0;
	store->caller->complain("somebody records into %s already: end that, or name another directory", store->path);
	return -1;
}

struct store *store_open(const char *path, const struct store_limits *limits, const struct store_caller *caller)
{
	struct store *store = calloc(1, sizeof(*store));

	if (!store) {
		caller->complain("no memory");
		return NULL;
	}
	store->limits = *limits;
	store->caller = caller;
	store->fd = store->lock = -1;
	store->path = strdup(path);
	if (!store->path)
		store->caller->complain("no memory");
	if (mkdir(path, 0750) && errno != EEXIST)
		store->caller->complain("%s cannot be made: %s", path, strerror(errno));
	store->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (store->directory < 0)
		store->caller->complain("%s is no directory that can be opened: %s", path, strerror(errno));
	store->packer = packer_new(limits->level, limits->plain);
	if (!store->packer && errno == ENOMEM)
		store->caller->complain("no memory for compressing the recording");
	else if (!store->packer)
		store->caller->complain("this bcoslog was built without zstd, which records are compressed with: build it with libzstd "
			 "(scripts/deps build)");
	if (store->path && store->directory >= 0 && store->packer)
		return store;
	store_close(store);
	return NULL;
}

void store_close(struct store *store)
{
	store_finish(store);
	closed_free(&store->closed);
	packer_free(store->packer);
	free(store->frames);
	if (store->directory >= 0)
		close(store->directory);
	if (store->lock >= 0)
		close(store->lock);
	free(store->path);
	free(store);
}

void store_machine(const struct store *store, struct archive_machine *machine)
{
	machine_learn(store->directory, machine);
}

int store_claim(struct store *store)
{
	struct archive_machine machine = { 0 };

	store_machine(store, &machine);
	return take_lock(store, &machine);
}

int store_begin(struct store *store, const struct archive_header *header, struct recorded_end *end)
{
	/* In a log of several machines or boots, the former one ends here. */
	store_finish(store);
	if (store->lock >= 0)
		close(store->lock);
	closed_free(&store->closed);
	if (take_lock(store, &header->machine) ||
	    closed_find(&store->closed, store->directory, store->path, store->caller, &header->machine, &store->sequence))
		return -EIO;
	return end && closed_end(store->directory, store->path, store->caller, header, end) ? -EIO : 0;
}

bool store_is_open(const struct store *store)
{
	return store->fd >= 0;
}

bool store_is_full(const struct store *store)
{
	return store->fd >= 0 && store->count && (store->size >= store->limits.file_size ||
						  clock_now(CLOCK_BOOTTIME) - store->opened >= store->limits.file_age);
}

const char *store_newest(const struct store *store)
{
	return *store->newest ? store->newest : NULL;
}

/* Complains if the disk does not take the data, since no later call reports that again. */
static void sync_file(struct store *store)
{
	if (!fdatasync(store->fd) || errno == EINVAL || errno == EROFS)
		return;
	store->unsafe = true;
	store->caller->complain("%s/%s is not on the disk, and may lack what was written last: %s", store->path, store->name,
		 strerror(errno));
}

/* Has the names of new files on the disk. Whoever asks store_is_safe() complains. */
static void sync_directory(struct store *store)
{
	if (fsync(store->directory) && errno != EINVAL && errno != EROFS)
		store->unsafe = true;
}

bool store_is_safe(const struct store *store)
{
	return store->fd < 0 && !store->unsafe;
}

void store_sync(struct store *store, bool at_once)
{
	u64 time = clock_now(CLOCK_BOOTTIME);

	if (store->fd < 0 || !store->written || (!at_once && time - store->synced < store->limits.sync))
		return;
	sync_file(store);
	store->written = 0;
	store->synced = time;
}

/* Appends all bytes or none.  Return: 0 or a negative errno; -ENOSPC also stands for EDQUOT and EFBIG. */
static int append_bytes(struct store *store, const void *bytes, size_t size)
{
	struct statvfs room;
	size_t done = 0;
	ssize_t n = 0;
	int r = 0;

	if (store->limits.spare && !fstatvfs(store->fd, &room) &&
	    (u64)room.f_bavail * room.f_frsize < store->limits.spare + size)
		return -ENOSPC;
	while (done < size && !r) {
		n = pwrite(store->fd, (const char *)bytes + done, size - done, (off_t)(store->size + done));
		if (n > 0)
			done += (size_t)n;
		else if (!n || errno != EINTR)
			r = n ? -errno : -ENOSPC;
	}
	if (r) {
		/* Removes the part of the bytes that was written. */
		if (ftruncate(store->fd, (off_t)store->size))
			store->size += done;
		return r == -EDQUOT || r == -EFBIG ? -ENOSPC : r;
	}
	store->size += size;
	store->written += size;
	return 0;
}

/* Removes the oldest file.  Return: whether there was one. */
static bool make_room(struct store *store)
{
	return closed_drop(&store->closed, store->directory);
}

/* Appends all bytes or none, and removes the oldest files if there is no room.  Return: as append_bytes(). */
static int append_or_drop(struct store *store, const void *bytes, size_t size)
{
	int r = append_bytes(store, bytes, size);

	while (r == -ENOSPC && make_room(store))
		r = append_bytes(store, bytes, size);
	if (r && r != -ENOSPC)
		store->caller->complain("%s/%s cannot be written: %s", store->path, store->name, strerror(-r));
	return r;
}

/* Chooses the name of a new file; @number, if not 0, tells it from files that have the same name otherwise. */
static void choose_name(struct store *store, const struct archive_note *note, const char *cause, u32 number)
{
	u64 first = note->first <= note->last ? note->first : note->wall.boot;
	u64 utc = note->flags & ARCHIVE_WALL ? bcoslog_wall_time(&note->wall, first) - note->set
					     : clock_now(CLOCK_REALTIME);

	archive_name_put(store->name, sizeof(store->name), &store->header, utc, cause, number);
}

/* Creates a file that does not exist yet.  Return: 0 or a negative errno. */
static int open_new(struct store *store, const struct archive_note *note, const char *cause)
{
	u32 number = 0;

	do {
		choose_name(store, note, cause, number);
		store->fd = openat(store->directory, store->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
		if (store->fd >= 0) {
			archive_lock_written(store->fd);
			return 0;
		}
		/* A recorder that was killed may have left such a file, or another machine of that name has made it. */
		if (errno == EEXIST)
			number++;
	} while (errno == EINTR || (errno == EEXIST && number < NAMES) ||
		 ((errno == ENOSPC || errno == EDQUOT) && make_room(store)));
	return errno == EDQUOT ? -ENOSPC : -errno;
}

static int new_file(struct store *store, const struct archive_header *header, const struct archive_note *note,
		    const char *cause)
{
	u8 bytes[ARCHIVE_HEADER_MOST];
	int r;

	store->header = *header;
	store->header.sequence = store->sequence;
	if (cause)
		store->header.flags |= ARCHIVE_DETACHED;
	if (store->closed.open)
		store->header.flags |= ARCHIVE_AFTER_OPEN;
	r = open_new(store, note, cause);
	if (r && r != -ENOSPC)
		store->caller->complain("%s/%s cannot be made: %s", store->path, store->name, strerror(-r));
	if (r)
		return r;
	store->size = store->written = store->count = 0;
	store->opened = store->synced = clock_now(CLOCK_BOOTTIME);
	archive_put_header(bytes, &store->header);
	r = append_or_drop(store, bytes, archive_header_size(&store->header));
	if (r) {
		close(store->fd);
		store->fd = -1;
		unlinkat(store->directory, store->name, 0);
		return r;
	}
	store->sequence++;
	store->closed.open = false;
	return 0;
}

static int remember_note(struct store *store, const struct archive_note *note, u64 place)
{
	struct archive_frame *frames;
	u32 room = 2 * store->room + 64;

	if (store->count == store->room) {
		frames = reallocarray(store->frames, room, sizeof(*frames));
		if (!frames) {
			store->caller->complain("no memory for the index of %s/%s", store->path, store->name);
			return -ENOMEM;
		}
		store->frames = frames;
		store->room = room;
	}
	store->frames[store->count].place = place;
	store->frames[store->count++].note = *note;
	return 0;
}

int store_frame(struct store *store, const struct archive_header *header, const void *raw, struct archive_note *note,
		const char *cause)
{
	size_t stored;
	bool columns;
	u8 *bytes;
	int r;

	if (store->fd < 0) {
		r = new_file(store, header, note, cause);
		if (r)
			return r;
	}
	bytes = packer_pack(store->packer, raw, note->raw, ARCHIVE_NOTE_SIZE, &stored, &columns);
	if (!bytes) {
		store->caller->complain("no memory for compressing the recording");
		return -ENOMEM;
	}
	note->stored = (u32)stored;
	note->flags = (note->flags & ~ARCHIVE_COLUMNS) | (columns ? ARCHIVE_COLUMNS : 0);
	archive_put_note(bytes, note);
	r = append_or_drop(store, bytes, ARCHIVE_NOTE_SIZE + stored);
	if (r)
		return r;
	closed_grow(&store->closed, ARCHIVE_NOTE_SIZE + stored);
	closed_limit(&store->closed, store->directory, store->limits.keep_size, store->limits.keep_age);
	return remember_note(store, note, store->size - stored);
}

void store_finish(struct store *store)
{
	const struct archive_tail all = { .frames = store->count, .machine = archive_has_id(&store->header.machine) };
	size_t size = archive_tail_size(&all);
	u8 *tail;

	if (store->fd < 0)
		return;
	/* The file has nothing but its header. */
	if (!store->count)
		unlinkat(store->directory, store->name, 0);
	tail = malloc(size);
	if (tail)
		archive_put_tail(tail, &store->header, store->frames, store->count);
	/* If this fails, the file has no index, and readers need longer to look into it. The next file says so. */
	store->closed.open = (!tail || append_bytes(store, tail, size)) && store->count;
	free(tail);
	sync_file(store);
	close(store->fd);
	store->fd = -1;
	sync_directory(store);
	if (!store->count)
		return;
	snprintf(store->newest, sizeof(store->newest), "%s/%s", store->path, store->name);
	closed_add(&store->closed, store->name, &store->header, store->size);
}
