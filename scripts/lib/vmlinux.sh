# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# scripts/guest sources this file: it unpacks the kernel that QEMU boots.
#
# Under emulation a kernel spends most of its boot unpacking itself. An unpacked kernel boots by its PVH entry.

# The first bytes of a packed image, and the program that unpacks it.
readonly PACKERS='\xFD7zXZ\x00 xz
\x28\xB5\x2F\xFD zstd
\x1F\x8B\x08 gzip'

# Has this kernel a PVH entry? ELF note 0x12 of Xen names it.
has_pvh() {
	[ "$(head -c 4 "$1" | tail -c 3 | tr -d '\0')" = ELF ] &&
		readelf -n "$1" 2>/dev/null | grep -A 1 '^ *Xen ' | grep -q 0x00000012
}

# unpack_kernel VMLINUZ FILE.  Return: 1 if the image has no kernel with a PVH entry.
unpack_kernel() {
	local magic tool offset
	while read -r magic tool; do
		command -v "$tool" >/dev/null || continue
		for offset in $(LC_ALL=C grep -aobP "$magic" "$1" | cut -d : -f 1); do
			# The tools report the bytes after the compressed data as an error.
			tail -c "+$((offset + 1))" "$1" | "$tool" -dc >"$2" 2>/dev/null || true
			has_pvh "$2" && return
		done
	done <<<"$PACKERS"
	return 1
}

# boot_image: prints the file to boot. An empty file in the cache means that this kernel must unpack itself.
boot_image() {
	local vmlinuz=$KERNEL_DIR/vmlinuz cache
	# Kernels for 64-bit ARM are not packed.
	[ "$MACHINE" = x86 ] || { echo "$vmlinuz"; return; }
	cache=$BUILD/guest-cache/vmlinux-$KERNEL_NAME-$(<"$KERNEL_DIR/release")
	if [ ! "$cache" -nt "$vmlinuz" ]; then
		mkdir -p "${cache%/*}"
		unpack_kernel "$vmlinuz" "$RUN/vmlinux" || : >"$RUN/vmlinux"
		keep "$RUN/vmlinux" "$cache"
	fi
	if [ -s "$cache" ]; then echo "$cache"; else echo "$vmlinuz"; fi
}
