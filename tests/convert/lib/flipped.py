# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: flipped.py FORMAT SHARE SCRATCH BUILD TOOL TRACE... - bytes of copies of these traces are changed, and files cut.

Each copy is converted by the sanitized tool of BUILD, if there is one: it ends in order, and a log that comes out passes the
check. SHARE of the changes are in the first 600 bytes of a file. SCRATCH is where the copies are.
"""
import os
import random
import shutil
import subprocess
import sys


def damage(trace, share):
    names = sorted(os.path.join(folder, name) for folder, _, files in os.walk(trace) for name in files)
    for _ in range(random.choice((1, 1, 4))):
        # Descriptions are small, and decide how all other bytes are read, so they are hit more often.
        name = random.choice(names + [name for name in names if os.path.basename(name) == "metadata"])
        with open(name, "rb") as file:
            data = bytearray(file.read())
        if not data:
            continue
        at = random.randrange(min(len(data), 600)) if random.random() < share else random.randrange(len(data))
        data[at] = random.randrange(256)
        if random.random() < 0.1:
            data = data[:random.randrange(len(data))]
        with open(name, "wb") as file:
            file.write(data)


def main(form, share, scratch, build, tool, *traces):
    sanitized, log = os.path.join(build, "sanitize", "bcoslog"), scratch + ".log"
    random.seed(7)
    for turn in range(60):
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(traces[turn % len(traces)], scratch)
        damage(scratch, float(share))
        if os.path.exists(log):
            os.remove(log)
        program = sanitized if os.path.exists(sanitized) else tool
        done = subprocess.run([program, "convert", "-f", form, scratch, "-o", log], capture_output=True, timeout=60, check=False)
        if done.returncode not in (0, 1, 2) or b"Sanitizer" in done.stderr or b"runtime error" in done.stderr:
            sys.exit(f"turn {turn}: {done.returncode} {done.stderr[-2000:]!r}")
        if os.path.exists(log) and subprocess.run([tool, "check", log], capture_output=True, check=False).returncode:
            sys.exit(f"turn {turn}: a log that does not pass the check")


main(*sys.argv[1:])
