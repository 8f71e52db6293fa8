#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: full-only=yes timeout=600 needs=nothing
# Secure Boot in a guest: UEFI firmware whose only key is the test key of Debian's ovmf boots Debian's kernel, which is signed
# with that key and locks itself down. It accepts the module only with a signature of that key, and bcoslog doctor says so before.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
kernel=6.12
firmware=/usr/share/OVMF/OVMF_CODE_4M.secboot.fd variables=/usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd
certificate=/usr/share/ovmf/PkKek-1-snakeoil.pem key=/usr/share/ovmf/PkKek-1-snakeoil.key
for file in "$firmware" "$variables" "$certificate" "$key"; do
	[ -r "$file" ] || { echo "there is no $file: Debian's package ovmf brings it"; exit 77; }
done
for tool in sbsign openssl; do
	command -v "$tool" >/dev/null || { echo "there is no $tool: scripts/deps deb brings it, on Debian"; exit 77; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# The headers have the program that signs modules.
built=$("$top/scripts/kernel" "$kernel" all) || exit
"$top/scripts/build-module" "$kernel" >/dev/null || exit
make -s -C "$top/tests" O="$BUILD" static-bcoslog >/dev/null || exit 1
sign_file=$(find "$built/root/" -name sign-file | head -n 1)
[ -x "$sign_file" ] || { echo "the headers of $kernel have no sign-file"; exit 1; }

# sign_module KEY CERTIFICATE NAME
sign_module() { "$sign_file" sha256 "$1" "$2" "$BUILD/modules/$kernel/bcos_evlog.ko" "$dir/$3"; }

if ! { openssl rsa -in "$key" -passin pass:snakeoil -out "$dir/key" &&
	sbsign --key "$dir/key" --cert "$certificate" --output "$dir/vmlinuz" "$built/vmlinuz" &&
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=A key of nobody" -keyout "$dir/nobody" -out "$dir/nobody.pem" &&
	sign_module "$dir/key" "$certificate" signed.ko && sign_module "$dir/nobody" "$dir/nobody.pem" nobody.ko; } >"$dir/said" 2>&1; then
	cat "$dir/said"
	exit 1
fi
cp "$variables" "$dir/variables" || exit
arguments=()
for program in "$BUILD"/guest/*; do
	[ "${program##*/}" = bcoslog ] || arguments+=(--without "${program##*/}")
done
for file in "$dir"/{signed,nobody}.ko "$top/tests/packages/system/secure_boot.sh" "$top/tests/guest/lib/tap.sh"; do arguments+=(--add "$file"); done
"$top/scripts/guest" --kernel "$kernel" --cpus 1 --timeout 300 --console "$dir/console" --modprobe efivarfs "${arguments[@]}" \
	--qemu "-machine smm=on -global driver=cfi.pflash01,property=secure,value=on -kernel $dir/vmlinuz" \
	--qemu "-drive if=pflash,format=raw,unit=0,file=$firmware,readonly=on -drive if=pflash,format=raw,unit=1,file=$dir/variables" \
	-- ./secure_boot.sh
status=$?
[ "$status" -lt 70 ] || tail -n 20 "$dir/console" | sed 's/^/# /'
exit "$status"
