// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * An image is found in a dump of the memory that it lies in, whatever the dump's headers and the list of its pages claim,
 * and of a file that is one.
 */
#include <elf.h>

#include "archive/read/archive.h"
#include "image/gather.h"
#include "seen.h"

/* Write a dump: an ELF header, the program headers, and @bytes at @offset. */
static int write_dump(const Elf64_Phdr *part, u32 parts, u64 offset, const void *bytes, size_t size)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE, .e_version = EV_CURRENT, .e_phoff = sizeof(header), .e_ehsize = sizeof(header),
		.e_phentsize = sizeof(*part), .e_phnum = (Elf64_Half)parts,
	};
	int fd = memfd_create("dump", MFD_CLOEXEC);

	assert_int_equal(pwrite(fd, &header, sizeof(header), 0), sizeof(header));
	assert_int_equal(pwrite(fd, part, parts * sizeof(*part), sizeof(header)), parts * sizeof(*part));
	assert_int_equal(pwrite(fd, bytes, size, (off_t)offset), size);
	return fd;
}

/* A page with the magic at the end of the address space is searched once, not for ever. */
static void test_last_address(void **state)
{
	const Elf64_Phdr part = { .p_type = PT_LOAD, .p_offset = 4096, .p_paddr = -4096ull, .p_filesz = 4095 };
	char page[4096] = BCOS_IMAGE_MAGIC;
	struct bcoslog_error error;
	struct gathered gathered;
	int fd = write_dump(&part, 1, 4096, page, sizeof(page));

	(void)state;
	alarm(20);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), -EILSEQ);
	alarm(0);
	gather_free(&gathered);
	close(fd);
}

/* A piece inside another one, as that of the kernel's text, hides nothing of the memory after it. */
static void test_nested_piece(void **state)
{
	struct made_image *made = a_machine();
	struct gathered gathered;
	struct bcoslog_error error;
	Elf64_Phdr part[2];
	int fd;

	(void)state;
	made_list(made, 4096);
	made_end(made);
	part[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_offset = 8192, .p_paddr = 4096ull << 12, .p_filesz = made->size };
	/* A second look at four pages of it, which ends long before the first piece does. */
	part[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_offset = 8192 + 8 * 4096, .p_paddr = (4096ull + 8) << 12,
				.p_filesz = 4 * 4096 };
	fd = write_dump(part, 2, 8192, made->bytes, made->size);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), 0);
	assert_int_equal(gathered.size, made->size);
	assert_memory_equal(gathered.bytes, made->bytes, made->size);
	gather_free(&gathered);
	close(fd);
	made_free(made);
}

/*
 * Put two images into a dump, of which the second one was begun later. It lies behind the first, and its list tells the pages
 * of the first, which has the same; bit 0 of @damaged says that the first has no list, and bit 1 that the second has none.
 */
static int two_images(u32 damaged)
{
	struct made_image *made = a_machine();
	const Elf64_Phdr part = { .p_type = PT_LOAD, .p_offset = 4096, .p_paddr = 4096ull << 12, .p_filesz = 2 * made->size };
	u8 *two = malloc(2 * made->size);
	u64 list;
	int fd;

	made_list(made, 4096);
	list = made->header.list;
	made->header.wall = 1000;
	made->header.list = damaged & 1 ? 0 : list;
	made_end(made);
	memcpy(two, made->bytes, made->size);
	made->header.self += made->size / 4096;
	made->header.wall = 2000;
	made->header.list = damaged & 2 ? 0 : list;
	made_end(made);
	memcpy(two + made->size, made->bytes, made->size);
	fd = write_dump(&part, 1, 4096, two, 2 * made->size);
	free(two);
	made_free(made);
	return fd;
}

/* Of several images the one that was begun last counts, unless it is so damaged that an earlier one is more. */
static void test_several_images(void **state)
{
	struct bcoslog_error error;
	struct gathered gathered;
	u32 damaged;
	int fd, r;

	(void)state;
	for (damaged = 0; damaged < 4; damaged++) {
		fd = two_images(damaged);
		r = gather_image(&gathered, fd, "dump", &error);
		assert_int_equal(r, damaged == 3 ? -EBADMSG : 0);
		assert_int_equal(gathered.images, 2);
		assert_int_equal(gathered.passed, damaged == 2);
		gather_free(&gathered);
		close(fd);
	}
}

/* A dump of which the end is missing, as after a copy to a full disk, is read as far as it goes, and is known as one. */
static void test_cut_dump(void **state)
{
	struct made_image *made = a_machine();
	const Elf64_Phdr part[2] = {
		{ .p_type = PT_LOAD, .p_offset = 4096, .p_paddr = 4096ull << 12, .p_filesz = made->size + 8192 },
		{ .p_type = PT_LOAD, .p_offset = 4096 + made->size + 8192, .p_paddr = 1ull << 40, .p_filesz = 4096 },
	};
	struct bcoslog_error error;
	struct gathered gathered;
	int fd;

	(void)state;
	made_list(made, 4096);
	made_end(made);
	fd = write_dump(part, 2, 4096, made->bytes, made->size);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), 0);
	assert_int_equal(gathered.cut, 3 * 4096);
	assert_memory_equal(gathered.bytes, made->bytes, made->size);
	gather_free(&gathered);
	assert_int_equal(ftruncate(fd, (off_t)(4096 + 2 * 4096)), 0);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), 0);
	assert_int_equal(gathered.cut, made->size + 4096);
	gather_free(&gathered);
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), -EILSEQ);
	assert_non_null(strstr(error.text, "ends before its memory does"));
	gather_free(&gathered);
	close(fd);
	made_free(made);
}

static int want_no_more(void)
{
	return 1;
}

/* The search in a large dump ends when the program is told to end. */
static void test_no_patience(void **state)
{
	struct made_image *made = a_machine();
	const Elf64_Phdr part = { .p_type = PT_LOAD, .p_offset = 4096, .p_paddr = 4096ull << 12, .p_filesz = made->size };
	struct bcoslog_error error;
	struct gathered gathered;
	int fd;

	(void)state;
	made_list(made, 4096);
	made_end(made);
	fd = write_dump(&part, 1, 4096, made->bytes, made->size);
	archive_patience = want_no_more;
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), -EINTR);
	archive_patience = NULL;
	gather_free(&gathered);
	close(fd);
	made_free(made);
}

/* Headers that all claim the whole file would have it read once for each of them. */
static void test_claimed_twice(void **state)
{
	const Elf64_Phdr part[2] = {
		{ .p_type = PT_LOAD, .p_offset = 0, .p_paddr = 0, .p_filesz = 8192 },
		{ .p_type = PT_LOAD, .p_offset = 0, .p_paddr = 1 << 20, .p_filesz = 8192 },
	};
	char page[4096] = "";
	struct bcoslog_error error;
	struct gathered gathered;
	int fd = write_dump(part, 2, 4096, page, sizeof(page));

	(void)state;
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), -EBADMSG);
	assert_non_null(strstr(error.text, "more memory than the file has"));
	gather_free(&gathered);
	close(fd);
}

/* A list that names one page again and again makes no image that is larger than the file. */
static void test_repeated_page(void **state)
{
	struct made_image *made = a_machine();
	const Elf64_Phdr part = { .p_type = PT_LOAD, .p_offset = 4096, .p_paddr = 4096ull << 12, .p_filesz = 65536 };
	struct bcoslog_error error;
	struct gathered gathered;
	u64 *frame, page;
	int fd;

	(void)state;
	made_list(made, 4096);
	/* The file has 16 pages: those of the header and of the list are the first of them. */
	assert_true(made->header.section[BCOS_IMAGE_LIST].offset + made->header.section[BCOS_IMAGE_LIST].size <= 65536);
	frame = bcos_image_part(&made->header, made->bytes, BCOS_IMAGE_LIST);
	for (page = 16; page < 30; page++)
		frame[1 + page] = 4096;
	made_end(made);
	fd = write_dump(&part, 1, 4096, made->bytes, 65536);
	assert_int_equal(gather_image(&gathered, fd, "dump", &error), -EBADMSG);
	assert_non_null(strstr(error.text, "list of pages is damaged"));
	gather_free(&gathered);
	close(fd);
	made_free(made);
}

/* Of a file that begins with an image, no more is read than the image. */
static void test_image_alone(void **state)
{
	struct made_image *made = a_machine();
	struct bcoslog_error error;
	struct gathered gathered;
	int fd = memfd_create("image", MFD_CLOEXEC);

	(void)state;
	made_end(made);
	assert_int_equal(write(fd, made->bytes, made->size), made->size);
	assert_int_equal(ftruncate(fd, 64 << 20), 0);
	assert_int_equal(gather_image(&gathered, fd, "image", &error), 0);
	assert_int_equal(gathered.size, made->size);
	gather_free(&gathered);
	/* A header that is damaged tells no size: the rest is not read. */
	made->bytes[offsetof(struct bcos_image_header, pages)] ^= 1;
	assert_int_equal(pwrite(fd, made->bytes, 4096, 0), 4096);
	assert_int_equal(gather_image(&gathered, fd, "image", &error), 0);
	assert_true(gathered.size <= 4096);
	gather_free(&gathered);
	close(fd);
	made_free(made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_address),
		cmocka_unit_test(test_nested_piece),
		cmocka_unit_test(test_several_images),
		cmocka_unit_test(test_cut_dump),
		cmocka_unit_test(test_no_patience),
		cmocka_unit_test(test_claimed_twice),
		cmocka_unit_test(test_repeated_page),
		cmocka_unit_test(test_image_alone),
	};

	return cmocka_run_group_tests_name("gather", tests, NULL, NULL);
}
