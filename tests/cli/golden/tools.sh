# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# The commands of the cases source this file.

# with_device LOG "FIELD=VALUE ..." COMMAND...: the command finds a device that gives the log's bytes and this status.
# The device says on standard error which changes the command asks for. See fake_device.c for the fields.
with_device() {
	local log=$1 status=$2
	shift 2
	FAKE_LOG=$log FAKE_STATUS=$status LD_PRELOAD=$FAKE_DEVICE "$@"
}

# interrupted SIGNAL LINES COMMAND...: sends the command the signal once it has printed so many lines.
interrupted() {
	local signal=$1 lines=$2 line process i
	shift 2
	coproc "$@"
	process=$COPROC_PID
	exec {from}<&"${COPROC[0]}"
	for ((i = 0; i < lines; i++)); do
		IFS= read -r line <&"$from" || break
		printf '%s\n' "$line"
	done
	kill -s "$signal" "$process"
	cat <&"$from"
	wait "$process"
}

# on_terminal COMMAND: prints the output that a terminal gets, with ^ in the place of the escape character.
on_terminal() {
	script -qec "$*" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b/^/g'
}

# made_system DIR: makes a machine on which everything works, as far as bcoslog doctor looks at its files. Its user is
# root.
made_system() {
	local release=6.12.0-1-amd64 name
	rm -rf "$1"
	mkdir -p "$1"/{etc,dev,boot,usr/bin,usr/libexec,proc/sys/kernel,proc/self,run/systemd/system} \
		"$1/lib/modules/$release/"{build,updates} "$1/etc/default" "$1/sys/devices/system/cpu" "$1/sys/kernel/"{security,btf} "$1/sys/module/"{module,bcos_evlog}/parameters \
		"$1/etc/systemd/system/dev-bcos_evlog.device.wants" "$1/sys/fs/cgroup/system.slice/bcos-record.service" "$1/var/lib/bcos_evlog"
	cd "$1" || return
	echo 12.8 >etc/debian_version
	echo "$release" >proc/sys/kernel/osrelease
	echo 0 >proc/sys/kernel/modules_disabled
	: >proc/modules
	printf 'Name:\tbcoslog\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nGroups:\t0 \nCapEff:\t000001ffffffffff\n' >proc/self/status
	echo '         0          0 4294967295' >proc/self/uid_map
	printf 'Max locked memory         8388608              8388608              bytes     \n' >proc/self/limits
	for name in sched_switch sched_process_exit mark_victim signal_generate task_rename sched_process_exec sched_process_fork cgroup_attach_task \
		irq_handler_entry irq_handler_exit softirq_entry softirq_exit hrtimer_expire_entry hrtimer_expire_exit sys_enter sys_exit cpu_idle \
		sched_waking sched_wakeup_new block_rq_complete block_rq_issue block_getrq net_dev_xmit \
		napi_gro_frags_entry napi_gro_receive_entry netif_receive_skb_entry netif_receive_skb_list_entry netif_rx_entry; do
		echo "0000000000000000 T __traceiter_$name"
	done >proc/kallsyms
	echo '[none] integrity confidentiality' >sys/kernel/security/lockdown
	echo N >sys/module/module/parameters/sig_enforce
	echo 0.1.0 >sys/module/bcos_evlog/version
	: >sys/kernel/btf/vmlinux
	printf '%s\n' CONFIG_64BIT=y CONFIG_MODULES=y CONFIG_TRACEPOINTS=y >"boot/config-$release"
	: >"lib/modules/$release/build/Makefile"
	echo 'updates/bcos_evlog.ko:' >"lib/modules/$release/modules.dep"
	printf 'ELF\0license=GPL\0version=0.1.0\0name=bcos_evlog\0' >"lib/modules/$release/updates/bcos_evlog.ko"
	: >usr/bin/gcc
	: >usr/bin/make
	printf '%s' log >dev/bcos_evlog
	chmod 640 dev/bcos_evlog
	echo 0-3 >sys/devices/system/cpu/possible
	echo 'BOOT_IMAGE=/boot/vmlinuz root=/dev/vda1 ro quiet' >proc/cmdline
	: >etc/default/grub
	echo 0x1000000 >sys/module/bcos_evlog/parameters/keep_size
	: >etc/systemd/system/bcos-record.service
	: >etc/systemd/system/dev-bcos_evlog.device.wants/bcos-record.service
	echo 4711 >sys/fs/cgroup/system.slice/bcos-record.service/cgroup.procs
	cd - >/dev/null || return
}

# without_module DIR: in what made_system() made, the module is neither loaded nor installed any more.
without_module() {
	rm -r "$1/sys/module/bcos_evlog" "$1/lib/modules/6.12.0-1-amd64/updates/bcos_evlog.ko" "$1/dev/bcos_evlog"
	: >"$1/lib/modules/6.12.0-1-amd64/modules.dep"
}

# of_user DIR [GROUPS]: in what made_system() made, the caller becomes an ordinary user.
of_user() {
	printf 'Uid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\nGroups:\t1000 %s\nCapEff:\t0000000000000000\n' "${2-}" \
		>"$1/proc/self/status"
}

# examined ARGUMENT...: prints what bcoslog doctor says, whatever its exit status.
examined() { bcoslog doctor "$@" || true; }

# recording KIND [OPTION...]: makes a recording of perf or trace-cmd of what standard input says; see recording.py.
recording() {
	python3 "$GOLDEN/recording.py" "$@"
}

# drawn [LABEL...]: prints what the drawing on standard input shows in the rows with these labels; see drawn.py.
drawn() { python3 -B "$GOLDEN/drawn.py" "$@"; }

# happened: prints the events of the log on standard input, without its first group and its statements.
happened() {
	bcoslog dump - | grep -v -e ' Historical ' -e '"imported; '
}

# with_user_events RECORDED COMMAND...: the command finds a kernel with user_events, in which somebody records the
# tracepoints whose names contain RECORDED. The file events has what the command does there. See fake_user_events.c.
with_user_events() {
	local recorded=$1
	shift
	FAKE_RECORDED=$recorded FAKE_USER_EVENTS=events LD_PRELOAD=${FAKE_DEVICE%/*}/fake_user_events.so "$@"
}
