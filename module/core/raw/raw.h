/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A raw record holds what a capture engine knows at the moment of an event. It is all that passes
 * from an engine to the log writer. It never leaves the machine and is no ABI.
 *
 * A record has one to BCOS_RAW_UNITS_MAX units of 16 bytes. The first is struct bcos_raw; the kind
 * determines the others. "life" stands for struct bcos_raw_life, and so on; parentheses name the
 * field that is used, or say what it holds:
 *
 *	kind		id		aux		units after the first
 *	SWITCH		next process	-		-
 *	ASSIGN		process		-		event (precision alone)
 *	IRQ		line		action's tag	-
 *	IRQ_NAME	line|SHARED	action's tag	2: char name[32], 2: char bus[32]
 *	BIRTH, HELPER	process		RAW_PARENT	life (status: the parent), name[16]
 *	EXEC, RENAME	process		-		life, name[16]
 *	PROGRAM		process		RAW_*_CUT	program, path, cgroup, arguments
 *	EXIT		process		RAW_FINAL	life
 *	DEAD		process		-		life
 *	SIGNAL		process		number|RAW_USER	nothing, or: life (status: code), sender
 *	VICTIM		process		-		-
 *	CPU_DOWN	CPU		-		-
 *	EVENT		subject's ID	RAW_ABOUT	event, text
 *	KMSG		0		RAW_ABOUT	event, text
 *	MESSAGE		process		RAW_ABOUT	event, words
 *	DEVICE		namespace	RAW_FOUND ...	event (driver), device, names
 *	DEVICE_GONE	-		RAW_SURPRISE	device
 *	LINK		-		1 up, 0 down	device
 *	INPUT, OUTPUT	namespace	RAW_ELSEWHERE	device (bytes)
 *	FAULT		bytes		RAW_FAULTY	device (sector)
 *	API		process		number|RAW_COMPAT -
 *	IDLE		state, RAW_AWAKE -		-
 *	STATE		process		state|RAW_*	thread
 *	LIMITS		CPU		-		limits
 *	CHECK		CPU, any number	-		check, of two units
 *	REQUEST_START	process		BCOS_REQUEST_*	request_start
 *	REQUEST_ISSUE	request, low	request, high	-
 *	REQUEST_END	device numbers	RAW_RESULT	request_end
 *	THREAD		process		-		life (status: the thread), name[16]
 *	CGROUP		process		RAW_CGROUP_*	event (tag alone), path
 */
#ifndef BCOS_CORE_RAW_H
#define BCOS_CORE_RAW_H

#include "core/host/host.h"

enum bcos_raw_kind {
	BCOS_RAW_SWITCH = 1,	/* this CPU runs another process from now on */
	BCOS_RAW_IRQ,		/* an interrupt handler is about to run */
	BCOS_RAW_IRQ_NAME,	/* like IRQ, the first time on this CPU: has the handler's name */
	BCOS_RAW_BIRTH,		/* a thread group begins */
	BCOS_RAW_HELPER,	/* like BIRTH, but a user-mode helper: the kernel until it execs */
	BCOS_RAW_EXEC,
	BCOS_RAW_RENAME,	/* of the group's leader */
	BCOS_RAW_EXIT,		/* the group's last thread exits; the status is final */
	BCOS_RAW_DEAD,		/* a thread's last switch; the group has no thread left */
	BCOS_RAW_SIGNAL,	/* a signal was delivered to the group */
	BCOS_RAW_VICTIM,	/* the OOM killer chose the process */
	BCOS_RAW_CPU_DOWN,	/* a CPU went offline; another CPU stages this */
	BCOS_RAW_EVENT,		/* a generic event that a program or the kernel asked for */
	BCOS_RAW_KMSG,		/* like EVENT: a kernel log line, of no CPU (merge.h) */
	BCOS_RAW_MESSAGE,	/* like EVENT, with numbers instead of text */
	BCOS_RAW_DEVICE,	/* a device appeared or was renamed */
	BCOS_RAW_DEVICE_GONE,
	BCOS_RAW_LINK,		/* a network link went up or down */
	BCOS_RAW_INPUT,		/* bytes came from a device */
	BCOS_RAW_OUTPUT,	/* bytes went to a device */
	BCOS_RAW_FAULT,		/* a transfer failed */
	BCOS_RAW_API,		/* a process called the kernel */
	BCOS_RAW_IDLE,		/* this CPU enters or leaves an idle state */
	BCOS_RAW_STATE,		/* a thread's state changed: blocked, woken ... */
	BCOS_RAW_LIMITS,	/* a CPU's frequency limits changed */
	BCOS_RAW_CHECK,		/* an x86 machine check */
	BCOS_RAW_PROGRAM,	/* after EXEC: path, arguments, user and cgroup */
	BCOS_RAW_ASSIGN,	/* like SWITCH, but nobody saw when: at this time or later */
	BCOS_RAW_REQUEST_START,	/* a task asks a disk for something */
	BCOS_RAW_REQUEST_ISSUE,	/* the disk gets the request */
	BCOS_RAW_REQUEST_END,	/* the request, or a part of it, has completed */
	BCOS_RAW_THREAD,	/* a thread that is no leader begins, or gets another name */
	BCOS_RAW_CGROUP,	/* a process is in another control group from now on */
	BCOS_RAW_KINDS
};

/* This bit in a time says: ticks of the machine's counter, not ns since boot (timebase.h). */
#define BCOS_RAW_TICKS (1ull << 63)

struct bcos_raw {
	u64 time;	/* bit 63 tells the clock */
	u8 kind;
	u8 units;	/* number of units, including this one */
	u16 aux;
	u32 id;
};

/*
 * The tag tells incarnations of an ID apart. It is made of bits of task->signal and never logged.
 */
struct bcos_raw_life {
	u32 tag;
	u32 status;	/* EXIT, DEAD: as wait(2) reports it; others: see the table above */
	u64 reserved;
};

/* SIGNAL: the process that was running where the signal was sent, if the class "who" is on. */
struct bcos_raw_sender {
	u32 id;
	u32 tag;
	u32 user;
	u32 reserved;
};

/*
 * PROGRAM: the first @path bytes after this unit are the path, the next @cgroup bytes are the
 * cgroup, and the rest of @length is the arguments. Each argument ends with a zero byte, except a
 * last one that is cut. @length is at the same offset as in struct bcos_raw_event.
 */
struct bcos_raw_program {
	u32 user;
	u32 tag;
	u16 length;	/* bytes, at most BCOS_RAW_TEXT */
	u16 path;
	u16 cgroup;	/* 0: unknown */
	u16 reserved;
};

#define BCOS_RAW_PATH_CUT	1	/* PROGRAM: only the beginning of the path is stored */
#define BCOS_RAW_CGROUP_CUT	2	/* only a part of the cgroup's path is stored */
#define BCOS_RAW_ARGUMENTS_CUT	4	/* some arguments are left out */
#define BCOS_RAW_SECRET		8	/* the arguments are withheld */
#define BCOS_RAW_CGROUP_CPU	16	/* CGROUP: of version 1's hierarchy of the controller cpu */
#define BCOS_RAW_PATH_MAX	255	/* bytes of a path, or of a cgroup's path, in a record */

struct bcos_unit {
	u64 word[2];
};

/*
 * EVENT, KMSG, MESSAGE, CGROUP: text, words or the path of @length bytes follow, padded with zeros
 * to whole units.
 */
struct bcos_raw_event {
	u32 event_id;
	u32 tag;	/* process: its tag, 0: any; device: upper half of its key, id the lower */
	u16 length;	/* bytes, at most BCOS_RAW_TEXT */
	u16 reserved;
	u32 precision;	/* ns: how much later than its time the event may have been */
};

/*
 * Identifies a device. The two upper bits of the key are the range of the device's ID. The bits
 * below are unique among the devices that exist at the same time.
 */
struct bcos_raw_device {
	u64 key;
	/*
	 * INPUT, OUTPUT: bytes; FAULT: sector; DEVICE_GONE, LINK: ns, how much later than its time
	 * the event may have been
	 */
	u64 amount;
};

#define BCOS_RAW_KEY(range, what)	((u64)(range) << 32 | ((u64)(what) & ~0ull >> 2))
/* Both engines identify a disk by its device numbers, since uevents have nothing else. */
#define BCOS_RAW_DISK(major, minor)	\
	BCOS_RAW_KEY(BCOS_DEVICE_STORAGE, (u64)((major) & 0xFFF) << 32 | (u32)(minor))
#define BCOS_RAW_RANGE(key)		((u32)((key) >> 32) & 0xC0000000u)

/*
 * DEVICE: event_id is the process ID of the driver. The text is struct bcos_raw_device, then the
 * device's name, then the names of its ancestors on the bus, nearest first. Each name ends with a
 * zero byte.
 */
#define BCOS_RAW_DEVICE_TEXT	240	/* bytes for all names */
#define BCOS_RAW_FOUND		1	/* the device existed before recording began */
#define BCOS_RAW_KNOWN		4	/* only a new name: another record announces it */
/* The device is in another network namespace, with the number in id; also for INPUT, OUTPUT. */
#define BCOS_RAW_ELSEWHERE	2
#define BCOS_RAW_SURPRISE	1	/* surprise removal */

/* FAULT: aux holds the operation that failed and the errno. */
#define BCOS_RAW_FAULTY(operation, error)	((u16)((operation) | (error) << 3))
#define BCOS_RAW_OPERATION(aux)			((aux) & 7)
#define BCOS_RAW_ERROR(aux)			((aux) >> 3)

enum bcos_operation {
	BCOS_OPERATION_READ,
	BCOS_OPERATION_WRITE,
	BCOS_OPERATION_FLUSH,
	BCOS_OPERATION_DISCARD,
	BCOS_OPERATION_OTHER,
	BCOS_OPERATIONS
};

/*
 * A request is known by 48 bits of the address of its structure, or of its first bio where the
 * kernel tells of no more when a task asks. An address is that of an object of at least 8 bytes.
 */
#define BCOS_RAW_REQUEST(address)	((u64)(address) >> 3 & (~0ull >> 16))

struct bcos_raw_request_start {
	u32 request_low;
	u16 request_high;
	u16 reserved;
	u32 thread;
	u32 whose;	/* the process's tag; of a kernel thread: the cgroup that pays, or 0 */
};

struct bcos_raw_request_end {
	u32 request_low;
	u16 request_high;
	u16 sector_high;
	u32 sector_low;
	u32 bytes;
};

static inline u64 bcos_raw_request(u32 low, u16 high)
{
	return (u64)high << 32 | low;
}

/* REQUEST_END: id has the device numbers as the kernel joins them. */
#define BCOS_RAW_NUMBERS(major, minor)	((u32)(major) << 20 | ((u32)(minor) & 0xFFFFF))
/* REQUEST_END: aux has an operation, BCOS_REQUEST_* and the errno. */
#define BCOS_RAW_RESULT(operation, flags, error)	\
	((u16)((operation) | (flags) | ((error) < 127 ? (error) : 127) << 9))
#define BCOS_RAW_RESULT_ERROR(aux)	((aux) >> 9)

/* Flags of a request, above the three bits of its operation. */
enum bcos_request_flag {
	BCOS_REQUEST_SYNC = 1 << 3,	/* somebody waits for it */
	BCOS_REQUEST_META = 1 << 4,	/* data of the file system about files */
	BCOS_REQUEST_FUA = 1 << 5,	/* it completes only once the data are on the medium */
	BCOS_REQUEST_PREFLUSH = 1 << 6,	/* the device writes its cache back before */
	BCOS_REQUEST_AHEAD = 1 << 7,	/* nobody has asked for the data yet */
	BCOS_REQUEST_PART = 1 << 8,	/* REQUEST_END: other parts follow */
	BCOS_REQUEST_FLAGS = 0x1F8,
};

#define BCOS_RAW_AWAKE		0xFFFFFFFFu

/* The numbers are those of enum bcos_state. */
enum bcos_task_state {
	BCOS_TASK_RUNS,			/* the CPU of the record switches to it */
	BCOS_TASK_BLOCKED,		/* waits; signals wake it */
	BCOS_TASK_BLOCKED_HARD,		/* waits; signals do not wake it */
	BCOS_TASK_WOKEN,
	BCOS_TASK_STOPPED,		/* by a signal or a tracer */
	BCOS_TASK_DEAD,
	BCOS_TASK_TRACED,		/* like STOPPED, by a tracer */
	BCOS_TASK_FROZEN,		/* like STOPPED, by the freezer */
	BCOS_TASK_HELD_BACK,		/* its control group has used its quota */
	BCOS_TASK_STATES
};

/* Who or what woke a thread. */
enum bcos_waker {
	BCOS_WAKER_UNKNOWN,
	BCOS_WAKER_THREAD,		/* the thread @waker_thread of the process @waker */
	BCOS_WAKER_INTERRUPT,		/* an interrupt of the CPU of the record, of any kind */
	BCOS_WAKER_EITHER,		/* one of the two */
	BCOS_WAKER_TIMER,
	BCOS_WAKER_LINE,		/* an interrupt of the line @waker */
	BCOS_WAKER_BLOCK,		/* the softirq that ends requests to disks */
	BCOS_WAKER_NET,			/* the softirqs of the network */
	BCOS_WAKERS
};

/* Where a thread is when it leaves the CPU. The numbers are part of the format of the log. */
enum bcos_thread_place {
	BCOS_PLACE_UNKNOWN,		/* also: a thread that never leaves the kernel */
	BCOS_PLACE_CALL,		/* in the system call @call */
	BCOS_PLACE_OUTSIDE,		/* in no system call, but for example in a page fault */
	BCOS_PLACE_EXIT,		/* it ends */
};

/* STATE: the low byte of aux is the state. WOKEN has the kind of the waker above it. */
#define BCOS_RAW_STATE_OF(aux)	((aux) & 0xFF)
#define BCOS_RAW_WAKER(kind)	((u16)((kind) << 8))
#define BCOS_RAW_WAKER_OF(aux)	((aux) >> 8 & 15)
/* All other states but RUNS have these. */
#define BCOS_RAW_FOR_IO		0x100	/* it waits for input or output */
#define BCOS_RAW_PLACE(place)	((u16)((place) << 9))
#define BCOS_RAW_PLACE_OF(aux)	((aux) >> 9 & 3)

struct bcos_raw_thread {
	u32 id;
	union {
		u32 priority;	/* RUNS: task->prio, -1 or more */
		u32 call;	/* of a thread in a system call: as aux of API */
	};
	u32 waker;
	u32 waker_thread;	/* its ID; 0: an idle thread */
};

/* LIMITS: frequency limits in kHz. */
struct bcos_raw_limits {
	u32 least, most;
	u64 reserved;
};

/* CHECK: the values of the bank's registers. */
struct bcos_raw_check {
	u64 status;
	u64 address;
	u64 misc;
	u64 bank;
};

/*
 * API: aux is the function's number, or NO_NUMBER if the number is negative or does not fit; COMPAT
 * marks the compat ABI.
 */
#define BCOS_RAW_NO_NUMBER	0x7FFF
#define BCOS_RAW_COMPAT		0x8000

#define BCOS_RAW_TEXT		1024
#define BCOS_RAW_UNITS_MAX	(2 + BCOS_RAW_TEXT / 16)
#define BCOS_RAW_LIFE_UNITS	3	/* most units of a record about a process */
#define BCOS_RAW_NAME		16	/* comm; readers ignore the last byte */
#define BCOS_RAW_IRQ_NAME_SIZE	32
#define BCOS_RAW_IRQ_BUS	32	/* name of a message interrupt's sender, or empty */
#define BCOS_RAW_SHARED		0x80000000u
#define BCOS_RAW_FINAL		1	/* EXIT: no DEAD follows, since switches are not recorded */
#define BCOS_RAW_USER		0x8000	/* SIGNAL: user space sent it */
#define BCOS_RAW_PARENT		1	/* BIRTH, HELPER: status holds the parent */

/* A process as a walk of the task list found it, or one of its threads that is not the leader. */
struct bcos_seen {
	u32 id;
	u32 tag;
	u32 thread;			/* 0: this is the process */
	u32 reserved;
	u64 start;			/* ns since boot */
	bool hidden;			/* true: a user-mode helper before its exec */
	bool dying;			/* true: its last thread has begun to exit, with @status */
	u32 status;			/* as wait(2) gives it */
	char name[BCOS_RAW_NAME];
};

/* Devices that a walk found: records of kind DEVICE, one after another. */
struct bcos_seen_devices {
	struct bcos_unit *unit;
	u32 units;			/* of all records; those above @room are missing */
	u32 room;			/* allocated units */
};

/* Returns the key of the device that a record is about. */
static inline u64 bcos_raw_key(const struct bcos_raw *raw)
{
	raw += raw->kind == BCOS_RAW_DEVICE ? 2 : 1;
	return ((const struct bcos_raw_device *)raw)->key;
}

/* EVENT: aux holds a BCOS_SUBJECT_* and a severity. */
#define BCOS_RAW_ABOUT(subject, severity)	((u16)((subject) >> 5 | (severity)))
#define BCOS_RAW_SUBJECT(aux)			((u16)((aux) << 5 & BCOS_TYPE_SUBJECT_MASK))
#define BCOS_RAW_SEVERITY(aux)			((u8)(aux))

/* No process ever has this ID, and no CPU is ever assigned to it. */
#define BCOS_PROCESS_NONE	0xFFFFFFFEu

/* Is a record of this kind about a process (bcos_life_apply())? */
static __always_inline bool bcos_raw_is_life(u8 kind)
{
	return kind >= BCOS_RAW_BIRTH && kind <= BCOS_RAW_VICTIM;
}

/* Lost records are counted by these classes. LIFE and DEVICE can never be turned off. */
enum bcos_loss_class {
	BCOS_LOSS_LIFE,
	BCOS_LOSS_ASSIGN,
	BCOS_LOSS_IRQ,
	BCOS_LOSS_USER,
	BCOS_LOSS_IO,
	BCOS_LOSS_API,
	BCOS_LOSS_IDLE,
	BCOS_LOSS_STATE,
	BCOS_LOSS_DEVICE,
	BCOS_LOSS_EXEC,
	BCOS_LOSS_REQUEST,
	BCOS_LOSS_CLASSES
};

/* Returns the class under which a lost record of this kind is counted. */
static inline enum bcos_loss_class bcos_raw_class(u8 kind)
{
	switch (kind) {
	case BCOS_RAW_SWITCH:
	case BCOS_RAW_ASSIGN:
		return BCOS_LOSS_ASSIGN;
	case BCOS_RAW_IRQ:
	case BCOS_RAW_IRQ_NAME:
		return BCOS_LOSS_IRQ;
	case BCOS_RAW_EVENT:
	case BCOS_RAW_KMSG:
	case BCOS_RAW_MESSAGE:
	case BCOS_RAW_LIMITS:
	case BCOS_RAW_CHECK:
		return BCOS_LOSS_USER;
	case BCOS_RAW_INPUT:
	case BCOS_RAW_OUTPUT:
	case BCOS_RAW_FAULT:
		return BCOS_LOSS_IO;
	case BCOS_RAW_API:
		return BCOS_LOSS_API;
	case BCOS_RAW_IDLE:
		return BCOS_LOSS_IDLE;
	case BCOS_RAW_STATE:
		return BCOS_LOSS_STATE;
	case BCOS_RAW_DEVICE:
	case BCOS_RAW_DEVICE_GONE:
	case BCOS_RAW_LINK:
		return BCOS_LOSS_DEVICE;
	case BCOS_RAW_PROGRAM:
		return BCOS_LOSS_EXEC;
	case BCOS_RAW_REQUEST_START:
	case BCOS_RAW_REQUEST_ISSUE:
	case BCOS_RAW_REQUEST_END:
		return BCOS_LOSS_REQUEST;
	default:
		return BCOS_LOSS_LIFE;
	}
}

/*
 * Returns how many of the @size units of a ring a record of this class must leave free. The last
 * quarter is kept for assignments, and its second half for births, deaths and devices, which may
 * fill the ring.
 */
static inline u64 bcos_raw_reserve(enum bcos_loss_class class, u64 size)
{
	switch (class) {
	case BCOS_LOSS_LIFE:
	case BCOS_LOSS_DEVICE:
		return 0;
	case BCOS_LOSS_ASSIGN:
		return size / 8;
	default:
		return size / 4;
	}
}

/* The lost records of one CPU: see stage.h. */
struct bcos_stage_lost {
	u32 sequence;			/* odd while the producer writes */
	u32 stretch;			/* number of the stretch of losses */
	u64 first;			/* time of the stretch's first loss */
	u64 last;			/* time of its newest loss */
	u64 assign_time;		/* time of the newest lost SWITCH */
	u32 assign_id;
	u32 padding;
	u64 count[BCOS_LOSS_CLASSES];	/* cumulative, over all stretches */
};

_Static_assert(sizeof(struct bcos_raw) == sizeof(struct bcos_unit),
	       "a record starts with one unit");
_Static_assert(sizeof(struct bcos_raw_event) == sizeof(struct bcos_unit),
	       "the head of an event is one unit");
_Static_assert(sizeof(struct bcos_raw_device) == sizeof(struct bcos_unit),
	       "the head of a device is one unit");
_Static_assert(sizeof(struct bcos_raw_thread) == sizeof(struct bcos_unit), "a thread is one unit");
_Static_assert(BCOS_OPERATIONS <= 8, "an operation has three bits");
_Static_assert(sizeof(struct bcos_raw_request_start) == sizeof(struct bcos_unit),
	       "the start of a request is one unit");
_Static_assert(sizeof(struct bcos_raw_request_end) == sizeof(struct bcos_unit),
	       "the end of a request is one unit");
_Static_assert(sizeof(struct bcos_raw_limits) == sizeof(struct bcos_unit), "limits are one unit");
_Static_assert(sizeof(struct bcos_raw_check) == 2 * sizeof(struct bcos_unit),
	       "a machine check is two units");
_Static_assert(sizeof(struct bcos_raw_program) == sizeof(struct bcos_unit),
	       "a program is one unit");
_Static_assert(__builtin_offsetof(struct bcos_raw_program, length) ==
		       __builtin_offsetof(struct bcos_raw_event, length),
	       "a program is staged as an event is");
_Static_assert(sizeof(struct bcos_raw_sender) == sizeof(struct bcos_unit), "a sender is one unit");
_Static_assert(sizeof(struct bcos_raw_life) == sizeof(struct bcos_unit), "life is one unit");

#endif
