#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=300000:8000000 timeout=180:1800
# Memory does not grow with the length of a log or a recording: each direction of each format needs no more than 192 MiB
# of addresses. Sorting takes 64 MiB of these, and the libraries take the most.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
export TMPDIR=$work
# The log has ROUNDS entries of 24 bytes, and only assignments.
python3 - "${ROUNDS:-300000}" >"$work/log" <<'END' || exit 1
import struct, sys
out, count = sys.stdout.buffer, int(sys.argv[1])
def put(kind, source, time, body, precision=1):
    out.write(struct.pack("<HHIQI", 20 + len(body), kind, source, time, precision) + body)
for core in range(2):
    put(0xA000, core, 0, struct.pack("<HHI", 0, 0, 1000))
for cpu in range(2):
    put(0xC000, cpu, 0, struct.pack("<I", cpu))
put(0x8000, 0, 0, b"kernel\0\0")
for pid in range(1, 9):
    put(0x8000, pid, 0, b"p%d\0\0" % pid)
pack = struct.Struct("<HHIQII").pack
for at in range(0, count, 1000):
    out.write(b"".join(pack(24, 0x4002, n % 2, 10 ** 9 + n * 1000, 1, n % 9) for n in range(at, min(at + 1000, count))))
END

# shellcheck disable=SC2317  # called by point
within() (
	ulimit -v 196608
	"$bcoslog" convert "$@"
)

"$bcoslog" convert --help >"$work/help"
for format in fxt kel ltt eventheader perfetto chrome folded pprof journald; do
	rm -rf "$work/out"
	point "to $format" within -t "$format" "$work/log" -o "$work/out"
	case $format in fxt | ltt | eventheader)
		rm -rf "$work/plain"
		point "to $format, which carries no log" within -t "$format" --no-embed "$work/log" -o "$work/plain"
		[ "$format" = eventheader ] || point "from such a $format" within -f "$format" "$work/plain" -o "$work/back" ;;
	esac
	case $format in
	fxt | kel | ltt) point "from $format" within -f "$format" "$work/out" -o "$work/back" ;;
	eventheader)
		! grep -q '^  perf ' "$work/help" || point "from $format" within -f perf "$work/out" -o "$work/back" ;;
	esac
done
echo "1..$n"
exit $status
