/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Temporary files for data that does not fit into memory. */
#ifndef BCOSLOG_HOST_TEMPORARY_H
#define BCOSLOG_HOST_TEMPORARY_H

/* Returns the folder for temporary files that are not beside an output: $TMPDIR or /tmp. */
const char *temporary_folder(void);

/*
 * Returns the folder of @output, which needs room for the output in any case, or temporary_folder() if @output is
 * standard output or no regular file. The caller frees the result. NULL: there is no memory.
 */
char *temporary_beside(const char *output);

/* Opens a file without a name in @folder for reading and writing. Returns its descriptor or a negative errno. */
int temporary_file(const char *folder);

/* Removes a folder with everything in it. */
void temporary_remove(const char *folder);

#endif
