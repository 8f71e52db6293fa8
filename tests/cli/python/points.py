# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The points of a test of the bindings for Python, in the form that tests/cli/library/python.sh reads."""
import sys

_seen = {"points": 0, "failures": 0}


def point(name, good):
    """A point of the test, which passes if it is good."""
    _seen["points"] += 1
    _seen["failures"] += not good
    print(f"{'ok' if good else 'not ok'} {_seen['points']} - {name}")


def skip(name, why):
    """A point that cannot be tested here."""
    point(f"{name} # SKIP {why}", True)


def raises(kind, function, *arguments, **words):
    """Return: the error of this kind that the function raises; None if it raises none."""
    try:
        function(*arguments, **words)
    except kind as error:
        return error
    return None


def end():
    """Ends the test, after its last point."""
    print(f"1..{_seen['points']}")
    sys.exit(_seen["failures"] != 0)
