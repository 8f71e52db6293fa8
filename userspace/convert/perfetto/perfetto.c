// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Perfetto's own traces: bundles of ftrace events, one CPU each, and trees of processes. A thread that is on two CPUs at a
 * time is dropped by viewers, so a process has one thread for each CPU that it runs on.
 */
#include <stdlib.h>

#include "../convert.h"
#include "../fxt/threads.h"
#include "../proto.h"
#include "account/account.h"
#include "core/format/entry.h"

/* Fields of the messages; the comment says of which. */
enum { PACKET = 1 };						/* Trace */
enum { FTRACE_EVENTS = 1, PROCESS_TREE = 2, TIMESTAMP = 8, SEQUENCE = 10 };	/* TracePacket */
enum { BUNDLE_CPU = 1, BUNDLE_EVENT = 2, BUNDLE_LOST = 3 };	/* FtraceEventBundle */
enum { EVENT_TIME = 1, EVENT_PID = 2, EVENT_PRINT = 3, EVENT_SWITCH = 4, EVENT_IRQ_ENTRY = 36, EVENT_IRQ_EXIT = 37,
       EVENT_FREE = 240 };					/* FtraceEvent */
enum { PRINT_BUF = 2 };
enum { PREV_COMM = 1, PREV_PID, PREV_PRIO, PREV_STATE, NEXT_COMM, NEXT_PID, NEXT_PRIO };	/* SchedSwitch */
enum { FREE_COMM = 1, FREE_PID = 2 };
enum { IRQ_NUMBER = 1, IRQ_NAME = 2 };
enum { TREE_PROCESS = 1, TREE_THREAD = 2 };
enum { PROCESS_PID = 1, PROCESS_CMDLINE = 3 };
enum { THREAD_TID = 1, THREAD_NAME = 2, THREAD_TGID = 3 };

/* IDs are signed numbers of 32 bits, and 0 is idle. */
#define KERNEL 0x7FFFFFFFu
#define UNKNOWN 0x7FFFFFFEu
#define PRIORITY 120

/* In the place of a CPU: a process, or a device. */
#define A_PROCESS (1ull << 32)
#define A_DEVICE (2ull << 32)

/* So many bytes of events of a CPU go into one packet. */
#define BUNDLE 4096u
/* Memory is bounded: what happens on CPUs from here on is left out, and counted. */
#define CPUS_MAX 65536u

struct lane {
	struct proto events;
	bool known, lost;
	u32 process;
	const struct fxt_thread *runs;	/* the process itself, or NULL: it is to be looked up */
};

struct perfetto {
	struct outfile *file;
	struct fxt_threads threads;
	struct lane *cpus;
	u32 cpu_count;
	u64 beyond;
	struct proto packet, bundle, tree, item, event, detail;
	u64 time;
};

static bool is_starved(const struct perfetto *perfetto)
{
	return perfetto->packet.starved || perfetto->bundle.starved || perfetto->tree.starved || perfetto->item.starved ||
	       perfetto->event.starved || perfetto->detail.starved;
}

/* ---- packets ---------------------------------------------------------------------- */

static void write_packet(struct perfetto *perfetto)
{
	struct proto head = { NULL, 0, 0, false };

	proto_number(&perfetto->packet, SEQUENCE, 1);
	proto_varint(&head, PACKET << 3 | 2);
	proto_varint(&head, perfetto->packet.used);
	if (head.starved)
		perfetto->packet.starved = true;
	else
		outfile_bytes(perfetto->file, head.bytes, head.used);
	outfile_bytes(perfetto->file, perfetto->packet.bytes, perfetto->packet.used);
	perfetto->packet.used = 0;
	proto_free(&head);
}

/* The events are fields of the bundle already, and go to the file from where they are. */
static void write_bundle(struct perfetto *perfetto, u32 id)
{
	struct lane *cpu = &perfetto->cpus[id];
	struct proto *head = &perfetto->packet, *bundle = &perfetto->bundle;
	size_t begin, size;

	if (!cpu->events.used && !cpu->lost)
		return;
	proto_number(bundle, BUNDLE_CPU, id);
	if (cpu->lost)
		proto_number(bundle, BUNDLE_LOST, 1);
	size = bundle->used + cpu->events.used;
	/* First how long the packet is after its own length, then all of that but the events. */
	proto_number(head, SEQUENCE, 1);
	proto_varint(head, FTRACE_EVENTS << 3 | 2);
	proto_varint(head, size);
	size += head->used;
	begin = head->used;
	proto_varint(head, PACKET << 3 | 2);
	proto_varint(head, size);
	if (!head->starved && !bundle->starved) {
		outfile_bytes(perfetto->file, head->bytes + begin, head->used - begin);
		outfile_bytes(perfetto->file, head->bytes, begin);
		outfile_bytes(perfetto->file, bundle->bytes, bundle->used);
		outfile_bytes(perfetto->file, cpu->events.bytes, cpu->events.used);
	}
	head->used = bundle->used = cpu->events.used = 0;
	cpu->lost = false;
}

/* All events so far, so that no bundle is much older than another. */
static void write_bundles(struct perfetto *perfetto)
{
	u32 id;

	for (id = 0; id < perfetto->cpu_count; id++)
		write_bundle(perfetto, id);
}

static void write_tree(struct perfetto *perfetto)
{
	proto_message(&perfetto->packet, PROCESS_TREE, &perfetto->tree);
	proto_number(&perfetto->packet, TIMESTAMP, perfetto->time);
	write_packet(perfetto);
}

static struct lane *cpu_of(struct perfetto *perfetto, u32 id)
{
	u32 count = perfetto->cpu_count ? perfetto->cpu_count : 16;
	struct lane *larger;

	if (likely(id < perfetto->cpu_count))
		return &perfetto->cpus[id];
	while (count <= id)
		count *= 2;
	larger = realloc(perfetto->cpus, count * sizeof(*larger));
	if (!larger) {
		perfetto->packet.starved = true;
		return NULL;
	}
	memset(larger + perfetto->cpu_count, 0, (count - perfetto->cpu_count) * sizeof(*larger));
	perfetto->cpus = larger;
	perfetto->cpu_count = count;
	return &perfetto->cpus[id];
}

/* Ends an event, whose @field is in detail, on a CPU. */
static void put_event(struct perfetto *perfetto, u32 id, u64 time, u32 pid, u32 field)
{
	struct lane *cpu = cpu_of(perfetto, id);

	if (!cpu)
		return;
	proto_number(&perfetto->event, EVENT_TIME, time);
	proto_number(&perfetto->event, EVENT_PID, pid);
	proto_message(&perfetto->event, field, &perfetto->detail);
	proto_message(&cpu->events, BUNDLE_EVENT, &perfetto->event);
	perfetto->packet.starved |= cpu->events.starved;
	if (cpu->events.used > BUNDLE)
		write_bundles(perfetto);
}

/* ---- processes ------------------------------------------------------------------------ */

static u32 pid_of(u32 process)
{
	return process == BCOS_PROCESS_KERNEL ? KERNEL : process == BCOSLOG_NO_PROCESS ? UNKNOWN : process & 0x7FFFFFFF;
}

/* As FXT has it, in 31 bits. Larger numbers share threads with others. */
static u32 tid_of(u32 process, u32 cpu)
{
	return ((cpu + 1) << 22 | (process & 0x3FFFFF)) & 0x7FFFFFFF;
}

static void put_process(struct perfetto *perfetto, const struct fxt_thread *process)
{
	proto_number(&perfetto->item, PROCESS_PID, pid_of(process->pid));
	proto_bytes(&perfetto->item, PROCESS_CMDLINE, process->name, process->length);
	proto_message(&perfetto->tree, TREE_PROCESS, &perfetto->item);
}

static void put_thread(struct perfetto *perfetto, const struct fxt_thread *process, const struct fxt_thread *thread)
{
	proto_number(&perfetto->item, THREAD_TID, tid_of(thread->pid, (u32)thread->cpu));
	proto_bytes(&perfetto->item, THREAD_NAME, process->name, process->length);
	proto_number(&perfetto->item, THREAD_TGID, pid_of(thread->pid));
	proto_message(&perfetto->tree, TREE_THREAD, &perfetto->item);
}

static struct fxt_thread *process_of(struct perfetto *perfetto, u32 pid, const char *name, size_t length)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, pid, A_PROCESS);

	if (process)
		return process;
	process = fxt_thread_add(&perfetto->threads, pid, A_PROCESS);
	if (!process || fxt_thread_rename(process, name, length)) {
		perfetto->packet.starved = true;
		return NULL;
	}
	put_process(perfetto, process);
	write_tree(perfetto);
	return process;
}

/* Returns the process of a thread that viewers know by then. */
static struct fxt_thread *thread_on(struct perfetto *perfetto, u32 pid, u32 cpu)
{
	struct fxt_thread *thread = fxt_thread_find(&perfetto->threads, pid, cpu), *process;
	const char *name = pid == BCOSLOG_NO_PROCESS ? "unknown" : pid ? "?" : "kernel";

	if (likely(thread))
		return thread->owner;
	process = process_of(perfetto, pid, name, strlen(name));
	if (!process)
		return NULL;
	thread = fxt_thread_add(&perfetto->threads, pid, cpu);
	if (!thread) {
		perfetto->packet.starved = true;
		return NULL;
	}
	thread->owner = process;
	thread->sibling = process->sibling;
	process->sibling = thread;
	put_thread(perfetto, process, thread);
	write_tree(perfetto);
	return process;
}

static void named(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, entry->source, A_PROCESS), *thread;
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (process && entry->type & BCOS_TYPE_HISTORICAL)
		return;
	if (!process) {
		process_of(perfetto, entry->source, name, length);
		return;
	}
	if (fxt_thread_rename(process, name, length)) {
		perfetto->packet.starved = true;
		return;
	}
	put_process(perfetto, process);
	for (thread = process->sibling; thread; thread = thread->sibling)
		put_thread(perfetto, process, thread);
	write_tree(perfetto);
}

static void ended(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, entry->source, A_PROCESS), *thread;
	u32 id;

	if (!process)
		return;
	for (thread = process->sibling; thread; thread = thread->sibling) {
		proto_bytes(&perfetto->detail, FREE_COMM, process->name, process->length);
		proto_number(&perfetto->detail, FREE_PID, tid_of(thread->pid, (u32)thread->cpu));
		put_event(perfetto, (u32)thread->cpu, entry->time, tid_of(thread->pid, (u32)thread->cpu), EVENT_FREE);
	}
	for (id = 0; id < perfetto->cpu_count; id++)
		if (perfetto->cpus[id].runs == process)
			perfetto->cpus[id].runs = NULL;
	fxt_thread_remove(&perfetto->threads, process);
}

/* ---- switches ----------------------------------------------------------------------------- */

/* The names of both sides are short: then every length of a switch is one byte, but that of the event two at most. */
#define NAME_SHORT 24u

static u8 *number_put(u8 *to, u32 field, u64 number)
{
	*to++ = (u8)(field << 3);
	for (; number > 0x7F; number >>= 7)
		*to++ = (u8)(number | 0x80);
	*to++ = (u8)number;
	return to;
}

static u8 *name_put(u8 *to, u32 field, const char *name, size_t length)
{
	*to++ = (u8)(field << 3 | 2);
	*to++ = (u8)length;
	memcpy(to, name, length);
	return to + length;
}

/* What a switch says. */
struct turn {
	const char *out_name, *in_name;
	size_t out_length, in_length;
	u32 out_tid, in_tid, state;
};

/* Puts a switch together at once: nearly everything is one. */
static void put_short(struct lane *cpu, u64 time, const struct turn *turn)
{
	u8 inner[128], head[32], *to = inner, *end;
	size_t size;

	to = name_put(to, PREV_COMM, turn->out_name, turn->out_length);
	to = number_put(to, PREV_PID, turn->out_tid);
	to = number_put(to, PREV_PRIO, PRIORITY);
	to = number_put(to, PREV_STATE, turn->state);
	to = name_put(to, NEXT_COMM, turn->in_name, turn->in_length);
	to = number_put(to, NEXT_PID, turn->in_tid);
	to = number_put(to, NEXT_PRIO, PRIORITY);
	size = (size_t)(to - inner);
	end = number_put(head, EVENT_TIME, time);
	end = number_put(end, EVENT_PID, turn->out_tid);
	*end++ = EVENT_SWITCH << 3 | 2;
	*end++ = (u8)size;
	proto_varint(&cpu->events, BUNDLE_EVENT << 3 | 2);
	proto_varint(&cpu->events, (size_t)(end - head) + size);
	if (cpu->events.used + sizeof(head) + size > cpu->events.room && !proto_grow(&cpu->events, sizeof(head) + size))
		return;
	memcpy(cpu->events.bytes + cpu->events.used, head, (size_t)(end - head));
	memcpy(cpu->events.bytes + cpu->events.used + (end - head), inner, size);
	cpu->events.used += (size_t)(end - head) + size;
}

static void put_long(struct perfetto *perfetto, u32 id, u64 time, const struct turn *turn)
{
	proto_bytes(&perfetto->detail, PREV_COMM, turn->out_name, turn->out_length);
	proto_number(&perfetto->detail, PREV_PID, turn->out_tid);
	proto_number(&perfetto->detail, PREV_PRIO, PRIORITY);
	proto_number(&perfetto->detail, PREV_STATE, turn->state);
	proto_bytes(&perfetto->detail, NEXT_COMM, turn->in_name, turn->in_length);
	proto_number(&perfetto->detail, NEXT_PID, turn->in_tid);
	proto_number(&perfetto->detail, NEXT_PRIO, PRIORITY);
	put_event(perfetto, id, time, turn->out_tid, EVENT_SWITCH);
}

static void switch_to(struct perfetto *perfetto, u64 time, u32 id, u32 process)
{
	struct turn turn = { .out_name = "swapper", .in_name = "swapper", .out_length = 7, .in_length = 7 };
	struct lane *cpu = cpu_of(perfetto, id);
	const struct fxt_thread *out = NULL, *in = NULL;
	u32 before;

	if (!cpu)
		return;
	before = cpu->known ? cpu->process : BCOS_PROCESS_IDLE;
	if (before != BCOS_PROCESS_IDLE)
		out = cpu->runs ? cpu->runs : thread_on(perfetto, before, id);
	if (process != BCOS_PROCESS_IDLE)
		in = thread_on(perfetto, process, id);
	if (out) {
		turn.out_name = out->name;
		turn.out_length = out->length;
		turn.out_tid = tid_of(before, id);
		/* An assignment does not tell whether a process blocks or is preempted. 1: it sleeps. */
		turn.state = before != BCOS_PROCESS_KERNEL;
	}
	if (in) {
		turn.in_name = in->name;
		turn.in_length = in->length;
		turn.in_tid = tid_of(process, id);
	}
	cpu->known = true;
	cpu->process = process;
	cpu->runs = in;
	if (unlikely(turn.out_length > NAME_SHORT || turn.in_length > NAME_SHORT)) {
		put_long(perfetto, id, time, &turn);
		return;
	}
	put_short(cpu, time, &turn);
	perfetto->packet.starved |= cpu->events.starved;
	if (cpu->events.used > BUNDLE)
		write_bundles(perfetto);
}

static void assigned(struct perfetto *perfetto, const struct bcos_assign_cpu *entry)
{
	bool historical = entry->header.type & BCOS_TYPE_HISTORICAL;
	struct lane *cpu;

	if (entry->header.source >= CPUS_MAX) {
		perfetto->beyond++;
		return;
	}
	cpu = cpu_of(perfetto, entry->header.source);
	if (!cpu || (historical && cpu->known && cpu->process != BCOSLOG_NO_PROCESS))
		return;
	if (historical && !perfetto->time) {
		/* It is shown from where the log begins on. */
		cpu->known = true;
		cpu->process = entry->process;
		return;
	}
	switch_to(perfetto, historical ? perfetto->time : entry->header.time, entry->header.source, entry->process);
}

static void unknown(struct perfetto *perfetto, u64 time, u32 id)
{
	if (id < perfetto->cpu_count && perfetto->cpus[id].known && perfetto->cpus[id].process != BCOSLOG_NO_PROCESS)
		switch_to(perfetto, time, id, BCOSLOG_NO_PROCESS);
}

static void all_unknown(struct perfetto *perfetto, u64 time)
{
	u32 id;

	for (id = 0; id < perfetto->cpu_count; id++)
		unknown(perfetto, time, id);
}

/* Nothing that was known has to be true any more. */
static void forget(struct perfetto *perfetto)
{
	u32 id;

	for (id = 0; id < perfetto->cpu_count; id++)
		perfetto->cpus[id].runs = NULL;
	fxt_threads_clear(&perfetto->threads);
}

/* The time is known at which the log begins, and so is what ran then. */
static void begin_switches(struct perfetto *perfetto)
{
	u32 id, process;

	for (id = 0; id < perfetto->cpu_count; id++) {
		if (!perfetto->cpus[id].known)
			continue;
		process = perfetto->cpus[id].process;
		perfetto->cpus[id].known = false;
		switch_to(perfetto, perfetto->time, id, process);
	}
}

/* ---- events ------------------------------------------------------------------------------------ */

/* An event that a viewer shows at a process: "I|PID|TEXT", or a counter "C|PID|NAME|NUMBER". */
static void put_print(struct perfetto *perfetto, u64 time, u32 cpu, u32 process, const char *kind, const char *text,
		      size_t length, const char *behind)
{
	static char line[BCOS_ENTRY_MAX + 128];
	int n = snprintf(line, sizeof(line), "%s|%u|%.*s%s", kind, pid_of(process), (int)length, text, behind);
	size_t i, begin = (size_t)n - length - strlen(behind);

	/* What separates fields and lines is none of the text. */
	for (i = begin; i < begin + length; i++)
		if (line[i] == '|' || line[i] == '\n')
			line[i] = ' ';
	process_of(perfetto, process, process ? "?" : "kernel", process ? 1 : 6);
	thread_on(perfetto, process, cpu);
	proto_bytes(&perfetto->detail, PRINT_BUF, line, (size_t)n);
	put_event(perfetto, cpu, time, tid_of(process, cpu), EVENT_PRINT);
}

static const struct fxt_thread *device_of(struct perfetto *perfetto, u32 id)
{
	struct fxt_thread *device = fxt_thread_find(&perfetto->threads, id, A_DEVICE);

	if (device)
		return device;
	device = fxt_thread_add(&perfetto->threads, id, A_DEVICE);
	if (!device || fxt_thread_rename(device, "?", 1))
		perfetto->packet.starved = true;
	return device;
}

static void device_named(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *device = (struct fxt_thread *)device_of(perfetto, entry->source);
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (device && fxt_thread_rename(device, name, length))
		perfetto->packet.starved = true;
}

static void device_ended(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *device = fxt_thread_find(&perfetto->threads, entry->source, A_DEVICE);

	if (device)
		fxt_thread_remove(&perfetto->threads, device);
}

static void transferred(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	const struct fxt_thread *device = device_of(perfetto, entry->source);
	u32 number = ((const struct bcos_device_io *)entry)->bytes;
	char behind[64];

	if (!device)
		return;
	if (entry->type == BCOS_IRQ) {
		proto_number(&perfetto->detail, IRQ_NUMBER, number & 0x7FFFFFFF);
		proto_bytes(&perfetto->detail, IRQ_NAME, device->name, device->length);
		put_event(perfetto, 0, entry->time, 0, EVENT_IRQ_ENTRY);
		proto_number(&perfetto->detail, IRQ_NUMBER, number & 0x7FFFFFFF);
		put_event(perfetto, 0, entry->time, 0, EVENT_IRQ_EXIT);
		return;
	}
	snprintf(behind, sizeof(behind), " 0x%08X %s|%u", entry->source, entry->type == BCOS_DEVICE_INPUT ? "input" : "output",
		 number);
	put_print(perfetto, entry->time, 0, BCOS_PROCESS_KERNEL, "C", device->name, device->length, behind);
}

static void happened(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	bool process = entry->type == BCOS_GENERIC_PROCESS;
	size_t length;
	const char *text = bcoslog_text(entry, &length);
	u32 mask;

	put_print(perfetto, entry->time, 0, process ? entry->source : BCOS_PROCESS_KERNEL, "I", text, length, "");
	if (bcoslog_is_loss(entry) && entry->source < perfetto->cpu_count) {
		perfetto->cpus[entry->source].lost = true;
		if (account_loss_kinds(text, length) & BCOSLOG_LOST_ASSIGNMENTS)
			unknown(perfetto, entry->time, entry->source);
	} else if (bcoslog_is_missed(entry)) {
		all_unknown(perfetto, entry->time);
		forget(perfetto);
	} else if (entry->type == BCOS_GENERIC_CPU && event->event_id == BCOS_EVENT_MASK &&
		   account_loss_mask(text, length, &mask) && !(mask & (BCOS_CLASS_ASSIGN | BCOS_CLASS_KERNEL_TIME))) {
		all_unknown(perfetto, entry->time);
	}
}

static void called(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	const struct bcos_kernel_api *calls = (const struct bcos_kernel_api *)entry;
	size_t count = (entry->size - sizeof(*calls)) / sizeof(u32), i;
	static char text[BCOS_ENTRY_MAX / 4 * 11 + 64];
	int n = sprintf(text, "kernel API");

	for (i = 0; i < count && n < (int)BCOS_ENTRY_MAX - 12; i++)
		n += sprintf(text + n, " %u", calls->function[i]);
	put_print(perfetto, entry->time, 0, entry->source, "I", text, (size_t)n, "");
}

/* ---- the exporter ---------------------------------------------------------------------------------- */

static void put_entry(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
	case BCOS_HIST_ASSIGN_CPU:
		assigned(perfetto, (const struct bcos_assign_cpu *)entry);
		break;
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
		named(perfetto, entry);
		break;
	case BCOS_CANCEL_PROCESS_NAME:
		ended(perfetto, entry);
		break;
	case BCOS_SET_DEVICE_NAME:
	case BCOS_HIST_SET_DEVICE_NAME:
		device_named(perfetto, entry);
		break;
	case BCOS_CANCEL_DEVICE_NAME:
		device_ended(perfetto, entry);
		break;
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
	case BCOS_IRQ:
		transferred(perfetto, entry);
		break;
	case BCOS_KERNEL_API:
		called(perfetto, entry);
		break;
	case BCOS_CPU_OFFLINE:
		if (entry->source < perfetto->cpu_count && perfetto->cpus[entry->source].process != BCOS_PROCESS_IDLE)
			unknown(perfetto, entry->time, entry->source);
		break;
	default:
		if (bcoslog_is_generic(entry->type))
			happened(perfetto, entry);
		break;
	}
}

static int perfetto_entry(struct export *export, const struct bcos_entry *entry)
{
	struct perfetto *perfetto = export->own;

	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		if (unlikely(!perfetto->time)) {
			perfetto->time = entry->time;
			begin_switches(perfetto);
		}
		perfetto->time = entry->time;
	}
	put_entry(perfetto, entry);
	if (likely(!is_starved(perfetto)))
		return 0;
	complain("no memory for the names in %s", export->path);
	return -ENOMEM;
}

static int perfetto_begin(struct export *export)
{
	struct perfetto *perfetto = calloc(1, sizeof(*perfetto));

	export->own = perfetto;
	if (!perfetto || fxt_threads_init(&perfetto->threads)) {
		complain("no memory");
		return -ENOMEM;
	}
	perfetto->file = &export->output->file;
	return 0;
}

static int perfetto_resumed(struct export *export)
{
	struct perfetto *perfetto = export->own;

	all_unknown(perfetto, perfetto->time);
	forget(perfetto);
	return 0;
}

static int perfetto_end(struct export *export)
{
	struct perfetto *perfetto = export->own;

	write_bundles(perfetto);
	if (perfetto->beyond)
		complain("%llu assignments of CPUs above %u are left out", (unsigned long long)perfetto->beyond, CPUS_MAX - 1);
	return 0;
}

static void perfetto_free(struct export *export)
{
	struct perfetto *perfetto = export->own;
	u32 id;

	if (!perfetto)
		return;
	for (id = 0; id < perfetto->cpu_count; id++)
		proto_free(&perfetto->cpus[id].events);
	free(perfetto->cpus);
	fxt_threads_free(&perfetto->threads);
	proto_free(&perfetto->packet);
	proto_free(&perfetto->bundle);
	proto_free(&perfetto->tree);
	proto_free(&perfetto->item);
	proto_free(&perfetto->event);
	proto_free(&perfetto->detail);
	free(perfetto);
}

const struct exporter perfetto_exporter = {
	.name = "perfetto",
	.suffix = ".perfetto-trace",
	.help = "Perfetto's own format",
	.begin = perfetto_begin,
	.entry = perfetto_entry,
	.resumed = perfetto_resumed,
	.end = perfetto_end,
	.free = perfetto_free,
};
