#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The litmus of the watermark and the stress of the lock-free code (tests/unit/), as programs for 64-bit ARM on two CPUs
# that are emulated at the same time. An emulator on x86 orders memory as x86 does, so these programs tell that the code
# for this processor is right, and nothing of its memory.
#
# guest: cpus=2 timeout=240 kernels=6.12-arm64

. ./tap.sh

# run PROGRAM ROUNDS: runs a program as a point, and prints its output as comments.
run() {
	ROUNDS=$2 "./unit-$1" >"/tmp/$1" 2>&1
	ok $? "$1, $2 rounds"
	sed 's/^/# /' "/tmp/$1"
}

run litmus 30000
run ring_stress 20000
run stage_stress 20000
run figures_stress 2000
finish
