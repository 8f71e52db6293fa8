#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: full-only=yes timeout=3600 cpus=2 needs=nothing
# Debian's packages in a Debian 12 system: they are installed and upgraded, DKMS builds the module for each kernel, the
# system boots with it, records and is read; they are removed, and nothing is left.
#
# In a folder on this machine (chroot), where DKMS builds as fast as it does: installing, the upgrade of the kernel, that of
# all packages, and the purge that leaves nothing. In guests, with systemd: what happens at boot, what doctor says when
# something is broken, the upgrade of tool and library, and the removal.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
# shellcheck source=tests/packages/system/system.sh
. "$top/tests/packages/system/system.sh"
unset MAKEFLAGS MAKELEVEL ROOT
export BUILD
mkdir -p "$BUILD/system"
dir=$(mktemp -d "$BUILD/system/test.XXXX")
trap 'rm -rf "$dir"' EXIT
for tool in dpkg-buildpackage dh dh_dkms debootstrap mke2fs unshare; do
	command -v "$tool" >/dev/null || { echo "there is no $tool: scripts/deps deb brings it, on Debian"; exit 77; }
done
system=$("$top/tests/packages/system/make") || exit
unshare --mount --pid --fork true 2>/dev/null || { echo "this machine does not let root have mounts of its own (unshare)"; exit 77; }

# The packages of this tree, and an older version, which differs by its number alone.
old=0.1.0 new=$(sed -n 's/.*BCOS_VERSION "\(.*\)"/\1/p' "$top/module/version.h")
if [ "$new" = "$old" ]; then new=0.1.1; fi
root=$dir/root away=$dir/away plain=$dir/plain
cp -a "$system/root" "$root"
# shellcheck disable=SC2012
first=$(ls "$root/lib/modules")
read -r -a newer <"$system/newer"
second=${newer[0]#linux-image-}

# shellcheck disable=SC2317  # point calls these
builds() { "$top/scripts/deb" --version "$1" --output "$root/opt/$1" && rm "$root/opt/$1"/*dbgsym* ; }
# shellcheck disable=SC2317
packages() { (cd "$1" && printf '%s\n' opt/"$2"/*.deb | sed 's|^|/|'); }
# shellcheck disable=SC2317
installs() { local list; mapfile -t list < <(packages "$1" "$2"); apt_install "$1" "${list[@]}"; }
# Some kernels have their modules compressed.
# shellcheck disable=SC2317
module() { printf '%s\n' "$1/lib/modules/$2/updates/dkms/bcos_evlog.ko"*; }
# shellcheck disable=SC2317
is_built() {
	local file
	file=$(module "$1" "$2")
	[ "$(modinfo -F version "$file")" = "$3" ] && [[ $(modinfo -F vermagic "$file") == "$2 "* ]] &&
		[ "$(modinfo -F signer "$file")" = "key of this machine" ]
}
point "version $old builds" builds "$old"
point "version $new builds" builds "$new"
cp -a "$root" "$plain"

runs_as "$root" "$first"
point "version $old is installed" installs "$root" "$old"
point "DKMS has built it for Linux $first, and signed it with the key of the machine" is_built "$root" "$first" "$old"
# shellcheck disable=SC2317
no_others() { ! grep -l dkms "$root"/var/lib/dpkg/info/{bcoslog,libbcoslog*}.{postinst,prerm} 2>/dev/null; }
point "only the package of the module has to do with DKMS" no_others
point "a newer kernel is installed" apt_install "$root" --no-download "${newer[@]}"
point "DKMS has built the module for Linux $second, too" is_built "$root" "$second" "$old"
point "and has it for Linux $first" is_built "$root" "$first" "$old"

# ---- on a copy: an upgrade, and the purge -----------------------------------------------------------

cp -a "$root" "$away"
point "version $new takes its place" installs "$away" "$new"
point "DKMS has built that for Linux $first" is_built "$away" "$first" "$new"
point "and for Linux $second" is_built "$away" "$second" "$new"
# shellcheck disable=SC2317
only_new() { [ "$(cd "$away" && printf '%s\n' usr/src/bcos-evlog-* var/lib/dkms/bcos-evlog/[0-9]*)" = "$(printf '%s\n' \
	"usr/src/bcos-evlog-$new" "var/lib/dkms/bcos-evlog/$new")" ]; }
point "nothing is left of version $old" only_new
point "they are removed" in_root "$away" apt-get -q -y remove bcos-evlog-dkms bcoslog bcoslog-convert bcoslog-serve bcoslog-ship bcoslog-sql libbcoslog-dev libbcoslog0
# shellcheck disable=SC2317
unbuilt() { [ -z "$(find "$away/lib/modules" -name 'bcos_evlog*')" ]; }
point "the module is in no kernel any more" unbuilt
point "and purged" in_root "$away" dpkg --purge bcos-evlog-dkms bcoslog libbcoslog-dev libbcoslog0
apt_install "$plain" --no-download "${newer[@]}" >"$dir/plain.log" 2>&1 || cat "$dir/plain.log"
# shellcheck disable=SC2317
nothing_left() { diff <(files_of "$plain") <(files_of "$away") && cmp "$plain/etc/passwd" "$away/etc/passwd" && cmp "$plain/etc/group" "$away/etc/group"; }
point "which leaves nothing, as if they had never been there" nothing_left

# ---- in a guest -------------------------------------------------------------------------------------

rm -rf "$root/root/.ccache" "$root/usr/local/sbin/uname" "$away"
point "the system is on a disk" make_disk "$root" "$dir/disk"
jobs=$top/tests/packages/system
point "it boots with Linux $first" boot installed "$(kernel_of "$root" "$first")" --add "$jobs/first-boot.sh" \
	--add "$jobs/doctor.sh" --add "$jobs/bpf.sh" --add "$jobs/upgrade.sh" -- \
	sh -c "sh first-boot.sh $first $old; sh doctor.sh; sh bpf.sh; sh upgrade.sh $new"
points_of installed
cat "$dir/installed.error"
point "it boots with Linux $second" boot again "$(kernel_of "$root" "$second")" --add "$jobs/second-boot.sh" -- \
	sh second-boot.sh "$second" "$old"
points_of again
cat "$dir/again.error"
# Files that systemd makes on any machine that boots are none of theirs.
# shellcheck disable=SC2317
nothing_left_there() {
	local extra
	extra=$(LC_ALL=C comm -13 <(files_of "$plain") <(sed 's|^|.|; s|^\./$|.|' "$dir/again/files" | without_state | LC_ALL=C sort) |
		grep -vE '^\./(var/lib/systemd|var/lib/private|var/lib/dbus|etc/\.updated|var/\.updated|var/tmp|lost\+found|tmp)(/|$)')
	[ -z "$extra" ] || { echo "$extra"; return 1; }
}
point "nothing is left of them on the disk" nothing_left_there
echo "1..$n"
exit "$status"
