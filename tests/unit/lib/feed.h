/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A log that a test feeds with records, and a tape: a copy of everything that was ever written to the log. */
#ifndef TEST_FEED_H
#define TEST_FEED_H

#include "core/write/log.h"
#include "testhost.h"

/* Called instead of abort(), if set; does not return. */
extern void (*feed_failed)(void);

struct feed {
	struct test_host host;
	struct bcos_log log;
	void *data;
	u64 size;
	u64 time;			/* time of the next record */
	u8 *tape;			/* the log from offset 0, never overwritten */
	u64 length, room;
	struct bcos_mark at;		/* end of the tape, as a place in the log */
	unsigned int flags;		/* ORACLE_*, for the oracle */
	u64 checked;			/* offset of the oldest mark at the last check, + 1 */
};

/* Initialises a feed and its log. Return: 0, or the error of bcos_log_init(). */
int feed_init(struct feed *feed, u64 ring_size, u32 cpu_limit);
/*
 * Primes the log with online CPUs 0 to @cpus - 1 and the processes of @seen. The log begins at @begin, which is also
 * the time of the first record. Return: 0, or the error of bcos_log_prime().
 */
int feed_prime(struct feed *feed, u32 cpus, const struct bcos_seen *seen, u32 seen_count, u64 begin);
/* Does both, and lets the log begin at time 1000, with a ring of 256 KiB, @cpus of 8 CPUs and no processes. */
void feed_start(struct feed *feed, u32 cpus);
/* Frees a feed, and fails if the log leaves memory allocated. */
void feed_end(struct feed *feed);

/* A record of one or more units. */
struct feed_record {
	struct bcos_raw raw;
	union {
		struct {
			struct bcos_raw_life life;
			char name[BCOS_RAW_NAME];
		};
		struct {
			struct bcos_raw_event event;
			char text[BCOS_RAW_TEXT];
		};
		u64 pair[2];
		struct {
			struct bcos_raw_life victim;
			struct bcos_raw_sender sender;
		};
		struct {
			struct bcos_raw_program program;
			char strings[BCOS_RAW_TEXT];
		};
		struct {
			char irq_name[BCOS_RAW_IRQ_NAME_SIZE], irq_bus[BCOS_RAW_IRQ_BUS];
		};
		struct bcos_unit units[BCOS_RAW_UNITS_MAX - 1];
	};
};

struct feed_record record_plain(u8 kind, u32 id, u16 aux);
struct feed_record record_life(u8 kind, u32 id, u16 aux, u32 tag, u32 status, const char *name);
/* Makes an EVENT or KMSG record with @length bytes of @text. */
struct feed_record record_event(u8 kind, u16 subject, u32 id, u32 tag, u32 event, u8 severity, const char *text,
				size_t length);
/* Makes a DEVICE record. @names: the name of the device, then the names of its parents, separated by '|'. */
struct feed_record record_device(u64 key, u32 driver, u32 tag, u16 aux, const char *names);
/* Makes a DEVICE_GONE, LINK, INPUT or OUTPUT record. */
struct feed_record record_about(u8 kind, u64 key, u16 aux, u64 amount);
/* Makes a FAULT record. */
struct feed_record record_fault(u64 key, enum bcos_operation operation, u32 bytes, u64 sector, u32 error);
/* Makes a record whose second unit has these two words. */
struct feed_record record_pair(u8 kind, u32 id, u16 aux, u64 first, u64 second);
/* Makes a PROGRAM record. @arguments has @length bytes; @flags: BCOS_RAW_*_CUT, BCOS_RAW_SECRET. */
struct feed_record record_program(u32 id, u32 tag, u32 user, u16 flags, const char *path, const char *cgroup,
				  const char *arguments, size_t length);
/* Makes a BIRTH or HELPER record that names the parent. */
struct feed_record record_birth(u8 kind, u32 id, u32 tag, const char *name, u32 parent);
struct feed_record record_limits(u32 cpu, u32 least, u32 most);
struct feed_record record_check(u32 cpu, u64 status, u64 address, u64 misc, u64 bank);
struct feed_record record_irq(u32 line, bool shared, u16 tag, const char *name);

/*
 * Applies a record at feed->time, publishes, and copies the new entries to the tape. Each function below does this with
 * a record of one kind.
 */
void feed_apply(struct feed *feed, u32 cpu, const struct feed_record *record);
void feed_switch(struct feed *feed, u32 cpu, u32 id);
void feed_birth(struct feed *feed, u32 cpu, u32 id, u32 tag, const char *name);
void feed_helper(struct feed *feed, u32 cpu, u32 id, u32 tag, const char *name);
void feed_exec(struct feed *feed, u32 cpu, u32 id, u32 tag, const char *name);
void feed_rename(struct feed *feed, u32 cpu, u32 id, u32 tag, const char *name);
void feed_exit(struct feed *feed, u32 cpu, u32 id, u32 tag, u32 status);
void feed_dead(struct feed *feed, u32 cpu, u32 id, u32 tag, u32 status);
void feed_signal(struct feed *feed, u32 cpu, u32 id, u16 number, bool user);
/* Applies a SIGNAL record of class who. @sender is a process, or BCOS_PROCESS_NONE if the kernel sent the signal. */
void feed_sent(struct feed *feed, u32 cpu, u32 id, u32 tag, u16 number, int code, u32 sender, u32 sender_tag, u32 user);
void feed_irq(struct feed *feed, u32 cpu, u32 line, u16 tag);
void feed_irq_name(struct feed *feed, u32 cpu, u32 line, bool shared, u16 tag, const char *name);
void feed_cpu_down(struct feed *feed, u32 cpu, u32 gone);

/* Tells the log that all records before @horizon were applied, and copies the new entries to the tape. */
void feed_pass(struct feed *feed, u64 horizon);
/* Only copies the new entries to the tape. */
void feed_pull(struct feed *feed);

/*
 * Runs the oracle from the oldest mark to the end, and from the start of each group on the tape. Also checks the
 * figures of the status and the balance of the entries.
 */
void feed_check(struct feed *feed);
/* Runs the oracle from the oldest mark alone, and only if the mark has moved since the last call. */
void feed_check_oldest(struct feed *feed);

/* Returns the end of the tape, from which feed_text() may begin later. */
u64 feed_mark(const struct feed *feed);

/**
 * feed_text() - return the entries on the tape, one on each line
 * @feed: the feed
 * @from: offset
 * @history: also returns historical entries
 *
 * "TIME+PRECISION SOURCE what"; the precision is left out if it is 1, times and
 * sources are decimal, historical ones begin with "*".
 * Return: a text that is valid until the next call.
 */
const char *feed_text(const struct feed *feed, u64 from, bool history);

#endif
