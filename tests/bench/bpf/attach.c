// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Attaches one of the programs of switch.bpf.c until its standard input ends.
 *
 * usage: bench-bpf PROGRAM	(empty_switch, array_switch or ring_switch)
 *
 * The program says "ready" once it is attached. It answers each line on its standard input with the number of bytes
 * that the ring buffer has got since the start. It never reads the buffer, since a reader that is woken would be
 * measured with its own switches.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void fail_with(const char *text)
{
	fprintf(stderr, "bench-bpf: ");
	perror(text);
	exit(1);
}

/* Maps the page with the producer's position, which follows the consumer's page and cannot be written to. */
static const volatile unsigned long *producer_of(struct bpf_object *object)
{
	int fd = bpf_object__find_map_fd_by_name(object, "ring");
	long page = sysconf(_SC_PAGESIZE);
	void *memory = mmap(NULL, (size_t)page, PROT_READ, MAP_SHARED, fd, page);

	if (memory == MAP_FAILED)
		fail_with("mmap of the ring buffer");
	return memory;
}

int main(int argc, char **argv)
{
	const volatile unsigned long *producer;
	struct bpf_program *program, *wanted;
	struct bpf_object *object;
	char line[16];

	if (argc != 2)
		fail_with("usage: bench-bpf PROGRAM");
	object = bpf_object__open_file("/bcos/bench-switch.bpf.o", NULL);
	if (!object)
		fail_with("bench-switch.bpf.o");
	wanted = bpf_object__find_program_by_name(object, argv[1]);
	if (!wanted)
		fail_with(argv[1]);
	bpf_object__for_each_program(program, object)
		bpf_program__set_autoload(program, program == wanted);
	if (bpf_object__load(object) || !bpf_program__attach(wanted))
		fail_with("the kernel does not take the program");
	producer = producer_of(object);
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		printf("%lu\n", *producer);
		fflush(stdout);
	}
	return 0;
}
