// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ships a recording to a server: see shipment.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "archive/recording.h"
#include "complain/complain.h"
#include "fleet.h"
#include "handle/handle.h"
#include "shipment.h"
#include "usage.h"
#include "window.h"

/* How often rows are sent before --once gives up, and the least and the most ms between two tries. */
#define TRIES_ONCE 5
#define PAUSE_LEAST 250
#define PAUSE_MOST 60000
/* The ms between two looks at a recording that grows. */
#define LOOK_MS 5000
/* A window has about so many entries, and at most so many steps. */
#define WINDOW_ENTRIES 1000000
#define WINDOW_STEPS 30
/* A loss is stated by so many ns after its end, mostly: the log writer passes at least once a second while there is something. */
#define SETTLED_NS 2000000000ull
/* The bytes of what rows call a machine: its ID, or its name after a word. */
#define KEY_BYTES 80

/**
 * struct shipment - a recording that is shipped
 * @options: what is asked for
 * @transport: the server
 * @state: what has arrived
 * @without: of each table the columns that are left out, as bits
 * @kernel: what is known of the kernel of the boot @kernel_boot; empty: nothing
 * @down: the server took nothing the last time
 * @damaged: the recording is damaged
 */
struct shipment {
	const struct ship_options *options;
	struct transport *transport;
	struct ship_state state;
	u64 without[SHIP_TABLES];
	char kernel[KERNEL_TEXT], kernel_boot[40];
	bool down, damaged;
};

/**
 * struct listed_boot - a boot that the recording has
 * @about: the boot
 * @machine: the ID of its machine; empty if unknown
 * @ended: how it ended; empty if unknown
 * @newest: no other boot of the machine is later
 */
struct listed_boot {
	struct bcoslog_boot about;
	char machine[40];
	char ended[BOOT_END_TEXT];
	bool newest;
};

struct boot_list {
	struct listed_boot *boots;
	size_t count;
};

/* ---- sending ---------------------------------------------------------------------------------------- */

static int ends(const struct shipment *shipment)
{
	const struct transport_options *options = &shipment->options->transport;

	return options->ends && options->ends(options->context);
}

static int ends_window(void *context)
{
	return ends(context);
}

/* Waits.  Return: 0, or -EINTR if everything ends. */
static int pause_for(const struct shipment *shipment, unsigned int ms)
{
	const struct timespec part = { .tv_nsec = 50000000 };

	for (; !ends(shipment) && ms > 50; ms -= 50)
		nanosleep(&part, NULL);
	return ends(shipment) ? -EINTR : 0;
}

/* Sends the rows of a table until the server has taken them. */
static int send_rows(void *context, enum ship_table_number table, struct row_bytes *rows)
{
	struct shipment *shipment = context;
	unsigned int ms = PAUSE_LEAST, tries = 1;
	const char *reason;
	int r;

	while ((r = transport_send(shipment->transport, &ship_tables[table], rows, &reason)) == -EAGAIN) {
		if (shipment->options->once && tries == TRIES_ONCE) {
			complain("%s, after %u tries: what has not arrived is sent by the next run", reason, tries);
			return -EAGAIN;
		}
		if (!shipment->down && !shipment->options->once)
			complain("%s: it is tried again, at least once a minute", reason);
		shipment->down = true;
		tries++;
		if (pause_for(shipment, ms))
			return -EINTR;
		ms = 2 * ms < PAUSE_MOST ? 2 * ms : PAUSE_MOST;
	}
	if (r) {
		if (r != -EINTR)
			complain("%s", reason);
		return r;
	}
	if (shipment->down && !shipment->options->once)
		complain("%s takes rows again", transport_name(shipment->transport));
	shipment->down = false;
	rows->size = rows->rows = 0;
	return 0;
}

/* Writes the file of what has arrived, when the disk has room for it.  Return: 0, or a negative errno after a complaint. */
static int write_state(struct shipment *shipment)
{
	const char *path = shipment->state.path;
	unsigned int ms = PAUSE_LEAST;
	bool waits = false;
	int r;

	while ((r = ship_state_write(&shipment->state)) == -ENOSPC || r == -EDQUOT) {
		if (shipment->options->once)
			break;
		if (!waits)
			complain("%s, which says what was shipped, cannot be written: %s: nothing is sent until there is room", path, strerror(-r));
		waits = true;
		if (pause_for(shipment, ms))
			return -EINTR;
		ms = 2 * ms < PAUSE_MOST ? 2 * ms : PAUSE_MOST;
	}
	if (r)
		complain("%s, which says what was shipped, cannot be written: %s: --state names another file for it", path, strerror(-r));
	else if (waits)
		complain("%s can be written again", path);
	return r;
}

/* ---- the recording ---------------------------------------------------------------------------------- */

static int list_boots(struct bcoslog *log, struct boot_list *list)
{
	struct listed_boot *boots, *boot = NULL;
	struct bcoslog_boot about;
	__u32 i;

	for (i = 0; about.size = sizeof(about), bcoslog_boot(log, i, &about) > 0; i++) {
		if (!(about.flags & BCOSLOG_BOOT_READ) || about.first > about.last)
			continue;
		boots = reallocarray(list->boots, list->count + 1, sizeof(*boots));
		if (!boots)
			return -ENOMEM;
		list->boots = boots;
		boot = &boots[list->count++];
		*boot = (struct listed_boot){ .about = about };
		if (bcoslog_boot_machine(log, i, boot->machine) <= 0)
			boot->machine[0] = '\0';
		if (bcoslog_boot_end(log, i, boot->ended) <= 0)
			boot->ended[0] = '\0';
	}
	if (boot)
		boot->newest = true;
	return 0;
}

static int open_recording(const struct shipment *shipment, struct bcoslog **log)
{
	const struct ship_options *options = shipment->options;
	struct bcoslog_error error;
	int r = bcoslog_open(log, options->path, 0, &error);

	if (r) {
		complain("%s", error.text);
		return r;
	}
	if (bcoslog_kind(*log) != BCOSLOG_RECORDING) {
		complain("%s is no recording: ship reads what bcoslog record -o DIR has recorded", options->path);
		r = -ENOTTY;
	} else if (options->machine && (r = bcoslog_set_machine(*log, options->machine)) != 0) {
		complain("%s", bcoslog_error(*log)->text);
	}
	if (r)
		bcoslog_close(*log);
	return r;
}

static int read_list(const struct shipment *shipment, struct boot_list *list)
{
	struct bcoslog *log;
	int r = open_recording(shipment, &log);

	if (r)
		return r;
	r = list_boots(log, list);
	if (r)
		complain("there is no memory for the boots of %s", shipment->options->path);
	bcoslog_close(log);
	return r;
}

/* Reads the wall clock of a boot.  Return: 0, or a negative errno after a complaint. */
static int read_clock(const struct shipment *shipment, const char *boot, struct bcoslog_clock *clock)
{
	struct bcoslog *log;
	__u64 first, last;
	int r = open_recording(shipment, &log);

	if (r)
		return r;
	r = boot ? bcoslog_set_boot(log, boot) : 0;
	if (!r)
		r = bcoslog_recording_clock(log, true, clock, &first, &last);
	if (r < 0)
		complain("the wall clock of %s cannot be read: %s", shipment->options->path, strerror(-r));
	bcoslog_close(log);
	return r < 0 ? r : 0;
}

/* ---- a boot ----------------------------------------------------------------------------------------- */

/* Return: what the log states of the kernel of a boot; NULL if that is nothing. It is looked for once. */
static const char *kernel_of(struct shipment *shipment, const struct ship_window *window, const struct bcoslog_boot *about)
{
	if (strcmp(shipment->kernel_boot, window->boot->boot) || !shipment->kernel[0])
		fleet_kernel(window->path, window->machine, window->boot_id, about->last, shipment->kernel);
	snprintf(shipment->kernel_boot, sizeof(shipment->kernel_boot), "%s", window->boot->boot);
	return shipment->kernel[0] ? shipment->kernel : NULL;
}

/* Adds the row of the boot. */
static int add_boot(struct shipment *shipment, struct ship_window *window, const struct listed_boot *listed)
{
	const struct bcoslog_boot *about = &listed->about;
	const struct bcoslog_wall *wall = bcoslog_clock_at(window->clock, about->last);
	struct ship_row row;

	window_row(window, &row, SHIP_BOOTS, 0, about->first);
	window_set_number(&row, "last_ts", about->last);
	if (wall)
		window_set_number(&row, "last_wall_ns", bcoslog_wall_time(wall, about->last));
	window_set_number(&row, "shipped_ts", window->until);
	window_set_number(&row, "entries", about->entries);
	window_set_number(&row, "losses", about->losses);
	window_set_number(&row, "bytes", about->stored);
	window_set_text(&row, "ended", listed->ended[0] ? listed->ended : NULL);
	window_set_text(&row, "kernel", kernel_of(shipment, window, about));
	return window_add(window, &row);
}

/* Return: the time up to which the boot can be shipped now: a step that is not over is not, if the recording may grow. */
static u64 shippable(const struct shipment *shipment, const struct listed_boot *listed)
{
	u64 last = listed->about.last;

	if (!listed->newest || shipment->options->once)
		return last + 1;
	return last < SETTLED_NS ? 0 : (last - SETTLED_NS) / SHIP_STEP * SHIP_STEP;
}

/* Return: how long a window is, such that it has a bounded number of entries. */
static u64 window_length(const struct bcoslog_boot *about)
{
	u64 steps = (about->last - about->first) / SHIP_STEP + 1, length = about->entries / steps + 1;

	length = WINDOW_ENTRIES / length;
	return SHIP_STEP * (length < 1 ? 1 : length > WINDOW_STEPS ? WINDOW_STEPS : length);
}

/* Ships the window of a boot, and notes that it has arrived. */
static int ship_window(struct shipment *shipment, struct ship_window *window, const struct listed_boot *listed)
{
	struct ship_boot *boot = window->boot;
	/* The first window begins with the step in which the boot begins. */
	u64 begin = boot->begun ? window->from : boot->seen;
	int r;

	boot->until = window->until;
	r = write_state(shipment);
	if (r)
		return r;
	if (window->first > begin)
		r = window_add_deleted(window, begin, window->first < window->until ? window->first : window->until, false);
	if (!r)
		r = window_ship(window);
	if (!r)
		r = add_boot(shipment, window, listed);
	if (!r)
		r = window_send(window);
	shipment->damaged |= window->damaged;
	if (r)
		return r;
	ship_processes_free(&boot->processes);
	boot->processes = window->lived;
	window->lived = (struct ship_processes){ .at = NULL };
	boot->shipped = window->until;
	boot->until = 0;
	boot->begun = true;
	boot->closed = false;
	boot->last = listed->about.last;
	return write_state(shipment);
}

/* Says how a boot ended of which nothing more comes, and notes that all of it has arrived. */
static int close_boot(struct shipment *shipment, struct ship_window *window, const struct listed_boot *listed)
{
	int r;

	window->until = window->boot->shipped;
	r = add_boot(shipment, window, listed);
	if (!r)
		r = window_send(window);
	if (r)
		return r;
	window->boot->closed = true;
	return write_state(shipment);
}

/* Writes what rows call the machine of a boot. */
static void machine_key(const struct listed_boot *listed, char key[KEY_BYTES])
{
	if (listed->machine[0])
		snprintf(key, KEY_BYTES, "%s", listed->machine);
	else
		snprintf(key, KEY_BYTES, "host %s", listed->about.host);
}

static void begin_window(const struct shipment *shipment, struct ship_window *window, const struct listed_boot *listed, char *key)
{
	memcpy(window->without, shipment->without, sizeof(window->without));
	window->path = shipment->options->path;
	window->machine = listed->machine[0] ? listed->machine : shipment->options->machine;
	machine_key(listed, key);
	window->machine_key = key;
	window->host = listed->about.host;
	window->boot_id = listed->about.boot[0] ? listed->about.boot : NULL;
	window->first = listed->about.first;
	window->severity = shipment->options->severity;
	window->context = (void *)shipment;
	window->ends = ends_window;
	window->send = send_rows;
}

/* Ships what there is of a boot.  Return: 0, or a negative errno after a complaint. */
static int ship_boot(struct shipment *shipment, struct ship_boot *boot, const struct listed_boot *listed)
{
	u64 end = shippable(shipment, listed), length = window_length(&listed->about);
	struct bcoslog_clock *clock = bcoslog_clock_new();
	struct ship_window window = { .boot = boot, .clock = clock };
	bool closes = !listed->newest && !boot->closed;
	char key[KEY_BYTES];
	int r = clock ? 0 : -ENOMEM;

	begin_window(shipment, &window, listed, key);
	if (!boot->begun && !boot->until) {
		boot->shipped = listed->about.first / SHIP_STEP * SHIP_STEP;
		boot->seen = listed->about.first;
	}
	if (!r && (boot->until || boot->shipped < end || closes))
		r = read_clock(shipment, window.boot_id, clock);
	while (!r && (boot->until || boot->shipped < end)) {
		window.from = boot->shipped;
		window.until = (window.from + length) / SHIP_STEP * SHIP_STEP;
		/* What was deleted needs no windows of its own. */
		if (window.first > window.until)
			window.until = (window.first + length) / SHIP_STEP * SHIP_STEP;
		if (boot->until)
			window.until = boot->until;
		else if (window.until > end)
			window.until = end;
		r = ends(shipment) ? -EINTR : ship_window(shipment, &window, listed);
	}
	if (!r && !listed->newest && !boot->closed)
		r = close_boot(shipment, &window, listed);
	window_free(&window);
	bcoslog_clock_free(clock);
	return r;
}

/* Ships rows that say which boots were deleted before all of them had arrived. */
static int ship_deleted(struct shipment *shipment, const struct boot_list *list)
{
	const struct listed_boot *any = &list->boots[list->count - 1];
	struct ship_boot *boot;
	int r = 0;

	for (boot = shipment->state.boots; !r && boot < shipment->state.boots + shipment->state.count; boot++) {
		struct bcoslog_clock *clock;
		struct ship_window window = { .boot = boot, .until = boot->shipped };
		char key[KEY_BYTES];

		if (boot->listed || boot->closed)
			continue;
		clock = bcoslog_clock_new();
		if (!clock)
			return -ENOMEM;
		begin_window(shipment, &window, any, key);
		window.clock = clock;
		r = window_add_deleted(&window, boot->shipped, boot->last, true);
		if (!r)
			r = window_send(&window);
		window_free(&window);
		bcoslog_clock_free(clock);
	}
	return r;
}

/* Ships all that the recording has now.  Return: 0, or a negative errno after a complaint. */
static int ship_all(struct shipment *shipment, const struct boot_list *list)
{
	struct ship_boot *boot;
	size_t i, count = shipment->state.count;
	char key[KEY_BYTES];
	int r = 0;

	for (i = 0; i < count; i++)
		shipment->state.boots[i].listed = false;
	for (i = 0; i < list->count; i++) {
		boot = ship_state_boot(&shipment->state, list->boots[i].about.boot[0] ? list->boots[i].about.boot : "-");
		if (!boot)
			return -ENOMEM;
		boot->listed = true;
	}
	if (list->count) {
		machine_key(&list->boots[0], key);
		r = ship_state_note(&shipment->state, shipment->options->path, key) ? -EINVAL : ship_deleted(shipment, list);
	}
	if (!r && list->count)
		ship_state_drop(&shipment->state);
	for (i = 0; !r && i < list->count; i++) {
		boot = ship_state_boot(&shipment->state, list->boots[i].about.boot[0] ? list->boots[i].about.boot : "-");
		r = boot ? ship_boot(shipment, boot, &list->boots[i]) : -ENOMEM;
	}
	return r;
}

static int ship_pass(struct shipment *shipment)
{
	struct boot_list list = { .count = 0 };
	int r = read_list(shipment, &list);

	if (!r)
		r = ship_all(shipment, &list);
	free(list.boots);
	return r;
}

/* ---- options ---------------------------------------------------------------------------------------- */

int ship_check_without(const char *names)
{
	char *copy = strdup(names), *rest = copy, *name;
	int r = copy ? 0 : -1;

	while (!r && (name = strsep(&rest, ",")))
		if (!ship_may_be_without(name)) {
			complain("--without takes columns of text, such as arguments, path, cgroup and text, and not \"%s\": --schema lists them",
				 name);
			r = -1;
		}
	free(copy);
	return r;
}

/* Is a name in a list with commas? */
static bool is_in(const char *names, const char *name)
{
	size_t length = strlen(name);

	while (names) {
		if (strcspn(names, ",") == length && !memcmp(names, name, length))
			return true;
		names = strchr(names, ',');
		names = names ? names + 1 : NULL;
	}
	return false;
}

static void find_without(struct shipment *shipment)
{
	const struct ship_column *column;
	size_t i, j;

	for (i = 0; i < SHIP_TABLES; i++)
		for (j = SHIP_OWN; (column = ship_column(&ship_tables[i], j)); j++)
			if (column->nullable && column->type <= SHIP_WORD && is_in(shipment->options->without, column->name))
				shipment->without[i] |= 1ull << j;
}

int ship_run(const struct ship_options *options)
{
	struct shipment shipment = { .options = options };
	int r;

	find_without(&shipment);
	shipment.transport = transport_new(&options->transport);
	if (!shipment.transport)
		return -EINVAL;
	r = ship_state_read(&shipment.state, options->state, transport_name(shipment.transport), transport_place(shipment.transport)) ?
	    -EIO : 0;
	while (!r) {
		r = ship_pass(&shipment);
		if (r || options->once)
			break;
		r = pause_for(&shipment, LOOK_MS);
	}
	ship_state_free(&shipment.state);
	transport_free(shipment.transport);
	if (!r && shipment.damaged) {
		complain("%s is damaged: what could not be read is in the table loss", options->path);
		r = -EBADMSG;
	}
	return r;
}
