/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernels, and nowhere else.  Each is recognised by what
 * the headers declare, not by a version: distributions carry changes back.
 */
#ifndef BCOS_COMPAT_H
#define BCOS_COMPAT_H

#include <linux/blkdev.h>
#include <linux/compiler.h>
#include <linux/device.h>
#include <linux/kernfs.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/timer.h>
#include <linux/tracepoint.h>

#ifndef CONFIG_64BIT
#error "bcos_evlog needs a 64-bit kernel: offsets and times are read without locks"
#endif

#ifdef __BIG_ENDIAN
#error "bcos_evlog needs a little-endian kernel: so are its entries"
#endif

#ifndef CONFIG_TRACEPOINTS
#error "bcos_evlog needs a kernel with CONFIG_TRACEPOINTS"
#endif

/*
 * Of two probes, the one whose prototype the tracepoint has:
 * BCOS_CHOOSE_PROBE(tracepoint, probe, other probe, arguments of probe...)
 */
#define BCOS_CHOOSE_PROBE(name, probe, other, ...)						\
	__builtin_choose_expr(__builtin_types_compatible_p(typeof(&trace_##name),		\
							   void (*)(__VA_ARGS__)), probe, other)

/* 6.1 before stable took timer_shutdown_sync() over from 6.2. */
#ifndef BCOS_HAVE_TIMER_SHUTDOWN
#define timer_shutdown_sync del_timer_sync
#endif

/* Until 6.3 the flags of a mapping were written directly. */
static inline void bcos_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#ifdef BCOS_HAVE_VM_FLAGS_CLEAR
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

#ifdef BCOS_HAVE_KFUNCS
#include <linux/btf.h>
#include <linux/btf_ids.h>

/* From 7.0 on arguments are trusted without saying so. */
#ifndef KF_TRUSTED_ARGS
#define KF_TRUSTED_ARGS 0
#endif
#ifndef __bpf_kfunc
#define __bpf_kfunc __used noinline
#endif
/* Until 6.9 any set of flagged functions was one. */
#ifdef BTF_KFUNCS_START
#define BCOS_KFUNCS_BEGIN(name) BTF_KFUNCS_START(name)
#define BCOS_KFUNCS_END(name) BTF_KFUNCS_END(name)
#else
#define BCOS_KFUNCS_BEGIN(name) BTF_SET8_START(name)
#define BCOS_KFUNCS_END(name) BTF_SET8_END(name)
#endif
#endif

/*
 * Defines a class_interface of this name. Until 6.4 its callbacks got the interface as well.
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
/* A disk that is never added.  Since 6.9 its limits can be given. */
static inline struct gendisk *bcos_alloc_disk(void)
{
	typedef struct gendisk *(*without)(int, struct lock_class_key *);
	typedef struct gendisk *(*with)(struct queue_limits *, int, struct lock_class_key *);
	static struct lock_class_key key;
	without alloc_without = (void *)__blk_alloc_disk;
	with alloc_with = (void *)__blk_alloc_disk;

	if (__builtin_types_compatible_p(typeof(&__blk_alloc_disk), without))
		return alloc_without(NUMA_NO_NODE, &key);
	return alloc_with(NULL, NUMA_NO_NODE, &key);
}
#endif

/* Is @task, which runs, inside of an exec?  Without the bit a rename by exec is a record of its own. */
static inline bool bcos_in_exec(const struct task_struct *task)
{
#ifdef BCOS_HAVE_IN_EXECVE
	return task->in_execve;
#else
	return false;
#endif
}

/* Are a program's memory and arguments open to its user?  From 6.18 on the flags are a bitmap. */
static inline bool bcos_mm_is_dumpable(const struct mm_struct *mm)
{
#ifdef BCOS_HAVE_MM_FLAGS
	return __mm_flags_get_dumpable(mm) == SUID_DUMP_USER;
#else
	return __get_dumpable(READ_ONCE(mm->flags)) == SUID_DUMP_USER;
#endif
}

/* What a node of a control group hangs on, and what it is called.  From 6.15 on both may change.  Under RCU. */
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
	return node->name;
#endif
}

#endif
