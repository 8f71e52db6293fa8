// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The image of a recorder that was killed: see former.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/shared.h"
#include "engine/machine.h"
#include "engine/programs/programs.h"
#include "former.h"
#include "handle/error.h"

/* No ring is larger than 4 GiB, and what is before it has 1 GiB at most. */
#define SIZE_MAX_OF_IMAGE (5ull << 30)

/* Open an image, to which nobody else can have written.  Return: a descriptor; -ENOENT; another negative errno. */
static int open_image(const struct place *place, const char *name, u64 *size, struct bcoslog_error *error)
{
	int fd = openat(place->run, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat file;

	if (fd < 0)
		return errno == ENOENT ? -ENOENT : error_set(error, errno, "cannot be opened: %s", strerror(errno));
	if (!fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_uid == geteuid() && !(file.st_mode & 022) &&
	    (u64)file.st_size <= SIZE_MAX_OF_IMAGE) {
		*size = (u64)file.st_size;
		return fd;
	}
	close(fd);
	return error_set(error, EPERM, "is no file that this user alone writes to");
}

static int read_image(struct former *former, int fd, u64 size)
{
	u64 done = 0;
	ssize_t n = 1;

	former->bytes = malloc(size ? size : 1);
	if (!former->bytes)
		return -ENOMEM;
	while (done < size && n > 0) {
		n = read(fd, (char *)former->bytes + done, size - done);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			done += (u64)n;
	}
	return n < 0 ? -errno : done == size ? 0 : -EBADMSG;
}

/* Is the folder one of this place? */
static bool is_folder_of(const struct place *place, const char *pins)
{
	size_t length = strlen(place->pins);

	return !strncmp(pins, place->pins, length) && pins[length] == '/' && pins[length + 1] && pins[length + 1] != '.' &&
	       !strchr(pins + length + 1, '/');
}

/* Return: 0, or a negative errno after a sentence. */
static int check_image(const struct former *former, const struct place *place, u32 cpus, struct bcoslog_error *error)
{
	const struct bcos_image *image = &former->image;
	const struct bcos_image_header *header = image->header;
	struct bcos_statements machine;

	machine_statements(&machine);
	if (!(header->flags & BCOS_IMAGE_BY_BPF))
		return error_set(error, EBADMSG, "is not of a recorder, but of a kernel");
	if (!machine.boot[0] || strcmp(machine.boot, header->boot))
		return error_set(error, ESTALE, "is of another boot");
	if (header->raw != BCOS_IMAGE_RAW || header->programs != BCOS_BPF_VERSION || strcmp(header->module, machine.version))
		return error_set(error, ENOTSUP, "is of another version of bcoslog");
	if (!image->pass || !(image->pass->flags & BCOS_IMAGE_BEGUN))
		return error_set(error, EBADMSG, "is damaged");
	if (header->cpus != cpus || header->rings > cpus || !header->units || header->units & (header->units - 1) ||
	    header->units < BCOS_BPF_UNITS_MIN || header->units > 1u << 22 || !is_folder_of(place, header->pins))
		return error_set(error, EBADMSG, "contradicts itself, or this machine");
	return 0;
}

int former_open(struct former *former, const struct place *place, u32 cpus, struct bcoslog_error *error)
{
	enum bcos_image_fault fault;
	u64 size;
	int fd, r;

	memset(former, 0, sizeof(*former));
	fd = open_image(place, PLACE_IMAGE, &size, error);
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	r = read_image(former, fd, size);
	close(fd);
	if (r)
		return error_set(error, -r, "cannot be read: %s", strerror(-r));
	fault = bcos_image_check(former->bytes, size, &former->image);
	if (fault)
		return error_set(error, EBADMSG, "%s", bcos_image_fault_text(fault));
	r = check_image(former, place, cpus, error);
	return r ? r : 1;
}

void former_close(struct former *former)
{
	free(former->bytes);
	memset(former, 0, sizeof(*former));
}

bool former_pins(const struct place *place, const char *name, char pins[PLACE_PATH])
{
	struct bcos_image_header header;
	struct bcoslog_error error;
	u64 size;
	int fd = open_image(place, name, &size, &error);
	bool known;

	pins[0] = 0;
	if (fd < 0)
		return false;
	known = read(fd, &header, sizeof(header)) == (ssize_t)sizeof(header) && !bcos_image_check_header(&header) &&
		header.flags & BCOS_IMAGE_BY_BPF && is_folder_of(place, header.pins);
	close(fd);
	if (known)
		host_format(pins, PLACE_PATH, "%s", header.pins);
	return known;
}

void former_put_aside(const struct place *place)
{
	char pins[PLACE_PATH];

	if (former_pins(place, PLACE_IMAGE, pins))
		programs_unpin_links(pins);
	renameat(place->run, PLACE_IMAGE, place->run, PLACE_ASIDE);
}
