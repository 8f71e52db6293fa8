// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Connections lose their places. The test has a clock and sockets of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/socket.h>
#include <time.h>

#include "serve/places.h"

static long now;
static int shut[PLACES + PLACES_SPARE + 1], shut_count;
static struct places places;

int clock_gettime(clockid_t clock, struct timespec *time)
{
	*time = (struct timespec){ .tv_sec = now };
	return 0;
}

int shutdown(int fd, int how)
{
	assert_int_equal(how, SHUT_RDWR);
	shut[shut_count++] = fd;
	return 0;
}

static int begin_places(void **state)
{
	memset(&places, 0, sizeof(places));
	shut_count = 0;
	now = 100;
	return 0;
}

/* Takes @count places with the sockets from @fd on.  Return: the first one. */
static struct place *take_places(int fd, int count)
{
	struct place *first = NULL, *place;

	while (count--) {
		place = place_take(&places, fd++);
		assert_non_null(place);
		first = first ? first : place;
	}
	return first;
}

static void the_oldest_makes_room(void **state)
{
	take_places(0, 1);
	now++;
	take_places(1, PLACES - 1);
	assert_int_equal(shut_count, 0);
	take_places(500, 1);
	assert_int_equal(shut_count, 1);
	assert_int_equal(shut[0], 0);
}

static void who_had_the_token_stays(void **state)
{
	take_places(0, 1)->trusted = true;
	now++;
	take_places(1, 1);
	now++;
	take_places(2, PLACES - 2);
	take_places(500, 1);
	assert_int_equal(shut_count, 1);
	assert_int_equal(shut[0], 1);
	/* Also after a long time. */
	now += 1000;
	take_places(501, 1);
	assert_int_equal(shut_count, PLACES);
	for (int i = 0; i < shut_count; i++)
		assert_int_not_equal(shut[i], 0);
}

static void all_had_the_token(void **state)
{
	int i;

	for (i = 0; i < PLACES; i++) {
		take_places(i, 1)->trusted = true;
		now++;
	}
	take_places(500, 1);
	assert_int_equal(shut_count, 1);
	assert_int_equal(shut[0], 0);
}

static void who_sends_no_request_in_time(void **state)
{
	take_places(7, 1);
	now += PLACES_PATIENCE;
	take_places(8, 1);
	assert_int_equal(shut_count, 0);
	now++;
	take_places(9, 1);
	assert_int_equal(shut_count, 1);
	assert_int_equal(shut[0], 7);
}

static void a_place_is_free_again(void **state)
{
	struct place *place;
	int i;

	for (i = 0; i < 1000; i++) {
		place = place_take(&places, i);
		assert_non_null(place);
		place_leave(place);
	}
	place_leave(NULL);
	assert_int_equal(shut_count, 0);
	/* If the server closes nothing, there are no more at last. */
	take_places(0, PLACES + PLACES_SPARE);
	assert_null(place_take(&places, 500));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_oldest_makes_room, begin_places),
		cmocka_unit_test_setup(who_had_the_token_stays, begin_places),
		cmocka_unit_test_setup(all_had_the_token, begin_places),
		cmocka_unit_test_setup(who_sends_no_request_in_time, begin_places),
		cmocka_unit_test_setup(a_place_is_free_again, begin_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
