// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The announcements of network interfaces by rtnetlink: see uevents.h. */
#include <linux/rtnetlink.h>
#include <linux/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bpf/shared.h"
#include "core/capture/device_name.h"
#include "uevents.h"

static void link_message(struct hardware *hardware, const struct nlmsghdr *message, bool found)
{
	const struct ifinfomsg *link = NLMSG_DATA(message);
	int left = (int)message->nlmsg_len - (int)NLMSG_LENGTH(sizeof(*link)), inner;
	const char *name = NULL, *kind = NULL;
	const struct rtattr *part, *info;
	char path[64];
	u64 key;

	/* A bridge announces its ports by messages of another family, which lack most attributes of the interface. */
	if (left < 0 || link->ifi_family != AF_UNSPEC)
		return;
	key = bcos_bpf_net_key(hardware->net, (u32)link->ifi_index);
	if (message->nlmsg_type == RTM_DELLINK) {
		hardware_gone(hardware, key);
		return;
	}
	for (part = IFLA_RTA(link); RTA_OK(part, left); part = RTA_NEXT(part, left)) {
		if (part->rta_type == IFLA_IFNAME)
			name = RTA_DATA(part);
		if (part->rta_type != IFLA_LINKINFO)
			continue;
		inner = (int)RTA_PAYLOAD(part);
		for (info = RTA_DATA(part); RTA_OK(info, inner); info = RTA_NEXT(info, inner))
			if (info->rta_type == IFLA_INFO_KIND)
				kind = RTA_DATA(info);
	}
	if (!name)
		return;
	snprintf(path, sizeof(path), "/sys/class/net/%.32s", name);
	hardware_announce(hardware, key, name, bcos_link_is_stacked(kind), path, found);
	hardware_put_key(hardware, BCOS_RAW_LINK, link->ifi_flags & IFF_UP && link->ifi_flags & IFF_LOWER_UP, key);
}

bool links_parse(struct hardware *hardware, const void *messages, size_t length, bool found)
{
	const struct nlmsghdr *message = messages;
	size_t step;

	while (length >= sizeof(*message) && message->nlmsg_len >= sizeof(*message) && message->nlmsg_len <= length) {
		hardware->incomplete |= message->nlmsg_flags & NLM_F_DUMP_INTR || message->nlmsg_type == NLMSG_ERROR;
		if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR)
			return false;
		if (message->nlmsg_type == RTM_NEWLINK || message->nlmsg_type == RTM_DELLINK)
			link_message(hardware, message, found);
		step = NLMSG_ALIGN(message->nlmsg_len);
		if (step >= length)
			break;
		message = (const void *)((const char *)message + step);
		length -= step;
	}
	return true;
}

/* The list comes from a separate socket, so the announcements that arrive meanwhile are read after the list. */
void links_scan(struct hardware *hardware)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg link;
	} ask = {
		.header = {
			.nlmsg_len = sizeof(ask), .nlmsg_type = RTM_GETLINK, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		},
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	_Alignas(struct nlmsghdr) char answer[32768];
	ssize_t n = -1;

	if (fd >= 0 && send(fd, &ask, sizeof(ask), 0) == sizeof(ask))
		while ((n = recv(fd, answer, sizeof(answer) - 1, 0)) > 0) {
			/* The zero byte terminates a name that the message does not terminate. */
			answer[n] = 0;
			if (!links_parse(hardware, answer, (size_t)n, true))
				break;
		}
	hardware->incomplete |= n <= 0;
	if (fd >= 0)
		close(fd);
}
