// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any stream of raw records to the core: whatever the engines record, the result is a log that explains itself
 * from its oldest entry on.
 *
 * Input: an option byte, then steps of four bytes each.
 */
#include <stdlib.h>
#include "core/rules/rules.h"
#include "core/format/entry.h"
#include "feed.h"
#include "oracle.h"

#define CPUS 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[8] = { "", "a", "kworker/u4:1", "fifteen bytes..", "\xFF\xFE", "caf\xC3", "sh",
				      "\x7F\t" };

static const char *const devices[8] = {
	"vda|virtio0|0000:00:03.0", "eth0|virtio1", "", "sda|host0|ata1", "sh", "a|a|a", "\xFF", "caf\xC3|\xC3",
};

static u64 key_of(u8 byte)
{
	return BCOS_RAW_KEY((u32)(byte & 0xC0) << 24, (byte & 7) | 8);
}

/* Makes records of devices that come, go, are renamed, and transfer or fail to. Some of them were never named. */
static struct feed_record of_device(const uint8_t *step, u32 id, u32 tag)
{
	u64 key = key_of(step[1]);

	switch (step[3] >> 5) {
	case 0: case 1: return record_device(key, tag ? id : 0, tag, step[3] & 3, devices[step[3] >> 1 & 7]);
	case 2: return record_about(BCOS_RAW_DEVICE_GONE, key, step[3] & 1, 0);
	case 3: return record_about(BCOS_RAW_LINK, key, step[3] & 1, 0);
	case 4: return record_about(BCOS_RAW_INPUT, key, step[2] & BCOS_RAW_ELSEWHERE, (u64)step[2] << (step[3] & 31));
	case 5: return record_about(BCOS_RAW_OUTPUT, key, 0, step[2]);
	default: return record_fault(key, step[3] & 7, step[2], ~0ull, step[1]);
	}
}

/* Walks over some of the devices that records are about, under names that may differ from those in the records. */
static void walk_devices(struct feed *feed, const uint8_t *step)
{
	struct bcos_seen_devices seen = { .room = 8 * BCOS_RAW_UNITS_MAX };
	struct feed_record record;
	u32 i;

	seen.unit = test_host.alloc(&feed->host, seen.room * sizeof(*seen.unit));
	for (i = 0; seen.unit && i < step[2] % 8; i++) {
		record = record_device(key_of((u8)(step[3] + 67 * i)), 0, 0, (step[2] >> 4 & 3) | BCOS_RAW_FOUND,
				       devices[(step[3] + i) % 8]);
		memcpy(seen.unit + seen.units, &record, record.raw.units * sizeof(*seen.unit));
		seen.units += record.raw.units;
	}
	bcos_log_walked_devices(&feed->log, &seen);
}

static void walk_tasks(struct feed *feed, const uint8_t *step)
{
	u32 n = step[1] % 8, i;
	struct bcos_seen *seen = test_host.alloc(&feed->host, n * sizeof(*seen));

	for (i = 0; seen && i < n; i++) {
		seen[i] = (struct bcos_seen){ .id = 1 + (step[2] + i) % 30, .tag = (step[3] + i) % 4,
					      .start = feed->time, .hidden = step[3] >> i & 1 };
		memcpy(seen[i].name, names[(step[2] + i) % 8], strlen(names[(step[2] + i) % 8]));
	}
	if (!seen)
		return;
	bcos_log_walked(&feed->log, seen, n, feed->time - step[2] % 64, feed->time + step[3] % 16);
	if (step[1] & 0x80)
		walk_devices(feed, step);
}

/* Makes events of any subject, existing or not, and records of CPUs and threads that rest. */
static struct feed_record say_something(const uint8_t *step, u32 id, u32 tag)
{
	static const char text[] = "text \xFF with \xC3\xA4 bytes of all kinds";
	u16 subject = (u16)(step[3] << 9 & BCOS_TYPE_SUBJECT_MASK);
	u32 event = step[1];

	switch (step[3] >> 6) {
	case 0: return record_plain(BCOS_RAW_IDLE, step[1] & 1 ? BCOS_RAW_AWAKE : step[1], 0);
	case 1: return record_pair(BCOS_RAW_STATE, id, (step[3] & 7) | (step[2] & 3) << 8, step[1], step[2]);
	case 2:
		if (step[3] & 1)
			return record_limits(step[1], step[2], step[3]);
		return record_check(step[1] == 0xFF ? ~0u : step[1], (u64)step[2] << 56, step[3], step[1], step[2]);
	default:
		/*
		 * Producers of events refuse an ID that is reserved: see module/capture/request.c and
		 * module/capture/event.c.
		 */
		if (!bcos_event_id_valid(subject, event))
			event |= BCOS_EVENT_OWN;
		return record_event(BCOS_RAW_EVENT, subject, id, tag, event, step[2], text, step[1] % sizeof(text));
	}
}

/* Applies a record. One kind in sixteen is that of no record. The time may stand still, and go back a little. */
static void apply_step(struct feed *feed, const uint8_t *step)
{
	static const u8 kinds[16] = {
		0, BCOS_RAW_SWITCH, BCOS_RAW_IRQ, BCOS_RAW_IRQ_NAME, BCOS_RAW_BIRTH, BCOS_RAW_HELPER, BCOS_RAW_EXEC,
		BCOS_RAW_RENAME, BCOS_RAW_EXIT, BCOS_RAW_DEAD, BCOS_RAW_SIGNAL, BCOS_RAW_VICTIM, BCOS_RAW_CPU_DOWN,
		BCOS_RAW_DEVICE, BCOS_RAW_EVENT, BCOS_RAW_ASSIGN,
	};
	u8 kind = kinds[step[0] & 15];
	u32 cpu = step[0] >> 4 & (CPUS - 1), id = 1 + step[1] % 30, tag = step[2] & 3,
		status = step[3] | (u32)step[2] << 8;
	const char *name = names[step[3] & 7];
	struct bcos_loss loss = { feed->time - step[3], feed->time, { step[1] & 1, step[2] & 3, step[3] & 3 },
				  step[2] >> 6 };
	static const char text[32] = "one\0\"two\\\0\xC3\xA4\xFF\0three\n";
	struct feed_record record;

	feed->time += step[2] >> 4;
	if (step[2] == 0xFF)
		feed->time -= 9;
	switch (kind) {
	case 0:
		if (step[0] & 0x80)
			bcos_log_lost(&feed->log, cpu, &loss);
		else
			walk_tasks(feed, step);
		return;
	case BCOS_RAW_SWITCH:
		record = record_plain(kind, step[1] & 0x80 ? step[1] & 1 ? BCOS_PROCESS_IDLE : 0 : id, 0);
		break;
	case BCOS_RAW_ASSIGN:
		record = record_event(kind, 0, 0, tag, 0, 0, "", 0);
		record.raw.id = id;
		record.event.precision = status;
		break;
	case BCOS_RAW_IRQ:
		record = record_plain(kind, step[1] & 7, tag);
		break;
	case BCOS_RAW_IRQ_NAME:
		record = record_irq(step[1] & 7, step[1] & 8, (u16)tag, name);
		break;
	case BCOS_RAW_SIGNAL:
		record = record_plain(kind, id, (u16)(step[3] | (tag & 1) << 15));
		if (step[1] & 0x80) {
			record.raw.units = 3;
			record.victim = (struct bcos_raw_life){ .tag = tag, .status = ~0u / (step[2] | 1) };
			record.sender = (struct bcos_raw_sender){ .id = step[2] % 30, .tag = step[1] & 3,
								  .user = step[2] };
		}
		break;
	case BCOS_RAW_EXEC:
		/* The exec has a plain record, or one with the program that it runs. */
		record = record_life(kind, id, 0, tag, 0, name);
		if (step[1] & 0x80)
			record = record_program(id, tag, step[2], step[3] & 15, name, names[step[1] >> 5 & 3], text,
						step[2] & 31);
		if (step[1] & 0x40)
			record.program.path ^= (u16)(step[3] << 8);
		break;
	case BCOS_RAW_VICTIM:
		record = record_plain(kind, id, 0);
		break;
	case BCOS_RAW_CPU_DOWN:
		record = record_plain(kind, step[1] & (CPUS - 1), 0);
		/* Another CPU must record it, which must have run something before. */
		if (record.raw.id == cpu || !feed->log.model.cpus[cpu].online)
			return;
		break;
	case BCOS_RAW_DEVICE:
		record = of_device(step, id, tag);
		break;
	case BCOS_RAW_EVENT:
		record = say_something(step, id, tag);
		break;
	case BCOS_RAW_EXIT:
	case BCOS_RAW_DEAD:
		record = record_life(kind, id, (u16)(step[1] >> 7), tag, status, NULL);
		break;
	default:
		record = record_life(kind, id, step[1] >> 7, tag, step[1] & 0x80 ? step[3] % 30 : 0, name);
	}
	feed_apply(feed, cpu, &record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed feed = { 0 };
	struct bcos_seen seen[] = { { .id = 1, .tag = 1, .start = 5, .name = "init" },
				    { .id = 2, .tag = 2, .hidden = true } };
	size_t at;

	if (size < 1)
		return 0;
	feed.host.cpus_per_core = 1 + (data[0] & 1);
	feed.host.fail_at = data[0] & 2 ? 20 + data[0] / 4 : 0;
	feed.host.fail_for = 3;
	feed.flags = ORACLE_LOSSES;
	if (feed_init(&feed, 256 << 10, CPUS) || feed_prime(&feed, 2, seen, 2, 1000))
		abort();
	/* Half of the streams begin before the log begins. */
	if (data[0] & 4)
		feed.time = 900;
	for (at = 1; at + 4 <= size; at += 4)
		apply_step(&feed, data + at);
	feed_pass(&feed, feed.time > 1000 ? feed.time + 100 : 1000);
	feed_check(&feed);
	feed_end(&feed);
	return 0;
}
