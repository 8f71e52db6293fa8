// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records events of BPF programs: see kfunc.h. The verifier guarantees that @text has @text__sz
 * bytes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "capture/event.h"
#include "capture/probes/device.h"
#include "capture/staging.h"
#include "capture/task.h"
#include "compat.h"
#include "core/format/entry.h"
#include "writer/writer.h"
#include "kfunc.h"

#ifdef BCOS_HAVE_KFUNCS

/* Returns the bytes of text, or an error if no event is allowed here. */
static int bcos_kfunc_length(const char *text, u32 size)
{
	size_t length = strnlen(text, size);

	if (length > BCOS_EVENT_TEXT_MAX)
		return -EMSGSIZE;
	/*
	 * A BPF program may run anywhere. Staging refuses and counts an event inside the recording
	 * of another one. An event inside the log writer's own work is refused here, since the
	 * writer must not produce events by its work.
	 */
	if (READ_ONCE(bcos_events_on) && bcos_writer_is_current()) {
		this_cpu_inc(bcos_stages.nested);
		return -EDEADLK;
	}
	return length;
}

static int bcos_kfunc_put(u16 subject, u64 source, u32 event_id, u32 severity, const char *text,
			  u32 size)
{
	struct bcos_raw raw = {
		.kind = BCOS_RAW_EVENT,
		.aux = BCOS_RAW_ABOUT(subject, min(severity, 255u)),
		.id = (u32)source,
	};
	int length;

	if (!bcos_event_id_valid(subject, event_id))
		return -EINVAL;
	length = bcos_kfunc_length(text, size);
	if (length < 0)
		return length;
	return bcos_event_stage(raw, event_id, (u32)(source >> 32), text, length);
}

/**
 * bcos_evlog_event() - record an event of the current process (5.3)
 * @event_id: event ID
 * @severity: 0 to 255; a larger value counts as 255
 * @text: up to 1024 bytes; the first zero ends it
 * @text__sz: bytes of @text
 *
 * Context: any; in NMI, in the log writer, and inside the recording of another event, the event is
 *   refused and counted, which the log states.
 * Return: 0; -EMSGSIZE: @text is too long; -EPERM: in NMI; -EDEADLK: called by the log writer;
 *   -ENOBUFS: this CPU's staging is full, or this CPU is recording another event.
 */
__bpf_kfunc int bcos_evlog_event(u32 event_id, u32 severity, const char *text, u32 text__sz)
{
	int length = bcos_kfunc_length(text, text__sz);

	if (length < 0)
		return length;
	return bcos_event_of_current(event_id, min(severity, 255u), text, length);
}

/*
 * Like bcos_evlog_event(), for the current CPU (5.11). Returns -EINVAL for a reserved ID, which is
 * neither 0 nor has bit 31.
 */
__bpf_kfunc int bcos_evlog_cpu_event(u32 event_id, u32 severity, const char *text, u32 text__sz)
{
	return bcos_kfunc_put(BCOS_SUBJECT_CPU, raw_smp_processor_id(), event_id, severity, text,
			      text__sz);
}

/* Like bcos_evlog_cpu_event(), for a network interface (5.16). */
__bpf_kfunc int bcos_evlog_netdev_event(struct net_device *device, u32 event_id, u32 severity,
					const char *text, u32 text__sz)
{
	return bcos_kfunc_put(BCOS_SUBJECT_DEVICE, bcos_device_key(BCOS_DEVICE_NETWORK, device),
			      event_id, severity, text, text__sz);
}

BCOS_KFUNCS_BEGIN(bcos_kfunc_ids)
BTF_ID_FLAGS(func, bcos_evlog_event)
BTF_ID_FLAGS(func, bcos_evlog_cpu_event)
BTF_ID_FLAGS(func, bcos_evlog_netdev_event, KF_TRUSTED_ARGS)
BCOS_KFUNCS_END(bcos_kfunc_ids)

static const struct btf_kfunc_id_set bcos_kfuncs = {
	.owner = THIS_MODULE,
	.set = &bcos_kfunc_ids,
};

int bcos_kfuncs_up(void)
{
	/* The kernel unregisters the set when it unloads the module. */
	int error = register_btf_kfunc_id_set(BPF_PROG_TYPE_TRACING, &bcos_kfuncs);

	if (error)
		pr_info("BPF programs cannot record events: registering the functions failed with error %d\n",
			error);
	return 0;
}

#else

int bcos_kfuncs_up(void)
{
	pr_info("built without type information, so BPF programs cannot record events\n");
	return 0;
}

#endif
