/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Texts of the events of the classes "who" and "exec", for programs as well as people:
 *
 *	killed = "signal " number " code " number " from "
 *		 ( "kernel" | "process " number " user " number [ name ] )
 *	parent = "parent " number [ name ]
 *	exec = "user " number " path " string [ " cgroup " string ] [ " arguments" { " " string } ]
 *	cgroup = "cgroup " [ "cpu " ] string [ " read" ]
 *	name = " \"" any characters, also quotes, as they are "\""	ends with the text
 *	string = "\"" { any character but " and \, or one of these after a \ } "\"" [ "..." ]
 *
 * Numbers are decimal, without leading zeros. "..." follows a string that was cut. A cut cgroup has
 * its end, a cut path or argument its beginning; after a cut argument there may have been more
 * arguments. Names and strings are UTF-8; readers must escape control characters in them.
 *
 * The log writer uses the formatters, and readers of the log use the parsers, which take any bytes.
 */
#ifndef BCOS_CORE_WHO_TEXT_H
#define BCOS_CORE_WHO_TEXT_H

#include "core/raw/raw.h"
#include "entry.h"

/* The sender of a signal, by which the receiver may die. */
struct bcos_sender {
	u32 number;			/* number of the signal; 0: unused */
	s32 code;			/* si_code of siginfo */
	u32 id;				/* sender; BCOS_PROCESS_KERNEL: the kernel itself */
	u32 user;
	u8 name_length;			/* 0: unknown */
	char name[BCOS_NAME_MAX];	/* name of the sender at that time */
};

/*
 * What a "killed" text says. @name is a part of the text; NULL: unknown. @process is
 * BCOS_PROCESS_KERNEL and @user is 0 for the kernel.
 */
struct bcos_killed {
	u32 signal;
	s32 code;
	u32 process;
	u32 user;
	const char *name;
	size_t name_length;
};

/* What a "parent" text says. @name is a part of the text; NULL: unknown. */
struct bcos_parent {
	u32 process;
	const char *name;
	size_t name_length;
};

/*
 * What an "exec" text says. All strings end with a zero byte; @cgroup is NULL if it is unknown.
 * @told: the text has the arguments, @count of them, one after another at @arguments. *_cut, and
 * @cut for the arguments: a part of it is missing.
 */
struct bcos_exec {
	u32 user;
	bool path_cut, cgroup_cut, told, cut;
	const char *path, *cgroup, *arguments;
	u32 count;
};

/*
 * What a "cgroup" text says. @path ends with a zero byte. @cpu: it is of version 1's hierarchy of
 * the controller cpu. @read: the log writer read it, at most the entry's precision later.
 */
struct bcos_in_cgroup {
	bool cpu, cut, read;
	const char *path;
};

/* Room for any "killed" text, in bytes. */
#define BCOS_KILLED_TEXT (88 + BCOS_NAME_MAX)

/* The longest "parent" text, in bytes. */
#define BCOS_PARENT_TEXT (sizeof("parent 4294967295 \"\"") - 1 + BCOS_NAME_MAX)

/* Room for any "cgroup" text, in bytes: each byte of a path may become three. */
#define BCOS_CGROUP_TEXT (sizeof("cgroup cpu \"\"... read") + 3 * BCOS_RAW_PATH_MAX)

/**
 * bcos_killed_format() - write who sent a signal
 * @text: at least BCOS_KILLED_TEXT bytes; not zero-terminated
 * @sender: of a signal
 *
 * Context: any.
 * Return: bytes of text.
 */
size_t bcos_killed_format(char *text, const struct bcos_sender *sender);

/**
 * bcos_parent_format() - write the parent of a process
 * @text: at least BCOS_PARENT_TEXT bytes; not zero-terminated
 * @id: process ID of the parent
 * @name: of the parent
 * @length: bytes of @name; 0: unknown
 *
 * Context: any.
 * Return: bytes of text.
 */
size_t bcos_parent_format(char *text, u32 id, const char *name, size_t length);

/**
 * bcos_exec_format() - write which program a process runs
 * @text: BCOS_RAW_TEXT bytes; not zero-terminated
 * @program: as in a PROGRAM record; any content
 * @flags: BCOS_RAW_*_CUT, BCOS_RAW_SECRET
 * @bytes: path, cgroup and arguments; at most @program->length bytes are used
 * @room: bytes at @bytes
 *
 * Context: any.
 * Return: bytes of text.
 */
size_t bcos_exec_format(char *text, const struct bcos_raw_program *program, u16 flags,
			const char *bytes, size_t room);

/**
 * bcos_cgroup_format() - write in which control group a process is
 * @text: at least BCOS_CGROUP_TEXT bytes; not zero-terminated
 * @path: any bytes
 * @length: bytes of @path; at most BCOS_RAW_PATH_MAX are used
 * @flags: BCOS_RAW_CGROUP_CUT, BCOS_RAW_CGROUP_CPU
 * @read: the log writer read this itself
 *
 * Context: any.
 * Return: bytes of text.
 */
size_t bcos_cgroup_format(char *text, const char *path, size_t length, u16 flags, bool read);

/**
 * bcos_cgroup_parse() - read in which control group a process is
 * @told: out: what the text says; undefined if it is malformed
 * @room: at least @length bytes for the path
 * @text: any bytes
 * @length: number of @text
 *
 * Context: any.
 * Return: true; false if the text is malformed.
 */
bool bcos_cgroup_parse(struct bcos_in_cgroup *told, char *room, const char *text, size_t length);

/* These read what bcos_killed_format() and bcos_parent_format() write. */
bool bcos_killed_parse(struct bcos_killed *killed, const char *text, size_t length);
bool bcos_parent_parse(struct bcos_parent *parent, const char *text, size_t length);

/**
 * bcos_exec_parse() - read which program a process runs
 * @exec: out: what the text says; undefined if it is malformed
 * @room: at least @length bytes for the strings
 * @text: any bytes
 * @length: number of @text
 *
 * Context: any.
 * Return: true; false if the text is malformed.
 */
bool bcos_exec_parse(struct bcos_exec *exec, char *room, const char *text, size_t length);

#endif
