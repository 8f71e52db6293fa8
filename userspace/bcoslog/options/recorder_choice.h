/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The recorder that the options of recorder_options.h choose. */
#ifndef BCOSLOG_RECORDER_CHOICE_H
#define BCOSLOG_RECORDER_CHOICE_H

#include "bcoslog_bpf.h"
#include "core/host/user.h"

enum recorder_engine { ENGINE_AUTO, ENGINE_MODULE, ENGINE_BPF };

/**
 * struct recorder_options - the recorder that the options choose
 * @engine: the recorder
 * @chosen: --engine was given
 * @bpf_only: name of an option that was given and concerns BPF programs only; or NULL
 * @time: ns that --for gives; 0: it was not given
 * @bpf: the options of BPF programs
 */
struct recorder_options {
	enum recorder_engine engine;
	bool chosen;
	const char *bpf_only;
	u64 time;
	struct bcoslog_bpf bpf;
};

#endif
