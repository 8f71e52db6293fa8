// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the account: sums hold for any log. Logs and sums are made by hand. */
#include "account_made.h"

static uint32_t seed = 1;

static uint32_t random_below(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static void any_entry(uint64_t time)
{
	static const uint16_t types[] = {
		BCOS_ASSIGN_CPU, BCOS_ASSIGN_CPU, BCOS_ASSIGN_CPU, BCOS_HIST_ASSIGN_CPU, BCOS_CPU_ONLINE,
		BCOS_HIST_CPU_ONLINE, BCOS_CANCEL_PROCESS_NAME, BCOS_DEVICE_INPUT, BCOS_DEVICE_OUTPUT, BCOS_IRQ,
		BCOS_CANCEL_DEVICE_NAME,
	};
	static const char *const texts[] = {
		"lost 1 assignments: staging full, until 0.000001200 s", "lost 2 interrupts: staging full",
		"class mask 0x1f -> 0x1e: assign off", "class mask 0x1e -> 0x1f: assign on", "nothing",
	};
	uint32_t pick = random_below(20);

	if (pick < 11) {
		apply_word(types[pick], random_below(6), time, types[pick] == BCOS_CPU_ONLINE ||
			   types[pick] == BCOS_HIST_CPU_ONLINE ?
						random_below(3) : random_below(10) ? random_below(8) : IDLE);
		return;
	}
	switch (pick) {
	case 11:
	case 12:
		apply_name(random_below(2) ? BCOS_SET_PROCESS_NAME : BCOS_HIST_SET_PROCESS_NAME, random_below(8), time,
			   random_below(2) ? "a" : "bb");
		break;
	case 13:
		apply_device(random_below(2) ? BCOS_SET_DEVICE_NAME : BCOS_HIST_SET_DEVICE_NAME, random_below(6), time,
			     "d");
		break;
	case 14:
		apply_entry(made_core(&made, random_below(2) ? BCOS_CORE_ONLINE : BCOS_HIST_CORE_ONLINE,
				      random_below(3), time,
				      (uint16_t)random_below(0x10000), (uint16_t)random_below(0x10000), performance,
				      random_below(3)));
		break;
	case 15:
		if (!random_below(8))
			apply_entry(made_entry(&made, BCOS_CPU_OFFLINE, random_below(6), time, NULL, 0));
		break;
	case 16:
		if (!random_below(20))
			apply_entry(made_event(&made, BCOS_GENERIC_DEVICE, SELF, time, BCOS_EVENT_MISSED,
					       BCOS_SEVERITY_ERROR, "missed 5 entries"));
		break;
	case 17:
		cpu_event(random_below(6), time, random_below(2) ? BCOS_EVENT_LOSS : BCOS_EVENT_MASK,
			  texts[random_below(5)]);
		break;
	default:
		apply_moment(time);
		break;
	}
}

static void sums_hold_for_any_log(void **state)
{
	uint64_t time;
	unsigned int round, i;

	for (round = 0; round < 200; round++) {
		if (round % 2)
			begin_in(0, 0);
		else
			begin_in(random_below(20000), 20000 + random_below(20000));
		time = 1000;
		if (random_below(4))
			apply_group();
		for (i = 0; i < 1000; i++) {
			/* The time of a hostile log may go back. */
			time += random_below(50) ? random_below(100) : -(uint64_t)random_below(200);
			any_entry(time);
			if (!random_below(100))
				bcoslog_account_settle(account);
		}
		end_log();
		bcoslog_account_free(account);
		account = NULL;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sums_hold_for_any_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
