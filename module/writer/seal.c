// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of the kernel: see seal.h.
 *
 * A panic may come inside a probe, an interrupt or an NMI, while the other CPUs have stopped in the
 * middle of a record or of a pass of the log writer, and with memory in any state. So the notifier
 * only copies numbers into memory that it has: it takes no lock, allocates nothing, wakes nobody,
 * and reads clocks that work in an NMI. Whoever reads the image merges the rest.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/percpu.h>
#include <linux/reboot.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <linux/timekeeping.h>

#include "capture/staging.h"
#include "keep/image.h"
#include "keep/region.h"
#include "machine/identity.h"
#include "kmsg.h"
#include "seal.h"
#include "wakeup.h"

/* A reboot waits for the last pass at most this long. */
#define BCOS_LAST_PASS (2 * HZ)

static bool bcos_seal_begun;
/* A panic inside the notifier must not begin it again. */
static atomic_t bcos_panicked;

/* ---- what a seal says ------------------------------------------------------------------ */

static void bcos_seal_head(struct bcos_image_head *head, const struct bcos_stage *stage)
{
	const struct bcos_stage_lost *lost = &stage->lost;
	u32 class;

	head->head = READ_ONCE(stage->head);
	head->last = READ_ONCE(stage->last);
	head->nested = READ_ONCE(stage->nested);
	head->nmi = READ_ONCE(stage->nmi);
	head->mark = READ_ONCE(stage->mark);
	head->sequence = READ_ONCE(lost->sequence);
	head->stretch = READ_ONCE(lost->stretch);
	head->assign_id = READ_ONCE(lost->assign_id);
	head->first = READ_ONCE(lost->first);
	head->latest = READ_ONCE(lost->last);
	head->assign_time = READ_ONCE(lost->assign_time);
	for (class = 0; class < BCOS_LOSS_CLASSES; class++)
		head->lost[class] = READ_ONCE(lost->count[class]);
}

static void bcos_seal_times(struct bcos_image_seal *seal)
{
	seal->ticks = READ_ONCE(bcos_clock_is_ticks) ? bcos_clock() : 0;
	seal->time = ktime_get_boot_fast_ns();
	seal->wall = ktime_get_real_fast_ns();
	seal->local = local_clock();
}

static void bcos_seal_write(u32 kind, const char *reason)
{
	struct bcos_image_seal *seal = bcos_image_place(BCOS_IMAGE_SEAL);
	unsigned int cpu;

	seal->kind = kind;
	seal->cpu = raw_smp_processor_id();
	seal->online = num_online_cpus();
	strscpy_pad(seal->reason, reason ?: "", sizeof(seal->reason));
	for_each_possible_cpu(cpu)
		bcos_seal_head(&seal->head[cpu], per_cpu_ptr(&bcos_stages, cpu));
	bcos_seal_head(&seal->head[nr_cpu_ids], bcos_kmsg_stage());
	/* The clocks come last, so that no record of a stopped CPU is later. */
	bcos_seal_times(seal);
	seal->sum = bcos_image_seal_sum(seal, nr_cpu_ids + 1);
}

/* Adds the lines that nobody will stage any more. */
static void bcos_seal_lines(void)
{
	struct bcos_image_kmsg *kmsg = bcos_image_place(BCOS_IMAGE_KMSG);
	size_t length = bcos_kmsg_rest(kmsg->text, BCOS_IMAGE_KMSG_ROOM - sizeof(u64),
				       &kmsg->first, &kmsg->missing);

	/* The sum takes whole words. */
	memset(kmsg->text + length, 0, sizeof(u64));
	kmsg->length = length;
	kmsg->sum = bcos_image_kmsg_sum(kmsg);
	bcos_region_write_back(kmsg, sizeof(*kmsg) + length + sizeof(u64));
}

static void bcos_seal_as(u32 kind, const char *reason, u64 state)
{
	bcos_seal_write(kind, reason);
	/* The state comes after the seal. Nothing pairs with this: readers run later. */
	smp_wmb();
	bcos_image_set_state(state);
	bcos_image_write_back();
}

/* ---- when it is sealed ------------------------------------------------------------------ */

static int bcos_seal_panic(struct notifier_block *block, unsigned long unused, void *text)
{
	if (atomic_xchg(&bcos_panicked, 1))
		return NOTIFY_DONE;
	bcos_seal_as(BCOS_IMAGE_PANIC, text, BCOS_IMAGE_SEALED);
	/* The kernel's log may be damaged, so what does without it is written back by now. */
	bcos_seal_lines();
	return NOTIFY_DONE;
}

static int bcos_seal_reboot(struct notifier_block *block, unsigned long code, void *command)
{
	u32 kind = code == SYS_HALT ? BCOS_IMAGE_HALT :
		   code == SYS_POWER_OFF ? BCOS_IMAGE_POWER_OFF : BCOS_IMAGE_RESTART;

	bcos_writer_settle_within(BCOS_LAST_PASS);
	bcos_seal_as(kind, command, BCOS_IMAGE_CLEAN);
	return NOTIFY_DONE;
}

/*
 * Hibernation restores ordinary memory and not the region, so the log would go on over entries that
 * another kernel may have changed.
 */
static int bcos_seal_sleep(struct notifier_block *block, unsigned long event, void *unused)
{
	if (event != PM_HIBERNATION_PREPARE || !bcos_region_base())
		return NOTIFY_DONE;
	pr_err("hibernation would not restore the log, which is in memory that survives a reboot; unload bcos_evlog, or load it without keep= and keep_addr=\n");
	return notifier_from_errno(-EBUSY);
}

/* The first of its chain: what comes after it may hang. */
static struct notifier_block bcos_panic_block = {
	.notifier_call = bcos_seal_panic,
	.priority = INT_MAX,
};

/* The last of its chain: what comes before it is recorded. */
static struct notifier_block bcos_reboot_block = {
	.notifier_call = bcos_seal_reboot,
	.priority = INT_MIN,
};

static struct notifier_block bcos_sleep_block = { .notifier_call = bcos_seal_sleep };

/* ---- its beginning ---------------------------------------------------------------------- */

static void bcos_seal_describe(struct bcos_image_header *header)
{
	const struct bcos_statements *identity = bcos_identity_names();

	header->begun = ktime_get_boot_fast_ns();
	header->wall = ktime_get_real_fast_ns();
	strscpy(header->boot, identity->boot, sizeof(header->boot));
	strscpy(header->kernel, identity->kernel, sizeof(header->kernel));
	strscpy(header->module, identity->version, sizeof(header->module));
}

#define BCOS_LIVE(index, member) \
	header->live[BCOS_IMAGE_LIVE_##index] = offsetof(struct bcos_stage, member)

/* Says where a dump of memory has the stages themselves. */
static void bcos_seal_point(struct bcos_image_header *header)
{
	unsigned int cpu;

	header->live_size = sizeof(struct bcos_stage);
	BCOS_LIVE(MARK, mark);
	BCOS_LIVE(HEAD, head);
	BCOS_LIVE(LAST, last);
	BCOS_LIVE(NESTED, nested);
	BCOS_LIVE(NMI, nmi);
	BCOS_LIVE(SEQUENCE, lost.sequence);
	BCOS_LIVE(STRETCH, lost.stretch);
	BCOS_LIVE(FIRST, lost.first);
	BCOS_LIVE(LATEST, lost.last);
	BCOS_LIVE(ASSIGN_TIME, lost.assign_time);
	BCOS_LIVE(ASSIGN_ID, lost.assign_id);
	BCOS_LIVE(LOST, lost.count);
	BCOS_LIVE(TAIL, tail);
	BCOS_LIVE(SIZE, size);
	for_each_possible_cpu(cpu)
		bcos_image_note_live(cpu, per_cpu_ptr(&bcos_stages, cpu),
				     sizeof(struct bcos_stage));
	bcos_image_note_live(nr_cpu_ids, bcos_kmsg_stage(), sizeof(struct bcos_stage));
}

int bcos_seal_up(void)
{
	int error;

	bcos_seal_describe(bcos_image_header());
	bcos_seal_point(bcos_image_header());
	bcos_image_begin();
	bcos_seal_begun = true;
	error = register_reboot_notifier(&bcos_reboot_block);
	if (error)
		return error;
	error = register_pm_notifier(&bcos_sleep_block);
	if (error)
		goto no_sleep;
	error = atomic_notifier_chain_register(&panic_notifier_list, &bcos_panic_block);
	if (error)
		goto no_panic;
	return 0;
no_panic:
	unregister_pm_notifier(&bcos_sleep_block);
no_sleep:
	unregister_reboot_notifier(&bcos_reboot_block);
	return error;
}

void bcos_seal_down(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &bcos_panic_block);
	unregister_pm_notifier(&bcos_sleep_block);
	unregister_reboot_notifier(&bcos_reboot_block);
}

void bcos_seal_unload(void)
{
	if (bcos_seal_begun)
		bcos_seal_as(BCOS_IMAGE_UNLOAD, NULL, BCOS_IMAGE_CLEAN);
}
