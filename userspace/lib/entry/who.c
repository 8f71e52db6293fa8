// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the texts of events say, by the parsers of the core: see who.h. */
#include <errno.h>

#include "entry/who.h"
#include "core/format/phrase.h"
#include "core/format/thread_text.h"
#include "core/format/who_text.h"

int bcoslog_killed(struct bcoslog_killed *killed, const char *text, size_t length)
{
	struct bcos_killed told;

	if (!bcos_killed_parse(&told, text, length))
		return -EINVAL;
	*killed = (struct bcoslog_killed){
		.signal = told.signal, .code = told.code, .process = told.process, .user = told.user,
		.name = told.name, .name_length = told.name_length,
	};
	return 0;
}

int bcoslog_parent(struct bcoslog_parent *parent, const char *text, size_t length)
{
	struct bcos_parent told;

	if (!bcos_parent_parse(&told, text, length))
		return -EINVAL;
	*parent = (struct bcoslog_parent){
		.process = told.process, .name = told.name, .name_length = told.name_length,
	};
	return 0;
}

int bcoslog_exec(struct bcoslog_exec *exec, const char *text, size_t length)
{
	struct bcos_exec told;
	const char *argument;

	if (length > sizeof(exec->bytes) || !bcos_exec_parse(&told, exec->bytes, text, length))
		return -EINVAL;
	exec->user = told.user;
	exec->path_cut = told.path_cut;
	exec->cgroup_cut = told.cgroup_cut;
	exec->told = told.told;
	exec->cut = told.cut;
	exec->path = told.path;
	exec->cgroup = told.cgroup;
	argument = told.arguments;
	for (exec->count = 0; exec->count < told.count; exec->count++) {
		exec->argument[exec->count] = argument;
		argument += strlen(argument) + 1;
	}
	return 0;
}

int bcoslog_thread(struct bcoslog_thread *thread, const struct bcos_entry *entry)
{
	struct bcos_thread_phrase phrase;

	if (!bcos_thread_read(&phrase, entry))
		return -EINVAL;
	*thread = (struct bcoslog_thread){
		.thread = phrase.thread, .state = phrase.state, .by = (enum bcoslog_woken_by)phrase.by,
		.waker = phrase.waker, .waker_thread = phrase.waker_thread, .has_cpu = phrase.has_cpu,
		.has_priority = phrase.has_priority, .cpu = phrase.cpu, .priority = phrase.priority,
		.delay = phrase.delay, .has_waker_cpu = phrase.has_waker_cpu, .waker_cpu = phrase.waker_cpu,
		.device = phrase.device, .stop = (enum bcoslog_thread_stop)phrase.stop,
		.place = (enum bcoslog_thread_place)phrase.place, .call = phrase.call, .io = phrase.io,
	};
	return 0;
}
