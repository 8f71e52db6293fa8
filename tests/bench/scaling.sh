#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Prints how many instructions a variety of programs executes, in a guest of scripts/guest --icount, where an
# instruction takes a nanosecond. The scaling factor of the specification's 5.5.2 is the quotient of two processors'
# figures (tests/bench/README.md).
#
# usage: scaling.sh

load() {
	name=$1 times=$2 left=$2
	shift 2
	read -r begin _ </proc/uptime
	while [ "$left" -gt 0 ]; do
		"$@" >/dev/null 2>&1 || [ "$1" = diff ] || echo "failed: $name"
		left=$((left - 1))
	done
	read -r end _ </proc/uptime
	echo "$name $begin $end $times" | awk '{ printf "%-9s %7.1f million instructions\n", $1, ($3 - $2) * 1000 / $4 }'
}

# The text has letters and digits without order, and is the same on every machine.
awk 'BEGIN {
	seed = 1
	for (lines = 0; lines < 8000; lines++) {
		line = ""
		for (i = 0; i < 6; i++) {
			seed = (seed * 69069 + 1) % 4294967296
			line = line sprintf("%d ", seed)
		}
		print line
	}
}' >/tmp/text
gzip -c /tmp/text >/tmp/text.gz
bzip2 -c /tmp/text >/tmp/text.bz2
head -n 1500 /tmp/text >/tmp/short
sort /tmp/short >/tmp/sorted

load gzip 5 gzip -c /tmp/text
load gunzip 20 gunzip -c /tmp/text.gz
load bzip2 1 bzip2 -c /tmp/text
load bunzip2 6 bunzip2 -c /tmp/text.bz2
load md5 20 md5sum /tmp/text /tmp/text /tmp/text
load sha1 5 sha1sum /tmp/text /tmp/text /tmp/text
load sha256 6 sha256sum /tmp/text /tmp/text
load sha512 8 sha512sum /tmp/text /tmp/text
load sha3 10 sha3sum /tmp/text
load sort 10 sort /tmp/text
load grep 3 grep -c '[0-4]1.*[5-9]2.*7 $' /tmp/text
load sed 2 sed 's/1\([0-9]\)/\1b/g; s/  */ /g' /tmp/text
load awk 1 awk '{ for (i = 1; i <= NF; i++) count[substr($i, 1, 2)] += length($i) } END { for (key in count) print key, count[key] }' /tmp/text
load diff 15 diff /tmp/short /tmp/sorted
load od 2 od -x /tmp/text
load base64 20 base64 /tmp/text
load wc 6 wc /tmp/text /tmp/text /tmp/text /tmp/text
load shell 2 sh -c 'i=0; while [ "$i" -lt 15000 ]; do i=$((i + 1)); case $i in *7) j=${i%7} ;; esac; done'
load float 2 awk 'BEGIN { for (i = 0; i < 40000; i++) sum += i * 1.5 / (i + 1); print sum }'
