// SPDX-License-Identifier: GPL-2.0-only
/* Rate limits for users: see allowance.h. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>
#include <linux/workqueue.h>

#include "capture/clock.h"
#include "capture/event.h"
#include "core/capture/allowance.h"
#include "params.h"
#include "allowance.h"

/*
 * This many trusted users can have a limit of their own at a time. Another user takes the slot of
 * the one who has been silent longest.
 */
#define BCOS_TRUSTED_MAX 32

struct bcos_speaker {
	kuid_t uid;
	struct bcos_allowance allowance;
};

/* Guards the allowances: bcos_trusted, bcos_trusted_count and bcos_others. */
static DEFINE_SPINLOCK(bcos_users_lock);

static struct bcos_speaker bcos_trusted[BCOS_TRUSTED_MAX];
static u32 bcos_trusted_count;
static struct bcos_allowance bcos_others;

static void bcos_write_refusals(struct work_struct *work);
static DECLARE_DELAYED_WORK(bcos_refusals_work, bcos_write_refusals);

void bcos_user_init(struct bcos_user *user)
{
	user->uid = current_uid();
	/* This check leaves no line in the audit log for users without the capability. */
	user->trusted = ns_capable_noaudit(&init_user_ns, CAP_PERFMON) ||
			ns_capable_noaudit(&init_user_ns, CAP_SYSLOG) ||
			ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
}

/* Moves refusals that are not yet stated to the shared limit. */
static void bcos_pass_on(const struct bcos_allowance *allowance)
{
	lockdep_assert_held(&bcos_users_lock);
	if (!allowance->refused)
		return;
	if (!bcos_others.refused || bcos_others.refused_since > allowance->refused_since)
		bcos_others.refused_since = allowance->refused_since;
	bcos_others.refused += allowance->refused;
}

static struct bcos_allowance *bcos_allowance_of(const struct bcos_user *user, u64 now, u32 rate)
{
	struct bcos_speaker *oldest = &bcos_trusted[0];
	u32 i;

	lockdep_assert_held(&bcos_users_lock);
	if (!user->trusted)
		return &bcos_others;
	for (i = 0; i < bcos_trusted_count; i++) {
		if (uid_eq(bcos_trusted[i].uid, user->uid))
			return &bcos_trusted[i].allowance;
		if (bcos_trusted[i].allowance.since < oldest->allowance.since)
			oldest = &bcos_trusted[i];
	}
	if (bcos_trusted_count < BCOS_TRUSTED_MAX) {
		oldest = &bcos_trusted[bcos_trusted_count];
		WRITE_ONCE(bcos_trusted_count, bcos_trusted_count + 1);
	} else {
		bcos_pass_on(&oldest->allowance);
	}
	oldest->uid = user->uid;
	bcos_allowance_begin(&oldest->allowance, now, rate);
	return &oldest->allowance;
}

bool bcos_user_may_say(const struct bcos_user *user)
{
	u32 rate = READ_ONCE(bcos_params.user_rate);
	u64 now;
	bool may;

	if (!rate)
		return true;
	spin_lock(&bcos_users_lock);
	now = bcos_now();
	may = bcos_allowance_take(bcos_allowance_of(user, now, rate), now, rate);
	spin_unlock(&bcos_users_lock);
	if (!may)
		schedule_delayed_work(&bcos_refusals_work, HZ);
	return may;
}

/* ---- statements of refusals, once a second ------------------------------------ */

/*
 * States refusals as an event of the kernel, since they may concern several processes. Returns true
 * if the event is staged.
 */
static bool bcos_write_refused(u64 refused, u64 since, const char *whom)
{
	struct bcos_raw raw = {
		.kind = BCOS_RAW_EVENT,
		.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, BCOS_SEVERITY_ERROR),
		.id = BCOS_PROCESS_KERNEL,
	};
	char text[160];
	u32 rest;
	int length;

	since = div_u64_rem(since, NSEC_PER_SEC, &rest);
	length = scnprintf(text, sizeof(text),
			   "left out %llu events of %s since %llu.%09u s: more than %u a second",
			   refused, whom, since, rest, READ_ONCE(bcos_params.user_rate));
	return !bcos_event_stage(raw, BCOS_EVENT_REFUSED, 0, text, length);
}

/*
 * States the refusals of a user, or with NULL those of the shared limit. Returns true if none is
 * left.
 */
static bool bcos_write_refusals_of(struct bcos_speaker *speaker)
{
	struct bcos_allowance *allowance = speaker ? &speaker->allowance : &bcos_others;
	char whom[48] = "users without CAP_PERFMON or CAP_SYSLOG";
	u64 refused, since;

	spin_lock(&bcos_users_lock);
	refused = allowance->refused;
	since = allowance->refused_since;
	allowance->refused = 0;
	if (speaker)
		scnprintf(whom, sizeof(whom), "user %u", from_kuid(&init_user_ns, speaker->uid));
	spin_unlock(&bcos_users_lock);
	if (!refused || bcos_write_refused(refused, since, whom))
		return true;
	spin_lock(&bcos_users_lock);
	allowance->refused += refused;
	allowance->refused_since = since;
	spin_unlock(&bcos_users_lock);
	return false;
}

static void bcos_write_refusals(struct work_struct *work)
{
	bool done = bcos_write_refusals_of(NULL);
	u32 i;

	for (i = 0; i < READ_ONCE(bcos_trusted_count); i++)
		done &= bcos_write_refusals_of(&bcos_trusted[i]);
	if (!done)
		schedule_delayed_work(&bcos_refusals_work, HZ);
}

int bcos_users_up(void)
{
	bcos_allowance_begin(&bcos_others, bcos_now(), bcos_params.user_rate);
	return 0;
}

void bcos_users_down(void)
{
	cancel_delayed_work_sync(&bcos_refusals_work);
}
