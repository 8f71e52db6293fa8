/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All differences between kernel versions are here. Declarations in the headers tell them apart,
 * not the version, since distributions backport changes.
 */
#ifndef BCOS_COMPAT_H
#define BCOS_COMPAT_H

#include <linux/blk-cgroup.h>
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/cgroup.h>
#include <linux/compiler.h>
#include <linux/device.h>
#include <linux/kernfs.h>
#include <linux/libnvdimm.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/timer.h>
#include <linux/tracepoint.h>

#ifdef CONFIG_X86
#include <asm/e820/api.h>
#endif

#ifndef CONFIG_64BIT
#error "bcos_evlog requires a 64-bit kernel, since it reads offsets and times without locks"
#endif

#ifdef __BIG_ENDIAN
#error "bcos_evlog requires a little-endian kernel, since its entries are little-endian"
#endif

#ifndef CONFIG_TRACEPOINTS
#error "bcos_evlog requires a kernel with CONFIG_TRACEPOINTS"
#endif

/*
 * Chooses @probe if its prototype, given by its arguments, is that of the tracepoint @name, else
 * @other.
 */
#define BCOS_CHOOSE_PROBE(name, probe, other, ...)						\
	__builtin_choose_expr(__builtin_types_compatible_p(typeof(&trace_##name),		\
							   void (*)(__VA_ARGS__)), probe, other)

/* Linux 6.2 introduced timer_shutdown_sync(), and later 6.1 stable kernels have it, too. */
#ifndef BCOS_HAVE_TIMER_SHUTDOWN
#define timer_shutdown_sync del_timer_sync
#endif

/* Before Linux 6.3 the flags of a mapping are written directly. */
static inline void bcos_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#ifdef BCOS_HAVE_VM_FLAGS_CLEAR
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

/*
 * Finds memory that the kernel has reserved by a name on its command line (reserve_mem=), which it
 * can from Linux 6.12 on.
 */
static inline bool bcos_find_reserved(const char *name, phys_addr_t *address, phys_addr_t *size)
{
#ifdef BCOS_HAVE_RESERVE_MEM
	return reserve_mem_find_by_name(name, address, size);
#else
	return false;
#endif
}

/*
 * Does the firmware use a part of this memory, by the table that it gave the kernel? What memmap=
 * sets aside is usable there. Other architectures have no such table: there nothing is.
 */
static inline bool bcos_is_firmware_memory(phys_addr_t address, phys_addr_t size)
{
#ifdef CONFIG_X86
	static const u8 types[] = { E820_TYPE_RESERVED, E820_TYPE_ACPI, E820_TYPE_NVS,
				    E820_TYPE_UNUSABLE };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (e820__mapped_raw_any(address, address + size, (enum e820_type)types[i]))
			return true;
#endif
	return false;
}

/*
 * Writes cached bytes back to memory, and leaves them in the cache. An architecture without this
 * keeps caches over a warm reset, or loses what was not written back by then.
 */
static inline void bcos_write_back(void *address, size_t size)
{
#ifdef CONFIG_ARCH_HAS_PMEM_API
	arch_wb_cache_pmem(address, size);
#endif
}

/* Linux 6.1 and 6.12 do not tell modules whose control group has used its quota. */
static inline bool bcos_task_is_throttled(const struct task_struct *task)
{
#if defined(BCOS_HAVE_TASK_THROTTLED) && defined(CONFIG_CFS_BANDWIDTH)
	return task->throttled;
#else
	return false;
#endif
}

/* Before Linux 6.4 only io_uring has threads of user processes that never leave the kernel. */
#ifndef PF_USER_WORKER
#define PF_USER_WORKER 0
#endif

#ifdef BCOS_HAVE_KFUNCS
#include <linux/btf.h>
#include <linux/btf_ids.h>

/* Since Linux 7.0 arguments are trusted by default. */
#ifndef KF_TRUSTED_ARGS
#define KF_TRUSTED_ARGS 0
#endif
#ifndef __bpf_kfunc
#define __bpf_kfunc __used noinline
#endif
/* Linux 6.9 introduced a separate kind of set for kfuncs. */
#ifdef BTF_KFUNCS_START
#define BCOS_KFUNCS_BEGIN(name) BTF_KFUNCS_START(name)
#define BCOS_KFUNCS_END(name) BTF_KFUNCS_END(name)
#else
#define BCOS_KFUNCS_BEGIN(name) BTF_SET8_START(name)
#define BCOS_KFUNCS_END(name) BTF_SET8_END(name)
#endif
#endif

/*
 * Defines a class_interface with this name. Before Linux 6.4 its callbacks have a second argument.
 */
#define BCOS_CLASS_INTERFACE(name, add, remove)							\
static int __maybe_unused name##_add(struct device *device, struct class_interface *unused)	\
{												\
	return add(device);									\
}												\
static void __maybe_unused name##_remove(struct device *device, struct class_interface *unused) \
{												\
	remove(device);										\
}												\
static struct class_interface name = {								\
	.add_dev = __builtin_choose_expr(__builtin_types_compatible_p(				\
			typeof(((struct class_interface *)0)->add_dev), int (*)(struct device *)), \
			add, name##_add),							\
	.remove_dev = __builtin_choose_expr(__builtin_types_compatible_p(			\
			typeof(((struct class_interface *)0)->add_dev), int (*)(struct device *)), \
			remove, name##_remove),							\
}

#ifdef CONFIG_BLOCK
/* The kernel's __blk_alloc_disk() if it has this type, else a null pointer of this type. */
#define BCOS_ALLOC_DISK(type)									\
	__builtin_choose_expr(__builtin_types_compatible_p(typeof(&__blk_alloc_disk), type),	\
			      __blk_alloc_disk, (type)NULL)

/*
 * Allocates a disk that is never added. Linux 6.9 added an argument for its limits. No cast
 * function is called, since a kernel that checks the types of indirect calls would trap there.
 */
static inline struct gendisk *bcos_alloc_disk(void)
{
	typedef struct gendisk *(*without)(int, struct lock_class_key *);
	typedef struct gendisk *(*with)(struct queue_limits *, int, struct lock_class_key *);
	static struct lock_class_key key;

	if (__builtin_types_compatible_p(typeof(&__blk_alloc_disk), without))
		return BCOS_ALLOC_DISK(without)(NUMA_NO_NODE, &key);
	return BCOS_ALLOC_DISK(with)(NULL, NUMA_NO_NODE, &key);
}
#endif

#ifdef CONFIG_BLOCK
#ifdef BCOS_HAVE_IO_START
#define bcos_check_io_start(probe) check_trace_callback_type_block_io_start(probe)
#else
#define bcos_check_io_start(probe)
#endif

/*
 * Linux 6.5 tells which request a task asks for; before, only of the bio that becomes the first one
 * of the request. Returns what both tell at the start and later.
 */
static inline const void *bcos_request_object(const struct request *request)
{
#ifndef BCOS_HAVE_IO_START
	if (request->bio)
		return request->bio;
#endif
	return request;
}

/* Returns the lower half of the ID of the control group that pays for @bio; 0: unknown. */
static inline u32 bcos_bio_payer(struct bio *bio)
{
#if defined(CONFIG_BLK_CGROUP) && defined(BCOS_HAVE_BLKCG_CSS)
	const struct cgroup_subsys_state *css = bio ? bio_blkcg_css(bio) : NULL;

	return css ? (u32)cgroup_id(css->cgroup) : 0;
#else
	return 0;
#endif
}
#endif

/*
 * Is @task, the current task, inside an exec? On kernels without this flag the rename by an exec
 * has a record of its own.
 */
static inline bool bcos_in_exec(const struct task_struct *task)
{
#ifdef BCOS_HAVE_IN_EXECVE
	return task->in_execve;
#else
	return false;
#endif
}

/*
 * May a user read the memory and arguments of his program? Since Linux 6.18 the flags are a bitmap.
 */
static inline bool bcos_mm_is_dumpable(const struct mm_struct *mm)
{
#ifdef BCOS_HAVE_MM_FLAGS
	return __mm_flags_get_dumpable(mm) == SUID_DUMP_USER;
#else
	return __get_dumpable(READ_ONCE(mm->flags)) == SUID_DUMP_USER;
#endif
}

/*
 * These return the parent and the name of a cgroup's node. Since Linux 6.15 RCU keeps both; before,
 * only names of version 1 change, and they are freed at once. Context: RCU.
 */
static inline const struct kernfs_node *bcos_kernfs_parent(const struct kernfs_node *node)
{
#ifdef BCOS_HAVE_KERNFS_RCU
	return rcu_dereference(node->__parent);
#else
	return node->parent;
#endif
}

static inline const char *bcos_kernfs_name(const struct kernfs_node *node)
{
#ifdef BCOS_HAVE_KERNFS_RCU
	return rcu_dereference(node->name);
#else
	return READ_ONCE(node->name);
#endif
}

#endif
