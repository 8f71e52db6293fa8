// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the texts of losses and of changes of the class mask, each in memory that ends where the text ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "account/account.h"
#include "core/format/loss_text.h"

#define LIVES BCOSLOG_LOST_LIVES
#define DEVICES BCOSLOG_LOST_DEVICES
#define EVENTS BCOSLOG_LOST_EVENTS
#define TRANSFERS BCOSLOG_LOST_TRANSFERS

/* Returns a copy of exactly this text, so that the sanitizer sees each byte that is read before or after it. */
static char *copy_exactly(const char *text, size_t length)
{
	char *copy = malloc(length ? length : 1);

	assert_non_null(copy);
	memcpy(copy, text, length);
	return copy;
}

static u32 find_kinds(const char *text)
{
	char *copy = copy_exactly(text, strlen(text));
	struct bcos_loss_stated loss;

	bcos_loss_text_parse(&loss, copy, strlen(text), 5, 1);
	free(copy);
	return loss.kinds;
}

static void words_of_losses(void **state)
{
	static const struct {
		const char *text;
		u32 kinds;
	} texts[] = {
		{ "lost 1 births and deaths", LIVES },
		{ "lost 1 births or devices", LIVES | DEVICES },
		{ "lost 1 births, devices or senders of signals", LIVES | DEVICES | EVENTS },
		{ "lost 1 executed programs", EVENTS },
		{ "lost 1 network interfaces", DEVICES },
		{ "lost 1 packets", TRANSFERS },
		{ "lost 1 assignments", BCOSLOG_LOST_ASSIGNMENTS },
		{ "lost 1 interrupts", BCOSLOG_LOST_INTERRUPTS },
		{ "lost 1 user events", EVENTS },
		{ "lost 1 kernel messages", EVENTS },
		{ "lost 1 transfers", TRANSFERS },
		{ "lost 1 kernel calls", BCOSLOG_LOST_CALLS },
		{ "lost 1 idle states", EVENTS },
		{ "lost 1 task states", EVENTS | BCOSLOG_LOST_STATES },
		{ "lost 1 devices", DEVICES },
		{ "lost 1 records: about what has no name here", TRANSFERS | EVENTS },
		{ "lost 1 message or more about devices: the kernel could not keep them", DEVICES },
		/* A count may have all digits. A text may have several counts. */
		{ "lost 1234567890 packets, 90 devices, 10 interrupts: until 0.5 s",
		  TRANSFERS | DEVICES | BCOSLOG_LOST_INTERRUPTS },
		/* No word after the colon counts. */
		{ "lost 1 packets: 2 devices", TRANSFERS },
		/* A count inside the words is none. */
		{ "lost 1 packets of 7 devices", TRANSFERS },
		/* Words that are cut or unknown, and texts without a count, stand for anything. */
		{ "lost 1 packet", LOST_ALL }, { "lost 1 things", LOST_ALL }, { "lost 1 ", LOST_ALL },
		{ "lost 1", LOST_ALL },
		{ "lost", LOST_ALL }, { "9 packets", LOST_ALL }, { "", LOST_ALL }, { ": 1 packets", LOST_ALL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (find_kinds(texts[i].text) != texts[i].kinds)
			fail_msg("\"%s\" is %#x, not %#x", texts[i].text, find_kinds(texts[i].text), texts[i].kinds);
}

/* The span of a loss concerns a window if they have a common part. A span without length has to lie in the window. */
static void windows_of_losses(void **state)
{
	static struct bcoslog_account account;

	(void)state;
	account.options.since = 100;
	account.options.until = 200;
	assert_true(account_loss_concerns(&account, 50, 101) && account_loss_concerns(&account, 100, 100) &&
		    account_loss_concerns(&account, 199, 199) && account_loss_concerns(&account, 199, 300));
	assert_false(account_loss_concerns(&account, 50, 99) || account_loss_concerns(&account, 50, 100) ||
		     account_loss_concerns(&account, 200, 200) || account_loss_concerns(&account, 200, 300));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(words_of_losses),
					    cmocka_unit_test(windows_of_losses) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
