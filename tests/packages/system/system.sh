# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests/packages/install.sh: a Debian system as a folder, in which packages are installed, and as a disk, which
# is booted. Its callers set $dir (their own folder) and $top, and have the points of tests/lib/point.sh.
# shellcheck disable=SC2154,SC2034

readonly ATTEMPTS=3

# For apt, which gives a path of its own to what it runs. The compiler has a cache, because DKMS builds the same several times.
readonly IN_PATH=/usr/lib/ccache:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin

# in_root ROOT COMMAND...
in_root() {
	local root=$1
	shift
	env -i PATH="$IN_PATH" HOME=/root CCACHE_DIR=/root/.ccache LC_ALL=C DEBIAN_FRONTEND=noninteractive \
		unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" "$@"
}

apt_install() {
	local root=$1
	shift
	in_root "$root" apt-get -q -y -o Dpkg::Use-Pty=0 -o Dpkg::Path="$IN_PATH" install --no-install-recommends "$@"
}

# runs_as ROOT RELEASE: who asks is told that this kernel runs, and not that of this machine.
runs_as() {
	printf '#!/bin/sh\n[ "$*" = -r ] && exec echo %s\nexec /usr/bin/uname "$@"\n' "$2" >"$1/usr/local/sbin/uname"
	chmod 755 "$1/usr/local/sbin/uname"
}

# without_state: of the files on standard input, those that are no state of dpkg and apt, no log, cache, or device.
without_state() { grep -vE '^\./(proc|sys|dev|run|root|var/lib/dpkg|var/lib/apt|var/log|var/cache|usr/local/sbin/uname)(/|$)'; }

files_of() { (cd "$1" && find . -xdev | without_state | LC_ALL=C sort); }

# make_disk ROOT DISK: with room for what is recorded.
make_disk() {
	rm -f "$2"
	truncate -s 4G "$2"
	mke2fs -q -t ext4 -O ^has_journal -E root_owner=0:0,lazy_itable_init=0 -d "$1" "$2"
}

# kernel_of ROOT RELEASE: the kernel that is installed there, as scripts/guest wants it.
kernel_of() {
	local folder=$dir/system-$2
	mkdir -p "$folder"
	ln -sfn "$1/boot/vmlinuz-$2" "$folder/vmlinuz"
	ln -sfn "$1/lib/modules/$2" "$folder/modules"
	echo "$2" >"$folder/release"
	echo "$folder"
}

# boot NAME KERNEL [OPTION]... -- COMMAND...: a boot of the disk, again where the emulator has failed.
boot() {
	local name=$1 kernel=$2 attempt result=75
	shift 2
	cp --sparse=always "$dir/disk" "$dir/disk.before"
	for ((attempt = 0; attempt < ATTEMPTS && result == 75; attempt++)); do
		[ "$attempt" = 0 ] || cp --sparse=always "$dir/disk.before" "$dir/disk"
		result=0
		"$top/scripts/guest" --kernel "$kernel" --cpus 2 --memory 1024 --disk "$dir/disk" --console "$dir/$name.console" \
			--out "$dir/$name" --add "$top/tests/guest/lib/tap.sh" --add "$top/tests/packages/system/job.sh" \
			--timeout 900 "$@" >"$dir/$name.output" 2>"$dir/$name.error" || result=$?
	done
	return "$result"
}

# points_of NAME: those of its output, with numbers of ours, and what it says of those that fail.
points_of() {
	local line
	while IFS= read -r line; do
		line=${line%$'\r'}
		case $line in
		1..*) ;;
		"ok "* | "not ok "*)
			n=$((n + 1))
			[[ $line != not* ]] || status=1
			echo "${line%%ok *}ok $n - $1: ${line#*ok * - }"
			;;
		*) printf '# %s\n' "${line#\# }" ;;
		esac
	done <"$dir/$1.output"
}
