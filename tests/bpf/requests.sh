#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# BPF programs tell who asked a disk of this machine for what: the process's sums are those that the kernel counts for it in
# /proc/PID/io, and those of the disk those of /sys/block/*/stat. After a fsync a disk with a cache gets a flush.
#
# test: cpus=1 timeout=120

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../lib/bpf.sh"

# The disk of the folder of the build, since a temporary folder may be in memory.
work=$(mktemp -d "$BUILD/requests.XXXXXX") || exit 1
trap 'rm -rf "$work" "$dir"' EXIT
number=$(stat -c %d "$work")
major=$((number >> 8 & 0xfff))
minor=$((number & 0xff | number >> 12 & 0xfff00))
place=$(readlink -f "/sys/dev/block/$major:$minor")
# Requests of a partition are the disk's.
[ ! -e "$place/partition" ] || place=${place%/*}
disk=${place##*/}
# What only passes transfers on to other disks has no requests of its own.
[ -d "/sys/block/$disk/mq" ] || {
	echo "1..0 # SKIP the folder of the build is on nothing that gets requests"
	exit 0
}

cat >"$work/work.py" <<'END'
import mmap, os, sys
disk, folder = sys.argv[1:]
page = mmap.mmap(-1, 1 << 16)
def counts():
    return dict((key, int(value)) for key, value in (line.split(": ") for line in open("/proc/self/io")))
def sectors():
    return [int(word) for word in open("/sys/block/%s/stat" % disk).read().split()]
try:
    file = os.open(folder + "/file", os.O_CREAT | os.O_RDWR | os.O_DIRECT)
    os.write(file, page)
except OSError:
    sys.exit(77)
os.fsync(file)
device, before = sectors(), counts()
for n in range(64):
    os.pwrite(file, page, n << 16)
for n in range(200):
    os.preadv(file, [memoryview(page)[:4096]], n << 12)
after, later = counts(), sectors()
os.fsync(file)
whole = counts()
with open("told", "w") as told:
    print(os.getpid(), after["read_bytes"] - before["read_bytes"], after["write_bytes"] - before["write_bytes"],
          whole["read_bytes"], whole["write_bytes"], later[2] - device[2], later[6] - device[6], file=told)
END
cd "$dir" || exit 1
"$bcoslog" cat --engine bpf --classes default,request -- python3 "$work/work.py" "$disk" "$work" >log 2>said
[ -e told ] || {
	echo "1..0 # SKIP the file system has no direct transfers"
	exit 0
}
read -r pid read written all_read all_written sectors_read sectors_written <told
"$bcoslog" io --by process --json log >by_process 2>>said
"$bcoslog" io --by device --json log >by_device 2>>said

# The process counted the bytes between two looks, and all up to its end: reading Python itself may read from the disk.
whose() {
	python3 - "$@" <<'END'
import json, sys
pid, read, written, all_read, all_written = map(int, sys.argv[1:])
row = [each for each in map(json.loads, open("by_process")) if each["process"] == pid][0]
print("# by the log", row["reads"], "reads,", row["read_bytes"], "bytes,", row["writes"], "writes,", row["written_bytes"], "bytes; by /proc", read, written)
assert read == 200 * 4096 and 64 << 16 <= written <= 65 << 16
# At its end it may read a page of a program once more, and the file system writes blocks of its own.
assert read <= row["read_bytes"] <= all_read + (1 << 20)
assert 64 << 16 <= row["written_bytes"] <= all_written + (1 << 21)
assert row["reads"] >= 200 and row["writes"] >= 64
assert 0 < row["device_median_ns"] <= row["device_99_ns"] <= row["device_max_ns"]
assert 0 < row["queue_median_ns"] <= row["queue_max_ns"]
END
}
point "the process has its reads and writes" whose "$pid" "$read" "$written" "$all_read" "$all_written"

device() {
	python3 - "$@" <<'END'
import json, sys
disk, read, written = sys.argv[1], 512 * int(sys.argv[2]), 512 * int(sys.argv[3])
row = [each for each in map(json.loads, open("by_device")) if each["name"] == disk][0]
print("# by the log", row["read_bytes"], row["written_bytes"], "by /sys/block", read, written)
# The log is longer than the time between the two looks.
assert row["read_bytes"] >= read and row["written_bytes"] >= written
END
}
point "the disk has at least what it counted itself" device "$disk" "$sectors_read" "$sectors_written"

# The journal of a file system, and not the process, may ask for it.
flushed() {
	python3 -c 'import json; raise SystemExit(sum(row["flushes"] for row in map(json.loads, open("by_device")) if row["name"] == "'"$disk"'") == 0)'
}
if [ "$(cat "/sys/block/$disk/queue/write_cache")" = "write back" ]; then
	point "a fsync has its cache written back" flushed
else
	n=$((n + 1))
	echo "ok $n - a fsync has its cache written back # SKIP the disk has none"
fi

# A request's bytes are those of a transfer of the class io at the same time, request by request.
alike() {
	"$bcoslog" dump --json log 2>/dev/null | python3 -c '
import json, re, sys
transfers, requests = [], []
for entry in map(json.loads, sys.stdin):
    if entry["name"] in ("Device Input", "Device Output"):
        transfers.append((entry["source"], entry["name"] == "Device Input", entry["bytes"]))
    elif entry.get("event") == 0xC0000020:
        told = re.match(r"([RW])[a-z]*(\d+) (\d+)@\d+ \S+(.*)", entry["text"])
        if told and int(told[3]) and " e" not in told[4]:
            requests.append((int(told[2]), told[1] == "R", int(told[3])))
disks = {device for device, _, _ in requests}
transfers = [each for each in transfers if each[0] in disks]
print("#", len(requests), "requests,", len(transfers), "transfers")
assert len(requests) > 260 and requests == transfers
'
}
point "each transfer of a disk is a request of somebody" alike
point "nothing is wrong with the log" "$bcoslog" check log
echo "1..$n"
exit "$status"
