// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads a trace with Babeltrace 2's library: see read.h. */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "read.h"

#define CLASSES_MIN 256u
/* The library may use this much memory, for all traces of an import. A damaged trace may ask for more. */
#define MEMORY_MAX ((rlim_t)2 << 30)
#define TEXT_MAX 4096u
#define SECOND 1000000000ull
/* Bytes that are kept of what the library prints. */
#define WORDS_MAX 4096
/* Events in addition to one for each bit of the files. */
#define EVENTS_MORE 1000u

/* So many events are looked at before any event is taken: a state dump comes in the first second of a trace. */
#define EVENTS_AHEAD 1000000u

/**
 * struct watcher - a trace that is being read
 * @reader: gets what is seen
 * @merge: the graph that reads the trace
 * @meaning: the meaning of the trace
 * @classes: a hash table of event classes by address; its size is a power of two
 * @size: size of the table
 * @count: how many classes are in the table
 * @perf: perf has written the trace
 * @ahead: events are looked at, and not taken
 * @events: how many events may follow. An event takes at least a bit of the files
 * @text: all fields of the current event as text
 */
struct watcher {
	struct ctf_reader *reader;
	struct ctf_merge merge;
	enum ctf_meaning meaning;
	struct ctf_class *classes;
	u32 size, count;
	bool perf, ahead;
	u64 events;
	char text[TEXT_MAX];
};

/* What ends the library, while it reads. */
static struct {
	sigjmp_buf before;
	volatile sig_atomic_t signal;
	volatile sig_atomic_t reading;	/* the library runs, and not the reader that it has called */
	void (*ends)(int signal);	/* ends the program in order, once the reader looks */
} library;

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
	struct ctf_beginning beginning = {
		.meaning = meaning_of(trace), .perf = !strcmp(environment_value(trace, "tracer_name"), "perf"),
		.wall = wall_of(clock), .host = host, .release = release, .clock = name ? name : "",
	};
	int r;

	watcher->meaning = beginning.meaning;
	watcher->perf = beginning.perf;
	library.reading = false;
	r = ctf_reader_begin(watcher->reader, &beginning);
	library.reading = true;
	return r ? r : watcher->ahead && watcher->meaning != CTF_MEANS_KERNEL ? -ECANCELED : 0;
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
	if (watcher->reader->beside)
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

static void get_text(struct watcher *watcher, struct ctf_seen *seen, const bt_event *event)
{
	size_t length = ctf_describe(event, watcher->text, sizeof(watcher->text));
	u64 process = 0;

	/* LTTng adds these fields if it is told to. */
	if (!ctf_context_number(event, "pid", &process))
		ctf_context_number(event, "vpid", &process);
	ctf_value_add(seen, CTF_NUMBER, process);
	ctf_text_add(seen, watcher->text, length);
}

/* Gets the process and the thread that had the CPU. LTTng adds them if it is told to, and perf as fields. */
static void get_context(struct watcher *watcher, struct ctf_seen *seen, const bt_event *event)
{
	u64 process, thread;

	if (watcher->perf ? !ctf_payload_number(event, "perf_pid", &process) ||
				    !ctf_payload_number(event, "perf_tid", &thread) :
			    !ctf_context_number(event, "pid", &process) || !ctf_context_number(event, "tid", &thread))
		return;
	ctf_value_add(seen, CTF_NUMBER, process);
	ctf_value_add(seen, CTF_NUMBER, thread);
}

/* Hands an event to the reader.  Return: 0 or a negative errno; -ECANCELED if no later event has to be looked at. */
static int tell_event(struct watcher *watcher, const struct ctf_seen *seen)
{
	int r;

	library.reading = false;
	if (watcher->ahead)
		r = ctf_reader_ahead(watcher->reader, seen) ? 0 : -ECANCELED;
	else
		r = ctf_reader_event(watcher->reader, seen);
	library.reading = true;
	return r;
}

/* Counts an event, under the name of its class, which the library may not be able to tell in the end. */
static int leave_out(struct ctf_class *class)
{
	const char *name = bt_event_class_get_name(class->class);

	if (!class->name)
		class->name = strndup(name ? name : "?", NAME_MAX);
	class->left_out++;
	return class->name ? 0 : -ENOMEM;
}

static int take_event(void *context, struct ctf_moment when, const bt_event *event)
{
	struct watcher *watcher = context;
	struct ctf_class *class = class_of(watcher, event);
	struct ctf_seen seen;

	if (!class)
		return -ENOMEM;
	if (!watcher->events--)
		return -EFBIG;
	if (class->meaning == CTF_MEANS_NOTHING)
		return leave_out(class);
	seen.cpu = when.cpu;
	seen.time = when.time;
	seen.meaning = class->meaning;
	seen.which = class->which;
	seen.count = 0;
	if (class->meaning == CTF_MEANS_TEXT)
		get_text(watcher, &seen, event);
	else
		ctf_class_get(class, &seen, event);
	if (class->meaning == CTF_MEANS_KERNEL)
		get_context(watcher, &seen, event);
	return tell_event(watcher, &seen);
}

static int take_lost(void *context, struct ctf_moment when, u64 until, u64 count, bool packets)
{
	struct watcher *watcher = context;
	int r;

	if (watcher->ahead)
		return 0;
	library.reading = false;
	r = ctf_reader_lost(watcher->reader, when.cpu, when.time, until, count, packets);
	library.reading = true;
	return r;
}

/* Forgets all classes, and, with @tell, tells of each how many of its events were left out. */
static void end_classes(struct watcher *watcher, bool tell)
{
	const struct ctf_class *class;
	u32 i;

	for (i = 0; i < watcher->size; i++) {
		class = &watcher->classes[i];
		if (class->name && tell)
			ctf_reader_left_out(watcher->reader, class->name, class->left_out, class->repeats);
		free(class->name);
	}
	free(watcher->classes);
	watcher->classes = NULL;
	watcher->size = watcher->count = 0;
}

/* ---- what the library must not do ---------------------------------------------------------------- */

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

/* Signals by which a process ends itself, or is ended, where something is wrong in it. */
static const int faults[] = { SIGABRT, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
#define FAULTS (sizeof(faults) / sizeof(faults[0]))
/* Signals that end the program in order. */
static const int ends[] = { SIGINT, SIGTERM };
#define ENDS (sizeof(ends) / sizeof(ends[0]))

/**
 * struct tamed - what the process had before the library was tamed
 * @error: its standard error
 * @memory: the limit of its memory
 * @core: and of its core dumps
 * @actions: what it did on each of @faults
 * @stack: where it did that
 * @ends: what it did on each of @ends
 */
struct tamed {
	int error;
	struct rlimit memory, core;
	struct sigaction actions[FAULTS], ends[ENDS];
	stack_t stack;
};

static void give_up(int signal)
{
	if (library.reading) {
		library.signal = signal;
		siglongjmp(library.before, 1);
	}
	/* It is our own fault: it happens again, and ends the process. */
	sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	raise(signal);
}

/* The program ends in order where it looks whether it shall. The library may be long without doing so. */
static void end_reading(int signal)
{
	if (library.reading) {
		output_erase();
		_exit(128 + signal);
	}
	library.ends(signal);
}

static void catch_ends(struct tamed *tamed)
{
	const struct sigaction action = { .sa_handler = end_reading };
	size_t i;

	for (i = 0; i < ENDS; i++) {
		sigaction(ends[i], NULL, &tamed->ends[i]);
		if (tamed->ends[i].sa_handler == SIG_IGN || tamed->ends[i].sa_handler == SIG_DFL)
			continue;
		library.ends = tamed->ends[i].sa_handler;
		sigaction(ends[i], &action, NULL);
	}
}

/*
 * Keeps what the library prints from standard error, bounds its memory, and gets the signals that would end the process. Complaints wait
 * until all is as before.
 */
static void tame_library(struct tamed *tamed)
{
	/* A stack of its own, since the library may have used all of the other one. */
	static char stack[64 << 10];
	const stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	const struct sigaction action = { .sa_handler = give_up, .sa_flags = SA_ONSTACK };
	/* What a library that has given up keeps is not there for the next trace. */
	static rlim_t most;
	struct rlimit limit;
	int words = keep_words();
	size_t i;

	most = most ? most : memory_now() + MEMORY_MAX;

	complain_hold(true);
	tamed->error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	if (words >= 0) {
		dup2(words, STDERR_FILENO);
		close(words);
	}
	getrlimit(RLIMIT_CORE, &tamed->core);
	limit = (struct rlimit){ 0, tamed->core.rlim_max };
	setrlimit(RLIMIT_CORE, &limit);
	getrlimit(RLIMIT_DATA, &tamed->memory);
	limit = (struct rlimit){ most < tamed->memory.rlim_cur ? most : tamed->memory.rlim_cur, tamed->memory.rlim_max };
	setrlimit(RLIMIT_DATA, &limit);
	sigaltstack(&other, &tamed->stack);
	for (i = 0; i < FAULTS; i++)
		sigaction(faults[i], &action, &tamed->actions[i]);
	catch_ends(tamed);
}

static void untame_library(const struct tamed *tamed)
{
	size_t i;

	for (i = 0; i < FAULTS; i++)
		sigaction(faults[i], &tamed->actions[i], NULL);
	for (i = 0; i < ENDS; i++)
		if (tamed->ends[i].sa_handler != SIG_DFL)
			sigaction(ends[i], &tamed->ends[i], NULL);
	sigaltstack(&tamed->stack, NULL);
	setrlimit(RLIMIT_DATA, &tamed->memory);
	setrlimit(RLIMIT_CORE, &tamed->core);
	if (tamed->error >= 0) {
		dup2(tamed->error, STDERR_FILENO);
		close(tamed->error);
	} else {
		close(STDERR_FILENO);
	}
	complain_hold(false);
}

/* ---- reading --------------------------------------------------------------------------------------- */

/*
 * Reads the trace once. Return: 0 or a negative errno; -ENOTRECOVERABLE if the library has given up. Then its memory stays as it is, since it may not
 * be right any more.
 */
static int read_once(struct watcher *watcher, const char *folder, struct ctf_ending *ending)
{
	const struct ctf_taker taker = {
		.begin = begin_trace, .event = take_event, .lost = take_lost, .context = watcher
	};
	struct tamed tamed;

	memset(&watcher->merge, 0, sizeof(watcher->merge));
	tame_library(&tamed);
	ending->error = -ENOTRECOVERABLE;
	if (!sigsetjmp(library.before, true)) {
		library.reading = true;
		ending->error = ctf_merge_run(&watcher->merge, folder, &taker);
		ending->damaged = watcher->merge.damaged;
		ending->streams = watcher->merge.streams_count;
		if (ending->error)
			said_by_library(watcher->merge.why, sizeof(watcher->merge.why));
		ctf_merge_free(&watcher->merge);
	}
	library.reading = false;
	untame_library(&tamed);
	end_classes(watcher, !watcher->ahead);
	return ending->error;
}

int ctf_trace_read(struct ctf_reader *reader, const char *folder, u64 size)
{
	struct watcher *watcher = calloc(1, sizeof(*watcher));
	struct ctf_ending ending = { 0 };
	int r;

	if (!watcher)
		return -ENOMEM;
	watcher->reader = reader;
	/*
	 * The state dump of a kernel's trace names the process of each thread, but comes after the first events. So the
	 * reader sees the first part of such a trace twice.
	 */
	if (!reader->beside) {
		watcher->ahead = true;
		watcher->events = EVENTS_AHEAD;
		read_once(watcher, folder, &ending);
	}
	watcher->ahead = false;
	watcher->events = size < UINT64_MAX / 8 - EVENTS_MORE ? 8 * size + EVENTS_MORE : UINT64_MAX;
	r = read_once(watcher, folder, &ending);
	ending.why = watcher->merge.why;
	if (!r || r == -EBADMSG)
		r = ctf_reader_end(reader, &ending);
	else if (r == -ENOTRECOVERABLE)
		r = ctf_reader_end(reader, NULL);
	if (r == -ENOTRECOVERABLE)
		complain("%s is damaged: the library of Babeltrace 2 has given up within it (%s)", reader->path,
			 strsignal(library.signal));
	free(watcher);
	return r;
}
