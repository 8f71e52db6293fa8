// SPDX-License-Identifier: GPL-2.0-only
/*
 * Announces the devices for which the kernel has uevents: terminals, sound, graphics and USB
 * devices, and disks whose medium or size changes. Modules cannot register for the classes of these
 * devices, so this listens to the uevents themselves. Devices that exist already are in the
 * kernel's list of all devices.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>
#include <linux/rcupdate.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "core/capture/uevent.h"
#include "capture/missed.h"
#include "device.h"

static struct {
	struct socket *socket;
	void (*ready)(struct sock *sock);
	void (*report)(struct sock *sock);
	u32 drops;		/* messages that the kernel dropped and that are noted as missed */
	atomic64_t dropped;	/* time of the first other one, ns since boot; 0: none */
} bcos_announced;

/* Keeps the socket while the work uses it. */
static DEFINE_MUTEX(bcos_announced_lock);

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

	/* The error that a drop leaves behind is returned once, instead of a message. */
	while ((skb = skb_recv_datagram(sock, MSG_DONTWAIT, &error)) || error == -ENOBUFS) {
		if (!skb)
			continue;
		/* Other processes may send, too, but only the kernel is trusted. */
		if (!NETLINK_CB(skb).portid && !skb_is_nonlinear(skb)) {
			bcos_announced_parse(&what, (const char *)skb->data, skb->len);
			bcos_announced_stage(&what);
		}
		skb_free_datagram(sock, skb);
	}
}

static void bcos_announced_allow_drops(struct socket *socket, int allow)
{
	READ_ONCE(socket->ops)->setsockopt(socket, SOL_NETLINK, NETLINK_NO_ENOBUFS,
					   KERNEL_SOCKPTR(&allow), sizeof(allow));
}

/*
 * After the kernel has dropped a message, for lack of memory or of room, it drops all that follow
 * until the socket is declared to stand that. This declares it, and revokes it, so that the next
 * drop is reported, too. Then it notes the loss, and a walk finds the devices.
 */
static void bcos_announced_mend(struct socket *socket)
{
	u64 since;
	u32 count;

	bcos_announced_allow_drops(socket, 1);
	bcos_announced_allow_drops(socket, 0);
	bcos_announced_ready(socket->sk);
	since = atomic64_xchg(&bcos_announced.dropped, 0) ?: bcos_now();
	/* The kernel reports a drop before it counts it. */
	count = max_t(s32, atomic_read(&socket->sk->sk_drops) - bcos_announced.drops, 1);
	bcos_announced.drops += count;
	bcos_missed_note(BCOS_MISSED_MESSAGES, count, since);
}

static void bcos_announced_work_on(struct work_struct *work)
{
	mutex_lock(&bcos_announced_lock);
	if (bcos_announced.socket)
		bcos_announced_mend(bcos_announced.socket);
	mutex_unlock(&bcos_announced_lock);
}

static DECLARE_WORK(bcos_announced_work, bcos_announced_work_on);

/* The kernel drops a message. Runs in the context of the task that sends it. */
static void bcos_announced_report(struct sock *sock)
{
	atomic64_cmpxchg(&bcos_announced.dropped, 0, bcos_now());
	queue_work(system_unbound_wq, &bcos_announced_work);
}

/* Has the kernel count, and tell of, each message that it drops from now on. */
static void bcos_announced_listen(struct sock *sock)
{
	bcos_announced.drops = atomic_read(&sock->sk_drops);
	atomic64_set(&bcos_announced.dropped, 0);
	write_lock_bh(&sock->sk_callback_lock);
	bcos_announced.ready = sock->sk_data_ready;
	bcos_announced.report = sock->sk_error_report;
	sock->sk_data_ready = bcos_announced_ready;
	sock->sk_error_report = bcos_announced_report;
	write_unlock_bh(&sock->sk_callback_lock);
}

int bcos_announced_up(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int error;

	error = sock_create_kern(&init_net, PF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT,
				 &bcos_announced.socket);
	if (error) {
		bcos_announced.socket = NULL;
		goto without;
	}
	bcos_announced_listen(bcos_announced.socket->sk);
	error = kernel_bind(bcos_announced.socket, (struct sockaddr *)&address, sizeof(address));
	if (error) {
		bcos_announced_down();
		goto without;
	}
	bcos_announced_scan(NULL);
	return 0;
without:
	pr_err("cannot receive uevents, which tell of terminals, sound, graphics and USB devices: error %d\n",
	       error);
	return error;
}

void bcos_announced_down(void)
{
	struct socket *socket = bcos_announced.socket;
	struct sock *sock;

	if (!socket)
		return;
	sock = socket->sk;
	write_lock_bh(&sock->sk_callback_lock);
	sock->sk_data_ready = bcos_announced.ready;
	sock->sk_error_report = bcos_announced.report;
	write_unlock_bh(&sock->sk_callback_lock);
	mutex_lock(&bcos_announced_lock);
	WRITE_ONCE(bcos_announced.socket, NULL);
	mutex_unlock(&bcos_announced_lock);
	/* Releasing the socket waits until nobody uses it, so then nobody queues the work. */
	sock_release(socket);
	cancel_work_sync(&bcos_announced_work);
	synchronize_rcu();
}
