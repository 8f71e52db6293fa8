# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# scripts/guest sources this file: it makes the command line of QEMU and serves requests to its monitor.

# shellcheck source=scripts/lib/stale-code.sh
. "$SCRIPTS/lib/stale-code.sh"

readonly WATCH_SECONDS=3

# Some hosts have a /dev/kvm that hangs, so KVM is used only if it has booted this kernel. One failure decides for the
# host. The key of the cache contains everything on which the result depends.
kvm_works() {
	local cache key verdict
	[ -w /dev/kvm ] || return 1
	cache=$BUILD/guest-cache/kvm
	key="$(uname -r) $("$QEMU" --version | head -n 1)"
	mkdir -p "${cache%/*}"
	if grep -sqxF "$key: no" "$cache"; then return 1; fi
	if grep -sqxF "$key, $(<"$KERNEL_DIR/release"): yes" "$cache"; then return 0; fi
	note "trying KVM once"
	verdict=no
	if GUEST_ACCEL=kvm "$SCRIPTS/guest" --kernel "$KERNEL_ARG" --cpus 2 --timeout 20 -- true >/dev/null 2>&1; then
		verdict=yes
		key+=", $(<"$KERNEL_DIR/release")"
	fi
	echo "$key: $verdict" >>"$cache"
	[ "$verdict" = yes ]
}

choose_accel() {
	[ "$MACHINE" = x86 ] || [ "$GUEST_ACCEL" != auto ] || GUEST_ACCEL=tcg
	case $GUEST_ACCEL in
	kvm | tcg | tcg-single) ;;
	auto) if [ -z "$ICOUNT$SMT" ] && kvm_works; then GUEST_ACCEL=kvm; else GUEST_ACCEL=tcg; fi ;;
	*) die "GUEST_ACCEL=$GUEST_ACCEL is not auto, kvm, tcg or tcg-single" ;;
	esac
}

# qemu_command INITRAMFS: sets the array COMMAND_LINE.
qemu_command() {
	local cpu ports kernel reboots=-no-reboot extra=()
	[ -z "$REBOOTS" ] || reboots=''
	choose_accel
	kernel=$(boot_image) || exit 1
	cpu=$(cpu_options) || exit 1
	ports=$(port_options)
	for item in "${QEMU_EXTRA[@]}"; do
		# shellcheck disable=SC2206  # --qemu takes several words
		extra+=($item)
	done
	# shellcheck disable=SC2206  # built from words without spaces
	COMMAND_LINE=("$QEMU" -M "$BOARD" -m "$MEMORY" $cpu $(board_options)
		-nodefaults -no-user-config -display none $reboots $ports
		-kernel "$kernel" -initrd "$1"
		-append "$BOOT_OPTIONS panic=-1 $APPEND" "${extra[@]}")
	[ -z "$CAPACITY" ] || describe_cpus
}

make_pipes() {
	mkfifo "$RUN/host.in" "$RUN/host.out" "$RUN/qmp.in" "$RUN/qmp.out"
}

# Ends this process, and removes the files of a script that was killed by SIGKILL and so has left them.
leave() {
	rm -rf "$RUN"
	exit 1
}

# hear: reads a line from the monitor into the variable line.
hear() {
	local part=''
	line=''
	until IFS= read -r -t "$WATCH_SECONDS" part <&8; do
		line+=$part
		! alone || leave
	done
	line+=$part
}

# monitor COMMAND: prints the monitor's answer. A command is one line, and its JSON string requires only these escapes.
monitor() {
	local text=${1//\\/\\\\} line
	text=${text//\"/\\\"}
	printf '{"execute":"human-monitor-command","arguments":{"command-line":"%s"}}\n' "$text" >&7
	while hear; do
		case $line in
		'{"return": '*) line=${line#*: \"}; line=${line%\"*}; printf '%b' "${line//\\\"/\"}" | tr -d '\r'; return ;;
		'{"error": '*) printf '%s\n' "$line"; return ;;
		esac
	done
}

# answer COMMAND: sends the answer of the monitor to the guest.
answer() {
	local text status=0 tries=0
	# A device that is removed keeps its name until the guest has powered off its slot.
	while text=$(monitor "$1"); [[ $text == *"Duplicate device ID"* ]] && [ "$tries" -lt 120 ]; do
		tries=$((tries + 1))
		sleep 0.5
	done
	case $text in Error* | *"unknown command"* | '{"error"'*) status=1 ;; esac
	{ [ -z "$text" ] || sed 's/^/TEXT: /' <<<"$text"; echo "DONE: $status"; } >&5
}

# Serves the requests of the guest (HOST: COMMAND on its fourth port) until QEMU is gone, and watches its CPUs. The
# pipes are opened for both directions, so that opening them does not block, and reading them never reaches an end.
serve_requests() {
	local line request='' status
	exec 5<>"$RUN/host.in" 6<>"$RUN/host.out" 7<>"$RUN/qmp.in" 8<>"$RUN/qmp.out"
	printf '{"execute":"qmp_capabilities"}\n' >&7
	hear # the greeting
	hear # what the capabilities return
	while :; do
		status=0
		IFS= read -r -t "$WATCH_SECONDS" line <&6 || status=$?
		request+=$line
		if [ "$status" = 0 ]; then
			request=${request%$'\r'}
			[[ $request != "HOST: "* ]] || answer "${request#HOST: }"
			request=''
		elif [ "$status" -le 128 ]; then
			return
		elif alone; then
			leave
		elif [ "$MACHINE" = x86 ] && code_is_stale; then
			: >"$RUN/stale"
			monitor quit
		fi
	done
}
