#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In a Debian system that records: tool and library are upgraded. (The module is upgraded in a folder of this machine:
# DKMS would build it here for many minutes.)
#
# usage: upgrade.sh VERSION    that of the packages in /opt/VERSION

# until_holds evaluates its condition itself.
# shellcheck disable=SC2016
# shellcheck source=tests/packages/system/job.sh
. ./job.sh
version=$1

before=$(property MainPID)
put_mark 101
dpkg --install "/opt/$version"/bcoslog_*.deb "/opt/$version"/libbcoslog*.deb >/run/dpkg 2>&1 || { sed 's/^/# /' /run/dpkg; false; }
ok $? "version $version is installed while it records"
until_holds 'systemctl is-active -q $unit' && [ "$(property MainPID)" != "$before" ] && says "$version" bcoslog --version
ok $? "the recorder is that of the new version"
put_mark 102
until_holds 'is_kept 102' && is_kept 101
ok $? "and goes on where the other one ended"
says "note +loaded .*version .* is loaded, and tool and library are $version" bcoslog doctor module
ok $? "the doctor says that the module is another version"
finish
