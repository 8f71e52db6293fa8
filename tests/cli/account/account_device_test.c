// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the account: what devices transfer, their interrupts, and latencies. Logs and sums are made by hand. */
#include "account_made.h"
#include "account/report.h"

static void bytes_and_interrupts(void **state)
{
	const struct bcoslog_account_device *sda, *eth;
	struct bcoslog_latency latency;

	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_word(BCOS_DEVICE_OUTPUT, ETH, 1050, 60);
	apply_word(BCOS_IRQ, 0, 1100, 0);
	apply_word(BCOS_DEVICE_INPUT, 0, 1130, 4096);
	apply_word(BCOS_DEVICE_INPUT, 0, 1140, 512);
	apply_word(BCOS_IRQ, 0, 1200, 0);
	apply_word(BCOS_IRQ, 0, 1300, 1);
	/* These are more bytes than 32 bits hold, so they are one transfer in two entries. */
	apply_word(BCOS_DEVICE_OUTPUT, 0, 1310, 0xFFFFFFFF);
	apply_word(BCOS_DEVICE_OUTPUT, 0, 1310, 1);
	apply_entry(made_event(&made, BCOS_GENERIC_DEVICE, 0, 1400, 0, BCOS_SEVERITY_ERROR, "read failed: errno 5"));
	apply_entry(made_event(&made, BCOS_GENERIC_DEVICE, ETH, 1400, 0, BCOS_SEVERITY_INFO, "link up"));
	end_log();
	sda = bcoslog_account_device(account, 0);
	eth = bcoslog_account_device(account, ETH);
	assert_int_equal(sda->input, 4608);
	assert_int_equal(sda->inputs, 2);
	assert_true(sda->output == 0x100000000ull);
	assert_int_equal(sda->outputs, 1);
	assert_int_equal(sda->interrupts, 3);
	assert_int_equal(sda->batched, 1);
	assert_int_equal(sda->fruitless, 1);
	assert_int_equal(sda->unprompted, 0);
	assert_int_equal(sda->faults, 1);
	assert_int_equal(eth->output, 60);
	assert_int_equal(eth->unprompted, 1);
	assert_int_equal(eth->faults, 0);
	bcoslog_account_latency(sda, &latency);
	assert_int_equal(latency.count, 2);
	assert_int_equal(latency.minimum, 10);
	assert_int_equal(latency.maximum, 30);
	assert_int_equal(latency.maximum_at, 1130);
	assert_int_equal(latency.median, 10);
	assert_int_equal(latency.ninety_nine, 30);
	bcoslog_account_latency(eth, &latency);
	assert_int_equal(latency.count, 0);
	bcoslog_account_latency_forget(sda);
	bcoslog_account_latency(sda, &latency);
	assert_int_equal(latency.count, 0);
	assert_int_equal(latency.maximum, 0);
}

static void quantiles_are_close(void **state)
{
	struct bcoslog_latency latency;
	uint64_t i, time = 1000;

	begin_in(0, 0);
	apply_group();
	/* The latencies are 1000, 2000 ... 200000 ns. */
	for (i = 1; i <= 200; i++) {
		apply_word(BCOS_IRQ, 0, time, 0);
		time += i * 1000;
		apply_word(BCOS_DEVICE_INPUT, 0, time, 1);
	}
	bcoslog_account_latency(bcoslog_account_device(account, 0), &latency);
	assert_int_equal(latency.count, 200);
	assert_int_equal(latency.minimum, 1000);
	assert_int_equal(latency.maximum, 200000);
	/* The median lies in the bucket of 24 * 4096 and more, which stands for its greatest latency. */
	assert_int_equal(latency.median, 25 * 4096 - 1);
	assert_in_range(latency.ninety_nine, 198000, 200000);
}

static void a_lost_interrupt_prompts_nothing(void **state)
{
	struct bcoslog_latency latency;

	begin_in(0, 0);
	apply_group();
	apply_word(BCOS_IRQ, 0, 1100, 0);
	cpu_event(1, 1200, BCOS_EVENT_LOSS, "lost 1 interrupts: staging full, until 0.000001200 s");
	apply_word(BCOS_DEVICE_INPUT, 0, 1300, 512);
	end_log();
	bcoslog_account_latency(bcoslog_account_device(account, 0), &latency);
	assert_int_equal(latency.count, 0);
	assert_int_equal(bcoslog_account_device(account, 0)->unprompted, 1);
}

static void devices_end_and_are_stacked(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_device(BCOS_SET_DEVICE_NAME, 1, 1100, "dm-0 (stacked)");
	apply_word(BCOS_DEVICE_INPUT, 1, 1200, 512);
	assert_true(bcoslog_account_device(account, 1)->stacked);
	assert_false(bcoslog_account_device(account, 0)->stacked);
	apply_word(BCOS_CANCEL_DEVICE_NAME, 1, 1300, 0);
	assert_int_equal(told.devices_ended, 1);
	assert_int_equal(told.last_device.input, 512);
	assert_null(bcoslog_account_device(account, 1));
	end_log();
}

static void a_device_may_come_again(void **state)
{
	uint64_t serial;

	begin_in(0, 0);
	apply_group();
	apply_word(BCOS_DEVICE_INPUT, 0, 1100, 512);
	serial = bcoslog_account_device(account, 0)->serial;
	apply_word(BCOS_CANCEL_DEVICE_NAME, 0, 1200, 7);
	assert_int_equal(told.last_device.input, 512);
	assert_int_equal(told.last_device.status, 7);
	assert_int_equal(told.last_device.end, 1200);
	apply_device(BCOS_SET_DEVICE_NAME, 0, 1300, "sdb");
	apply_word(BCOS_DEVICE_OUTPUT, 0, 1400, 1024);
	/* A renamed device is the same device. */
	apply_device(BCOS_SET_DEVICE_NAME, 0, 1500, "sdc");
	end_log();
	assert_int_equal(bcoslog_account_device(account, 0)->input, 0);
	assert_int_equal(bcoslog_account_device(account, 0)->output, 1024);
	assert_int_equal(bcoslog_account_device(account, 0)->start, 1300);
	assert_int_not_equal(bcoslog_account_device(account, 0)->serial, serial);
	assert_memory_equal(bcoslog_account_device(account, 0)->name, "sdc", 3);
	assert_int_equal(told.devices_ended, 1);
}

static void sums_of_bytes_have_64_bits(void **state)
{
	int i;

	begin_in(0, 0);
	apply_group();
	for (i = 0; i < 10; i++)
		apply_word(BCOS_DEVICE_INPUT, ETH, 1000 + (uint64_t)i, 0xFFFFFFFC);
	end_log();
	assert_true(bcoslog_account_device(account, ETH)->input == 10 * 0xFFFFFFFCull);
	assert_int_equal(bcoslog_account_device(account, ETH)->inputs, 10);
	assert_true(told.bytes == 10 * 0xFFFFFFFCull);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(bytes_and_interrupts),
		TEST(quantiles_are_close),
		TEST(a_lost_interrupt_prompts_nothing),
		TEST(devices_end_and_are_stacked),
		TEST(a_device_may_come_again),
		TEST(sums_of_bytes_have_64_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
