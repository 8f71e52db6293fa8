#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: full-only=yes timeout=1800 cpus=2 needs=nothing
# Debian's packages build, lintian has nothing to say, and each has what belongs into it.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for tool in dpkg-buildpackage dh dh_dkms lintian; do
	command -v "$tool" >/dev/null || { echo "there is no $tool: scripts/deps deb brings it, on Debian"; exit 77; }
done
unset MAKEFLAGS MAKELEVEL ROOT

# shellcheck disable=SC2317  # point calls them
builds() { BUILD=$BUILD "$top/scripts/deb" --output "$dir" >"$dir/list"; }
point "the packages build" builds
# shellcheck disable=SC2317
names() {
	diff <(printf '%s\n' bcos-evlog-dkms bcoslog bcoslog-convert bcoslog-convert-dbgsym bcoslog-dbgsym bcoslog-serve bcoslog-serve-dbgsym bcoslog-ship bcoslog-ship-dbgsym bcoslog-sql bcoslog-sql-dbgsym libbcoslog-dev libbcoslog0 libbcoslog0-dbgsym) \
		<(sed 's|.*/||; s|_.*||' "$dir/list" | sort)
}
point "they are these" names
# shellcheck disable=SC2317
is_clean() { ! lintian --allow-root --no-cfg --fail-on error,warning "$dir"/*.changes 2>&1 | grep .; }
point "lintian has nothing to say" is_clean

# has PACKAGE FILE...: each a pattern of what is in it.
# shellcheck disable=SC2317
has() {
	local package=$1 file
	shift
	dpkg-deb -c "$dir/${package}"_*.deb >"$dir/contents" || return
	for file; do grep -qE "\./$file( -> .*)?$" "$dir/contents" || { echo "$package has no $file"; return 1; }; done
}
point "the tool's" has bcoslog usr/bin/bcoslog usr/libexec/bcoslog-read lib/systemd/system/bcos-record.service lib/systemd/system/bcos-record-bpf.service \
	usr/lib/sysusers.d/bcoslog.conf usr/lib/tmpfiles.d/bcoslog.conf lib/udev/rules.d/60-bcos_evlog.rules \
	usr/share/bash-completion/completions/bcoslog usr/share/zsh/vendor-completions/_bcoslog \
	usr/share/fish/vendor_completions.d/bcoslog.fish usr/share/man/man1/bcoslog-doctor.1.gz usr/share/man/man8/bcoslog-read.8.gz
point "that of conversions" has bcoslog-convert usr/libexec/bcoslog-convert
point "that of the server" has bcoslog-serve usr/libexec/bcoslog-serve
point "that of the sender" has bcoslog-ship usr/libexec/bcoslog-ship lib/systemd/system/bcos-ship.service
point "that of SQL" has bcoslog-sql usr/libexec/bcoslog-sql
point "and the extension of SQLite" has bcoslog-sql "usr/lib/[^ ]*/bcoslog_sqlite.so"
point "the module's" has bcos-evlog-dkms 'usr/src/bcos-evlog-[0-9.]+/dkms.conf' 'usr/src/bcos-evlog-[0-9.]+/Kbuild' \
	'usr/src/bcos-evlog-[0-9.]+/module/main.c' usr/lib/modules-load.d/bcos_evlog.conf lib/modprobe.d/bcos_evlog.conf
point "the library's" has libbcoslog0 'usr/lib/.*/libbcoslog.so.0'
point "for those who build on it" has libbcoslog-dev usr/include/bcoslog.h usr/include/bcos_evlog.h \
	'usr/lib/.*/pkgconfig/bcoslog.pc' 'usr/lib/.*/libbcoslog.a' usr/share/bcoslog/python/bcoslog/query.py 'usr/share/doc/.*/usage.c'
# shellcheck disable=SC2317
every_page() {
	local deb left
	left=$(LC_ALL=C comm -23 <(cd "$top/userspace/man" && printf '%s\n' *.[1-8] | LC_ALL=C sort) <(
		for deb in "$dir"/*.deb; do dpkg-deb -c "$deb"; done |
			sed -n 's|.*/usr/share/man/man[1-8]/\([^ ]*\)\.gz\( .*\)*$|\1|p' | LC_ALL=C sort))
	[ -z "$left" ] || { echo "$left"; return 1; }
}
point "each page of the manual is in one of them" every_page
# Each of the others would register the module anew, and depend on DKMS.
# shellcheck disable=SC2317
alone() {
	local deb
	for deb in "$dir"/bcoslog_*.deb "$dir"/libbcoslog*.deb; do
		! dpkg-deb --ctrl-tarfile "$deb" | tar -x -O | grep -a dkms | grep -v '^Recommends: ' || return
	done
}
point "only the package of the module has to do with DKMS" alone
# shellcheck disable=SC2317
all_of_it() {
	dpkg-deb --fsys-tarfile "$dir"/bcos-evlog-dkms_*.deb | tar -x -C "$dir" --wildcards './usr/src/*'
	diff <(cd "$top/module" && find . -name '*.[ch]' | sort) <(cd "$dir"/usr/src/bcos-evlog-*/module && find . -name '*.[ch]' | sort)
}
point "the module's source is whole" all_of_it
echo "1..$n"
exit "$status"
