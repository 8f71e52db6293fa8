# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Included: HAVE_BPF is 1 if this machine has what the BPF engine is built with, else empty, and BPF_LACK says what is
# missing. BPF=0 leaves the engine out.

CLANG ?= clang
# Debian has it where only root's PATH leads.
BPFTOOL ?= $(or $(shell PATH="$$PATH:/usr/sbin:/sbin" command -v bpftool),bpftool)

BTF ?= $(firstword $(wildcard /sys/kernel/btf/vmlinux /usr/lib/debug/boot/vmlinux-* /lib/modules/*/build/vmlinux))
BPF_LACK := $(strip \
	$(if $(shell command -v $(CLANG)),,clang) \
	$(if $(shell command -v $(BPFTOOL)),,bpftool) \
	$(if $(shell pkg-config --exists 'libbpf >= 1.0' 2>/dev/null && echo yes),,libbpf) \
	$(if $(BTF),,BTF))
HAVE_BPF := $(if $(filter 0,$(BPF))$(BPF_LACK),,1)
