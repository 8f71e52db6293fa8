// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The file of the module, as bcoslog doctor finds it by modules.dep: packed or not, with version, signature and key. */
#include <sys/wait.h>

#include "made_system.h"
#include "doctor/module_file.h"

#define MODULES "/lib/modules/6.12.0-test/"
#define SIGNATURE "~Module signature appended~\n"

static struct system made = { .root = made_root, .release = "6.12.0-test" };
static struct module_file file;

static void list_modules(const char *dependencies)
{
	made_text(MODULES "modules.dep", dependencies);
}

#define assert_found(expected_version, expected_signed, expected_signer) do { \
		memset(&file, 0xAA, sizeof(file)); \
		assert_true(module_file_find(&made, &file)); \
		assert_string_equal(file.version, expected_version); \
		assert_int_equal(file.is_signed, expected_signed); \
		assert_string_equal(file.signer, expected_signer); \
	} while (0)

static void assert_nowhere(void)
{
	memset(&file, 0xAA, sizeof(file));
	assert_false(module_file_find(&made, &file));
	assert_string_equal(file.version, "");
	assert_string_equal(file.signer, "");
	assert_int_equal(file.is_signed, SIGNED_UNKNOWN);
}

/* ---- where it is --------------------------------------------------------------------------- */

static void modules_dep_tells_where(void **state)
{
	/* Each of these names is as long as the module's, or has it somewhere. */
	static const char *const others[] = {
		"xbcos_evlog.ko:\n", "extra/bcos_evlog.kox:\n", "extra/bcos_evlog.k:\n", "bcos_evlog.ko/other.ko:\n",
		"other.ko: bcos_evlog.ko\n", "other.ko: extra/bcos_evlog.ko\n", "", "\n",
		"thirteen_1.ko:\n",
	};
	static const char *const names[] = { "bcos_evlog.ko", "updates/bcos_evlog.ko" };
	char line[128], name[128];
	size_t i;

	assert_nowhere();
	made_text(MODULES "bcos_evlog.ko", "");
	made_text(MODULES "extra/bcos_evlog.ko", "");
	made_text(MODULES "thirteen_1.ko", "");
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		list_modules(others[i]);
		assert_nowhere();
	}
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(name, sizeof(name), MODULES "%s", names[i]);
		made_text(name, "x");
		snprintf(line, sizeof(line), "a/b.ko: c.ko\n%s: d.ko\ne.ko:\n", names[i]);
		list_modules(line);
		assert_found("", SIGNED_NO, "");
		/* The last line may lack its end. */
		list_modules(names[i]);
		assert_found("", SIGNED_NO, "");
		unlink(made_path(name));
		assert_nowhere();
	}
	/* The first one is loaded. */
	made_text(MODULES "one/bcos_evlog.ko", "\0version=1");
	made_bytes(MODULES "one/bcos_evlog.ko", "\0version=1", 11);
	made_bytes(MODULES "two/bcos_evlog.ko", "\0version=2", 11);
	list_modules("one/bcos_evlog.ko:\ntwo/bcos_evlog.ko:\n");
	assert_found("1", SIGNED_NO, "");
	/* An empty file tells nothing. */
	made_text(MODULES "one/bcos_evlog.ko", "");
	assert_found("", SIGNED_UNKNOWN, "");
}

/* ---- the version ----------------------------------------------------------------------------- */

static void found_versions(void **state)
{
	static const char long_version[] = "\0version=0123456789012345678901234567890123456789012345678901234567890123456789";

	list_modules("bcos_evlog.ko:\n");
	made_bytes(MODULES "bcos_evlog.ko", "ELF\0srcversion=9\0versions=8\0version=0.1.0\0name=x\0", 49);
	assert_found("0.1.0", SIGNED_NO, "");
	made_bytes(MODULES "bcos_evlog.ko", "version=0.1.0", 14);
	assert_found("", SIGNED_NO, "");
	/* The file ends within it, or before it. */
	made_bytes(MODULES "bcos_evlog.ko", "\0version=12", 11);
	assert_found("12", SIGNED_NO, "");
	made_bytes(MODULES "bcos_evlog.ko", "\0version=12", 10);
	assert_found("1", SIGNED_NO, "");
	made_bytes(MODULES "bcos_evlog.ko", "\0version=12", 9);
	assert_found("", SIGNED_NO, "");
	/* 63 characters. */
	made_bytes(MODULES "bcos_evlog.ko", long_version, sizeof(long_version));
	assert_found("012345678901234567890123456789012345678901234567890123456789012", SIGNED_NO, "");
}

/* ---- the signature ---------------------------------------------------------------------------- */

static u8 module[20000];

/* Puts bytes at a place of the module. */
static size_t place_bytes(size_t at, const void *bytes, size_t size)
{
	memcpy(module + at, bytes, size);
	return at + size;
}

static size_t put_name(size_t at, u8 length, const char *name)
{
	at = place_bytes(at, "\x06\x03\x55\x04\x03\x0c", 6);
	module[at++] = length;
	return place_bytes(at, name, strlen(name));
}

static void found_signatures(void **state)
{
	size_t end;

	list_modules("bcos_evlog.ko:\n");
	made_bytes(MODULES "bcos_evlog.ko", SIGNATURE, 28);
	assert_found("", SIGNED_YES, "");
	made_bytes(MODULES "bcos_evlog.ko", SIGNATURE + 1, 27);
	assert_found("", SIGNED_NO, "");
	made_bytes(MODULES "bcos_evlog.ko", SIGNATURE "x", 29);
	assert_found("", SIGNED_NO, "");
	/* The last name is that of the key, as long as its length says. */
	memset(module, '.', sizeof(module));
	end = put_name(100, 5, "other");
	end = put_name(end, 4, "signer");
	end = place_bytes(end + 50, SIGNATURE, 28);
	made_bytes(MODULES "bcos_evlog.ko", module, end);
	assert_found("", SIGNED_YES, "sign");
	/* A module that is not signed has no key. */
	made_bytes(MODULES "bcos_evlog.ko", module, end - 1);
	assert_found("", SIGNED_NO, "");
}

/* It is looked for in the last 8192 bytes alone. */
static void a_name_too_far_ahead(void **state)
{
	list_modules("bcos_evlog.ko:\n");
	memset(module, '.', sizeof(module));
	put_name(20000 - 8192, 3, "key");
	place_bytes(20000 - 28, SIGNATURE, 28);
	made_bytes(MODULES "bcos_evlog.ko", module, 20000);
	assert_found("", SIGNED_YES, "key");
	memset(module, '.', sizeof(module));
	put_name(20000 - 8193, 3, "key");
	place_bytes(20000 - 28, SIGNATURE, 28);
	made_bytes(MODULES "bcos_evlog.ko", module, 20000);
	assert_found("", SIGNED_YES, "");
}

/* A length that is longer than the rest of the file, or than names may be, is none. */
static void names_of_keys_at_their_bounds(void **state)
{
	static char name[129];
	size_t end;

	list_modules("bcos_evlog.ko:\n");
	memset(name, 'n', sizeof(name) - 1);
	memset(module, 'n', sizeof(module));
	end = place_bytes(put_name(0, 127, "") + 200, SIGNATURE, 28);
	made_bytes(MODULES "bcos_evlog.ko", module, end);
	name[127] = '\0';
	assert_found("", SIGNED_YES, name);
	put_name(0, 128, "");
	made_bytes(MODULES "bcos_evlog.ko", module, end);
	assert_found("", SIGNED_YES, "");
	/* Up to the last byte of the file, which is a line feed. */
	end = place_bytes(put_name(0, 30, "ab"), SIGNATURE, 28);
	made_bytes(MODULES "bcos_evlog.ko", module, end);
	assert_found("", SIGNED_YES, "ab" SIGNATURE);
	put_name(0, 31, "ab");
	made_bytes(MODULES "bcos_evlog.ko", module, end);
	assert_found("", SIGNED_YES, "");
	put_name(0, 0, "");
	made_bytes(MODULES "bcos_evlog.ko", module, end);
	assert_found("", SIGNED_YES, "");
}

/* ---- packed ------------------------------------------------------------------------------------- */

/* A program in $PATH that adds its name and argument to what it reads, as one that unpacks would change it. */
static void made_unpacker(const char *name, const char *script)
{
	char path[128];

	snprintf(path, sizeof(path), "/path/%s", name);
	made_text(path, script);
	chmod(made_path(path), 0700);
}

static void packed_modules(void **state)
{
	static const struct {
		const char *name, *program;
	} kinds[] = { { "bcos_evlog.ko.xz", "xz" }, { "bcos_evlog.ko.zst", "zstd" }, { "bcos_evlog.ko.gz", "gzip" } };
	char name[64], script[256], expected[64], *path = strdup(getenv("PATH"));
	size_t i;

	setenv("PATH", made_path("/path"), 1);
	for (i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), MODULES "%s", kinds[i].name);
		made_text(name, "packed");
		list_modules(kinds[i].name);
		/* Without the program, nothing is known of it; with another one neither. */
		assert_found("", SIGNED_UNKNOWN, "");
		snprintf(script, sizeof(script),
			"#!/bin/sh\nread -r word\nprintf '\\0version=%%s %%s by %%s\\0' \"$1\" \"$word\" %s\n"
			 "echo unheard >&2\n", kinds[i].program);
		made_unpacker(kinds[i].program, script);
		snprintf(expected, sizeof(expected), "-dc packed by %s", kinds[i].program);
		assert_complains("", module_file_find(&made, &file));
		assert_found(expected, SIGNED_NO, "");
		/* It may have unpacked nothing. */
		made_unpacker(kinds[i].program, "#!/bin/sh\n");
		assert_found("", SIGNED_UNKNOWN, "");
		/* One that fails unpacks nothing, whatever it has printed. */
		snprintf(script, sizeof(script), "#!/bin/sh\nprintf '\\0version=1\\0'\nexit 1\n");
		made_unpacker(kinds[i].program, script);
		assert_found("", SIGNED_UNKNOWN, "");
		snprintf(script, sizeof(script), "#!/bin/sh\nprintf '\\0version=1\\0'\nkill -9 $$\n");
		made_unpacker(kinds[i].program, script);
		assert_found("", SIGNED_UNKNOWN, "");
	}
	/* A suffix that is none of these is not packed. */
	made_bytes(MODULES "bcos_evlog.ko.lz", "\0version=5", 11);
	list_modules("bcos_evlog.ko.lz");
	assert_found("5", SIGNED_NO, "");
	setenv("PATH", path, 1);
	free(path);
}

/* A module is read up to 64 MiB, and the program that unpacks more of it ends. */
static void a_module_without_end(void **state)
{
	char *path = strdup(getenv("PATH"));

	setenv("PATH", made_path("/path"), 1);
	made_text(MODULES "bcos_evlog.ko.xz", "packed");
	list_modules("bcos_evlog.ko.xz");
	made_unpacker("xz", "#!/bin/sh\nPATH=/bin:/usr/bin\nexec cat /dev/zero\n");
	assert_found("", SIGNED_UNKNOWN, "");
	setenv("PATH", path, 1);
	free(path);
}

/* Neither descriptors nor processes stay. */
static void nothing_stays(void **state)
{
	char *path = strdup(getenv("PATH"));
	int before = dup(STDIN_FILENO), after;

	close(before);
	setenv("PATH", made_path("/path"), 1);
	made_text(MODULES "bcos_evlog.ko.xz", "packed");
	list_modules("bcos_evlog.ko.xz");
	assert_found("", SIGNED_UNKNOWN, "");
	made_unpacker("xz", "#!/bin/sh\necho x\n");
	assert_found("", SIGNED_NO, "");
	after = dup(STDIN_FILENO);
	close(after);
	assert_int_equal(before, after);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	setenv("PATH", path, 1);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		made_test(modules_dep_tells_where),
		made_test(found_versions),
		made_test(found_signatures),
		made_test(a_name_too_far_ahead),
		made_test(names_of_keys_at_their_bounds),
		made_test(packed_modules),
		made_test(a_module_without_end),
		made_test(nothing_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
