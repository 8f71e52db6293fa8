# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by scripts that build programs for another architecture. Not to be run.

# cross arm64 BTF: exports what userspace/Makefile and tests/Makefile take to build for it: compiler, libraries, and the
# types of a kernel, in the file BTF, for BPF programs.
cross() {
	local folder triplet=aarch64-linux-gnu
	have "$triplet-gcc" || skip "there is no $triplet-gcc, with which programs for arm64 are built; run scripts/deps arm64"
	folder=$("$SCRIPTS/sysroot" "$1") || exit
	export CC=$triplet-gcc AR=$triplet-ar
	export CFLAGS="-O2 -g -I$folder/usr/include -I$folder/usr/include/$triplet"
	export LDFLAGS="-L$folder/usr/lib/$triplet"
	export PKG_CONFIG_LIBDIR=$folder/usr/lib/$triplet/pkgconfig PKG_CONFIG_SYSROOT_DIR=$folder
	export BTF=$2 BPF_ARCH=arm64
}

# cross_build FOLDER TARGET...: has the makefile in that folder build into build/arm64, with the types of Debian's 6.12.
cross_build() (
	folder=$1 kernel=$("$SCRIPTS/kernel" 6.12-arm64 headers) || exit
	shift
	take_lock "$BUILD/arm64/.lock"
	cross arm64 "$kernel/build/vmlinux"
	# The page of the explorer is the same.
	[ -d "$BUILD/arm64/explorer" ] || [ ! -d "$BUILD/explorer" ] || cp -r "$BUILD/explorer" "$BUILD/arm64/"
	make -s -j"$(nproc)" -C "$folder" O="$BUILD/arm64" "$@"
)
