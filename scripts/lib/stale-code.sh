# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# scripts/lib/qemu.sh sources this file: it finds a CPU that a defect of the emulator has caught.
#
# QEMU before 8.1 may translate code while another CPU replaces it, and then keep the old bytes for good. The kernel
# replaces code by means of a breakpoint. So the CPU may execute a breakpoint again and again that is in its translation
# but no longer in memory, and the kernel hangs, mostly without a message. The monitor then shows that the CPU enters
# the handler of breakpoints with a return address that follows no breakpoint. One such look may be a race; many looks
# with the same address prove the defect.

# About every seventh look finds a caught CPU at the entry of the handler. If one watch misses the CPU, a later one
# finds it.
readonly STALE_TIMES=5 STALE_LOOKS=120 STALE_FIRST_LOOKS=12

# hex_values: prints each number of a memory dump of the monitor on a line.
hex_values() { sed 's/^[^:]*://' | grep -oE '0x[0-9a-f]+'; }

# breakpoint_handler IDT: prints the address of the handler from the table's entry for vector 3.
breakpoint_handler() {
	local low high
	{ read -r low && read -r high; } < <(monitor "x /2gx 0x$1 + 0x30" | hex_values)
	printf '%016x\n' "$((high << 32 | (low >> 32 & 0xffff0000) | (low & 0xffff)))"
}

# returns_to RSP: prints the return address of an exception at its entry, if it follows no breakpoint.
returns_to() {
	local place byte
	place=$(monitor "x /1gx 0x$1" | hex_values)
	[ -n "$place" ] || return 1
	byte=$(monitor "x /1bx $place - 1" | hex_values)
	[ -n "$byte" ] && [ "$byte" != 0xcc ] && echo "$place"
}

# Looks at all CPUs once, and prints the wrong return address of each CPU that enters the handler.
stale_places() {
	local cpu rsp rip idt handler=''
	while read -r cpu rsp rip idt; do
		[ "$((0x$idt >> 63))" != 0 ] || continue
		[ -n "$handler" ] || handler=$(breakpoint_handler "$idt")
		[ "$rip" = "$handler" ] || continue
		monitor "cpu $cpu" >/dev/null
		returns_to "$rsp" || true
	done < <(monitor "info registers -a" | awk '
		/^CPU#/ { cpu = substr($1, 5) }
		match($0, /RSP=[0-9a-f]+/) { rsp = substr($0, RSTART + 4, RLENGTH - 4) }
		match($0, /RIP=[0-9a-f]+/) { rip = substr($0, RSTART + 4, RLENGTH - 4) }
		/^IDT=/ && length(rip) == 16 { print cpu, rsp, rip, $2 }')
}

# Is a CPU caught? Further looks follow only if the first ones raise a suspicion.
code_is_stale() {
	local place seen='' looks=0
	local -A times=()
	while [ "$looks" -lt "$STALE_LOOKS" ]; do
		looks=$((looks + 1))
		while read -r place; do
			seen=yes
			times[$place]=$((${times[$place]:-0} + 1))
			[ "${times[$place]}" -lt "$STALE_TIMES" ] || return 0
		done < <(stale_places)
		[ -n "$seen" ] || [ "$looks" -lt "$STALE_FIRST_LOOKS" ] || return 1
	done
	return 1
}
