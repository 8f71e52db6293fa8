/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * The image of the log: what the module keeps in memory so that the log survives the kernel. After
 * a warm reboot the next kernel finds it in a region of memory that both leave alone, and in a dump
 * of the machine's memory anybody finds it by its magic, without symbols.
 *
 * An image is a string of pages, of which page 0 begins with struct bcos_image_header. In a region
 * the pages are one after another; else they are anywhere, and a list tells where. The header tells
 * where each section begins, in bytes from the beginning of the image:
 *
 *	section		holds
 *	LIST		pages of struct bcos_image_list: the frame of each page of the image
 *	STAGES		struct bcos_image_stage for each stage: where its ring is
 *	PASS		two of struct bcos_image_pass: what the log writer knew after a pass
 *	DEVICES		two of struct bcos_image_devices: what keys in raw records mean
 *	SEAL		struct bcos_image_seal: how it ended
 *	KMSG		struct bcos_image_kmsg: the end of the kernel's log
 *	CONTROL		struct bcos_control, one page (bcos_evlog.h); of its marks, those of the
 *			pass count, except that nothing before its oldest mark is in the ring
 *	RING		the log: offset N is at N % ring_size
 *	RINGS		the staging rings of all CPUs, and last that of the kernel's log
 *
 * The newest records are in the staging rings, since the log writer merges seldom while nobody
 * reads. Each CPU has a stage, and so has the kernel's log; the stage of CPU n is number n, and
 * that of the kernel's log is number @cpus. Raw records (module/core/raw/raw.h) may change with the
 * version in @raw. Unit N of a stage is at N % size of its ring.
 *
 * Whoever reads an image must expect any content: memory loses power, caches are not written back,
 * and a dump may be taken while the machine runs. So:
 *
 * - The constant part of the header has a sum (bcos_image_sum() in module/core/image/image.h),
 *   and STAGES another one. Without both of them there is no image.
 * - PASS and DEVICES have two copies, the second one in the second half of the section. Pass N is
 *   in copy N % 2, and so is table N. A copy counts if its sum is right, and of two passes the one
 *   with the higher sequence. A table counts for a pass that has its generation.
 * - The log is marks.oldest to marks.head of that pass, or from the oldest mark of CONTROL if that
 *   one is later.
 * - The records of a stage from @tail of that pass on are not in this log, and none of them has
 *   been overwritten. Where they end is told by the seal (@head), in a dump also by the stage of
 *   the CPU itself (@live), and else by the records: their times never fall. A kernel that ended
 *   in order went on for a moment after the seal: there may be records behind @head, and a pass
 *   whose @tail is there.
 * - Lost records: the counts of a stage at the end (seal or @live), less those of the pass.
 *
 * The image of the BPF engine (BCOS_IMAGE_BY_BPF) is a file that a process maps, and not memory of
 * the kernel: @self, @list, LIST and @live are 0, and it is never sealed. It lacks RINGS, since the
 * rings are in BPF maps, which are pinned in the folder @pins. There the records of a CPU are only
 * nearly in order of time: from @tail of the pass on, those before @horizon are in the log. Whoever
 * copies the maps first and the image then misses nothing that the recorder takes meanwhile.
 *
 * Times without another word are ns since boot, with the time that the machine slept. All numbers
 * are little endian. Reserved fields are 0.
 */
#ifndef BCOS_IMAGE_UAPI_H
#define BCOS_IMAGE_UAPI_H

#include "bcos_evlog.h"

#define BCOS_IMAGE_VERSION	1
/*
 * The version of the raw records. Those of version 2 have requests of disks, where a thread left
 * its CPU, and kinds of wakers, those of version 3 have names of threads, and those of version 4
 * moves between control groups; what an earlier version has means the same in later ones. A reader
 * knows the versions from 1 to its own.
 */
#define BCOS_IMAGE_RAW		4

/*
 * The first 24 bytes of an image, at the beginning of a page. A page that begins like this is only
 * a copy of an image, if @self is not the number of its own frame.
 */
#define BCOS_IMAGE_MAGIC	"\211BCOS flight recorder\n"
#define BCOS_IMAGE_MAGIC_SIZE	24

/* The image of the former boot, until it is released. */
#define BCOS_IMAGE_PATH		"/dev/bcos_evlog.last"

/* Values of @state: texts, so that a damaged one is no other one. */
#define BCOS_IMAGE_RUNNING	0x00474E494E4E5552ull	/* "RUNNING" */
#define BCOS_IMAGE_SEALED	0x000044454C414553ull	/* "SEALED": the kernel panicked */
#define BCOS_IMAGE_CLEAN	0x0000004E41454C43ull	/* "CLEAN": it ended in order */

#define BCOS_IMAGE_IN_REGION	(1u << 0)	/* @flags: the pages are one after another */
#define BCOS_IMAGE_BY_BPF	(1u << 1)	/* @flags: a process wrote it, see @pins */

enum bcos_image_part {
	BCOS_IMAGE_LIST,
	BCOS_IMAGE_STAGES,
	BCOS_IMAGE_PASS,
	BCOS_IMAGE_DEVICES,
	BCOS_IMAGE_SEAL,
	BCOS_IMAGE_KMSG,
	BCOS_IMAGE_CONTROL,
	BCOS_IMAGE_RING,
	BCOS_IMAGE_RINGS,
	BCOS_IMAGE_PARTS
};

#define BCOS_IMAGE_SECTIONS	12

/*
 * Indexes of bcos_image_header.live: offsets in the live structure of a stage, in bytes. The types
 * are those of struct bcos_image_head.
 */
enum bcos_image_live {
	BCOS_IMAGE_LIVE_MARK,
	BCOS_IMAGE_LIVE_HEAD,
	BCOS_IMAGE_LIVE_LAST,
	BCOS_IMAGE_LIVE_NESTED,
	BCOS_IMAGE_LIVE_NMI,
	BCOS_IMAGE_LIVE_SEQUENCE,
	BCOS_IMAGE_LIVE_STRETCH,
	BCOS_IMAGE_LIVE_FIRST,
	BCOS_IMAGE_LIVE_LATEST,
	BCOS_IMAGE_LIVE_ASSIGN_TIME,
	BCOS_IMAGE_LIVE_ASSIGN_ID,
	BCOS_IMAGE_LIVE_LOST,
	BCOS_IMAGE_LIVE_TAIL,
	BCOS_IMAGE_LIVE_SIZE,		/* units of the ring, 64 bits */
	BCOS_IMAGE_LIVES
};

#define BCOS_IMAGE_LIVE_MAX	16

struct bcos_image_section {
	/* A multiple of 64; LIST, CONTROL, RING and RINGS begin with a page. */
	__u64 offset;
	__u64 size;			/* bytes; 0: the section is absent */
};

/**
 * struct bcos_image_header - the beginning of an image
 * @magic: BCOS_IMAGE_MAGIC, padded with zeros
 * @version: BCOS_IMAGE_VERSION
 * @size: bytes of this structure
 * @sum: of the bytes from @page_size to before @state
 * @page_size: bytes of a page, a power of two, 4096 to 65536
 * @flags: BCOS_IMAGE_IN_REGION, BCOS_IMAGE_BY_BPF
 * @pages: of the image
 * @self: frame number of page 0: its physical address / @page_size
 * @list: frame number of the first page of LIST
 * @cpus: CPU IDs are below this
 * @stages: @cpus + 1
 * @region_address: physical address of the region; 0: there is none
 * @region_size: bytes of the region
 * @begun: when the image was begun
 * @wall: ns since 1970 (UTC) at that time
 * @ring_size: bytes of RING, a power of two
 * @raw: BCOS_IMAGE_RAW
 * @classes: classes of lost records that are counted, at most 12
 * @device_room: the most entries of a table of DEVICES
 * @live_size: bytes of the live structure of a stage
 * @boot: boot ID, a UUID, ends with a zero byte
 * @kernel: release and architecture, ends with a zero byte
 * @module: version of the module, ends with a zero byte
 * @section: see enum bcos_image_part
 * @live: see enum bcos_image_live
 * @pins: of BCOS_IMAGE_BY_BPF: the folder in which the maps are pinned, ends with a zero byte
 * @setup: likewise: a sum over the programs and their options
 * @programs: likewise: BCOS_BPF_VERSION (bpf/shared.h) of the maps
 * @rings: likewise: CPUs with lower IDs have a ring
 * @units: likewise: size of each ring in units
 * @owner: likewise: ID of the process
 * @reserved: 0
 * @state: BCOS_IMAGE_RUNNING, BCOS_IMAGE_SEALED or BCOS_IMAGE_CLEAN; not in @sum
 * @reserved2: 0; not in @sum
 */
struct bcos_image_header {
	__u8 magic[BCOS_IMAGE_MAGIC_SIZE];
	__u32 version;
	__u32 size;
	__u64 sum;
	__u32 page_size;
	__u32 flags;
	__u64 pages;
	__u64 self;
	__u64 list;
	__u32 cpus;
	__u32 stages;
	__u64 region_address;
	__u64 region_size;
	__u64 begun;
	__u64 wall;
	__u64 ring_size;
	__u32 raw;
	__u32 classes;
	__u32 device_room;
	__u32 live_size;
	char boot[40];
	char kernel[144];
	char module[64];
	struct bcos_image_section section[BCOS_IMAGE_SECTIONS];
	__u16 live[BCOS_IMAGE_LIVE_MAX];
	char pins[128];
	__u64 setup;
	__u32 programs;
	__u32 rings;
	__u32 units;
	__u32 owner;
	__u64 reserved[33];
	__u64 state;
	__u64 reserved2[7];
};

/*
 * A page of LIST. The frame of page n of the image is number n % m of list page n / m, with
 * m = @page_size / 8 - 1. A frame of 0 says that the page is not there: it belongs to a CPU that
 * never was online. The list is not in any sum, since CPUs come online.
 */
struct bcos_image_list {
	__u64 next;			/* frame number of the next page of LIST; 0: none */
	__u64 frame[];
};

/**
 * struct bcos_image_stage - where a stage is
 * @offset: of its ring in the image; 0: the ring is elsewhere, so only dumps of memory have it
 * @room: bytes for the ring; the ring may be smaller
 * @live: physical address of the live structure of the stage; 0: unknown
 * @live_next: physical address of the page in which the live structure goes on, if it does not end
 *   in its first page; else 0
 *
 * The table ends with a __u64: the sum of all before it.
 */
struct bcos_image_stage {
	__u64 offset;
	__u64 room;
	__u64 live;
	__u64 live_next;
};

#define BCOS_IMAGE_CLASSES	12
#define BCOS_IMAGE_SEGMENTS	32

/* Times from @ticks on, up to @length ticks: struct bcos_segment of module/core/raw/timebase.h. */
struct bcos_image_segment {
	__u64 ticks;			/* with bit 63 */
	__u64 length;
	__u64 time;
	__u64 rate;			/* ns a tick, in units of 2^-60 */
	__u32 precision;		/* ns */
	__u32 reserved;
};

/**
 * struct bcos_image_source - a stage as of a pass
 * @tail: number of the first unit that is not in the log
 * @gathered: calls of kernel functions before this unit are in the log already
 * @size: units of the ring, a power of two; 0: the stage has none
 * @nested: events refused while another was recorded, as far as the log states them
 * @nmi: likewise, in non-maskable interrupts
 * @stretch: number of the newest stretch of losses that is stated
 * @reserved: 0
 * @lost: records lost, by class, as far as the log states them
 */
struct bcos_image_source {
	__u64 tail;
	__u64 gathered;
	__u64 size;
	__u64 nested;
	__u64 nmi;
	__u32 stretch;
	__u32 reserved;
	__u64 lost[BCOS_IMAGE_CLASSES];
};

#define BCOS_IMAGE_HIDES_CALLS	(1u << 0)	/* @flags of a pass: api_numbers is 0 */
#define BCOS_IMAGE_BEGUN	(1u << 1)	/* the log has its first group */
#define BCOS_IMAGE_SAMPLED	(1u << 2)	/* @sample_ticks and @sample_time are valid */

/**
 * struct bcos_image_pass - what the log writer knew after a pass
 * @sum: of all up to @segment, then @segments of @segment, @reserved, and then all of @source
 * @sequence: number of this publication, from 1 on
 * @passes: of the log writer
 * @time: when this was published
 * @offset: of the wall clock: ns since 1970 (UTC) less ns since boot
 * @horizon: everything before this time is in the log
 * @marks: of the log
 * @devices: generation of the table of devices
 * @kmsg: number of the next line of the kernel's log to be read
 * @mask: classes that are recorded: BCOS_CLASS_*
 * @on_request: classes that only devices with a request record
 * @elsewhere: limit for interfaces of other network namespaces
 * @flags: BCOS_IMAGE_HIDES_CALLS, BCOS_IMAGE_BEGUN, BCOS_IMAGE_SAMPLED
 * @sample_ticks: the counter at the newest sample of both clocks, with bit 63
 * @sample_time: ns since boot at that sample
 * @low: earliest possible time of that sample
 * @rate: of the newest band, in units of 2^-60 ns a tick; 0: unknown
 * @sample_span: ns by which @sample_time may be off in either direction
 * @resolution: of the clock of ns since boot, in ns
 * @segments: number of valid entries of @segment, at most 32
 * @reserved: 0
 * @segment: oldest first, without gaps
 * @missed: of BCOS_IMAGE_BY_BPF: how often the kernel ran no program, as far as the log states it
 * @reserved2: 0
 * @source: @stages of them
 */
struct bcos_image_pass {
	__u64 sum;
	__u64 sequence;
	__u64 passes;
	__u64 time;
	__u64 offset;
	__u64 horizon;
	struct bcos_marks marks;
	__u64 devices;
	__u64 kmsg;
	__u32 mask;
	__u32 on_request;
	__u32 elsewhere;
	__u32 flags;
	__u64 sample_ticks;
	__u64 sample_time;
	__u64 low;
	__u64 rate;
	__u32 sample_span;
	__u32 resolution;
	__u32 segments;
	__u32 reserved;
	struct bcos_image_segment segment[BCOS_IMAGE_SEGMENTS];
	__u64 missed;
	__u64 reserved2[7];
	struct bcos_image_source source[];
};

#define BCOS_IMAGE_IS_DEVICE	1
#define BCOS_IMAGE_IS_LINE	2	/* an action on an interrupt line */

#define BCOS_IMAGE_ELSEWHERE	(1u << 0)	/* a device of another network namespace */
#define BCOS_IMAGE_OWN		(1u << 1)	/* the device exists only for its lines */

/**
 * struct bcos_image_device - what a key in raw records means
 * @key: of the device, or number of the interrupt line
 * @id: of the device in the log
 * @number: number of the network namespace; of a line: its index in the device
 * @kind: BCOS_IMAGE_IS_DEVICE or BCOS_IMAGE_IS_LINE
 * @tag: of the action on the line
 * @flags: BCOS_IMAGE_ELSEWHERE, BCOS_IMAGE_OWN
 * @requests: classes that are recorded for this device whatever the mask says
 * @reserved: 0
 */
struct bcos_image_device {
	__u64 key;
	__u32 id;
	__u32 number;
	__u32 kind;
	__u16 tag;
	__u16 flags;
	__u32 requests;
	__u32 reserved;
};

/**
 * struct bcos_image_devices - what the keys of all devices and lines mean
 * @sum: of the rest, with @count of @device
 * @generation: number of this table, from 1 on
 * @count: of @device
 * @missing: devices and lines for which there was no room
 * @reserved: 0
 * @device: devices by ID, then lines
 */
struct bcos_image_devices {
	__u64 sum;
	__u64 generation;
	__u32 count;
	__u32 missing;
	__u64 reserved;
	struct bcos_image_device device[];
};

/**
 * struct bcos_image_head - a stage at the end
 * @head: number of the unit after the newest record
 * @last: raw time of the newest record
 * @nested: events refused while another was recorded
 * @nmi: events refused in non-maskable interrupts
 * @mark: 1: the CPU was recording
 * @sequence: odd: the CPU was counting a loss, and what follows may be torn
 * @stretch: number of the newest stretch of losses
 * @assign_id: process of the newest lost assignment
 * @first: raw time of the first loss of that stretch
 * @latest: raw time of its newest loss
 * @assign_time: raw time of the newest lost assignment
 * @lost: records lost, by class
 */
struct bcos_image_head {
	__u64 head;
	__u64 last;
	__u64 nested;
	__u64 nmi;
	__u32 mark;
	__u32 sequence;
	__u32 stretch;
	__u32 assign_id;
	__u64 first;
	__u64 latest;
	__u64 assign_time;
	__u64 lost[BCOS_IMAGE_CLASSES];
};

/* Values of bcos_image_seal.kind. */
#define BCOS_IMAGE_PANIC	1
#define BCOS_IMAGE_RESTART	2
#define BCOS_IMAGE_HALT		3
#define BCOS_IMAGE_POWER_OFF	4
#define BCOS_IMAGE_UNLOAD	5	/* the module was unloaded */

/**
 * struct bcos_image_seal - how it ended; valid if the state is not BCOS_IMAGE_RUNNING
 * @sum: of the rest
 * @kind: BCOS_IMAGE_PANIC ... BCOS_IMAGE_UNLOAD
 * @cpu: that sealed the image
 * @time: when
 * @ticks: the counter at that time, with bit 63; 0: records have no ticks
 * @wall: ns since 1970 (UTC) at that time
 * @local: the clock of the kernel's log at that time, ns
 * @online: number of online CPUs; a panic stops the others first
 * @reserved: 0
 * @reason: the panic's text, or the command of the reboot; UTF-8 is not certain; zero bytes follow
 * @reserved2: 0
 * @head: @stages of them
 */
struct bcos_image_seal {
	__u64 sum;
	__u32 kind;
	__u32 cpu;
	__u64 time;
	__u64 ticks;
	__u64 wall;
	__u64 local;
	__u32 online;
	__u32 reserved;
	char reason[256];
	__u64 reserved2[4];
	struct bcos_image_head head[];
};

/**
 * struct bcos_image_kmsg - the lines of the kernel's log that the log writer has not read
 * @sum: of the rest, with @length bytes of @text and zeros up to a multiple of 8
 * @length: bytes of @text
 * @first: number of the first line
 * @missing: lines before it that the kernel overwrote, or for which there was no room
 * @reserved: 0
 * @text: lines as of syslog(2): "<level>[seconds.microseconds] text\n"; their times are by @local
 *   of the seal
 */
struct bcos_image_kmsg {
	__u64 sum;
	__u64 length;
	__u64 first;
	__u64 missing;
	__u64 reserved[2];
	char text[];
};

/* ---- /dev/bcos_evlog.last ------------------------------------------------- */

/*
 * The device can be read and sought, and has the bytes of an image. Whoever may write to it
 * releases the image by this ioctl, or by writing anything. Then the device disappears, and open
 * files go on with the image.
 */
struct bcos_image_release {
	__u32 flags;			/* 0 */
	__u32 reserved;			/* 0 */
};

#define BCOS_IOC_IMAGE_RELEASE	_IOW(BCOS_IOC_MAGIC, 16, struct bcos_image_release)

#endif /* BCOS_IMAGE_UAPI_H */
