// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include "core/rules/rules.h"
#include "core/write/figures.h"
#include "balance.h"
#include "feed.h"
#include "oracle.h"

void (*feed_failed)(void);

static __attribute__((noreturn)) void fail_feed(const struct feed *feed, const char *what)
{
	printf("# feed, at time %llu, tape of %llu bytes: %s\n", (unsigned long long)feed->time,
	       (unsigned long long)feed->length, what);
	fflush(stdout);
	if (feed_failed)
		feed_failed();
	abort();
}

int feed_init(struct feed *feed, u64 ring_size, u32 cpu_limit)
{
	feed->size = ring_size;
	feed->data = test_ring_map(ring_size);
	return bcos_log_init(&feed->log, &test_host, &feed->host, feed->data, ring_size, cpu_limit, 1);
}

int feed_prime(struct feed *feed, u32 cpus, const struct bcos_seen *seen, u32 seen_count, u64 begin)
{
	struct bcos_seen_cpu online[64];
	u32 i;

	for (i = 0; i < cpus && i < 64; i++) {
		online[i].cpu = i;
		online[i].core = test_host.core_of(&feed->host, i);
	}
	feed->time = begin;
	return bcos_log_prime(&feed->log, online, cpus, seen, seen_count, 0, begin);
}

void feed_start(struct feed *feed, u32 cpus)
{
	if (feed_init(feed, 256 << 10, 8) || feed_prime(feed, cpus, NULL, 0, 1000))
		fail_feed(feed, "no beginning");
	feed_pass(feed, 1000);
}

void feed_end(struct feed *feed)
{
	bcos_log_destroy(&feed->log);
	test_ring_unmap(feed->data, feed->size);
	free(feed->tape);
	if (feed->host.live)
		fail_feed(feed, "memory was not given back");
}

struct feed_record record_plain(u8 kind, u32 id, u16 aux)
{
	return (struct feed_record){ .raw = { .kind = kind, .units = 1, .aux = aux, .id = id } };
}

struct feed_record record_life(u8 kind, u32 id, u16 aux, u32 tag, u32 status, const char *name)
{
	struct feed_record record = record_plain(kind, id, aux);

	record.raw.units = name ? 3 : 2;
	record.life.tag = tag;
	record.life.status = status;
	/* Like the kernel's comm, the name has at most 15 bytes and a zero. */
	if (name)
		memcpy(record.name, name, strnlen(name, BCOS_RAW_NAME - 1));
	return record;
}

struct feed_record record_event(u8 kind, u16 subject, u32 id, u32 tag, u32 event, u8 severity, const char *text,
				size_t length)
{
	struct feed_record record = record_plain(kind, id, BCOS_RAW_ABOUT(subject, severity));

	record.raw.units = (u8)(2 + (length + 15) / 16);
	record.event.event_id = event;
	record.event.tag = tag;
	record.event.length = (u16)length;
	memcpy(record.text, text, length);
	return record;
}

struct feed_record record_device(u64 key, u32 driver, u32 tag, u16 aux, const char *names)
{
	struct bcos_raw_device device = { .key = key };
	char text[sizeof(device) + BCOS_RAW_TEXT] = "";
	/* The length includes the zero at the end. */
	size_t length = strlen(names) + 1;
	struct feed_record record;
	char *at;

	memcpy(text, &device, sizeof(device));
	memcpy(text + sizeof(device), names, length);
	for (at = text + sizeof(device); at < text + sizeof(device) + length; at++)
		if (*at == '|')
			*at = 0;
	record = record_event(BCOS_RAW_DEVICE, 0, 0, tag, driver, 0, text, sizeof(device) + length);
	record.raw.aux = aux;
	return record;
}

struct feed_record record_pair(u8 kind, u32 id, u16 aux, u64 first, u64 second)
{
	struct feed_record record = record_plain(kind, id, aux);

	record.raw.units = 2;
	record.pair[0] = first;
	record.pair[1] = second;
	return record;
}

struct feed_record record_about(u8 kind, u64 key, u16 aux, u64 amount)
{
	return record_pair(kind, 0, aux, key, amount);
}

struct feed_record record_fault(u64 key, enum bcos_operation operation, u32 bytes, u64 sector, u32 error)
{
	return record_pair(BCOS_RAW_FAULT, bytes, BCOS_RAW_FAULTY(operation, error), key, sector);
}

struct feed_record record_program(u32 id, u32 tag, u32 user, u16 flags, const char *path, const char *cgroup,
				  const char *arguments, size_t length)
{
	size_t before = strlen(path) + strlen(cgroup);
	struct feed_record record = record_plain(BCOS_RAW_PROGRAM, id, flags);

	record.raw.units = (u8)(2 + (before + length + 15) / 16);
	record.program = (struct bcos_raw_program){
		.user = user, .tag = tag, .length = (u16)(before + length), .path = (u16)strlen(path),
		.cgroup = (u16)strlen(cgroup),
	};
	memcpy(record.strings, path, strlen(path));
	memcpy(record.strings + strlen(path), cgroup, strlen(cgroup));
	memcpy(record.strings + before, arguments, length);
	return record;
}

struct feed_record record_birth(u8 kind, u32 id, u32 tag, const char *name, u32 parent)
{
	return record_life(kind, id, BCOS_RAW_PARENT, tag, parent, name);
}

struct feed_record record_limits(u32 cpu, u32 least, u32 most)
{
	return record_pair(BCOS_RAW_LIMITS, cpu, 0, (u64)most << 32 | least, 0);
}

struct feed_record record_check(u32 cpu, u64 status, u64 address, u64 misc, u64 bank)
{
	struct bcos_raw_check check = { status, address, misc, bank };
	struct feed_record record = record_plain(BCOS_RAW_CHECK, cpu, 0);

	record.raw.units = 3;
	memcpy((struct bcos_unit *)&record + 1, &check, sizeof(check));
	return record;
}

struct feed_record record_irq(u32 line, bool shared, u16 tag, const char *name)
{
	struct feed_record record = record_plain(BCOS_RAW_IRQ_NAME, line | (shared ? BCOS_RAW_SHARED : 0), tag);

	record.raw.units = 5;
	memcpy(record.irq_name, name, strnlen(name, BCOS_RAW_IRQ_NAME_SIZE));
	return record;
}

void feed_apply(struct feed *feed, u32 cpu, const struct feed_record *record)
{
	struct feed_record *exact = malloc(record->raw.units * sizeof(struct bcos_unit));

	/* The copy is as long as the record's units, so that ASan finds reads beyond them. */
	if (!exact)
		fail_feed(feed, "no memory");
	memcpy(exact, record, record->raw.units * sizeof(struct bcos_unit));
	exact->raw.time = feed->time;
	bcos_log_apply(&feed->log, cpu, exact->raw.time, &exact->raw);
	free(exact);
	feed_pass(feed, feed->time);
}

void feed_switch(struct feed *feed, u32 cpu, u32 id)
{
	struct feed_record record = record_plain(BCOS_RAW_SWITCH, id, 0);

	feed_apply(feed, cpu, &record);
}

static void apply_life(struct feed *feed, u32 cpu, u8 kind, u32 id, u32 tag, u32 status, const char *name)
{
	struct feed_record record = record_life(kind, id, 0, tag, status, name);

	feed_apply(feed, cpu, &record);
}

void feed_birth(struct feed *feed, u32 cpu, u32 id, u32 tag, const char *name)
{
	apply_life(feed, cpu, BCOS_RAW_BIRTH, id, tag, 0, name);
}

void feed_helper(struct feed *feed, u32 cpu, u32 id, u32 tag, const char *name)
{
	apply_life(feed, cpu, BCOS_RAW_HELPER, id, tag, 0, name);
}

void feed_exec(struct feed *feed, u32 cpu, u32 id, u32 tag, const char *name)
{
	apply_life(feed, cpu, BCOS_RAW_EXEC, id, tag, 0, name);
}

void feed_rename(struct feed *feed, u32 cpu, u32 id, u32 tag, const char *name)
{
	apply_life(feed, cpu, BCOS_RAW_RENAME, id, tag, 0, name);
}

void feed_exit(struct feed *feed, u32 cpu, u32 id, u32 tag, u32 status)
{
	apply_life(feed, cpu, BCOS_RAW_EXIT, id, tag, status, NULL);
}

void feed_dead(struct feed *feed, u32 cpu, u32 id, u32 tag, u32 status)
{
	apply_life(feed, cpu, BCOS_RAW_DEAD, id, tag, status, NULL);
}

void feed_signal(struct feed *feed, u32 cpu, u32 id, u16 number, bool user)
{
	struct feed_record record = record_plain(BCOS_RAW_SIGNAL, id, number | (user ? BCOS_RAW_USER : 0));

	feed_apply(feed, cpu, &record);
}

void feed_sent(struct feed *feed, u32 cpu, u32 id, u32 tag, u16 number, int code, u32 sender, u32 sender_tag, u32 user)
{
	bool by_kernel = sender == BCOS_PROCESS_NONE;
	struct feed_record record = record_plain(BCOS_RAW_SIGNAL, id, number | (by_kernel ? 0 : BCOS_RAW_USER));

	record.raw.units = 3;
	record.victim = (struct bcos_raw_life){ .tag = tag, .status = (u32)code };
	record.sender = (struct bcos_raw_sender){ .id = by_kernel ? 1 : sender, .tag = sender_tag, .user = user };
	feed_apply(feed, cpu, &record);
}

void feed_irq(struct feed *feed, u32 cpu, u32 line, u16 tag)
{
	struct feed_record record = record_plain(BCOS_RAW_IRQ, line, tag);

	feed_apply(feed, cpu, &record);
}

void feed_irq_name(struct feed *feed, u32 cpu, u32 line, bool shared, u16 tag, const char *name)
{
	struct feed_record record = record_irq(line, shared, tag, name);

	feed_apply(feed, cpu, &record);
}

void feed_cpu_down(struct feed *feed, u32 cpu, u32 gone)
{
	struct feed_record record = record_plain(BCOS_RAW_CPU_DOWN, gone, 0);

	feed_apply(feed, cpu, &record);
}

void feed_pass(struct feed *feed, u64 horizon)
{
	bcos_log_passed(&feed->log, horizon);
	feed_pull(feed);
}

void feed_pull(struct feed *feed)
{
	struct bcos_marks marks;
	u64 entries;
	long n;

	bcos_ring_marks(&feed->log.ring, &marks);
	while (feed->at.offset < marks.head.offset) {
		if (feed->room - feed->length < feed->size) {
			feed->room = 2 * feed->room + feed->size;
			feed->tape = realloc(feed->tape, feed->room);
			if (!feed->tape)
				fail_feed(feed, "no memory");
		}
		n = bcos_ring_copy(&feed->log.ring, &feed->at, marks.head.offset, feed->tape + feed->length,
				   feed->size, &entries);
		if (n <= 0)
			fail_feed(feed, n ? "the tape was overtaken" : "no whole entry");
		feed->length += (u64)n;
		feed->at.offset += (u64)n;
		feed->at.entry += entries;
	}
	if (feed->at.entry != marks.head.entry)
		fail_feed(feed, "the entries on the tape are not as many as the log says");
}

/* Returns what is impossible about the figures of the status, such as a count that went below 0, or NULL. */
static const char *wrong_figure(const struct feed *feed)
{
	struct bcos_status status = { 0 };
	unsigned int i;

	bcos_log_status(&feed->log, &status);
	if (status.head < feed->length || status.historical > status.entries)
		return "entries do not add up";
	if (status.partial_groups > status.groups || status.groups_over_1_zone > status.groups ||
	    status.groups_over_3_zones > status.groups_over_1_zone ||
	    status.groups_over_4_zones > status.groups_over_3_zones)
		return "groups do not add up";
	if (status.discarded_entries > status.entries || status.discarded_bytes > status.head)
		return "more was discarded than written";
	if (status.restated > status.historical)
		return "more was stated again than stated";
	if (status.clamped > status.entries || status.unnamed > status.entries)
		return "more entries are corrected than there are";
	for (i = 0; i < BCOS_LOST_REASONS; i++)
		if (status.lost[i] >> 63)
			return "fewer than none were lost";
	return NULL;
}

void feed_check(struct feed *feed)
{
	static u64 starts[65536];
	size_t n = oracle_groups(feed->tape, 0, feed->length, starts, 65536), i;
	struct bcos_marks marks;
	const char *wrong;
	u64 end;
	bool found = false;

	bcos_ring_marks(&feed->log.ring, &marks);
	for (i = 0; i < n && i < 65536; i++) {
		found |= starts[i] == marks.oldest.offset;
		/* No snapshot spans more than six groups. */
		end = i + 6 < n ? starts[i + 6] : feed->length;
		wrong = oracle_check(feed->tape, starts[i], end, feed->flags);
		if (wrong) {
			printf("# from the group at %llu:\n", (unsigned long long)starts[i]);
			fail_feed(feed, wrong);
		}
	}
	if (!found)
		fail_feed(feed, "the oldest mark is not at a group");
	wrong = oracle_check(feed->tape, marks.oldest.offset, feed->length, feed->flags);
	if (!wrong)
		wrong = wrong_figure(feed);
	if (!wrong)
		wrong = balance_of(feed->tape + marks.oldest.offset, feed->length - marks.oldest.offset);
	if (!wrong)
		wrong = balance_of(feed->tape, feed->length);
	if (wrong)
		fail_feed(feed, wrong);
}

void feed_check_oldest(struct feed *feed)
{
	struct bcos_marks marks;
	const char *wrong;

	bcos_ring_marks(&feed->log.ring, &marks);
	if (feed->checked == marks.oldest.offset + 1)
		return;
	feed->checked = marks.oldest.offset + 1;
	wrong = oracle_check(feed->tape, marks.oldest.offset, feed->length, feed->flags);
	if (wrong)
		fail_feed(feed, wrong);
}

u64 feed_mark(const struct feed *feed)
{
	return feed->length;
}
