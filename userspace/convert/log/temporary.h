/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where conversions put what does not fit into memory. */
#ifndef CONVERT_TEMPORARY_H
#define CONVERT_TEMPORARY_H

/* Returns the folder for files that are not beside an output: $TMPDIR or /tmp. */
const char *temporary_folder(void);

/*
 * Returns the folder of @output, where there has to be room in any case, or temporary_folder() if @output is standard output
 * or no file of a disk. The caller frees it. NULL: there is no memory.
 */
char *temporary_beside(const char *output);

/* Opens a file without a name in @folder, to write and to read. Returns its descriptor or a negative errno. */
int temporary_file(const char *folder);

/* Removes a folder with all that is in it. */
void temporary_remove(const char *folder);

#endif
