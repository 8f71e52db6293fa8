// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Imports any bytes as the files of an LTT trace. The input is a sequence of files: a byte that chooses the name, the
 * size in 16 bits, little endian, and the bytes. Descriptions that the input lacks are those of bcoslog. ltt_seed.py
 * writes such inputs.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define IMPORTER ltt_importer
#define IMPORT_FOLDER lay_out
#include "import_fuzz.h"
#include "../../../userspace/convert/ltt/ltt.h"

static const char *const names[] = {
	"info/system.xml", "info/bookmarks.xml", "eventdefs/core.xml", "eventdefs/bcos.xml", "control/facilities",
	"control/processes", "control/interrupts", "cpu/0", "cpu/1", "cpu/2",
};

static char folder[256];

static void clean_up(void)
{
	size_t i;

	if (chdir("/") || chdir(folder))
		return;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(names[i]);
	rmdir("info");
	rmdir("eventdefs");
	rmdir("control");
	rmdir("cpu");
	rmdir(folder);
}

static void put_file(const char *name, const void *bytes, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd))
		abort();
}

/* Returns the folder with the files of the input. */
static const char *lay_out(const u8 *bytes, size_t size)
{
	const char *parent = getenv("TMPDIR");
	static bool made;
	size_t i, length;

	if (!made) {
		snprintf(folder, sizeof(folder), "%s/ltt_fuzz.XXXXXX", parent && *parent ? parent : "/tmp");
		if (!mkdtemp(folder) || chdir(folder) || mkdir("info", 0700) || mkdir("eventdefs", 0700) ||
		    mkdir("control", 0700) || mkdir("cpu", 0700))
			abort();
		made = true;
		atexit(clean_up);
	}
	if (chdir(folder))
		abort();
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(names[i]);
	put_file("eventdefs/core.xml", ltt_core_xml, strlen(ltt_core_xml));
	put_file("eventdefs/bcos.xml", ltt_bcos_xml(), strlen(ltt_bcos_xml()));
	while (size >= 3) {
		length = bytes[1] | (size_t)bytes[2] << 8;
		if (length > size - 3)
			length = size - 3;
		put_file(names[bytes[0] % (sizeof(names) / sizeof(names[0]))], bytes + 3, length);
		bytes += 3 + length;
		size -= 3 + length;
	}
	return folder;
}
