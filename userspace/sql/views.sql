-- SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
-- The views of bcoslog sql. bcoslog-sql(1) lists them. A released view or column keeps its meaning. Their last columns tell of which
-- machine and boot a row is; the column log, which is a number, keeps machines apart.

-- Processes that a signal ended, and who sent it.
CREATE VIEW death AS
SELECT end_ts AS ts, upid, pid, name, signal_name, signal_by, killer_pid, killer_name, killer_uid, oom, parent_pid, parent_name, cgroup,
	machine, host, boot
FROM process WHERE end_kind = 'signal';

-- Births by second and parent, where there were at least 10.
CREATE VIEW storm AS
SELECT start_ts / 1000000000 * 1000000000 AS ts, parent_pid, parent_name, name, count(*) AS births, machine, host, boot
FROM process WHERE born = 1 GROUP BY 1, 2, 3, 4, log, boot HAVING count(*) >= 10;

-- For how long CPUs executed processes and the kernel, by second.
CREATE VIEW busy_second AS
WITH RECURSIVE piece(ts, until, log, machine, host, boot) AS (
	SELECT ts, ts + dur, log, machine, host, boot FROM run WHERE use IN ('process', 'kernel')
	UNION ALL
	SELECT (ts / 1000000000 + 1) * 1000000000, until, log, machine, host, boot
	FROM piece WHERE until > (ts / 1000000000 + 1) * 1000000000
)
SELECT ts / 1000000000 * 1000000000 AS ts, sum(min(until, (ts / 1000000000 + 1) * 1000000000) - ts) AS busy_ns, machine, host, boot
FROM piece GROUP BY 1, log, boot;

-- The waits of processes for a CPU, by powers of ten: from_ns and more, below ten times as much.
CREATE VIEW latency_histogram AS
SELECT upid, pid, name, CAST('1' || substr('000000000000000000', 1, length(ready_ns) - 1) AS INTEGER) AS from_ns,
	count(*) AS waits, sum(ready_ns) AS ready_ns, max(ready_ns) AS longest_ready_ns, machine, host, boot
FROM turn WHERE ready_ns > 0 GROUP BY 1, 2, 3, 4;

-- What the CPU did for which a thread waited. Ask for one process or thread: each wait is compared with the runs of its CPU.
CREATE VIEW who_ran_instead AS
SELECT w.ts - w.ready_ns AS wait_ts, w.utid, w.tid, w.upid, w.pid, w.name, w.cpu, r.use AS instead_use, r.upid AS instead_upid,
	r.pid AS instead_pid, r.name AS instead_name, max(r.ts, w.ts - w.ready_ns) AS ts,
	min(r.ts + r.dur, w.ts) - max(r.ts, w.ts - w.ready_ns) AS dur, w.machine, w.host, w.boot
FROM turn w CROSS JOIN run r ON r.cpu = w.cpu AND r.log = w.log
WHERE w.ready_ns > 0 AND r.ts < w.ts AND r.ts + r.dur > w.ts - w.ready_ns;

-- For how long a thread had no CPU before a turn, and for how long of that it waited for one, where that is known.
CREATE VIEW wait AS
SELECT ts - ifnull(off_ns, ready_ns) AS ts, off_ns AS dur, utid, tid, upid, pid, name, cpu, ready_ns, preempted, waker_kind, waker_pid, waker_tid, waker_name,
	machine, host, boot
FROM turn WHERE off_ns > 0 OR ready_ns > 0;

-- By the names of Perfetto, where the class state was on: what threads ran when, and in which state they were.
CREATE VIEW sched AS
SELECT ts, dur, cpu, utid, CASE end_state WHEN 'blocked' THEN 'S' WHEN 'blocked, not to be interrupted' THEN 'D' WHEN 'dead' THEN 'X'
	WHEN 'stopped' THEN 'T' WHEN 'runs' THEN 'R' WHEN 'woken' THEN 'R' END AS end_state, upid, tid, pid, name, machine, host, boot
FROM turn;
CREATE VIEW sched_slice AS SELECT * FROM sched;
CREATE VIEW thread_state AS
SELECT ts, dur, cpu, utid, 'Running' AS state, NULL AS waker_tid, machine, host, boot FROM turn
UNION ALL
SELECT ts - ready_ns, ready_ns, NULL, utid, 'R', waker_tid, machine, host, boot FROM turn WHERE ready_ns > 0
UNION ALL
SELECT ts - off_ns, off_ns - ifnull(ready_ns, 0), NULL, utid,
	CASE former_state WHEN 'blocked' THEN 'S' WHEN 'blocked, not to be interrupted' THEN 'D' WHEN 'stopped' THEN 'T' END, NULL,
	machine, host, boot
FROM (SELECT ts, off_ns, ready_ns, utid, lag(end_state) OVER (PARTITION BY utid ORDER BY ts) AS former_state, machine, host, boot FROM turn)
WHERE off_ns > ifnull(ready_ns, 0);
