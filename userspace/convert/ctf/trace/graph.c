// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The graph that writes a trace: a source, which passes on the messages that wait, and sink.ctf.fs. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "trace.h"

/* A stream grows by at most this many bytes at a time, so a disk with less room counts as full. */
#define FULL (256u << 10)

int ctf_trace_fail(struct ctf_trace *trace, int error, const char *what)
{
	const char *said;

	if (trace->error)
		return trace->error;
	said = ctf_library_error();
	trace->error = error;
	snprintf(trace->why, sizeof(trace->why), "%s%s%s", what, *said ? ": " : "", said);
	return error;
}

static bt_message_iterator_class_next_method_status
next_messages(bt_self_message_iterator *self, bt_message_array_const messages, uint64_t capacity, uint64_t *count)
{
	struct ctf_trace *trace = bt.self_component_get_data(bt.self_message_iterator_borrow_component(self));
	u32 n = trace->count < capacity ? trace->count : (u32)capacity;

	if (!n)
		return trace->ended ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END :
			BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
	memcpy(messages, trace->queue + trace->first, n * sizeof(*messages));
	trace->first += n;
	trace->count -= n;
	*count = n;
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

static bt_message_iterator_class_initialize_method_status
initialize_iterator(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
		    bt_self_component_port_output *port)
{
	struct ctf_trace *trace = bt.self_component_get_data(bt.self_message_iterator_borrow_component(self));

	(void)configuration;
	(void)port;
	trace->iterator = self;
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_component_class_initialize_method_status
initialize_source(bt_self_component_source *self, bt_self_component_source_configuration *configuration,
		  const bt_value *parameters, void *data)
{
	bt_self_component *component = bt_self_component_source_as_self_component(self);

	(void)configuration;
	(void)parameters;
	bt.self_component_set_data(component, data);
	if (!ctf_classes_create(data, component) || bt.self_component_source_add_output_port(self, "out", NULL, NULL))
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bool add_source(struct ctf_trace *trace, const bt_component_source **component)
{
	bt_message_iterator_class *iterator = bt.message_iterator_class_create(next_messages);
	bt_component_class_source *class = NULL;
	bool done = false;

	if (iterator && !bt.message_iterator_class_set_initialize_method(iterator, initialize_iterator))
		class = bt.component_class_source_create("log", iterator);
	if (class && !bt.component_class_source_set_initialize_method(class, initialize_source))
		done = !bt.graph_add_source_component_with_initialize_method_data(
			trace->graph, class, "log", NULL, trace, BT_LOGGING_LEVEL_NONE, component);
	if (class)
		bt.component_class_source_put_ref(class);
	if (iterator)
		bt.message_iterator_class_put_ref(iterator);
	return done;
}

static bool add_sink(struct ctf_trace *trace, const bt_component_sink **component)
{
	const bt_component_class_sink *class;
	const bt_plugin *plugin = NULL;
	bt_value *parameters = bt.value_map_create();
	bool done = false;

	if (!parameters || bt.plugin_find("ctf", BT_FALSE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin))
		goto out;
	class = bt.plugin_borrow_sink_component_class_by_name_const(plugin, "fs");
	done = class && !bt.value_map_insert_string_entry(parameters, "path", trace->folder) &&
	       !bt.value_map_insert_bool_entry(parameters, "assume-single-trace", BT_TRUE) &&
	       !bt.value_map_insert_bool_entry(parameters, "quiet", BT_TRUE) &&
	       !bt.graph_add_sink_component_with_initialize_method_data(trace->graph, class, "trace", parameters, NULL,
									BT_LOGGING_LEVEL_NONE, component);
out:
	if (plugin)
		bt.plugin_put_ref(plugin);
	if (parameters)
		bt.value_put_ref(parameters);
	return done;
}

/* Is the disk of a folder full? If the folder could not be made, the disk of its parent counts. */
static bool is_full(const char *folder)
{
	const char *slash = strrchr(folder, '/');
	struct statvfs disk;
	char *parent;
	bool full;

	if (!statvfs(folder, &disk))
		return disk.f_bavail * disk.f_frsize < FULL;
	parent = slash ? strndup(folder, (size_t)(slash - folder)) : NULL;
	full = parent && !statvfs(parent, &disk) && disk.f_bavail * disk.f_frsize < FULL;
	free(parent);
	return full;
}

/* The library does not tell why it could not write. A full disk is recognised; otherwise errno has the cause. */
static int fail_to_write(struct ctf_trace *trace, int error)
{
	unsigned int i;

	ctf_library_error();
	for (i = 0; i < CTF_SPARE; i++)
		close(trace->spare[i]);
	if (error != EMFILE && error != ENFILE && is_full(trace->folder))
		error = ENOSPC;
	trace->error = error ? -error : -EIO;
	snprintf(trace->why, sizeof(trace->why), "the trace cannot be written%s%s%s", error ? ": " : "",
		 error ? strerror(error) : "", error == EMFILE ? ", of which each CPU takes one: raise ulimit -n" : "");
	return trace->error;
}

/* Runs the graph until no message waits. */
int ctf_trace_run(struct ctf_trace *trace)
{
	bt_graph_run_once_status status;

	if (trace->error)
		return trace->error;
	do {
		errno = 0;
		status = bt.graph_run_once(trace->graph);
	} while (status == BT_GRAPH_RUN_ONCE_STATUS_OK);
	if (status != BT_GRAPH_RUN_ONCE_STATUS_AGAIN && status != BT_GRAPH_RUN_ONCE_STATUS_END)
		return fail_to_write(trace, status == BT_GRAPH_RUN_ONCE_STATUS_MEMORY_ERROR ? ENOMEM : errno);
	trace->first = 0;
	return 0;
}

/* Each stream keeps a file open, so the limit of open files is raised as far as allowed. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int ctf_trace_begin(struct ctf_trace *trace, const char *folder, const struct ctf_environment *environment)
{
	const bt_component_source *source = NULL;
	const bt_component_sink *sink = NULL;
	unsigned int i;

	trace->folder = folder;
	trace->environment = *environment;
	trace->latest = INT64_MAX - (environment->wall < INT64_MAX ? environment->wall : 0);
	allow_files();
	for (i = 0; i < CTF_SPARE; i++)
		trace->spare[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (table_init(&trace->cpus))
		return ctf_trace_fail(trace, -ENOMEM, "no memory");
	trace->graph = bt.graph_create(0);
	if (!trace->graph || !add_source(trace, &source) || !add_sink(trace, &sink))
		return ctf_trace_fail(trace, -EIO, "Babeltrace 2 cannot write a trace");
	if (bt.graph_connect_ports(trace->graph, bt.component_source_borrow_output_port_by_index_const(source, 0),
				   bt.component_sink_borrow_input_port_by_index_const(sink, 0), NULL))
		return ctf_trace_fail(trace, -EIO, "Babeltrace 2 cannot write a trace");
	/* The first run gives the source its iterator, which messages need. */
	return ctf_trace_run(trace);
}
