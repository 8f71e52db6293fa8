/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tags of processes (module/DESIGN.md, 2.2), which no log has.  Whoever goes on with a log finds those of its processes
 * in the records that are not in the log yet.
 */
#ifndef BCOSLOG_TAGS_H
#define BCOSLOG_TAGS_H

#include "core/raw/raw.h"

/* A record that tells the tag of a process. */
struct tag {
	u32 id;
	u32 tag;
	u64 time;			/* ns since boot */
	bool birth;			/* the tag is that of a new process with this ID */
};

/**
 * struct tags - what records tell of tags
 * @tag: by process, then by time, after tags_sort()
 * @count: of @tag
 * @doubt: births and deaths from then on may be missing among the records, ns since boot; ~0: none is
 */
struct tags {
	struct tag *tag;
	u32 count;
	u64 doubt;
};

/* Note that a process has the tag at a time.  Return: 0 or -ENOMEM. */
int tags_add(struct tags *tags, u32 id, u32 tag, u64 time, bool birth);

/* Note what a record tells, if it does. @time: of the record, ns since boot.  Return: 0 or -ENOMEM. */
int tags_note(struct tags *tags, const struct bcos_raw *raw, u64 time);

void tags_sort(struct tags *tags);
void tags_free(struct tags *tags);

/*
 * Return: the tag of the incarnation of a process that the log has, 0 if no record tells any, or one that no record has if
 * the records may be those of a later incarnation.
 */
u32 tags_find(const struct tags *tags, u32 process);

#endif
