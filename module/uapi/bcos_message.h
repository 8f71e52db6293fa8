/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * Messages: the log in the form of event loggers of embedded systems, for collectors in other
 * modules (module/exports/bcos_evlog_module.h) and in programs (bcoslog_collector.h). A message has
 * an ID and words of 32 bits.
 *
 *	ID				words
 *	1 context switch		time, process that the CPU runs now
 *	2 interrupt			time, device, line of the device: BCOS_MESSAGE_IRQ()
 *	3 sleep				time of falling asleep, of waking, device that woke
 *	4 task state change		time, thread (state 0: process), state
 *	5 command packet		time, process, number of the kernel function that it calls
 *				(as in BCOS_KERNEL_API)
 *	6 kernel event			time, type of the entry: process, core, CPU began or ended
 *	7 and above			the words of the module that put it, or the time
 *
 * A collector gets no messages until its masks are set. Bit 0 of the event mask is ID 1, bit 31 is
 * ID 32 and all above. IDs 4 to 6 belong to the task monitor and also require their bit in the
 * monitor mask. Historical entries are no messages. Times are the low 32 bits of ns since boot,
 * unless the collector has a timer.
 */
#ifndef BCOS_MESSAGE_UAPI_H
#define BCOS_MESSAGE_UAPI_H

enum bcos_message_id {
	BCOS_MESSAGE_SWITCH = 1,
	BCOS_MESSAGE_INTERRUPT,
	BCOS_MESSAGE_SLEEP,
	BCOS_MESSAGE_TASK_STATE,
	BCOS_MESSAGE_PACKET,
	BCOS_MESSAGE_KERNEL_EVENT,
	BCOS_MESSAGE_CUSTOM		/* the first ID for messages of other modules */
};

/* Bits of the task monitor's mask. */
#define BCOS_MONITOR_SWAP	1u	/* a process gets a CPU: state BCOS_STATE_RUNS */
#define BCOS_MONITOR_STATE	2u	/* a thread's state changed */
#define BCOS_MONITOR_SERVICE	4u	/* command packets */
#define BCOS_MONITOR_EVENT	8u	/* kernel events */

enum bcos_state {
	BCOS_STATE_RUNS,
	BCOS_STATE_BLOCKED,
	BCOS_STATE_BLOCKED_HARD,	/* uninterruptible */
	BCOS_STATE_WOKEN,
	BCOS_STATE_STOPPED,
	BCOS_STATE_DEAD,
	BCOS_STATES
};

/*
 * As the device of an interrupt: no device sent it, but for example a timer. As the number of a
 * packet: the number is not recorded.
 */
#define BCOS_MESSAGE_UNKNOWN	0xFFFFFFFFu

/*
 * Makes one number of 64 bits from the words of an interrupt: the low half is the ID of the device,
 * the high half is the line among those of the device.
 */
#define BCOS_MESSAGE_IRQ(device, line)	((unsigned long long)(line) << 32 | (device))

#endif
