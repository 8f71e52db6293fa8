/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits the rates at which users write events to the device (parameter user_rate). */
#ifndef BCOS_ALLOWANCE_H
#define BCOS_ALLOWANCE_H

#include <linux/types.h>
#include <linux/uidgid.h>

/**
 * struct bcos_user - the user who opened a file
 * @uid: user ID in the initial user namespace
 * @trusted: the user had CAP_PERFMON, CAP_SYSLOG or CAP_SYS_ADMIN there when opening the file
 */
struct bcos_user {
	kuid_t uid;
	bool trusted;
};

/* Sets @user to the user of the current process. */
void bcos_user_init(struct bcos_user *user);

/**
 * bcos_user_may_say() - may a user record one more event
 * @user: the user
 *
 * Each trusted user has a rate limit of his own. All others share one limit, since a user who
 * creates user namespaces has any number of user IDs and files. Refused events are counted, and
 * stated in the log within about a second.
 *
 * Context: process context.
 * Return: true if the event may be recorded.
 */
bool bcos_user_may_say(const struct bcos_user *user);

int bcos_users_up(void);
/* After this, refusals are no longer stated. */
void bcos_users_down(void);

#endif
