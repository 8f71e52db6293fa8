// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Every offset, size and number of the ABI, as the tables of the specification have them. They are copied by hand from
 * there and never from the header, so that a change of the header that changes the ABI does not compile here.
 *
 * This file needs no libc, so that header.sh can compile it for 32-bit machines and as C++ as well.
 */
#include <stddef.h>
#include "bcos_evlog.h"

#ifdef __cplusplus
#define _Static_assert static_assert
#endif

#define AT(type, member, offset) \
	_Static_assert(offsetof(struct type, member) == (offset), #type "." #member)
#define FIELD(type, member, offset, bytes) \
	AT(type, member, offset); \
	_Static_assert(sizeof(((struct type *)0)->member) == (bytes), #type "." #member " size")
#define SIZE(type, bytes) \
	_Static_assert(sizeof(struct type) == (bytes), "size of " #type)
#define VALUE(name, value) \
	_Static_assert((name) == (value), #name)

/* Table 4-1. */
FIELD(bcos_entry, size, 0x00, 2);
FIELD(bcos_entry, type, 0x02, 2);
FIELD(bcos_entry, source, 0x04, 4);
FIELD(bcos_entry, time, 0x08, 8);
FIELD(bcos_entry, precision, 0x10, 4);
SIZE(bcos_entry, 0x14);

/* Tables 5-1 and 5-20. */
AT(bcos_process_name, header, 0x00);
AT(bcos_process_name, name, 0x14);
SIZE(bcos_process_name, 0x14);

/* Tables 5-2 and 5-15. */
AT(bcos_cancel_name, header, 0x00);
FIELD(bcos_cancel_name, status, 0x14, 4);
SIZE(bcos_cancel_name, 0x18);

/* Tables 5-4, 5-9, 5-13 and 5-18. */
AT(bcos_generic, header, 0x00);
FIELD(bcos_generic, event_id, 0x14, 4);
FIELD(bcos_generic, severity, 0x18, 1);
AT(bcos_generic, text, 0x19);
VALUE(BCOS_GENERIC_TEXT, 0x19);
/* Whole entries are a multiple of 4: the smallest one has room for 3 bytes of text. */
SIZE(bcos_generic, 0x1C);

/* Table 5-6, 5.4.1. */
AT(bcos_kernel_api, header, 0x00);
AT(bcos_kernel_api, function, 0x14);
_Static_assert(sizeof(((struct bcos_kernel_api *)0)->function[0]) == 4, "function numbers are 4 bytes");
SIZE(bcos_kernel_api, 0x14);

/* Tables 5-7 and 5-21. */
AT(bcos_core_online, header, 0x00);
FIELD(bcos_core_online, idle_power, 0x14, 2);
FIELD(bcos_core_online, power_difference, 0x16, 2);
AT(bcos_core_online, performance, 0x18);
_Static_assert(sizeof(((struct bcos_core_online *)0)->performance[0]) == 4, "performance is 4 bytes");
SIZE(bcos_core_online, 0x18);

/* Tables 5-10 and 5-22. */
AT(bcos_cpu_online, header, 0x00);
FIELD(bcos_cpu_online, core, 0x14, 4);
SIZE(bcos_cpu_online, 0x18);

/* Tables 5-12 and 5-23. */
AT(bcos_assign_cpu, header, 0x00);
FIELD(bcos_assign_cpu, process, 0x14, 4);
SIZE(bcos_assign_cpu, 0x18);

/* Tables 5-14 and 5-24. */
AT(bcos_device_name, header, 0x00);
FIELD(bcos_device_name, driver, 0x14, 4);
AT(bcos_device_name, name, 0x18);
SIZE(bcos_device_name, 0x18);

/* Tables 5-16 and 5-17. */
AT(bcos_device_io, header, 0x00);
FIELD(bcos_device_io, bytes, 0x14, 4);
SIZE(bcos_device_io, 0x18);

/* Table 5-19. */
AT(bcos_irq, header, 0x00);
FIELD(bcos_irq, number, 0x14, 4);
SIZE(bcos_irq, 0x18);

/* The headings of 5.1 to 5.22, and table 4-2. */
VALUE(BCOS_TYPE_HISTORICAL, 1 << 15);
VALUE(BCOS_TYPE_SUBJECT_MASK, 3 << 13);
VALUE(BCOS_SUBJECT_PROCESS, 0 << 13);
VALUE(BCOS_SUBJECT_CORE, 1 << 13);
VALUE(BCOS_SUBJECT_CPU, 2 << 13);
VALUE(BCOS_SUBJECT_DEVICE, 3 << 13);
VALUE(BCOS_SET_PROCESS_NAME, 0x0000);
VALUE(BCOS_CANCEL_PROCESS_NAME, 0x0001);
VALUE(BCOS_GENERIC_PROCESS, 0x0010);
VALUE(BCOS_KERNEL_API, 0x0011);
VALUE(BCOS_CORE_ONLINE, 0x2000);
VALUE(BCOS_CORE_OFFLINE, 0x2001);
VALUE(BCOS_GENERIC_CORE, 0x2010);
VALUE(BCOS_CPU_ONLINE, 0x4000);
VALUE(BCOS_CPU_OFFLINE, 0x4001);
VALUE(BCOS_ASSIGN_CPU, 0x4002);
VALUE(BCOS_GENERIC_CPU, 0x4010);
VALUE(BCOS_SET_DEVICE_NAME, 0x6000);
VALUE(BCOS_CANCEL_DEVICE_NAME, 0x6001);
VALUE(BCOS_DEVICE_INPUT, 0x6002);
VALUE(BCOS_DEVICE_OUTPUT, 0x6003);
VALUE(BCOS_GENERIC_DEVICE, 0x6010);
VALUE(BCOS_IRQ, 0x6011);
VALUE(BCOS_HIST_SET_PROCESS_NAME, 0x8000);
VALUE(BCOS_HIST_CORE_ONLINE, 0xA000);
VALUE(BCOS_HIST_CPU_ONLINE, 0xC000);
VALUE(BCOS_HIST_ASSIGN_CPU, 0xC002);
VALUE(BCOS_HIST_SET_DEVICE_NAME, 0xE000);

/* 5.10.1; tables 4-3, 5-3 and 5-5. */
VALUE(BCOS_PROCESS_KERNEL, 0x00000000u);
VALUE(BCOS_PROCESS_IDLE, 0xFFFFFFFFu);
VALUE(BCOS_DEVICE_STORAGE, 0x00000000u);
VALUE(BCOS_DEVICE_NETWORK, 0x40000000u);
VALUE(BCOS_DEVICE_USER_IO, 0x80000000u);
VALUE(BCOS_DEVICE_OTHER, 0xC0000000u);
VALUE(BCOS_STATUS_OWNER, 0x80000000u);
VALUE(BCOS_STATUS_KERNEL, 0xC0000000u);
VALUE(BCOS_SEVERITY_DEBUG, 0x00);
VALUE(BCOS_SEVERITY_INFO, 0x40);
VALUE(BCOS_SEVERITY_ERROR, 0x80);
VALUE(BCOS_SEVERITY_CRITICAL, 0xC0);
VALUE(BCOS_ENTRY_MIN, 20);
VALUE(BCOS_ENTRY_MAX, 65535);

/* module/DESIGN.md, 2.6: our own IDs, and what programs write into scripts. */
VALUE(BCOS_DEVICE_SELF, 0xC0000000u);
VALUE(BCOS_CORE_ID(0, 0), 0u);
VALUE(BCOS_CORE_ID(0, 7), 7u);
VALUE(BCOS_CORE_ID(2, 5), 0x00020005u);
VALUE(BCOS_CORE_ID(0xFFFF, 0xFFFF), 0xFFFFFFFFu);
VALUE(BCOS_EVENT_UNSPECIFIED, 0u);
VALUE(BCOS_EVENT_LOSS, 0x80000001u);
VALUE(BCOS_EVENT_MISSED, 0x80000002u);
VALUE(BCOS_EVENT_MASK, 0x80000003u);
VALUE(BCOS_EVENT_IDLE, 0x80000006u);
VALUE(BCOS_EVENT_PRESSURE, 0x80000007u);
VALUE(BCOS_EVENT_OOM_VICTIM, 0xC0000001u);
VALUE(BCOS_EVENT_REFUSED, 0xC0000002u);
VALUE(BCOS_EVENT_TASK_STATE, 0xC0000003u);
VALUE(BCOS_EVENT_KILLED, 0xC0000004u);
VALUE(BCOS_EVENT_PARENT, 0xC0000005u);
VALUE(BCOS_EVENT_EXEC, 0xC0000006u);
VALUE(BCOS_EVENT_REQUEST, 0xC0000020u);
VALUE(BCOS_EVENT_ENDED, 0xC0000007u);
VALUE(BCOS_EVENT_CLOCK, 0xC0000010u);
VALUE(BCOS_EVENT_BOOT, 0xC0000011u);
VALUE(BCOS_EVENT_HOST, 0xC0000012u);
VALUE(BCOS_EVENT_KERNEL, 0xC0000013u);
VALUE(BCOS_EVENT_VERSION, 0xC0000014u);
VALUE(BCOS_EVENT_MESSAGE, 0x80000000u);
VALUE(BCOS_MESSAGE_ID_MIN, 7u);
VALUE(BCOS_MESSAGE_ID_MAX, 0x3FFFFFFFu);
VALUE(BCOS_MESSAGE_WORDS_MAX, 113);
VALUE(BCOS_CLASS_ASSIGN, 0x001u);
VALUE(BCOS_CLASS_IRQ, 0x002u);
VALUE(BCOS_CLASS_USER, 0x004u);
VALUE(BCOS_CLASS_KMSG, 0x008u);
VALUE(BCOS_CLASS_IO, 0x010u);
VALUE(BCOS_CLASS_API, 0x020u);
VALUE(BCOS_CLASS_KERNEL_TIME, 0x040u);
VALUE(BCOS_CLASS_IDLE, 0x080u);
VALUE(BCOS_CLASS_STATE, 0x100u);
VALUE(BCOS_CLASS_WHO, 0x200u);
VALUE(BCOS_CLASS_EXEC, 0x400u);
VALUE(BCOS_CLASS_REQUEST, 0x800u);
VALUE(BCOS_CLASS_ALL, 0xFFFu);
VALUE(BCOS_CLASS_DEFAULT, 0x21Fu);
VALUE(BCOS_CLASS_EVERY, 0xFFFFFFFFu);
VALUE(BCOS_ABI_VERSION, 1);

/* The structures of ioctls in version 1 of the ABI. Later versions may only append members. */
FIELD(bcos_status, flags, 0, 4);
FIELD(bcos_status, abi_version, 4, 4);
FIELD(bcos_status, version, 8, 32);
FIELD(bcos_status, ring_size, 40, 8);
FIELD(bcos_status, head, 48, 8);
FIELD(bcos_status, oldest, 56, 8);
FIELD(bcos_status, newest_group, 64, 8);
FIELD(bcos_status, entries, 72, 8);
FIELD(bcos_status, historical, 80, 8);
FIELD(bcos_status, groups, 88, 8);
FIELD(bcos_status, compactions, 96, 8);
FIELD(bcos_status, discarded_bytes, 104, 8);
FIELD(bcos_status, discarded_entries, 112, 8);
FIELD(bcos_status, group_bytes, 120, 8);
FIELD(bcos_status, advised_ring, 128, 8);
FIELD(bcos_status, partial_groups, 136, 8);
FIELD(bcos_status, restated, 144, 8);
FIELD(bcos_status, groups_over_1_zone, 152, 8);
FIELD(bcos_status, groups_over_3_zones, 160, 8);
FIELD(bcos_status, groups_over_4_zones, 168, 8);
FIELD(bcos_status, clamped, 176, 8);
FIELD(bcos_status, unnamed, 184, 8);
FIELD(bcos_status, lost, 192, 64);
FIELD(bcos_status, staging_bytes, 256, 8);
FIELD(bcos_status, memory, 264, 8);
FIELD(bcos_status, last_time, 272, 8);
FIELD(bcos_status, batches, 280, 8);
FIELD(bcos_status, wakeups, 288, 8);
FIELD(bcos_status, mask, 296, 4);
FIELD(bcos_status, active, 300, 4);
FIELD(bcos_status, processes, 304, 4);
FIELD(bcos_status, cpus, 308, 4);
FIELD(bcos_status, cores, 312, 4);
FIELD(bcos_status, devices, 316, 4);
FIELD(bcos_status, readers, 320, 4);
FIELD(bcos_status, staging_kb, 324, 4);
SIZE(bcos_status, 328);
VALUE(BCOS_STATUS_PARTIAL, 1u);
VALUE(BCOS_STATUS_TSC, 2u);
VALUE(BCOS_STATUS_ESTIMATED, 4u);
VALUE(BCOS_LOST_STAGING, 0);
VALUE(BCOS_LOST_NESTED, 1);
VALUE(BCOS_LOST_MEMORY, 2);
VALUE(BCOS_LOST_UNNAMED, 3);
VALUE(BCOS_LOST_NMI, 4);
VALUE(BCOS_LOST_LIMIT, 5);
VALUE(BCOS_LOST_SOURCE, 6);
VALUE(BCOS_LOST_REASONS, 8);

FIELD(bcos_compaction, flags, 0, 4);
FIELD(bcos_compaction, reserved, 4, 4);
FIELD(bcos_compaction, count, 8, 8);
FIELD(bcos_compaction, bytes, 16, 8);
FIELD(bcos_compaction, entries, 24, 8);
FIELD(bcos_compaction, time, 32, 8);
SIZE(bcos_compaction, 40);

FIELD(bcos_watermark, flags, 0, 4);
FIELD(bcos_watermark, bytes, 4, 4);
SIZE(bcos_watermark, 8);

FIELD(bcos_mask, flags, 0, 4);
FIELD(bcos_mask, clear, 4, 4);
FIELD(bcos_mask, set, 8, 4);
FIELD(bcos_mask, mask, 12, 4);
FIELD(bcos_mask, active, 16, 4);
FIELD(bcos_mask, reserved, 20, 4);
SIZE(bcos_mask, 24);

FIELD(bcos_emit, flags, 0, 4);
FIELD(bcos_emit, type, 4, 2);
FIELD(bcos_emit, severity, 6, 1);
FIELD(bcos_emit, reserved, 7, 1);
FIELD(bcos_emit, source, 8, 4);
FIELD(bcos_emit, event_id, 12, 4);
FIELD(bcos_emit, length, 16, 4);
FIELD(bcos_emit, reserved2, 20, 4);
FIELD(bcos_emit, text, 24, 1024);
SIZE(bcos_emit, 1048);

FIELD(bcos_request, flags, 0, 4);
FIELD(bcos_request, classes, 4, 4);
FIELD(bcos_request, source, 8, 4);
FIELD(bcos_request, on, 12, 4);
SIZE(bcos_request, 16);

FIELD(bcos_flush, flags, 0, 4);
FIELD(bcos_flush, reserved, 4, 4);
FIELD(bcos_flush, head, 8, 8);
SIZE(bcos_flush, 16);

FIELD(bcos_mark, offset, 0, 8);
FIELD(bcos_mark, entry, 8, 8);
SIZE(bcos_mark, 16);

FIELD(bcos_marks, oldest, 0, 16);
FIELD(bcos_marks, group, 16, 16);
FIELD(bcos_marks, head, 32, 16);
FIELD(bcos_marks, compactions, 48, 8);
FIELD(bcos_marks, compaction_time, 56, 8);
FIELD(bcos_marks, last_time, 64, 8);
FIELD(bcos_marks, lost, 72, 8);
SIZE(bcos_marks, 80);

FIELD(bcos_control, abi_version, 0, 4);
FIELD(bcos_control, size, 4, 4);
FIELD(bcos_control, data, 8, 8);
FIELD(bcos_control, ring_size, 16, 8);
FIELD(bcos_control, generation, 24, 4);
FIELD(bcos_control, reserved, 28, 4);
FIELD(bcos_control, marks, 32, 160);
SIZE(bcos_control, 192);

/* direction << 30 | size << 16 | 0xBC << 8 | number; 1 is write, 3 read and write. */
VALUE(BCOS_IOC_MAGIC, 0xBC);
VALUE(BCOS_IOC_STATUS, 0xC148BC00u);
VALUE(BCOS_IOC_COMPACTION, 0xC028BC01u);
VALUE(BCOS_IOC_WATERMARK, 0x4008BC02u);
VALUE(BCOS_IOC_FLUSH, 0xC010BC03u);
VALUE(BCOS_IOC_MASK, 0xC018BC04u);
VALUE(BCOS_IOC_EMIT, 0x4418BC05u);
VALUE(BCOS_IOC_REQUEST, 0x4010BC06u);

/* The compiler has made all assertions, so nothing is left to do. */
int main(void)
{
	return 0;
}
