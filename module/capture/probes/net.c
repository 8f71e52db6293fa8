// SPDX-License-Identifier: GPL-2.0-only
/*
 * Announces network interfaces, and records their links and the packets that they send and receive.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/string.h>
#include <net/rtnetlink.h>
#include <trace/events/net.h>

#include "core/capture/device_name.h"
#include "params.h"
#include "device.h"

static struct {
	bool replaying;		/* the callback runs for interfaces that exist already */
	bool closing;
	struct bcos_seen_devices *seen;	/* result of the current walk */
} bcos_net;

static __always_inline u64 bcos_netdev_key(const struct net_device *device)
{
	return bcos_device_key(BCOS_DEVICE_NETWORK, device);
}

/*
 * Is the interface in another network namespace? Any user may create such interfaces without limit.
 */
static __always_inline bool bcos_netdev_is_elsewhere(const struct net_device *device)
{
	return !net_eq(dev_net(device), &init_net);
}

/* Returns the number of the interface's network namespace, or 0 for the initial one. */
static __always_inline u32 bcos_netdev_space(const struct net_device *device)
{
	return bcos_netdev_is_elsewhere(device) ? dev_net(device)->ns.inum : 0;
}

static const char *bcos_netdev_kind(const struct net_device *device)
{
	return device->rtnl_link_ops ? device->rtnl_link_ops->kind : NULL;
}

static bool bcos_netdev_is_of_user(const struct net_device *device)
{
	const char *kind = bcos_netdev_kind(device);

	return kind && !strcmp(kind, "tun");
}

static bool bcos_netdev_is_recorded(const struct net_device *device)
{
	return bcos_params.other_interfaces || !bcos_netdev_is_elsewhere(device);
}

static struct bcos_found bcos_netdev_found(const struct net_device *device, bool found)
{
	return (struct bcos_found) {
		.key = bcos_netdev_key(device),
		.name = device->name,
		.parent = device->dev.parent,
		.stacked = bcos_link_is_stacked(bcos_netdev_kind(device)),
		.found = found,
		.space = bcos_netdev_space(device),
		.by_user = !found && bcos_netdev_is_of_user(device),
	};
}

static void bcos_netdev_announce(const struct net_device *device)
{
	struct bcos_found found = bcos_netdev_found(device, bcos_net.replaying);

	bcos_device_announce(&found);
}

static int bcos_netdev_event(struct notifier_block *block, unsigned long event, void *info)
{
	const struct net_device *device = netdev_notifier_info_to_dev(info);

	if (bcos_net.closing || !bcos_netdev_is_recorded(device))
		return NOTIFY_DONE;
	switch (event) {
	case NETDEV_REGISTER:
	case NETDEV_CHANGENAME:
		bcos_netdev_announce(device);
		break;
	case NETDEV_UNREGISTER:
		bcos_device_gone(bcos_netdev_key(device), false);
		break;
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
		bcos_device_link(bcos_netdev_key(device),
				 device->flags & IFF_UP && netif_carrier_ok(device));
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block bcos_netdev_notifier = {
	.notifier_call = bcos_netdev_event,
};

/*
 * Adds an interface to the list of a walk. The kernel tells a new notifier of the interfaces of
 * every namespace, as at load, and nobody changes them meanwhile.
 */
static int bcos_netdev_walk_event(struct notifier_block *block, unsigned long event, void *info)
{
	const struct net_device *device = netdev_notifier_info_to_dev(info);
	struct bcos_found found;

	if (event != NETDEV_REGISTER || !bcos_netdev_is_recorded(device))
		return NOTIFY_DONE;
	found = bcos_netdev_found(device, true);
	bcos_device_see(bcos_net.seen, &found);
	return NOTIFY_DONE;
}

static struct notifier_block bcos_netdev_walker = {
	.notifier_call = bcos_netdev_walk_event,
};

int bcos_net_walk(struct bcos_seen_devices *seen)
{
	int error;

	bcos_net.seen = seen;
	error = register_netdevice_notifier(&bcos_netdev_walker);
	if (!error)
		unregister_netdevice_notifier(&bcos_netdev_walker);
	return error;
}

static __always_inline void bcos_packet_put(enum bcos_raw_kind kind,
					    const struct net_device *device, unsigned int length)
{
	u32 space = bcos_netdev_space(device);

	if (likely(!space || bcos_params.other_interfaces))
		bcos_device_put(kind, space ? BCOS_RAW_ELSEWHERE : 0, space,
				bcos_netdev_key(device), length);
}

notrace void bcos_on_net_dev_xmit(void *data, struct sk_buff *skb, int result,
				  struct net_device *device, unsigned int length)
{
	/* The skb may be freed already, so only the other arguments are used. */
	if (result == NETDEV_TX_OK)
		bcos_packet_put(BCOS_RAW_OUTPUT, device, length);
}

/*
 * Records a packet as the driver delivers it, before it is merged with others. The length includes
 * the link header, which may precede skb->data.
 */
notrace void bcos_on_packet(void *data, const struct sk_buff *skb)
{
	unsigned int length = skb->len;

	if (skb_mac_header_was_set(skb) && skb_mac_header(skb) < skb->data)
		length += skb->data - skb_mac_header(skb);
	bcos_packet_put(BCOS_RAW_INPUT, skb->dev, length);
}

int bcos_net_up(void)
{
	int error;

	bcos_net.closing = false;
	bcos_net.replaying = true;
	error = register_netdevice_notifier(&bcos_netdev_notifier);
	bcos_net.replaying = false;
	return error;
}

void bcos_net_down(void)
{
	/* Unregistering calls the notifier for every interface as if it went away. */
	bcos_net.closing = true;
	unregister_netdevice_notifier(&bcos_netdev_notifier);
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_net_dev_xmit(bcos_on_net_dev_xmit);
	check_trace_callback_type_napi_gro_frags_entry(bcos_on_packet);
	check_trace_callback_type_napi_gro_receive_entry(bcos_on_packet);
	check_trace_callback_type_netif_receive_skb_entry(bcos_on_packet);
	check_trace_callback_type_netif_receive_skb_list_entry(bcos_on_packet);
	check_trace_callback_type_netif_rx_entry(bcos_on_packet);
}
