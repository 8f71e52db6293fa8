// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages of a service to systemd: see notify.h. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "notify.h"

/*
 * Sends one message. The socket is opened each time: messages are seconds apart, and a service manager that was
 * restarted is found so.
 */
static void notify_manager(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = path ? strlen(path) : 0;
	int fd;

	if (length < 2 || length >= sizeof(address.sun_path) || (path[0] != '/' && path[0] != '@'))
		return;
	memcpy(address.sun_path, path, length);
	/* "@" stands for the zero byte with which an abstract address begins. */
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&address,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
	close(fd);
}

void notify_ready(void)
{
	notify_manager("READY=1");
}

void notify_stopping(void)
{
	notify_manager("STOPPING=1");
}

/* Return: the microseconds after which the manager gives this process up, or 0 if no watchdog is set. */
static unsigned long long watchdog_period(void)
{
	const char *time = getenv("WATCHDOG_USEC"), *process = getenv("WATCHDOG_PID");

	if (!time || (process && strtoull(process, NULL, 10) != (unsigned long long)getpid()))
		return 0;
	return strtoull(time, NULL, 10);
}

void notify_alive(void)
{
	static unsigned long long said;
	unsigned long long limit = watchdog_period(), now;
	struct timespec time;

	if (!limit || clock_gettime(CLOCK_MONOTONIC, &time))
		return;
	now = (unsigned long long)time.tv_sec * 1000000 + (unsigned long long)time.tv_nsec / 1000;
	/*
	 * A message is due after a quarter of the period, and the next call may come another quarter later
	 * (notify_interval()). So at least two messages reach the manager in each period.
	 */
	if (said && now - said < limit / 4)
		return;
	said = now;
	notify_manager("WATCHDOG=1");
}

uint64_t notify_interval(void)
{
	return watchdog_period() * 1000 / 4;
}

void notify_status(const char *format, ...)
{
	char text[256] = "STATUS=";
	va_list args;

	va_start(args, format);
	vsnprintf(text + strlen(text), sizeof(text) - strlen(text), format, args);
	va_end(args);
	/* A second line would be another assignment. */
	text[strcspn(text, "\n")] = '\0';
	notify_manager(text);
}
