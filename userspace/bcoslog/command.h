/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts that the subcommands share: arguments, the loop over a log, exit statuses. */
#ifndef BCOSLOG_COMMAND_H
#define BCOSLOG_COMMAND_H

#include <signal.h>

#include "bcoslog.h"
#include "bcoslog_bpf.h"
#include "../late/complain.h"
#include "output/output.h"

enum exit_status {
	EXIT_OK = 0,
	EXIT_DAMAGE = 1,	/* the log is damaged or breaks the rules */
	EXIT_ENVIRONMENT = 2,	/* usage, permissions, the device */
};

/* ---- options.c ------------------------------------------------------------ */

/**
 * struct option_spec - an option of a subcommand
 * @name: without the dashes; NULL ends the list
 * @letter: short form, or 0
 * @value: name of its value for messages, NULL if it takes none
 * @take: called when it is given; @text is its value or NULL.  Return: 0, or
 *        -1 if the value is wrong, after saying so
 */
struct option_spec {
	const char *name;
	char letter;
	const char *value;
	int (*take)(void *context, const char *text);
};

/**
 * struct arguments - what a subcommand was given
 * @command: its name
 * @help: its help
 * @options: its own options; --help and, unless @no_follow, --follow come on top
 * @shared: options that several subcommands have, which need no context; or NULL
 * @context: for them
 * @change: takes an argument that is neither option nor log, or NULL.  Return:
 *          1 taken, 0 not such an argument, -1 wrong, after saying so
 * @plain: what these arguments are for completion: "CHANGE", "ABILITY", "PROCESS", or NULL
 * @takes_command: a command to be recorded may follow after --, instead of a log
 * @path: out: the log
 * @program: out: that command, or NULL
 * @follow: out
 */
struct arguments {
	const char *command;
	const char *help;
	const struct option_spec *options;
	const struct option_spec *shared;
	void *context;
	int (*change)(void *context, const char *text);
	const char *plain;
	bool no_follow;
	bool takes_command;
	const char *path;
	char **program;
	bool follow;
};

/* Return: -1 to go on, else the exit status. */
int arguments_parse(struct arguments *arguments, int argc, char **argv);

/* For completion (completion/): asked in the place of reading arguments.  Return: the exit status. */
extern int (*arguments_asked)(const struct arguments *arguments);

/* The log that is read if none is named. */
extern const char default_log[];

/* A number up to @maximum in C's notation, else says what is wrong.  Return: 0 or -1. */
int parse_number(const char *option, const char *text, u64 maximum, u64 *number);

/* Writes what was printed, or says why not.  Return: the exit status. */
int print_end(void);

/* While a screen is shown, complaints are held back and written at its end. */
void complain_hold(bool on);

/* ---- run.c ---------------------------------------------------------------- */

/**
 * struct run - a pass over a log
 * @log: set by run_open()
 * @path: of the log
 * @follow: go on at its end
 * @command: of which the log is to tell, or NULL
 * @apart: what is printed is for programs, so the command's standard output goes to standard error
 * @exit_status: of that command
 * @entries: called for entries in a row, goes through them by run_each().
 *           Return: 0 or a negative errno, explained already
 * @damage: called for a damaged place in the place of a complaint, or NULL
 * @resumed: called where the log goes on at a group after damage, or NULL
 * @context: for them
 * @damages: out: damaged places
 * @lost: out: bytes that are left out there
 */
struct run {
	struct bcoslog *log;
	const char *path;
	bool follow;
	char **command;
	bool apart;
	int exit_status;
	int (*entries)(struct run *run, const struct bcoslog_batch *batch);
	void (*damage)(struct run *run, const struct bcoslog_error *error);
	void (*resumed)(struct run *run);
	void *context;
	u64 damages, lost;
};

/* recorder.c: parses options before the command.  Return: the number of arguments they have, or -1 after a complaint. */
int recorder_options(int argc, char **argv);

/*
 * Parses such an option after the command; @argv[1] is its value, unless that is part of it.
 * Return: as recorder_options(); 0: it is no such option.
 */
int recorder_option(char **argv);

/* Returns for how long BPF programs record, in ns; 0: no option says that. */
u64 recorder_time(void);

/* Without a log in the arguments, may a recorder be asked that keeps the log in its memory? Was it asked? */
extern bool recorder_asks, recorder_asked;
/* Is a recording read, and after it the running log? */
extern bool recorder_joined;

/* helper.c: replaces this program by its copy that may read the device. Returns if there is no such copy. */
void helper_read(void);
extern char **tool_arguments;

/* Open @path, or what the options choose.  Return: 0, or a negative errno, explained in @error. */
int recorder_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error);

/* Open the log and prepare for signals.  Return: 0, or after a complaint -1. */
int run_open(struct run *run, unsigned int flags);
/* Opens the log again, so that it ends now.  Return: as run_open(). */
int run_reopen(struct run *run);
/* record.c: records first, if the arguments ask for that.  Return: 0 or, after a complaint, an exit status. */
int run_record(struct run *run);
/* Passes over the log.  Return: the exit status. */
int run_log(struct run *run);
/* Writes the rest of the output and closes the log.  Return: @status, or a worse one. */
int run_close(struct run *run, int status);
/* Closes the log, so that a signal interrupts it no more. */
void run_shut(struct run *run);
/* Complains about a failed call on the log.  Return: EXIT_ENVIRONMENT. */
int run_failed(struct run *run);
/* Complains about damage of the log, and skips it.  Return: is there more of the log? */
bool run_damaged(struct run *run);
/* Reports at the end the damage that no complaint named. */
void run_damage_end(struct run *run);

/* The signal that told the program to end, or 0. */
extern volatile sig_atomic_t run_signal;
/* From now on SIGINT and SIGTERM set it, unless they are ignored. run_open() does that, too. */
void run_catch_signals(void);
/* The log has ended by that signal, and the rest of it is still shown. */
extern bool run_finishing;
/* A signal does not end the reading within a batch, since the rest of the batch would not be read again. */
extern bool run_whole_batches;

/*
 * A recording of this process ends with the process. Therefore the tool shows everything up to the time of the signal.
 * Return: true if a signal came and the recording has ended; the caller then shows the rest.
 */
bool run_stop_recording(struct run *run);

/* Is no more output wanted, or can none be written? */
static inline bool run_ends(void)
{
	return (run_signal && !run_finishing) || output.error;
}

/* For each entry of a batch, unless the program ends. */
#define run_each(entry, batch) \
	for ((entry) = (batch)->first; (entry) != (batch)->end && likely(run_whole_batches || !run_ends()); \
	     (entry) = bcoslog_after(entry))

/* ---- hold.c, notes.c ------------------------------------------------------ */

/* Times of the wall clock are shown, or asked for. */
extern bool wall_needed;
/* Like run->entries, but waits first for the log's statement of the wall clock, if that is needed. */
int hold_entries(struct run *run, const struct bcoslog_batch *batch);
/* No more entries come, so go on without the statement.  Return: as hold_entries(). */
int hold_end(struct run *run);

/* These count losses, and how often the reader was overtaken, and report both at the end. */
void note_entry(const struct bcos_entry *entry);
void notes_say(void);

/* ---- line.c, process.c, json.c -------------------------------------------- */

/* Prints an entry as a line of text, with the names from before it. */
void line_entry(const struct bcoslog_state *state, const struct bcos_entry *entry);
/* Applies the entry to the names.  Return: as bcoslog_state_apply(). */
int line_apply(struct bcoslog_state *state, const struct bcos_entry *entry);
/* Forgets all names. */
void line_forget(struct bcoslog_state *state);
/* `process 12 "name"`, as lines show a subject. */
void line_subject(const struct bcoslog_state *state, u16 type, u32 id);
/* Prints the waker by name, if the entry is a wake-up. */
void line_waker(const struct bcoslog_state *state, const struct bcos_entry *entry);

/* calls.c: the name of a function of Kernel API entries.  NULL: it has none. */
const char *call_name(u32 function);

/* `process 12 "name"`.  It is remembered until process_forget() gets an entry that changes it. */
void put_process(const struct bcoslog_state *state, u32 id);
void process_forget(const struct bcos_entry *entry);
void process_forget_all(void);

/* An entry as an object.  Return: 0 or -ENOMEM. */
int json_entry(const struct bcoslog_state *state, const struct bcos_entry *entry, u64 offset);

/* ---- page.c --------------------------------------------------------------- */

/* The page of explore, from its first byte to its end; empty if the program was built without. */
extern const char explorer_page[], explorer_page_end[];

/* ---- subcommands ---------------------------------------------------------- */

int cmd_cat(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_text(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_mask(int argc, char **argv);
int cmd_watch(int argc, char **argv);
int cmd_collect(int argc, char **argv);
int cmd_attach(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_complete(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_bridge(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_merge(int argc, char **argv);

int cmd_around(int argc, char **argv);
int cmd_cpu(int argc, char **argv);
int cmd_io(int argc, char **argv);
int cmd_latency(int argc, char **argv);
int cmd_offcpu(int argc, char **argv);
int cmd_power(int argc, char **argv);
int cmd_processes(int argc, char **argv);
int cmd_story(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_turns(int argc, char **argv);

/* status.c's other half: what a file can say without the device. */
int summary_run(struct run *run, bool json);

#endif
