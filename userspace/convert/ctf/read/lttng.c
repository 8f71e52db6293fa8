// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Takes events of LTTng's kernel tracer by their names and fields. All versions of LTTng share these, as far as a
 * version has them.
 */
#include <stdlib.h>

#include "core/format/phrase.h"
#include "read.h"

/* ---- devices that the log_writer has been told of ---- */

bool ctf_known_device(const struct ctf_reader *reader, u32 id)
{
	return reader->devices.buckets && table_find(&reader->devices, id);
}

int ctf_know_device(struct ctf_reader *reader, u32 id, const char *name, size_t length)
{
	struct node *node;

	if (!reader->devices.buckets && table_init(&reader->devices))
		return -ENOMEM;
	if (!table_find(&reader->devices, id)) {
		node = calloc(1, sizeof(*node));
		if (!node)
			return -ENOMEM;
		node->id = id;
		if (table_add(&reader->devices, node)) {
			free(node);
			return -ENOMEM;
		}
	}
	return log_known_device(reader->log, (struct moment){ 0, SINCE_BOOT }, id, BCOS_PROCESS_KERNEL, name, length);
}

/* kthreadd, the parent of all kernel threads. */
#define KTHREADD 2u
#define TYPE_KERNEL 1
/* LTTng counts priorities from the first one on that is not real-time, which is 100 for the kernel. */
#define PRIORITY_ZERO 100
/* Bits in the field rwbs of block_rq_complete, and the bytes of a sector. */
#define RWBS_WRITE 1u
#define RWBS_DISCARD 2u
#define SECTOR 512u
/* Once the last interface is used, all further names share it. */
#define INTERFACE_LAST (CTF_INTERFACES_MAX - 1)

/* An event that is being read. */
struct reading {
	struct ctf_reader *reader;
	const struct ctf_seen *seen;
};

static bool field_number(const struct reading *reading, unsigned int field, u64 *value)
{
	return ctf_number(reading->seen, field, value);
}

static const char *field_text(const struct reading *reading, unsigned int field, size_t *length)
{
	return ctf_text(reading->seen, field, length);
}

/*
 * Two fields are a thread and its process. @ahead: events before this one may name another thread with this ID, so the
 * first process that is named for it counts.
 */
static void take_pair(const struct reading *reading, unsigned int thread, unsigned int process, bool ahead)
{
	struct machine *machine = reading->reader->machine;
	u64 tid, pid;

	if (field_number(reading, thread, &tid) && field_number(reading, process, &pid) &&
	    !(ahead && machine_knows(machine, (u32)tid)))
		machine_thread(machine, (u32)pid, (u32)tid);
}

/* ---- threads ----------------------------------------------------------------------- */

static int take_switch(const struct reading *reading)
{
	struct machine_turns turns = { 0 };
	u64 tid[2], priority = 0;

	if (!field_number(reading, 0, &tid[0]) || !field_number(reading, 1, &tid[1]))
		return -EBADMSG;
	turns.tid[0] = (s32)tid[0] == CTF_TID_UNKNOWN ? MACHINE_UNKNOWN : (u32)tid[0];
	turns.tid[1] = (s32)tid[1] == CTF_TID_UNKNOWN ? MACHINE_UNKNOWN : (u32)tid[1];
	turns.name[0] = field_text(reading, 2, &turns.length[0]);
	turns.name[1] = field_text(reading, 3, &turns.length[1]);
	turns.has_state = field_number(reading, 4, &turns.state);
	turns.has_priority = field_number(reading, 5, &priority);
	turns.priority = (s32)((u32)priority + (reading->reader->perf ? 0 : PRIORITY_ZERO));
	machine_switch(reading->reader->machine, reading->seen->time, reading->seen->cpu, &turns);
	return 0;
}

/* The trace does not say whether the CPU handles an interrupt, so the waker stays unknown. */
static int take_wake(const struct reading *reading, enum machine_wakes event)
{
	struct machine_wake wake = { .event = event, .by = BCOS_WOKEN_BY_UNKNOWN };
	u64 tid;

	if (!field_number(reading, 0, &tid))
		return -EBADMSG;
	wake.tid = (u32)tid;
	wake.name = field_text(reading, 1, &wake.length);
	if (machine_hear_cpu(reading->reader->machine, reading->seen->time, reading->seen->cpu))
		machine_wake(reading->reader->machine, reading->seen->time, reading->seen->cpu, &wake);
	return 0;
}

/* Takes the process of the parent thread from a birth, if this version of LTTng has the field. */
static void take_parent(const struct reading *reading, bool ahead)
{
	take_pair(reading, 0, 3, ahead);
}

static int take_fork(const struct reading *reading)
{
	u64 parent, child, pid;
	const char *name;
	size_t length;

	if (!field_number(reading, 0, &parent) || !field_number(reading, 1, &child))
		return -EBADMSG;
	/* perf's event does not tell the process, but others may have done so ahead. */
	if (!field_number(reading, 2, &pid))
		pid = machine_process(reading->reader->machine, (u32)child) ? : (u32)child;
	take_parent(reading, false);
	name = field_text(reading, 4, &length);
	machine_fork(reading->reader->machine, reading->seen->time, (u32)pid, (u32)child, (u32)parent, name, length);
	return 0;
}

static int take_exec(const struct reading *reading)
{
	size_t length;
	const char *file = field_text(reading, 1, &length);
	u64 tid;

	if (!file)
		return -EBADMSG;
	/* In old versions the event names only the file, and is about the thread that has the CPU. */
	if (!field_number(reading, 0, &tid))
		tid = machine_running(reading->reader->machine, reading->seen->cpu);
	if (!tid)
		return 0;
	machine_exec(reading->reader->machine, reading->seen->time, (u32)tid, file, length);
	return 0;
}

static int take_exit(const struct reading *reading)
{
	u64 tid;

	if (!field_number(reading, 0, &tid))
		return -EBADMSG;
	machine_exit(reading->reader->machine, reading->seen->time, (u32)tid);
	return 0;
}

/* Takes a thread that was there when the trace began. */
static int take_process_state(const struct reading *reading)
{
	u64 tid, pid, ppid = 0, type;
	size_t length;
	const char *name = field_text(reading, 3, &length);

	if (!field_number(reading, 0, &tid))
		return -EBADMSG;
	if (!field_number(reading, 1, &pid))
		pid = tid;
	field_number(reading, 2, &ppid);
	if (field_number(reading, 4, &type) && type == TYPE_KERNEL)
		ppid = KTHREADD;
	machine_fork(reading->reader->machine, 0, (u32)pid, (u32)tid, (u32)ppid, NULL, 0);
	if (name)
		machine_name(reading->reader->machine, 0, (u32)pid, (u32)tid, name, length);
	return 0;
}

/* Takes perf's own event of a birth, which has time 0 if the thread was there before. */
static int take_perf_fork(const struct reading *reading)
{
	const char *name;
	size_t length;
	u64 parent, thread, process;

	if (!field_number(reading, 0, &parent) || !field_number(reading, 1, &thread) || !field_number(reading, 2, &process))
		return -EBADMSG;
	name = field_text(reading, 4, &length);
	machine_fork(reading->reader->machine, reading->seen->time, (u32)process, (u32)thread, (u32)parent, name, length);
	return 0;
}

static int take_perf_name(const struct reading *reading)
{
	size_t length;
	const char *name = field_text(reading, 2, &length);
	u64 process, thread;

	if (!name || !field_number(reading, 0, &process) || !field_number(reading, 1, &thread))
		return -EBADMSG;
	machine_name(reading->reader->machine, reading->seen->time, (u32)process, (u32)thread, name, length);
	return 0;
}

/* ---- devices ------------------------------------------------------------------------ */

static int take_irq(const struct reading *reading)
{
	size_t length;
	const char *name = field_text(reading, 1, &length);
	u64 irq;

	if (!field_number(reading, 0, &irq))
		return -EBADMSG;
	machine_irq(reading->reader->machine, reading->seen->time, reading->seen->cpu, (u32)irq, name, length);
	return 0;
}

/* Makes a device ID from the kernel's number of a disk. A log has two bits less for it. */
static u32 disk_of(u64 dev)
{
	return (u32)dev & (BCOS_DEVICE_NETWORK - 1);
}

static int take_block(const struct reading *reading)
{
	u64 dev, sectors, rwbs = 0, error = 0;
	struct moment when = { reading->seen->time, 0 };
	struct log_writer *log = reading->reader->log;
	char name[32];
	int r;

	if (!field_number(reading, 0, &dev) || !field_number(reading, 1, &sectors))
		return -EBADMSG;
	if (!field_number(reading, 2, &rwbs)) {
		machine_leave_out(reading->reader->machine, MACHINE_LEAVES_FIELD);
		return 0;
	}
	if (!field_number(reading, 3, &error))
		field_number(reading, 4, &error);
	if (error || !sectors || rwbs & RWBS_DISCARD ||
	    !machine_hear_cpu(reading->reader->machine, when.time, reading->seen->cpu))
		return 0;
	if (!ctf_known_device(reading->reader, disk_of(dev))) {
		snprintf(name, sizeof(name), "dev %u:%u", (u32)dev >> 20, (u32)dev & 0xFFFFF);
		r = ctf_know_device(reading->reader, disk_of(dev), name, strlen(name));
		if (r)
			return r;
	}
	sectors = sectors > UINT32_MAX ? UINT32_MAX : sectors;
	return rwbs & RWBS_WRITE ? log_output(log, when, disk_of(dev), sectors * SECTOR) :
		log_input(log, when, disk_of(dev), sectors * SECTOR);
}

static int take_block_device(const struct reading *reading)
{
	size_t length;
	const char *name = field_text(reading, 1, &length);
	u64 dev;

	if (!name || !field_number(reading, 0, &dev))
		return -EBADMSG;
	return ctf_know_device(reading->reader, disk_of(dev), name, length);
}

/* Finds or adds the device of a network interface by its name. */
static int interface_of(struct ctf_reader *reader, const char *name, size_t length, u32 *device)
{
	char (*known)[32];
	u32 i;

	length = length < sizeof(*known) - 1 ? length : sizeof(*known) - 1;
	for (i = 0; i < reader->interfaces_count; i++)
		if (i == INTERFACE_LAST ||
		    (strlen(reader->interfaces[i]) == length && !memcmp(reader->interfaces[i], name, length)))
			break;
	*device = BCOS_DEVICE_NETWORK + i;
	if (i < reader->interfaces_count)
		return 0;
	known = realloc(reader->interfaces, (i + 1) * sizeof(*known));
	if (!known)
		return -ENOMEM;
	reader->interfaces = known;
	memset(known[i], 0, sizeof(*known));
	memcpy(known[i], name, length);
	reader->interfaces_count++;
	return ctf_know_device(reader, *device, name, length);
}

static int take_packet(const struct reading *reading, bool out)
{
	struct moment when = { reading->seen->time, 0 };
	size_t length;
	const char *name = field_text(reading, 1, &length);
	u64 bytes, failed = 0;
	u32 device;
	int r;

	if (!name || !field_number(reading, 0, &bytes))
		return -EBADMSG;
	if (reading->seen->which == CTF_KERNEL_XMIT)
		field_number(reading, 2, &failed);
	if (failed || !machine_hear_cpu(reading->reader->machine, when.time, reading->seen->cpu))
		return 0;
	r = interface_of(reading->reader, name, length, &device);
	if (r)
		return r;
	return out ? log_output(reading->reader->log, when, device, (u32)bytes) :
		log_input(reading->reader->log, when, device, (u32)bytes);
}

static int take_interface(const struct reading *reading)
{
	size_t length;
	const char *name = field_text(reading, 0, &length);
	u32 device;

	return name ? interface_of(reading->reader, name, length, &device) : -EBADMSG;
}

/* ---- any event ------------------------------------------------------------------------ */

static void take_context(const struct reading *reading, bool ahead)
{
	unsigned int fields = ctf_kernel_fields(reading->seen->which);

	take_pair(reading, fields + 1, fields, ahead);
}

bool ctf_kernel_ahead(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	const struct reading reading = { reader, seen };

	if (seen->which >= CTF_KERNEL_EVENTS || seen->which == CTF_KERNEL_DUMPED)
		return false;
	take_context(&reading, true);
	if (seen->which == CTF_KERNEL_FORK)
		take_parent(&reading, true);
	else if (seen->which == CTF_KERNEL_PROCESS)
		take_process_state(&reading);
	return true;
}

int ctf_kernel_event(struct ctf_reader *reader, const struct ctf_seen *seen)
{
	const struct reading reading = { reader, seen };

	if (seen->which >= CTF_KERNEL_EVENTS)
		return -EBADMSG;
	if (!machine_cpu(reader->machine, seen->cpu)) {
		machine_leave_out(reader->machine, MACHINE_LEAVES_CPU);
		return machine_error(reader->machine);
	}
	take_context(&reading, false);
	switch (seen->which) {
	case CTF_KERNEL_SWITCH:
		return take_switch(&reading);
	case CTF_KERNEL_FORK:
		return take_fork(&reading);
	case CTF_KERNEL_EXEC:
		return take_exec(&reading);
	case CTF_KERNEL_EXIT:
		return take_exit(&reading);
	case CTF_KERNEL_IRQ:
		return take_irq(&reading);
	case CTF_KERNEL_BLOCK:
		return take_block(&reading);
	case CTF_KERNEL_RECEIVE:
	case CTF_KERNEL_RECEIVE_OLD:
		return take_packet(&reading, false);
	case CTF_KERNEL_XMIT:
	case CTF_KERNEL_QUEUE:
		return take_packet(&reading, true);
	case CTF_KERNEL_PROCESS:
		return take_process_state(&reading);
	case CTF_KERNEL_DUMPED:
		return 0;
	case CTF_KERNEL_DISK:
		return take_block_device(&reading);
	case CTF_KERNEL_INTERFACE:
		return take_interface(&reading);
	case CTF_KERNEL_WAKING:
		return take_wake(&reading, MACHINE_WAKING);
	case CTF_KERNEL_WAKEUP:
		return take_wake(&reading, MACHINE_WAKEUP);
	case CTF_KERNEL_PERF_FORK:
		return take_perf_fork(&reading);
	case CTF_KERNEL_PERF_EXIT:
		return take_exit(&reading);
	case CTF_KERNEL_PERF_COMM:
		return take_perf_name(&reading);
	case CTF_KERNEL_WAKEUP_NEW:
		return take_wake(&reading, MACHINE_WAKEUP_NEW);
	default:
		return -EBADMSG;
	}
}
