// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The child process that reads a trace: see child.h. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "child.h"
#include "merge.h"

#define CLASSES_MIN 256u
/* The child may use this much memory in addition to that at its start. A damaged trace may ask for more. */
#define MEMORY_MAX ((rlim_t)2 << 30)
#define TEXT_MAX 4096u
#define SECOND 1000000000ull
/* Bytes that are kept of what the library prints. */
#define WORDS_MAX 4096
/* Events in addition to one for each bit of the files. */
#define EVENTS_MORE 1000u

/**
 * struct watcher - the state of the child
 * @pipe: the pipe that it writes to
 * @meaning: the meaning of the trace
 * @classes: a hash table of event classes by address; its size is a power of two
 * @size: size of the table
 * @count: how many classes are in the table
 * @perf: perf has written the trace
 * @aside: all events are left out, and counted
 * @events: how many events the trace may still have. An event takes at least a bit of the files
 */
struct watcher {
	struct ctf_pipe pipe;
	enum ctf_meaning meaning;
	struct ctf_class *classes;
	u32 size, count;
	bool perf, aside;
	u64 events;
	char text[TEXT_MAX];
};

/* ---- the trace -------------------------------------------------------------------------- */

static const char *environment_value(const bt_trace *trace, const char *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return value && bt_value_get_type(value) == BT_VALUE_TYPE_STRING ? bt_value_string_get(value) : "";
}

static enum ctf_meaning meaning_of(const bt_trace *trace)
{
	if (!strcmp(environment_value(trace, "domain"), "kernel") ||
	    !strcmp(environment_value(trace, "tracer_name"), "lttng-modules"))
		return CTF_MEANS_KERNEL;
	return CTF_MEANS_TEXT;
}

/* Returns the time at which the clock began to count, in ns since 1970; 0: not known. */
static u64 wall_of(const bt_clock_class *clock)
{
	u64 cycles, frequency;
	s64 seconds;

	if (!clock || !bt_clock_class_origin_is_unix_epoch(clock))
		return 0;
	bt_clock_class_get_offset(clock, &seconds, &cycles);
	frequency = bt_clock_class_get_frequency(clock);
	if (seconds < 0 || (u64)seconds > UINT64_MAX / SECOND / 2 || !frequency)
		return 0;
	return (u64)seconds * SECOND + (u64)((unsigned __int128)cycles * SECOND / frequency);
}

static int begin_trace(void *context, const bt_trace *trace, const bt_clock_class *clock)
{
	struct watcher *watcher = context;
	const char *host = environment_value(trace, "hostname"), *release = environment_value(trace, "kernel_release");
	const char *name = clock ? bt_clock_class_get_name(clock) : NULL;

	watcher->meaning = meaning_of(trace);
	watcher->perf = !strcmp(environment_value(trace, "tracer_name"), "perf");
	ctf_pipe_begin(&watcher->pipe, &(struct ctf_seen){ .what = CTF_BEGINS, .meaning = watcher->meaning });
	ctf_pipe_number(&watcher->pipe, wall_of(clock));
	ctf_pipe_text(&watcher->pipe, host, strlen(host));
	ctf_pipe_text(&watcher->pipe, release, strlen(release));
	ctf_pipe_text(&watcher->pipe, name ? name : "", name ? strlen(name) : 0);
	ctf_pipe_number(&watcher->pipe, watcher->perf);
	return ctf_pipe_end(&watcher->pipe);
}

/* ---- event classes ------------------------------------------------------------------------ */

static struct ctf_class *class_slot(struct ctf_class *classes, u32 size, const bt_event_class *class)
{
	u32 at = (u32)(((uintptr_t)class >> 4) * 0x9E3779B97F4A7C15ull >> 32) & (size - 1);

	while (classes[at].class && classes[at].class != class)
		at = (at + 1) & (size - 1);
	return &classes[at];
}

static int grow_classes(struct watcher *watcher)
{
	u32 i, size = watcher->size ? 2 * watcher->size : CLASSES_MIN;
	struct ctf_class *classes = calloc(size, sizeof(*classes));

	if (!classes)
		return -ENOMEM;
	for (i = 0; i < watcher->size; i++)
		if (watcher->classes[i].class)
			*class_slot(classes, size, watcher->classes[i].class) = watcher->classes[i];
	free(watcher->classes);
	watcher->classes = classes;
	watcher->size = size;
	return 0;
}

/* Does the stream have events of another class, so that this one is not needed? */
static bool has_class(const bt_event *event, const char *other)
{
	const bt_stream_class *stream = bt_stream_borrow_class_const(bt_event_borrow_stream_const(event));
	u64 i, count = bt_stream_class_get_event_class_count(stream);
	const char *name;

	for (i = 0; i < count; i++) {
		name = bt_event_class_get_name(bt_stream_class_borrow_event_class_by_index_const(stream, i));
		if (name && !strcmp(name, other))
			return true;
	}
	return false;
}

/* Finds or adds a class. Returns NULL if there is no memory. */
static struct ctf_class *class_of(struct watcher *watcher, const bt_event *event)
{
	const bt_event_class *class = bt_event_borrow_class_const(event);
	struct ctf_class *found;

	if (2 * watcher->count >= watcher->size && grow_classes(watcher))
		return NULL;
	found = class_slot(watcher->classes, watcher->size, class);
	if (likely(found->class))
		return found;
	watcher->count++;
	found->class = class;
	if (watcher->aside)
		return found;
	ctf_class_learn(found, watcher->meaning);
	if (found->meaning == CTF_MEANS_KERNEL)
		found->repeats = (found->which == CTF_KERNEL_QUEUE &&
				  has_class(event, ctf_kernel_layouts[CTF_KERNEL_XMIT].name)) ||
				 (found->which == CTF_KERNEL_FORK &&
				  has_class(event, ctf_kernel_layouts[CTF_KERNEL_PERF_FORK].name)) ||
				 (found->which == CTF_KERNEL_EXIT &&
				  has_class(event, ctf_kernel_layouts[CTF_KERNEL_PERF_EXIT].name));
	if (found->repeats)
		found->meaning = CTF_MEANS_NOTHING;
	return found;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void put_text(struct watcher *watcher, const bt_event *event)
{
	size_t length = ctf_describe(event, watcher->text, sizeof(watcher->text));
	u64 process = 0;

	/* LTTng adds these fields if it is told to. */
	if (!ctf_context_number(event, "pid", &process))
		ctf_context_number(event, "vpid", &process);
	ctf_pipe_number(&watcher->pipe, process);
	ctf_pipe_text(&watcher->pipe, watcher->text, length);
}

/* Writes the process and the thread that had the CPU. LTTng adds them if it is told to, and perf as fields. */
static void put_context(struct watcher *watcher, const bt_event *event)
{
	u64 process, thread;

	if (watcher->perf ? !ctf_payload_number(event, "perf_pid", &process) ||
				    !ctf_payload_number(event, "perf_tid", &thread) :
			    !ctf_context_number(event, "pid", &process) || !ctf_context_number(event, "tid", &thread))
		return;
	ctf_pipe_number(&watcher->pipe, process);
	ctf_pipe_number(&watcher->pipe, thread);
}

static int take_event(void *context, struct ctf_moment when, const bt_event *event)
{
	struct watcher *watcher = context;
	struct ctf_class *class = class_of(watcher, event);
	struct ctf_seen seen = { .what = CTF_EVENT, .cpu = when.cpu, .time = when.time };

	if (!class)
		return -ENOMEM;
	if (!watcher->events--)
		return -EFBIG;
	if (class->meaning == CTF_MEANS_NOTHING) {
		class->left_out++;
		return 0;
	}
	seen.meaning = class->meaning;
	seen.which = class->which;
	ctf_pipe_begin(&watcher->pipe, &seen);
	if (class->meaning == CTF_MEANS_TEXT)
		put_text(watcher, event);
	else
		ctf_class_put(class, &watcher->pipe, event);
	if (class->meaning == CTF_MEANS_KERNEL)
		put_context(watcher, event);
	return ctf_pipe_end(&watcher->pipe);
}

static int take_lost(void *context, struct ctf_moment when, u64 until, u64 count, bool packets)
{
	struct watcher *watcher = context;

	ctf_pipe_begin(&watcher->pipe, &(struct ctf_seen){ .what = CTF_LOST, .cpu = when.cpu, .time = when.time });
	ctf_pipe_number(&watcher->pipe, until);
	ctf_pipe_number(&watcher->pipe, count);
	ctf_pipe_number(&watcher->pipe, packets);
	return ctf_pipe_end(&watcher->pipe);
}

/* ---- the process ------------------------------------------------------------------------------ */

/*
 * Replaces @why by the first error that the library has printed, which is "DATE TIME NUMBERS E LOGGER FUNCTION@FILE:LINE
 * [COMPONENT] error", or the same without a component.
 */
static void said_by_library(char *why, size_t size)
{
	char words[WORDS_MAX + 1], *end, *at, *component;
	ssize_t n = pread(STDERR_FILENO, words, WORDS_MAX, 0);

	words[n > 0 ? n : 0] = 0;
	end = strchrnul(words, '\n');
	*end = 0;
	at = strchr(words, '@');
	at = at ? strchr(at, ' ') : NULL;
	component = at && at[1] == '[' ? strstr(at, "] ") : NULL;
	at = component ? component + 1 : at;
	if (at && at[1])
		snprintf(why, size, "%s", at + 1);
}

/* Tells of each class of events that were left out. */
static void put_left_out(struct watcher *watcher)
{
	const char *name;
	u32 i;

	for (i = 0; i < watcher->size; i++) {
		if (!watcher->classes[i].left_out)
			continue;
		name = bt_event_class_get_name(watcher->classes[i].class);
		ctf_pipe_begin(&watcher->pipe, &(struct ctf_seen){ .what = CTF_LEFT_OUT });
		ctf_pipe_number(&watcher->pipe, watcher->classes[i].left_out);
		ctf_pipe_text(&watcher->pipe, name ? name : "?", name ? strlen(name) : 1);
		ctf_pipe_number(&watcher->pipe, watcher->classes[i].repeats);
		ctf_pipe_end(&watcher->pipe);
	}
}

static int watch_folder(struct watcher *watcher, const char *folder)
{
	const struct ctf_taker taker = {
		.begin = begin_trace, .event = take_event, .lost = take_lost, .context = watcher
	};
	struct ctf_merge merge = { 0 };
	int r = ctf_merge_run(&merge, folder, &taker);

	if (watcher->pipe.error)
		return watcher->pipe.error;
	put_left_out(watcher);
	if (r)
		said_by_library(merge.why, sizeof(merge.why));
	ctf_pipe_begin(&watcher->pipe, &(struct ctf_seen){ .what = CTF_ENDS });
	ctf_pipe_number(&watcher->pipe, (u64)-r);
	ctf_pipe_number(&watcher->pipe, merge.damaged);
	ctf_pipe_number(&watcher->pipe, merge.streams_count);
	ctf_pipe_text(&watcher->pipe, merge.why, strlen(merge.why));
	ctf_pipe_end(&watcher->pipe);
	return ctf_pipe_flush(&watcher->pipe);
}

/*
 * Returns how many bytes of private writable memory the process has mapped. This leaves out memory that a sanitizer
 * only reserves.
 */
static rlim_t memory_now(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long long pages = 0;

	if (file) {
		if (fscanf(file, "%*u %*u %*u %*u %*u %llu", &pages) != 1)
			pages = 0;
		fclose(file);
	}
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Keeps what the library prints, up to a limit: its first line says what is wrong. */
static int keep_words(void)
{
	int words = memfd_create("words", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (words >= 0 && (ftruncate(words, WORDS_MAX) || fcntl(words, F_ADD_SEALS, F_SEAL_GROW))) {
		close(words);
		words = -1;
	}
	return words < 0 ? open("/dev/null", O_WRONLY) : words;
}

/* Keeps what the library prints away from the terminal, since the parent reports the failure, and limits the memory. */
static void be_quiet(void)
{
	const rlim_t most = memory_now() + MEMORY_MAX;
	const struct rlimit none = { 0, 0 }, memory = { most, most };
	int words = keep_words();

	if (words >= 0)
		dup2(words, STDERR_FILENO);
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_DATA, &memory);
}

pid_t ctf_child_start(const char *folder, u64 size, bool aside, int *fd)
{
	struct watcher *watcher;
	pid_t parent = getpid(), child;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
	child = fork();
	if (child) {
		int error = errno;

		close(ends[1]);
		*fd = ends[0];
		if (child < 0)
			close(ends[0]);
		return child < 0 ? -error : child;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	close(ends[0]);
	be_quiet();
	watcher = calloc(1, sizeof(*watcher));
	if (watcher) {
		watcher->pipe.fd = ends[1];
		watcher->aside = aside;
		watcher->events = size < UINT64_MAX / 8 - EVENTS_MORE ? 8 * size + EVENTS_MORE : UINT64_MAX;
		watch_folder(watcher, folder);
	}
	_exit(0);
}
