// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Export to Perfetto's own format: bundles of ftrace events of one CPU each, and trees of processes. Viewers drop a
 * thread that is on two CPUs at once, so each process has one thread for each CPU that it runs on.
 */
#include <stdlib.h>

#include "perfetto.h"

static bool is_starved(const struct perfetto *perfetto)
{
	return perfetto->packet.starved || perfetto->bundle.starved || perfetto->tree.starved ||
	       perfetto->item.starved || perfetto->event.starved || perfetto->detail.starved;
}

static int perfetto_entry(struct export *export, const struct bcos_entry *entry)
{
	struct perfetto *perfetto = export->own;

	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		perfetto->time = entry->time;
		if (unlikely(!perfetto->begun))
			perfetto->first = entry->time;
		perfetto->begun = true;
		perfetto_settle(perfetto);
	}
	perfetto_put_entry(perfetto, entry);
	return unlikely(is_starved(perfetto)) ? export_no_memory(export) : 0;
}

static int perfetto_begin(struct export *export)
{
	struct perfetto *perfetto = calloc(1, sizeof(*perfetto));

	export->own = perfetto;
	if (!perfetto || fxt_threads_init(&perfetto->threads)) {
		complain("no memory");
		return -ENOMEM;
	}
	perfetto->file = &export->output->file;
	return 0;
}

static int perfetto_resumed(struct export *export)
{
	struct perfetto *perfetto = export->own;

	perfetto_settle_birth(perfetto, NULL);
	perfetto_all_unknown(perfetto, perfetto->time);
	perfetto_forget(perfetto);
	return 0;
}

static int perfetto_end(struct export *export)
{
	struct perfetto *perfetto = export->own;

	perfetto_settle_birth(perfetto, NULL);
	perfetto_refresh_threads(perfetto);
	perfetto_write_bundles(perfetto);
	if (perfetto->beyond)
		complain("%llu assignments of CPUs above %u are left out", (unsigned long long)perfetto->beyond,
			 CPUS_MAX - 1);
	return 0;
}

static void perfetto_free(struct export *export)
{
	struct perfetto *perfetto = export->own;
	u32 id;

	if (!perfetto)
		return;
	for (id = 0; id < perfetto->cpu_count; id++)
		proto_free(&perfetto->cpus[id].events);
	free(perfetto->cpus);
	fxt_threads_free(&perfetto->threads);
	proto_free(&perfetto->packet);
	proto_free(&perfetto->bundle);
	proto_free(&perfetto->tree);
	proto_free(&perfetto->item);
	proto_free(&perfetto->event);
	proto_free(&perfetto->detail);
	free(perfetto);
}

const struct exporter perfetto_exporter = {
	.name = "perfetto",
	.suffix = ".perfetto-trace .pftrace",
	.help = "Perfetto's own format",
	.begin = perfetto_begin,
	.entry = perfetto_entry,
	.resumed = perfetto_resumed,
	.end = perfetto_end,
	.free = perfetto_free,
};
