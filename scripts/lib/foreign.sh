# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by scripts that take packages of another architecture. Not to be run.

# Downloading as root into a folder that apt's own user cannot enter is not worth a warning.
apt_get() { apt-get -qq -o APT::Sandbox::User=root "$@"; }

# The version that this machine itself would install.
native() { env -u APT_CONFIG "$@"; }

foreign_lists() { echo "$BUILD/kernels/.apt/$1/lists"; }

# foreign ARCH: from here on apt looks for packages of that architecture, by lists of its own; this machine is not touched.
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
	# Two kernels may be made ready at the same time, and apt does not wait for its lock.
	(
		flock 9
		[ -n "$(ls "$state"/lists/*_Packages* 2>/dev/null)" ] || apt_get update >&2
	) 9>"$state/lock" || note "apt-get update for $1 failed"
}
