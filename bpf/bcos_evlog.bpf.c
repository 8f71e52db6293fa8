// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Defines the maps that all programs of the BPF engine share. */
#include "device.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct bcos_bpf_slots bcos_slots SEC(".maps");
struct bcos_bpf_kicks bcos_kicks SEC(".maps");
struct bcos_bpf_named bcos_named SEC(".maps");
struct bcos_bpf_cpus bcos_cpus SEC(".maps");

const volatile struct bcos_bpf_config bcos_config = {};
