#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests the recorder as a service: what it tells systemd, by a socket of the test's own, and what systemd says about the
# unit, where there is a systemd.

set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
units=$top/scripts/systemd

make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/assemble" >/dev/null || exit 1
make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
"$BUILD/tests/assemble" "$top/tests/cli/golden/types.log" >"$dir/types.log" || exit 1

# This recorder reads a pipe. The pipe gets a log when the recorder has said that it is ready, and is closed when the
# recorder has said twice that it lives. Then the recorder ends by itself.
cat >"$dir/manager.py" <<'END'
import os, socket, subprocess, sys
folder, tool = sys.argv[1:]
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(folder + "/notify")
manager.settimeout(60)
environment = dict(os.environ, NOTIFY_SOCKET=folder + "/notify", WATCHDOG_USEC="400000")
recorder = subprocess.Popen([tool, "record", "-o", folder + "/kept", "--interval", "1h", "-"], env=environment,
                            stdin=subprocess.PIPE)
alive, said = 0, []
while alive < 3:
    word = manager.recv(1000).decode()
    alive += word == "WATCHDOG=1"
    if word not in said:
        said.append(word)
    if word == "READY=1":
        recorder.stdin.write(open(folder + "/types.log", "rb").read())
        recorder.stdin.flush()
recorder.stdin.close()
print(*said, sep="\n")
sys.exit(recorder.wait())
END
# shellcheck disable=SC2317  # point calls them
tells() {
	python3 "$dir/manager.py" "$dir" "$BUILD/bcoslog" >"$dir/said" 2>"$dir/err" || { cat "$dir/err"; return 1; }
	diff <(printf '%s\n' READY=1 "STATUS=recording into $dir/kept" WATCHDOG=1) "$dir/said"
}
point "the recorder says that it is ready, what it does, and that it lives" tells
# shellcheck disable=SC2317
kept() { [ "$("$BUILD/bcoslog" dump --json "$dir/kept" | grep -c hello)" = 1 ]; }
point "and records meanwhile" kept

# agrees: the files agree on the start of the unit, its user, and the paths.
# shellcheck disable=SC2317,SC2016
agrees() {
	grep -qx 'WantedBy=dev-bcos_evlog.device' "$units/bcos-record.service" && grep -q 'TAG+="systemd"' "$units/60-bcos_evlog.rules" &&
		grep -q '^u bcos ' "$units/bcos_evlog.sysusers.conf" && grep -qx 'User=bcos' "$units/bcos-record.service" &&
		grep -qx 'd /var/lib/bcos_evlog 0750 bcos bcos -' "$units/bcos_evlog.tmpfiles.conf" &&
		grep -qx 'ExecStart=@PREFIX@/bin/bcoslog record -o /var/lib/bcos_evlog \$KEEP' "$units/bcos-record.service"
}
point "unit, udev rule, user and directory agree" agrees
# may_open: the user of the unit may open each device in the way that the unit allows it.
# shellcheck disable=SC2317
may_open() {
	local device access rule
	while read -r device access; do
		rule=$(grep "^KERNEL==\"${device#/dev/}\"," "$units/60-bcos_evlog.rules") || { echo "no rule is for $device"; return 1; }
		case $access,$rule in
		r,*'GROUP="bcos", MODE="0640"'* | rw,*'OWNER="bcos", GROUP="bcos", MODE="0640"'*) ;;
		*) echo "the unit opens $device as $access: $rule"; return 1 ;;
		esac
	done < <(sed -n 's/^DeviceAllow=//p' "$units/bcos-record.service")
}
point "the user of the unit may open what the unit opens" may_open
# shellcheck disable=SC2317
parameters() {
	local name
	for name in $(grep -oE '\b[a-z_]+=' "$units/bcos_evlog.modprobe.conf" | tr -d =); do
		grep -qhE "(BCOS_RANGE[A-Z_]*\($name|module_param_cb\($name)," "$top/module/params.c" "$top/module/control/mask.c" || { echo "$name"; return 1; }
	done
}
point "modprobe.d names parameters that there are" parameters

# The service that records by BPF programs differs in its source, in the rights for that, and in what else it reads.
# shellcheck disable=SC2317
differs() {
	diff <(grep -v '^#' "$units/bcos-record.service") <(grep -v '^#' "$units/bcos-record-bpf.service") | grep '^[<>]' |
		cut -d= -f1 | sort -u | diff - <(printf '%s\n' '< '{After,AmbientCapabilities,BindsTo,CapabilityBoundingSet,Description} \
		'< '{DeviceAllow,Documentation,ExecStart,PrivateNetwork,ProtectKernelLogs,RestrictAddressFamilies,WantedBy} \
		'> '{After,AmbientCapabilities,CapabilityBoundingSet,ConditionPathExists,Description,DeviceAllow} \
		'> '{Documentation,ExecStart,RestrictAddressFamilies,SystemCallFilter,WantedBy} | sort)
}
point "the unit of BPF programs is as hardened, but for what they take" differs
for unit in bcos-record bcos-record-bpf; do sed 's|@PREFIX@|/usr|' "$units/$unit.service" >"$dir/$unit.service"; done
if command -v systemd-analyze >/dev/null; then
	# shellcheck disable=SC2317
	is_safe() { systemd-analyze security --offline=yes --threshold=20 --no-pager "$dir/$1.service"; }
	# shellcheck disable=SC2317
	verifies() { ! systemd-analyze verify "$dir/$1.service" 2>&1 | grep -v "not executable\|Command 'man "; }
	# shellcheck disable=SC2317
	capabilities() { [ "$(sed -n 's/^CapabilityBoundingSet=//p' "$dir/$1.service")" = "$2" ]; }
	for unit in bcos-record bcos-record-bpf; do
		point "$unit is exposed by less than 2.0, as systemd reckons" is_safe "$unit"
		point "and systemd understands all of it" verifies "$unit"
	done
	point "the module's takes one capability" capabilities bcos-record CAP_PERFMON
	point "that of BPF programs three" capabilities bcos-record-bpf "CAP_BPF CAP_PERFMON CAP_SYSLOG"
else
	n=$((n + 1))
	echo "ok $n - the units, as systemd reckons # SKIP there is no systemd-analyze here"
fi
if command -v udevadm >/dev/null && udevadm --help 2>/dev/null | grep -q ' verify '; then
	point "udev understands the rule" udevadm verify "$units/60-bcos_evlog.rules"
fi
echo "1..$n"
exit "$status"
