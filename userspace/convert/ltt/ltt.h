/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The numbers of the LTT trace format, and the events of a trace that is made from a log.
 *
 * A trace is a folder. Each file in cpu/ and control/ is a sequence of blocks of one size. A block begins with a
 * block_start event and ends with a block_end event, whose offset stands in the last four bytes of the block. An event
 * is a 16-bit ID, a 32-bit time since the last time value (in block_start or time_heartbeat), and its fields without
 * padding. XML files in eventdefs/ describe the fields of each event. The facility_load events in control/facilities
 * say at which ID each facility begins.
 */
#ifndef CONVERT_LTT_LTT_H
#define CONVERT_LTT_LTT_H

#include "core/format/entry.h"

#include "../convert.h"

/* The builtin facility, whose IDs begin at 0. */
enum ltt_builtin {
	LTT_FACILITY_LOAD,
	LTT_BLOCK_START,
	LTT_BLOCK_END,
	LTT_TIME_HEARTBEAT,
	LTT_BUILTINS,
};

/* Bytes of the ID and time of an event. */
#define LTT_HEADER 6
/* Bytes of the fields of time_heartbeat: seconds, nanoseconds, cycle counter. */
#define LTT_TIME 16
/*
 * Bytes of the fields of block_start and block_end as bcoslog writes them: a time value, and a block ID of four bytes.
 */
#define LTT_BLOCK_TIME (LTT_TIME + 4)

/* Facility core as bcoslog writes it: the two events of the control files, and the events of a scheduler. */
enum ltt_core {
	LTT_CORE = LTT_BUILTINS,
	LTT_INTERRUPT = LTT_CORE,
	LTT_PROCESS,
	LTT_SCHEDULE,
	LTT_PROCESS_NAME,
	LTT_PROCESS_END,
	LTT_CORE_END,
};

/* Facility bcos: everything else that a log says. */
enum ltt_bcos {
	LTT_BCOS = LTT_CORE_END,
	LTT_STATE_PROCESS = LTT_BCOS,
	LTT_STATE_CORE,
	LTT_STATE_CPU,
	LTT_STATE_ASSIGN,
	LTT_STATE_DEVICE,
	LTT_KERNEL_CALL,
	LTT_GENERIC_PROCESS,
	LTT_GENERIC_CORE,
	LTT_GENERIC_CPU,
	LTT_GENERIC_DEVICE,
	LTT_CORE_ONLINE,
	LTT_CORE_OFFLINE,
	LTT_CPU_ONLINE,
	LTT_CPU_OFFLINE,
	LTT_DEVICE_NAME,
	LTT_DEVICE_END,
	LTT_DEVICE_INPUT,
	LTT_DEVICE_OUTPUT,
	LTT_IRQ,
	LTT_BCOS_END,
};

/* States of a process in control/processes. */
enum ltt_state {
	LTT_RUNNING,
	LTT_WAIT_INTERRUPTIBLE,
	LTT_WAIT_UNINTERRUPTIBLE,
	LTT_ZOMBIE,
};

/* The descriptions of facility builtin, as far as readers need it, and of the two facilities that bcoslog writes. */
extern const char ltt_builtin_xml[], ltt_core_xml[];
const char *ltt_bcos_xml(void);

/**
 * struct ltt_event - the event of a type of entries
 * @id: its number, in enum ltt_core or enum ltt_bcos
 * @name: its name; NULL for an event of facility core
 * @description: a sentence for people; NULL likewise
 *
 * The fields of an event of facility bcos are the time since which a historical entry holds, the number of the entry in
 * the log, the precision, the source, and those of the type.
 */
struct ltt_event {
	u16 id;
	const char *name, *description;
};

/* The events, in the order of bcos_types. */
extern const struct ltt_event ltt_events[BCOS_TYPES];

/* Returns the type of the entries that become an event, or NULL. */
const struct bcos_type *ltt_type_of(u32 id);

/* Returns a checksum of the description of a facility. It is never 0. */
u32 ltt_checksum(const char *text, size_t length);

/* LTT traces as one file: a folder in a tar archive that is compressed with gzip. */

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
