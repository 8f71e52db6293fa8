/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Declarations that the subcommands share: arguments, the loop over a log, exit statuses. */
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
 * @name: the long form without the dashes; NULL ends the list
 * @letter: the short form, or 0
 * @value: the name of the option's value in messages; NULL if the option takes no value
 * @take: called when the option is given; @text is the option's value or NULL.
 *        Return: 0, or -1 after a complaint that the value is wrong
 */
struct option_spec {
	const char *name;
	char letter;
	const char *value;
	int (*take)(void *context, const char *text);
};

/**
 * struct arguments - the arguments of a subcommand
 * @command: the name of the subcommand
 * @help: the help of the subcommand
 * @options: the options that only this subcommand has; --help and, unless @no_follow, --follow are added to them
 * @shared: options that several subcommands have, which need no context; or NULL
 * @context: passed to the callbacks of @options, and to @change
 * @change: takes an argument that is neither an option nor a log; or NULL.
 *          Return: 1 if it takes @text, 0 if @text is no such argument, -1 after a complaint that @text is wrong
 * @plain: the kind of the arguments that @change takes, for completion: "CHANGE", "ABILITY", "PROCESS", or NULL
 * @no_follow: the subcommand has no option --follow
 * @takes_command: a command to be recorded may follow after --, instead of a log
 * @path: out: the log
 * @program: out: the command to be recorded and its arguments, or NULL
 * @follow: out: --follow was given
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

/* Parses the command line of a subcommand.  Return: -1 if the subcommand goes on, else its exit status. */
int arguments_parse(struct arguments *arguments, int argc, char **argv);

/* Completion (completion/) sets this: arguments_parse() calls it and parses nothing.  Return: the exit status. */
extern int (*arguments_asked)(const struct arguments *arguments);

/* The path of the log that a subcommand reads if its arguments name none. */
extern const char default_log[];

/* Parses a number from 0 to @maximum in C's notation.  Return: 0, or -1 after a complaint about @option. */
int parse_number(const char *option, const char *text, u64 maximum, u64 *number);

/* Flushes standard output, and complains if that fails.  Return: the exit status. */
int print_end(void);

/* Holds complaints back while a screen is shown (@on), and writes them when the screen has ended. */
void complain_hold(bool on);

/* ---- run.c ---------------------------------------------------------------- */

/**
 * struct run - a pass over a log
 * @log: the open log; run_open() sets it
 * @path: the path of the log
 * @follow: wait for new entries at the end of the log
 * @command: a command and its arguments: the pass runs it and shows the log of that time; or NULL
 * @apart: the output is for programs, so the command's standard output goes to standard error
 * @exit_status: out: the exit status of @command
 * @entries: called for each batch of entries, which it goes through by run_each().
 *           Return: 0, or a negative errno after a complaint
 * @damage: called for each damaged place, where run_damaged() would complain otherwise; or NULL
 * @resumed: called where the log goes on at a group after damage, or NULL
 * @context: belongs to the callbacks
 * @damages: out: number of damaged places
 * @lost: out: number of bytes that are left out at damaged places
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

/*
 * recorder.c: parses the recorder's options, which stand before the name of the subcommand.
 * Return: the number of arguments that the options take, or -1 after a complaint.
 */
int recorder_options(int argc, char **argv);

/*
 * Parses a recorder's option that stands after the name of the subcommand. The option's value is @argv[1], unless
 * @argv[0] contains it after "=".
 * Return: the number of arguments that the option takes, 0 if @argv[0] is no such option, or -1 after a complaint.
 */
int recorder_option(char **argv);

/* Return: for how long BPF programs record, in ns, or 0 if --for was not given. */
u64 recorder_time(void);

/*
 * recorder_asks: if the arguments name no log, recorder_open() may ask a running bcoslog record for the log that it
 * keeps in its memory. recorder_asked: it has asked, and reads that log.
 */
extern bool recorder_asks, recorder_asked;
/* The tool reads a recording, and after it the running log. */
extern bool recorder_joined;

/* helper.c: replaces this program by its copy that may read the device. Returns if this user can run no such copy. */
void helper_read(void);
/* The whole command line of the tool, for helper_read(). */
extern char **tool_arguments;

/*
 * Opens the log @path. If @path is default_log, the recorder's options choose the log.
 * Return: 0, or a negative errno, which @error explains.
 */
int recorder_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error);

/* Catches signals and opens the log; @flags are those of bcoslog_open().  Return: 0, or -1 after a complaint. */
int run_open(struct run *run, unsigned int flags);
/* Opens the log again, so that the pass ends with the entries of now.  Return: 0, or -1 after a complaint. */
int run_reopen(struct run *run);
/* record.c: records first, if the arguments ask for that.  Return: 0, or an exit status after a complaint. */
int run_record(struct run *run);
/* Passes over the log.  Return: the exit status. */
int run_log(struct run *run);
/*
 * Writes the rest of the output and closes the log.
 * Return: @status, if it is not 0; else 128 plus the signal that ended the pass, or the exit status of @run's command;
 * EXIT_ENVIRONMENT if the output cannot be written.
 */
int run_close(struct run *run, int status);
/* Closes the log, which the handler of signals then no longer interrupts. */
void run_shut(struct run *run);
/* Complains about a failed call on the log.  Return: EXIT_ENVIRONMENT. */
int run_failed(struct run *run);
/* Complains about the damaged place at which the log is, and skips it.  Return: whether the log has more entries. */
bool run_damaged(struct run *run);
/* Reports at the end the damage that no complaint named. */
void run_damage_end(struct run *run);

/* The signal that told the program to end, or 0. */
extern volatile sig_atomic_t run_signal;
/* Has SIGINT and SIGTERM set run_signal, unless the caller of the program ignores them. run_open() calls this, too. */
void run_catch_signals(void);
/* The signal has ended the recording only, and the program still shows the rest of the log. */
extern bool run_finishing;
/* A signal does not end the reading within a batch, since the rest of the batch would not be read again. */
extern bool run_whole_batches;

/*
 * Stops the recording by BPF programs of this process if a signal came. The log is lost when the process ends, so the
 * tool shows all entries up to the signal.
 * Return: true if it has stopped the recording; the caller then shows the rest of the log.
 */
bool run_stop_recording(struct run *run);

/* Return: whether the pass ends, since a signal asks for it or the output cannot be written. */
static inline bool run_ends(void)
{
	return (run_signal && !run_finishing) || output.error;
}

/* Loops over the entries of a batch, and stops early if the program is to end. */
#define run_each(entry, batch) \
	for ((entry) = (batch)->first; (entry) != (batch)->end && likely(run_whole_batches || !run_ends()); \
	     (entry) = bcoslog_after(entry))

/* ---- hold.c, notes.c ------------------------------------------------------ */

/* Times of the wall clock are shown, or an option names one. */
extern bool wall_needed;
/* Passes entries on to run->entries; while wall_needed, only once the log has stated the wall clock. */
int hold_entries(struct run *run, const struct bcoslog_batch *batch);
/* Passes on the entries that are held, since no more come.  Return: as hold_entries(). */
int hold_end(struct run *run);

/* Counts stated losses, gaps of a recording, and how often the reader was overtaken. notes_say() complains of them. */
void note_entry(const struct bcos_entry *entry);
void notes_say(void);

/* ---- line.c, process.c, json.c -------------------------------------------- */

/* Prints an entry as a line of text; @state holds the names from before the entry. */
void line_entry(const struct bcoslog_state *state, const struct bcos_entry *entry);
/* Applies the entry to @state.  Return: as bcoslog_state_apply(). */
int line_apply(struct bcoslog_state *state, const struct bcos_entry *entry);
/* Forgets all names, where the log goes on after damage. */
void line_forget(struct bcoslog_state *state);
/* Prints the subject of an entry, as `process 12 "name"`. */
void line_subject(const struct bcoslog_state *state, u16 type, u32 id);
/* Prints the name of the waker, if the entry is a wake-up. */
void line_waker(const struct bcoslog_state *state, const struct bcos_entry *entry);

/* calls.c.  Return: the name of a function of Kernel API entries, or NULL if it has none. */
const char *call_name(u32 function);

/*
 * Prints `process 12 "name"`. The text is cached until process_forget() gets an entry that changes it, or
 * process_forget_all() is called.
 */
void put_process(const struct bcoslog_state *state, u32 id);
void process_forget(const struct bcos_entry *entry);
void process_forget_all(void);

/* Prints an entry as a JSON object; @offset is that of the entry in the log.  Return: 0 or -ENOMEM. */
int json_entry(const struct bcoslog_state *state, const struct bcos_entry *entry, u64 offset);

/* ---- explorer_page.c ------------------------------------------------------ */

/* The page of bcoslog explore, from its first byte to its end. The page is empty if the build had none. */
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

/* summary.c: bcoslog status of a log that is not the device.  Return: the exit status. */
int summary_run(struct run *run, bool json);

#endif
