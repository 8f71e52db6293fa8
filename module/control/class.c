// SPDX-License-Identifier: GPL-2.0-only
/* Reads and writes classes of events as people write them: see class.h. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "class.h"
#include "core/format/statement_text.h"

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
	for (i = 0; i < BCOS_CLASSES; i++) {
		if (strcmp(text, bcos_class_names[i]))
			continue;
		*bits = 1u << i;
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

	for (i = 0; i < BCOS_CLASSES; i++)
		if (mask >> i & 1)
			at += scnprintf(text + at, size - at, "%s%s", at ? "," : "",
					bcos_class_names[i]);
	if (!at)
		at = scnprintf(text, size, "0");
	return at;
}
