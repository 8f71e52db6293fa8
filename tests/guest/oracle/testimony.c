// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The records of the witness: see testimony.h. */
#include "testimony.h"

void tell_witness(const char *word)
{
	if (!write_file("/proc/witness", "%s", word))
		give_up("%s > /proc/witness", word);
}

struct testimony testimony_hear(void)
{
	int fd = open("/proc/witness", O_RDONLY | O_CLOEXEC), cpu = 0;
	struct testimony all = { NULL, 0, { 0 } };
	size_t room = 0, i;
	ssize_t got;

	if (fd < 0)
		give_up("/proc/witness");
	do {
		if (room - all.count < 65536)
			all.record = grow_memory(all.record, (room += 262144) * sizeof(*all.record));
		got = read(fd, all.record + all.count, 65536 * sizeof(*all.record));
		if (got < 0)
			give_up("read of /proc/witness");
		all.count += (size_t)got / sizeof(*all.record);
	} while (got);
	close(fd);
	for (i = 0; i < all.count; i++) {
		errno = 0;
		if (all.record[i].kind == WITNESS_FULL || all.record[i].cpu >= WITNESSED_CPUS)
			give_up("the witness ran out of memory");
		while (cpu < all.record[i].cpu)
			all.begin[++cpu] = i;
	}
	while (cpu < WITNESSED_CPUS)
		all.begin[++cpu] = all.count;
	return all;
}

void testimony_free(struct testimony *all)
{
	free(all->record);
	all->record = NULL;
	all->count = 0;
}

size_t testimony_renewals(const struct testimony *all, int cpu, uint64_t from, uint64_t until)
{
	size_t i, count = 0;

	for (i = all->begin[cpu]; i < all->begin[cpu + 1]; i++)
		count += all->record[i].kind == WITNESS_AGAIN && all->record[i].time >= from &&
			 all->record[i].time <= until;
	return count;
}

uint64_t testimony_quiet(const struct testimony *all, uint64_t time)
{
	const uint64_t side = 1000000;
	size_t i;

again:
	for (i = 0; i < all->count; i++) {
		if (all->record[i].kind == WITNESS_INTERRUPT && all->record[i].time + side > time &&
		    all->record[i].time < time + side) {
			time = all->record[i].time + side;
			goto again;
		}
	}
	return time;
}

uint64_t testimony_interrupts(const struct testimony *all, uint64_t begin, uint64_t end)
{
	uint64_t seen = 0;
	size_t i;

	for (i = 0; i < all->count; i++)
		seen += all->record[i].kind == WITNESS_INTERRUPT && all->record[i].time >= begin &&
			all->record[i].time < end;
	return seen;
}
