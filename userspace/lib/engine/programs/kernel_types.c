// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading the BTF and the symbols of this kernel: see kernel_types.h. */
#include <bpf/btf.h>
#include <stdio.h>
#include <string.h>

#include "kernel_types.h"

/* Return: the type ID of argument @number of the probes of a tracepoint; 0 if there are fewer arguments. */
static u32 argument_of(const struct btf *btf, const char *name, u32 number)
{
	const struct btf_type *type;
	char full[64];
	s32 id;

	host_format(full, sizeof(full), "btf_trace_%s", name);
	id = btf__find_by_name_kind(btf, full, BTF_KIND_TYPEDEF);
	if (id < 0)
		return 0;
	type = btf__type_by_id(btf, btf__type_by_id(btf, (u32)id)->type);
	if (!type || !btf_is_ptr(type))
		return 0;
	type = btf__type_by_id(btf, type->type);
	/* The first parameter of a probe is its own data, so the arguments follow. */
	if (!type || !btf_is_func_proto(type) || btf_vlen(type) <= number + 1)
		return 0;
	return btf_params(type)[number + 1].type;
}

static bool is_pointer(const struct btf *btf, u32 type)
{
	return type && btf_is_ptr(btf__type_by_id(btf, type));
}

/* The functions to which programs attach. */
static const char *const hooked_functions[] = {
	"blk_register_queue", "del_gendisk", "netdev_register_kobject", "netdev_change_owner", "dev_shutdown",
};

int kernel_types_look(struct bcos_bpf_config *config, struct kernel_types *has)
{
	struct btf *btf = btf__load_vmlinux_btf();
	const struct btf_type *error;
	size_t i;

	if (!btf)
		return -errno;
	config->switch_has_state = argument_of(btf, "sched_switch", 3) != 0;
	config->victim_is_task = is_pointer(btf, argument_of(btf, "mark_victim", 0));
	error = btf__type_by_id(btf, argument_of(btf, "block_rq_complete", 1));
	config->block_error_is_errno = error && btf_is_int(error);
	has->frequency_limits = argument_of(btf, "cpu_frequency_limits", 0) != 0;
	has->machine_checks = argument_of(btf, "mce_record", 0) != 0;
	has->hot = btf__find_by_name_kind(btf, "pcpu_hot", BTF_KIND_VAR) > 0;
	has->count = has->hot || btf__find_by_name_kind(btf, "__preempt_count", BTF_KIND_VAR) > 0;
	has->functions = true;
	for (i = 0; i < sizeof(hooked_functions) / sizeof(hooked_functions[0]); i++)
		has->functions &= btf__find_by_name_kind(btf, hooked_functions[i], BTF_KIND_FUNC) > 0;
	btf__free(btf);
	return 0;
}

bool kernel_types_address(const char *name)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	char line[256], *word, *next;
	bool found = false;

	while (symbols && !found && fgets(line, sizeof(line), symbols)) {
		/* A line is "ffffffff00000000 D name"; the name of a module in brackets may follow. */
		strtok_r(line, " \t\n", &next);
		strtok_r(NULL, " \t\n", &next);
		word = strtok_r(NULL, " \t\n", &next);
		found = word && !strcmp(word, name);
	}
	if (symbols)
		fclose(symbols);
	return found;
}
