# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Which test executes which line, and how long it takes: each test runs once, without a fault, in programs that gcov
instruments. The answer is kept for as long as neither the program nor the test changes."""

import hashlib
import json
import pathlib
import subprocess
import time


def digest(files):
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(str(file).encode() + b"\0")
        total.update(file.read_bytes())
    return total.hexdigest()


class Cover:
    def __init__(self, parts, copy, cache, work, die):
        self.parts, self.copy, self.work, self.die = parts, copy, work, die
        # {test: [seconds, {file: {line: executed}}]}
        self.tests = {}
        if not parts.has("part_cover_build"):
            self.without()
            return
        cache = cache / parts.environment["PART"]
        cache.mkdir(parents=True, exist_ok=True)
        self.files = set(parts.lines("part_files"))
        # How the tests run decides what they execute, too.
        program = digest([copy / "tests" / "mutants" / "parts", *(
            file for folder in ("module", "userspace", "tests/mutants") for file in (copy / folder).rglob("*.[ch]"))])
        wanted = []
        for row in parts.lines("part_tests"):
            test, *sources = row.split()
            key = program + digest(pathlib.Path(copy, source) for source in sources)
            kept = cache / (test.replace("/", "-") + ".json")
            if kept.exists():
                told = json.loads(kept.read_text())
                if told["key"] == key:
                    self.tests[test] = (told["seconds"], told["lines"])
                    continue
            wanted.append((test, key, kept))
        if not wanted:
            return
        log = cache / "build.log"
        with open(log, "w", encoding="utf-8") as output:
            if parts.call("part_cover_build", output=output) != 0:
                print(*log.read_text().split("\n")[-20:], sep="\n")
                die("the copy of the tree does not build with gcov")
        for test, key, kept in wanted:
            seconds, lines = self.run(test)
            kept.write_text(json.dumps({"key": key, "seconds": seconds, "lines": lines}))
            self.tests[test] = (seconds, lines)

    def without(self):
        """Where gcov is of no use: each test may notice anything."""
        for test in self.parts.lines("part_tests"):
            self.tests[test.split()[0]] = (self.timed(test.split()[0], "ALONE"), None)

    def timed(self, test, how, may_fail=False):
        """How long it takes; None if it failed and may."""
        # The name of the folder becomes a part of the PATH, so it must not have a colon.
        own = self.work / f"{how.lower()}-{test.replace('/', '-').replace(':', '-')}"
        own.mkdir()
        begin = time.monotonic()
        with open(own / "output", "w+b") as output:
            if self.parts.call("part_run", test, own, patience=900, output=output, TMPDIR=str(own), **{how: "1"}) not in (0, 77):
                if may_fail:
                    return None
                output.seek(0)
                print(*output.read().decode(errors="replace").split("\n")[-20:], sep="\n")
                self.die(f"without a fault {test} fails")
        return time.monotonic() - begin

    def run(self, test):
        for item in (self.copy / "build" / "coverage").rglob("*.gcda"):
            item.unlink()
        seconds = self.timed(test, "COVER", may_fail=True)
        # A program that gcov instruments takes more memory and more time. If a test fails with it, the test may notice
        # a fault anywhere.
        if seconds is None:
            return self.timed(test, "ALONE"), None
        lines = {}
        for item in (self.copy / "build" / "coverage").rglob("*.gcda"):
            done = subprocess.run(["gcov", "-t", "-j", item], cwd=item.parent, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, check=False)
            for row in done.stdout.splitlines():
                self.add(json.loads(row), lines)
        return seconds, lines

    def add(self, told, lines):
        for file in told["files"]:
            name = pathlib.Path(told["current_working_directory"], file["file"]).resolve()
            if not name.is_relative_to(self.copy) or str(name.relative_to(self.copy)) not in self.files:
                continue
            known = lines.setdefault(str(name.relative_to(self.copy)), {})
            for line in file["lines"]:
                number = str(line["line_number"])
                known[number] = int(known.get(number, 0) or line["count"] > 0)

    def covering(self, file, line):
        """The tests that execute this line, with how long they take, the fast ones first."""
        found = []
        for test, (seconds, lines) in self.tests.items():
            if lines is not None:
                known = lines.get(file, {})
                # One statement may have several lines, of which gcov tells the first.
                near = next((at for at in range(line, max(line - 8, 0), -1) if str(at) in known), None)
                if near is None or not known[str(near)]:
                    continue
            found.append((test, seconds))
        return sorted(found, key=lambda one: one[1])
