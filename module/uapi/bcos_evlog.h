/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * The ABI of bcos_evlog: the entries of the BCOS event log, and /dev/bcos_evlog. Numbers in
 * parentheses are chapters and sections of the BCOS event log specification.
 *
 * The format in brief: a log is a sequence of entries in chronological order, without a file
 * header. All numbers are little endian. The size of every entry is a multiple of 4 bytes. Every
 * entry begins with struct bcos_entry:
 *
 *	0x00	u16	size		of the whole entry, in bytes
 *	0x02	u16	type		bit 15 historical, bits 13-14 subject
 *	0x04	u32	source		process, core, CPU or device ID
 *	0x08	u64	time		ns since boot, the earliest possible
 *	0x10	u32	precision	ns from the earliest to the latest possible time
 *
 * The type determines what follows; the structures below are the whole list. An entry without list
 * or string is exactly as large as its structure. A list ends with the entry and is never padded. A
 * string is UTF-8, ends with the entry or at the first zero byte, and is padded with zeros to a
 * multiple of 4.
 *
 * Historical entries (bit 15) re-state what newer entries depend on. The oldest entry of a log
 * starts a group of them: cores, CPUs, processes, devices, assignments. From a historical entry a
 * reader learns what it does not yet know; it ignores the rest.
 */
#ifndef BCOS_EVLOG_UAPI_H
#define BCOS_EVLOG_UAPI_H

#if defined(__linux__) || defined(__KERNEL__) || defined(__bpf__)
#include <linux/ioctl.h>
#include <linux/types.h>
#else
/* Other systems only read logs, and nothing there expands the macros of the ioctls. */
#include <stdint.h>

typedef uint8_t __u8;
typedef uint16_t __u16;
typedef uint32_t __u32;
typedef uint64_t __u64;
typedef int32_t __s32;
typedef int64_t __s64;
#endif

/*
 * This changes only if an old program and a new module, or the reverse, would misunderstand each
 * other.
 */
#define BCOS_ABI_VERSION	1

#define BCOS_DEVICE_PATH	"/dev/bcos_evlog"

/*
 * Every structure of an entry has this attribute: with natural alignment the header would have 24
 * bytes, not 20.
 */
#define BCOS_WIRE __attribute__((packed, aligned(4)))

/* ---- entry types (chapter 5) --------------------------------------------- */

#define BCOS_TYPE_HISTORICAL		0x8000
#define BCOS_TYPE_SUBJECT_MASK		0x6000
#define BCOS_SUBJECT_PROCESS		0x0000
#define BCOS_SUBJECT_CORE		0x2000
#define BCOS_SUBJECT_CPU		0x4000
#define BCOS_SUBJECT_DEVICE		0x6000

#define BCOS_SET_PROCESS_NAME		0x0000
#define BCOS_CANCEL_PROCESS_NAME	0x0001
#define BCOS_GENERIC_PROCESS		0x0010
#define BCOS_KERNEL_API			0x0011
#define BCOS_CORE_ONLINE		0x2000
#define BCOS_CORE_OFFLINE		0x2001
#define BCOS_GENERIC_CORE		0x2010
#define BCOS_CPU_ONLINE			0x4000
#define BCOS_CPU_OFFLINE		0x4001
#define BCOS_ASSIGN_CPU			0x4002
#define BCOS_GENERIC_CPU		0x4010
#define BCOS_SET_DEVICE_NAME		0x6000
#define BCOS_CANCEL_DEVICE_NAME		0x6001
#define BCOS_DEVICE_INPUT		0x6002
#define BCOS_DEVICE_OUTPUT		0x6003
#define BCOS_GENERIC_DEVICE		0x6010
#define BCOS_IRQ			0x6011
#define BCOS_HIST_SET_PROCESS_NAME	0x8000
#define BCOS_HIST_CORE_ONLINE		0xA000
#define BCOS_HIST_CPU_ONLINE		0xC000
#define BCOS_HIST_ASSIGN_CPU		0xC002
#define BCOS_HIST_SET_DEVICE_NAME	0xE000

/* ---- IDs ----------------------------------------------------------------- */

#define BCOS_PROCESS_KERNEL		0x00000000u
#define BCOS_PROCESS_IDLE		0xFFFFFFFFu	/* only in Assign CPU */

/* Core ID: (package << 16) | core. CPU ID: the logical CPU number. */
#define BCOS_CORE_ID(package, core)	\
	((((__u32)(package) & 0xFFFFu) << 16) | ((__u32)(core) & 0xFFFFu))

/* The first ID of each device ID range (table 4-3). */
#define BCOS_DEVICE_STORAGE		0x00000000u
#define BCOS_DEVICE_NETWORK		0x40000000u
#define BCOS_DEVICE_USER_IO		0x80000000u
#define BCOS_DEVICE_OTHER		0xC0000000u
/* The log itself as a device, named "bcos_evlog". */
#define BCOS_DEVICE_SELF		0xC0000000u

/*
 * Termination status (5.2.1): an exit code, BCOS_STATUS_UNKNOWN, or one of the others plus the
 * number of a signal. BCOS_STATUS_UNKNOWN means that the process or device ended, and that its end
 * was seen without its status, or noticed later. Exit codes of Linux are below 256.
 */
#define BCOS_STATUS_UNKNOWN		0x7FFFFFFFu
#define BCOS_STATUS_OWNER		0x80000000u	/* user space sent the signal */
#define BCOS_STATUS_KERNEL		0xC0000000u	/* the kernel sent it: fault, OOM, timer */

/* Event IDs (5.7.1, 5.11.1, 5.16.1). Events of cores, CPUs and devices have these: */
#define BCOS_EVENT_UNSPECIFIED		0x00000000u
#define BCOS_EVENT_OWN			0x80000000u	/* 0 and IDs with this bit are allowed */
#define BCOS_EVENT_LOSS			0x80000001u	/* Generic CPU: records were lost */
#define BCOS_EVENT_MISSED		0x80000002u	/* Generic Device: reader was overtaken */
#define BCOS_EVENT_MASK			0x80000003u	/* Generic CPU: the class mask changed */
#define BCOS_EVENT_IDLE			0x80000006u	/* Generic CPU: idle time, what ended it */
/* Generic Device, of the log itself, by the recorder: quota and stalls of a control group. */
#define BCOS_EVENT_PRESSURE		0x80000007u
/* Events of processes have these: */
#define BCOS_EVENT_OOM_VICTIM		0xC0000001u	/* chosen by the out-of-memory killer */
#define BCOS_EVENT_REFUSED		0xC0000002u	/* events above the rate limit of a user */
#define BCOS_EVENT_TASK_STATE		0xC0000003u	/* a thread runs, blocks, is woken, dies */
#define BCOS_EVENT_KILLED		0xC0000004u	/* who sent the deadly signal */
#define BCOS_EVENT_PARENT		0xC0000005u	/* the parent of a new process */
#define BCOS_EVENT_EXEC			0xC0000006u	/* user, path, cgroup and arguments */
#define BCOS_EVENT_ENDED		0xC0000007u	/* kernel: how the machine ended */
/* Those of threads. bcoslog(5) has the digits of their texts; older logs have TASK_STATE. */
#define BCOS_EVENT_THREAD_LEFT		0xC0000008u	/* a thread left its CPU: how, and where */
#define BCOS_EVENT_THREAD_RUNS		0xC0000009u	/* a thread runs; who woke it, and when */
#define BCOS_EVENT_THREAD_WOKEN		0xC000000Au	/* a thread was woken, and has no CPU yet */
#define BCOS_EVENT_THREAD_NAME		0xC000000Bu	/* the name of a thread that is no leader */
#define BCOS_EVENT_CGROUP		0xC000000Cu	/* the control group of a process */
#define BCOS_EVENT_REQUEST		0xC0000020u	/* a request of a disk has completed */
/*
 * These are statements of the log about itself, of process 0, after each group and when they
 * change:
 */
#define BCOS_EVENT_CLOCK		0xC0000010u	/* "wall clock SECONDS.NNNNNNNNN", UTC */
#define BCOS_EVENT_BOOT			0xC0000011u	/* "boot UUID" */
#define BCOS_EVENT_HOST			0xC0000012u	/* "host NAME" */
#define BCOS_EVENT_KERNEL		0xC0000013u	/* "kernel RELEASE ARCHITECTURE" */
#define BCOS_EVENT_VERSION		0xC0000014u	/* "bcos_evlog VERSION module", or "bpf" */

/*
 * The texts of KILLED, PARENT and EXEC, for programs as well as people (bcoslog(5) has more):
 *
 *	signal N code N from kernel
 *	signal N code N from process N user N "NAME"
 *	parent N "NAME"
 *	user N path "PATH" cgroup "PATH" arguments "ARGUMENT" "ARGUMENT" ...
 *
 * A name ends with the text. An unknown item is left out together with its word. In paths and
 * arguments a backslash precedes each quote and backslash. "..." follows a string that was cut.
 */

/*
 * The text of CGROUP, after each group and when a process begins in another control group than its
 * parent, or moves:
 *
 *	cgroup "PATH"
 *	cgroup cpu "PATH"
 *	cgroup "PATH" read
 *
 * "cpu": in the hierarchy of version 1 that has the controller cpu. "read": it is what the log
 * writer read at some time from the entry's time on, up to its precision later. "..." follows a
 * path that lacks its beginning. Each process begins in the control group that its parent is in for
 * certain, unless its own event follows that of its parent; else its group is unknown. A loss of
 * births and deaths may be that of a move, so after that the groups of all processes are unknown,
 * and what is told before the loss has ended holds for its moment alone.
 */

/*
 * The text of REQUEST, for programs; the source is the process that issued the request, or the
 * kernel (bcoslog(5) has more):
 *
 *	W s 0 4096 @ 123456 1203 + 84123	(without the spaces between letters and numbers)
 *
 * that is operation, flags, device ID, bytes, first sector, ns in the queue, ns on the device.
 */

/*
 * A message of numbers, as in event loggers of embedded systems, is a Generic Process event with
 * the ID BCOS_EVENT_MESSAGE | the message's ID. Its text is the words, 8 hexadecimal digits each,
 * separated by spaces; or BCOS_MESSAGE_TIMED if the only word is the time.
 */
#define BCOS_EVENT_MESSAGE		0x80000000u
#define BCOS_MESSAGE_ID_MIN		7u
#define BCOS_MESSAGE_ID_MAX		0x3FFFFFFFu
#define BCOS_MESSAGE_WORDS_MAX		113
#define BCOS_MESSAGE_TIMED		"time"

/* Severity (5.3.2): the first value of each range. */
#define BCOS_SEVERITY_DEBUG		0x00
#define BCOS_SEVERITY_INFO		0x40
#define BCOS_SEVERITY_ERROR		0x80
#define BCOS_SEVERITY_CRITICAL		0xC0

/* ---- entries ------------------------------------------------------------- */

struct bcos_entry {
	__u16 size;
	__u16 type;
	__u32 source;
	__u64 time;
	__u32 precision;
} BCOS_WIRE;

#define BCOS_ENTRY_MIN	20
#define BCOS_ENTRY_MAX	65535

/* 0x0000, 0x8000 */
struct bcos_process_name {
	struct bcos_entry header;
	char name[];
} BCOS_WIRE;

/* 0x0001, 0x6001 */
struct bcos_cancel_name {
	struct bcos_entry header;
	__u32 status;
} BCOS_WIRE;

/* 0x0010, 0x2010, 0x4010, 0x6010. The text starts at 0x19, inside the last word. */
struct bcos_generic {
	struct bcos_entry header;
	__u32 event_id;
	__u8 severity;
	char text[];
} BCOS_WIRE;

#define BCOS_GENERIC_TEXT	0x19

/*
 * BCOS_FUNCTION_COMPAT is set in the number of a call of the 32-bit ABI. BCOS_FUNCTION_NONE stands
 * for a number that is negative or above 0x7FFE.
 */
#define BCOS_FUNCTION_COMPAT	0x80000000u
#define BCOS_FUNCTION_NONE	0x7FFFFFFFu

/* 0x0011 */
struct bcos_kernel_api {
	struct bcos_entry header;
	__u32 function[];		/* function numbers, see BCOS_FUNCTION_* */
} BCOS_WIRE;

/*
 * 0x2000, 0xA000. Power is in units of 2 mW, 0: unknown. performance has one value for each CPU of
 * the core.
 */
struct bcos_core_online {
	struct bcos_entry header;
	__u16 idle_power;
	__u16 power_difference;
	__u32 performance[];
} BCOS_WIRE;

/* 0x4000, 0xC000 */
struct bcos_cpu_online {
	struct bcos_entry header;
	__u32 core;
} BCOS_WIRE;

/* 0x4002, 0xC002 */
struct bcos_assign_cpu {
	struct bcos_entry header;
	__u32 process;
} BCOS_WIRE;

/* 0x6000, 0xE000 */
struct bcos_device_name {
	struct bcos_entry header;
	__u32 driver;
	char name[];
} BCOS_WIRE;

/* 0x6002, 0x6003 */
struct bcos_device_io {
	struct bcos_entry header;
	__u32 bytes;
} BCOS_WIRE;

/* 0x6011 */
struct bcos_irq {
	struct bcos_entry header;
	__u32 number;
} BCOS_WIRE;

/* 0x2001 and 0x4001 are only a struct bcos_entry. */

/* ---- classes ------------------------------------------------------------- */

/* Classes of entries that can be turned off and on; names and CPUs cannot. */
#define BCOS_CLASS_ASSIGN	(1u << 0)
#define BCOS_CLASS_IRQ		(1u << 1)
#define BCOS_CLASS_USER		(1u << 2)
#define BCOS_CLASS_KMSG		(1u << 3)
#define BCOS_CLASS_IO		(1u << 4)
#define BCOS_CLASS_API		(1u << 5)
#define BCOS_CLASS_KERNEL_TIME	(1u << 6)
#define BCOS_CLASS_IDLE		(1u << 7)
#define BCOS_CLASS_STATE	(1u << 8)
#define BCOS_CLASS_WHO		(1u << 9)
#define BCOS_CLASS_EXEC		(1u << 10)
#define BCOS_CLASS_REQUEST	(1u << 11)
#define BCOS_CLASS_ALL		0x00000FFFu
#define BCOS_CLASS_DEFAULT	0x0000021Fu
/* Wherever a mask is set, this value is allowed, too, and means BCOS_CLASS_ALL. */
#define BCOS_CLASS_EVERY	0xFFFFFFFFu

/* ---- ioctls -------------------------------------------------------------- */

/*
 * Each ioctl has a structure whose size is part of the command. EINVAL: the structure is smaller
 * than its first version, or a flag is unknown, or a reserved field is not zero. E2BIG: the
 * structure is larger than that of the kernel, and the rest is not zero. ENOTTY: the command is
 * unknown.
 */
#define BCOS_IOC_MAGIC		0xBC

/* Reasons for lost records; these are indexes into bcos_status.lost. */
#define BCOS_LOST_STAGING	0	/* the CPU's staging ring was full */
#define BCOS_LOST_NESTED	1	/* while another event was recorded; BPF: no program ran */
#define BCOS_LOST_MEMORY	2	/* no memory for an object of the model */
#define BCOS_LOST_UNNAMED	3	/* unknown ID; a process is shown as the kernel */
#define BCOS_LOST_NMI		4	/* requested by a module in a non-maskable interrupt */
#define BCOS_LOST_LIMIT		5	/* above a limit, such as other_interfaces */
#define BCOS_LOST_SOURCE	6	/* the kernel overwrote or dropped it before it was read */
#define BCOS_LOST_REASONS	8

/* All counts begin when the module is loaded. Sizes are in bytes, times in ns since boot. */
struct bcos_status {
	__u32 flags;			/* in: 0; out: BCOS_STATUS_* */
	__u32 abi_version;
	char version[32];		/* of the module, padded with zeros */
	__u64 ring_size;
	__u64 head;			/* offset of the end: bytes ever written */
	__u64 oldest;			/* offset of the oldest entry */
	__u64 newest_group;		/* offset of the newest complete group */
	__u64 entries;			/* ever written, with historical ones */
	__u64 historical;		/* historical entries among them */
	__u64 groups;			/* groups of historical entries */
	__u64 compactions;		/* times that old entries were discarded */
	__u64 discarded_bytes;
	__u64 discarded_entries;
	__u64 group_bytes;		/* size of a complete group now */
	__u64 advised_ring;		/* ring size in which such a group is 1/4 of a zone */
	__u64 partial_groups;		/* groups that left processes or devices out */
	__u64 restated;			/* historical names written outside of groups */
	__u64 groups_over_1_zone;
	__u64 groups_over_3_zones;	/* groups that would be larger if complete */
	__u64 groups_over_4_zones;	/* groups that would be larger if complete */
	__u64 clamped;			/* times that the clock stepped back and was corrected */
	__u64 unnamed;			/* uses of an ID that the model lacked */
	__u64 lost[BCOS_LOST_REASONS];
	__u64 staging_bytes;		/* memory of the staging rings */
	__u64 memory;			/* all memory of the log: ring, staging, model, readers */
	__u64 last_time;		/* time of the newest entry */
	__u64 batches;			/* passes of the log writer */
	__u64 wakeups;			/* times that the log writer was woken */
	__u32 mask;			/* requested classes */
	__u32 active;			/* requested classes that this module records */
	__u32 processes;		/* live processes, as of the newest entry */
	__u32 cpus;
	__u32 cores;
	__u32 devices;
	__u32 readers;			/* open files, and collectors of other modules */
	__u32 staging_kb;		/* staging ring of each CPU in KiB */
};

#define BCOS_STATUS_PARTIAL	(1u << 0)	/* the newest group is incomplete: advised_ring */
#define BCOS_STATUS_TSC		(1u << 1)	/* events are stamped with the TSC */
#define BCOS_STATUS_ESTIMATED	(1u << 2)	/* a core's performance (5.5.2) is estimated */

/*
 * Acknowledges the compactions since the last such call on this file, or since the file was opened.
 * Other files do not notice it.
 */
struct bcos_compaction {
	__u32 flags;			/* in and out: 0 */
	__u32 reserved;
	__u64 count;			/* compactions since the last acknowledgement */
	__u64 bytes;			/* bytes that they discarded */
	__u64 entries;			/* entries that they discarded */
	__u64 time;			/* time of the latest compaction, 0 if there was none */
};

/*
 * POLLIN and a blocked read wait until this many bytes can be read: 1 to half the ring, default 1.
 */
struct bcos_watermark {
	__u32 flags;			/* 0 */
	__u32 bytes;
};

/* Clears classes, then sets classes. If both are 0, the call only queries. */
struct bcos_mask {
	__u32 flags;			/* 0 */
	__u32 clear;
	__u32 set;
	__u32 mask;			/* out: requested classes after the change */
	__u32 active;			/* out: those of them that this module records */
	__u32 reserved;
};

/* Merges all that happened before the call into the log. */
struct bcos_flush {
	__u32 flags;			/* 0 */
	__u32 reserved;
	__u64 head;			/* out: offset of the end after the merge */
};

#define BCOS_EVENT_TEXT_MAX	1024

/*
 * Writes a generic event (5.3, 5.7, 5.11, 5.16). An event of the caller has type
 * BCOS_GENERIC_PROCESS and source 0. An event of a core, CPU or device requires a file open for
 * writing and CAP_PERFMON. ENODEV: the log does not know the source. EINVAL: the event ID is
 * reserved, neither 0 nor with BCOS_EVENT_OWN.
 */
struct bcos_emit {
	__u32 flags;			/* 0 */
	__u16 type;			/* BCOS_GENERIC_* */
	__u8 severity;
	__u8 reserved;			/* 0 */
	__u32 source;
	__u32 event_id;
	__u32 length;			/* bytes of text */
	__u32 reserved2;		/* 0 */
	char text[BCOS_EVENT_TEXT_MAX];	/* UTF-8 without zero bytes, padded with zeros */
};

/*
 * Records classes for one process or device whatever the mask says. This requires a file open for
 * writing and CAP_PERFMON. A request for a device ends when the device goes; ENODEV: the log does
 * not know it. A request for a process stays until it is taken back, even for a later process with
 * the same ID. ENOENT: there was no such request. ENOSPC: there are 64 requests for processes.
 */
struct bcos_request {
	__u32 flags;			/* 0 */
	__u32 classes;			/* BCOS_CLASS_API of a process, or _IO, _IRQ of a device */
	__u32 source;			/* ID in the initial PID namespace, or of the device */
	__u32 on;			/* 1: record; 0: take the request back */
};

#define BCOS_IOC_STATUS		_IOWR(BCOS_IOC_MAGIC, 0, struct bcos_status)
#define BCOS_IOC_COMPACTION	_IOWR(BCOS_IOC_MAGIC, 1, struct bcos_compaction)
#define BCOS_IOC_WATERMARK	_IOW(BCOS_IOC_MAGIC, 2, struct bcos_watermark)
#define BCOS_IOC_FLUSH		_IOWR(BCOS_IOC_MAGIC, 3, struct bcos_flush)
#define BCOS_IOC_MASK		_IOWR(BCOS_IOC_MAGIC, 4, struct bcos_mask)
#define BCOS_IOC_EMIT		_IOW(BCOS_IOC_MAGIC, 5, struct bcos_emit)
#define BCOS_IOC_REQUEST	_IOW(BCOS_IOC_MAGIC, 6, struct bcos_request)

/* ---- mapping ------------------------------------------------------------- */

/*
 * The device can be mapped read-only from offset 0. The first page has struct bcos_control. The
 * ring begins at bcos_control.data; it has ring_size bytes and is mapped twice in a row, so that no
 * entry is cut at the ring's end. Offset N of the log is at data + N % ring_size. To read:
 *
 *	do {
 *		g = load-acquire generation
 *		m = marks[g & 1]
 *		read barrier
 *	} while (generation != g)
 *	copy from an offset in [m.oldest.offset, m.head.offset) on
 *	read barrier
 *	read m again: the copy is valid if m.oldest.offset has not passed
 *	the beginning of the copy; else start again at m.oldest.offset
 *
 * A log read from oldest or from group on explains itself. The mapping shows what is merged;
 * BCOS_IOC_FLUSH merges everything that has happened.
 */

/* A place in the log. */
struct bcos_mark {
	__u64 offset;			/* in bytes, since the log began */
	__u64 entry;			/* entries before this place, since the log began */
};

/* A consistent set of marks for readers. */
struct bcos_marks {
	struct bcos_mark oldest;	/* start of a complete group */
	struct bcos_mark group;		/* start of the newest complete group */
	struct bcos_mark head;		/* end of the newest entry */
	__u64 compactions;		/* times that old entries were discarded */
	__u64 compaction_time;		/* time of the latest compaction, 0 if none */
	__u64 last_time;		/* time of the newest entry that is not historical */
	__u64 lost;			/* events lost for any reason */
};

struct bcos_control {
	__u32 abi_version;
	__u32 size;			/* of this structure; later versions only append fields */
	__u64 data;			/* offset of the ring in the mapping */
	__u64 ring_size;		/* a power of two */
	__u32 generation;		/* marks[generation & 1] is valid */
	__u32 reserved;			/* 0 */
	struct bcos_marks marks[2];
};

#endif /* BCOS_EVLOG_UAPI_H */
