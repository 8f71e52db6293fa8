// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The model of the page, of which there is one: see model.h. */
#include "model.h"

struct model model = {
	.processes = LIST_OF(struct process_item), .devices = LIST_OF(struct device_item),
	.cpus = LIST_OF(struct cpu_item),
	.names = LIST_OF(struct former_name), .events = LIST_OF(struct event), .inputs = LIST_OF(struct traffic),
	.outputs = LIST_OF(struct traffic), .interrupts = LIST_OF(struct traffic),
};
