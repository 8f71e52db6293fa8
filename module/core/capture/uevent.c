// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds out what uevents mean: see uevent.h. */
#include "core/format/entry.h"
#include "uevent.h"

/*
 * Returns the value of @key, or an empty string if the event lacks @key. An event consists of
 * "KEY=VALUE" strings. Each string ends with a zero byte, also the last one.
 */
static const char *value_of(const char *event, size_t length, const char *key)
{
	const char *at = event, *end = event + length;
	size_t size = strlen(key);

	for (; at < end; at += strnlen(at, (size_t)(end - at)) + 1)
		if ((size_t)(end - at) > size && !strncmp(at, key, size) && at[size] == '=')
			return at + size + 1;
	return "";
}

/*
 * Sets *@value to the number that @key has. Returns false if @key is missing or its value is no
 * number.
 */
static bool number_of(const char *event, size_t length, const char *key, u32 *value)
{
	const char *at = value_of(event, length, key);

	if (!*at)
		return false;
	for (*value = 0; *at >= '0' && *at <= '9'; at++)
		*value = *value * 10 + (u32)(*at - '0');
	return !*at;
}

static const char *last_of(const char *path)
{
	const char *last = path;

	for (; *path; path++)
		if (*path == '/')
			last = path + 1;
	return last;
}

/* Returns the text for the change of a disk, or NULL if the change is not recorded. */
static const char *change_of(const char *event, size_t length)
{
	if (!strcmp(value_of(event, length, "DISK_MEDIA_CHANGE"), "1"))
		return "media change";
	if (!strcmp(value_of(event, length, "DISK_EJECT_REQUEST"), "1"))
		return "eject request";
	if (!strcmp(value_of(event, length, "RESIZE"), "1"))
		return "size change";
	return NULL;
}

void bcos_announced_parse(struct bcos_announcement *what, const char *event, size_t length)
{
	const char *action, *subsystem, *path;
	u32 major, minor, range;

	memset(what, 0, sizeof(*what));
	if (!length || event[length - 1])
		return;
	action = value_of(event, length, "ACTION");
	subsystem = value_of(event, length, "SUBSYSTEM");
	path = value_of(event, length, "DEVPATH");
	if (!number_of(event, length, "MAJOR", &major) ||
	    !number_of(event, length, "MINOR", &minor))
		return;
	if (!strcmp(subsystem, "block")) {
		what->text = change_of(event, length);
		if (what->text && !strcmp(action, "change") &&
		    !strcmp(value_of(event, length, "DEVTYPE"), "disk"))
			what->what = BCOS_ANNOUNCED_CHANGES;
		what->key = BCOS_RAW_DISK(major, minor);
		return;
	}
	range = bcos_announced_range(subsystem, last_of(path),
				     !strncmp(path, "/devices/virtual/", 17));
	if (!range)
		return;
	if (!strcmp(action, "add"))
		what->what = BCOS_ANNOUNCED_COMES;
	else if (!strcmp(action, "remove"))
		what->what = BCOS_ANNOUNCED_GOES;
	what->key = bcos_announced_key(range, major, minor);
	what->subsystem = subsystem;
	what->path = path;
}

/*
 * Is this the name of a PCI function ("0000:00:04.0") or a USB interface ("1-1:1.0")? The buses
 * above these serve other devices, too.
 */
static bool is_last(const char *name, size_t length)
{
	return memchr(name, ':', length) && memchr(name, '.', length);
}

size_t bcos_announced_names(char *names, const struct bcos_announcement *what)
{
	const char *name = last_of(what->path), *end = name > what->path ? name - 1 : name;
	char bus[BCOS_DEVICE_NAME_MAX];
	size_t at, length;

	bcos_announced_name(names, BCOS_DEVICE_NAME_MAX, what->subsystem, name);
	at = strlen(names) + 1;
	/* The ancestors of other USB devices serve further devices, too. */
	while (BCOS_RAW_RANGE(what->key) == BCOS_DEVICE_USER_IO && end > what->path) {
		for (name = end; name > what->path && name[-1] != '/'; name--)
			;
		length = (size_t)(end - name);
		/* "/devices" is the parent of every device. */
		if (name <= what->path + 1 || length >= sizeof(bus))
			break;
		memcpy(bus, name, length);
		bus[length] = 0;
		/* A directory between two devices bears the name of their subsystem. */
		if (strcmp(bus, what->subsystem))
			at = bcos_append_name(names, at, bus);
		if (is_last(bus, length))
			break;
		end = name - 1;
	}
	return at;
}
