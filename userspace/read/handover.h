/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How bcoslog-read hands the device over: its standard input is one end of a pair of Unix sockets (SOCK_SEQPACKET), into
 * which it sends one message, and then ends.
 */
#ifndef BCOSLOG_HANDOVER_H
#define BCOSLOG_HANDOVER_H

#define HANDOVER_PROGRAM "bcoslog-read"

/**
 * struct handover - the message
 * @error: 0, and the message carries a descriptor of the device that is open for reading (SCM_RIGHTS); else the errno
 *	with which the device could not be opened
 */
struct handover {
	int error;
};

#endif
