// SPDX-License-Identifier: GPL-2.0-only
/* Finds facts about this machine: see identity.h. */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>

#include "version.h"
#include "identity.h"

/* The kernel exports the boot ID only by this file. */
#define BCOS_BOOT_ID "/proc/sys/kernel/random/boot_id"

static struct bcos_statements bcos_identity;

static void bcos_read_boot_id(char *text, size_t size)
{
	struct file *file = filp_open(BCOS_BOOT_ID, O_RDONLY, 0);
	loff_t at = 0;
	ssize_t n;

	if (IS_ERR(file))
		return;
	n = kernel_read(file, text, size - 1, &at);
	filp_close(file, NULL);
	text[n > 0 ? n : 0] = 0;
	text[strcspn(text, "\n")] = 0;
}

void bcos_identity_up(void)
{
	const struct new_utsname *name = &init_uts_ns.name;

	memset(&bcos_identity, 0, sizeof(bcos_identity));
	bcos_read_boot_id(bcos_identity.boot, sizeof(bcos_identity.boot));
	scnprintf(bcos_identity.kernel, sizeof(bcos_identity.kernel), "%s %s", name->release,
		  name->machine);
	strscpy(bcos_identity.version, "bcos_evlog " BCOS_VERSION " module",
		sizeof(bcos_identity.version));
	/* The clock's offset is exact, and 1 ns is the least error. */
	bcos_identity.error = 1;
}

const struct bcos_statements *bcos_identity_names(void)
{
	return &bcos_identity;
}

/*
 * Notes the host name. The name may change meanwhile, so one that differs at a second reading is
 * skipped until the next look.
 */
static void bcos_note_host(void)
{
	char once[sizeof(bcos_identity.host)] = { 0 }, again[sizeof(once)] = { 0 };
	const char *name = init_uts_ns.name.nodename;

	memcpy(once, name, __NEW_UTS_LEN);
	/* Pairs with nothing: the compiler must read the name a second time. */
	barrier();
	memcpy(again, name, __NEW_UTS_LEN);
	if (!memcmp(once, again, sizeof(once)))
		memcpy(bcos_identity.host, once, sizeof(once));
}

/*
 * Notes the wall clock's offset from the time since boot. Setting the clock changes the offset;
 * slewing does not. The caller finds a setting that has changed it in bcos_setting_time().
 */
static void bcos_note_clock(void)
{
	ktime_t real, boot;

	do {
		boot = ktime_mono_to_any(0, TK_OFFS_BOOT);
		real = ktime_mono_to_any(0, TK_OFFS_REAL);
	} while (boot != ktime_mono_to_any(0, TK_OFFS_BOOT));
	/*
	 * Some kernels read the offsets while they change, before bcos_setting_note() is called. A
	 * reader of the clock waits until the change is complete. Pairs with the barrier with which
	 * the kernel begins to change them.
	 */
	smp_rmb();
	ktime_get();
	bcos_identity.clock = true;
	bcos_identity.offset = (u64)ktime_to_ns(real) - (u64)ktime_to_ns(boot);
}

const struct bcos_statements *bcos_identity_now(void)
{
	bcos_note_host();
	bcos_note_clock();
	return &bcos_identity;
}
