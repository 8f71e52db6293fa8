# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The dialogue on a terminal: answers, a history that stays, completion of names, and ends by Ctrl-C and Ctrl-D."""
import os
import pty
import select
import signal
import subprocess
import time

from made import IDLE, S, Tool, assign, group

tool = Tool()
log = tool.save("log.bcos", group(), assign(0, 10, 2 * S), assign(0, IDLE, 3 * S))
home = tool.path("home")
os.mkdir(home)
needed = subprocess.run(["ldd", tool.program + "-sql"], capture_output=True, text=True, check=False).stdout


class Dialogue:
    """A dialogue, whose terminal this program is."""

    def __init__(self):
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            os.environ.update(HOME=home, TERM="xterm", LC_ALL="C.UTF-8")
            os.execv(tool.program, [tool.program, "sql", "--json", log])
        self.shown = ""
        self.expect("sql> ")

    def expect(self, text, seconds=20):
        """Reads until the terminal has shown the text since the last expectation.  Return: whether it has."""
        end = time.monotonic() + seconds
        while text not in self.shown and time.monotonic() < end:
            if not select.select([self.terminal], [], [], 0.2)[0]:
                continue
            try:
                self.shown += os.read(self.terminal, 4096).decode(errors="replace")
            except OSError:
                break
        found = text in self.shown
        self.before, self.shown = self.shown, self.shown.partition(text)[2]
        return found

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def end(self, key=""):
        """Types a key again and again, since the terminal may not be ready for it. Return: how the program ended, 124 if it did not."""
        for turn in range(200):
            if key and not turn % 5:
                self.type(key)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.terminal)
                return status
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self.terminal, 4096).decode(errors="replace")
                except OSError:
                    # It has closed the terminal.
                    time.sleep(0.1)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return 124


asked = Dialogue()
asked.type("SELECT 6 * 7 AS answer;\n")
tool.check("a statement is answered", asked.expect('{"answer":42}'), asked.before)
asked.type("SELECT missing;\n")
tool.check("one that fails does not end it", asked.expect("no such column: missing") and asked.expect("sql> "), asked.before)
asked.type("SELECT 1 +\n")
tool.check("one that goes on is asked for more", asked.expect("   ...> "), asked.before)
asked.type("2 AS three;\n")
tool.check("and answered", asked.expect('{"three":3}'), asked.before)
asked.type(".quit\n")
tool.equal("a word ends it", asked.end(), 0)
asked = Dialogue()
tool.equal("Ctrl-D ends it", asked.end("\x04"), 0)
asked = Dialogue()
tool.check("Ctrl-C ends it", asked.end("\x03") != 124, "it goes on")

if "libedit" in needed:
    tool.check("the history is kept, for the user alone", os.stat(os.path.join(home, ".bcoslog_sql_history")).st_mode & 0o777 == 0o600)
    asked = Dialogue()
    asked.type("\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\n")
    tool.check("of a former dialogue as well", asked.expect('{"answer":42}'), asked.before)
    asked.type("SELECT sum(cpu_ns) AS used FROM proces\t;\n")
    tool.check("a name is completed", asked.expect('{"used":%d}' % S), asked.before)
    asked.type("SELECT max(longest_off_\t")
    tool.check("of several that begin so, all are listed", asked.expect("longest_off_ns  longest_off_ts"), asked.before)
    asked.type("n\t) AS longest FROM process;\n")
    tool.check("and a letter more chooses", asked.expect('{"longest":null}'), asked.before)
    asked.type("SELECT '\u00e4\u00f6' AS umlauts;\n")
    tool.check("letters of other languages", asked.expect('{"umlauts":"\u00e4\u00f6"}'), asked.before)
    asked.expect("sql> ")
    asked.type("SEL\t")
    tool.check("a word of SQL is completed", asked.expect("ECT "), asked.before)
    asked.type("\x04")
    tool.check("Ctrl-D on a line with letters is refused", asked.expect("\a"), asked.shown)
    asked.type("\x7f" * len("SELECT "))
    ended = asked.end("\x04")
    tool.check("on an empty line Ctrl-D ends it", ended == 0, f"{ended}; the terminal has shown {asked.shown!r}")
    os.chmod(home, 0o777)
    os.remove(os.path.join(home, ".bcoslog_sql_history"))
    if not os.geteuid():
        os.chown(home, 65534, 65534)
        asked = Dialogue()
        asked.type("SELECT 1 AS one;\n.quit\n")
        tool.equal("in the home of another user", asked.end(), 0)
        tool.check("nothing is left", not os.listdir(home), os.listdir(home))
tool.end()
