// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Shared libraries that only some commands need: see late.h. */
#include <dlfcn.h>
#include <errno.h>

#include "complain.h"
#include "late.h"

int late_open(const char *soname, const char *package, const char *feature, const char *const *names, size_t count,
	      void **pointers)
{
	void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
	size_t i;

	for (i = 0; library && i < count; i++) {
		pointers[i] = dlsym(library, names[i]);
		if (!pointers[i])
			break;
	}
	if (library && i == count)
		return 0;
	complain("%s needs the library %s (Debian: %s): %s", feature, soname, package, dlerror());
	if (library)
		dlclose(library);
	return -ENOSYS;
}
