// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records TCP retransmissions, as events of the CPU that sends.
 *
 *	sudo bcoslog attach build/bpf/retransmit.bpf.o
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bcos_evlog_kfuncs.h"

/* The ID of a CPU event needs bit 31, since other IDs are reserved. */
#define EVENT_ID 0x80010002
#define AF_INET6 10

char LICENSE[] SEC("license") = "Dual BSD/GPL";

SEC("tp_btf/tcp_retransmit_skb")
int BPF_PROG(sent_again, const struct sock *socket)
{
	__be16 port = BPF_CORE_READ(socket, __sk_common.skc_dport);
	__u32 to[4] = {};
	__u64 values[2] = { (long)to, (__u16)(port >> 8 | port << 8) };
	char text[96] = {};

	if (bpf_core_field_exists(socket->__sk_common.skc_v6_daddr) &&
	    BPF_CORE_READ(socket, __sk_common.skc_family) == AF_INET6) {
		bpf_core_read(to, sizeof(to), &socket->__sk_common.skc_v6_daddr);
		bpf_snprintf(text, sizeof(text), "TCP segment to %pI6 port %d sent again", values,
			     sizeof(values));
	} else {
		bpf_core_read(to, sizeof(to[0]), &socket->__sk_common.skc_daddr);
		bpf_snprintf(text, sizeof(text), "TCP segment to %pI4 port %d sent again", values,
			     sizeof(values));
	}
	bcos_evlog_cpu_event(EVENT_ID, 0x40, text, sizeof(text));
	return 0;
}
