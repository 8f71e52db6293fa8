# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Takes C and JavaScript apart: writes the comments to the file COMMENTS, with "FILE:LINE: " before each line of them,
# and all that is neither comment nor string to the file CODE.

function comment(text) { print FILENAME ":" FNR ": " text >COMMENTS }

FNR == 1 { inside = 0 }

{
	rest = $0
	while (rest != "") {
		if (inside) {
			at = index(rest, "*/")
			comment(at ? substr(rest, 1, at - 1) : rest)
			inside = !at
			rest = at ? substr(rest, at + 2) : ""
		} else if (match(rest, /\/\*|\/\/|"(\\.|[^"\\])*"|'(\\.|[^'\\])*'|`(\\.|[^`\\])*`/)) {
			print substr(rest, 1, RSTART - 1) >CODE
			found = substr(rest, RSTART, 2)
			if (found == "//")
				comment(substr(rest, RSTART + 2))
			inside = found == "/*"
			rest = found == "//" ? "" : substr(rest, RSTART + RLENGTH)
		} else {
			print rest >CODE
			rest = ""
		}
	}
}
