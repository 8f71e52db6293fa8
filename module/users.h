/* SPDX-License-Identifier: GPL-2.0-only */
/* Who says something by the device, and how much he still may: the parameter user_rate. */
#ifndef BCOS_USERS_H
#define BCOS_USERS_H

#include <linux/types.h>
#include <linux/uidgid.h>

/**
 * struct bcos_user - whose an open file is
 * @uid: who opened it, as the initial user namespace has it
 * @trusted: he had CAP_PERFMON or CAP_SYSLOG there
 */
struct bcos_user {
	kuid_t uid;
	bool trusted;
};

/* Of the current process. */
void bcos_user_init(struct bcos_user *user);

/**
 * bcos_user_may_say() - takes one event from what a user may still say
 * @user: who
 *
 * Whoever is trusted has an allowance of his own. All others share one: a user who makes user namespaces has as many
 * user IDs as he likes, and as many files, and each may belong to him. What is refused is counted, and stated in the
 * log within a second or so, once for all.
 *
 * Context: process.
 * Return: it may be recorded.
 */
bool bcos_user_may_say(const struct bcos_user *user);

int bcos_users_up(void);
/* Nothing is stated any more. */
void bcos_users_down(void);

#endif
