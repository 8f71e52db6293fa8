#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: cpus=1 timeout=3600 full-only=yes needs=nothing
# Fuzzes each importer for a minute of processor time. make fuzz takes ten minutes for each.

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
BUILD=${BUILD:-${here%/tests/convert}/build}
BUILD=$BUILD FUZZ_SECONDS=60 exec "$here/../fuzz/run" --importers
