// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Includes the page of bcoslog explore, which the build has made. */
#include "commands.h"

__asm__(".section .rodata\n"
	".global explorer_page\n"
	".hidden explorer_page\n"
	"explorer_page:\n"
	".incbin \"" EXPLORER_PAGE "\"\n"
	".global explorer_page_end\n"
	".hidden explorer_page_end\n"
	"explorer_page_end:\n"
	".byte 0\n"
	".previous\n");
