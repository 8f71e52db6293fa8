# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""explore_test.py BCOSLOG ASSEMBLE [POINT...]: the page of bcoslog explore, as a person uses it. TAP on standard output.

POINT is the name of a function; without one, all."""
import sys
import tempfile
import traceback

import points_hostile  # noqa: F401  pylint: disable=unused-import
import points_items  # noqa: F401  pylint: disable=unused-import
import points_keys  # noqa: F401  pylint: disable=unused-import
import points_moves  # noqa: F401  pylint: disable=unused-import
import points_picture  # noqa: F401  pylint: disable=unused-import
import points_totals  # noqa: F401  pylint: disable=unused-import
import points_use  # noqa: F401  pylint: disable=unused-import
from browser import Browser
from pages import Logs, points


def main():
    failed, wanted = 0, sys.argv[3:]
    chosen = [test for test in points if not wanted or test.__name__ in wanted]
    print(f"1..{len(chosen)}")
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        for number, test in enumerate(chosen, 1):
            try:
                test(browser, Logs(folder))
                print(f"ok {number} - {test.__doc__}", flush=True)
            except Exception:  # pylint: disable=broad-except
                failed = 1
                browser.page = None
                print(f"not ok {number} - {test.__doc__}", flush=True)
                for line in (traceback.format_exc() + "\n".join(browser.complaints)).splitlines():
                    print(f"# {line}")
    sys.exit(failed)


main()
