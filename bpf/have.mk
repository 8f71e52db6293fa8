# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Other makefiles include this. HAVE_BPF is 1 if this machine can build the BPF engine, else empty;
# BPF_LACK lists what is missing. BPF=0 leaves the engine out.

CLANG ?= clang
# Debian installs bpftool in a directory that only root's PATH has.
BPFTOOL ?= $(or $(shell PATH="$$PATH:/usr/sbin:/sbin" command -v bpftool),bpftool)

BTF ?= $(firstword $(wildcard /sys/kernel/btf/vmlinux /usr/lib/debug/boot/vmlinux-* /lib/modules/*/build/vmlinux))
BPF_LACK := $(strip \
	$(if $(shell command -v $(CLANG)),,clang) \
	$(if $(shell command -v $(BPFTOOL)),,bpftool) \
	$(if $(shell pkg-config --exists 'libbpf >= 1.0' 2>/dev/null && echo yes),,libbpf) \
	$(if $(BTF),,BTF))
HAVE_BPF := $(if $(filter 0,$(BPF))$(BPF_LACK),,1)
