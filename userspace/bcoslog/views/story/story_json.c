// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the life of a process as a JSON object. */
#include "entry/who.h"
#include "output/object.h"
#include "story.h"

static void add_process(struct object *object, u32 id, const char *name, size_t length)
{
	object_number(object, "process", id);
	if (name)
		object_text(object, "name", name, length);
}

/* Appends @inner to @list. */
static void append_object(struct object *object, json_t *list, struct object *inner)
{
	object->failed |= inner->failed | json_array_append_new(list, inner->json);
}

static void add_parent(struct object *object, const struct life *life)
{
	struct object inner = { .json = json_object() };
	struct bcoslog_parent parent;

	if (!life->parent.text || bcoslog_parent(&parent, life->parent.text, life->parent.length)) {
		json_decref(inner.json);
		object_add(object, "parent", json_null());
		return;
	}
	add_process(&inner, parent.process, parent.name, parent.name_length);
	object->failed |= inner.failed;
	object_add(object, "parent", inner.json);
}

/* Adds a time, and how much later the event may have happened if that is more than a nanosecond. */
static void object_moment(struct object *object, struct clock *clock, const char *key, u64 time, u32 precision)
{
	object_time(object, clock, key, time);
	if (precision > 1)
		object_number(object, "precision", precision);
}

static void add_exec(struct object *object, struct clock *clock, json_t *list, const struct life_note *note)
{
	struct bcoslog_exec exec;
	struct object inner = { .json = json_object() };
	json_t *arguments;
	unsigned int i;

	object_moment(&inner, clock, "time", note->time, note->precision);
	if (!bcoslog_exec(&exec, note->text, note->length)) {
		object_text(&inner, "path", exec.path, strlen(exec.path));
		object_number(&inner, "user", exec.user);
		object_word(&inner, "cgroup", exec.cgroup);
		arguments = exec.told ? json_array() : json_null();
		for (i = 0; i < exec.count; i++)
			inner.failed |= json_array_append_new(arguments, json_string_nocheck(exec.argument[i]));
		object_add(&inner, "arguments", arguments);
		object_add(&inner, "cut", json_boolean(exec.cut || exec.path_cut));
	}
	append_object(object, list, &inner);
}

static void add_groups(struct object *object, const struct life *life)
{
	const struct life_note *note;
	json_t *list = json_array();
	struct object inner;
	size_t i;

	for (i = 0; i < life_note_count(&life->groups); i++) {
		note = life_note(&life->groups, i);
		inner = (struct object){ .json = json_object() };
		object_text(&inner, "cgroup", note->text, note->length);
		object_add(&inner, "cpu_version_1", json_boolean(note->event));
		object_moment(&inner, life->clock, "told", note->time, note->precision);
		append_object(object, list, &inner);
	}
	object_add(object, "cgroups", list);
	story_add_counted(object, life, "cgroup_count", life->groups.count, LIFE_LOST_GROUPS);
}

static void add_notes(struct object *object, const struct life *life)
{
	json_t *execs = json_array(), *names = json_array(), *events = json_array();
	const struct life_note *note;
	struct object inner;
	size_t i;

	for (i = 0; i < life_note_count(&life->execs); i++)
		add_exec(object, life->clock, execs, life_note(&life->execs, i));
	for (i = 0; i < life_note_count(&life->names); i++) {
		note = life_note(&life->names, i);
		inner = (struct object){ .json = json_object() };
		object_text(&inner, "name", note->text, note->length);
		object_moment(&inner, life->clock, "until", note->time, note->precision);
		append_object(object, names, &inner);
	}
	for (i = 0; i < life_note_count(&life->events); i++) {
		note = life_note(&life->events, i);
		inner = (struct object){ .json = json_object() };
		object_moment(&inner, life->clock, "time", note->time, note->precision);
		object_number(&inner, "event", note->event);
		object_number(&inner, "severity", note->severity);
		object_text(&inner, "text", note->text, note->length);
		append_object(object, events, &inner);
	}
	story_add_counted(object, life, "exec_count", life->execs.count, BCOSLOG_LOST_LIVES | BCOSLOG_LOST_EVENTS);
	object_add(object, "execs", execs);
	object_add(object, "former_names", names);
	story_add_counted(object, life, "event_count", life->events.count, BCOSLOG_LOST_EVENTS);
	object_add(object, "events", events);
}

static void add_use(struct object *object, const struct recent_use *use, const char *key)
{
	static const char *const uses[] = { "process", "kernel", "idle", "unknown" };

	object_word(object, key, uses[use->use]);
	if (use->use == BCOSLOG_USE_PROCESS || use->use == BCOSLOG_USE_KERNEL)
		add_process(object, use->process, use->name, use->name_length);
}

static void add_times(struct object *object, const struct life *life)
{
	json_t *cpus = json_array(), *threads = json_array();
	struct object inner;
	size_t i;

	object_number(object, "cpu_ns", life->process.time);
	if (life->process.at_least)
		object_add(object, "cpu_ns_at_least", json_true());
	story_add_counted(object, life, "turns", life->process.turns, BCOSLOG_LOST_ASSIGNMENTS);
	for (i = 0; i < life->cpu_count; i++) {
		inner = (struct object){ .json = json_object() };
		object_number(&inner, "cpu", life->cpus[i].id);
		object_number(&inner, "cpu_ns", life->cpus[i].time);
		if (life->process.at_least)
			object_add(&inner, "cpu_ns_at_least", json_true());
		append_object(object, cpus, &inner);
	}
	object_add(object, "cpus", cpus);
	for (i = 0; i < life->thread_count && i < LIFE_THREADS; i++)
		object->failed |= json_array_append_new(threads, json_integer(life->threads[i]));
	object_add(object, "threads", threads);
	story_add_threads(object, life);
	story_add_counted(object, life, "off_count", life->off_count, BCOSLOG_LOST_ASSIGNMENTS);
	object_number(object, "off_ns", life->off_sum);
	object_number(object, "off_unknown_ns", life->off_unknown);
	story_add_counted(object, life, "waits", life->waits.count, LOST_WAITS);
	object_number(object, "waits_uncertain", life->waits.unsure);
	if (life->waits.unsure)
		object_number(object, "wait_uncertain_longest_ns", life->waits.unsure_longest);
	if (!life->waits.count)
		return;
	object_number(object, "wait_mean_ns", life->waits.sum / life->waits.count);
	if (life->waits.unsure || life->waits.cut || life->process.lost & LOST_WAITS)
		object_add(object, "wait_mean_ns_about", json_true());
	story_add_counted(object, life, "wait_longest_ns", life->waits.longest, LOST_WAITS);
	if (life->waits.longest_cut && !(life->process.lost & LOST_WAITS))
		object_add(object, "wait_longest_ns_at_least", json_true());
	object_time(object, life->clock, "wait_longest_at", life->waits.longest_at);
}

static void add_stretches(struct object *object, const struct life *life)
{
	const struct stretch *stretch;
	json_t *list = json_array();
	struct object inner;
	size_t i;

	for (i = 0; i < LIFE_STRETCHES && life->offs[i].end; i++) {
		stretch = &life->offs[i];
		inner = (struct object){ .json = json_object() };
		object_time(&inner, life->clock, "begin", stretch->begin);
		object_time(&inner, life->clock, "end", stretch->end);
		object_number(&inner, "unknown_ns", stretch->unknown);
		if (stretch->cut)
			object_add(&inner, "cut", json_true());
		object_number(&inner, "left_cpu", stretch->left);
		object_number(&inner, "cpu", stretch->cpu);
		if (stretch->known) {
			add_use(&inner, &stretch->instead, "instead");
			object_number(&inner, "instead_ns", stretch->instead.time);
			if (stretch->instead.partial)
				object_add(&inner, "instead_ns_at_least", json_true());
		}
		append_object(object, list, &inner);
	}
	object_add(object, "longest_off", list);
}

static void add_devices(struct object *object, const struct life *life)
{
	json_t *list = json_array();
	struct object inner;
	size_t i;

	for (i = 0; i < life->device_count; i++) {
		inner = (struct object){ .json = json_object() };
		object_number(&inner, "device", life->devices[i].id);
		object_text(&inner, "name", life->devices[i].name, life->devices[i].length);
		object_moment(&inner, life->clock, "since", life->devices[i].time, life->devices[i].precision);
		append_object(object, list, &inner);
	}
	object_add(object, "devices", list);
}

static void add_children(struct object *object, const struct life *life)
{
	json_t *list = json_array();
	const struct life_note *child;
	struct object inner;
	size_t i;

	for (i = 0; i < life_note_count(&life->children); i++) {
		child = life_note(&life->children, i);
		inner = (struct object){ .json = json_object() };
		add_process(&inner, child->event, child->text, child->length);
		object_moment(&inner, life->clock, "born", child->time, child->precision);
		append_object(object, list, &inner);
	}
	story_add_counted(object, life, "child_count", life->children.count, LIFE_LOST_CHILDREN);
	object_add(object, "children", list);
}

static void add_requests(struct object *object, const struct life *life)
{
	const struct life_requests *requests = &life->requests;
	struct object inner = { .json = json_object() };

	story_add_counted(&inner, life, "count", requests->count, BCOSLOG_LOST_REQUESTS);
	story_add_counted(&inner, life, "read_bytes", requests->read_bytes, BCOSLOG_LOST_REQUESTS);
	story_add_counted(&inner, life, "written_bytes", requests->written_bytes, BCOSLOG_LOST_REQUESTS);
	story_add_counted(&inner, life, "failures", requests->failures, BCOSLOG_LOST_REQUESTS);
	story_add_counted(&inner, life, "untimed", requests->untimed, BCOSLOG_LOST_REQUESTS);
	story_add_counted(&inner, life, "queue_ns", requests->queue, BCOSLOG_LOST_REQUESTS);
	story_add_counted(&inner, life, "device_ns", requests->device, BCOSLOG_LOST_REQUESTS);
	story_add_counted(&inner, life, "longest_ns", requests->longest, BCOSLOG_LOST_REQUESTS);
	if (requests->count)
		object_time(&inner, life->clock, "longest_at", requests->longest_at);
	object->failed |= inner.failed;
	object_add(object, "requests", inner.json);
}

static void add_killer(struct object *object, const struct life *life)
{
	struct object inner = { .json = json_object() };
	struct bcoslog_killed killed;

	if (!life->killed.text || bcoslog_killed(&killed, life->killed.text, life->killed.length)) {
		json_decref(inner.json);
		object_add(object, "killed_by", json_null());
		return;
	}
	add_process(&inner, killed.process, killed.name, killed.name_length);
	if (killed.process != BCOS_PROCESS_KERNEL)
		object_number(&inner, "user", killed.user);
	object_number(&inner, "signal", killed.signal);
	object_word(&inner, "signal_name", bcoslog_signal(killed.signal));
	object->failed |= inner.failed;
	object_add(object, "killed_by", inner.json);
}

static void add_moment(struct object *object, const struct life *life)
{
	json_t *list = json_array();
	struct object inner;
	size_t i;

	for (i = 0; i < life->at_end_count; i++) {
		inner = (struct object){ .json = json_object() };
		object_number(&inner, "cpu", life->at_end[i].cpu);
		object_time(&inner, life->clock, "since", life->at_end[i].since);
		add_use(&inner, &life->at_end[i].use, "use");
		append_object(object, list, &inner);
	}
	object_add(object, "meanwhile", list);
}

int story_json(const struct life *life)
{
	struct object object = { .json = json_object() };
	const struct bcoslog_account_process *process = &life->process;
	char how[64];
	struct cell cell = cell_end(process, how, sizeof(how));

	add_process(&object, process->id, process->name, process->name_length);
	object_time(&object, life->clock, "start", process->start);
	object_number(&object, "start_precision", process->precision);
	object_add(&object, "born", json_boolean(process->born));
	add_parent(&object, life);
	add_notes(&object, life);
	add_times(&object, life);
	add_stretches(&object, life);
	add_devices(&object, life);
	if (life->groups.count)
		add_groups(&object, life);
	if (life->children.count)
		add_children(&object, life);
	if (life->requests.count)
		add_requests(&object, life);
	object_text(&object, "how", cell.text, cell.length);
	if (process->ended) {
		object_time(&object, life->clock, "end", process->end);
		if (life->end_precision > 1)
			object_number(&object, "end_precision", life->end_precision);
		object_status(&object, process->status);
	}
	add_killer(&object, life);
	add_moment(&object, life);
	return object_print(&object, "a story");
}
