# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Questions that people ask of a machine, each as a statement, with the answer that follows from how the log was made."""
from crowd import least, processor_time
from made import IDLE, LOSS, MS, S, Tool, assign, cancel, entry, event, group, input_of, interrupt, name, output_of, u32, wall_clock

tool = Tool()
STATE, KILLED, PARENT, EXEC = 0xC0000003, 0xC0000004, 0xC0000005, 0xC0000006
BOOT, HOST = 0xC0000011, 0xC0000012
ETH0 = 0x40000000


def t(ms):
    """The log begins at 1 s, which is 22:13:20 UTC."""
    return S + ms * MS


def state(process, ms, text):
    return event("process", process, STATE, t(ms), text, 0)


def runs(process, number, ms):
    return state(process, ms, "thread %d runs on CPU %d at priority 120" % (process, number)) + assign(number, process, t(ms))


def blocks(process, number, ms):
    return state(process, ms, "thread %d blocked" % process) + assign(number, IDLE, t(ms))


def made(host, boot):
    parts = [group(processes=((10, "sh"), (20, "web"), (30, "db")), devices=((0, "sda"), (ETH0, "eth0"))),
             wall_clock(S, 1700000000 * S), event("process", 0, BOOT, S, "boot 00000000-0000-4000-8000-%012d" % boot),
             event("process", 0, HOST, S, "host " + host)]
    # sh wakes web, web wakes db, and db, which has the CPU of web then, wakes web.
    parts += [runs(10, 1, 50), state(20, 100, "thread 20 woken by process 10 thread 10 on CPU 1"), runs(20, 0, 110),
              state(30, 210, "thread 30 woken by process 20 thread 20 on CPU 0"), blocks(10, 1, 260),
              state(20, 300, "thread 20 blocked"), runs(30, 0, 300),
              state(20, 400, "thread 20 woken by process 30 thread 30 on CPU 0"),
              state(30, 450, "thread 30 blocked"), runs(20, 0, 450),
              event("process", 20, 7, t(480), "request failed", 0x80), blocks(20, 0, 500)]
    # sh starts a compiler and kills it.
    parts += [name(40, "sh", t(600)), event("process", 40, PARENT, t(600), 'parent 10 "sh"', 0x20), name(40, "cc", t(610)),
              event("process", 40, EXEC, t(610), 'user 1000 path "/bin/cc" cgroup "/batch" arguments "cc" "a b"', 0x20), runs(40, 1, 610),
              entry(0x0011, 40, t(620), u32(0, 0, 1)), event("process", 40, KILLED, t(700), 'signal 9 code 0 from process 10 user 1000 "sh"'),
              assign(1, IDLE, t(700)), cancel(40, t(700) + 1, 0x80000009)]
    parts += [interrupt(ETH0, 5, t(720)), input_of(ETH0, 1000, t(720) + 5000), interrupt(ETH0, 5, t(721)), interrupt(ETH0, 5, t(722)),
              output_of(0, 4096, t(730)), output_of(0, 4096, t(731))]
    parts += [state(10, 790, "thread 10 woken by an interrupt on CPU 0"), runs(10, 0, 800), blocks(10, 0, 820)]
    # Twelve processes are born in the third second, and end at once.
    for number in range(12):
        parts += [name(100 + number, "x", t(2000 + number)),
                  event("process", 100 + number, PARENT, t(2000 + number), 'parent 10 "sh"', 0x20),
                  cancel(100 + number, t(2000 + number) + MS // 2)]
    parts += [state(30, 2190, "thread 30 woken by an interrupt on CPU 0"), runs(30, 0, 2200), blocks(30, 0, 2250)]
    # Then CPU 1 loses two assignments, so nobody knows what it does up to the end.
    parts += [event("cpu", 1, LOSS, t(2500), "lost 2 assignments: staging full, until 3.600000000 s", 0x80),
              event("process", 10, 8, t(4000), "end")]
    return tool.save(host + ".bcos", *parts)


log = made("fir", 1)
for file in (log, made("elm", 2)):
    tool.run("record", "-o", "machines", file)


def asks(what, statement, expected, *words, of=log):
    tool.equal(what, [tuple(row.values()) for row in tool.rows("sql", *words, of, statement)], expected)


asks("1: who used the CPUs, by process", "SELECT name, sum(dur) AS ns FROM run WHERE use = 'process' GROUP BY name ORDER BY ns DESC",
     [("web", 240 * MS), ("sh", 230 * MS), ("db", 200 * MS), ("cc", 90 * MS)])
asks("by user", "SELECT uid, sum(cpu_ns) FROM process WHERE uid IS NOT NULL GROUP BY uid", [(1000, 90 * MS)])
asks("in a window, which cuts", "SELECT name, sum(dur) AS ns FROM run WHERE use = 'process' GROUP BY name ORDER BY ns DESC",
     [("web", 100 * MS), ("sh", 60 * MS)], "--since", "1.2", "--until", "1.3")
asks("and by second, where it is a lower bound", "SELECT ts, name, cpu_ns, complete FROM usage ORDER BY ts, cpu_ns DESC",
     [(S, "web", 240 * MS, 1), (S, "sh", 230 * MS, 1), (S, "db", 150 * MS, 1), (S, "cc", 90 * MS, 1), (3 * S, "db", 50 * MS, 0)])
asks("2: what ran on every CPU at 22:13:20.15", "SELECT cpu, name FROM run, (SELECT bcos_ts('22:13:20.15') AS at) "
     "WHERE ts <= at AND ts + dur > at ORDER BY cpu", [(0, "web"), (1, "sh")])
asks("3: who killed it, with which signal, was it for want of memory",
     "SELECT name, signal_name, signal_by, killer_pid, killer_name, killer_uid, oom FROM death",
     [("cc", "SIGKILL", "user", 10, "sh", 1000, None)])
asks("4: which machines killed it", "SELECT host, bcos_wall(ts, host), name FROM death ORDER BY host",
     [(host, 1700000000 * S + 700 * MS + 1, "cc") for host in ("elm", "fir")], of="machines")
asks("5: why was it slow: running, ready, blocked",
     "SELECT state, sum(s.dur) FROM thread_state s JOIN thread USING (utid) WHERE thread.name = 'web' GROUP BY state",
     [("R", 60 * MS), ("Running", 240 * MS), ("S", 100 * MS)])
waits = "FROM wait WHERE name = 'web' AND ready_ns"
asks("6: how long did it wait for a CPU: median and worst", "SELECT (SELECT ready_ns %s ORDER BY ready_ns LIMIT 1 OFFSET "
     "(SELECT (count(*) - 1) / 2 %s)) AS p50, (SELECT max(ready_ns) %s) AS worst" % (waits, waits, waits), [(10 * MS, 50 * MS)])
asks("with when it lost the CPU, where that is known", "SELECT ts, dur, ready_ns, waker_name FROM wait WHERE name = 'web' ORDER BY ts",
     [(t(100), None, 10 * MS, "sh"), (t(300), 150 * MS, 50 * MS, "db")])
asks("7: who had the CPU meanwhile", "SELECT instead_use, instead_name, sum(dur) FROM who_ran_instead WHERE name = 'web' GROUP BY 1, 2",
     [("idle", None, 10 * MS), ("process", "db", 50 * MS)])
asks("8: who woke it, and the chain before that",
     "SELECT step, name, ts, dur, ready_ns, waker_name FROM critical_path((SELECT utid FROM thread WHERE name = 'db'), %d)" % t(300),
     [(0, "db", t(300), 150 * MS, 90 * MS, "web"), (1, "web", t(110), 100 * MS, 10 * MS, "sh"), (2, "sh", t(50), 50 * MS, None, None)])
asks("9: the longest times without a CPU", "SELECT name, ts, dur, unknown_ns FROM off ORDER BY dur DESC",
     [("db", t(450), 1750 * MS, 0), ("sh", t(260), 540 * MS, 0), ("web", t(300), 150 * MS, 0)])
asks("10: what was executed, by whom, with which arguments",
     "SELECT path, arguments, uid, parent_name, end_ts - start_ts FROM process WHERE path IS NOT NULL",
     [("/bin/cc", '["cc","a b"]', 1000, "sh", 100 * MS + 1)])
asks("11: is there a storm of processes", "SELECT ts, parent_name, name, births, host FROM storm", [(3 * S, "sh", "x", 12, "fir")])
asks("12: which group of processes disturbs others", "SELECT cgroup, sum(cpu_ns) FROM process WHERE cgroup IS NOT NULL GROUP BY cgroup",
     [("/batch", 90 * MS)])
asks("13: which device moves the bytes", "SELECT device, direction, sum(bytes) FROM transfer GROUP BY device, direction",
     [("eth0", "input", 1000), ("sda", "output", 8192)])
asks("and how slow it is", "SELECT name, latencies, latency_max FROM device WHERE latencies", [("eth0", 1, 5000)])
asks("14: which device floods with interrupts", "SELECT device, irq, ts / 1000000000 AS second, count(*) FROM interrupt GROUP BY 1, 2, 3",
     [("eth0", 5, 1, 3)])
asks("15: how parallel is it", "SELECT busy, sum(dur) FROM core WHERE busy > 0 GROUP BY busy", [(1, 460 * MS), (2, 150 * MS)])
asks("16: how often does it change the CPU, and have one",
     "SELECT name, sum(cpu <> former), count(*) FROM (SELECT name, cpu, lag(cpu) OVER (PARTITION BY utid ORDER BY ts) AS former FROM turn) "
     "GROUP BY name ORDER BY name", [("cc", None, 1), ("db", 0, 2), ("sh", 1, 2), ("web", 0, 2)])
asks("17: which system calls, how often, who", "SELECT name, number, count(*) FROM call GROUP BY name, number", [("cc", 0, 2), ("cc", 1, 1)])
asks("18: what was said around it", "SELECT ts, name, severity_name, text FROM event WHERE severity >= 128 AND event_id = 7 AND "
     "ts BETWEEN bcos_ts('22:13:20') AND bcos_ts('22:13:21')", [(t(480), "web", "error", "request failed")])
asks("19: what differs between two windows", "SELECT name, a_ns, b_ns, more_ns FROM diff(%d, %d, %d, %d) WHERE use = 'process'" % (
     t(0), t(300), t(300), t(600)), [("db", 0, 150 * MS, 150 * MS), ("web", 190 * MS, 50 * MS, -140 * MS), ("sh", 210 * MS, 0, -210 * MS)])
asks("by its other columns the unknown is known", "SELECT use, a_ns, b_ns FROM diff(%d, %d, %d, %d) WHERE use <> 'process'" % (
     t(0), t(1000), t(3000), t(4000)), [("unknown", 0, S), ("idle", 2 * S - 710 * MS, S)])
asks("20: what is missing", "SELECT ts, dur, cpu, kinds, count FROM loss", [(t(2500), 100 * MS, 1, "assignments", 2)])
status, out, error = tool.run("sql", log, "SELECT * FROM diff(1, 2)")
tool.check("a function needs its arguments", status == 2 and "diff(ts_a, until_a, ts_b, until_b) needs all" in error, error)
tool.equal("and can have them from another table", [tuple(row.values()) for row in tool.rows(
    "sql", log, "SELECT t.name, c.step, c.name AS before FROM thread t, critical_path(t.utid, %d) c WHERE t.name <> 'cc' AND c.step = 1 ORDER BY 1"
    % t(460))], [("db", 1, "web"), ("web", 1, "db")])

# ---- usage over a loss, a long run, and a window ---------------------------------------------------------------------------
long = tool.save("long.bcos", group(), assign(0, 10, S + S // 2), assign(1, 11, 3 * S), assign(1, IDLE, 3 * S + 1), assign(0, IDLE, 100 * S),
                 event("process", 10, 7, 101 * S, "end"))
asks("a run of a minute and more has one row for its whole seconds", "SELECT ts, dur, pid, cpu_ns, complete FROM usage ORDER BY ts, dur",
     [(S, S, 10, S // 2, 1), (2 * S, 98 * S, 10, 98 * S, 1), (3 * S, S, 11, 1, 1)], of=long)
asks("in a window there is as much as it shows", "SELECT ts, dur, pid, cpu_ns FROM usage", [(5 * S, S, 10, S // 4), (6 * S, S, 10, S // 2)],
     "--since", "5.75", "--until", "6.5", of=long)
asks("usage adds up to the table process", "SELECT p.pid, p.cpu_ns - (SELECT sum(u.cpu_ns) FROM usage u WHERE u.upid = p.upid) FROM process p "
     "WHERE p.cpu_ns ORDER BY 1", [(10, 0), (11, 0)], of=long)


def waiting(seconds):
    """All seconds wait for CPU 0, which goes on to the end. CPU 1 has 11 in the first half of each, and of every other it loses a half."""
    parts = [group(), assign(0, 10, S)]
    for at in range(2 * S, (2 + seconds) * S, S):
        parts.append(assign(1, 11, at))
        if at % (2 * S) == 0:
            parts.append(event("cpu", 1, LOSS, at + S // 4, "lost 2 assignments: staging full, until %d.500000000 s" % (at // S), 0x80))
        parts.append(assign(1, IDLE, at + S // 2))
    return tool.save("waiting%d.bcos" % seconds, *parts, event("process", 10, 7, (2 + seconds) * S, "end"))


# A square would be 64 times as much. The constant is for what the command takes at its start.
few, many = waiting(8000), waiting(64000)
USAGE = "SELECT complete, count(*), sum(cpu_ns), min(ts), max(ts) FROM usage WHERE pid = 11 GROUP BY complete"
asks("each second of many says whether it is complete", USAGE,
     [(0, 4000, 4000 * (S // 4), 2 * S, 8000 * S), (1, 4000, 4000 * (S // 2), 3 * S, 8001 * S)], of=few)
times = least(lambda: tuple(processor_time(tool, ("sql", log, USAGE)) for log in (few, many)), lambda times: times[1] > 16 * times[0] + 0.3)
tool.check("eight times as many take about eight times as long", times[1] <= 16 * times[0] + 0.3, times)
tool.end()
