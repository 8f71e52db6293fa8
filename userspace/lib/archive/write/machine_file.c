// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The ID of this machine: see write.h. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "write.h"

#define ID_TEXT 37

void machine_file(char *name, size_t room, const struct archive_machine *machine, const char *suffix)
{
	char word[64];

	/* The ID comes first, since machines may have the same name. */
	if (archive_has_id(machine))
		archive_id_text(word, machine->id);
	else
		archive_name_word(word, sizeof(word), *machine->host ? machine->host : "unnamed");
	snprintf(name, room, ".%s.%s", word, suffix);
}

/* Makes a random ID and writes it into the file.  Return: whether the file has it. */
static bool put_random(int fd, struct archive_machine *machine)
{
	char text[ID_TEXT];

	if (getrandom(machine->id, ARCHIVE_ID, 0) != ARCHIVE_ID)
		return false;
	archive_id_text(text, machine->id);
	text[ID_TEXT - 1] = '\n';
	return pwrite(fd, text, ID_TEXT, 0) == ID_TEXT && !fdatasync(fd);
}

void machine_learn(int directory, struct archive_machine *machine)
{
	char name[128], text[ID_TEXT];
	int fd;

	if (archive_this_machine(machine) != -ENOENT)
		return;
	machine_file(name, sizeof(name), machine, "machine");
	fd = openat(directory, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (fd < 0)
		return;
	/* The lock is for recorders that begin at the same time: the first makes the ID, and the others read it. */
	if (lockf(fd, F_LOCK, 0) ||
	    ((archive_pread(fd, text, sizeof(text), 0) != ID_TEXT || !archive_id_get(machine->id, text, ID_TEXT - 1)) &&
	     !put_random(fd, machine)))
		memset(machine->id, 0, ARCHIVE_ID);
	close(fd);
}
