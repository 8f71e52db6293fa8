#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A guest panics under load, and its crash kernel saves the memory by kdump's own tools: as it is, and by makedumpfile
# without the pages of -d 31, compressed by zlib and by lzo. bcoslog recover makes a log of each, with each mark that a
# program had written before.
#
# scripts/deps kdump brings the tools.
#
# test: cpus=2 timeout=1800 full-only=yes needs=guest

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
kernel=${KERNEL:-6.12}
marks=500
for tool in kexec makedumpfile; do
	command -v "$tool" >/dev/null || { echo "there is no $tool; scripts/deps kdump brings it"; exit 77; }
done
folder=$("$top/scripts/kernel" "$kernel") || exit
# shellcheck disable=SC2086  # several arguments
"$top/scripts/build-module" "$kernel" ${MODULE_FLAGS:-} >/dev/null || exit
cd "$dir" || exit 1

# copy_program TREE PROGRAM: with its libraries, at the paths where they are here.
copy_program() {
	local file
	install -D "$2" "$1/bin/${2##*/}"
	ldd "$2" | grep -oE '/[^ ]+' | while read -r file; do install -D "$file" "$1$file"; done
}

# ---- the crash kernel: it writes each dump to a disk of its own ----
mkdir -p crash/{bin,proc,sys,dev,tmp,modules}
copy_program crash "$(command -v makedumpfile)"
cp -L "$(command -v busybox)" crash/bin/busybox
# A line of modules.dep has a module, and what it needs, of which the last is to be loaded first.
for name in virtio_pci virtio_blk; do
	sed -n "s|^\([^:]*/$name\.ko[^:]*\):|\1|p" "$folder/modules/modules.dep" | tr ' ' '\n' | tac
done | awk 'NF && !seen[$1]++' | while read -r file; do
	number=$((${number-100} + 1))
	case $file in
	*.xz) xz -dc "$folder/modules/$file" ;;
	*) cat "$folder/modules/$file" ;;
	esac >"crash/modules/$number.ko"
done
cat >crash/init <<'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs dev /dev; mount -t tmpfs tmp /tmp
for module in /modules/*.ko; do insmod "$module"; done
n=0
while [ ! -b /dev/vdc ] && [ "$n" -lt 600 ]; do usleep 100000; n=$((n + 1)); done
save() {
	disk=$1
	shift
	"$@" /proc/vmcore /tmp/dump >/tmp/said 2>&1 || { tail -c 300 /tmp/said; return; }
	dd if=/tmp/dump of="$disk" bs=1M 2>/dev/null && echo "crash kernel: saved $disk"
	rm -f /tmp/dump
}
dd if=/proc/vmcore of=/dev/vda bs=1M 2>/dev/null && echo "crash kernel: saved /dev/vda"
save /dev/vdb makedumpfile -c -d 31
save /dev/vdc makedumpfile -l -d 31
sync
poweroff -f
END
chmod +x crash/init
(cd crash && find . | cpio --quiet -o -H newc -R 0:0) >crash.initrd

# ---- the kernel that panics ----
cat >panic <<END
#!/bin/sh
kexec -s -p /vmlinuz --initrd=/crash.initrd --append="console=ttyS0 quiet nr_cpus=1 reset_devices no_timer_check tsc=reliable" || exit 1
(while :; do ls -R /sys/devices >/dev/null; done) &
i=0
while [ \$i -lt $marks ]; do echo "mark \$i." >/dev/bcos_evlog; i=\$((i + 1)); done
echo "marks: \$i"
echo c >/proc/sysrq-trigger
END
chmod +x panic
mkdir tree
copy_program tree "$(command -v kexec)"
added=(--add "$folder/vmlinuz:/vmlinuz" --add crash.initrd:/crash.initrd --add panic)
while read -r file; do added+=(--add "tree/$file:/$file"); done < <(cd tree && find . -type f | sed 's|^\./||')
for program in "$BUILD"/guest/*; do added+=(--without "${program##*/}"); done
disks=()
for name in whole zlib lzo; do
	truncate -s 1G "$name"
	disks+=(--qemu "-drive file=$dir/$name,format=raw,if=virtio,cache=unsafe")
done
# The panic is what is wanted, and the crash kernel gives no verdict.
"$top/scripts/guest" --kernel "$kernel" --cpus 2 --memory 768 --timeout 1500 --console console --append crashkernel=256M \
	"${disks[@]}" "${added[@]}" --insmod user_rate=0 --allow 'Kernel panic|sysrq' -- ./panic >said 2>errors
[ "$(grep -c "crash kernel: saved" console)" = 3 ] || { tail -n 40 console errors said | sed 's/^/# /'; }

# recovers DUMP: its log is right, and has each mark once, in order.
recovers() {
	"$bcoslog" recover "$1" -o log 2>text || { cat text; return 1; }
	"$bcoslog" check log || return 1
	"$bcoslog" text log | grep -oE 'mark [0-9]+\.' | cmp - <(seq -f 'mark %g.' 0 $((marks - 1)))
}
ends() { "$bcoslog" text log | tail -n 3 | grep "while the kernel was there" || { "$bcoslog" text log | tail -n 5; return 1; }; }

point "all marks were written before the panic" grep -q "marks: $marks" said
point "the memory as it is: each mark is there" recovers whole
for name in zlib lzo; do
	point "makedumpfile -d 31, $name: each mark is there" recovers "$name"
	sed 's/^/# /' text
done
point "the log says how it ended" ends
point "other commands read the dump themselves" eval '"$bcoslog" around --event "mark 400" zlib | grep "mark 400"'
echo "1..$n"
exit "$status"
