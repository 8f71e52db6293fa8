#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests bcoslog top on a terminal: what is on the screen, what keys do, and how it ends. The figures are those of
# golden/reports.log, which golden/reports.cases explains.
# test: timeout=240
#
# The tool is $BCOSLOG, else $BUILD/bcoslog.

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
# shellcheck source=tests/lib/terminal.sh
. "$top/tests/lib/terminal.sh"
trap 'terminal_end; rm -rf "$dir"' EXIT

golden=$top/tests/cli/golden
for log in reports unknown hostile woken; do
	"$BUILD/tests/assemble" "$golden/$log.log" >"$dir/$log.log" || exit 1
done
ln -s "$bcoslog" "$dir/bcoslog"
PATH=$dir:$PATH

# order ID...: the processes on the screen are in this order.
order() { [ "$(screen | awk '$1 ~ /^[0-9]+$/ && $3 == "%" || $4 == "%" { print $1 }' | xargs)" = "$*" ]; }

terminal 80 12 "bcoslog top reports.log"
point "a screen of 80 columns" is 'bcoslog top  reports.log  2.000 s since boot, all of 1.000 s
busy 70.0 %  kernel 10.0 %  idle 20.0 %  unknown 0.0 %  2 CPUs  0.80 W
3 processes, 1 began, 1 ended, 0 execs and renames
CPUs █▅
process  name       CPU      time     total  turns
10       ten     40.0 %  800.0 ms  800.0 ms      1  ended
20       twenty  30.0 %  600.0 ms  600.0 ms      1
0        kernel  10.0 %  200.0 ms  200.0 ms      2
30       thirty   0.0 %      0 ns      0 ns      0


1 top  2 cpu  3 io  4 power  5 offcpu  6 latency  7 processes  h help  q quit'
keys w
point "sorted by power, the view has what the cores state of work" shows '10       ten     40.0 %  800.0 ms  800.0 ms  0.360      5.440      1  ended   0.'
keys Right
point "what has no room is to the right" shows 'name       CPU      time     total  watts  M instr/s  turns         joules'
keys Left c
point "and else it has not" shows 'process  name       CPU      time     total  turns'
keys n
point "by name" wait_for order 0 10 30 20
keys i
point "by ID" wait_for order 0 10 20 30
keys r
point "the other way round" wait_for order 30 20 10 0
keys r t
point "by total time" wait_for order 10 20 0 30
keys n
wait_for order 0 10 30 20
keys w
point "by power" wait_for order 10 20 0 30
keys n
wait_for order 0 10 30 20
keys c
point "by CPU time" wait_for order 10 20 0 30
keys 2
point "what CPUs were used for" shows '1       0  1000.0 ms     60.0 %   0.0 %  40.0 %    0.0 %      1'
keys 3
point "devices" shows '0x00000000  sda          8192 B     0 B             2    0           1       0'
keys 4
point "cores" shows 'all   1000.0 ms  0.0 %      9.920  88.6 %   0.800  0.800     12.400'
keys 5
point "stretches without a CPU" shows '     10  ten   1.500000000  1.600000000       100.0 ms    0        0  kernel'
keys 6
point "waiting for a CPU" shows '     10  ten   off      1  100.0 ms  100.0 ms  1.600000000  800.0 ms'
keys 7
point "who lived" shows '     10  ten     0.500000000  1.900000000  SIGKILL, sent by user space  800.0 ms'
keys h
point "help" shows 'c t w n i  sort top by CPU time, total time, watts, name, ID (process)'
keys x
point "is left by any key" shows '     10  ten     0.500000000  1.900000000'
keys 1
point "and the first view is there again" shows '10       ten     40.0 %'
on_server resize-window -t 0 -x 40 -y 7
point "a small window shows less" is 'bcoslog top  reports.log  2.000 s since
busy 70.0 %  kernel 10.0 %  idle 20.0 %
3 processes, 1 began, 1 ended, 0 execs a
CPUs █▅
process  name       CPU      time     to
10       ten     40.0 %  800.0 ms  800.0
1 top  2 cpu  3 io  4 power  5 offcpu  6'
keys Down
point "down" shows '20       twenty  30.0 %  600.0 ms  600.0'
keys End
point "to the end" shows '30       thirty'
keys PageUp
point "a page up" shows '0        kernel'
keys Home
point "to the beginning" shows '10       ten '
keys PageDown
point "a page down" shows '20       twenty'
keys Up
point "up" shows '10       ten '
keys / x y Escape
point "what is looked for is left" shows '10       ten '
keys / t w x BSpace Enter
point "a letter is taken back" shows '20       twenty'
keys Home
shows '10       ten '
keys / t h i r Enter
point "a name is found" shows '30       thirty'
keys q
point "q leaves" ends 0

terminal 200 9 "bcoslog top --energy reports.log"
point "a screen of 200 columns" shows '10       ten     40.0 %  800.0 ms  800.0 ms  0.360      5.440      1  ended   0.360'
keys C-c
point "Ctrl-C leaves" ends 0
terminal 80 12 "bcoslog top reports.log"
shows twenty
kill "$(on_server list-panes -F '#{pane_pid}' | xargs -I{} pgrep -P {} bcoslog)"
point "SIGTERM ends it" ends 0

terminal 80 12 "NO_COLOR=1 bcoslog top unknown.log"
point "what is lost makes lower bounds" shows 'busy >=25.0 %  kernel >=25.0 %  idle >=0.0 %  unknown 50.0 %'
point "and is told of" shows 'the log states 1 loss: sums are lower bounds'
point "of a process, too" shows '=1+"ten\x1B  >=25.0 %  200.0 to 600.0 ms  200.0 to 600.0 ms    >=0'
colour=$(printf '\033[33m')
coloured() { screen -e | grep -qF "${colour%m}"; }
point "without colours where they are not wanted" eval '! coloured'
keys q
point "and it ends as ever" ends 0
# CPU 1 belongs to a core whose power the log does not state.
sed 's/^\(6 1 h-cpu 1\).*/6 1 h-core 1 h:0 h:0 1000\n\1 1/' "$golden/reports.log" >"$dir/dark.txt"
"$BUILD/tests/assemble" "$dir/dark.txt" >"$dir/dark.log"
terminal 120 12 "bcoslog top dark.log"
point "a sum of power says of how many cores it is not known" shows '2 CPUs  0.80 W + 1 core unknown'
keys 4
point "as the view of cores" shows '0.800 + 1 core unknown'
keys q
ends 0
terminal 80 12 "TERM=xterm-256color bcoslog top unknown.log"
point "in colours else" wait_for coloured
keys q
ends 0

terminal 80 24 "bcoslog top hostile.log"
keys 7
point "names harm no terminal" shows '\x1B[31mred\x7F\x01'
point "lines neither" shows 'a\nb\rc\td\\e"f'
keys q
point "they have no status of their own" ends 0

terminal 80 12 "LC_ALL=C bcoslog top reports.log"
point "without UTF-8 blocks are digits" shows 'CPUs 85'
keys q
ends 0
terminal 80 12 "TERM=dumb bcoslog top reports.log"
point "where the cursor does not move, it is a table" ends 0
point "as it is without a terminal" shows '10       ten      800.0 ms  40.0 %      1     100.0 ms'
terminal 80 12 "bcoslog top --once reports.log"
point "--once prints it, too" ends 0
point "on a terminal" shows '         idle     400.0 ms  20.0 %'
terminal 80 12 "bcoslog top reports.log | cat"
point "and a pipe gets it" ends 0
point "as it is" shows '         unknown      0 ns   0.0 %'
point "--every has a least" eval '! bcoslog top --every 99ms "$dir/reports.log" 2>"$dir/error" && grep -q "100ms or more, not 99ms" "$dir/error"'

# The log reaches up to 1.4 s, and then gets the rest. Process 10 has CPU 0 for 0.1 s and 0.3 s more, and the kernel for
# 0.2 s. CPU 1 belongs to process 20.
awk '{ print } / assign 1/ { exit }' "$golden/reports.log" >"$dir/first.txt"
"$BUILD/tests/assemble" "$dir/first.txt" >"$dir/first.log"
cp "$dir/first.log" "$dir/growing.log"
terminal 80 12 "bcoslog top --every 60s -f growing.log"
point "of a log that grows there is an interval" shows 'bcoslog top  growing.log  1.400 s since boot, the last 0.400 s of every 60 s'
keys p
point "it pauses" shows PAUSED
tail -c "+$(($(stat -c %s "$dir/first.log") + 1))" "$dir/reports.log" >>"$dir/growing.log"
keys p
point "and what came meanwhile is the next interval" shows 'bcoslog top  growing.log  2.000 s since boot, the last 0.600 s of every 60 s'
point "in which each has his share" shows '20       twenty  50.0 %  600.0 ms  600.0 ms      0'
point "whatever he had before" shows '10       ten     33.3 %  400.0 ms  800.0 ms'
keys w
point "also of what the cores did" shows '20       twenty  50.0 %  600.0 ms  600.0 ms  0.300      5.600      0'
keys c
point "as all have" shows 'busy 83.3 %  kernel 16.7 %  idle 0.0 %  unknown 0.0 %  2 CPUs  0.80 W'
keys 5
point "and stretches without a CPU" shows '     10  ten   1.500000000  1.600000000       100.0 ms    0        0  kernel'
keys 6
point "and who waited" shows '     10  ten   off      1  100.0 ms  100.0 ms  1.600000000  400.0 ms'
keys 4
point "and cores, of the 600 ms" shows 'all   600.0 ms  0.0 %     11.200  100.0 %   0.480'
keys 6 p
shows PAUSED
# In the next interval, process 10 has no CPU, and process 20 is without one for 30 ms.
{ cat "$golden/reports.log"; printf '%s\n' '2100000000 1 assign 1 0' '2130000000 1 assign 1 20' '2200000000 1 assign 1 20'; } >"$dir/third.txt"
"$BUILD/tests/assemble" "$dir/third.txt" >"$dir/third.log"
tail -c "+$(($(stat -c %s "$dir/reports.log") + 1))" "$dir/third.log" >>"$dir/growing.log"
keys p
point "who waited before waits no more" shows '     20  twenty  off      1   30.0 ms   30.0 ms  2.130000000  170.0 ms'
point "and is not told of" eval '! on_screen "     10  ten"'
keys 5
point "nor are stretches of before" shows '     20  twenty  2.100000000  2.130000000        30.0 ms    1        0  kernel'
point "the new ones alone" eval '! on_screen "     10  ten"'
# Process 20 had a CPU for 100 + 70 ms of the last interval, and process 10 none.
keys 7
point "who lived has the CPU time of the interval" shows '     20  twenty  0.600000000         alive  170.0 ms      1'
keys p
shows PAUSED
# An interrupt of the disk has its data after 1 ms, and process 40 lives. In the interval after that, the data take 2
# ms.
{ cat "$dir/third.txt"; printf '%s\n' '2300000000 1 irq 0 0' '2301000000 1 input 0 512' '2350000000 1 process 40 "forty"' '2360000000 1 end 40 0'; } >"$dir/fourth.txt"
"$BUILD/tests/assemble" "$dir/fourth.txt" >"$dir/fourth.log"
tail -c "+$(($(stat -c %s "$dir/third.log") + 1))" "$dir/fourth.log" >>"$dir/growing.log"
keys p
point "who was born and ended in the interval" shows '     40  forty   2.350000000  2.360000000'
keys 3 Right Right
point "latencies of devices" shows '1000.0 us  1000.0 us'
keys p 7
shows PAUSED
{ cat "$dir/fourth.txt"; printf '%s\n' '2500000000 1 irq 0 0' '2502000000 1 input 0 512' '2600000000 1 assign 1 20'; } >"$dir/fifth.txt"
"$BUILD/tests/assemble" "$dir/fifth.txt" >"$dir/fifth.log"
tail -c "+$(($(stat -c %s "$dir/fourth.log") + 1))" "$dir/fifth.log" >>"$dir/growing.log"
keys p
point "and no longer after it" shows 'processes, 0 began, 0 ended'
point "in the list" eval '! on_screen "     40  forty"'
keys 3
point "and the data of devices are of the interval" shows '0x00000000  sda          512 B  0 B             1    0           1       0'
keys Right Right
point "latencies are of the interval" shows '2000.0 us  2000.0 us'
keys p 7
shows PAUSED
# 1100 processes live and end in the next interval; the view of lives has room for 1024 that ended.
{ cat "$dir/fifth.txt"; for i in {1000..2099}; do printf '%s\n' "26$((i))00000 1 process $i \"p$i\"" "26$((i))50000 1 end $i 0"; done; } >"$dir/sixth.txt"
"$BUILD/tests/assemble" "$dir/sixth.txt" >"$dir/sixth.log"
tail -c "+$(($(stat -c %s "$dir/fifth.log") + 1))" "$dir/sixth.log" >>"$dir/growing.log"
keys p
point "of many that ended in one interval the rest is counted" shows '1100 began, 1100 ended'
keys End
point "in the view of lives, too" shows '76 others that ended'
keys Home
keys 1
keys -
point "the interval is shorter" shows 'of every 30 s'
keys + +
point "or longer" shows 'of every 60 s'
keys q
point "it ends when it is told to" ends 0

terminal 80 12 "FAKE_LOG=reports.log LD_PRELOAD=$BUILD/tests/fake_device.so bcoslog top --every 100ms"
# Its log is older than this machine, and so it is behind.
point "the device" shows '/dev/bcos_evlog  2.000 s since boot'
keys 7
point "goes on" shows '     20  twenty  0.600000000 '
keys q
point "until it is left" ends 0
terminal 80 12 "FAKE_LOG=reports.log LD_PRELOAD=$BUILD/tests/fake_device.so bcoslog top --every 100ms"
shows 'since boot'
keys C-c
point "or Ctrl-C" ends 0
terminal 80 12 "bash -c 'bcoslog top --every 100ms - < <(cat reports.log; exec sleep 1000)'"
point "of a pipe keys are the terminal's" shows 'bcoslog top  -  2.000 s since boot'
keys q
point "also the last one" ends 0

# 10,000 processes, each of which has CPU 0 for as many microseconds as its number says.
python3 - >"$dir/crowd.log" <<'END'
import struct, sys
def entry(time, kind, source, body, precision=1):
    body += b'\0' * (-len(body) % 4)
    return struct.pack('<HHIQI', 20 + len(body), kind, source, time, precision) + body
count = 10000
log = [entry(5, 0xA000, 0, struct.pack('<HHI', 100, 300, 1000)), entry(6, 0xC000, 0, struct.pack('<I', 0)),
       entry(0, 0x8000, 0, b'kernel', 0xFFFFFFFF)]
log += [entry(100 + number, 0x8000, number, b'process-%d' % number) for number in range(1, count + 1)]
time = 1000000000
for number in range(1, count + 1):
    log.append(entry(time, 0x4002, 0, struct.pack('<I', number)))
    time += number * 1000
log.append(entry(time, 0x4002, 0, struct.pack('<I', 0xFFFFFFFF)))
sys.stdout.buffer.write(b''.join(log))
END
terminal 80 12 "bcoslog top crowd.log"
point "ten thousand processes" shows '10001 processes, 0 began, 0 ended, 0 execs and renames'
point "most first" shows '10000    process-10000  0.0 %    10.0 ms    10.0 ms'
keys End
point "to the last one" shows '0        kernel         0.0 %       0 ns       0 ns'
keys / p r o c e s s - 7 6 5 4 Enter
point "one of them is found" shows '7654     process-7654   0.0 %  7654.0 us  7654.0 us'
keys q
point "and left" ends 0

head -c -3 "$dir/reports.log" >"$dir/cut.log"
terminal 80 12 "bcoslog top cut.log"
shows 'since boot'
keys q
point "a damaged log has its status" ends 1
point "and is explained when the screen is left" shows 'bcoslog: cut.log is damaged at byte'
terminal 80 12 "bcoslog top /nowhere"
point "what is not there is no screen" ends 2
echo "1..$n"
exit "$status"
