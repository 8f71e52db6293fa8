/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LTT traces as one file: a folder in a tar archive that is compressed with gzip. */
#ifndef CONVERT_LTT_TAR_FILE_H
#define CONVERT_LTT_TAR_FILE_H

#include "../convert.h"

/* Makes a new temporary folder in $TMPDIR or /tmp. Returns its path, which the caller frees, or NULL. */
char *ltt_folder_make(void);
/* Removes the folder with everything in it, and frees the path. */
void ltt_folder_remove(char *folder);

/* Are these the first bytes of an archive of an LTT trace? */
bool ltt_archive_recognizes(const u8 *bytes, size_t size);

/*
 * Unpacks the files of a trace into @folder, and no other files. Returns 0; after a complaint, -EBADMSG if the archive
 * is damaged, where @folder holds what could be read; or, after a complaint, another negative errno.
 */
int ltt_unpack(struct input *input, const char *name, const char *folder);

/*
 * Packs a folder into an archive, in which it has the name @name, and the log that @export carries. Returns 0 or, after a
 * complaint, a negative errno.
 */
int ltt_pack(struct export *export, const char *folder, const char *name);

#endif
