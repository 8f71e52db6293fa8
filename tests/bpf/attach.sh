#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests bcoslog attach with programs of this test, which need no module: they count their calls in a map that bpftool
# reads. tests/guest/bpf/examples.sh tests programs that write into the module's log.
#
# test: cpus=1 timeout=120
#
# The tool is $BCOSLOG, else $BUILD/bcoslog.

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../lib/tool.sh"
cd "$dir" || exit 1
said() { "$bcoslog" attach "$@" >out 2>error; }

# These points need no BPF.
is_refused() { [ "$1" = 2 ] && [ ! -s out ] && [ "$(cat error)" = "bcoslog: $2" ] || { echo "status $1"; cat out error; return 1; }; }
if ! "$bcoslog" attach 2>&1 | grep -q 'built without BPF'; then
	said; point "without a file" is_refused $? "attach needs a file of BPF programs: see bcoslog attach --help"
	said one two; point "with two" is_refused $? "attach takes one file: one and two are two"
	said nowhere; point "with one that is not there" is_refused $? "nowhere cannot be used as BPF programs: No such file or directory"
	said --nothing; point "with an option that is none" is_refused $? "attach has no option --nothing: see bcoslog attach --help"
fi
tools=no
command -v clang >/dev/null && command -v bpftool >/dev/null && "$bcoslog" --engine bpf status >/dev/null 2>refusal && tools=yes
[ $tools = yes ] || { n=$((n + 1)); echo "ok $n - programs # SKIP there is no clang, bpftool or BPF"; echo "1..$n"; exit "$status"; }

# make_program NAME COUNT TEXT...: makes a file of COUNT programs that count system calls of one process, and of TEXT.
make_program() {
	local name=$1 count=$2 i
	shift 2
	{
		printf '%s\n' '#define SEC(name) __attribute__((section(name), used))' \
			'struct { int (*type)[2]; int (*max_entries)[1]; int *key; unsigned long long *value; } counted SEC(".maps");' \
			'static void *(*lookup)(void *, const void *) = (void *)1;' "$@"
		for ((i = 0; i < count; i++)); do
			echo "SEC(\"tp_btf/sys_enter\") int count_$i(void *context) { int key = 0; unsigned long long *value = lookup(&counted, &key); if (value) __sync_fetch_and_add(value, 1); return 0; }"
		done
		echo 'char _license[] SEC("license") = "GPL";'
	} >"$name.c"
	clang -g -O2 -target bpf -c "$name.c" -o "$name.o" || exit 1
}
until_holds() {
	local tries
	for ((tries = 0; tries < 400; tries++)); do "$@" && return; sleep 0.05; done
	echo "it never came to this: $*"
	return 1
}
counts() { bpftool map dump name counted 2>/dev/null | grep -q '"value": [1-9]'; }
is_gone() { ! bpftool map show name counted 2>/dev/null | grep -q .; }

# attached FILE SIGNAL TEXT: bcoslog attach says TEXT, its programs run until the signal comes, and none is left then.
attached() {
	local process code
	is_gone || { echo "there is such a map already"; return 1; }
	"$bcoslog" attach "$1" >out 2>error &
	process=$!
	until_holds grep -qx "$3" out && until_holds counts || { cat error; kill -9 $process; return 1; }
	kill "-$2" $process
	wait $process
	code=$?
	[ "$code" = 0 ] && [ ! -s error ] && until_holds is_gone || { echo "status $code"; cat error; return 1; }
}
make_program one 1
make_program two 2
point "a program" attached one.o TERM "1 program is attached, until Ctrl-C"
point "two of them" attached two.o TERM "2 programs are attached, until Ctrl-C"
# A program in the background of a script ignores Ctrl-C, unless it is a job of its own.
set -m
point "until Ctrl-C" attached one.o INT "1 program is attached, until Ctrl-C"
set +m
# Programs with a "?", which are only there to be chosen, are not loaded.
make_program chosen 1 'SEC("?tp_btf/sys_exit") int other(void *context) { return 0; }'
point "what is to be chosen is left out" attached chosen.o TERM "1 program is attached, until Ctrl-C"

[ ! -e /sys/module/bcos_evlog ] || { echo "1..$n"; exit "$status"; }
absent="the module is not loaded, and there is no log that programs could write into: insmod bcos_evlog.ko"
make_program wrong 1 'SEC("tp_btf/sys_exit") int wrong(void *context) { return *(volatile int *)0; }'
said wrong.o; point "one that the kernel does not take" is_refused $? "$absent"
make_program many 65
said many.o; point "too many" is_refused $? "more than 64 programs in a file are not supported"
make_program nowhere 0 'SEC("tp/no/such") int nowhere(void *context) { return 0; }'
said nowhere.o; point "where there is nothing to attach to" is_refused $? "program nowhere cannot be attached: No such file or directory"
point "and nothing is left" until_holds is_gone
full() { "$bcoslog" attach one.o >/dev/full 2>error; }
full; point "output that cannot be written" eval '[ '$?' = 2 ] && grep -qx "bcoslog: standard output cannot be written: No space left on device" error'
echo "1..$n"
exit "$status"
