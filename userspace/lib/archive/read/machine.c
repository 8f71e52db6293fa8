// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The names and IDs of machines: those of this machine, and of the machine of each file. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/sha256.h"
#include "handle/handle.h"
#include "archive.h"

#define MACHINE_ID "/etc/machine-id"
#define ID_DIGITS (2 * ARCHIVE_ID)

/* The machine ID in a recording is a hash of the ID in /etc/machine-id, which is confidential, and this number. */
static const u8 application_id[ARCHIVE_ID] = {
	0x5c, 0x79, 0xb2, 0xfc, 0x7f, 0x5f, 0x42, 0xac, 0x85, 0x17, 0xc1, 0x2d, 0x61, 0x65, 0xe0, 0x05,
};

/* Read the ID in /etc/machine-id.  Return: 0; -ENOENT if the file has no ID; another negative errno. */
static int read_id(u8 *raw)
{
	int fd = open(MACHINE_ID, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	char text[ID_DIGITS];
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = archive_pread(fd, text, sizeof(text), 0);
	close(fd);
	if (n < 0)
		return -EIO;
	return n == (ssize_t)sizeof(text) && archive_id_get(raw, text, sizeof(text)) ? 0 : -ENOENT;
}

/* Compute the ID of the machine as sd_id128_get_machine_app_specific(3) does. */
static void make_id(u8 *id, const u8 *raw)
{
	u8 hash[SHA256_SIZE];

	sha256_hmac(hash, raw, ARCHIVE_ID, application_id, sizeof(application_id));
	memcpy(id, hash, ARCHIVE_ID);
	/* These bits mark a random UUID, version 4. */
	id[6] = (id[6] & 0x0F) | 0x40;
	id[8] = (id[8] & 0x3F) | 0x80;
}

int archive_this_machine(struct archive_machine *machine)
{
	u8 raw[ARCHIVE_ID];
	int r;

	memset(machine, 0, sizeof(*machine));
	gethostname(machine->host, sizeof(machine->host) - 1);
	r = read_id(raw);
	if (!r)
		make_id(machine->id, raw);
	return r;
}

int archive_machine_order(const struct archive_machine *one, const struct archive_machine *other)
{
	int r = strcmp(one->host, other->host);

	return r ? r : memcmp(one->id, other->id, ARCHIVE_ID);
}

bool archive_is_machine(const struct archive_machine *one, const struct archive_machine *other)
{
	return archive_has_id(one) && archive_has_id(other) ? !memcmp(one->id, other->id, ARCHIVE_ID) :
							      !strcmp(one->host, other->host);
}

/* ---- the machine of a file --------------------------------------------------------- */

/* A machine whose ID is known, with its newest name, and the number of the file that states this name. */
struct known {
	struct archive_machine machine;
	u64 sequence;
};

static void learn_machine(struct known *known, u32 *count, const struct archive_machine *machine, u64 sequence)
{
	u32 i;

	if (!archive_has_id(machine))
		return;
	for (i = 0; i < *count; i++)
		if (!memcmp(known[i].machine.id, machine->id, ARCHIVE_ID))
			break;
	if (i < *count && sequence < known[i].sequence)
		return;
	known[i].machine = *machine;
	known[i].sequence = sequence;
	*count += i == *count;
}

/*
 * Find the machine that a file states, with its newest name. If the file states no ID, the machine is the only known
 * one with the stated name.
 */
static void settle_machine(const struct known *known, u32 count, const struct archive_machine *stated,
			   struct archive_machine *machine)
{
	const struct archive_machine *found = NULL;
	u32 i;

	*machine = *stated;
	for (i = 0; i < count; i++) {
		if (!archive_is_machine(stated, &known[i].machine))
			continue;
		if (found)
			return;
		found = &known[i].machine;
	}
	if (found)
		*machine = *found;
}

int archive_identify(struct archive *archive, struct archive_machine *recorder)
{
	struct known *known = calloc(archive->count + 1, sizeof(*known));
	const struct archive_header *header;
	u32 count = 0, i;

	if (!known)
		return -ENOMEM;
	for (i = 0; i < archive->count; i++) {
		header = &archive->files[i].header;
		learn_machine(known, &count, &header->machine, header->sequence);
	}
	if (recorder)
		learn_machine(known, &count, recorder, ~0ull);
	for (i = 0; i < archive->count; i++)
		settle_machine(known, count, &archive->files[i].header.machine, &archive->files[i].machine);
	if (recorder)
		settle_machine(known, count, recorder, recorder);
	settle_machine(known, count, &archive->machine, &archive->machine);
	free(known);
	return 0;
}

bool archive_same_boot(const struct archive_file *one, const struct archive_file *other)
{
	return !archive_machine_order(&one->machine, &other->machine) &&
	       !memcmp(one->header.boot, other->header.boot, ARCHIVE_BOOT);
}
