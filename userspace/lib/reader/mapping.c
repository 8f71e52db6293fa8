// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The mapped device: see handle_host.h, and the protocol in bcos_evlog.h. */
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "handle_host.h"

static void *map_file(int fd, size_t size)
{
	void *base = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	return base == MAP_FAILED ? NULL : base;
}

/* Return: the size of the whole mapping in bytes, from its control page; 0 if this library does not know the layout. */
static size_t whole_size(int fd, size_t page)
{
	const struct bcos_control *control = map_file(fd, page);
	size_t size = 0;

	if (!control)
		return 0;
	if (control->abi_version == BCOS_ABI_VERSION && control->size >= sizeof(*control))
		size = control->data + 2 * control->ring_size;
	munmap((void *)control, page);
	return size;
}

bool mapping_open(struct mapping *mapping, int fd)
{
	struct bcos_flush flush = { 0 };
	struct bcos_marks marks;

	mapping->size = whole_size(fd, (size_t)sysconf(_SC_PAGESIZE));
	if (!mapping->size || ioctl(fd, BCOS_IOC_FLUSH, &flush))
		return false;
	mapping->base = map_file(fd, mapping->size);
	if (!mapping->base)
		return false;
	mapping->ring.control = mapping->base;
	mapping->ring.data = (u8 *)mapping->base + mapping->ring.control->data;
	mapping->ring.size = mapping->ring.control->ring_size;
	mapping->end = flush.head;
	bcos_ring_marks(&mapping->ring, &marks);
	mapping->cursor.place = marks.oldest;
	return true;
}

void mapping_close(struct mapping *mapping)
{
	if (mapping->base)
		munmap(mapping->base, mapping->size);
	mapping->base = NULL;
}

long mapping_read(struct mapping *mapping, void *to, size_t size)
{
	struct bcos_cursor next;
	long part = bcos_cursor_read(&mapping->ring, &mapping->cursor, mapping->end, to, size, &next);

	if (part > 0)
		mapping->cursor = next;
	return part;
}
