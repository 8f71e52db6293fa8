/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The machines that are asked by ssh. */
#ifndef BCOSLOG_HOSTS_H
#define BCOSLOG_HOSTS_H

#include "core/host/user.h"

/* Names of machines, each once. Zeros are none. */
struct hosts {
	char **names;
	size_t count, room;
};

/*
 * Can this be the name of a machine, as ssh takes it? One that begins with a dash would be an option of ssh.
 * Return: 0, or -1 after a complaint.
 */
int host_check(const char *name);

/**
 * hosts_read() - find out which machines are meant
 * @hosts: gets them, in their order
 * @text: a file with a name in each line, or else names and patterns with commas between. A pattern (with * or ?) is matched with the
 *	hosts that ~/.ssh/config names
 *
 * Return: 0, or -1 after a complaint. hosts_free() frees them in any case.
 */
int hosts_read(struct hosts *hosts, const char *text);
void hosts_free(struct hosts *hosts);

#endif
