// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters. A bad value at load is only noted, so that bcos_params_up() can name it in one
 * line.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#include "core/write/log.h"
#include "params.h"

struct bcos_params bcos_params = {
	.ring_kb = 8192,
	.staging_kb = 1024,
	.mode = 0600,
	.writer_rt = 1,
	.user_rate = 1000,
	.api_numbers = 1,
	.message_mask = U32_MAX,
	.other_interfaces = BCOS_LOG_ELSEWHERE,
	.who_args = 1,
	.tsc = 1,
	.keep = "",
};

/*
 * True once the parameters given at load are checked. From then on a bad value is refused at once.
 */
static bool bcos_params_checked;

/* A numeric parameter. */
struct bcos_range {
	const char *name;
	u32 *value;
	u32 min;
	u32 max;
	u32 bits;		/* 0, or the only bits that may be set */
	bool is_bad;
	char bad[24];
};

static void bcos_range_explain(const struct bcos_range *range, const char *text)
{
	if (range->bits)
		pr_err("%s=%s is not an access mode from 0 to 0%o\n", range->name, text,
		       range->bits);
	else
		pr_err("%s=%s is not a number from %u to %u\n", range->name, text, range->min,
		       range->max);
}

static int bcos_range_set(const char *text, const struct kernel_param *kp)
{
	struct bcos_range *range = kp->arg;
	u32 value;

	/* The mode of the file lets UID 0 write, also without any capability. */
	if (READ_ONCE(bcos_params_checked) && !perfmon_capable())
		return -EPERM;
	if (!kstrtouint(text, 0, &value) && value >= range->min && value <= range->max &&
	    !(range->bits && value & ~range->bits)) {
		range->is_bad = false;
		WRITE_ONCE(*range->value, value);
		return 0;
	}
	strscpy(range->bad, text, sizeof(range->bad));
	range->bad[strcspn(range->bad, "\n")] = 0;
	range->is_bad = !READ_ONCE(bcos_params_checked);
	if (range->is_bad)
		return 0;
	bcos_range_explain(range, range->bad);
	return -EINVAL;
}

static int bcos_range_get(char *buffer, const struct kernel_param *kp)
{
	const struct bcos_range *range = kp->arg;

	return scnprintf(buffer, PAGE_SIZE, range->bits ? "0%o\n" : "%u\n", *range->value);
}

static const struct kernel_param_ops bcos_range_ops = {
	.set = bcos_range_set,
	.get = bcos_range_get,
};

#define BCOS_RANGE_MODE(parameter, low, high, only, access, description)		\
	static struct bcos_range bcos_range_##parameter = {					\
		.name = #parameter, .value = &bcos_params.parameter,				\
		.min = low, .max = high, .bits = only,						\
	};											\
	module_param_cb(parameter, &bcos_range_ops, &bcos_range_##parameter, access);		\
	MODULE_PARM_DESC(parameter, description)

#define BCOS_RANGE(parameter, low, high, only, description)					\
	BCOS_RANGE_MODE(parameter, low, high, only, 0444, description)

/* A parameter whose value may change while the module runs. */
#define BCOS_RANGE_LIVE(parameter, low, high, only, description)				\
	BCOS_RANGE_MODE(parameter, low, high, only, 0644, description)

BCOS_RANGE(ring_kb, 256, 4194304, 0,
	   "Size of the log in KiB, 256-4194304, rounded up to a power of two (8192)");
BCOS_RANGE(staging_kb, 64, 65536, 0,
	   "Size of each CPU's staging ring in KiB, 64-65536, rounded up to a power of two (1024)");
BCOS_RANGE(staging_total_kb, 0, 67108864, 0,
	   "Limit for all staging rings in KiB, up to 67108864, 0: 1/64 of memory (0)");
BCOS_RANGE(mode, 0, 0666, 0666, "Access mode of /dev/bcos_evlog, 0-0666 (0600)");
BCOS_RANGE(writer_rt, 0, 1, 0, "1: the log writer runs at the lowest real-time priority (1)");
BCOS_RANGE_LIVE(user_rate, 0, 1000000, 0,
		"Events a second that a user, or all users without a capability, may write, 0-1000000, 0: no limit (1000)");
BCOS_RANGE(api_numbers, 0, 1, 0, "0: entries of kernel calls have no function numbers (1)");
BCOS_RANGE_LIVE(message_mask, 0, U32_MAX, 0,
		"Event mask for messages of other modules, bit 0: ID 1, bit 31: ID 32 and above (4294967295)");
BCOS_RANGE(other_interfaces, 0, 1000000, 0,
	   "Limit for recorded network interfaces of other network namespaces, 0-1000000, 0: none (1024)");
BCOS_RANGE_LIVE(who_args, 0, 1, 0, "0: entries of programs have no arguments (1)");
BCOS_RANGE(core_idle_mw, 0, 10000000, 0, "Power of an idle core in mW, 0-10000000, 0: unknown (0)");
BCOS_RANGE(core_busy_mw, 0, 10000000, 0, "Power of a busy core in mW, 0-10000000, 0: unknown (0)");
BCOS_RANGE(core_performance, 0, U32_MAX, 0,
	   "Instructions that a CPU executes in 125 us, 0-4294967295, 0: counted, else one per cycle (0)");
BCOS_RANGE(tsc, 0, 1, 0, "1: stamp records with the TSC where the kernel keeps time by it (1)");
BCOS_RANGE_LIVE(keep_flush, 0, 1, 0,
		"1: write the log back from caches to the region that survives a reboot, whenever it has grown (0)");

module_param_named(keep, bcos_params.keep, charp, 0444);
MODULE_PARM_DESC(keep, "Keep the log over a reboot in the memory of this name, as in reserve_mem=SIZE:ALIGN:NAME, or a node of the device tree (none)");

/*
 * Sizes and addresses may end in K, M or G. A bad one is odd, so the region is refused with a
 * sentence: it does not make the load fail.
 */
static int bcos_size_set(const char *text, const struct kernel_param *kp)
{
	char *end;
	u64 value = memparse(text, &end);

	*(u64 *)kp->arg = end == text || end[strspn(end, "\n")] ? 1 : value;
	return 0;
}

static int bcos_size_get(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%#llx\n", *(u64 *)kp->arg);
}

static const struct kernel_param_ops bcos_size_ops = {
	.set = bcos_size_set,
	.get = bcos_size_get,
};

module_param_cb(keep_addr, &bcos_size_ops, &bcos_params.keep_addr, 0400);
MODULE_PARM_DESC(keep_addr, "Keep the log over a reboot in the memory at this address, as in memmap=SIZE!ADDRESS (none)");
module_param_cb(keep_size, &bcos_size_ops, &bcos_params.keep_size, 0444);
MODULE_PARM_DESC(keep_size, "Size of the memory at keep_addr; reads as the size of the region that has the log (none)");

static struct bcos_range *const bcos_ranges[] = {
	&bcos_range_ring_kb,
	&bcos_range_staging_kb,
	&bcos_range_staging_total_kb,
	&bcos_range_mode,
	&bcos_range_writer_rt,
	&bcos_range_user_rate,
	&bcos_range_api_numbers,
	&bcos_range_message_mask,
	&bcos_range_other_interfaces,
	&bcos_range_who_args,
	&bcos_range_core_idle_mw,
	&bcos_range_core_busy_mw,
	&bcos_range_core_performance,
	&bcos_range_tsc,
	&bcos_range_keep_flush,
};

int bcos_params_up(void)
{
	const struct bcos_range *range;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bcos_ranges); i++) {
		range = bcos_ranges[i];
		if (!range->is_bad)
			continue;
		bcos_range_explain(range, range->bad);
		return -EINVAL;
	}
	WRITE_ONCE(bcos_params_checked, true);
	return 0;
}
