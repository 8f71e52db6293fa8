// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of the types of entries, and keywords and levels of events. */
#include "events.h"

#define NAME	{ "name", FIELD_STRING, EVENTHEADER_DEFAULT }
#define STATUS	{ "status", FIELD_U32, EVENTHEADER_HEX }
#define PROCESS	{ "process", FIELD_U32, EVENTHEADER_UNSIGNED }
#define DRIVER	{ "driver", FIELD_U32, EVENTHEADER_UNSIGNED }
#define CORE_ID	{ "core", FIELD_U32, EVENTHEADER_HEX }
#define BYTES	{ "bytes", FIELD_U32, EVENTHEADER_UNSIGNED }
#define GENERIC	{ { "event", FIELD_U32, EVENTHEADER_HEX }, { "severity", FIELD_U8, EVENTHEADER_HEX }, \
		  { "text", FIELD_STRING, EVENTHEADER_DEFAULT } }
#define POWER	{ { "idle_power", FIELD_U16, EVENTHEADER_UNSIGNED }, { "power_difference", FIELD_U16, EVENTHEADER_UNSIGNED }, \
		  { "performance", FIELD_LIST, EVENTHEADER_UNSIGNED } }

const struct event_type event_types[EVENT_TYPES] = {
	{ BCOS_SET_PROCESS_NAME, KEYWORD_LIVES, true, "SetProcessName", "process", { NAME } },
	{ BCOS_CANCEL_PROCESS_NAME, KEYWORD_LIVES, true, "CancelProcessName", "process", { STATUS } },
	{ BCOS_GENERIC_PROCESS, 0, false, "ProcessEvent", "process", GENERIC },
	{ BCOS_KERNEL_API, BCOS_CLASS_API, false, "KernelAPI", "process",
	  { { "functions", FIELD_LIST, EVENTHEADER_UNSIGNED } } },
	{ BCOS_CORE_ONLINE, KEYWORD_LIVES, true, "CoreOnline", "core", POWER },
	{ BCOS_CORE_OFFLINE, KEYWORD_LIVES, true, "CoreOffline", "core", { { NULL, 0, 0 } } },
	{ BCOS_GENERIC_CORE, 0, false, "CoreEvent", "core", GENERIC },
	{ BCOS_CPU_ONLINE, KEYWORD_LIVES, true, "CPUOnline", "cpu", { CORE_ID } },
	{ BCOS_CPU_OFFLINE, KEYWORD_LIVES, true, "CPUOffline", "cpu", { { NULL, 0, 0 } } },
	{ BCOS_ASSIGN_CPU, BCOS_CLASS_ASSIGN, false, "AssignCPU", "cpu", { PROCESS } },
	{ BCOS_GENERIC_CPU, 0, false, "CPUEvent", "cpu", GENERIC },
	{ BCOS_SET_DEVICE_NAME, KEYWORD_LIVES, true, "SetDeviceName", "device", { DRIVER, NAME } },
	{ BCOS_CANCEL_DEVICE_NAME, KEYWORD_LIVES, true, "CancelDeviceName", "device", { STATUS } },
	{ BCOS_DEVICE_INPUT, BCOS_CLASS_IO, false, "DeviceInput", "device", { BYTES } },
	{ BCOS_DEVICE_OUTPUT, BCOS_CLASS_IO, false, "DeviceOutput", "device", { BYTES } },
	{ BCOS_GENERIC_DEVICE, 0, false, "DeviceEvent", "device", GENERIC },
	{ BCOS_IRQ, BCOS_CLASS_IRQ, false, "IRQ", "device", { { "irq", FIELD_U32, EVENTHEADER_UNSIGNED } } },
	{ BCOS_HIST_SET_PROCESS_NAME, KEYWORD_HISTORICAL, true, "HistoricalSetProcessName", "process", { NAME } },
	{ BCOS_HIST_CORE_ONLINE, KEYWORD_HISTORICAL, true, "HistoricalCoreOnline", "core", POWER },
	{ BCOS_HIST_CPU_ONLINE, KEYWORD_HISTORICAL, true, "HistoricalCPUOnline", "cpu", { CORE_ID } },
	{ BCOS_HIST_ASSIGN_CPU, KEYWORD_HISTORICAL, false, "HistoricalAssignCPU", "cpu", { PROCESS } },
	{ BCOS_HIST_SET_DEVICE_NAME, KEYWORD_HISTORICAL, true, "HistoricalSetDeviceName", "device", { DRIVER, NAME } },
};

const struct event_type event_unknown = {
	0, KEYWORD_UNKNOWN, false, "Unknown", "source",
	{ { "type", FIELD_U16, EVENTHEADER_HEX }, { "data", FIELD_BINARY, EVENTHEADER_DEFAULT } },
};

u32 event_keyword(const struct bcos_entry *entry, u32 event_id)
{
	if (bcoslog_is_statement(entry) || bcoslog_is_loss(entry) || bcoslog_is_missed(entry))
		return KEYWORD_LOG;
	if (entry->type == BCOS_GENERIC_CPU && event_id == BCOS_EVENT_IDLE)
		return BCOS_CLASS_IDLE;
	if (entry->type != BCOS_GENERIC_PROCESS)
		return BCOS_CLASS_KMSG;
	switch (event_id) {
	case BCOS_EVENT_TASK_STATE:
		return BCOS_CLASS_STATE;
	case BCOS_EVENT_KILLED:
	case BCOS_EVENT_PARENT:
		return BCOS_CLASS_WHO;
	case BCOS_EVENT_EXEC:
		return BCOS_CLASS_EXEC;
	case BCOS_EVENT_REFUSED:
		return KEYWORD_LOG;
	default:
		return entry->source == BCOS_PROCESS_KERNEL ? BCOS_CLASS_KMSG : BCOS_CLASS_USER;
	}
}

/* The highest severity below an error means a warning. */
#define WARNING (BCOS_SEVERITY_ERROR - 1)

u8 event_level(u8 severity)
{
	if (severity >= BCOS_SEVERITY_CRITICAL)
		return EVENTHEADER_CRITICAL;
	if (severity >= BCOS_SEVERITY_ERROR)
		return EVENTHEADER_ERROR;
	if (severity == WARNING)
		return EVENTHEADER_WARNING;
	return severity >= BCOS_SEVERITY_INFO ? EVENTHEADER_INFORMATION : EVENTHEADER_VERBOSE;
}

u8 event_severity(u8 level)
{
	static const u8 severities[] = {
		[EVENTHEADER_CRITICAL] = BCOS_SEVERITY_CRITICAL, [EVENTHEADER_ERROR] = BCOS_SEVERITY_ERROR,
		[EVENTHEADER_WARNING] = WARNING, [EVENTHEADER_INFORMATION] = BCOS_SEVERITY_INFO,
	};

	return level < sizeof(severities) ? severities[level] : BCOS_SEVERITY_DEBUG;
}
