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
