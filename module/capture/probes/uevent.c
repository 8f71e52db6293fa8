// SPDX-License-Identifier: GPL-2.0-only
/*
 * Announces the devices for which the kernel has uevents: terminals, sound, graphics and USB
 * devices, and disks whose medium or size changes. Modules cannot register for the classes of these
 * devices, so this listens to the uevents themselves. Devices that exist already are in the
 * kernel's list of all devices.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device.h>
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>
#include <linux/rcupdate.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "core/capture/uevent.h"
#include "device.h"

static struct {
	struct socket *socket;
	void (*ready)(struct sock *sock);
} bcos_announced;

/*
 * Announces a device of the kernel's list, or adds it to @seen, the list of a walk, if that is not
 * NULL. The parents of a device live as long as it is in the kernel's list.
 */
static void bcos_announced_found(const struct device *device, struct bcos_seen_devices *seen)
{
	const char *subsystem = device->class ? device->class->name :
				device->bus ? device->bus->name : NULL;
	u32 range = bcos_announced_range(subsystem, dev_name(device), !device->parent);
	char name[BCOS_DEVICE_NAME_MAX];
	struct bcos_found found;

	/* A device stays in the list for a moment after its end was announced. */
	if (!range || !device->devt || device->kobj.state_remove_uevent_sent)
		return;
	bcos_announced_name(name, sizeof(name), subsystem, dev_name(device));
	found = (struct bcos_found) {
		.key = bcos_announced_key(range, MAJOR(device->devt), MINOR(device->devt)),
		.name = name,
		/* The ancestors of other USB devices serve further devices, too. */
		.parent = range == BCOS_DEVICE_OTHER ? NULL : device->parent,
		.found = true,
	};
	if (seen)
		bcos_device_see(seen, &found);
	else
		bcos_device_announce(&found);
}

/*
 * Looks at all devices. They are in one kset, which the loopback interface leads to; that interface
 * exists as long as the kernel runs.
 */
static void bcos_announced_scan(struct bcos_seen_devices *seen)
{
	struct kset *all = init_net.loopback_dev->dev.kobj.kset;
	struct kobject *object;

	if (!all)
		return;
	spin_lock(&all->list_lock);
	list_for_each_entry(object, &all->list, entry)
		bcos_announced_found(kobj_to_dev(object), seen);
	spin_unlock(&all->list_lock);
}

int bcos_announced_walk(struct bcos_seen_devices *seen)
{
	if (READ_ONCE(bcos_announced.socket))
		bcos_announced_scan(seen);
	return 0;
}

static void bcos_announced_stage(const struct bcos_announcement *what)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_DEVICE };
	struct bcos_raw_event event = {};
	struct {
		struct bcos_raw_device device;
		char names[BCOS_RAW_DEVICE_TEXT];
	} text = { .device.key = what->key };

	switch (what->what) {
	case BCOS_ANNOUNCED_COMES:
		bcos_put_text(&raw, &event, (const char *)&text,
			      sizeof(text.device) + bcos_announced_names(text.names, what));
		break;
	case BCOS_ANNOUNCED_GOES:
		bcos_device_gone(what->key, false);
		break;
	case BCOS_ANNOUNCED_CHANGES:
		raw.kind = BCOS_RAW_EVENT;
		raw.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_DEVICE, BCOS_SEVERITY_INFO);
		raw.id = (u32)what->key;
		event.tag = (u32)(what->key >> 32);
		bcos_put_text(&raw, &event, what->text, strlen(what->text));
		break;
	case BCOS_ANNOUNCED_NOTHING:
		break;
	}
}

/* The socket has uevents to read. Runs in the context of the task that sends them. */
static void bcos_announced_ready(struct sock *sock)
{
	struct bcos_announcement what;
	struct sk_buff *skb;
	int error;

	while ((skb = skb_recv_datagram(sock, MSG_DONTWAIT, &error))) {
		/* Other processes may send, too, but only the kernel is trusted. */
		if (!NETLINK_CB(skb).portid && !skb_is_nonlinear(skb)) {
			bcos_announced_parse(&what, (const char *)skb->data, skb->len);
			bcos_announced_stage(&what);
		}
		skb_free_datagram(sock, skb);
	}
}

int bcos_announced_up(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	struct sock *sock;
	int error;

	error = sock_create_kern(&init_net, PF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT,
				 &bcos_announced.socket);
	if (error) {
		bcos_announced.socket = NULL;
		goto without;
	}
	sock = bcos_announced.socket->sk;
	write_lock_bh(&sock->sk_callback_lock);
	bcos_announced.ready = sock->sk_data_ready;
	sock->sk_data_ready = bcos_announced_ready;
	write_unlock_bh(&sock->sk_callback_lock);
	error = kernel_bind(bcos_announced.socket, (struct sockaddr *)&address, sizeof(address));
	if (error) {
		bcos_announced_down();
		goto without;
	}
	bcos_announced_scan(NULL);
	return 0;
without:
	pr_info("terminals, sound, graphics and USB devices are not recorded: receiving uevents failed with error %d\n",
		error);
	return 0;
}

void bcos_announced_down(void)
{
	struct sock *sock;

	if (!bcos_announced.socket)
		return;
	sock = bcos_announced.socket->sk;
	write_lock_bh(&sock->sk_callback_lock);
	sock->sk_data_ready = bcos_announced.ready;
	write_unlock_bh(&sock->sk_callback_lock);
	/* Releasing the socket waits until nobody uses it. */
	sock_release(bcos_announced.socket);
	bcos_announced.socket = NULL;
	synchronize_rcu();
}
