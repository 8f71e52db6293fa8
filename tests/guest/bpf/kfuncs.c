// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * BPF programs put events into the module's log by each of its functions, also from where they must not.
 *
 * guest: cpus=2 timeout=90 engine=module
 *
 * A module that was built for headers without the kernel's type information has none, and says so.
 *
 * The oracle is what the programs were told to say, and what they got as an answer.
 */
#include "account.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#ifdef BCOSLOG_HAVE_BPF
#include <bpf/libbpf.h>

#include "kfuncs.skel.h"

static struct log everything;

static void take_everything(void)
{
	log_free(&everything);
	everything = log_take();
}

static const struct bcos_generic *find_said(uint16_t type, uint32_t source, uint32_t id, const char *text)
{
	const struct bcos_entry *entry = NULL;

	while ((entry = entry_find(&everything, entry, type, source)))
		if (((const struct bcos_generic *)entry)->event_id == id && strstr(entry_text(entry), text))
			break;
	return (const struct bcos_generic *)entry;
}

static uint32_t device_of(const char *name)
{
	const struct bcos_entry *entry = device_named(&everything, NULL, name);

	return entry ? entry->source : 0xFFFFFFFF;
}

static void send_packet(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) ||
	    sendto(fd, "x", 1, 0, (const struct sockaddr *)&to, sizeof(to)) != 1)
		give_up("a packet");
	close(fd);
}

static struct kfuncs *open_programs(void)
{
	struct kfuncs *programs = kfuncs__open();

	if (!programs)
		give_up("the programs");
	/* test_own_path() attaches this program. */
	bpf_program__set_autoattach(programs->progs.applied, false);
	if (kfuncs__load(programs) || kfuncs__attach(programs))
		give_up("the programs are not taken");
	return programs;
}

static void test_functions(struct kfuncs *programs)
{
	const struct bcos_generic *event;
	uint32_t pid = (uint32_t)getpid();

	memset(programs->bss->longest, 'x', sizeof(programs->bss->longest));
	programs->bss->call = SYS_getppid;
	programs->bss->wanted = (int)pid;
	pin_to(1);
	syscall(SYS_getppid);
	send_packet();
	programs->bss->wanted = 0;
	take_everything();
	event = find_said(BCOS_GENERIC_PROCESS, pid, 7, "from a BPF program");
	make_point(event && event->severity == 0x80 && !programs->data->process_result, "an event of the process (%d)",
		   programs->data->process_result);
	event = find_said(BCOS_GENERIC_CPU, 1, 0x80000008, "from a BPF program");
	make_point(event && event->severity == 0xFF && !programs->data->cpu_result, "an event of the CPU (%d)",
		   programs->data->cpu_result);
	make_point(programs->data->reserved_result == -EINVAL &&
		   !find_said(BCOS_GENERIC_CPU, 1, 8, "from a BPF program"),
		   "one of a CPU with a reserved ID is refused (%d)", programs->data->reserved_result);
	make_point(programs->data->long_result == -EMSGSIZE && !find_said(BCOS_GENERIC_PROCESS, pid, 7, "xxx"),
		   "one that is too long is refused (%d)", programs->data->long_result);
	event = find_said(BCOS_GENERIC_DEVICE, device_of("lo"), 0x80000009, "a packet");
	make_point(event && !programs->data->device_result, "an event of a network interface (%d)",
		   programs->data->device_result);
	log_check(&everything, "the log");
}

/* Each event that the log writer applies would make another one. */
static void test_own_path(struct kfuncs *programs)
{
	struct bcos_status before = status_of(-1), after;
	struct bpf_link *link = bpf_program__attach(programs->progs.applied);
	unsigned long long entered, refused;

	if (!link)
		give_up("fentry of the log writer");
	send_packet();
	take_everything();
	bpf_link__destroy(link);
	entered = programs->bss->entered;
	refused = programs->bss->refused;
	take_everything();
	after = status_of(-1);
	make_point(entered && refused == entered, "on the log's own path it is refused (%llu of %llu)", refused,
		   entered);
	make_point(after.lost[BCOS_LOST_NESTED] - before.lost[BCOS_LOST_NESTED] == refused, "and counted (%llu)",
		   (unsigned long long)(after.lost[BCOS_LOST_NESTED] - before.lost[BCOS_LOST_NESTED]));
	make_point(!find_said(BCOS_GENERIC_PROCESS, 0, 10, ""), "nothing of it is in the log");
}

static bool older_than_6_12(void)
{
	struct utsname name;
	int version, patch;

	return !uname(&name) && sscanf(name.release, "%d.%d", &version, &patch) == 2 && version == 6 && patch < 12;
}

static bool is_free(void)
{
	char text[20];

	return read_file("/sys/module/bcos_evlog/refcnt", text, sizeof(text)) > 0 && !atoi(text);
}

int main(void)
{
	struct kfuncs *programs;

	load_module("");
	if (access("/sys/kernel/btf/bcos_evlog", F_OK)) {
		make_point(older_than_6_12() || access("/sys/kernel/btf/vmlinux", F_OK),
			   "only headers of older kernels bring no type information, or the kernel has none");
		make_point(!run_program("/bin/sh", "-c",
					"dmesg | grep -q 'bcos_evlog: built without type information'", NULL),
			   "the module has no type information, and says so");
		unload_module();
		return finish_test();
	}
	programs = open_programs();
	test_functions(programs);
	test_own_path(programs);
	kfuncs__destroy(programs);
	/*
	 * Programs that call the module hold it, and the kernel frees them some time after their last descriptor is
	 * closed.
	 */
	WAIT_FOR(is_free());
	unload_module();
	return finish_test();
}
#else
int main(void)
{
	skip_all("these tests were built without libbpf");
}
#endif
