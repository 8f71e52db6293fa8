-- SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
-- Questions to a ClickHouse server to which machines ship (bcoslog-ship(1)). bcoslog sql asks a recording, or by --hosts the machines
-- themselves, for the same; its statement is in the comment after each question.

-- Which machines killed postgres in the last hour, and who did it?
-- SELECT host, killer_name, count(*) FROM process WHERE name = 'postgres' AND end_kind = 'signal' AND end_ts > bcos_ts('-1h') GROUP BY host, killer_name
SELECT host, killer_name, count() FROM life FINAL WHERE name = 'postgres' AND end_kind = 'signal'
    AND wall_ns > (toUnixTimestamp(now()) - 3600) * 1000000000 GROUP BY host, killer_name;

-- What died by a signal, machine by machine?
-- SELECT host, name, signal_name, count(*) AS times FROM process WHERE end_kind = 'signal' GROUP BY host, name, signal_name ORDER BY times DESC
SELECT host, name, signal_name, count() AS times FROM life FINAL WHERE end_kind = 'signal' GROUP BY host, name, signal_name ORDER BY times DESC;

-- Where do storms of short processes rage: minutes in which more than 1000 ended?
-- SELECT host, end_ts / 60000000000 AS minute, count(*) AS lives FROM process WHERE end_ts IS NOT NULL GROUP BY host, minute HAVING lives > 1000
SELECT host, intDiv(wall_ns, 60000000000) AS minute, count() AS lives FROM life FINAL GROUP BY host, minute HAVING lives > 1000;

-- Which names use the most CPU time, and on how many machines?
-- SELECT name, sum(dur) AS cpu, count(DISTINCT host) AS machines FROM run WHERE use = 'process' GROUP BY name ORDER BY cpu DESC LIMIT 20
SELECT name, sum(cpu_ns) AS cpu, count(DISTINCT host) AS machines FROM usage FINAL WHERE use = 'process' GROUP BY name ORDER BY cpu DESC LIMIT 20;

-- What differs an hour before and after a deploy, here at 1700000000 s?
-- SELECT name, sum(CASE WHEN bcos_wall(ts) >= 1700000000000000000 THEN dur END) AS after, sum(CASE WHEN bcos_wall(ts) < 1700000000000000000 THEN dur END) AS before FROM run WHERE use = 'process' GROUP BY name ORDER BY abs(coalesce(after, 0) - coalesce(before, 0)) DESC LIMIT 20
SELECT name, sumIf(cpu_ns, wall_ns >= 1700000000000000000) AS after, sumIf(cpu_ns, wall_ns < 1700000000000000000) AS before FROM usage FINAL
    WHERE use = 'process' AND wall_ns BETWEEN 1699996400000000000 AND 1700003600000000000 GROUP BY name
    ORDER BY abs(toInt64(after) - toInt64(before)) DESC LIMIT 20;

-- Of which machines is something missing, so that their sums are lower bounds?
-- SELECT host, kinds, count(*) AS times, sum(dur) AS ns FROM loss GROUP BY host, kinds ORDER BY ns DESC
SELECT host, kinds, count() AS times, sum(dur) AS ns FROM loss FINAL GROUP BY host, kinds ORDER BY ns DESC;
