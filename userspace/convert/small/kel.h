/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The stream of a kernel event logger: elements of its ring buffer, one after the other, little endian. An element is a
 * word with the event ID (bits 0-15), the number of words of data (16-23) and how many events were dropped before it
 * (24-31), and then these words.
 */
#ifndef CONVERT_KEL_H
#define CONVERT_KEL_H

#define KEL_ID_MAX 0xFFFFu
#define KEL_DROPPED_MAX 0xFFu
#define KEL_WORDS_MAX 0xFFu

/*
 * Times are shifted right by this many bits unless an option says otherwise. A unit is then about a microsecond, and
 * times wrap after 73 minutes.
 */
#define KEL_SHIFT 10u
#define KEL_SHIFT_MAX 31u

#endif
