# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: speedscope.py PACKAGES TRACE - speedscope, in a Chromium without a screen, opens TRACE and complains of nothing."""
import base64
import os
import pathlib
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "cli" / "explore"))
import browser  # noqa: E402

packages, trace = sys.argv[1:]
page = os.path.join(packages, "speedscope", "dist", "release", "index.html")
with tempfile.TemporaryDirectory() as folder, browser.Browser() as chromium:
    # The page loads a local file as a script, which calls speedscope with the file.
    script = os.path.join(folder, "file.js")
    with open(script, "w") as file:
        file.write('speedscope.loadFileFromBase64("trace.json", "%s")' % base64.b64encode(open(trace, "rb").read()).decode())
    chromium.open(page, "#localProfilePath=" + script)
    # The page shows the name of the process as the profile's.
    chromium.until("document.body.innerText.includes('CPUs')", 120)
    wrong = [text for text in chromium.complaints if "Tried to" in text or "rror" in text]
    for text in wrong[:5]:
        print("speedscope complains:", text[:200])
    sys.exit(bool(wrong))
