// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * TCP segments that are sent again, as events of the CPU that does it.
 *
 *	sudo bpftool prog loadall build/bpf/retransmit.bpf.o /sys/fs/bpf/retransmit autoattach
 *	bcoslog text --follow
 *	sudo rm -r /sys/fs/bpf/retransmit
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bcos_evlog.h"

#define EVENT_ID 2

char LICENSE[] SEC("license") = "Dual BSD/GPL";

SEC("tp_btf/tcp_retransmit_skb")
int BPF_PROG(sent_again, const struct sock *socket)
{
	__be32 to = BPF_CORE_READ(socket, __sk_common.skc_daddr);
	__be16 port = BPF_CORE_READ(socket, __sk_common.skc_dport);
	__u64 values[5] = {
		to & 0xFF, to >> 8 & 0xFF, to >> 16 & 0xFF, to >> 24, (__u16)(port >> 8 | port << 8),
	};
	char text[96] = {};

	bpf_snprintf(text, sizeof(text), "TCP segment to %d.%d.%d.%d port %d sent again", values, sizeof(values));
	bcos_evlog_cpu_event(EVENT_ID, 0x40, text, sizeof(text));
	return 0;
}
