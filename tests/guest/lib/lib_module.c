// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The module, its device and its status: see lib.h. */
#include "lib.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>

#define MODULE "/bcos/bcos_evlog.ko"

int try_load(const char *parameters)
{
	int fd = open(MODULE, O_RDONLY | O_CLOEXEC), error;

	if (fd < 0)
		give_up("open " MODULE);
	error = syscall(SYS_finit_module, fd, parameters ? parameters : "", 0) ? -errno : 0;
	close(fd);
	return error;
}

int try_unload(void)
{
	return syscall(SYS_delete_module, "bcos_evlog", O_NONBLOCK) ? -errno : 0;
}

bool by_engine(void)
{
	const char *engine = getenv("ENGINE");

	return engine && !strncmp(engine, "bpf", 3);
}

void load_module(const char *parameters)
{
	int error;

	if (by_engine() && !recording_begin)
		skip_all("these tests were built without the BPF engine");
	if (by_engine()) {
		recording_begin(parameters);
		return;
	}
	error = try_load(parameters);
	errno = -error;
	if (error)
		give_up("insmod " MODULE " %s", parameters ? parameters : "");
	/* devtmpfs has made the node before insmod returns. */
	if (access(BCOS_DEVICE_PATH, F_OK))
		give_up(BCOS_DEVICE_PATH);
}

void unload_module(void)
{
	int error;

	if (by_engine()) {
		recording_end();
		return;
	}
	error = try_unload();
	if (!make_point(!error, "the module is unloaded"))
		print_note("delete_module: %s", strerror(-error));
}

bool is_gone(void)
{
	static char modules[65536], symbols[256];

	if (read_file("/proc/modules", modules, sizeof(modules)) < 0)
		give_up("/proc/modules");
	return !strstr(modules, "bcos_evlog") && access(BCOS_DEVICE_PATH, F_OK) &&
	       access("/sys/module/bcos_evlog", F_OK) && read_file("/sys/class/misc/bcos_evlog/dev", symbols, 256) < 0;
}

int open_log(int flags)
{
	int fd;

	if (by_engine())
		return recording_open();
	fd = open(BCOS_DEVICE_PATH, flags | O_CLOEXEC);
	if (fd < 0)
		give_up("open " BCOS_DEVICE_PATH);
	return fd;
}

struct bcos_status status_of(int fd)
{
	struct bcos_status status = { 0 };
	int own;

	if (by_engine()) {
		recording_status(&status);
		return status;
	}
	own = fd < 0 ? open_log(O_RDONLY | O_NONBLOCK) : fd;
	if (ioctl(own, BCOS_IOC_STATUS, &status))
		give_up("BCOS_IOC_STATUS");
	if (fd < 0)
		close(own);
	return status;
}
