# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# mutate.awk FILE...: prints each small fault that can be put into a C file as a line FILE<tab>NUMBER<tab>LINES<tab>NEW.
# NEW replaces LINES lines from line NUMBER on. In NEW, "\n" separates lines, and "\t" stands for a tab.
#
# A fault changes a comparison, a logical or arithmetic operator, a constant or a condition; or it deletes a statement,
# or swaps it with the next one. Faults are put only into functions. Comments, strings, preprocessor lines and
# initialisers of tables stay as they are.

function escaped(text)
{
	gsub(/\\/, "&&", text)
	gsub(/\t/, "\\t", text)
	return text
}

function fault(number, lines, text)
{
	printf "%s\t%d\t%d\t%s\n", file, number, lines, text
}

# Returns the line with comments, strings and characters blanked, so that positions stay.
function blanked(text,    out, i, c, quote)
{
	out = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (commented) {
			if (substr(text, i, 2) == "*/") { commented = 0; out = out " "; i++ }
			out = out " "
		} else if (quote != "") {
			if (c == "\\") { out = out "~"; i++ } else if (c == quote) quote = ""
			out = out "~"
		} else if (substr(text, i, 2) == "/*") {
			commented = 1
			out = out "  "
			i++
		} else if (substr(text, i, 2) == "//") {
			return out
		} else if (c == "\"" || c == "'") {
			quote = c
			out = out "~"
		} else {
			out = out c
		}
	}
	return out
}

# Makes a fault at each match of @pattern in line @n: @long characters that begin @skip characters into it become @new.
function replaced(n, pattern, skip, long, new,    rest, at, from)
{
	from = 1
	while (match(substr(code[n], from), pattern)) {
		at = from + RSTART - 1 + skip
		fault(n, 1, escaped(substr(line[n], 1, at - 1) new substr(line[n], at + long)))
		from = from + RSTART + RLENGTH - 1
	}
}

function constants(n,    rest, at, from, value)
{
	from = 1
	while (match(substr(code[n], from), /[^A-Za-z0-9_.][0-9]+[^A-Za-z0-9_.]/)) {
		at = from + RSTART
		value = substr(code[n], at, RLENGTH - 2)
		# The 1 of calloc() is a count, and a 2 would only be room that nothing uses.
		# All elements of an array have one size, and all time-outs below 0 are none.
		if (substr(code[n], at - 7, 7) != "calloc(" && substr(code[n], 1, at - 1) !~ /sizeof\([a-z_.>-]+\[$|(poll|_wait|_compaction)\(.*, -$/)
			fault(n, 1, escaped(substr(line[n], 1, at - 1) (value + 1) substr(line[n], at + length(value))))
		from = at + length(value)
	}
}

# Is line @n a statement of its own that declares nothing and does not leave the function?
function is_statement(n)
{
	# A cast to void only says that a parameter is not used.
	return code[n] ~ /^\t+[A-Za-z_*(+-].*;[ \t]*$/ && code[n] !~ /^\t+[a-z_]+_t [a-z_]+[,;]/ && code[n] !~ /^\t+\(void\)[a-z_]+;/ && code[n] !~ /^\t+(return|goto|case|default|else|for|while|if|do|struct|static|const|enum|u8|u16|u32|u64|int|char|size_t|bool|unsigned|long|ssize_t|double|float|FILE|uint[0-9]+_t|__u[0-9]+)[ (*]/ && code[n - 1] ~ /([;{}):]|^|else)[ \t]*$/
}

# Returns what line @n changes if it is a plain assignment, a count up or down, or a copy of memory or text; else nothing.
function changed(n,    text)
{
	text = code[n]
	# These are the parentheses of a cast or of a part of an expression, but not of a call.
	while (match(text, /[^A-Za-z0-9_]\([^()]*\)/))
		text = substr(text, 1, RSTART) " " substr(text, RSTART + 2, RLENGTH - 3) " " substr(text, RSTART + RLENGTH)
	if (match(text, /^\t+[A-Za-z_][^ ()]*(\[[^]()]*\])? [|&+*-]?= [^()]*;[ \t]*$/))
		return substr(text, indent(n) + 1, index(text, "=") - indent(n) - 1)
	if (match(text, /^\t+[A-Za-z_][^ ()]*(\+\+|--);[ \t]*$/))
		return substr(text, indent(n) + 1, match(text, /\+\+|--/) - indent(n) - 1)
	if (match(text, /^\t+(mem(cpy|move|set)|snprintf)\([A-Za-z_][^ (),]*, /)) {
		text = substr(text, index(text, "(") + 1)
		return substr(text, 1, index(text, ",") - 1)
	}
	return ""
}

function frees(n)
{
	return code[n] ~ /^\t+([a-z_]*_)?(free|return|close|fclose|munmap|destroy|unref|decref|abandon)\(|^\t+(forget|free)_[a-z_]+\(/
}

function says(n)
{
	return code[n] ~ /^\t+(complain|found)\(/
}

# Does line @n give back something of which line @m, a complaint or a finding, does not tell?
function frees_untold(n, m)
{
	return frees(n) && says(m) && match(code[n], /[A-Za-z_][^ ()]*\);/) && code[m] !~ /errno/ && !names(code[m], substr(code[n], RSTART, RLENGTH - 2))
}

# Does @text name @what, and not something longer?
function names(text, what,    at, from)
{
	for (from = 1; (at = index(substr(text, from), what)); from = from + at)
		if (substr(text, from + at - 1 + length(what), 1) !~ /[A-Za-z0-9_]/)
			return 1
	return 0
}

# Can the order of this statement and the next matter? It cannot if both free memory, or if both assign and neither uses
# what the other changes.
function order_matters(n,    first, second)
{
	if (frees(n) && frees(n + 1))
		return 0
	# The members of a JSON object have no order.
	if (code[n] ~ /^\t+(object|add)_[a-z]+\(&?[a-z]+, / && code[n + 1] ~ /^\t+(object|add)_[a-z]+\(&?[a-z]+, /)
		return 0
	# The cells of a row of a table have no order, either.
	if (code[n] ~ /^\t+cells\[[0-9]+\] = / && code[n + 1] ~ /^\t+cells\[[0-9]+\] = /)
		return 0
	first = changed(n)
	second = changed(n + 1)
	sub(/ .*/, "", first)
	sub(/ .*/, "", second)
	# A complaint changes nothing.
	if (frees_untold(n, n + 1) || frees_untold(n + 1, n))
		return 0
	if (first != "" && says(n + 1) && !names(code[n + 1], first) || second != "" && says(n) && !names(code[n], second))
		return 0
	return first == "" || second == "" || names(code[n + 1], first) || names(code[n], second)
}

# Does line @n compute the lesser or greater of two values? If they are equal, either is right. The code has one line,
# or two: "if (a > b)" and "a = b;".
function is_limit(n,    word)
{
	if (match(code[n], /^\t+if \([^ ()]+ [<>]=? [^ ()]+\)[ \t]*$/)) {
		split(code[n], word, /[ ()]+/)
		if (index(code[n + 1], "\t" word[2] " = " word[4] ";"))
			return 1
	}
	return code[n] ~ /([^ (]+) [<>]=? ([^ ]+) \? / && is_limit_of(substr(code[n], 1))
}

# Does line @n return the order of two values? They differ, as the line before it says, or equal ones have any order.
function is_order(n)
{
	if (code[n] ~ /^\t+return (left|a)[^ ]* < (right|b)[^ ]* \? -1 : (left|a)[^ ]* > (right|b)[^ ]*;/)
		return 1
	return code[n] ~ /^\t+return .* [<>] .* \? -1 : 1;/ && code[n - 1] ~ /^\t+if \(.* != .*\)[ \t]*$/
}

function is_limit_of(text,    word, count, i)
{
	count = split(text, word, " ")
	for (i = 1; i + 6 <= count; i++) {
		if (word[i + 1] ~ /^[<>]=?$/ && word[i + 3] == "?" && word[i + 5] == ":") {
			sub(/^.*\(/, "", word[i])
			sub(/;.*$/, "", word[i + 6])
			if ((bare(word[i]) == bare(word[i + 4]) && bare(word[i + 2]) == bare(word[i + 6])) || bare(word[i + 2]) == bare(word[i + 4]))
				return 1
		}
		# The difference of two equal values is 0, too.
		if (word[i + 1] ~ /^>=?$/ && word[i + 3] == "?" && word[i + 5] == "-" && word[i + 7] == ":" && word[i + 8] ~ /^0;?$/ && bare(word[i]) == bare(word[i + 4]) && bare(word[i + 2]) == bare(word[i + 6]))
			return 1
	}
	return 0
}

# Returns the text without a cast.
function bare(text)
{
	sub(/^\([a-z0-9_]+\)/, "", text)
	return text
}

function indent(n)
{
	match(code[n], /^\t*/)
	return RLENGTH
}

function faults(n,    condition)
{
	if (!is_limit(n) && !is_order(n)) {
		replaced(n, " <= ", 1, 2, "<")
		# Neither a descriptor that is opened here nor a process for which waitpid() waits is 0.
		if (code[n] !~ /[^A-Za-z_](fd|directory|lock) < 0|waitpid\(.*\) < 0/)
			replaced(n, " < ", 1, 1, "<=")
		if (code[n] !~ /[^A-Za-z_](fd|directory|lock) >= 0/)
			replaced(n, " >= ", 1, 2, ">")
		# A line that getline() has read has at least its end.
		if (code[n] !~ /getline\(.*\) > 0/)
			replaced(n, " > ", 1, 1, ">=")
	}
	replaced(n, " == ", 1, 2, "!="); replaced(n, " != ", 1, 2, "==")
	replaced(n, " && ", 1, 2, "||"); replaced(n, " [|][|] ", 1, 2, "&&")
	replaced(n, " [+] ", 1, 1, "-"); replaced(n, " - ", 1, 1, "+")
	replaced(n, " [+]= ", 1, 2, "-="); replaced(n, " -= ", 1, 2, "+=")
	replaced(n, "[+][+]", 0, 2, "--"); replaced(n, "--", 0, 2, "++")
	replaced(n, "[^A-Za-z0-9_]true[^A-Za-z0-9_]", 1, 4, "false"); replaced(n, "[^A-Za-z0-9_]false[^A-Za-z0-9_]", 1, 5, "true")
	replaced(n, "[( ]![A-Za-z_(]", 1, 1, "")
	# Nobody notices that a buffer is larger, that a place in a picture differs by a pixel, that a function for
	# sorting returns another number of the same sign, or that -1 is another number, since callers compare it with
	# 0. At the end of a list, only its NULL is looked at. The first member of struct run is set by run_open().
	# All values of tm_isdst below 0 are one. An option without a short name may have one that nobody can type.
	if (code[n] !~ /struct run run = \{ 0 \};|\.tm_isdst = -1;|\{ ~~*, 0, (~|NULL)/ && code[n] !~ /[^A-Za-z_](fd|directory|lock) (<|>=) 0|[^A-Za-z_]fd = ([a-z>.-]+ = )?-1;|[^0-9]2 \* [a-z>-]*room / && code[n] !~ /^\t+\{ NULL, | = malloc\(|reallocarray\(/ && code[n] !~ /^\t+return -1;/ && code[n] !~ /return .* [<>] .* \? -1 : / && code[n] !~ /^\t+svg_[a-z]+\(.*(CHART|SVG)_[A-Z]+/ && code[n] !~ /^\t+(static )?(const )?[a-z][A-Za-z0-9_ *]* \**[a-z_]+\[[^]]*\](, \**[a-z_]+(\[[^]]*\])?)*( = ~~)?;/)
		constants(n)
	if (match(code[n], /^\t+(\} else )?(if|while) \(/) && code[n] ~ /\)( \{)?[ \t]*$/) {
		condition = substr(line[n], RSTART + RLENGTH)
		if (code[n] ~ /\{[ \t]*$/)
			sub(/\) \{[ \t]*$/, ")) {", condition)
		else
			sub(/\)[ \t]*$/, "))", condition)
		fault(n, 1, escaped(substr(line[n], 1, RLENGTH) "!(" condition))
	}
	if (is_statement(n)) {
		fault(n, 1, escaped(substr(line[n], 1, indent(n)) ";"))
		if (is_statement(n + 1) && indent(n) == indent(n + 1) && order_matters(n))
			fault(n, 2, escaped(line[n + 1]) "\\n" escaped(line[n]))
	}
}

function finish(    n, inside)
{
	for (n = 1; n <= count; n++) {
		if (code[n] ~ /^\}/)
			inside = 0
		if (inside && code[n] !~ /^[ \t]*#/)
			faults(n)
		# The body of a function begins in the first column.
		if (code[n] ~ /^\{/)
			inside = 1
	}
}

FNR == 1 { if (file != "") finish(); file = FILENAME; count = 0; commented = 0; split("", line); split("", code) }
{ count++; line[count] = $0; code[count] = blanked($0) }
END { finish() }
