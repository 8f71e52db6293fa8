// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Entries of the log: see entry.h. */
#include "entry.h"

#define FIELD(n, u, s, m, w, k, f)                                                                 \
	{                                                                                          \
		.name = (n), .unit = (u), .offset = offsetof(struct s, m), .width = (w),           \
		.kind = BCOS_KIND_##k, .form = BCOS_FORM_##f                                       \
	}
#define NUMBER(n, u, s, m, k)	FIELD(n, u, s, m, sizeof_field(struct s, m), k, NUMBER)
#define LIST(n, u, s, m, k)	FIELD(n, u, s, m, sizeof_field(struct s, m[0]), k, LIST)
#define STRING(n, s, m, k)	FIELD(n, NULL, s, m, 1, k, STRING)

#define COMMON(n, k)                                                                               \
	{                                                                                          \
		NUMBER(n, NULL, bcos_entry, source, k),                                            \
		NUMBER("time", "ns", bcos_entry, time, TIME),                                      \
		NUMBER("precision", "ns", bcos_entry, precision, DURATION),                        \
	}

const struct bcos_field bcos_common[4][BCOS_COMMON_FIELDS] = {
	COMMON("process", PROCESS),
	COMMON("core", CORE),
	COMMON("cpu", CPU),
	COMMON("device", DEVICE),
};

static const struct bcos_field name_fields[] = {
	STRING("name", bcos_process_name, name, NAME),
};

static const struct bcos_field status_fields[] = {
	NUMBER("status", NULL, bcos_cancel_name, status, STATUS),
};

static const struct bcos_field generic_fields[] = {
	NUMBER("event", NULL, bcos_generic, event_id, EVENT),
	NUMBER("severity", NULL, bcos_generic, severity, SEVERITY),
	STRING("text", bcos_generic, text, TEXT),
};

static const struct bcos_field functions_fields[] = {
	LIST("functions", NULL, bcos_kernel_api, function, FUNCTION),
};

static const struct bcos_field power_fields[] = {
	NUMBER("idle_power", "2 mW", bcos_core_online, idle_power, POWER),
	NUMBER("power_difference", "2 mW", bcos_core_online, power_difference, POWER),
	LIST("performance", "instructions / 125 us", bcos_core_online, performance, PERFORMANCE),
};

static const struct bcos_field core_fields[] = {
	NUMBER("core", NULL, bcos_cpu_online, core, CORE),
};

static const struct bcos_field assign_fields[] = {
	NUMBER("process", NULL, bcos_assign_cpu, process, RUNNING),
};

static const struct bcos_field device_fields[] = {
	NUMBER("driver", NULL, bcos_device_name, driver, PROCESS),
	STRING("name", bcos_device_name, name, NAME),
};

static const struct bcos_field bytes_fields[] = {
	NUMBER("bytes", "bytes", bcos_device_io, bytes, BYTES),
};

static const struct bcos_field irq_fields[] = {
	NUMBER("irq", NULL, bcos_irq, number, INTERRUPT),
};

/* Loops compute where the fields of a type end, which C allows for any pointer but NULL. */
static const struct bcos_field no_fields[1];

static const struct bcos_field payload_fields[] = {
	{
		.name = "payload", .offset = sizeof(struct bcos_entry), .width = 1,
		.kind = BCOS_KIND_PAYLOAD, .form = BCOS_FORM_BYTES
	},
};

#define TYPE(t, f, c, n, x, s)                                                                     \
	{                                                                                          \
		.type = (t), .minimum = (n), .fixed = (x), .count = (c), .name = (s),              \
		.fields = (f)                                                                      \
	}
#define COUNT(f)	    (sizeof(f##_fields) / sizeof(f##_fields[0]))
#define SIZED(t, f, n, s) TYPE(t, f##_fields, COUNT(f), n, true, s)
#define OPEN(t, f, n, s) TYPE(t, f##_fields, COUNT(f), n, false, s)

const struct bcos_type bcos_types[BCOS_TYPES] = {
	OPEN(BCOS_SET_PROCESS_NAME, name, 20, "Set Process Name"),
	SIZED(BCOS_CANCEL_PROCESS_NAME, status, 24, "Cancel Process Name"),
	OPEN(BCOS_GENERIC_PROCESS, generic, 28, "Generic Process"),
	OPEN(BCOS_KERNEL_API, functions, 20, "Kernel API"),
	OPEN(BCOS_CORE_ONLINE, power, 24, "Core Online"),
	TYPE(BCOS_CORE_OFFLINE, no_fields, 0, 20, true, "Core Offline"),
	OPEN(BCOS_GENERIC_CORE, generic, 28, "Generic Core"),
	SIZED(BCOS_CPU_ONLINE, core, 24, "CPU Online"),
	TYPE(BCOS_CPU_OFFLINE, no_fields, 0, 20, true, "CPU Offline"),
	SIZED(BCOS_ASSIGN_CPU, assign, 24, "Assign CPU"),
	OPEN(BCOS_GENERIC_CPU, generic, 28, "Generic CPU"),
	OPEN(BCOS_SET_DEVICE_NAME, device, 24, "Set Device Name"),
	SIZED(BCOS_CANCEL_DEVICE_NAME, status, 24, "Cancel Device Name"),
	SIZED(BCOS_DEVICE_INPUT, bytes, 24, "Device Input"),
	SIZED(BCOS_DEVICE_OUTPUT, bytes, 24, "Device Output"),
	OPEN(BCOS_GENERIC_DEVICE, generic, 28, "Generic Device"),
	SIZED(BCOS_IRQ, irq, 24, "IRQ"),
	OPEN(BCOS_HIST_SET_PROCESS_NAME, name, 20, "Historical Set Process Name"),
	OPEN(BCOS_HIST_CORE_ONLINE, power, 24, "Historical Core Online"),
	SIZED(BCOS_HIST_CPU_ONLINE, core, 24, "Historical CPU Online"),
	SIZED(BCOS_HIST_ASSIGN_CPU, assign, 24, "Historical Assign CPU"),
	OPEN(BCOS_HIST_SET_DEVICE_NAME, device, 24, "Historical Set Device Name"),
};

const struct bcos_type bcos_undefined = TYPE(0, payload_fields, 1, 20, false, NULL);

/*
 * Index into bcos_types: a row for each value of the top three bits of the type, a column for each
 * of the low five bits.
 */
#define AT(n) ((n) + 1)
static const u8 index_of[8][32] = {
	[0] = { [0x00] = AT(0), [0x01] = AT(1), [0x10] = AT(2), [0x11] = AT(3) },
	[1] = { [0x00] = AT(4), [0x01] = AT(5), [0x10] = AT(6) },
	[2] = { [0x00] = AT(7), [0x01] = AT(8), [0x02] = AT(9), [0x10] = AT(10) },
	[3] = { [0x00] = AT(11), [0x01] = AT(12), [0x02] = AT(13), [0x03] = AT(14),
		[0x10] = AT(15), [0x11] = AT(16) },
	[4] = { [0x00] = AT(17) },
	[5] = { [0x00] = AT(18) },
	[6] = { [0x00] = AT(19), [0x02] = AT(20) },
	[7] = { [0x00] = AT(21) },
};

const struct bcos_type *bcos_type_of(u16 type)
{
	u8 at;

	if (type & 0x1FE0)
		return NULL;
	at = index_of[type >> 13][type & 0x1F];
	return at ? &bcos_types[at - 1] : NULL;
}

/* Returns the offset of the string, which is the last field, or 0 if the type has none. */
static size_t text_offset(const struct bcos_type *type)
{
	const struct bcos_field *last;

	if (type->fixed)
		return 0;
	last = &type->fields[type->count - 1];
	return last->form == BCOS_FORM_STRING ? last->offset : 0;
}

/* There are rarely more than three zeros at the end. */
size_t bcos_string_length(const char *text, size_t room)
{
	while (room && !text[room - 1])
		room--;
	return room;
}

/* Returns the length of the string at @offset of a well-formed entry. */
static size_t text_length(const struct bcos_entry *entry, size_t offset)
{
	if (offset >= entry->size)
		return 0;
	return bcos_string_length((const char *)entry + offset, entry->size - offset);
}

static enum bcos_malformed check_text(const char *text, size_t room)
{
	size_t length = bcos_string_length(text, room);

	if (bcos_utf8_valid(text, length))
		return BCOS_WELL_FORMED;
	return bcos_utf8_valid(text, strnlen(text, length)) ? BCOS_BAD_PADDING : BCOS_BAD_TEXT;
}

static bool is_generic(const struct bcos_type *type)
{
	return type->fields == generic_fields;
}

/*
 * Returns the smallest size that readers accept. A generic event needs no more than its ID, since
 * trailing zeros may be left out (module/DESIGN.md, 3.4).
 */
static size_t least_size(const struct bcos_type *type)
{
	return is_generic(type) ? BCOS_GENERIC_MIN : type->minimum;
}

enum bcos_malformed bcos_entry_check(const void *bytes, size_t available)
{
	const struct bcos_type *type;
	struct bcos_entry header;
	size_t text;

	if (available < sizeof(header.size))
		return BCOS_TRUNCATED;
	memcpy(&header.size, bytes, sizeof(header.size));
	if (header.size < BCOS_ENTRY_MIN)
		return BCOS_BAD_SIZE;
	if (header.size > available)
		return BCOS_TRUNCATED;
	memcpy(&header, bytes, sizeof(header));
	type = bcos_type_of(header.type);
	if (!type)
		return BCOS_WELL_FORMED;
	if (header.size < least_size(type))
		return BCOS_BAD_LENGTH;
	text = text_offset(type);
	if (!text || text >= header.size)
		return BCOS_WELL_FORMED;
	return check_text((const char *)bytes + text, header.size - text);
}

enum bcos_unusual bcos_entry_unusual(const struct bcos_entry *entry)
{
	const struct bcos_type *type = bcos_type_of(entry->type);
	size_t text, length;

	if (entry->size % 4)
		return BCOS_ODD_SIZE;
	if (!type)
		return BCOS_USUAL;
	if (entry->size < type->minimum)
		return BCOS_SHORT;
	if (type->fixed)
		return entry->size > type->minimum ? BCOS_LONG : BCOS_USUAL;
	text = text_offset(type);
	if (!text)
		return BCOS_USUAL;
	length = text_length(entry, text);
	if (!length && !is_generic(type))
		return BCOS_EMPTY_NAME;
	return entry->size - text - length > 3 ? BCOS_MUCH_PADDING : BCOS_USUAL;
}

const char *bcos_entry_text(const struct bcos_entry *entry, size_t *length)
{
	const struct bcos_type *type = bcos_type_of(entry->type);
	size_t offset = type ? text_offset(type) : 0;
	const char *text = (const char *)entry + offset;

	if (!offset)
		return NULL;
	*length = text_length(entry, offset);
	return text;
}

size_t bcos_utf8_character(const char *bytes, size_t length)
{
	const u8 *text = (const u8 *)bytes;
	static const u32 smallest[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n, i;
	u32 code;

	if (!length || !text[0])
		return 0;
	if (text[0] < 0x80)
		return 1;
	if (text[0] < 0xC2 || text[0] > 0xF4)
		return 0;
	n = text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
	if (length < n)
		return 0;
	code = text[0] & (0x7F >> n);
	for (i = 1; i < n; i++) {
		if ((text[i] & 0xC0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3F);
	}
	if (code < smallest[n] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
		return 0;
	return n;
}

/* Are all bytes of @word ASCII, and none of them zero? */
static bool is_ascii(u64 word)
{
	return !(((word - 0x0101010101010101ull) | word) & 0x8080808080808080ull);
}

bool bcos_utf8_valid(const char *text, size_t length)
{
	const char *at = text;
	u64 word;
	size_t n;

	while (length) {
		/* Text is nearly always ASCII, so look at eight such bytes at a time. */
		if (length >= sizeof(word)) {
			memcpy(&word, at, sizeof(word));
			if (is_ascii(word)) {
				at += sizeof(word);
				length -= sizeof(word);
				continue;
			}
		} else if (at - text >= (ptrdiff_t)sizeof(word)) {
			/* The last 8 bytes may include bytes that are checked already. */
			memcpy(&word, at + length - sizeof(word), sizeof(word));
			if (is_ascii(word))
				return true;
		}
		n = bcos_utf8_character(at, length);
		if (!n)
			return false;
		at += n;
		length -= n;
	}
	return true;
}

size_t bcos_utf8_clean(char *to, size_t size, const char *from, size_t length)
{
	static const char replacement[3] = { '\xEF', '\xBF', '\xBD' };
	size_t done = 0, n, out;
	u64 word;

	length = strnlen(from, length);
	/* Names are nearly always ASCII, so copy eight such bytes at a time. */
	while (length >= sizeof(word) && size - done >= sizeof(word)) {
		memcpy(&word, from, sizeof(word));
		if (word & 0x8080808080808080ull)
			break;
		memcpy(to + done, &word, sizeof(word));
		done += sizeof(word);
		from += sizeof(word);
		length -= sizeof(word);
	}
	while (length && (u8)*from < 0x80 && done < size) {
		to[done++] = *from++;
		length--;
	}
	while (length) {
		n = bcos_utf8_character(from, length);
		out = n ? n : sizeof(replacement);
		if (done + out > size)
			break;
		memcpy(to + done, n ? from : replacement, out);
		done += out;
		n = n ? n : 1;
		from += n;
		length -= n;
	}
	return done;
}

size_t bcos_name_clean(char *to, size_t size, const char *from, size_t length)
{
	size_t done = bcos_utf8_clean(to, size, from, length);

	if (!done)
		to[done++] = '?';
	return done;
}
