// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of threads: see thread_name.h. */
#include "core/format/thread_text.h"
#include "thread_name.h"

int thread_name_apply(struct table *names, u64 *memory, const struct bcos_entry *entry)
{
	struct bcos_thread_name told;
	struct thread_name *name;

	if (!bcos_thread_name_read(&told, entry))
		return 0;
	name = table_find(names, told.thread);
	if (!name)
		name = item_add(names, memory, told.thread, sizeof(*name));
	if (!name)
		return -ENOMEM;
	name->process = entry->source;
	name->told = entry->time;
	name->length = told.length;
	memcpy(name->text, told.name, told.length);
	return 0;
}

const struct thread_name *thread_name_find(const struct table *names, u32 process, u64 start, u32 thread)
{
	const struct thread_name *name = names->count ? table_find(names, thread) : NULL;

	return name && name->process == process && name->told >= start ? name : NULL;
}

void thread_name_ended(struct table *names, u64 *memory, u32 process, u32 thread)
{
	struct thread_name *name = names->count ? table_find(names, thread) : NULL;

	if (name && name->process == process)
		item_free(names, memory, name, sizeof(*name));
}

void thread_names_forget(struct table *names, u64 *memory)
{
	*memory -= names->count * sizeof(struct thread_name);
	table_clear(names, node_free);
}
