// SPDX-License-Identifier: GPL-2.0-only
/* Reads and writes classes of events as people write them: see class.h. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "class.h"

static const struct {
	const char *name;
	u32 bits;
} bcos_classes[] = {
	{ "assign", BCOS_CLASS_ASSIGN },
	{ "irq", BCOS_CLASS_IRQ },
	{ "user", BCOS_CLASS_USER },
	{ "kmsg", BCOS_CLASS_KMSG },
	{ "io", BCOS_CLASS_IO },
	{ "api", BCOS_CLASS_API },
	{ "kernel_time", BCOS_CLASS_KERNEL_TIME },
	{ "idle", BCOS_CLASS_IDLE },
	{ "state", BCOS_CLASS_STATE },
	{ "who", BCOS_CLASS_WHO },
	{ "exec", BCOS_CLASS_EXEC },
};

/* Parses one number or name of @length bytes. */
static int bcos_class_word(const char *word, size_t length, u32 *bits)
{
	char text[16];
	size_t i;

	if (!length || length >= sizeof(text))
		return -EINVAL;
	memcpy(text, word, length);
	text[length] = 0;
	if (!strcmp(text, "all")) {
		*bits = BCOS_CLASS_ALL;
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(bcos_classes); i++) {
		if (strcmp(text, bcos_classes[i].name))
			continue;
		*bits = bcos_classes[i].bits;
		return 0;
	}
	if (kstrtouint(text, 0, bits))
		return -EINVAL;
	if (*bits == BCOS_CLASS_EVERY)
		*bits = BCOS_CLASS_ALL;
	return *bits & ~BCOS_CLASS_ALL ? -EINVAL : 0;
}

int bcos_classes_parse(const char *text, u32 *mask)
{
	u32 result = 0, bits;
	size_t length;

	for (;;) {
		length = strcspn(text, ",\n");
		if (bcos_class_word(text, length, &bits))
			return -EINVAL;
		result |= bits;
		text += length;
		if (*text != ',')
			break;
		text++;
	}
	if (text[0] == '\n')
		text++;
	if (text[0])
		return -EINVAL;
	*mask = result;
	return 0;
}

int bcos_classes_format(char *text, size_t size, u32 mask)
{
	size_t i;
	int at = 0;

	for (i = 0; i < ARRAY_SIZE(bcos_classes); i++)
		if (mask & bcos_classes[i].bits)
			at += scnprintf(text + at, size - at, "%s%s", at ? "," : "",
					bcos_classes[i].name);
	if (!at)
		at = scnprintf(text, size, "0");
	return at;
}
