// SPDX-License-Identifier: GPL-2.0-only
/* Memory that survives a warm reboot: see region.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/crash_dump.h>
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/of.h>
#include <linux/of_reserved_mem.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "memory.h"
#include "params.h"
#include "last.h"
#include "region.h"

static struct {
	phys_addr_t address;
	phys_addr_t size;
	void *base;
	bool requested;		/* the region is entered in /proc/iomem */
	bool settled;		/* the load succeeds, so the region has this log for good */
} bcos_region;

void *bcos_region_base(void)
{
	return bcos_region.base;
}

u64 bcos_region_address(void)
{
	return bcos_region.base ? bcos_region.address : 0;
}

u64 bcos_region_size(void)
{
	return bcos_region.base ? bcos_region.size : 0;
}

bool bcos_region_has(const void *address)
{
	return bcos_region.base && address >= bcos_region.base &&
	       address < bcos_region.base + bcos_region.size;
}

void bcos_region_write_back(const void *address, size_t size)
{
	if (!size || !bcos_region_has(address))
		return;
	bcos_write_back((void *)address, size);
	/*
	 * Instructions that write back are ordered by fences only, and what comes next relies on
	 * it.
	 */
	wmb();
}

/*
 * Takes the whole pages of a reservation, which has any alignment that the user chose: its
 * neighbours in the first and the last page are not ours. Returns false if there are none; a
 * sentence says so.
 */
static bool bcos_region_take_pages(const char *name)
{
	phys_addr_t first = PAGE_ALIGN(bcos_region.address);
	phys_addr_t end = (bcos_region.address + bcos_region.size) & PAGE_MASK;

	if (first < end) {
		bcos_region.address = first;
		bcos_region.size = end - first;
		return true;
	}
	pr_warn("keep=%s: the reserved memory has no whole page, so the log does not survive a reboot; boot with reserve_mem=16M:4096:%s\n",
		name, name);
	return false;
}

/* Finds the memory of a node below /reserved-memory of the device tree, with or without no-map. */
static bool bcos_region_find_node(const char *name)
{
	struct device_node *parent = of_find_node_by_path("/reserved-memory"), *node;
	struct reserved_mem *memory = NULL;

	for_each_child_of_node(parent, node) {
		if (!of_node_name_eq(node, name))
			continue;
		memory = of_reserved_mem_lookup(node);
		of_node_put(node);
		break;
	}
	of_node_put(parent);
	if (!memory)
		return false;
	bcos_region.address = memory->base;
	bcos_region.size = memory->size;
	return memory->size;
}

/* Finds the region that the parameters name. Returns false without one; a sentence says why. */
static bool bcos_region_find(void)
{
	const char *name = bcos_params.keep;

	if (*name) {
		if (bcos_find_reserved(name, &bcos_region.address, &bcos_region.size) ||
		    bcos_region_find_node(name))
			return bcos_region_take_pages(name);
		pr_warn("keep=%s: the kernel has reserved no memory of this name, so the log does not survive a reboot; boot with reserve_mem=16M:4096:%s (Linux 6.12), use keep_addr= with memmap=, or add a node of this name to /reserved-memory of the device tree\n",
			name, name);
		return false;
	}
	bcos_region.address = bcos_params.keep_addr;
	bcos_region.size = bcos_params.keep_size;
	if (!bcos_region.address && !bcos_region.size)
		return false;
	if (bcos_region.address && bcos_region.size &&
	    !((bcos_region.address | bcos_region.size) & ~PAGE_MASK) &&
	    bcos_region.address + bcos_region.size > bcos_region.address)
		return true;
	pr_warn("keep_addr=%#llx and keep_size=%#llx are not both multiples of %lu above 0, so the log does not survive a reboot; give both as in memmap=SIZE!ADDRESS\n",
		(u64)bcos_region.address, (u64)bcos_region.size, PAGE_SIZE);
	return false;
}

/* Firmware may write to its own memory at any time, and the kernel reads tables there. */
static bool bcos_region_is_of_firmware(void)
{
	if (!bcos_is_firmware_memory(bcos_region.address, bcos_region.size))
		return false;
	pr_warn("the memory at %#llx belongs to the firmware, so the log does not survive a reboot; take an address that is System RAM in /proc/iomem of a boot without memmap=\n",
		(u64)bcos_region.address);
	return true;
}

/* Takes the region for this module. The kernel's own reservation by name needs no more. */
static bool bcos_region_request(void)
{
	if (*bcos_params.keep)
		return true;
	if (bcos_region_is_of_firmware())
		return false;
	bcos_region.requested = request_mem_region(bcos_region.address, bcos_region.size,
						   KBUILD_MODNAME);
	if (bcos_region.requested)
		return true;
	pr_warn("the memory at %#llx is in use, so the log does not survive a reboot; /proc/iomem tells by whom: by the kernel, if memmap=%lluM!%#llx is not on its command line, or by pmem, if that was loaded first\n",
		(u64)bcos_region.address, (u64)bcos_region.size >> 20, (u64)bcos_region.address);
	return false;
}

/* Does the kernel describe each page, and use none of them? */
static bool bcos_region_is_reserved(unsigned long pages)
{
	unsigned long first = PHYS_PFN(bcos_region.address), i;

	for (i = 0; i < pages; i++)
		if (!pfn_valid(first + i) || !PageReserved(pfn_to_page(first + i)))
			return false;
	return true;
}

static bool bcos_region_map(void)
{
	unsigned long pages = bcos_region.size >> PAGE_SHIFT, i;
	struct page **page;

	if (!bcos_region_is_reserved(pages)) {
		pr_warn("the memory at %#llx is no memory that the kernel has set aside, so the log does not survive a reboot; take an address within memory\n",
			(u64)bcos_region.address);
		return false;
	}
	page = kvcalloc(pages, sizeof(*page), BCOS_GFP);
	for (i = 0; page && i < pages; i++)
		page[i] = pfn_to_page(PHYS_PFN(bcos_region.address) + i);
	/* Write-combining would cost on the hot path, so the mapping is write-back. */
	if (page)
		bcos_region.base = vmap(page, pages, VM_MAP, PAGE_KERNEL);
	kvfree(page);
	if (!bcos_region.base)
		pr_warn("there is no memory to map the region at %#llx, so the log does not survive a reboot; free memory\n",
			(u64)bcos_region.address);
	return bcos_region.base;
}

/*
 * May this kernel use the region? A crash kernel may have inherited the parameters, and the image
 * is that of the kernel that panicked; the dump, or the next boot, still wants it.
 */
static bool bcos_region_is_ours(void)
{
	if (!is_kdump_kernel())
		return true;
	if (*bcos_params.keep || bcos_params.keep_addr || bcos_params.keep_size)
		pr_notice("this is a crash kernel (kdump), so the region stays with the log of the kernel that crashed, and this log does not survive a reboot; load bcos_evlog without keep= and keep_addr= here\n");
	return false;
}

int bcos_region_up(void)
{
	if (!bcos_region_is_ours())
		return 0;
	if (!bcos_region_find() || !bcos_region_request() || !bcos_region_map()) {
		bcos_region_refuse();
		return 0;
	}
	/* What cannot be copied stays where it is until the next load. */
	if (!bcos_last_take(bcos_region.base, bcos_region.size)) {
		bcos_region_refuse();
		return 0;
	}
	memset(bcos_region.base, 0, bcos_region.size);
	return 0;
}

int bcos_region_settle(void)
{
	bcos_region.settled = true;
	/* Whoever reads the parameter learns whether this log survives, whichever way was asked. */
	bcos_params.keep_size = bcos_region_size();
	return 0;
}

void bcos_region_refuse(void)
{
	u64 size;
	const void *former = bcos_last_image(&size);

	if (bcos_region.base && former && !bcos_region.settled) {
		memcpy(bcos_region.base, former, size);
		bcos_region_write_back(bcos_region.base, size);
	}
	vunmap(bcos_region.base);
	bcos_region.base = NULL;
	if (bcos_region.requested)
		release_mem_region(bcos_region.address, bcos_region.size);
	bcos_region.requested = false;
}

void bcos_region_down(void)
{
	/* What nobody has released is more than a log that was there to be read until now. */
	if (bcos_region.settled && bcos_last_is_of_another_boot(bcos_region.base)) {
		pr_notice("nobody has released the log of the former boot, so the region keeps that and not the log that ends now; the next load shows it again\n");
		bcos_region.settled = false;
	}
	bcos_region_refuse();
	bcos_last_drop();
}
