// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ends the kernel, and looks afterwards at what of its log has survived.
 *
 *	crash make MARKS HOW	writes marks with numbers into the log, and ends the kernel 10 ms later: HOW is "panic",
 *				"nmi" (a panic there), "probe", "writer" or "twice"
 *				(where calamity.kmod makes it panic), "reset" (nobody is told), "reboot", or "outside": the
 *				machine is reset at a random moment while the marks are written
 *	crash look MARKS HOW	reads the image of the former boot, and judges it
 *	crash which		prints the HOW that the former boot ended by, of "reset" and "outside"
 *	crash again ROUNDS	succeeds if the machine has ended fewer times than that
 *	crash map		maps the log that is being written, as the library does, and looks at each page
 *
 * What an image must have follows from the marks: each is an entry of the log, or a record in a staging ring between
 * the place where the writer's last pass ended and that where the seal, or a walk over the records, says that it ends.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#ifdef __x86_64__
#include <sys/io.h>
#endif
#include <sys/mman.h>
#include <sys/reboot.h>
#include <unistd.h>
#include "core/image/image.h"

static u32 marks;
static u8 *seen;

static int write_text(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);
	ssize_t n = file < 0 ? -1 : write(file, text, strlen(text));

	if (file >= 0)
		close(file);
	return n == (ssize_t)strlen(text) ? 0 : 1;
}

/* ---- what the machine remembers over a reset: bytes of its clock that nobody uses ---- */

enum { ENDS = 0x70, WRITTEN = 0x71 };

/* WRITTEN counts marks in this unit, so that a byte suffices: no reset comes amid one. */
#define UNIT 16

#ifdef __x86_64__
static u32 recall(u32 place)
{
	if (ioperm(0x70, 2, 1))
		exit(2);
	outb((unsigned char)place, 0x70);
	return inb(0x71);
}

static void remember(u32 place, u32 byte)
{
	if (ioperm(0x70, 2, 1))
		exit(2);
	outb((unsigned char)place, 0x70);
	outb((unsigned char)byte, 0x71);
}
#else
static u32 recall(u32 place)
{
	return place & 0;
}

static void remember(u32 place, u32 byte)
{
	(void)place, (void)byte;
}
#endif

/* The former boot ended by sysrq if it was the first one. */
static const char *which_end(void)
{
	return recall(ENDS) > 1 ? "outside" : "reset";
}

/* A child lets QEMU reset the machine, after up to half a second. */
static void reset_from_outside(void)
{
	u32 delay = 0;
	int file = open("/dev/urandom", O_RDONLY);

	if (file < 0 || read(file, &delay, sizeof(delay)) != sizeof(delay))
		exit(1);
	close(file);
	printf("# a reset in %u us\n", delay % 500000);
	fflush(stdout);
	if (fork())
		return;
	usleep(delay % 500000);
	exit(system("host-request system_reset"));
}

static bool is_calamity(const char *how)
{
	return !strcmp(how, "probe") || !strcmp(how, "writer") || !strcmp(how, "twice");
}

static int make_end(const char *how)
{
	bool outside = !strcmp(how, "outside");
	char text[64];
	u32 i;

	remember(WRITTEN, 0);
	remember(ENDS, outside ? recall(ENDS) + 1 : 1);
	if (outside)
		reset_from_outside();
	for (i = 0; i < marks; i++) {
		snprintf(text, sizeof(text), "crash mark %u.", i);
		if (write_text("/dev/bcos_evlog", text)) {
			perror("a mark");
			return 1;
		}
		if ((i + 1) % UNIT)
			continue;
		if (outside)
			remember(WRITTEN, (i + 1) / UNIT);
		usleep(1000);
	}
	usleep(10000);
	if (outside)
		return 0;
	if (!strcmp(how, "panic"))
		return write_text("/proc/sysrq-trigger", "c");
	if (!strcmp(how, "nmi"))
		return write_text("/proc/sys/kernel/unknown_nmi_panic", "1") || system("host-request nmi");
	if (is_calamity(how))
		return write_text("/sys/module/calamity/parameters/go", "1") ||
		       system("dd if=/dev/bcos_evlog of=/dev/null bs=65536 2>/dev/null");
	if (!strcmp(how, "reset"))
		return write_text("/proc/sysrq-trigger", "b");
	return reboot(RB_AUTOBOOT);
}

/* ---- the look ---------------------------------------------------------------------------- */

static u8 *read_image(size_t *size)
{
	static const size_t most = 256u << 20;
	u8 *bytes = aligned_alloc(64, most);
	int file = open(BCOS_IMAGE_PATH, O_RDWR);
	ssize_t n;

	*size = 0;
	if (file < 0 || !bytes) {
		perror(BCOS_IMAGE_PATH);
		exit(1);
	}
	while (*size < most && (n = read(file, bytes + *size, most - *size)) > 0)
		*size += (size_t)n;
	close(file);
	return bytes;
}

/* Notes the mark in a text, if it has one. */
static void note_mark(const char *text, size_t length)
{
	char copy[64] = { 0 };
	u32 number;

	memcpy(copy, text, length < sizeof(copy) - 1 ? length : sizeof(copy) - 1);
	if (sscanf(copy, "crash mark %u.", &number) == 1 && number < marks)
		seen[number]++;
}

/* Walks over the entries of the log. Returns false where one has a size that none can have. */
static bool walk_log(const struct bcos_image *image, u32 *entries)
{
	u64 at = image->marks.oldest.offset, size = image->header->ring_size;
	static u8 entry[65536 + 8];
	u32 length, i;

	for (*entries = 0; at < image->marks.head.offset; at += length) {
		length = image->ring[at % size] | (u32)image->ring[(at + 1) % size] << 8;
		if (length < 20 || length % 4 || length > 4096)
			return false;
		for (i = 0; i < length; i++)
			entry[i] = image->ring[(at + i) % size];
		entry[length] = 0;
		if ((entry[2] | entry[3] << 8) == BCOS_GENERIC_PROCESS)
			note_mark((char *)entry + BCOS_GENERIC_TEXT, length - BCOS_GENERIC_TEXT);
		(*entries)++;
	}
	return at == image->marks.head.offset;
}

/*
 * Walks over the records of a ring up to @head, or to where their times fall. Returns false if a record before @head
 * cannot be one.
 */
static bool walk_ring(const struct bcos_unit *ring, u64 units, u64 tail, u64 head, bool sealed, u64 *end)
{
	u64 time = 0;
	char text[BCOS_RAW_TEXT + 16];
	const struct bcos_raw *raw;
	u64 at, i;

	for (at = tail; !sealed || at < head; at += raw->units) {
		raw = (const struct bcos_raw *)&ring[at % units];
		if (!raw->units || raw->units > BCOS_RAW_UNITS_MAX || !raw->kind || raw->kind >= BCOS_RAW_KINDS ||
		    raw->time < time || at - tail >= units)
			break;
		time = raw->time;
		if (raw->kind != BCOS_RAW_EVENT && raw->kind != BCOS_RAW_KMSG)
			continue;
		for (i = 2; i < raw->units; i++)
			memcpy(text + (i - 2) * 16, &ring[(at + i) % units], 16);
		text[(raw->units - 2u) * 16] = 0;
		note_mark(text, strlen(text));
	}
	*end = at;
	return !sealed || at == head;
}

static bool walk_rings(const struct bcos_image *image)
{
	const struct bcos_image_source *source;
	const struct bcos_unit *ring;
	bool right = true, fits;
	u64 units, end;
	u32 i;

	for (i = 0; i < image->header->stages; i++) {
		source = &image->pass->source[i];
		ring = bcos_image_ring(image, i, &units);
		if (!ring)
			continue;
		fits = walk_ring(ring, units, source->tail, image->seal ? image->seal->head[i].head : 0, image->seal,
				 &end);
		printf("# stage %u: %llu units from %llu on: %s\n", i, (unsigned long long)(end - source->tail),
		       (unsigned long long)source->tail, fits ? "right" : "WRONG");
		right &= fits;
	}
	return right;
}

static int points, failures;

static void judge(bool right, const char *what)
{
	printf("%sok %d - %s\n", right ? "" : "not ", ++points, what);
	failures += !right;
}

static void judge_end(const struct bcos_image *image, const char *how)
{
	const char *reason = is_calamity(how) ? "calamity" : !strcmp(how, "nmi") ? "NMI" : "sysrq";
	bool panic = is_calamity(how) || !strcmp(how, "nmi") || !strcmp(how, "panic");
	u64 state = !strcmp(how, "reset") || !strcmp(how, "outside") ? BCOS_IMAGE_RUNNING : panic ? BCOS_IMAGE_SEALED : BCOS_IMAGE_CLEAN;

	judge(image->header->state == state, "it says how it ended");
	judge(!!image->seal == (state != BCOS_IMAGE_RUNNING), "it is sealed, if anybody was told");
	if (image->seal)
		printf("# kind %u, reason \"%s\", CPU %u, online %u, %llu ns after the last pass\n", image->seal->kind,
		       image->seal->reason, image->seal->cpu, image->seal->online,
		       (unsigned long long)(image->seal->time - image->pass->time));
	if (!panic)
		return;
	if (!strcmp(how, "probe"))
		judge(image->seal && image->seal->head[0].mark, "the CPU was in the middle of a record");
	judge(image->seal && strstr(image->seal->reason, reason), "it has the panic's reason");
	judge(image->kmsg && strstr(image->kmsg->text, "Kernel panic"), "and the kernel's words about it");
}

/* Of a machine that was reset while it wrote marks, those up to the last one that is there count, and all that it remembers. */
static bool has_all_marks(const char *how)
{
	u32 i, missing = 0, doubled = 0, written = UNIT * recall(WRITTEN);

	if (!strcmp(how, "outside")) {
		while (marks > written && !seen[marks - 1])
			marks--;
		printf("# at least %u marks were written\n", written);
	}
	for (i = 0; i < marks; i++) {
		missing += !seen[i];
		doubled += seen[i] > 1;
	}
	printf("# of %u marks %u are missing and %u doubled\n", marks, missing, doubled);
	return !missing && !doubled;
}

static bool release_image(void)
{
	struct bcos_image_release release = { .reserved = 1 };
	int file = open(BCOS_IMAGE_PATH, O_RDWR);
	char byte;
	bool right;

	right = ioctl(file, BCOS_IOC_IMAGE_RELEASE, &release) < 0 && !access(BCOS_IMAGE_PATH, F_OK);
	/* Who writes nothing releases nothing. */
	right &= !write(file, "", 0) && !access(BCOS_IMAGE_PATH, F_OK);
	release.reserved = 0;
	right &= !ioctl(file, BCOS_IOC_IMAGE_RELEASE, &release) && access(BCOS_IMAGE_PATH, F_OK);
	/* Who has it open still has it. */
	right &= read(file, &byte, 1) == 1 && (u8)byte == 0x89;
	close(file);
	return right;
}

static int look_at(const char *how)
{
	enum bcos_image_fault fault;
	struct bcos_image image;
	u32 entries = 0;
	size_t size;
	u8 *bytes = read_image(&size);

	fault = bcos_image_check(bytes, size, &image);
	printf("# %zu bytes: the image %s\n", size, bcos_image_fault_text(fault));
	judge(!fault, "the image of the former boot is right");
	if (fault)
		return 1;
	judge(image.pass && image.devices, "it has a pass and its devices");
	if (!image.pass)
		return 1;
	printf("# pass %llu, %u devices and lines, missing %u\n", (unsigned long long)image.pass->sequence,
	       image.devices ? image.devices->count : 0, image.devices ? image.devices->missing : 0);
	judge_end(&image, how);
	judge(walk_log(&image, &entries) && entries, "the log has whole entries");
	printf("# %u entries\n", entries);
	judge(walk_rings(&image), "the staging rings have whole records up to the seal");
	judge(has_all_marks(how), "each mark is there once");
	judge(release_image(), "the image goes when it is released, and not by a wrong call");
	printf("1..%d\n", points);
	return failures != 0;
}

/* Is the mapping the control page, then the data, and then the same data again? */
static int look_at_mapping(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size;
	int file = open("/dev/bcos_evlog", O_RDONLY);
	const struct bcos_control *control = mmap(NULL, page, PROT_READ, MAP_SHARED, file, 0);
	const u8 *data;

	if (file < 0 || control == MAP_FAILED || control->abi_version != BCOS_ABI_VERSION)
		return 1;
	size = control->data + 2 * control->ring_size;
	data = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
	if (data == MAP_FAILED)
		return 1;
	data += control->data;
	/* The log begins with a group, and while it is read it may grow elsewhere. */
	return !data[0] || memcmp(data, data + control->ring_size, 256) || munmap((void *)(data - control->data), size);
}

int main(int count, char **argument)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (count == 2 && !strcmp(argument[1], "map"))
		return look_at_mapping();
	if (count == 2 && !strcmp(argument[1], "which"))
		return puts(which_end()) == EOF;
	if (count == 3 && !strcmp(argument[1], "again"))
		return recall(ENDS) >= (u32)atoi(argument[2]);
	if (count != 4)
		return 2;
	marks = (u32)atoi(argument[2]);
	seen = calloc(marks + 1, 1);
	return !strcmp(argument[1], "make") ? make_end(argument[3]) : look_at(argument[3]);
}
