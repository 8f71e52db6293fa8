#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog-read has a capability, and runs nothing of its caller's: no library, plugin, pager or shell. When it hands over, it
# has the capability no more. bcoslog, which runs all of these, has none.
#
# The programs are those of $BUILD. The points about the capability are skipped unless root runs them where setcap works.
#
# shellcheck disable=SC2317  # point calls the functions

set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
absent() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1

needs_libc_alone() {
	[ "$(readelf -d "$BUILD/bcoslog-read" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')" = libc.so.6 ] ||
		{ readelf -d "$BUILD/bcoslog-read" | grep NEEDED; return 1; }
}
point "it is linked to libc alone" needs_libc_alone
# None of these starts a program, loads a library, or reads the environment or a file.
calls_little() {
	nm -D --undefined-only "$BUILD/bcoslog-read" | awk '{ sub(/@.*/, "", $NF); print $NF }' | grep -vxE \
		'__errno_location|__libc_start_main|__(cxa_finalize|gmon_start__)|_ITM_.*|__stack_chk_fail|fstat|__fxstat|getsockopt|ioctl|open(64)?|prctl|sendmsg|syscall|write|mem(cpy|set)' &&
		return 1
	return 0
}
point "it calls nothing but these functions" calls_little

# The plant of a library and of a plugin: it tells, once it is loaded, with which capabilities.
printf '%s\n' '#include <fcntl.h>' '#include <stdlib.h>' '#include <string.h>' '#include <unistd.h>' \
	'__attribute__((constructor)) static void tell_rights(void)' '{' 'char text[4096]; int fd = open("/proc/self/status", O_RDONLY), to;' \
	'ssize_t n = read(fd, text, sizeof(text) - 1); close(fd); if (n < 0) return; text[n] = 0;' \
	'to = open(PLACE, O_WRONLY | O_CREAT | O_APPEND, 0666); if (to >= 0) write(to, strstr(text, "CapEff"), 24), write(to, "\n", 1); close(to); }' >"$root/plant.c"
mkdir "$root/plugins" "$root/bin" "$root/libexec" "$root/told"
chmod 755 "$root"
chmod 777 "$root/told"
"${CC:-cc}" -w -shared -fPIC -DPLACE="\"$root/told/rights\"" "$root/plant.c" -o "$root/plugins/babeltrace-plugin-plant.so" || exit 1
mkdir "$root/libraries" && cp "$root/plugins/babeltrace-plugin-plant.so" "$root/libraries/libc.so.6"
cp "$root/plugins/babeltrace-plugin-plant.so" "$root/plugins/plant.so"
install -m 755 "$BUILD/bcoslog" "$root/bin/bcoslog"
install -m 755 "$BUILD/bcoslog-read" "$root/libexec/bcoslog-read"

# asks PROGRAM: starts it with one end of a pair of sockets, as bcoslog does, and whatever the environment is. Prints the errno
# that it sends, whether it sends a descriptor, and with HOLD=1 what rights it has while it cannot send yet.
cat >"$root/asks.py" <<'P'
import array, os, socket, struct, sys, time
mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
hold = os.environ.get("HOLD") == "1"
if hold:
    its.setblocking(False)
    try:
        while True:
            its.send(b"x" * 1000)
    except BlockingIOError:
        its.setblocking(True)
child = os.fork()
if not child:
    os.dup2(its.fileno(), 0)
    os.execv(sys.argv[1], ["bcoslog-read"])
its.close()
if hold:
    for _ in range(100):
        time.sleep(0.05)
        with open(f"/proc/{child}/status") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        if status["Name"] == "bcoslog-read" and status["NoNewPrivs"] == "1":
            break
    print(status["Name"], status["State"][0], "no new privileges:", status["NoNewPrivs"], "permitted:", int(status["CapPrm"], 16), "effective:", int(status["CapEff"], 16))
    while len(mine.recv(2000)) == 1000:
        pass
else:
    bytes_, rights, _, _ = mine.recvmsg(100, 100)
    print("errno", struct.unpack("i", bytes_)[0], "descriptors", len(rights))
os.waitpid(child, 0)
P
is() { [ "$1" = "$2" ] || { echo "it is: $1"; return 1; }; }
if [ -e /dev/bcos_evlog ]; then
	absent "it says that there is no device" "there is one"
else
	point "it says that there is no device" is "$(python3 "$root/asks.py" "$BUILD/bcoslog-read")" "errno 2 descriptors 0"
fi

# No library of the converter loads a plugin that the environment names.
no_plugin() {
	"$BUILD/tests/assemble" "$top/tests/cli/golden/types.log" >"$root/types.log" && "$BUILD/bcoslog" convert -t ctf -o "$root/ctf" "$root/types.log" &&
		BABELTRACE_PLUGIN_PATH=$root/plugins "$BUILD/bcoslog" convert -f ctf "$root/ctf" -o "$root/again.log" && [ -s "$root/again.log" ] && [ ! -e "$root/told/rights" ]
}
if "$BUILD/bcoslog" convert --help | grep -q '^  ctf '; then
	point "a trace is read without the plugins of the environment" no_plugin
else
	absent "a trace is read without the plugins of the environment" "bcoslog is built without babeltrace2"
fi

why=
[ "$(id -u)" = 0 ] || why="only root can give a capability"
# One that the user may run, too.
python=/usr/bin/python3
[ -n "$why" ] || setpriv --reuid 65534 --regid 65534 --clear-groups "$python" -c '' 2>/dev/null || why="other users cannot run $python"
[ -n "$why" ] || setcap cap_perfmon=ep "$root/libexec/bcoslog-read" 2>/dev/null || why="setcap does not work here"
if [ -n "$why" ]; then
	absent "nothing of the caller's runs with the capability" "$why"
	absent "it hands over without the capability" "$why"
else
	# A user whose environment has all that a loader, a library or a shell may obey.
	as_user() {
		setpriv --reuid 65534 --regid 65534 --clear-groups env LD_PRELOAD="$root/plugins/plant.so" ITS_LIBRARIES="$root/libraries" \
			LD_AUDIT="$root/plugins/plant.so" BABELTRACE_PLUGIN_PATH="$root/plugins" LIBBABELTRACE2_PLUGIN_PROVIDER_DIR="$root/plugins" \
			TRACEEVENT_PLUGIN_DIR="$root/plugins" GCONV_PATH="$root/plugins" PAGER="$root/plugins/plant.so" "$@"
	}
	# The plant is loaded into bcoslog and python3, which have no capability, and tells 0 for these.
	runs_nothing() {
		rm -f "$root/told/rights"
		as_user "$python" "$root/asks.py" "$root/libexec/bcoslog-read" >/dev/null
		as_user "$root/bin/bcoslog" --engine module dump >/dev/null 2>&1
		is "$(sort -u "$root/told/rights")" "CapEff:	0000000000000000"
	}
	point "nothing of the caller's runs with the capability" runs_nothing
	# If it did, the plant would tell: the program that the user may start has the capability.
	plant_tells() {
		rm -f "$root/told/rights"
		setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps +perfmon --ambient-caps +perfmon \
			env LD_PRELOAD="$root/plugins/plant.so" "$root/bin/bcoslog" --version >/dev/null
		grep -q 0000004000000000 "$root/told/rights"
	}
	point "it would be noticed" plant_tells
	point "it hands over without the capability" is "$(HOLD=1 setpriv --reuid 65534 --regid 65534 --clear-groups "$python" "$root/asks.py" "$root/libexec/bcoslog-read")" \
		"bcoslog-read S no new privileges: 1 permitted: 0 effective: 0"
fi
echo "1..$n"
exit "$status"
