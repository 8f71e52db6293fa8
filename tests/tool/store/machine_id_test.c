// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The ID of a machine that has none of its own, which a recorded directory keeps, and names of hidden files. */
#include <sys/random.h>
#include <sys/syscall.h>

#include "made_system.h"
#include "descriptors.h"
#include "archive/archive.h"
#include "record/store/kept.h"
#include "record/store/machine.h"

/* ---- the machine, and calls that fail -------------------------------------------------------------------- */

static int own_error, lock_error, sync_error;
static const char *host;
static ssize_t random_size, write_size;
static u8 first_random;
static int directory;

int archive_this_machine(struct archive_machine *machine)
{
	memset(machine, 0, sizeof(*machine));
	strcpy(machine->host, host);
	if (!own_error)
		memset(machine->id, 0x77, sizeof(machine->id));
	return own_error;
}

/* It is one of the test, since its file needs all of the archive. */
void kept_word(char *to, size_t room, const char *text)
{
	snprintf(to, room, "%s", text);
	for (; *to; to++)
		if (*to == '/' || *to == ' ')
			*to = '_';
}

ssize_t getrandom(void *to, size_t size, unsigned int flags)
{
	size_t i;

	assert_int_equal(size, 16);
	assert_int_equal(flags, 0);
	for (i = 0; i < size; i++)
		((u8 *)to)[i] = (u8)(first_random + i);
	return random_size;
}

int lockf(int fd, int command, off_t size)
{
	assert_int_equal(command, F_LOCK);
	assert_int_equal(size, 0);
	return lock_error;
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t place)
{
	return write_size < 0 ? syscall(SYS_pwrite64, fd, from, size, place) : write_size;
}

int fdatasync(int fd)
{
	return sync_error;
}

static int begin_test(void **state)
{
	own_error = -ENOENT;
	lock_error = sync_error = 0;
	host = "a/b";
	random_size = 16;
	write_size = -1;
	first_random = 1;
	if (made_begin(state))
		return -1;
	directory = open(made_root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return directory < 0;
}

static int end_test(void **state)
{
	close(directory);
	return made_end(state);
}

#define KEPT "/.a_b.machine"

/* Asserts that the ID begins with this byte, as those of getrandom() do, or that it is all zeros. */
static void assert_learns(u8 first)
{
	unsigned int before = count_descriptors(), i;
	struct archive_machine machine;

	machine_learn(directory, &machine);
	assert_int_equal(count_descriptors(), before);
	assert_string_equal(machine.host, host);
	for (i = 0; i < 16; i++)
		assert_int_equal(machine.id[i], first ? first + i : 0);
}

static void assert_kept(const char *expected)
{
	char text[64];
	ssize_t size;
	int fd = open(made_path(KEPT), O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	size = read(fd, text, sizeof(text));
	close(fd);
	assert_int_equal(size, strlen(expected));
	assert_memory_equal(text, expected, size);
}

/* ---- names ----------------------------------------------------------------------------------------------- */

static void names_of_files(void **state)
{
	struct archive_machine machine = { .host = "a b" };
	char name[64];
	u8 i;

	machine_file(name, sizeof(name), &machine, "lock");
	assert_string_equal(name, ".a_b.lock");
	machine.host[0] = '\0';
	machine_file(name, sizeof(name), &machine, "machine");
	assert_string_equal(name, ".unnamed.machine");
	/* Machines may have one name, but not one ID. */
	for (i = 0; i < 16; i++)
		machine.id[i] = i + 1;
	machine_file(name, sizeof(name), &machine, "lock");
	assert_string_equal(name, ".01020304-0506-0708-090a-0b0c0d0e0f10.lock");
}

/* ---- IDs --------------------------------------------------------------------------------------------------- */

static void a_machine_with_an_id(void **state)
{
	struct archive_machine machine;

	own_error = 0;
	machine_learn(directory, &machine);
	assert_int_equal(machine.id[0], 0x77);
	assert_int_equal(machine.id[15], 0x77);
	assert_int_equal(access(made_path(KEPT), F_OK), -1);
	/* One whose ID cannot be read has none: it may well have one. */
	own_error = -EACCES;
	assert_learns(0);
	assert_int_equal(access(made_path(KEPT), F_OK), -1);
}

static void a_machine_without_one(void **state)
{
	mode_t mask = umask(0);
	struct stat status;

	assert_learns(1);
	umask(mask);
	assert_kept("01020304-0506-0708-090a-0b0c0d0e0f10\n");
	assert_int_equal(stat(made_path(KEPT), &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
	/* From then on it has that one. */
	first_random = 100;
	assert_learns(1);
	assert_kept("01020304-0506-0708-090a-0b0c0d0e0f10\n");
}

static void a_file_that_has_no_id(void **state)
{
	static const char *const texts[] = {
		"", "01020304-0506-0708-090a-0b0c0d0e0f1", "01020304-0506-0708-090a-0b0c0d0e0f1x\n",
	};
	size_t i;

	for (i = 0; i < 3; i++) {
		made_text(KEPT, texts[i]);
		assert_learns(1);
		assert_kept("01020304-0506-0708-090a-0b0c0d0e0f10\n");
	}
}

/* It has none if it could not be kept, since the next recorder would have another one. */
static void an_id_that_cannot_be_kept(void **state)
{
	int root = directory;

	random_size = 15;
	assert_learns(0);
	random_size = 16;
	write_size = 36;
	assert_learns(0);
	write_size = -1;
	sync_error = -1;
	assert_learns(0);
	sync_error = 0;
	lock_error = -1;
	assert_learns(0);
	lock_error = 0;
	directory = -1;
	assert_learns(0);
	directory = root;
	/* A link leads nowhere. */
	unlink(made_path(KEPT));
	assert_int_equal(symlink("elsewhere", made_path(KEPT)), 0);
	assert_learns(0);
	assert_int_equal(access(made_path("/elsewhere"), F_OK), -1);
}

#define machine_test(test) cmocka_unit_test_setup_teardown(test, begin_test, end_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		machine_test(names_of_files),
		machine_test(a_machine_with_an_id),
		machine_test(a_machine_without_one),
		machine_test(a_file_that_has_no_id),
		machine_test(an_id_that_cannot_be_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
