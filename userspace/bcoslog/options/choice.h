/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whose log the options choose: a recorder, or a machine and a boot of a recorded directory. */
#ifndef BCOSLOG_CHOICE_H
#define BCOSLOG_CHOICE_H

#include <stdbool.h>

#include "bcoslog_bpf.h"
#include "engine/keep/wanted.h"
#include "core/host/user.h"

enum recorder_engine { ENGINE_AUTO, ENGINE_MODULE, ENGINE_BPF };

/**
 * struct recorder_options - the recorder that the options choose
 * @engine: the recorder
 * @chosen: --engine was given
 * @bpf_only: name of an option that was given and concerns BPF programs only; or NULL
 * @classes_given: --classes was given
 * @classes: the classes that it gives, also those that BPF programs do not record
 * @time: ns that --for gives; 0: it was not given
 * @bpf: the options of BPF programs
 * @pins: what of their log outlives this process
 */
struct recorder_options {
	enum recorder_engine engine;
	bool chosen;
	const char *bpf_only;
	bool classes_given;
	u32 classes;
	u64 time;
	struct bcoslog_bpf bpf;
	struct engine_pins pins;
};

/* The machine and the boot that the options --machine and --boot choose; zeros choose none. */
struct boot_choice {
	const char *machine;
	const char *boot;		/* as the user wrote it */
	long number;			/* 1 is the oldest boot, 0 the latest, -1 the one before the latest */
	bool numbered;			/* @boot is a number */
};

/* Was --machine or --boot given? */
static inline bool boots_are_chosen(const struct boot_choice *chosen)
{
	return chosen->machine || chosen->boot;
}

#endif
