// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The model: processes and CPUs.  Devices are in device.c. */
#include "entry.h"
#include "model.h"

#define FIRST_BUCKETS 256

/* Dead processes whose memory is kept. */
#define SPARES 64

void *bcos_model_alloc(struct bcos_model *model, size_t size)
{
	void *memory = model->host->alloc(model->context, size);

	if (memory)
		model->memory += size;
	return memory;
}

void bcos_model_free(struct bcos_model *model, void *memory, size_t size)
{
	if (!memory)
		return;
	model->memory -= size;
	model->host->free(model->context, memory, size);
}

static struct bcos_process *take_spare(struct bcos_model *model)
{
	struct bcos_process *process = model->spare;

	model->spare = process->same_hash;
	model->spares--;
	return process;
}

/* All zero but for what stays of a dead one's name.  NULL: no memory. */
static struct bcos_process *new_process(struct bcos_model *model)
{
	struct bcos_process *process;

	if (!model->spare)
		return bcos_model_alloc(model, sizeof(*process));
	process = take_spare(model);
	memset(process, 0, offsetof(struct bcos_process, name));
	return process;
}

/* A machine where processes die is one where others are born. */
static void old_process(struct bcos_model *model, struct bcos_process *process)
{
	if (model->spares >= model->spare_limit) {
		bcos_model_free(model, process, sizeof(*process));
		return;
	}
	process->same_hash = model->spare;
	model->spare = process;
	model->spares++;
}

int bcos_model_init(struct bcos_model *model, const struct bcos_host *host, void *context, u32 cpu_limit)
{
	model->host = host;
	model->context = context;
	model->recent.previous = &model->recent;
	model->recent.next = &model->recent;
	model->cpu_limit = cpu_limit;
	model->process_buckets = FIRST_BUCKETS;
	model->spare_limit = SPARES;
	model->processes = bcos_model_alloc(model, FIRST_BUCKETS * sizeof(*model->processes));
	model->cpus = bcos_model_alloc(model, (cpu_limit + 1ul) * sizeof(*model->cpus));
	if (model->processes && model->cpus)
		return 0;
	bcos_model_destroy(model);
	return -ENOMEM;
}

void bcos_model_destroy(struct bcos_model *model)
{
	struct bcos_core *core;

	if (!model->host)
		return;
	while (model->processes && model->recent.next != &model->recent)
		bcos_model_remove_process(model, (struct bcos_process *)model->recent.next);
	while (model->spare)
		bcos_model_free(model, take_spare(model), sizeof(struct bcos_process));
	while (model->devices)
		bcos_model_remove_device(model, model->devices);
	while ((core = model->cores)) {
		model->cores = core->next;
		bcos_model_free(model, core, sizeof(*core));
	}
	if (model->processes)
		bcos_model_free(model, model->processes,
				model->process_buckets * sizeof(*model->processes));
	bcos_model_free(model, model->cpus, (model->cpu_limit + 1ul) * sizeof(*model->cpus));
	model->processes = NULL;
	model->cpus = NULL;
}

/* Doubles the table.  Without memory for that it stays as it is: slower, not wrong. */
static void grow(struct bcos_model *model)
{
	struct bcos_process **old = model->processes;
	u32 buckets = model->process_buckets;
	struct bcos_process **table = bcos_model_alloc(model, 2ul * buckets * sizeof(*table));
	struct bcos_process *process;
	struct bcos_link *link;
	u32 at;

	if (!table)
		return;
	model->processes = table;
	model->process_buckets = 2 * buckets;
	for (link = model->recent.next; link != &model->recent; link = link->next) {
		process = (struct bcos_process *)link;
		at = bcos_model_bucket(model, process->id);
		process->same_hash = table[at];
		table[at] = process;
	}
	bcos_model_free(model, old, buckets * sizeof(*old));
}

static u64 name_bytes(const struct bcos_process *process)
{
	return bcos_entry_size(sizeof(struct bcos_process_name), process->name_length);
}

/* Bytes before the first zero byte; all of them ASCII, the first one lowest. */
static __always_inline size_t word_length(u64 word)
{
	const u64 ones = 0x0101010101010101ull;
	u64 zero = (word - ones) & ~word & ones << 7;

	return zero ? (size_t)__builtin_ctzll(zero) / 8 : sizeof(word);
}

/* What nearly every name is: comm, all of it ASCII.  Return: its length; 0: it is another one, and nothing was done. */
static __always_inline size_t set_plain_name(char *to, const char *comm)
{
	size_t length, more = 0;
	u64 word[2];

	memcpy(word, comm, sizeof(word));
	word[1] &= ~0ull >> 8;
	length = word_length(word[0]);
	if (length == sizeof(*word)) {
		more = word_length(word[1]);
		word[1] &= (1ull << 8 * more) - 1;
	} else {
		word[0] &= (1ull << 8 * length) - 1;
		word[1] = 0;
	}
	if (!length || (word[0] | word[1]) & 0x8080808080808080ull)
		return 0;
	memcpy(to, word, sizeof(word));
	return length + more;
}

/* @to: BCOS_NAME_MAX bytes; zeroes follow it to BCOS_RAW_NAME bytes at least.  Return: its length. */
static u8 clean_name(char *to, const char *name, size_t length)
{
	/* comm has 15 bytes at most; what was cut there inside a character is a bad byte here. */
	if (length > BCOS_RAW_NAME - 1) {
		length = set_plain_name(to, name);
		if (length)
			return (u8)length;
		length = BCOS_RAW_NAME - 1;
	}
	memset(to, 0, BCOS_RAW_NAME);
	return (u8)bcos_name_clean(to, BCOS_NAME_MAX, name, length);
}

static void set_name(struct bcos_process *process, const char *name, size_t length)
{
	process->name_length = clean_name(process->name, name, length);
}

bool bcos_model_process_has_name(const struct bcos_process *process, const char *name, size_t length)
{
	char clean[BCOS_NAME_MAX];

	return clean_name(clean, name, length) == process->name_length &&
	       !memcmp(clean, process->name, process->name_length);
}

struct bcos_process *bcos_model_add_process(struct bcos_model *model, u32 id, bool hidden,
					    const char *name, size_t length)
{
	struct bcos_process *process = new_process(model);
	struct bcos_link *head = &model->recent;
	u32 at;

	if (!process)
		return NULL;
	process->id = id;
	process->hidden = hidden;
	process->ready = ~0ull;
	set_name(process, name, length);
	at = bcos_model_bucket(model, id);
	process->same_hash = model->processes[at];
	model->processes[at] = process;
	process->recent.next = head->next;
	process->recent.previous = head;
	head->next->previous = &process->recent;
	head->next = &process->recent;
	model->process_count++;
	if (!hidden) {
		model->named_processes++;
		model->process_bytes += name_bytes(process);
	}
	/* Half full at most, so that nearly every look finds what it wants at once. */
	if (2 * model->process_count > model->process_buckets)
		grow(model);
	return process;
}

void bcos_model_remove_process(struct bcos_model *model, struct bcos_process *process)
{
	struct bcos_process **at = &model->processes[bcos_model_bucket(model, process->id)];

	while (*at != process)
		at = &(*at)->same_hash;
	*at = process->same_hash;
	process->recent.previous->next = process->recent.next;
	process->recent.next->previous = process->recent.previous;
	model->process_count--;
	if (!process->hidden) {
		model->named_processes--;
		model->process_bytes -= name_bytes(process);
	}
	old_process(model, process);
}

void bcos_model_rename_process(struct bcos_model *model, struct bcos_process *process,
			       const char *name, size_t length)
{
	if (!process->hidden)
		model->process_bytes -= name_bytes(process);
	set_name(process, name, length);
	if (!process->hidden)
		model->process_bytes += name_bytes(process);
}

void bcos_model_ran(struct bcos_model *model, struct bcos_process *process)
{
	struct bcos_link *link = &process->recent, *head = &model->recent;

	link->previous->next = link->next;
	link->next->previous = link->previous;
	link->next = head->next;
	link->previous = head;
	head->next->previous = link;
	head->next = link;
}

void bcos_model_reveal(struct bcos_model *model, struct bcos_process *process)
{
	if (!process->hidden)
		return;
	process->hidden = false;
	model->named_processes++;
	model->process_bytes += name_bytes(process);
}

struct bcos_core *bcos_model_core(struct bcos_model *model, u32 id)
{
	struct bcos_core **at = &model->cores, *core;

	while (*at && (*at)->id < id)
		at = &(*at)->next;
	if (*at && (*at)->id == id)
		return *at;
	core = bcos_model_alloc(model, sizeof(*core));
	if (!core)
		return NULL;
	core->id = id;
	core->next = *at;
	*at = core;
	return core;
}

u64 bcos_model_group_bytes(const struct bcos_model *model)
{
	return model->core_bytes + model->process_bytes + model->device_bytes +
	       2ull * model->cpus_online * sizeof(struct bcos_cpu_online);
}
