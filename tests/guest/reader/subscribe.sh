#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Says a line whenever old entries were discarded to make room.
bcoslog watch | while read -r time count _ entries _; do
	echo "at $time s: compactions: $count, entries discarded: $entries"
done
