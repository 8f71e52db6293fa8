/* SPDX-License-Identifier: GPL-2.0-only */
/* Physical addresses of the module's memory, wherever the kernel has mapped it. */
#ifndef BCOS_FRAMES_H
#define BCOS_FRAMES_H

#include <linux/io.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

/* Returns the physical address of a byte of linear, vmalloc or module memory. */
static inline phys_addr_t bcos_physical(const void *address)
{
	if (virt_addr_valid(address))
		return virt_to_phys((void *)address);
	return PFN_PHYS(vmalloc_to_pfn(address)) + offset_in_page(address);
}

#endif
