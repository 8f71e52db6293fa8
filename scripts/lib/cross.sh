# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Scripts that build programs for another architecture source this file.

# cross arm64 BTF: exports the variables with which userspace/Makefile and tests/Makefile build for it: the compiler,
# the libraries, and the file BTF, which has a kernel's types for BPF programs.
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

# cross_build FOLDER TARGET...: makes targets of that folder in build/arm64, with the types of Debian's 6.12.
cross_build() (
	folder=$1 kernel=$("$SCRIPTS/kernel" 6.12-arm64 headers) || exit
	shift
	take_lock "$BUILD/arm64/.lock"
	cross arm64 "$kernel/build/vmlinux"
	# The page of the explorer does not depend on the architecture.
	[ -d "$BUILD/arm64/explorer" ] || [ ! -d "$BUILD/explorer" ] || cp -r "$BUILD/explorer" "$BUILD/arm64/"
	make -s -j"$(nproc)" -C "$folder" O="$BUILD/arm64" "$@"
)
