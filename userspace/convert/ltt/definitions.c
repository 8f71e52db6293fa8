// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The descriptions of the events: of facility_load, which every trace has, and of those that bcoslog writes, in the
 * order of enum ltt_core and enum ltt_bcos.
 */
#include "format.h"

#define FIELD(name, type) "      <field name=\"" name "\">" type "</field>\n"
#define U1 "<uint size=\"1\"/>"
#define U2 "<uint size=\"2\"/>"
#define U4 "<uint size=\"4\"/>"
#define U8 "<uint size=\"8\"/>"
#define TEXT "<string/>"
#define LIST "<sequence lengthsize=\"4\"><uint size=\"4\"/></sequence>"

#define EVENT(name, description, fields) \
	"  <event name=\"" name "\">\n    <description>" description "</description>\n" \
	"    <struct>\n" fields "    </struct>\n  </event>\n"

/* The field "order" counts the entries of the log. It gives the order of events with equal times. */
#define PRECISION FIELD("order", U4) FIELD("precision", U4)
/* The time since which a state holds. */
#define SINCE FIELD("since", U8) PRECISION

const char ltt_builtin_xml[] =
	"<facility name=\"builtin\">\n"
	EVENT("facility_load", "Facility used in the trace",
	      FIELD("name", TEXT) FIELD("checksum", U4) FIELD("base_code", U4))
	"</facility>\n";

const char ltt_core_xml[] =
	"<facility name=\"core\">\n"
	"  <description>Processes, interrupts and the scheduler</description>\n"
	EVENT("interrupt", "Interrupt request number assignment",
	      FIELD("number", U4) FIELD("count", U4) FIELD("controller", TEXT) FIELD("name", TEXT))
	EVENT("process", "Existing process",
	      FIELD("name", TEXT) FIELD("pid", U4) FIELD("ppid", U4) FIELD("tracer_pid", U4) FIELD("uid", U4)
	      FIELD("euid", U4) FIELD("suid", U4) FIELD("fsuid", U4) FIELD("gid", U4) FIELD("egid", U4)
	      FIELD("sgid", U4) FIELD("fsgid", U4)
	      FIELD("state",
		    "<enum size=\"4\">Running WaitInterruptible WaitUninterruptible Zombie Traced Paging</enum>"))
	EVENT("schedule",
	      "The CPU is taken from one process and assigned to another; 0 is the kernel, 4294967295 idle, 4294967294 "
	      "nobody known; repeats is 1 if another event tells this, too",
	      PRECISION FIELD("out", U4) FIELD("in", U4) FIELD("repeats", U1))
	EVENT("process_name", "A process begins, or changes its name",
	      PRECISION FIELD("pid", U4) FIELD("name", TEXT))
	EVENT("process_end", "A process ends",
	      PRECISION FIELD("pid", U4) FIELD("status", U4))
	"</facility>\n";

#define CORE FIELD("core", U4) FIELD("idle_power", U2) FIELD("power_difference", U2) FIELD("performance", LIST)
#define GENERIC(subject) \
	PRECISION FIELD(subject, U4) FIELD("event_id", U4) FIELD("severity", U1) FIELD("text", TEXT)
#define TRANSFER PRECISION FIELD("device", U4) FIELD("bytes", U4)

const char ltt_bcos_xml[] =
	"<facility name=\"bcos\">\n"
	"  <description>What a BCOS event log says beyond the facility core. A time is the earliest possible one; "
	"precision is the difference to the latest possible one, in ns.</description>\n"
	EVENT("state_process", "A process that has this name", SINCE FIELD("pid", U4) FIELD("name", TEXT))
	EVENT("state_core", "A core that is online", SINCE CORE)
	EVENT("state_cpu", "A CPU that is online", SINCE FIELD("cpu", U4) FIELD("core", U4))
	EVENT("state_assign", "A CPU and the process that has it", SINCE FIELD("cpu", U4) FIELD("pid", U4))
	EVENT("state_device", "A device that has this name",
	      SINCE FIELD("device", U4) FIELD("driver", U4) FIELD("name", TEXT))
	EVENT("kernel_call", "A process called these functions of the kernel",
	      PRECISION FIELD("pid", U4) FIELD("functions", LIST))
	EVENT("generic_process", "A process says something", GENERIC("pid"))
	EVENT("generic_core", "About a core", GENERIC("core"))
	EVENT("generic_cpu", "About a CPU", GENERIC("cpu"))
	EVENT("generic_device", "About a device", GENERIC("device"))
	EVENT("core_online", "A core comes online, or its estimates change", PRECISION CORE)
	EVENT("core_offline", "A core goes offline", PRECISION FIELD("core", U4))
	EVENT("cpu_online", "A CPU comes online", PRECISION FIELD("cpu", U4) FIELD("core", U4))
	EVENT("cpu_offline", "A CPU goes offline", PRECISION FIELD("cpu", U4))
	EVENT("device_name", "A device becomes ready, or changes its name or driver",
	      PRECISION FIELD("device", U4) FIELD("driver", U4) FIELD("name", TEXT))
	EVENT("device_end", "A device goes", PRECISION FIELD("device", U4) FIELD("status", U4))
	EVENT("device_input", "Data came from a device", TRANSFER)
	EVENT("device_output", "Data went to a device", TRANSFER)
	EVENT("irq", "A device sent an interrupt",
	      PRECISION FIELD("device", U4) FIELD("number", U4))
	"</facility>\n";

/* The hash FNV-1a. */
u32 ltt_checksum(const char *text, size_t length)
{
	u32 sum = 2166136261u;
	size_t i;

	for (i = 0; i < length; i++)
		sum = (sum ^ (u8)text[i]) * 16777619u;
	return sum ? sum : 1;
}
