// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading of a device, a file or a stream into one buffer: see handle_host.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <poll.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "reader.h"
#include "host/linux.h"
#include "image/gather.h"
#include "handle_host.h"
#include "unfold.h"

/*
 * The library reads files and does not map them.  SIGBUS would end the program if
 * somebody truncated a mapped file, and copying into a buffer that stays in the
 * cache costs little.
 */

struct bcoslog *handle_new(int fd, const char *name, unsigned int flags)
{
	struct bcoslog *log = calloc(1, sizeof(*log));

	if (!log)
		return NULL;
	log->fd = fd;
	log->flags = flags;
	log->growth = -1;
	log->hangup = -1;
	log->image = -1;
	log->limit = ~0ull;
	log->buffer = malloc(HANDLE_BUFFER + HANDLE_ASIDE);
	log->name = strdup(name);
	log->interrupt = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (log->buffer && log->name && log->interrupt >= 0)
		return log;
	bcoslog_close(log);
	return NULL;
}

/*
 * Return: the greatest time of an entry for a reader that does not follow the device. Without this limit the reader
 * would never reach the end on a busy machine.
 */
static u64 newest_time(const struct bcos_status *status)
{
	u64 time = clock_now(CLOCK_BOOTTIME);

	return time > status->last_time ? time : status->last_time;
}

/* Return: true if the file begins as recorded files do, with a zstd frame or a skippable frame. */
static bool is_recorded(int fd)
{
	u32 magic;

	return lseek(fd, 0, SEEK_CUR) == 0 && pread(fd, &magic, sizeof(magic), 0) == sizeof(magic) &&
	       (magic == ARCHIVE_ZSTD_MAGIC || magic == ARCHIVE_MAGIC);
}

static int handle_recorded(struct bcoslog *log, bool single, struct bcoslog_error *error)
{
	int fd = fcntl(log->fd, F_DUPFD_CLOEXEC, 0);

	log->kind = BCOSLOG_RECORDING;
	if (fd < 0)
		return error_open(error, errno, log->name, false);
	return archive_open(&log->archive, fd, log->name, single, log->flags & BCOSLOG_FOLLOW, error);
}

/* Return: true if the file or device begins as an image, or as a dump of memory in which there may be one. */
static bool is_image(int fd)
{
	char begin[BCOS_IMAGE_MAGIC_SIZE];
	ssize_t n = pread(fd, begin, sizeof(begin), 0);

	return n > 0 && gather_knows(begin, (size_t)n);
}

/* Make a log of an image, and read that instead. */
static int handle_recover(struct bcoslog *log, struct bcoslog_error *error)
{
	int fd = memfd_create("bcos_evlog", MFD_CLOEXEC), r;
	struct recovered recovered;
	struct gathered gathered;

	if (fd < 0)
		return error_open(error, errno, log->name, false);
	r = gather_image(&gathered, log->fd, log->name, error);
	r = r ?: recover_image(gathered.bytes, gathered.size, gathered.ends, fd, &recovered, error);
	gather_free(&gathered);
	if (r) {
		close(fd);
		return r;
	}
	lseek(fd, 0, SEEK_SET);
	log->image = log->fd;
	log->fd = fd;
	log->kind = BCOSLOG_FILE;
	log->flags &= ~BCOSLOG_FOLLOW;
	return 0;
}

static int handle_classify(struct bcoslog *log, bool must_be_device, struct bcoslog_error *error)
{
	struct bcos_status status;
	struct stat stat;
	off_t position;
	int r;

	if (fstat(log->fd, &stat))
		return error_open(error, errno, log->name, false);
	if (S_ISDIR(stat.st_mode) || (S_ISREG(stat.st_mode) && is_recorded(log->fd)))
		return handle_recorded(log, !S_ISDIR(stat.st_mode), error);
	if ((S_ISREG(stat.st_mode) || (S_ISCHR(stat.st_mode) && !must_be_device)) && is_image(log->fd))
		return handle_recover(log, error);
	log->kind = BCOSLOG_STREAM;
	if (S_ISREG(stat.st_mode)) {
		log->kind = BCOSLOG_FILE;
		position = lseek(log->fd, 0, SEEK_CUR);
		log->position = position > 0 ? (u64)position : 0;
		return 0;
	}
	if (!S_ISCHR(stat.st_mode))
		return 0;
	r = device_status(log->fd, &status);
	if (r && !must_be_device)
		return 0;
	if (r == -ENOTTY)
		return error_abi(error, log->name, NULL);
	if (r)
		return error_open(error, -r, log->name, true);
	if (status.abi_version != BCOS_ABI_VERSION)
		return error_abi(error, log->name, &status);
	log->kind = BCOSLOG_DEVICE;
	if (!(log->flags & BCOSLOG_FOLLOW))
		log->limit = newest_time(&status);
	else if (log->flags & BCOSLOG_NEWEST && lseek(log->fd, 0, SEEK_DATA) < 0)
		return error_open(error, errno, log->name, true);
	return 0;
}

static int handle_begin(struct bcoslog **result, int fd, const char *name, unsigned int flags,
			bool must_be_device, struct bcoslog_error *error)
{
	struct bcoslog *log = handle_new(fd, name, flags);
	int r;

	*result = NULL;
	if (!log)
		return error_set(error, ENOMEM, "no memory, or no free descriptor (ulimit -n), for reading %s",
				 name);
	r = handle_classify(log, must_be_device, error);
	if (r) {
		bcoslog_close(log);
		return r;
	}
	*result = log;
	return 0;
}

int bcoslog_open_fd(struct bcoslog **log, int fd, const char *name, unsigned int flags,
		    struct bcoslog_error *error)
{
	int r = handle_begin(log, fd, name, flags, false, error);

	if (r)
		return r;
	(*log)->given = flags & BCOSLOG_CLOSE;
	/* A device merges when it is read, and poll() would not show what is not merged yet. */
	(*log)->nonblocking = (*log)->kind == BCOSLOG_DEVICE && fcntl(fd, F_GETFL) & O_NONBLOCK;
	return 0;
}

int bcoslog_open(struct bcoslog **log, const char *path, unsigned int flags,
		 struct bcoslog_error *error)
{
	int mode = O_CLOEXEC | O_NOCTTY | (flags & BCOSLOG_CONTROL ? O_RDWR : O_RDONLY);
	bool expected = !strcmp(path, BCOS_DEVICE_PATH), device = expected;
	struct stat stat_path;
	int fd, r;

	*log = NULL;
	if (!strcmp(path, "-"))
		return bcoslog_open_fd(log, STDIN_FILENO, "standard input", flags & ~BCOSLOG_CLOSE, error);
	if (!stat(path, &stat_path) && S_ISCHR(stat_path.st_mode))
		device = true;
	/* A FIFO is opened without O_NONBLOCK, because open() has to wait for the writer. */
	if (device)
		mode |= O_NONBLOCK;
	fd = open(path, mode);
	if (fd < 0)
		return error_open(error, errno, path, device);
	r = handle_begin(log, fd, path, flags, expected, error);
	if (r) {
		close(fd);
		return r;
	}
	(*log)->owned = true;
	(*log)->nonblocking = device;
	return 0;
}

void bcoslog_close(struct bcoslog *log)
{
	if (!log)
		return;
	if (log->image >= 0)
		close(log->fd);
	if (log->owned || log->given)
		close(log->image >= 0 ? log->image : log->fd);
	if (log->growth >= 0)
		close(log->growth);
	if (log->interrupt >= 0)
		close(log->interrupt);
	if (log->mapping)
		mapping_close(log->mapping);
	free(log->mapping);
	if (!log->shared)
		engine_close(log->engine);
	free(log->view);
	if (log->archive)
		bcoslog_close(log->archive->live);
	archive_close(log->archive);
	unfold_forget(log);
	free(log->name);
	free(log->buffer);
	free(log);
}

enum bcoslog_kind bcoslog_kind(const struct bcoslog *log)
{
	return log->kind;
}

int bcoslog_fd(const struct bcoslog *log)
{
	return log->fd;
}

const struct bcoslog_error *bcoslog_error(const struct bcoslog *log)
{
	return &log->error;
}

__u64 bcoslog_offset(const struct bcoslog *log)
{
	return log->offset;
}

/*
 * Map the device, unless the log is followed or the descriptor is the caller's. The device wakes a follower when there
 * are entries after the position of its descriptor, and only read() advances the position. A descriptor of the caller
 * may have a position other than the beginning.
 * Return: true if the device is mapped.
 */
static bool is_mapped(struct bcoslog *log)
{
	if (!log->mapped && log->owned && log->kind == BCOSLOG_DEVICE && !(log->flags & BCOSLOG_FOLLOW)) {
		log->mapping = calloc(1, sizeof(*log->mapping));
		if (log->mapping && !mapping_open(log->mapping, log->fd)) {
			free(log->mapping);
			log->mapping = NULL;
		}
	}
	log->mapped = true;
	return log->mapping;
}

/* Copy entries from the mapped device, or from the engine of this process. */
static int handle_fill_mapped(struct bcoslog *log)
{
	u8 *to = log->buffer + log->end;
	size_t room = HANDLE_BUFFER - log->end;
	long n = log->engine ? engine_read(log->engine, log->view, to, room, log->last) :
			       mapping_read(log->mapping, to, room);

	if (n < 0)
		return error_read(log, (int)-n);
	log->end += (size_t)n;
	log->ended = !n && !(log->flags & BCOSLOG_FOLLOW);
	return n > 0;
}

/* Copy entries from a recording.  A damaged frame counts as damage after which the log resumes at a group. */
static int handle_fill_recorded(struct bcoslog *log)
{
	long n = archive_read(log->archive, log->buffer + log->end, HANDLE_BUFFER - log->end);

	if (n < 0) {
		log->error = log->archive->error;
		return (int)n;
	}
	log->end += (size_t)n;
	log->ended = !n && !(log->flags & BCOSLOG_FOLLOW);
	return n > 0;
}

int handle_fill(struct bcoslog *log)
{
	struct pollfd ready = { .fd = log->fd, .events = POLLIN };
	ssize_t n;

	if (log->ended)
		return 0;
	handle_compact(log);
	if (log->archive)
		return handle_fill_recorded(log);
	if (log->engine || is_mapped(log))
		return handle_fill_mapped(log);
	do {
		/* The library must not set O_NONBLOCK on the caller's descriptor, so poll() asks for bytes. */
		if (!log->nonblocking && log->kind != BCOSLOG_FILE && poll(&ready, 1, 0) == 0)
			return 0;
		n = read(log->fd, log->buffer + log->end, HANDLE_BUFFER - log->end);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (n < 0)
		return error_read(log, errno);
	log->end += (size_t)n;
	log->position += (u64)n;
	/* A file that the caller follows may grow. */
	if (!n && !(log->kind == BCOSLOG_FILE && log->flags & BCOSLOG_FOLLOW))
		log->ended = true;
	return n > 0;
}
