/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The texts of events of classes who and exec, which programs read as well as people:
 *
 *	killed = "signal " number " code " number " from " ( "kernel" | "process " number " user " number [ name ] )
 *	parent = "parent " number [ name ]
 *	exec = "user " number " path " string [ " cgroup " string ] [ " arguments" { " " string } ]
 *	name = " \"" any characters, also quotes, as they are "\""	ends with the text
 *	string = "\"" { any character but " and \, or one of these behind a \ } "\"" [ "..." ]
 *
 * Numbers are decimal, without leading zeros.  Behind a string that was cut is "..."; of a cgroup it is the end that is
 * left, else the beginning, and if it is an argument there may have been more.  Names and strings are UTF-8; control
 * characters in them are for readers to escape.  bcoslog_who.h has what takes all that apart.
 */
#ifndef BCOS_CORE_WHO_TEXT_H
#define BCOS_CORE_WHO_TEXT_H

#include "model.h"

/* Room for any killed text. */
#define BCOS_KILLED_TEXT (88 + BCOS_NAME_MAX)

/**
 * bcos_killed_format() - who sent a signal
 * @text: BCOS_KILLED_TEXT bytes at least; not terminated
 * @sender: of a signal
 *
 * Return: bytes of text.
 */
size_t bcos_killed_format(char *text, const struct bcos_sender *sender);

/**
 * bcos_parent_format() - of whom a process was born
 * @text: BCOS_PARENT_TEXT bytes at least; not terminated
 * @id: the parent
 * @name: of it
 * @length: of @name, 0: it is not known
 *
 * Return: bytes of text.
 */
size_t bcos_parent_format(char *text, u32 id, const char *name, size_t length);

/**
 * bcos_exec_format() - what a process runs
 * @text: BCOS_RAW_TEXT bytes; not terminated
 * @program: what is known of it, any bytes
 * @flags: BCOS_RAW_*_CUT, BCOS_RAW_SECRET
 * @bytes: @program->length of them at most, where path, cgroup and arguments are
 * @room: how many there are
 *
 * Return: bytes of text.
 */
size_t bcos_exec_format(char *text, const struct bcos_raw_program *program, u16 flags, const char *bytes, size_t room);

#endif
