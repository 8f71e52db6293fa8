// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes entries of devices: names, transfers, interrupts. */
#include "write.h"

/* Bits in the field rwbs of block_rq_complete, and the value for an unknown sector. */
#define RWBS_WRITE 1
#define RWBS_READ 4
#define SECTOR_UNKNOWN (~0ull)

static void put_device_comm(struct ctf_writer *writer, struct ctf_event *event, u32 id)
{
	const struct bcoslog_device *device = bcoslog_device(writer->state, id);

	if (device)
		ctf_put_text(event, device->name, device->name_length);
	else
		ctf_put_text(event, "?", 1);
}

static void put_block(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_event event = ctf_begin(writer, NULL, CTF_BLOCK_RQ_COMPLETE, entry);
	u32 bytes = ((const struct bcos_device_io *)entry)->bytes;

	ctf_put(&event, entry->source);
	ctf_put(&event, SECTOR_UNKNOWN);
	ctf_put(&event, bytes / 512);
	ctf_put_signed(&event, 0);
	ctf_put(&event, entry->type == BCOS_DEVICE_OUTPUT ? RWBS_WRITE : RWBS_READ);
	ctf_put(&event, bytes);
}

static void put_packet(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	bool out = entry->type == BCOS_DEVICE_OUTPUT;
	struct ctf_event event = ctf_begin(writer, NULL, out ? CTF_NET_DEV_XMIT : CTF_NET_IF_RECEIVE_SKB, entry);

	ctf_put(&event, 0);
	if (out)
		ctf_put_signed(&event, 0);
	ctf_put(&event, ((const struct bcos_device_io *)entry)->bytes);
	put_device_comm(writer, &event, entry->source);
	ctf_put(&event, entry->source);
}

void ctf_put_transfer(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	if (entry->source < BCOS_DEVICE_NETWORK)
		put_block(writer, entry);
	else if (entry->source < BCOS_DEVICE_USER_IO)
		put_packet(writer, entry);
	else
		ctf_put_fields(writer, NULL, entry);
}

/*
 * A log only has the moment of an interrupt. An exit follows at the same time, since viewers would otherwise take all
 * that follows for a part of the handler.
 */
void ctf_put_irq(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	u32 number = ((const struct bcos_irq *)entry)->number;
	s32 irq = ctf_irq(writer, entry->source, number);
	struct ctf_event event = ctf_begin(writer, NULL, CTF_IRQ_HANDLER_ENTRY, entry);

	ctf_put_signed(&event, irq);
	put_device_comm(writer, &event, entry->source);
	ctf_put(&event, entry->source);
	ctf_put(&event, number);
	event = ctf_begin(writer, NULL, CTF_IRQ_HANDLER_EXIT, entry);
	ctf_put_signed(&event, irq);
	ctf_put_signed(&event, 1);
}
