#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""drawn.py [LABEL...]: what the drawing of a report on standard input shows, in the words of the drawing itself.

A line for each shape, in the order of the drawing, in the rows with these labels, else in all: "LABEL: CLASS FROM..TO",
where the times are read off the axis of time by its ticks (without numbers there, as a share of the axis), or "LABEL:
CLASS N %" of the longest bar where there is no such axis; then what is at the side of a bar, and the title. Of a row
with a line in its middle, "above" or "below" it; of parts of a row's height, their share of it. Lines of values are
"CLASS FROM..TO at N %" of the row, with a "|" where they are interrupted.

Anything that is outside of the drawing is told as such.
"""
import re
import sys
import xml.etree.ElementTree as tree

SPACE = "{http://www.w3.org/2000/svg}"
# A second label that belongs to a row is so near, and a row of values begins so far above its label and is so high.
NEAR, ABOVE, HEIGHT = 16, 22, 36
# A mark of a moment is so wide at most.
MARK = 4


def number(element, name):
    return float(element.get(name, "0"))


def shown(value):
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Drawing:
    def __init__(self, source):
        self.root = tree.parse(source).getroot()
        self.width, self.height = (float(word) for word in self.root.get("viewBox").split()[2:])
        assert [self.root.get("width"), self.root.get("height")] == self.root.get("viewBox").split()[2:], "the size is another one"
        self.all = [one for one in self.root if one.tag != SPACE + "defs"]
        grid = [number(one, "x1") for one in self.of("line", "grid")]
        frame = self.of("line", "axis")
        self.top = min(number(one, "y1") for one in self.of("line", "grid") or frame)
        self.left, self.right = (grid[0], grid[-1]) if grid else (number(frame[-1], "x1"), None)
        self.ticks = [one.text for one in self.of("text", "tick")]
        self.labels = []
        for one in self.of("text", "label"):
            y = number(one, "y")
            if self.labels and y - self.labels[-1][0] < NEAR:
                self.labels[-1][1] += ", " + one.text
            else:
                self.labels.append([y, one.text])
        # Rows of values and shares are higher than rows of a table.
        self.tall = bool(self.labels) and self.labels[0][0] - self.top > ABOVE
        self.longest = max([number(one, "width") for one in self.of("rect") if number(one, "y") >= self.top] or [0])

    def of(self, tag, kind=None):
        return [one for one in self.all if one.tag == SPACE + tag and (not kind or one.get("class") == kind)]

    def is_inside(self, element):
        points = [(number(element, x), number(element, y)) for x, y in (("x", "y"), ("x1", "y1"), ("x2", "y2"))]
        points.append((number(element, "x") + number(element, "width"), number(element, "y") + number(element, "height")))
        points += [(float(x), float(y)) for x, y in re.findall(r"[ML]([-0-9.e]+) ([-0-9.e]+)", element.get("d", ""))]
        return all(0 <= x <= self.width and 0 <= y <= self.height for x, y in points)

    def row_of(self, y):
        """The index of the row in which this is, else of the nearest one."""
        inside = [row for row, (label, _) in enumerate(self.labels) if label - ABOVE <= y <= label - ABOVE + HEIGHT]
        return inside[0] if self.tall and inside else min(range(len(self.labels)), key=lambda row: abs(self.labels[row][0] - y))

    def time(self, x):
        share = (x - self.left) / (self.right - self.left)
        ends = [re.fullmatch(r"([0-9.]+) (\w+)", text or "") for text in (self.ticks[0], self.ticks[-1])]
        if not all(ends) or len(self.of("line", "grid")) != len(self.ticks):
            return shown(share)
        return shown(float(ends[0][1]) + share * (float(ends[1][1]) - float(ends[0][1])))

    def rect(self, one, row):
        x, y, width, height = (number(one, name) for name in ("x", "y", "width", "height"))
        if self.right is None:
            words = [f"{round(100 * width / self.longest if self.longest else 0)} %"]
            words += [note.text for note in self.of("text", "note") if self.row_of(number(note, "y")) == row]
        else:
            words = [f"{self.time(x)}..{self.time(x + width)}" if width > MARK else self.time(x)]
            middle = [number(line, "y1") for line in self.of("line", "axis") if self.row_of(number(line, "y1")) == row and
                      number(line, "y1") != max(number(other, "y2") for other in self.of("line", "grid"))]
            if middle:
                words.append("above" if y + height <= middle[0] else "below" if y >= middle[0] else "across")
            elif self.tall and height < HEIGHT:
                words.append(f"{round(100 * height / HEIGHT)} %")
        return words

    def path(self, one, row):
        words, foot = [], self.labels[row][0] - ABOVE + HEIGHT
        for part in one.get("d").split("M")[1:]:
            points = [tuple(float(word) for word in point.split()) for point in part.strip().split("L")]
            level = [(x, 100 * (foot - y) / HEIGHT) for x, y in points]
            if words:
                words.append("|")
            for (x, value), (next_x, next_value) in zip(level, level[1:]):
                if next_x > x:
                    words.append(f"{self.time(x)}..{self.time(next_x)} at {round(value)} %")
        return words

    def lines(self):
        for one in self.all:
            if not self.is_inside(one):
                yield f"outside: {tree.tostring(one, encoding='unicode').strip()}"
            name = one.tag.removeprefix(SPACE)
            if name not in ("rect", "path") or name == "rect" and number(one, "y") + number(one, "height") < self.top:
                continue
            if not self.labels:
                yield f"no row: {one.get('class')}"
                continue
            y = number(one, "y") + number(one, "height") / 2 if name == "rect" else float(re.match(r"M[-0-9.e]+ ([-0-9.e]+)", one.get("d"))[1])
            row = self.row_of(y)
            title = one.find(SPACE + "title")
            words = [one.get("class"), *(self.rect(one, row) if name == "rect" else self.path(one, row))]
            yield f"{self.labels[row][1]}: {' '.join(words)}{', ' + title.text if title is not None else ''}"


wanted = sys.argv[1:]
for line in Drawing(sys.stdin).lines():
    if not wanted or line.startswith("outside") or any(line.startswith(label) for label in wanted):
        print(line)
