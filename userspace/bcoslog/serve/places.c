// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The places of a server for connections: see places.h. */
#include <sys/socket.h>
#include <time.h>

#include "places.h"

#define SECOND 1000000000ull

static u64 monotonic_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (u64)time.tv_sec * SECOND + (u64)time.tv_nsec;
}

/* The server sees that nothing more comes from the socket, and closes the connection. */
static void lose_place(struct place *place)
{
	shutdown(place->fd, SHUT_RDWR);
	place->lost = true;
}

/* Has @one, of those with a place, less right to it than @other, which may be NULL? */
static bool is_less(const struct place *one, const struct place *other)
{
	if (!one->taken || one->lost)
		return false;
	if (!other || one->trusted != other->trusted)
		return !other || other->trusted;
	return one->since < other->since;
}

/* Takes places away from those who have been silent too long, and if there are more than PLACES, from one more. */
static void make_room(struct places *places, u64 now)
{
	struct place *place, *least = NULL;
	size_t count = 0;

	for (place = places->of; place < places->of + PLACES + PLACES_SPARE; place++) {
		if (place->taken && !place->trusted && !place->lost && now - place->since > PLACES_PATIENCE * SECOND)
			lose_place(place);
		count += place->taken && !place->lost;
		if (is_less(place, least))
			least = place;
	}
	if (count >= PLACES)
		lose_place(least);
}

struct place *place_take(struct places *places, int fd)
{
	u64 now = monotonic_now();
	size_t i;

	make_room(places, now);
	for (i = 0; i < PLACES + PLACES_SPARE; i++) {
		if (places->of[i].taken)
			continue;
		places->of[i] = (struct place){ .fd = fd, .since = now, .taken = true };
		return &places->of[i];
	}
	return NULL;
}

void place_leave(struct place *place)
{
	if (place)
		place->taken = false;
}
