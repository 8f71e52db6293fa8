/* SPDX-License-Identifier: GPL-2.0-only */
/* After each pass, the log writer publishes what it knows in the image of the log. */
#ifndef BCOS_PUBLISH_H
#define BCOS_PUBLISH_H

#include "core/merge/merge.h"

/* Begins to publish the passes of @merge. The image is planned. */
void bcos_publish_up(struct bcos_merge *merge);

#endif
