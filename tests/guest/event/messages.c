// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Messages of another module and of programs are in the log as they were put. Collectors in the kernel get them, and
 * messages of other events, with the return values that they are promised. sample.kmod does what the test tells it.
 *
 * guest: cpus=2 timeout=120 also=6.1-rt
 */
#include "device.h"

#include <stdarg.h>
#include <sys/ioctl.h>

#include "bcos_message.h"

#define PARAMETERS "/sys/module/sample/parameters/"

static struct log everything;

static void take_everything(void)
{
	log_free(&everything);
	everything = log_take();
}

/* Runs a command of the sample. Return: its result, which is valid until the next call. */
static const char *run_sample(const char *command, ...)
{
	static char result[2000];
	char text[80];
	va_list arguments;
	ssize_t length;

	va_start(arguments, command);
	vsnprintf(text, sizeof(text), command, arguments);
	va_end(arguments);
	if (!write_file(PARAMETERS "run", "%s", text))
		give_up("sample: %s", text);
	length = read_file(PARAMETERS "result", result, sizeof(result));
	if (length <= 0)
		give_up("result of the sample");
	result[length - 1] = 0;
	return result;
}

struct told {
	unsigned int returned, id, dropped, words[3];
};

/* Returns the next message of the collector, for which @command asks. */
static struct told read_message(const char *command)
{
	struct told told = { 0 };
	unsigned int size;

	sscanf(run_sample(command), "%u %u %u %u: %x %x %x", &told.returned, &size, &told.id, &told.dropped,
	       &told.words[0], &told.words[1], &told.words[2]);
	return told;
}

static void check_gives(const char *expected, const char *what, const char *found)
{
	if (!make_point(!strcmp(found, expected), "%s", what))
		print_note("\"%s\" instead of \"%s\"", found, expected);
}

/* Returns the next message of this ID in the log, or NULL. */
static const struct bcos_generic *message_find(const struct bcos_generic *after, uint32_t id)
{
	const struct bcos_entry *entry = after ? &after->header : NULL;

	while ((entry = entry_find(&everything, entry, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL)))
		if (((const struct bcos_generic *)entry)->event_id == (BCOS_EVENT_MESSAGE | id))
			break;
	return (const struct bcos_generic *)entry;
}

static void is_message(const struct bcos_generic *message, const char *text, const char *what)
{
	const char *found = message ? entry_text(&message->header) : "(none)";

	if (!make_point(message && message->severity == BCOS_SEVERITY_INFO && !strcmp(found, text), "%s", what))
		print_note("\"%s\" instead of \"%s\"", found, text);
}

/* ---- putting -------------------------------------------------------------------------- */

static void test_put(void)
{
	char most[9 * BCOS_MESSAGE_WORDS_MAX];
	int i, length = 0;

	check_gives("0", "put", run_sample("put 7 3"));
	check_gives("0", "put from an interrupt", run_sample("irq 8 1"));
	check_gives("0", "put the time", run_sample("timed 9"));
	check_gives("0", "put as much as can be", run_sample("put 10 113"));
	check_gives("0", "put with the largest ID", run_sample("put 0x3fffffff 1"));
	check_gives("-90", "put too much", run_sample("put 10 114"));
	check_gives("-22", "put nothing", run_sample("put 10 0"));
	check_gives("-22", "put without ID", run_sample("put 0 1"));
	check_gives("-22", "put with too large an ID", run_sample("put 0x40000000 1"));
	take_everything();
	is_message(message_find(NULL, 7), "00070000 00070001 00070002", "it is in the log");
	is_message(message_find(NULL, 8), "00080000", "that of the interrupt too");
	is_message(message_find(NULL, 9), "time", "and that of the time");
	for (i = 0; i < BCOS_MESSAGE_WORDS_MAX; i++)
		length += snprintf(most + length, sizeof(most) - (size_t)length, "%s000a00%02x", i ? " " : "", i);
	is_message(message_find(NULL, 10), most, "and the longest");
	make_point(!message_find(message_find(NULL, 10), 10), "and nothing of those that were refused");
	log_check(&everything, "the log with messages");
}

static void test_masks(void)
{
	check_gives("1", "at first every message must be logged", run_sample("must 7"));
	check_gives("2147483712", "the mask is what was set", run_sample("mask 0x80000040"));
	check_gives("1", "of ID 7 bit 6", run_sample("must 7"));
	check_gives("0", "of ID 8 bit 7", run_sample("must 8"));
	check_gives("1", "of ID 32 bit 31", run_sample("must 32"));
	check_gives("1", "and of every ID above", run_sample("must 0x3fffffff"));
	check_gives("0", "of no ID none", run_sample("must 0"));
	check_gives("0", "put does not look at the mask", run_sample("put 11 1"));
	if (!write_file("/sys/module/bcos_evlog/parameters/message_mask", "0x80"))
		give_up("message_mask");
	check_gives("1", "the parameter is the same mask", run_sample("must 8"));
	if (write_file("/sys/module/bcos_evlog/parameters/message_mask", "-1") || errno != EINVAL)
		give_up("message_mask=-1 was accepted");
	take_everything();
	make_point(message_find(NULL, 11), "so it is in the log");

	if (!write_file("/sys/module/bcos_evlog/parameters/mask", "assign"))
		give_up("mask");
	check_gives("0", "with the class off nothing must be logged", run_sample("must 8"));
	check_gives("0", "and what is put", run_sample("put 12 1"));
	if (!write_file("/sys/module/bcos_evlog/parameters/mask", "assign,user"))
		give_up("mask");
	take_everything();
	make_point(!message_find(NULL, 12), "is not recorded");
	run_sample("mask 0xffffffff");
}

#ifdef __x86_64__

static int nmis_seen(void)
{
	int seen, returned;

	if (sscanf(run_sample("nmi 13 1"), "%d %d", &seen, &returned) != 2)
		give_up("nmi");
	return seen;
}

static void test_nmi(void)
{
	struct bcos_status status;
	struct told first;
	int seen = nmis_seen(), returned;
	uint64_t stated = 0;
	const char *text;

	if (run_program("/bin/host-request", "nmi", NULL))
		give_up("host-request nmi");
	WAIT_FOR(nmis_seen() > seen);
	sscanf(run_sample("nmi 0 0"), "%d %d", &seen, &returned);
	make_point(returned == -EPERM, "put in NMI is refused");
	take_everything();
	status = status_of(-1);
	make_point(status.lost[BCOS_LOST_NMI] == (uint64_t)seen, "and counted: %d", seen);
	for_each_entry(entry, &everything) {
		if (entry->type != BCOS_GENERIC_CPU ||
		    ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_LOSS)
			continue;
		text = entry_text(entry);
		if (strstr(text, "non-maskable"))
			stated += strtoull(text + strlen("lost "), NULL, 10);
	}
	make_point(stated == (uint64_t)seen, "and stated in the log");
	make_point(!message_find(NULL, 13), "and not recorded");
	run_sample("register 0");
	run_sample("masks 0x40 0");
	run_sample("put 7 1");
	while ((first = read_message("get 3")).id && !first.dropped)
		;
	make_point(first.dropped == (uint32_t)seen, "and a collector learns of it");
	run_sample("unregister");
	log_check(&everything, "the log after NMIs");
}

#endif

/* ---- collecting ------------------------------------------------------------------------ */

/* Passes over the messages so far, and sets the masks for later ones. */
static void listen_to(const char *masks)
{
	run_sample("masks 0 0");
	run_sample("get 113");
	run_sample("masks %s", masks);
}

static void test_get(void)
{
	check_gives("0", "a collector registers", run_sample("register 0"));
	check_gives("0 113 0 0:", "its masks are 0, so it is told nothing", run_sample("get 113"));
	check_gives("40 f", "its masks are its own", run_sample("masks 0x40 0xf"));
	check_gives("0 113 0 0:", "there is nothing yet", run_sample("get 113"));
	run_sample("put 7 3");
	run_sample("put 8 1");
	check_gives("-90 3 0 0:", "a message that does not fit stays, and its size is told", run_sample("get 2"));
	check_gives("3 3 7 0: 70000 70001 70002", "and is got with room for it", run_sample("get 3"));
	check_gives("0 3 0 0:", "there is no other, since ID 8 is not in the mask", run_sample("get 3"));
	check_gives("0 3 0 0:", "waiting for one for a while is in vain", run_sample("timeout 3 50"));
	run_sample("put 7 1");
	check_gives("1 1 7 0: 70000", "waiting gets what is there", run_sample("wait 3"));
	run_sample("put 7 2");
	check_gives("2 2 7 0: 70000 70001", "with a time limit too", run_sample("timeout 3 50"));
}

static void wait_for_message(void *argument)
{
	struct told first = read_message("wait 3");

	_exit(first.id == 7 && first.words[0] == 42 ? 0 : 1);
}

static bool sleeps_in_log(pid_t pid)
{
	char path[40], place[80];

	snprintf(path, sizeof(path), "/proc/%d/wchan", pid);
	return read_file(path, place, sizeof(place)) > 0 && strstr(place, "bcos_");
}

/* A program puts a message while the collector waits for one. */
static void test_wait(void)
{
	struct bcos_emit emit = {
		.type = BCOS_GENERIC_PROCESS, .event_id = BCOS_EVENT_MESSAGE | 7, .severity = BCOS_SEVERITY_INFO,
		.length = 8, .text = "0000002a",
	};
	int fd = open_log(O_WRONLY);
	pid_t pid;

	listen_to("0x40 0");
	pid = spawn_child(wait_for_message, NULL);
	WAIT_FOR(sleeps_in_log(pid));
	if (ioctl(fd, BCOS_IOC_EMIT, &emit))
		give_up("emit");
	make_point(reap_child(pid, NULL) == 0, "who waits gets a message that a program puts meanwhile");
	close(fd);
}

static void test_timer(void)
{
	uint64_t before = now_ns(CLOCK_BOOTTIME), after;
	struct told plain, slow;

	listen_to("0x100 0");
	run_sample("timed 9");
	after = now_ns(CLOCK_BOOTTIME);
	plain = read_message("get 3");
	make_point(plain.id == 9 && plain.words[0] - (uint32_t)before <= (uint32_t)(after - before),
		   "the time of a message is in ns");
	run_sample("timer 1");
	before = now_ns(CLOCK_BOOTTIME);
	run_sample("timed 9");
	after = now_ns(CLOCK_BOOTTIME);
	slow = read_message("get 3");
	make_point(slow.id == 9 &&
		   slow.words[0] - (uint32_t)(before >> 10) <= (uint32_t)((after >> 10) - (before >> 10)),
		   "or by the collector's timer");
	take_everything();
	make_point(message_find(NULL, 9), "which the log does not know of");
	run_sample("timer 0");
}

/*
 * Do the messages until now have a switch to this process? Asking makes more of them, so a message of ID 7 marks the
 * end.
 */
static bool sees_switch_to(uint32_t process)
{
	struct told message;
	bool seen = false;

	run_sample("put 7 1");
	while ((message = read_message("wait 3")).id != 7)
		seen |= message.id == BCOS_MESSAGE_SWITCH && message.words[1] == process;
	return seen;
}

static void burn_some(void *argument)
{
	burn_cpu(1000000);
}

/* Does the log have an assignment of a CPU to this process since a time? */
static bool is_assigned(pid_t pid, uint64_t since)
{
	for_each_entry(entry, &everything)
		if (entry->type == BCOS_ASSIGN_CPU && entry->time >= since && entry_word(entry) == (uint32_t)pid)
			return true;
	return false;
}

/* The collector is first this process, which writes the sample's commands, and then a thread of the kernel. */
static void test_own_switches(void)
{
	uint64_t since;
	pid_t other;

	listen_to("0x41 0");
	other = spawn_child(burn_some, NULL);
	reap_child(other, NULL);
	make_point(sees_switch_to((uint32_t)other), "a collector is told of switches");
	since = now_ns(CLOCK_BOOTTIME);
	sleep_off_cpu(1000);
	make_point(!sees_switch_to((uint32_t)getpid()), "but not of its own");
	take_everything();
	make_point(is_assigned(getpid(), since), "which the log has");
	check_gives("0", "a collector ends", run_sample("unregister"));
	check_gives("0", "a thread of the kernel collects", run_sample("register 1"));
	listen_to("0x41 0");
	sleep_off_cpu(1000);
	make_point(sees_switch_to((uint32_t)getpid()), "it is told of our switches");
	listen_to("0x41 0");
	sleep_off_cpu(1000);
	make_point(!sees_switch_to(BCOS_PROCESS_KERNEL), "but not of the kernel's");
	run_sample("unregister");
}

int main(void)
{
	load_module("mask=assign,user");
	load_other("sample", "");
	test_put();
	test_masks();
	test_get();
	test_wait();
	test_timer();
	test_own_switches();
#ifdef __x86_64__
	test_nmi();
#else
	skip_point("this board sends no non-maskable interrupt", "put in NMI is refused");
#endif
	make_point(try_unload() == -EBUSY || try_unload() == -EWOULDBLOCK,
		   "while another module uses it, it cannot be unloaded");
	unload_other("sample");
	unload_module();
	return finish_test();
}
