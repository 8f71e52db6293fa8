#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Drawings of any log are XML that stands alone. The test draws each report of each golden log, also of hostile ones.
# test: timeout=900 spare=yes
#
# The tool is $BCOSLOG, else $BUILD/bcoslog.

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"

cat >"$dir/markup.txt" <<'END'
5 1 h-core 0			h:100 h:300 1000 700
5 1 h-cpu 0			0
0 4294967295 h-process 0	"kernel"
1 1 h-process 10		"</text><script>alert(1)</script>&amp;\x22'"
2 1 h-process 11		"\xef\xbf\xbe\xef\xbf\xbf]]>\x01\x1b"
3 1 h-device 0			0 "<b onload=\x22x\x22>&"
4 1 h-assign 0			10
1000000000 1 assign 0		11
1020000000 1 assign 0		10
1030000000 1 input 0		4096
1050000000 1 assign 0		11
1060000000 1 assign 0		0xFFFFFFFF
END

# draw REPORT NAME: draws NAME.bin. If the tool fails, the file .error is beside the drawing.
draw() {
	local drawing=$dir/$2.$1
	"$bcoslog" "$1" --svg "$dir/$2.bin" >"$drawing.svg" 2>"$drawing.said"
	[ $? -le 1 ] || mv "$drawing.said" "$drawing.error"
}

# One program reads all drawings, since it takes longer to start than to read them. If one does not stand alone, the
# file .error is beside it.
examine() {
	python3 - "$dir"/*.svg <<'END'
import sys, xml.etree.ElementTree as tree
space = '{http://www.w3.org/2000/svg}'
allowed = {'svg', 'title', 'style', 'defs', 'pattern', 'rect', 'line', 'text', 'path'}

def examine(path):
    seen = set()
    for element in tree.parse(path).iter():
        name = element.tag.removeprefix(space)
        seen.add(name)
        assert name in allowed, 'element ' + element.tag
        for attribute, value in element.attrib.items():
            assert not attribute.startswith('on') and 'href' not in attribute, attribute
            if attribute in ('x', 'y', 'width', 'height', 'x1', 'x2', 'y1', 'y2'):
                assert 0 <= float(value) < 1e6, attribute + ' ' + value
    assert {'svg', 'title', 'style'} <= seen, seen

for path in sys.argv[1:]:
    try:
        examine(path)
    except Exception as error:
        with open(path.removesuffix('.svg') + '.error', 'a') as file:
            print(repr(error), file=file)
END
}

# stands_alone REPORT NAME: the drawing is well-formed, has only shapes and text, and refers to nothing else.
stands_alone() {
	[ ! -e "$dir/$2.$1.error" ] || ! cat "$dir/$2.$1.error"
}

# has REPORT TEXT: the drawing of the log markup has the text as text.
has() {
	python3 - "$dir/markup.$1.svg" "$2" <<'END'
import sys, xml.etree.ElementTree as tree
sys.exit(0 if any(sys.argv[2] in (e.text or '') for e in tree.parse(sys.argv[1]).iter()) else 1)
END
}

reports='cpu io power top processes latency offcpu text'
names=()
for log in "$top"/tests/cli/golden/*.log "$dir/markup.txt"; do
	names+=("$(basename "${log%.*}")")
	"$BUILD/tests/assemble" "$log" >"$dir/${names[-1]}.bin" || exit 1
done
names+=(nothing)
: >"$dir/nothing.bin"
for name in "${names[@]}"; do
	for report in $reports; do draw "$report" "$name"; done
done
examine || exit 1
for name in "${names[@]}"; do
	for report in $reports; do
		point "$report of $name" stands_alone "$report" "$name"
	done
done
point "names that are markup" stands_alone processes markup
point "are text" has processes '</text><script>alert('
point "of devices, too" has io '<b onload="x">&'
echo "1..$n"
exit "$status"
