// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes allocations of the kernel fail on demand, also on a kernel without CONFIG_FAULT_INJECTION: a kprobe at each
 * function that allocates lets it return NULL at once. Parameters, which can be written at any time, say which:
 *
 * begin, end	only where a function from this to that address is on the stack; 0 and 0: anywhere
 * all		1: each of them, by whatever task
 * nth		the n-th of them that the task makes which writes this; 0 afterwards
 * failed	how many have failed since this was written
 *
 * Allocations in interrupts do not fail.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>

#define DEPTH 48

static unsigned long begin, end;
static bool all;
static int nth;
static struct task_struct *chosen;
static atomic_t failed;

/* The kernel continues here instead of in the function that allocates, so this returns to the caller of that function. */
static noinline notrace void *allocate_nothing(void)
{
	return NULL;
}

/* Returns the address to which the function returns that has just been called. */
static unsigned long caller_of(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return *(unsigned long *)kernel_stack_pointer(regs);
#else
	return procedure_link_pointer(regs);
#endif
}

static bool is_from_there(struct pt_regs *regs)
{
	unsigned long entries[DEPTH], caller = caller_of(regs);
	unsigned int count, i;

	if (!begin && !end)
		return true;
	count = stack_trace_save(entries, DEPTH, 0);
	/* The probe is on top of the stack, in code that may lie between modules. */
	for (i = 0; i < count && entries[i] != caller; i++)
		;
	for (; i < count; i++)
		if (entries[i] >= begin && entries[i] < end)
			return true;
	return false;
}

static int withhold_memory(struct kprobe *probe, struct pt_regs *regs)
{
	bool counts = READ_ONCE(nth) && READ_ONCE(chosen) == current;

	if (!in_task() || (!READ_ONCE(all) && !counts) || !is_from_there(regs))
		return 0;
	if (counts && --nth && !READ_ONCE(all))
		return 0;
	atomic_inc(&failed);
	instruction_pointer_set(regs, (unsigned long)allocate_nothing);
	return 1;
}

#ifdef CONFIG_KPROBES_ON_FTRACE
#define AFTERWARDS NULL
#else
/* A probe with this function is not optimized into a jump, which could lead nowhere else. */
static void do_nothing(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}
#define AFTERWARDS do_nothing
#endif

#define AT(function) { .symbol_name = function, .pre_handler = withhold_memory, .post_handler = AFTERWARDS }

/* The names before and since Linux 6.10. A kernel has some of them. */
static struct kprobe probes[] = {
	AT("kmalloc_trace"), AT("kmalloc_trace_noprof"), AT("__kmalloc_cache_noprof"),
	AT("__kmalloc"), AT("__kmalloc_noprof"),
	AT("__kmalloc_node"), AT("__kmalloc_node_noprof"),
	AT("kvmalloc_node"), AT("kvmalloc_node_noprof"), AT("__kvmalloc_node_noprof"),
	AT("kmem_cache_alloc"), AT("kmem_cache_alloc_noprof"),
	AT("kmem_cache_alloc_node"), AT("kmem_cache_alloc_node_noprof"),
	AT("kmem_cache_alloc_lru"), AT("kmem_cache_alloc_lru_noprof"),
	AT("alloc_pages"), AT("alloc_pages_noprof"), AT("vmap"),
};
static bool placed[ARRAY_SIZE(probes)];

static int set_nth(const char *text, const struct kernel_param *parameter)
{
	int value, error = kstrtoint(text, 0, &value);

	if (error)
		return error;
	WRITE_ONCE(nth, 0);
	WRITE_ONCE(chosen, current);
	WRITE_ONCE(nth, value);
	return 0;
}

static int set_failed(const char *text, const struct kernel_param *parameter)
{
	atomic_set(&failed, 0);
	return 0;
}

static int get_failed(char *text, const struct kernel_param *parameter)
{
	return sysfs_emit(text, "%d\n", atomic_read(&failed));
}

static const struct kernel_param_ops nth_ops = { .set = set_nth, .get = param_get_int };
static const struct kernel_param_ops failed_ops = { .set = set_failed, .get = get_failed };

module_param(begin, ulong, 0644);
module_param(end, ulong, 0644);
module_param(all, bool, 0644);
module_param_cb(nth, &nth_ops, &nth, 0644);
module_param_cb(failed, &failed_ops, NULL, 0644);

static void take_probes(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (placed[i])
			unregister_kprobe(&probes[i]);
}

static int __init withhold_init(void)
{
	int count = 0, error;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		error = register_kprobe(&probes[i]);
		placed[i] = !error;
		count += placed[i];
		if (error && error != -ENOENT)
			pr_info("withhold: no probe at %s: error %d\n", probes[i].symbol_name, error);
	}
	pr_info("withhold: %d functions that allocate\n", count);
	if (count >= 5)
		return 0;
	take_probes();
	return -ENOENT;
}

static void __exit withhold_exit(void)
{
	take_probes();
}

module_init(withhold_init);
module_exit(withhold_exit);
MODULE_DESCRIPTION("Allocations that fail on demand, for the tests of bcos_evlog");
MODULE_LICENSE("GPL");
