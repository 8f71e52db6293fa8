// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Opening, sharing and stopping a log that BPF programs of this process record: see bcoslog_bpf.h. */
#include <stdlib.h>

#include "handle_host.h"
#ifdef BCOSLOG_HAVE_BPF
#include "engine/programs/kernel_types.h"
#include "reader.h"
#endif

#define RING_KB		8192
#define STAGING_KB	1024
/* With 10,000 switches a second, this takes the states of threads for some seconds. */
#define STAGING_KB_STATE 4096

#define FLAGS \
	(BCOSLOG_BPF_NO_MEMBARRIER | BCOSLOG_BPF_NO_CLASSES | BCOSLOG_BPF_NO_FUNCTIONS | BCOSLOG_BPF_NO_COUNT)

__u32 bcoslog_bpf_classes(void)
{
#ifdef BCOSLOG_HAVE_BPF
	return BCOS_CLASS_ALL & ~BCOS_CLASS_USER;
#else
	return 0;
#endif
}

int bcoslog_bpf_knows_wakers(void)
{
#ifdef BCOSLOG_HAVE_BPF
	struct bcos_bpf_config config = { 0 };
	struct kernel_types has;
	int r = kernel_types_look(&config, &has);

	return r ? r : kernel_types_tell_count(&has);
#else
	return -ENOSYS;
#endif
}

static int check_range(struct bcoslog_error *error, const char *name, __u32 *value, __u32 usual, __u32 least,
		       __u32 most)
{
	if (!*value)
		*value = usual;
	if (*value >= least && *value <= most)
		return 0;
	return error_set(error, EINVAL, "%s takes a number of KiB from %u to %u, not %u", name, least, most, *value);
}

static int check_options(struct bcoslog_bpf *options, struct bcoslog_error *error)
{
	__u32 classes = bcoslog_bpf_classes();
	int r;

	if (!classes)
		return error_set(error, ENOSYS,
				 "this bcoslog was built without the BPF engine: install clang, bpftool and "
				 "libbpf (scripts/deps bpf), and build it again");
	if (options->flags & ~FLAGS)
		return error_set(error, EINVAL, "there is no such flag (0x%x)", options->flags & ~FLAGS);
	if (options->classes & ~BCOS_CLASS_ALL && options->classes != BCOS_CLASS_EVERY)
		return error_set(error, EINVAL, "there are no such classes (0x%x)", options->classes & ~BCOS_CLASS_ALL);
	if (!options->classes && !(options->flags & BCOSLOG_BPF_NO_CLASSES))
		options->classes = BCOS_CLASS_DEFAULT;
	options->classes &= classes;
	r = check_range(error, "the ring", &options->ring_kb, RING_KB, 256, 4194304);
	return r ? r : check_range(error, "the staging", &options->staging_kb,
				   options->classes & BCOS_CLASS_STATE ? STAGING_KB_STATE : STAGING_KB, 64, 65536);
}

int bcoslog_stop_bpf(struct bcoslog *log)
{
	int r;

	if (log->kind != BCOSLOG_BPF || log->shared)
		return 0;
	r = engine_stop(log->engine);
	log->flags &= ~BCOSLOG_FOLLOW;
	log->last = engine_end(log->engine);
	log->ended = false;
	return r ? error_read(log, -r) : 0;
}

bool bcoslog_leave_bpf(struct bcoslog *log)
{
	return log->kind == BCOSLOG_BPF && !log->shared && engine_leave(log->engine);
}

int bcoslog_open_bpf(struct bcoslog **result, const struct bcoslog_bpf *options, unsigned int flags,
		     struct bcoslog_error *error)
{
	static const struct engine_pins none;

	return reader_open_bpf(result, options, &none, flags, error);
}

int reader_open_bpf(struct bcoslog **result, const struct bcoslog_bpf *options, const struct engine_pins *pins,
		    unsigned int flags, struct bcoslog_error *error)
{
	struct bcoslog_bpf checked = *options;
	struct bcoslog *log;
	int r;

	*result = NULL;
	if (options->size != sizeof(*options))
		return error_set(error, EINVAL, "the options have another size: build the program with this library's "
				 "headers");
	r = check_options(&checked, error);
	if (r)
		return r;
	log = handle_new(-1, "the BPF engine", flags);
	if (!log)
		return error_set(error, ENOMEM, "there is no memory, or no free descriptor (ulimit -n), for a log");
	log->kind = BCOSLOG_BPF;
	log->view = calloc(1, sizeof(*log->view));
	if (!log->view) {
		bcoslog_close(log);
		return error_set(error, ENOMEM, "there is no memory for a log");
	}
	error_set(error, 0, "%s", "");
	r = engine_open(&log->engine, &checked, pins, error);
	if (r) {
		bcoslog_close(log);
		return r;
	}
	log->fd = engine_news(log->engine);
	log->last = flags & BCOSLOG_FOLLOW ? ~0ull : engine_end(log->engine);
	*result = log;
	return 0;
}

int bcoslog_share_bpf(struct bcoslog **result, struct bcoslog *of, unsigned int flags, struct bcoslog_error *error)
{
	struct bcoslog *log;
	int r;

	*result = NULL;
	if (of->kind != BCOSLOG_BPF)
		return error_set(error, EINVAL, "%s is not recorded by this process: open it again", of->name);
	r = engine_flush(of->engine);
	if (r)
		return error_set(error, -r, "the log cannot be read on: %s", strerror(-r));
	log = handle_new(-1, of->name, flags);
	if (log)
		log->view = calloc(1, sizeof(*log->view));
	if (!log || !log->view) {
		bcoslog_close(log);
		return error_set(error, ENOMEM, "there is no memory, or no free descriptor (ulimit -n), for a log");
	}
	log->kind = BCOSLOG_BPF;
	log->engine = of->engine;
	log->view->newest = flags & BCOSLOG_NEWEST;
	log->shared = true;
	log->last = flags & BCOSLOG_FOLLOW ? ~0ull : engine_end(log->engine);
	*result = log;
	return 0;
}
