// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Bad ioctls and random calls: each gets the errno that it deserves, and disturbs nobody.
 *
 * guest: cpus=2 rounds=3000:100000 debug-rounds=1000 timeout=60:300
 */
#include "badcall.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

/* ---- ioctls ------------------------------------------------------------------------- */

static const struct call {
	const char *name;
	unsigned long command;
	size_t flags, reserved;		/* offsets of what must be 0; reserved 0: there is none */
	uint32_t bytes;			/* what the second word must be, for the call to be good */
	bool out;
} calls[] = {
	{ "status", BCOS_IOC_STATUS, 0, 0, 0, true },
	{ "compaction", BCOS_IOC_COMPACTION, 0, 4, 0, true },
	{ "watermark", BCOS_IOC_WATERMARK, 0, 0, 1, false },
	{ "flush", BCOS_IOC_FLUSH, 0, 4, 0, true },
	{ "mask", BCOS_IOC_MASK, 0, 20, 0, true },
};

static unsigned long resize_command(unsigned long command, size_t size)
{
	return _IOC(_IOC_DIR(command), _IOC_TYPE(command), _IOC_NR(command), size);
}

static void *fill_argument(const struct call *call, void *at)
{
	memset(at, 0, _IOC_SIZE(call->command));
	memcpy((char *)at + 4, &call->bytes, sizeof(call->bytes));
	return at;
}

static void bad_ioctls(int fd, const struct call *call)
{
	size_t size = _IOC_SIZE(call->command), i;
	char memory[16384 + 8], *edge = half_page(), *last = edge + PAGE - size;
	unsigned long shorter = resize_command(call->command, size - 4),
		      longer = resize_command(call->command, size + 64);
	bool good;

	make_point(expect_error(ioctl(fd, call->command, NULL), EFAULT, "NULL") &
		   expect_error(ioctl(fd, call->command, -4096L), EFAULT, "a kernel address") &
		   expect_error(ioctl(fd, call->command, edge + PAGE), EFAULT, "memory that is not there") &
		   expect_error(ioctl(fd, call->command, fill_argument(call, last) + 4), EFAULT,
				"memory that is half there"),
		   "%s: bad memory is EFAULT", call->name);
	make_point(expect_error(ioctl(fd, call->command, fill_argument(call, last)), 0, "at the end of its page"),
		   "%s: and no byte too many is touched", call->name);
	for (i = 0, good = true; i < 8; i++)
		good &= expect_error(ioctl(fd, call->command, fill_argument(call, memory + i)), 0, "unaligned");
	make_point(good, "%s: any alignment will do", call->name);
	good = expect_error(ioctl(fd, shorter, fill_argument(call, memory)), EINVAL, "4 bytes less");
	good &= expect_error(ioctl(fd, resize_command(call->command, 0), memory), EINVAL, "size 0");
	good &= expect_error(ioctl(fd, resize_command(call->command, 0), NULL), EINVAL, "size 0, NULL");
	make_point(good, "%s: a structure that is too short is EINVAL", call->name);
	memset(memory, 0, sizeof(memory));
	good = expect_error(ioctl(fd, longer, fill_argument(call, memory)), 0, "64 zeros more");
	memset(memory, 0, sizeof(memory));
	good &= expect_error(ioctl(fd, resize_command(call->command, 16383), fill_argument(call, memory)), 0,
			     "the largest there can be");
	make_point(good, "%s: a longer one is accepted while the rest is zero", call->name);
	memset(memory, 0, sizeof(memory));
	fill_argument(call, memory);
	memory[size + 63] = 1;
	good = expect_error(ioctl(fd, longer, memory), E2BIG, "the last byte is 1");
	memory[size + 63] = 0;
	memory[size] = 1;
	good &= expect_error(ioctl(fd, longer, memory), E2BIG, "the first byte is 1");
	make_point(good, "%s: else it is E2BIG", call->name);
	for (i = 0, good = true; i < 32; i++) {
		uint32_t flag = 1u << i;

		memcpy((char *)fill_argument(call, memory) + call->flags, &flag, sizeof(flag));
		good &= expect_error(ioctl(fd, call->command, memory), EINVAL, "a flag");
		if (!call->reserved)
			continue;
		memcpy((char *)fill_argument(call, memory) + call->reserved, &flag, sizeof(flag));
		good &= expect_error(ioctl(fd, call->command, memory), EINVAL, "reserved");
	}
	make_point(good, "%s: unknown flags and what is reserved are EINVAL", call->name);
	if (call->out) {
		fill_argument(call, last);
		if (mprotect(edge, PAGE, PROT_READ))
			give_up("mprotect");
		make_point(expect_error(ioctl(fd, call->command, last), EFAULT, "read-only memory"),
			   "%s: nowhere to put the answer is EFAULT", call->name);
	}
	munmap(edge, PAGE);
}

static void unknown_ioctls(int fd)
{
	char memory[16384] = { 0 };
	unsigned int number;
	bool good = true;

	for (number = ARRAY_SIZE(calls); number < 256; number++)
		good &= expect_error(ioctl(fd, _IOWR(BCOS_IOC_MAGIC, number, struct bcos_flush), memory), ENOTTY,
				     "number");
	good &= expect_error(ioctl(fd, _IOWR('B', 0, struct bcos_status), memory), ENOTTY, "another device's");
	good &= expect_error(ioctl(fd, 0, memory), ENOTTY, "0");
	good &= expect_error(ioctl(fd, -1ul, memory), ENOTTY, "-1");
	good &= expect_error(ioctl(fd, 0x5401 /* TCGETS */, memory), ENOTTY, "a terminal's");
	make_point(good, "unknown ioctls are ENOTTY");
}

static void bad_values(int fd)
{
	struct bcos_watermark watermark = { .bytes = 0 };
	struct bcos_mask mask = { 0 };
	struct bcos_status status = status_of(fd);
	bool good;

	good = expect_error(ioctl(fd, BCOS_IOC_WATERMARK, &watermark), EINVAL, "0");
	watermark.bytes = (uint32_t)status.ring_size / 2 + 1;
	good &= expect_error(ioctl(fd, BCOS_IOC_WATERMARK, &watermark), EINVAL, "more than half the ring");
	watermark.bytes = (uint32_t)status.ring_size / 2;
	good &= expect_error(ioctl(fd, BCOS_IOC_WATERMARK, &watermark), 0, "half the ring");
	watermark.bytes = 1;
	good &= expect_error(ioctl(fd, BCOS_IOC_WATERMARK, &watermark), 0, "1");
	make_point(good, "a watermark is 1 to half the ring");
	mask.set = BCOS_CLASS_ALL + 1;
	good = expect_error(ioctl(fd, BCOS_IOC_MASK, &mask), EINVAL, "set");
	mask = (struct bcos_mask){ .clear = 0x80000000 };
	good &= expect_error(ioctl(fd, BCOS_IOC_MASK, &mask), EINVAL, "clear");
	make_point(good && status_of(fd).mask == status.mask, "unknown classes are EINVAL, and change nothing");
}

/* A compaction that could not be delivered is not acknowledged. */
static void bad_acknowledgement(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	const struct call *call = &calls[1];
	char *edge = half_page();
	bool good;

	compact_log(fd, 1);
	good = expect_error(ioctl(fd, call->command, NULL), EFAULT, "NULL");
	good &= expect_error(ioctl(fd, resize_command(call->command, 8), edge), EINVAL, "too short");
	memset(edge, 0xff, 8);
	good &= expect_error(ioctl(fd, call->command, edge), EINVAL, "flags");
	fill_argument(call, edge);
	if (mprotect(edge, PAGE, PROT_READ))
		give_up("mprotect");
	good &= expect_error(ioctl(fd, call->command, edge), EFAULT, "read-only memory");
	good &= (poll_log(fd, POLLPRI, 0) & POLLPRI) != 0;
	make_point(good && acknowledge_compaction(fd).count, "an acknowledgement that failed acknowledged nothing");
	munmap(edge, PAGE);
	close(fd);
}

/* ---- anything at all ----------------------------------------------------------------------------------- */

/* Two processes make random calls on one file each, while the log is written and read. */
static void do_anything(void *argument)
{
	unsigned int seed = (unsigned int)(uintptr_t)argument;
	int fd = open_log(O_RDWR | O_NONBLOCK), i, count = get_rounds(3000);
	char *edge = half_page();
	char *places[] = { NULL, edge, edge + PAGE - 3, edge + PAGE - 40, edge + PAGE, (char *)-5 };
	static char bytes[65536];
	unsigned long command;
	char *to;

	for (i = 0; i < count; i++) {
		to = rand_r(&seed) % 2 ? bytes : places[(unsigned int)rand_r(&seed) % ARRAY_SIZE(places)];
		switch (rand_r(&seed) % 4) {
		case 0:
			memset(bytes, rand_r(&seed) % 4 ? 0 : rand_r(&seed), 400);
			command = calls[(unsigned int)rand_r(&seed) % ARRAY_SIZE(calls)].command;
			if (rand_r(&seed) % 2)
				command = resize_command(command, (size_t)rand_r(&seed) % 400);
			ioctl(fd, command, to);
			break;
		case 1:
			lseek(fd, rand_r(&seed) % 3 - 1, rand_r(&seed) % 6);
			break;
		case 2:
			poll_log(fd, (short)rand_r(&seed), 0);
			break;
		default:
			if (read(fd, to, (size_t)rand_r(&seed) % 8192) < 0 && errno != EAGAIN && errno != EFAULT &&
			    errno != EMSGSIZE)
				give_up("read");
		}
	}
}

static void test_anything(void)
{
	uint32_t mask = status_of(-1).mask;
	struct switcher switcher = switcher_start(1);
	pid_t pid[2];
	struct log log;
	int failed = 0;
	int i;

	for (i = 0; i < 2; i++)
		pid[i] = spawn_bound(do_anything, (void *)(uintptr_t)(i + now_ns(CLOCK_REALTIME)));
	for (i = 0; i < 2; i++)
		failed += reap_child(pid[i], NULL) != 0;
	switcher_stop(&switcher);
	make_point(!failed, "two processes do at random whatever can be done");
	/* The calls may have turned classes off, which the note below shows. */
	log = log_snapshot();
	log_check(&log, "after that");
	log_free(&log);
	print_note("the mask was 0x%x, and is 0x%x", mask, status_of(-1).mask);
}

int main(void)
{
	struct log log;
	size_t i;
	int fd;

	load_module("ring_kb=256");
	fd = open_log(O_RDWR | O_NONBLOCK);
	compact_log(fd, 2);
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		bad_ioctls(fd, &calls[i]);
	unknown_ioctls(fd);
	bad_values(fd);
	bad_acknowledgement();
	close(fd);
	log = log_snapshot();
	log_check(&log, "after all this");
	log_free(&log);
	test_anything();
	unload_module();
	return finish_test();
}
