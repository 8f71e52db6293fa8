# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# scripts/guest sources this file: it makes the initramfs of a guest, which is two cpio archives in a row. The first is
# the same for all guests, and the second has the files of this run.

# quote WORD...: prints a line that a POSIX shell reads as these words.
quote() {
	local word line=
	for word; do line+="'${word//\'/\'\\\'\'}' "; done
	printf '%s' "${line% }"
}

make_cpio() { (cd "$1" && find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0 >"$2"); }

# Prints the first archive. It is made again if the guest's init or busybox is newer.
base_initramfs() {
	local cache=$BUILD/guest-cache/base-$MACHINE.cpio busybox tmp applet
	busybox=$(command -v busybox)
	[ "$MACHINE" != arm64 ] || busybox=$("$SCRIPTS/sysroot" arm64)/bin/busybox || exit
	if [ "$cache" -nt "$SCRIPTS/guest-init" ] && [ "$cache" -nt "$busybox" ] && [ "$cache" -nt "${BASH_SOURCE[0]}" ]; then
		echo "$cache"
		return
	fi
	busybox --list | grep -x insmod >/dev/null || die "this busybox lacks insmod; run scripts/deps guest"
	mkdir -p "${cache%/*}"
	tmp=$(mktemp -d "$RUN/base.XXXX")
	mkdir -p "$tmp"/{bin,dev,proc,sys,tmp,run,root,out,bcos,modules,etc,mnt,var/empty,lib}
	cp -L "$busybox" "$tmp/bin/busybox"
	for applet in $(busybox --list); do ln -s busybox "$tmp/bin/${applet##*/}" 2>/dev/null || true; done
	ln -s bin "$tmp/sbin"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$tmp/etc/passwd"
	echo 'root:x:0:' >"$tmp/etc/group"
	install -m 755 "$SCRIPTS/guest-init" "$tmp/init"
	install -m 755 "$SCRIPTS/guest-host-request" "$tmp/bin/host-request"
	mknod -m 600 "$tmp/dev/console" c 5 1 2>/dev/null || true
	make_cpio "$tmp" "$RUN/base.cpio"
	keep "$RUN/base.cpio" "$cache"
	rm -rf "$tmp"
	echo "$cache"
}

# module_file MODULES NAME: prints the path of a module in modules.dep, or nothing if it is built in.
module_file() {
	local dep=$1/modules.dep pattern
	pattern="(^|/)$(sed 's/[-_]/[-_]/g' <<<"$2")\.ko(\.[a-z]+)?"
	grep -sqE "$pattern\$" "$1/modules.builtin" && return 0
	grep -soE "^[^:]*$pattern:" "$dep" | head -n 1 | tr -d : | grep . ||
		die "this kernel has no module $2; name modules as modprobe does"
}

unpack_module() {
	case $1 in
	*.xz) xz -dc "$1" ;;
	*.zst) zstd -qdc "$1" ;;
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac
}

# add_modules MODULES TREE LIST: adds modules and their dependencies, numbered in the order of loading. modules.dep
# lists the dependencies of a module in reverse order.
add_modules() {
	local modules=$1 tree=$2 name file needed number=100 base
	local -A done_with=()
	for name in ${3//,/ }; do
		file=$(module_file "$modules" "$name") || exit 1
		[ -n "$file" ] || continue
		needed=$(sed -n "s|^${file//./\\.}: *||p" "$modules/modules.dep" | tr ' ' '\n' | tac | tr '\n' ' ')
		for file in $needed "$file"; do
			[ -z "${done_with[$file]-}" ] || continue
			done_with[$file]=1
			base=${file##*/}
			unpack_module "$modules/$file" >"$tree/modules/$number-${base%%.ko*}.ko"
			number=$((number + 1))
		done
	done
}

# add_file TREE FILE[:GUESTPATH]: adds a file. A relative path is below /bcos, and one that ends in / is a folder.
add_file() {
	local file=${2%%:*} path
	path=${2#"$file"}
	path=${path#:}
	[ -e "$file" ] || die "--add $file: there is no such file"
	[ -n "$path" ] || path=${file##*/}
	case $path in */) path+=${file##*/} ;; esac
	case $path in /*) ;; *) path=/bcos/$path ;; esac
	mkdir -p "$1${path%/*}"
	cp -rL "$file" "$1$path"
}

# Adds the static test programs and the modules that are built for this kernel.
add_products() {
	local tree=$1 item
	[ -z "$DISK" ] || return 0
	for item in "$GUEST_FOLDER"/* "$BUILD/modules/$KERNEL_NAME"/*.ko; do
		[[ ! -e $item || $WITHOUT == *" ${item##*/} "* ]] || cp -rL "$item" "$tree/bcos/"
	done
	[ -z "$MODULE" ] || cp -L "$MODULE" "$tree/bcos/bcos_evlog.ko"
}

# Prints the type of the terminal of this script, its rows and its columns.
terminal_words() {
	local size
	size=$(stty size 2>/dev/null) || true
	[[ $size =~ ^[1-9][0-9]*\ [1-9][0-9]*$ ]] || size="24 80"
	echo "${TERM:-dumb} $size"
}

write_config() {
	echo "command=$(quote "$(quote "$@")")"
	[ -z "${INSMOD+set}" ] || echo "insmod=$(quote "$INSMOD")"
	[ -z "$OUT" ] || echo "out=1"
	[ -z "$DISK" ] || echo "disk=1"
	[ -z "$TERMINAL" ] || echo "terminal=$(quote "$(terminal_words)")"
}

# make_initramfs FILE COMMAND...: makes the two archives of a guest that runs the command.
make_initramfs() {
	local file=$1 tree=$RUN/tree item base
	shift
	base=$(base_initramfs)
	mkdir -p "$tree"/{bcos,modules}
	add_products "$tree"
	for item in "${ADD[@]}"; do add_file "$tree" "$item"; done
	add_modules "$KERNEL_DIR/modules" "$tree" "$MODPROBE"
	write_config "$@" >"$tree/run.conf"
	make_cpio "$tree" "$RUN/run.cpio"
	cat "$base" "$RUN/run.cpio" >"$file"
	rm -rf "$tree" "$RUN/run.cpio"
}
