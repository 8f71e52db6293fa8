// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The sums of an image: see image.h. */
#include "image.h"

/* Each step maps different sums to different sums, and different words likewise. */
u64 bcos_image_sum(u64 sum, const void *data, u64 size)
{
	const u8 *byte = data;
	u64 word, at;

	for (at = 0; at < size; at += sizeof(word)) {
		memcpy(&word, byte + at, sizeof(word));
		sum = (sum ^ word) * 0x9E3779B97F4A7C15ull;
		sum ^= sum >> 32;
	}
	return sum;
}

/* Returns the sum of the bytes between two addresses. */
static u64 sum_between(const void *first, const void *end)
{
	return bcos_image_sum(BCOS_IMAGE_SUM, first, (u64)((const u8 *)end - (const u8 *)first));
}

u64 bcos_image_header_sum(const struct bcos_image_header *header)
{
	return sum_between(&header->page_size, &header->state);
}

u64 bcos_image_stages_sum(const struct bcos_image_stage *stage, u32 stages)
{
	return sum_between(stage, stage + stages);
}

u64 bcos_image_pass_sum(const struct bcos_image_pass *pass, u32 stages)
{
	u32 segments = pass->segments <= BCOS_IMAGE_SEGMENTS ? pass->segments : 0;
	u64 sum = sum_between(&pass->sequence, &pass->segment[segments]);

	sum = bcos_image_sum(sum, &pass->missed,
			     sizeof(pass->missed) + sizeof(pass->reserved2));
	return bcos_image_sum(sum, pass->source, stages * sizeof(pass->source[0]));
}

u64 bcos_image_devices_sum(const struct bcos_image_devices *devices)
{
	return sum_between(&devices->generation, &devices->device[devices->count]);
}

u64 bcos_image_seal_sum(const struct bcos_image_seal *seal, u32 stages)
{
	return sum_between(&seal->kind, &seal->head[stages]);
}

u64 bcos_image_kmsg_sum(const struct bcos_image_kmsg *kmsg)
{
	return sum_between(&kmsg->length, kmsg->text + ((kmsg->length + 7) & ~7ull));
}
