// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Records packets of network interfaces: the counterpart of module/capture/probes/net.c. */
#include "device.h"

#define NETDEV_TX_OK	0
/* From include/linux/netdevice.h: NETREG_REGISTERED. */
#define REGISTERED	1

/*
 * Are the interfaces of this network namespace recorded? User space gets uevents only for its own
 * namespace. Interfaces of others are recorded only if a program can attach to the function by
 * which they disappear.
 */
static __always_inline bool is_ours(u32 space)
{
	return space == bcos_config.net || bcos_config.has_functions;
}

static __always_inline u32 space_of(const struct net_device *device)
{
	return BPF_CORE_READ(device, nd_net.net, ns.inum);
}

static __always_inline u64 key_of(const struct net_device *device)
{
	return bcos_bpf_net_key(space_of(device), (u32)BPF_CORE_READ(device, ifindex));
}

static __always_inline void name_interface(const struct net_device *device, u64 key, u16 aux)
{
	const struct rtnl_link_ops *operations = BPF_CORE_READ(device, rtnl_link_ops);

	bcos_name_device(key, aux, &device->name,
			 operations ? BPF_CORE_READ(operations, kind) : NULL);
}

/*
 * Names an interface that is new in its namespace. In another namespace than that of user space, an
 * interface is named only once it transfers something.
 */
static __always_inline void came_to_be(const struct net_device *device)
{
	if (space_of(device) == bcos_config.net)
		name_interface(device, key_of(device), 0);
}

SEC("fexit/netdev_register_kobject")
int BPF_PROG(bcos_on_interface, struct net_device *device, int error)
{
	if (!error)
		came_to_be(device);
	return 0;
}

/* The interface moved from another namespace, and has its index in the new one by now. */
SEC("fentry/netdev_change_owner")
int BPF_PROG(bcos_on_interface_moved, struct net_device *device)
{
	came_to_be(device);
	return 0;
}

/* The interface disappears, or moves to another namespace. It transfers nothing any more. */
SEC("fentry/dev_shutdown")
int BPF_PROG(bcos_on_interface_gone, struct net_device *device)
{
	bcos_device_gone(key_of(device));
	return 0;
}

/* Is the interface registered, and not about to disappear? */
static __always_inline bool is_there(const struct net_device *device)
{
	return BPF_CORE_READ_BITFIELD_PROBED(device, reg_state) == REGISTERED;
}

static __always_inline void packet_passed(u8 kind, const struct net_device *device, u32 length)
{
	u32 space = space_of(device);
	u64 key = bcos_bpf_net_key(space, (u32)BPF_CORE_READ(device, ifindex));
	u16 elsewhere = space == bcos_config.net ? 0 : BCOS_RAW_ELSEWHERE;

	if (!is_ours(space))
		return;
	if (!bcos_is_named(key)) {
		if (!is_there(device))
			return;
		name_interface(device, key, elsewhere);
	}
	bcos_device_put(kind, elsewhere, 0, key, length);
}

SEC("raw_tp/net_dev_xmit")
int bcos_on_net_dev_xmit(struct bpf_raw_tracepoint_args *context)
{
	/* The packet may be freed already, so only the other arguments are used. */
	if ((int)context->args[1] == NETDEV_TX_OK)
		packet_passed(BCOS_RAW_OUTPUT, (void *)context->args[2], (u32)context->args[3]);
	return 0;
}

/*
 * Records a packet as the driver delivers it, before it is merged with others. The length includes
 * the link header, which may precede the data.
 */
static __always_inline int packet_came(const struct sk_buff *packet)
{
	u32 length = BPF_CORE_READ(packet, len), header = BPF_CORE_READ(packet, mac_header);
	u64 mac = (u64)BPF_CORE_READ(packet, head) + header;
	u64 data = (u64)BPF_CORE_READ(packet, data);

	if (header != 0xFFFF && mac < data)
		length += (u32)(data - mac);
	packet_passed(BCOS_RAW_INPUT, BPF_CORE_READ(packet, dev), length);
	return 0;
}

SEC("raw_tp/napi_gro_frags_entry")
int bcos_on_napi_gro_frags(struct bpf_raw_tracepoint_args *context)
{
	return packet_came((void *)context->args[0]);
}

SEC("raw_tp/napi_gro_receive_entry")
int bcos_on_napi_gro_receive(struct bpf_raw_tracepoint_args *context)
{
	return packet_came((void *)context->args[0]);
}

SEC("raw_tp/netif_receive_skb_entry")
int bcos_on_netif_receive(struct bpf_raw_tracepoint_args *context)
{
	return packet_came((void *)context->args[0]);
}

SEC("raw_tp/netif_receive_skb_list_entry")
int bcos_on_netif_receive_list(struct bpf_raw_tracepoint_args *context)
{
	return packet_came((void *)context->args[0]);
}

SEC("raw_tp/netif_rx_entry")
int bcos_on_netif_rx(struct bpf_raw_tracepoint_args *context)
{
	return packet_came((void *)context->args[0]);
}
