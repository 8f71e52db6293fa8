// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packets that pass between network interfaces and the kernel: as the module's net.c. */
#include "device.h"

#define NETDEV_TX_OK	0

/*
 * User space is told of those in its own namespace.  Of others it is seen here
 * that they go, by a function: where none can be hooked they are left out.
 */
static __always_inline bool is_ours(u32 space)
{
	return space == bcos_config.net || bcos_config.has_functions;
}

static __always_inline u32 space_of(const struct net_device *device)
{
	return BPF_CORE_READ(device, nd_net.net, ns.inum);
}

SEC("fentry/free_netdev")
int BPF_PROG(bcos_on_interface_gone, struct net_device *device)
{
	u64 key = bcos_bpf_net_key(space_of(device), (u32)BPF_CORE_READ(device, ifindex));

	if (!bpf_map_delete_elem(&bcos_named, &key))
		bcos_device_put(BCOS_RAW_DEVICE_GONE, 0, 0, key, 0);
	return 0;
}

static __always_inline void passed(u8 kind, const struct net_device *device, u32 length)
{
	const struct rtnl_link_ops *operations = BPF_CORE_READ(device, rtnl_link_ops);
	u32 space = space_of(device);
	u64 key = bcos_bpf_net_key(space, (u32)BPF_CORE_READ(device, ifindex));
	u16 elsewhere = space == bcos_config.net ? 0 : BCOS_RAW_ELSEWHERE;

	if (!is_ours(space))
		return;
	bcos_name_device(key, elsewhere, &device->name, operations ? BPF_CORE_READ(operations, kind) : NULL);
	bcos_device_put(kind, elsewhere, 0, key, length);
}

SEC("raw_tp/net_dev_xmit")
int bcos_on_net_dev_xmit(struct bpf_raw_tracepoint_args *context)
{
	/* The packet itself may be gone. */
	if ((int)context->args[1] == NETDEV_TX_OK)
		passed(BCOS_RAW_OUTPUT, (void *)context->args[2], (u32)context->args[3]);
	return 0;
}

/* As the driver gives it, before others are joined to it: what is behind the link's header, and that. */
static __always_inline int came(const struct sk_buff *packet)
{
	u32 length = BPF_CORE_READ(packet, len), header = BPF_CORE_READ(packet, mac_header);
	u64 data = (u64)BPF_CORE_READ(packet, data), mac = (u64)BPF_CORE_READ(packet, head) + header;

	if (header != 0xFFFF && mac < data)
		length += (u32)(data - mac);
	passed(BCOS_RAW_INPUT, BPF_CORE_READ(packet, dev), length);
	return 0;
}

SEC("raw_tp/napi_gro_frags_entry")
int bcos_on_napi_gro_frags(struct bpf_raw_tracepoint_args *context)
{
	return came((void *)context->args[0]);
}

SEC("raw_tp/napi_gro_receive_entry")
int bcos_on_napi_gro_receive(struct bpf_raw_tracepoint_args *context)
{
	return came((void *)context->args[0]);
}

SEC("raw_tp/netif_receive_skb_entry")
int bcos_on_netif_receive(struct bpf_raw_tracepoint_args *context)
{
	return came((void *)context->args[0]);
}

SEC("raw_tp/netif_receive_skb_list_entry")
int bcos_on_netif_receive_list(struct bpf_raw_tracepoint_args *context)
{
	return came((void *)context->args[0]);
}

SEC("raw_tp/netif_rx_entry")
int bcos_on_netif_rx(struct bpf_raw_tracepoint_args *context)
{
	return came((void *)context->args[0]);
}
