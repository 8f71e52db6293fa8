# SPDX-License-Identifier: GPL-2.0-only
# A part of scripts/bench-table. It reads the JSON of scripts/bench, one row a line, and prints Markdown.

function text(name) {
	if (!match($0, "\"" name "\":\"[^\"]*"))
		return ""
	return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4)
}

function number(name) {
	if (!match($0, "\"" name "\":[-0-9.]+"))
		return ""
	return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
}

function per(value) { return value == "" ? "" : value + 0 >= 200 || value + 0 <= -200 ? sprintf("%.0f", value) : value }

# Returns the range of a figure, if its measurements differ by a tenth or more, and by 20 instructions or more.
function spread(    least, most, size) {
	least = number("least")
	most = number("most")
	size = number("instructions")
	size = size < 0 ? -size : size
	if (most - least < 20 || most - least < size / 10)
		return ""
	return sprintf(" (%.0f to %.0f)", least, most)
}

function short(version) {
	sub(/ emulator version/, "", version)
	sub(/ \(.*/, "", version)
	return version
}

/"kind":/ {
	kind = text("kind")
	kernel = text("name")
	if (kind != "native" && !(kernel in known)) {
		known[kernel] = text("kernel")
		kernels[++kernel_count] = kernel
	}
	if (kind != "native")
		emulator[kind] = short(text("emulator"))
	if (done[kind] == "")
		done[kind] = text("date")
	if (!((kind, kernel) in seen)) {
		seen[kind, kernel] = 1
		where[kind] = where[kind] (where[kind] == "" ? "" : ", ") text("kernel") \
			(text("date") == done[kind] ? "" : " (" text("date") ")")
	}
	cpu[kind] = text("cpu")
	next
}

kind == "native" && /"bench":/ { native[++native_count] = $0; next }

/"variant":/ {
	if (text("date") != "")
		again = text("date")
	load = text("load")
	variant = text("variant")
	if (!((load, variant) in what)) {
		rows[load] = rows[load] " " variant
		what[load, variant] = text("what")
		if (!(load in loads)) {
			loads[load] = 1
			order[++load_count] = load
		}
	}
	at = load SUBSEP variant SUBSEP kernel
	if (/"missing":/) {
		cost[at] = ratio[at] = "missing"
		why[variant, kernel] = text("missing")
		whose[variant, kernel] = text("what")
	} else if (/"ratio":/) {
		ratio[at] = sprintf("%.2f (%.2f-%.2f)", number("ratio"), number("least"), number("most"))
	} else {
		cost[at] = per(number("instructions")) spread() (number("wakeups") == "" ? "" : \
			"; " number("wakeups") " wake-ups a zone")
		if (number("bytes") != "")
			kept[load, variant] = number("bytes")
	}
}

function head_of(load,    i, line, rule) {
	line = "| " load
	rule = "|---"
	for (i = 1; i <= kernel_count; i++) {
		if ((("counted", kernels[i]) in seen)) {
			line = line " | " kernels[i]
			rule = rule "|---:"
		}
	}
	line = line " | bytes kept"
	rule = rule "|---:"
	for (i = 1; i <= kernel_count; i++) {
		if ((("real", kernels[i]) in seen) && load == "sched_switch") {
			line = line " | time, " kernels[i]
			rule = rule "|---:"
		}
	}
	print line " |"
	print rule "|"
}

function row_of(load, variant,    i, line, at) {
	line = "| " (variant ~ /^bcos/ ? "**" what[load, variant] "**" : what[load, variant])
	for (i = 1; i <= kernel_count; i++) {
		at = load SUBSEP variant SUBSEP kernels[i]
		if ((("counted", kernels[i]) in seen))
			line = line " | " cost[at]
	}
	line = line " | " (((load, variant) in kept) ? kept[load, variant] : "")
	for (i = 1; i <= kernel_count; i++) {
		at = load SUBSEP variant SUBSEP kernels[i]
		if ((("real", kernels[i]) in seen) && load == "sched_switch")
			line = line " | " ratio[at]
	}
	print line " |"
}

function title(    line) {
	if (done["counted"] != "")
		line = "Instructions an event, on top of nothing, counted " done["counted"] \
			(again == "" ? "" : " (those of the module " again ")") " on " where["counted"] \
			" (" emulator["counted"] ", one CPU, an instruction a nanosecond), medians of paired differences," \
			" with least and most where these are more than a tenth apart; of fork+exec+exit, what probes (of" \
			" switches, too) and log writer take; of record, what the process that keeps the log takes."
	if (done["real"] != "")
		line = line (line == "" ? "" : " ") "\"time\" is the paired ratio of the time that a switch takes to that" \
			" without a recorder, with least and most, measured " done["real"] " in a guest with two busy CPUs."
	print line
	print ""
}

function missing(    key, part) {
	for (key in why) {
		split(key, part, SUBSEP)
		print "Missing on " part[2] ": " whose[key] " (" why[key] ")."
		print ""
	}
}

function native_table(    i) {
	print "Natively, " done["native"] ", " where["native"] ", " cpu["native"] ":"
	print ""
	print "| | |"
	print "|---|---:|"
	for (i = 1; i <= native_count; i++)
		native_row(native[i])
	print ""
}

# Prints the rows of a native measurement. The log writer has one row for each measurement, the others have one row for
# each figure.
function native_row(line,    name, list, count, i, part, value, running, pause) {
	$0 = line
	name = text("bench")
	if (name == "writer") {
		running = number("running") == number("processes") ? "" : " of which " number("running") " run"
		# With fewer processes the pause of a compaction is shorter than the pauses that a busy machine causes
		# anyway.
		pause = number("processes") + 0 < 10000 ? "" : \
			sprintf("; a compaction takes up to %.1f ms", number("pause_us") / 1000)
		print "| log writer, " number("cpus") (number("cpus") == 1 ? " CPU, " : " CPUs, ") number("processes") \
			" processes" running " | " number("ns") " ns a switch; " \
			sprintf("%.1f", number("ns") + number("staging_ns")) " with what its CPU takes to stage it" pause " |"
		return
	}
	if (name == "convert") {
		# The variant is "convert to ltt", "convert from ltt" or "zlib".
		split(text("variant"), list, " ")
		if (list[1] == "zlib") {
			print "| zlib alone, which compresses the trace of `-t ltt` | " sprintf("%.0f MB/s of log", number("mb_per_s")) \
				sprintf(", %.2f times `check`", number("of_check")) elsewhere() " |"
			return
		}
		print "| `bcoslog convert" (list[2] == "to" ? " -t " list[3] "`, a log with texts" : "`, back from " list[3]) " | " \
			sprintf("%.0f MB/s of log", number("mb_per_s")) \
			(number("of_check") == "" ? "" : sprintf(", %.2f times `check`", number("of_check"))) elsewhere() " |"
		return
	}
	if (name == "explorer") {
		printf "| page of `bcoslog explore`, %.1f million entries | opens in %.1f s, takes %d MiB; ", number("entries") / 1e6,
			number("open_s"), number("memory_mib")
		print "a frame takes " number("frame_ms") " ms, and " number("frame_99_ms") " ms at 99 %" elsewhere() " |"
		return
	}
	count = split(line, list, ",")
	for (i = 1; i <= count; i++) {
		gsub(/[{}" \t]/, "", list[i])
		if (split(list[i], part, ":") != 2 || part[2] !~ /^[-0-9.]+$/)
			continue
		value[part[1]] = part[2]
		if (part[1] ~ /_ns$/)
			print "| " label(part[1]) " | " part[2] " ns |"
		else if (part[1] ~ /_mb$/)
			reading(substr(part[1], 1, length(part[1]) - 3), value)
	}
}

BEGIN {
	by["iterate"] = "walk with the library, by `bcoslog_next()`"
	by["iterate_batches"] = "walk with the library, by `bcoslog_batch()`"
	by["account"] = "account with the library, all sums"
	by["account_states"] = "account with the library, all sums, of a log with the class `state`"
	by["account_threads"] = "account with the library, of threads as well, of such a log"
	by["ctf_back"] = "`bcoslog convert -f ctf` of that trace"
	by["babeltrace_reads"] = "`babeltrace2` reading that trace"
	by["babeltrace_copies"] = "`babeltrace2` reading and writing that trace"
	by["ctf_lttng"] = "`bcoslog convert -f ctf` of a trace of LTTng with the same switches"
	by["babeltrace_reads_lttng"] = "`babeltrace2` reading the trace of LTTng"
	by["babeltrace_copies_lttng"] = "`babeltrace2` reading and writing the trace of LTTng"
}

# Returns the processor and day of a row, if they differ from those of most rows.
function elsewhere(    other) {
	other = $0 ~ /"cpu":/ && text("cpu") != cpu["native"] ? text("cpu") : ""
	if ($0 ~ /"date":/ && text("date") != done["native"])
		other = other (other == "" ? "" : ", ") text("date")
	return other == "" ? "" : " (" other ")"
}

# Prints the row of decode for one way to read.
function reading(way, value,    command) {
	command = way
	sub(/^convert_/, "convert -t ", command)
	print "| " (way in by ? by[way] : "`bcoslog " command "`") " | " \
		sprintf("%.1f million entries/s, %.0f MB/s", value[way] / 1e6, value[way "_mb"]) elsewhere() " |"
}

function label(name) {
	sub(/_ns$/, "", name)
	gsub(/_/, " ", name)
	return "`" name "`"
}

END {
	if (load_count)
		title()
	for (l = 1; l <= load_count; l++) {
		head_of(order[l])
		count = split(rows[order[l]], list, " ")
		for (r = 1; r <= count; r++)
			row_of(order[l], list[r])
		print ""
	}
	missing()
	if (native_count)
		native_table()
}
