# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by scripts/lib/qemu.sh: finds a CPU that a defect of the emulator has caught. Not to be run.
#
# QEMU before 8.1 may translate code while another CPU replaces it, and then keep the old bytes for good. The kernel
# replaces code by way of a breakpoint, so the CPU may meet, again and again, a breakpoint that is in its translation
# and not in memory any more. The kernel then hangs, mostly without a word. Seen from the monitor: the CPU enters the
# handler of breakpoints, to return to a byte that follows no breakpoint. Once, that is a race; it is a verdict when
# it is so at the same place many times.

# A CPU that is caught is at the entry in every seventh look or so. Missed by one watch, it is found by a later one.
readonly STALE_TIMES=5 STALE_LOOKS=120 STALE_FIRST_LOOKS=12

# hex_values: the numbers in the monitor's memory dump, a line each.
hex_values() { sed 's/^[^:]*://' | grep -oE '0x[0-9a-f]+'; }

# breakpoint_handler IDT: its address, by the table's entry for vector 3.
breakpoint_handler() {
	local low high
	{ read -r low && read -r high; } < <(monitor "x /2gx 0x$1 + 0x30" | hex_values)
	printf '%016x\n' "$((high << 32 | (low >> 32 & 0xffff0000) | (low & 0xffff)))"
}

# returns_to RSP: the address that an exception at its entry returns to, if that follows no breakpoint.
returns_to() {
	local place byte
	place=$(monitor "x /1gx 0x$1" | hex_values)
	[ -n "$place" ] || return 1
	byte=$(monitor "x /1bx $place - 1" | hex_values)
	[ -n "$byte" ] && [ "$byte" != 0xcc ] && echo "$place"
}

# One look at all CPUs: where each that enters the handler came from, wrongly.
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

# Has one been caught? Looks again only if it seems so.
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
