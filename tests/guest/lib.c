// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the guest tests share: see lib.h. */
#include "lib.h"

#include <elf.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define MODULE "/bcos/bcos_evlog.ko"
#define SLACK 4096
#define PROGRAM_BASE 0x400000

/* ---- points --------------------------------------------------------------- */

static int points, failures;

bool ok(bool good, const char *text, ...)
{
	va_list list;

	points++;
	failures += !good;
	printf("%sok %d - ", good ? "" : "not ", points);
	va_start(list, text);
	vprintf(text, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
	return good;
}

void skip(const char *reason, const char *text, ...)
{
	va_list list;

	points++;
	printf("ok %d - ", points);
	va_start(list, text);
	vprintf(text, list);
	va_end(list);
	printf(" # SKIP %s\n", reason);
	fflush(stdout);
}

void note(const char *text, ...)
{
	va_list list;

	printf("# ");
	va_start(list, text);
	vprintf(text, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
}

int finish(void)
{
	printf("1..%d\n", points);
	fflush(stdout);
	return failures ? 1 : 0;
}

void skip_all(const char *reason, ...)
{
	va_list list;

	va_start(list, reason);
	vprintf(reason, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
	_exit(77);
}

void die(const char *text, ...)
{
	int error = errno;
	va_list list;

	printf("Bail out! ");
	va_start(list, text);
	vprintf(text, list);
	va_end(list);
	printf(error ? ": %s\n" : "\n", strerror(error));
	fflush(stdout);
	_exit(1);
}

int rounds(int otherwise)
{
	const char *value = getenv("ROUNDS");

	return value && atoi(value) > 0 ? atoi(value) : otherwise;
}

bool full(void)
{
	const char *value = getenv("FULL");

	return value && !strcmp(value, "1");
}

/* ---- waiting for things ---------------------------------------------------- */

uint64_t patience(void)
{
	const char *slow = getenv("SLOW");
	uint64_t times = slow ? strtoull(slow, NULL, 10) : 1;

	return 60000000000u * (times ? times : 1);
}

uint64_t now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* ---- processes ------------------------------------------------------------- */

pid_t spawn(void (*body)(void *), void *argument)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
	body(argument);
	_exit(0);
}

int reap(pid_t pid, struct rusage *usage)
{
	int status;

	while (wait4(pid, &status, 0, usage) != pid)
		if (errno != EINTR)
			die("wait4(%d)", pid);
	return status;
}

/* mov edi, [rsp] (argc); dec edi; mov eax, SYS_exit_group; syscall */
static const unsigned char program_text[] = { 0x8b, 0x3c, 0x24, 0xff, 0xcf, 0xb8,
					      0xe7, 0,	  0,	0,    0x0f, 0x05 };

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
			.e_machine = EM_X86_64,
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
		die("%s", path);
	close(fd);
}

void become(const char *path, int arguments)
{
	char *argument[260] = { (char *)path };
	int i;

	for (i = 1; i <= arguments; i++)
		argument[i] = (char *)"x";
	execv(path, argument);
	_exit(127);
}

int run(const char *path, ...)
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
		die("fork");
	if (!pid) {
		execv(path, argument);
		_exit(127);
	}
	return reap(pid, NULL);
}

uint32_t termination(int wait_status, bool user)
{
	if (WIFEXITED(wait_status))
		return (uint32_t)WEXITSTATUS(wait_status);
	return (user ? BCOS_STATUS_OWNER : BCOS_STATUS_KERNEL) + (uint32_t)WTERMSIG(wait_status);
}

bool pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

void burn(uint64_t ns)
{
	uint64_t until = now_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	volatile unsigned int i;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		for (i = 0; i < 1000; i++)
			;
}

bool write_file(const char *path, const char *text, ...)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), length, error;
	char buffer[512];
	va_list list;
	bool good;

	if (fd < 0)
		return false;
	va_start(list, text);
	length = vsnprintf(buffer, sizeof(buffer), text, list);
	va_end(list);
	good = write(fd, buffer, (size_t)length) == length;
	error = errno;
	close(fd);
	errno = error;
	return good;
}

ssize_t read_file(const char *path, char *to, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t done = 0;
	ssize_t got = 0;

	to[0] = '\0';
	if (fd < 0)
		return -1;
	while (done < size - 1 && (got = read(fd, to + done, size - 1 - done)) > 0)
		done += (size_t)got;
	close(fd);
	to[done] = '\0';
	return got < 0 ? -1 : (ssize_t)done;
}

int cpus(void)
{
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* ---- the module ------------------------------------------------------------- */

int try_load(const char *parameters)
{
	int fd = open(MODULE, O_RDONLY | O_CLOEXEC), error;

	if (fd < 0)
		die("open " MODULE);
	error = syscall(SYS_finit_module, fd, parameters ? parameters : "", 0) ? -errno : 0;
	close(fd);
	return error;
}

int try_unload(void)
{
	return syscall(SYS_delete_module, "bcos_evlog", O_NONBLOCK) ? -errno : 0;
}

void load(const char *parameters)
{
	int error = try_load(parameters);

	errno = -error;
	if (error)
		die("insmod " MODULE " %s", parameters ? parameters : "");
	/* devtmpfs has made the node before insmod returns. */
	if (access(BCOS_DEVICE_PATH, F_OK))
		die(BCOS_DEVICE_PATH);
}

void unload(void)
{
	int error = try_unload();

	if (!ok(!error, "the module is unloaded"))
		note("delete_module: %s", strerror(-error));
}

int open_log(int flags)
{
	int fd = open(BCOS_DEVICE_PATH, flags | O_CLOEXEC);

	if (fd < 0)
		die("open " BCOS_DEVICE_PATH);
	return fd;
}

struct bcos_status status_of(int fd)
{
	struct bcos_status status = { 0 };
	int own = fd < 0 ? open_log(O_RDONLY | O_NONBLOCK) : fd;

	if (ioctl(own, BCOS_IOC_STATUS, &status))
		die("BCOS_IOC_STATUS");
	if (fd < 0)
		close(own);
	return status;
}

/* ---- the log ----------------------------------------------------------------- */

static void *grown(void *memory, size_t size)
{
	memory = realloc(memory, size);
	if (!memory)
		die("no memory for %zu bytes", size);
	return memory;
}

void log_append(struct log *log, int fd, uint64_t limit)
{
	size_t room = log->size + SLACK, begin = log->size;
	ssize_t got;

	log->bytes = grown(log->bytes, room);
	while (!limit || log->size - begin < limit) {
		if (room - log->size < 2 * 65536) {
			room = room + room / 2 + 4 * 65536;
			log->bytes = grown(log->bytes, room);
		}
		got = read(fd, log->bytes + log->size, room - log->size - SLACK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			break;
		if (got <= 0)
			die("read of the log: %zd", got);
		log->size += (size_t)got;
	}
}

static size_t unended(const struct log *log, const pid_t *pids, size_t count)
{
	struct lives lives = lives_of(log);
	size_t left = 0, i, k;

	/* Among the lives that did not end there are few: look those up in @pids. */
	for (i = 0; i < lives.count; i++)
		for (k = 0; !lives.life[i].dead && k < count; k++)
			left += pids[k] && lives.life[i].id == (uint32_t)pids[k];
	lives_free(&lives);
	return left;
}

void log_append_ended(struct log *log, int fd, const pid_t *pids, size_t count)
{
	uint64_t deadline = now_ns(CLOCK_MONOTONIC) + 5000000000ull;

	for (;;) {
		log_append(log, fd, 0);
		if (!unended(log, pids, count) || now_ns(CLOCK_MONOTONIC) > deadline)
			return;
		usleep(1000);
	}
}

struct log log_take(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	struct log log = { NULL, 0 };

	log_append(&log, fd, 4 * status_of(fd).ring_size);
	close(fd);
	return log;
}

struct log log_snapshot(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	struct bcos_status status = status_of(fd);
	struct log log = { NULL, 0 };

	log_append(&log, fd, status.head - status.oldest);
	close(fd);
	return log;
}

void log_free(struct log *log)
{
	free(log->bytes);
	log->bytes = NULL;
	log->size = 0;
}

static void save(const struct log *log, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	size_t done = 0;
	ssize_t put;

	if (fd < 0)
		die("%s", path);
	for (; done < log->size; done += (size_t)put) {
		put = write(fd, log->bytes + done, log->size - done);
		if (put <= 0)
			die("write to %s", path);
	}
	close(fd);
}

/* Its output as notes, at most so many lines. */
static void explain(const char *path, int lines)
{
	FILE *file = fopen(path, "re");
	char line[400];

	while (file && lines-- && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		note("  %s", line);
	}
	if (file)
		fclose(file);
}

bool log_valid(const struct log *log, const char *name)
{
	char path[200], output[200];
	int status, fd;
	pid_t pid;

	snprintf(path, sizeof(path), "/out/%.150s", name);
	snprintf(output, sizeof(output), "/out/%.150s.check", name);
	mkdir("/out", 0755);
	save(log, path);
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		dup2(fd, 1);
		dup2(fd, 2);
		execl("./bcoslog", "bcoslog", "check", path, NULL);
		_exit(127);
	}
	status = reap(pid, NULL);
	if (status) {
		note("bcoslog check %s: wait status 0x%x", path, status);
		explain(output, 20);
	} else {
		unlink(path);
	}
	unlink(output);
	return !status;
}

bool log_check(const struct log *log, const char *what, ...)
{
	static int number;
	char name[40], text[200];
	va_list list;

	va_start(list, what);
	vsnprintf(text, sizeof(text), what, list);
	va_end(list);
	snprintf(name, sizeof(name), "%d-%d.log", getpid(), ++number);
	return ok(log_valid(log, name), "bcoslog check: %s (%zu bytes)", text, log->size);
}

const struct bcos_entry *entry_after(const struct log *log, const struct bcos_entry *entry)
{
	const char *at = entry ? (const char *)entry + entry->size : log->bytes;
	size_t left = (size_t)(log->bytes + log->size - at);

	entry = (const struct bcos_entry *)at;
	if (!left)
		return NULL;
	if (left < BCOS_ENTRY_MIN || entry->size < BCOS_ENTRY_MIN || entry->size % 4 ||
	    entry->size > left) {
		errno = 0;
		die("broken entry at offset %zu of %zu", (size_t)(at - log->bytes), log->size);
	}
	return entry;
}

const struct bcos_entry *entry_find(const struct log *log, const struct bcos_entry *after,
				    uint16_t type, uint32_t source)
{
	const struct bcos_entry *entry = after;

	while ((entry = entry_after(log, entry)))
		if (entry->type == type && entry->source == source)
			return entry;
	return NULL;
}

uint32_t entry_word(const struct bcos_entry *entry)
{
	return entry->size < BCOS_ENTRY_MIN + 4 ? 0
						: ((const struct bcos_cancel_name *)entry)->status;
}

static size_t text_offset(uint16_t type)
{
	switch (type) {
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
		return sizeof(struct bcos_process_name);
	case BCOS_SET_DEVICE_NAME:
	case BCOS_HIST_SET_DEVICE_NAME:
		return sizeof(struct bcos_device_name);
	case BCOS_GENERIC_PROCESS:
	case BCOS_GENERIC_CORE:
	case BCOS_GENERIC_CPU:
	case BCOS_GENERIC_DEVICE:
		return BCOS_GENERIC_TEXT;
	default:
		return 0;
	}
}

const char *entry_text(const struct bcos_entry *entry)
{
	static char buffers[8][2048];
	static unsigned int next;
	char *buffer = buffers[next++ % ARRAY_SIZE(buffers)];
	size_t offset = text_offset(entry->type), length = 0;

	if (offset && entry->size > offset) {
		length = strnlen((const char *)entry + offset, entry->size - offset);
		if (length >= sizeof(buffers[0]))
			length = sizeof(buffers[0]) - 1;
		memcpy(buffer, (const char *)entry + offset, length);
	}
	buffer[length] = '\0';
	return buffer;
}

static bool is_missed(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_DEVICE && entry->source == BCOS_DEVICE_SELF &&
	       ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MISSED;
}

bool log_overtaken(const struct log *log)
{
	for_each_entry(entry, log)
		if (is_missed(entry))
			return true;
	return false;
}

/* One group, from behind @at on (NULL: the beginning).  Return: the first entry behind it. */
static const struct bcos_entry *one_beginning(const struct log *log, const struct bcos_entry *at,
					      struct beginnings *found,
					      void (*seen)(uint32_t process))
{
	static const uint16_t order[] = { BCOS_HIST_CORE_ONLINE, BCOS_HIST_CPU_ONLINE,
					  BCOS_HIST_SET_PROCESS_NAME, BCOS_HIST_SET_DEVICE_NAME,
					  BCOS_HIST_ASSIGN_CPU };
	int count[ARRAY_SIZE(order)] = { 0 };
	size_t rank = 0;

	while ((at = entry_after(log, at))) {
		while (rank < ARRAY_SIZE(order) && at->type != order[rank])
			rank++;
		if (rank == ARRAY_SIZE(order))
			break;
		count[rank]++;
		if (rank == 2 && seen)
			seen(at->source);
	}
	if (count[0] > 0 && count[1] == cpus() && count[2] > 0 && count[4] == cpus()) {
		found->whole++;
	} else if (!at || is_missed(at)) {
		found->cut++;
	} else {
		found->broken++;
		note("begins with %d cores, %d CPUs, %d processes, %d devices, %d assignments",
		     count[0], count[1], count[2], count[3], count[4]);
	}
	return at;
}

struct beginnings log_beginnings(const struct log *log, void (*seen)(uint32_t process))
{
	struct beginnings found = { 0 };
	const struct bcos_entry *at = one_beginning(log, NULL, &found, seen);

	while (at) {
		if (is_missed(at))
			at = one_beginning(log, at, &found, NULL);
		else
			at = entry_after(log, at);
	}
	return found;
}

void log_print(const struct log *log, const struct bcos_entry *from, const struct bcos_entry *to,
	       int limit)
{
	const struct bcos_entry *entry = from ? from : entry_after(log, NULL);

	for (; entry && limit--; entry = entry_after(log, entry)) {
		note("  %llu.%09llu type %04x source %08x word %08x \"%s\"",
		     (unsigned long long)(entry->time / 1000000000u),
		     (unsigned long long)(entry->time % 1000000000u), entry->type, entry->source,
		     entry_word(entry), entry_text(entry));
		if (entry == to)
			break;
	}
}

/* ---- lives -------------------------------------------------------------------- */

/* Open addressing, by ID: index + 1 of the newest life. */
struct table {
	uint32_t *slot;
	size_t size, used;
	const struct lives *lives;
};

static uint32_t *slot_of(const struct table *table, uint32_t id)
{
	size_t at = id * 2654435761u & (table->size - 1);

	while (table->slot[at] && table->lives->life[table->slot[at] - 1].id != id)
		at = (at + 1) & (table->size - 1);
	return &table->slot[at];
}

static void enlarge(struct table *table)
{
	uint32_t *old = table->slot;
	size_t size = table->size, i;

	table->size = size ? 2 * size : 1024;
	table->slot = calloc(table->size, sizeof(*table->slot));
	if (!table->slot)
		die("no memory");
	for (i = 0; i < size; i++)
		if (old[i])
			*slot_of(table, table->lives->life[old[i] - 1].id) = old[i];
	free(old);
}

static struct life *newest_life(const struct table *table, uint32_t id)
{
	uint32_t index = table->size ? *slot_of(table, id) : 0;

	return index ? &table->lives->life[index - 1] : NULL;
}

static void name_process(struct lives *lives, struct table *table, const struct bcos_entry *entry)
{
	struct life *life = newest_life(table, entry->source);
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;

	if (!life || life->dead) {
		if (2 * table->used >= table->size)
			enlarge(table);
		if (!(lives->count & (lives->count - 1)))
			lives->life = grown(lives->life, (lives->count ? 2 * lives->count : 1) *
								 sizeof(*life));
		life = &lives->life[lives->count++];
		memset(life, 0, sizeof(*life));
		life->id = entry->source;
		life->born = entry->time;
		life->before = historical;
		life->birth = entry;
		table->used++;
		*slot_of(table, entry->source) = (uint32_t)lives->count;
	}
	life->names += !historical;
	snprintf(life->name, sizeof(life->name), "%s", entry_text(entry));
}

#define CPUS_MAX 1024

struct running {
	bool known;
	uint32_t process;
	uint64_t since;
};

static void count_time(const struct table *table, struct running *cpu, uint64_t until)
{
	struct life *life = cpu->known ? newest_life(table, cpu->process) : NULL;

	if (life && until > cpu->since)
		life->cpu_ns += until - cpu->since;
	cpu->since = until;
}

static void assign(const struct table *table, struct running *cpu, const struct bcos_entry *entry)
{
	struct life *life = newest_life(table, entry_word(entry));
	bool news = !(entry->type & BCOS_TYPE_HISTORICAL);

	if (!news && cpu->known)
		return;
	if (cpu->known)
		count_time(table, cpu, entry->time);
	*cpu = (struct running){ true, entry_word(entry), entry->time };
	if (!life || !news)
		return;
	life->assigned++;
	if (!life->first)
		life->first = entry;
}

struct lives lives_of(const struct log *log)
{
	static struct running running[CPUS_MAX];
	struct lives lives = { NULL, 0 };
	struct table table = { .lives = &lives };
	const struct bcos_entry *last = NULL;
	struct life *life;
	size_t i;

	memset(running, 0, sizeof(running));
	for_each_entry(entry, log) {
		switch (entry->type) {
		case BCOS_SET_PROCESS_NAME:
		case BCOS_HIST_SET_PROCESS_NAME:
			name_process(&lives, &table, entry);
			break;
		case BCOS_CANCEL_PROCESS_NAME:
			life = newest_life(&table, entry->source);
			if (!life || life->dead)
				break;
			life->dead = true;
			life->died = entry->time;
			life->status = entry_word(entry);
			life->end = entry;
			break;
		case BCOS_ASSIGN_CPU:
		case BCOS_HIST_ASSIGN_CPU:
			if (entry->source < CPUS_MAX)
				assign(&table, &running[entry->source], entry);
			break;
		case BCOS_CPU_OFFLINE:
			if (entry->source < CPUS_MAX)
				running[entry->source].known = false;
			break;
		}
		if (!(entry->type & BCOS_TYPE_HISTORICAL))
			last = entry;
	}
	for (i = 0; last && i < CPUS_MAX; i++)
		if (running[i].known)
			count_time(&table, &running[i], last->time);
	free(table.slot);
	return lives;
}

void lives_free(struct lives *lives)
{
	free(lives->life);
	lives->life = NULL;
	lives->count = 0;
}

struct life *life_since(const struct lives *lives, uint32_t id, uint64_t since)
{
	size_t i;

	for (i = 0; i < lives->count; i++)
		if (lives->life[i].id == id && !lives->life[i].before &&
		    lives->life[i].born >= since)
			return &lives->life[i];
	return NULL;
}
