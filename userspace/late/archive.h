/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* libarchive: see late.h. */
#ifndef USERSPACE_LATE_ARCHIVE_H
#define USERSPACE_LATE_ARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

#include "late.h"

#define LATE_ARCHIVE_FUNCTIONS(_) \
	_(archive_entry_filetype) _(archive_entry_free) _(archive_entry_hardlink) _(archive_entry_new) \
	_(archive_entry_pathname) _(archive_entry_set_filetype) _(archive_entry_set_mtime) \
	_(archive_entry_set_pathname) _(archive_entry_set_perm) _(archive_entry_set_size) _(archive_entry_size) \
	_(archive_error_string) _(archive_read_data_block) _(archive_read_free) _(archive_read_new) \
	_(archive_read_next_header) _(archive_read_open2) _(archive_read_open_memory) \
	_(archive_read_support_filter_gzip) _(archive_read_support_format_tar) _(archive_set_error) \
	_(archive_write_add_filter_gzip) _(archive_write_close) _(archive_write_data) _(archive_write_free) \
	_(archive_write_header) _(archive_write_new) _(archive_write_open) _(archive_write_set_bytes_in_last_block) \
	_(archive_write_set_format_pax_restricted)
LATE_DECLARE(late_archive, LATE_ARCHIVE_FUNCTIONS);

#endif
