# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Scripts that use packages of another architecture source this file.

# apt warns if it downloads as root into a folder that its own user cannot enter. This turns the warning off.
apt_get() { apt-get -qq -o APT::Sandbox::User=root "$@"; }

# Runs a command of apt for the architecture of this machine.
native() { env -u APT_CONFIG "$@"; }

foreign_lists() { echo "$BUILD/kernels/.apt/$1/lists"; }

# foreign ARCH: lets apt use packages of that architecture from here on, with separate lists. The machine stays as it
# is.
foreign() {
	local state=$BUILD/kernels/.apt/$1
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	: >"$state/status"
	cat >"$state/apt.conf" <<-END
		APT::Architecture "$1";
		APT::Architectures { "$1"; };
		Dir::State "$state";
		Dir::State::status "$state/status";
		Dir::Cache "$state/cache";
	END
	export APT_CONFIG=$state/apt.conf
	# Two runs of scripts/kernel may do this at the same time, and apt does not wait for its lock.
	(
		flock 9
		[ -n "$(ls "$state"/lists/*_Packages* 2>/dev/null)" ] || apt_get update >&2
	) 9>"$state/lock" || note "apt-get update for $1 failed"
}
