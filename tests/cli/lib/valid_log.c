// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* This is the valid log of valid_log.h. */
#include "valid_log.h"

#include <string.h>

static void put_entry(struct list *list, enum label label, uint16_t type, uint32_t source, uint64_t time,
		      const void *body, size_t size)
{
	struct entry *entry = &list->entry[list->count++];
	struct bcos_entry header = { .type = type, .source = source, .time = time, .precision = 1 };

	memset(entry, 0, sizeof(*entry));
	entry->label = label;
	entry->size = (uint16_t)(sizeof(struct bcos_entry) + ((size + 3) & ~(size_t)3));
	header.size = entry->size;
	memcpy(entry->bytes, &header, sizeof(header));
	if (size)
		memcpy(entry->bytes + sizeof(header), body, size);
}

static void put_name(struct list *list, enum label label, uint16_t type, uint32_t source,
		     uint64_t time, const char *name)
{
	put_entry(list, label, type, source, time, name, strlen(name));
}

static void put_word(struct list *list, enum label label, uint16_t type, uint32_t source,
		     uint64_t time, uint32_t word)
{
	put_entry(list, label, type, source, time, &word, sizeof(word));
}

static void put_device(struct list *list, enum label label, uint16_t type, uint32_t source,
		       uint64_t time, uint32_t driver, const char *name)
{
	char body[32];

	memcpy(body, &driver, sizeof(driver));
	memcpy(body + sizeof(driver), name, strlen(name));
	put_entry(list, label, type, source, time, body, sizeof(driver) + strlen(name));
}

static void put_event(struct list *list, enum label label, uint16_t type, uint32_t source,
		      uint64_t time, const char *text)
{
	char body[32] = { 0 };

	body[4] = BCOS_SEVERITY_INFO;
	memcpy(body + 5, text, strlen(text));
	put_entry(list, label, type, source, time, body, 5 + strlen(text));
}

static void put_core(struct list *list, enum label label, uint16_t type, uint32_t source,
		     uint64_t time)
{
	static const uint32_t body[] = { 0, 250000, 500000 };

	put_entry(list, label, type, source, time, body, sizeof(body));
}

static void put_beginning(struct list *list)
{
	put_core(list, H_CORE, BCOS_HIST_CORE_ONLINE, 0, 10);
	put_word(list, H_CPU0, BCOS_HIST_CPU_ONLINE, 0, 10, 0);
	put_word(list, H_CPU1, BCOS_HIST_CPU_ONLINE, 1, 20, 0);
	put_name(list, H_KERNEL, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	put_name(list, H_INIT, BCOS_HIST_SET_PROCESS_NAME, 100, 30, "init");
	put_device(list, H_SELF, BCOS_HIST_SET_DEVICE_NAME, BCOS_DEVICE_SELF, 40, 0, "bcos_evlog");
	put_device(list, H_DISK, BCOS_HIST_SET_DEVICE_NAME, 0, 41, 100, "disk");
	put_word(list, H_ASSIGN0, BCOS_HIST_ASSIGN_CPU, 0, 900, 0);
	put_word(list, H_ASSIGN1, BCOS_HIST_ASSIGN_CPU, 1, 950, BCOS_PROCESS_IDLE);
}

static void put_middle(struct list *list)
{
	static const uint32_t calls[] = { 1, 2, 2 };

	put_name(list, BIRTH, BCOS_SET_PROCESS_NAME, 200, 1000, "sh");
	put_word(list, ASSIGN, BCOS_ASSIGN_CPU, 0, 1010, 200);
	put_name(list, RENAME, BCOS_SET_PROCESS_NAME, 200, 1020, "busybox");
	put_device(list, LINE, BCOS_SET_DEVICE_NAME, OTHER, 1030, 0, "ttyS0");
	put_word(list, IRQ, BCOS_IRQ, OTHER, 1030, 0);
	put_device(list, TUN, BCOS_SET_DEVICE_NAME, NET, 1040, 200, "tun0");
	put_word(list, PACKET, BCOS_DEVICE_INPUT, NET, 1050, 1500);
	put_event(list, EVENT, BCOS_GENERIC_PROCESS, 200, 1060, "hello");
	put_entry(list, CALLS, BCOS_KERNEL_API, 200, 1070, calls, sizeof(calls));
	put_core(list, CORE, BCOS_CORE_ONLINE, 1, 1080);
	put_word(list, CPU, BCOS_CPU_ONLINE, 2, 1080, 1);
	put_word(list, ASSIGN2, BCOS_ASSIGN_CPU, 2, 1080, BCOS_PROCESS_IDLE);
	put_event(list, CORE_EVENT, BCOS_GENERIC_CORE, 1, 1090, "hot");
	put_event(list, CPU_EVENT, BCOS_GENERIC_CPU, 2, 1090, "idle");
	put_event(list, DEVICE_EVENT, BCOS_GENERIC_DEVICE, OTHER, 1090, "wet");
	put_core(list, CORE2, BCOS_CORE_ONLINE, 0, 1091);
}

static void put_second_group(struct list *list)
{
	put_core(list, G_CORE0, BCOS_HIST_CORE_ONLINE, 0, 10);
	put_core(list, G_CORE1, BCOS_HIST_CORE_ONLINE, 1, 1080);
	put_word(list, G_CPU0, BCOS_HIST_CPU_ONLINE, 0, 10, 0);
	put_word(list, G_CPU1, BCOS_HIST_CPU_ONLINE, 1, 20, 0);
	put_word(list, G_CPU2, BCOS_HIST_CPU_ONLINE, 2, 1080, 1);
	put_name(list, G_KERNEL, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	put_name(list, G_INIT, BCOS_HIST_SET_PROCESS_NAME, 100, 30, "init");
	put_name(list, G_SHELL, BCOS_HIST_SET_PROCESS_NAME, 200, 1000, "busybox");
	put_device(list, G_DISK, BCOS_HIST_SET_DEVICE_NAME, 0, 41, 100, "disk");
	put_device(list, G_NET, BCOS_HIST_SET_DEVICE_NAME, NET, 1040, 200, "tun0");
	put_device(list, G_SELF, BCOS_HIST_SET_DEVICE_NAME, BCOS_DEVICE_SELF, 40, 0, "bcos_evlog");
	put_device(list, G_LINE, BCOS_HIST_SET_DEVICE_NAME, OTHER, 1030, 0, "ttyS0");
	put_word(list, G_ASSIGN0, BCOS_HIST_ASSIGN_CPU, 0, 1010, 200);
	put_word(list, G_ASSIGN1, BCOS_HIST_ASSIGN_CPU, 1, 950, BCOS_PROCESS_IDLE);
	put_word(list, G_ASSIGN2, BCOS_HIST_ASSIGN_CPU, 2, 1080, BCOS_PROCESS_IDLE);
}

static void put_end(struct list *list)
{
	put_name(list, STATED, BCOS_HIST_SET_PROCESS_NAME, 100, 30, "init");
	put_word(list, UNTUN, BCOS_CANCEL_DEVICE_NAME, NET, 1100, 0);
	put_word(list, LEAVES, BCOS_ASSIGN_CPU, 0, 1100, 0);
	put_word(list, DEATH, BCOS_CANCEL_PROCESS_NAME, 200, 1100, BCOS_STATUS_OWNER + 9);
	put_entry(list, OFFLINE2, BCOS_CPU_OFFLINE, 2, 1110, NULL, 0);
	put_entry(list, OFFLINE_CORE, BCOS_CORE_OFFLINE, 1, 1110, NULL, 0);
	put_device(list, LAST_DEVICE, BCOS_SET_DEVICE_NAME, OTHER + 1, 1115, 0, "x");
	put_word(list, LAST, BCOS_ASSIGN_CPU, 1, 1120, 100);
}

void put_all(struct list *list)
{
	list->count = 0;
	put_beginning(list);
	put_middle(list);
	put_second_group(list);
	put_end(list);
}
