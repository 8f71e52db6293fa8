/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LTT traces as one file: a folder in a tar archive that gzip has compressed. */
#ifndef CONVERT_LTT_TAR_FILE_H
#define CONVERT_LTT_TAR_FILE_H

#include "../convert.h"

/* Makes a folder for files that nobody else needs, in $TMPDIR or /tmp. Returns its path, to be freed, or NULL. */
char *ltt_folder_make(void);
/* Removes it with all that is in it. */
void ltt_folder_remove(char *folder);

/* Can archives be read and written here? It complains if they cannot. */
bool ltt_archive_available(void);

/* Are these the first bytes of such a file? */
bool ltt_archive_recognizes(const u8 *bytes, size_t size);

/*
 * Unpacks the files of a trace, and nothing else. Returns 0; -EBADMSG, after a complaint, if the archive is damaged,
 * with what could be read in the folder; or, after a complaint, another negative errno.
 */
int ltt_unpack(struct input *input, const char *name, const char *folder);

/*
 * Packs a folder, under this name, into a file, where ltt_archive_available(). Returns 0 or, after a complaint, a negative
 * errno.
 */
int ltt_pack(const char *folder, const char *name, struct outfile *file);

#endif
