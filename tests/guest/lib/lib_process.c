// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Processes of a test: see lib.h. */
#include "lib.h"

#include <elf.h>
#include <sched.h>
#include <stdarg.h>

#define PROGRAM_BASE 0x400000

pid_t spawn_child(void (*body)(void *), void *argument)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		give_up("fork");
	if (pid)
		return pid;
	body(argument);
	_exit(0);
}

int reap_child(pid_t pid, struct rusage *usage)
{
	int status;

	while (wait4(pid, &status, 0, usage) != pid)
		if (errno != EINTR)
			give_up("wait4(%d)", pid);
	return status;
}

#ifdef __x86_64__
#define PROGRAM_MACHINE EM_X86_64
/* mov edi, [rsp] (argc); dec edi; mov eax, SYS_exit_group; syscall */
static const unsigned char program_text[] = { 0x8b, 0x3c, 0x24, 0xff, 0xcf, 0xb8,
					      0xe7, 0,	  0,	0,    0x0f, 0x05 };
#else
#define PROGRAM_MACHINE EM_AARCH64
/* ldr x0, [sp] (argc); sub x0, x0, #1; mov x8, #SYS_exit_group; svc #0 */
static const unsigned char program_text[] = { 0xe0, 0x03, 0x40, 0xf9, 0x00, 0x04, 0x00, 0xd1,
					      0xc8, 0x0b, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };
#endif

void make_program(const char *path)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Phdr segment;
		unsigned char text[sizeof(program_text)];
	} file = {
		.header = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				     ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC,
			.e_machine = PROGRAM_MACHINE,
			.e_version = EV_CURRENT,
			.e_entry = PROGRAM_BASE + sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr),
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
		},
		.segment = {
			.p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_vaddr = PROGRAM_BASE,
			.p_paddr = PROGRAM_BASE,
			.p_filesz = sizeof(file),
			.p_memsz = sizeof(file),
			.p_align = 4096,
		},
	};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	memcpy(file.text, program_text, sizeof(program_text));
	if (fd < 0 || write(fd, &file, sizeof(file)) != sizeof(file))
		give_up("%s", path);
	close(fd);
}

void become_program(const char *path, int arguments)
{
	char *argument[260] = { (char *)path };
	int i;

	for (i = 1; i <= arguments; i++)
		argument[i] = (char *)"x";
	execv(path, argument);
	_exit(127);
}

int run_program(const char *path, ...)
{
	char *argument[32];
	int count = 1;
	va_list list;
	pid_t pid;

	argument[0] = (char *)path;
	va_start(list, path);
	while (count < (int)ARRAY_SIZE(argument) && (argument[count] = va_arg(list, char *)))
		count++;
	va_end(list);
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		give_up("fork");
	if (!pid) {
		execv(path, argument);
		_exit(127);
	}
	return reap_child(pid, NULL);
}

uint32_t termination_of(int wait_status, bool user)
{
	if (WIFEXITED(wait_status))
		return (uint32_t)WEXITSTATUS(wait_status);
	return (user ? BCOS_STATUS_OWNER : BCOS_STATUS_KERNEL) + (uint32_t)WTERMSIG(wait_status);
}

bool pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

void sleep_off_cpu(useconds_t us)
{
	struct rusage before, now;

	if (getrusage(RUSAGE_SELF, &before))
		give_up("getrusage");
	do {
		usleep(us);
		if (getrusage(RUSAGE_SELF, &now))
			give_up("getrusage");
	} while (now.ru_nvcsw == before.ru_nvcsw);
}

void burn_cpu(uint64_t ns)
{
	uint64_t until = now_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	volatile unsigned int i;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		for (i = 0; i < 1000; i++)
			;
}

void *grow_memory(void *memory, size_t size)
{
	memory = realloc(memory, size);
	if (!memory)
		give_up("no memory for %zu bytes", size);
	return memory;
}

int count_cpus(void)
{
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
