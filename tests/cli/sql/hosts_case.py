# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
A question to ten machines by ssh: each answers about its own log, and what gives no answer is a row of its own. The program ssh
is one of this test, which runs the command in the folder of the machine. Where there is an sshd, that and the real ssh do so, too.
No test installs it, since a package with a server may start it.
"""
import csv
import io
import os
import shutil
import signal
import subprocess
import sys
import time

from made import IDLE, LOSS, S, Tool, assign, event, group

tool = Tool()
NAMES = ["m%d" % number for number in range(8)]
PROGRAMS = tool.path("programs")

for number, machine in enumerate(NAMES):
    os.mkdir(tool.path(machine))
    parts = [group(processes=((10, "web"), (11, "it's $HOME `id` \\ \"x\""))), assign(0, 10, 2 * S), assign(0, 11, (3 + number) * S),
             assign(0, IDLE, 20 * S)]
    tool.save(machine + "/log.bcos", *parts)
# The log of m6 states a loss, and that of m7 is damaged.
tool.save("m6/log.bcos", group(), assign(0, 10, 2 * S),
          event("cpu", 0, LOSS, 4 * S, "lost 3 assignments: staging full, until 4.500000000 s", 0x80), assign(0, IDLE, 20 * S))
with open(tool.path("m7/log.bcos"), "r+b") as log:
    log.seek(-24, os.SEEK_END)
    log.write(b"\xff" * 8)

os.mkdir(PROGRAMS)
os.symlink(tool.program, os.path.join(PROGRAMS, "bcoslog"))
with open(os.path.join(PROGRAMS, "ssh"), "w", encoding="ascii") as script:
    script.write("""#!/bin/sh
: >>%s/asked
while [ "$1" != -- ]; do case $1 in -o*) ;; *) exit 254 ;; esac; shift; done
[ $# = 3 ] || exit 254
echo "$2" >>%s/asked
case $2 in
hangs) echo $$ >%s/hanging; exec sleep 1000 ;;
chats) head -c 9000 /dev/zero | tr '\\000' x >&2; printf '\\nbcoslog: the last word\\n' >&2; exit 2 ;;
waits) printf '{"t":"%%s"}\\n' "${3#*--timeout=}" ;;
speaks) { printf x; i=0; while [ $i -lt 450 ]; do printf '\\303\\244'; i=$((i + 1)); done; echo; } >&2; exit 255 ;;
swaps) echo '{"ns":1,"name":"a"}' ;;
renames) echo '{"name":"a","dur":1}' ;;
nests) echo '{"name":"a","ns":[1]}' ;;
doubts) echo '{"name":"a","ns":true}' ;;
denies) echo "denies: Permission denied (publickey)." >&2; exit 255 ;;
escapes) printf 'a \\033[31mred \\377 word\\n' >&2; exit 255 ;;
lacks) exec sh -c "no$3" ;;
babbles) echo hello; exit 0 ;;
cuts) printf '{"name":"a","ns":1}\\n{"name":'; exit 255 ;;
*@*) exit 254 ;;
*) cd %s/"$2" && exec sh -c "$3" ;;
esac
""" % (tool.folder, tool.folder, tool.folder, tool.folder))
os.chmod(script.name, 0o755)
PATH = dict(PATH=PROGRAMS + ":" + os.environ["PATH"], XDG_RUNTIME_DIR=tool.folder)


def ask(hosts, statement, *words, log="log.bcos"):
    """Return: (exit status, rows, standard error)."""
    if "--host-timeout" not in words:
        words += ("--host-timeout", "240")
    status, out, error = tool.run("sql", "--hosts", hosts, "--csv", *words, log, statement, timeout=280, **PATH)
    # A backslash is two in CSV.
    return status, [tuple(cell.replace("\\\\", "\\") for cell in row) for row in csv.reader(io.StringIO(out))], error


# CPU 0 has web from 2 s on, and the other process from 3 s + the number of the machine to 20 s.
SUMS = "SELECT name, sum(dur) AS ns FROM run WHERE use = 'process' GROUP BY name ORDER BY name DESC"
ODD = "it's $HOME `id` \\ \"x\""
expected = [("machine", "name", "ns", "error")]
for number, machine in enumerate(NAMES[:6]):
    expected += [(machine, "web", str((1 + number) * S), ""), (machine, ODD, str((17 - number) * S), "")]
tool.equal("each machine answers about its own log, in the order of the list", ask(",".join(NAMES[:6]), SUMS), (0, expected, ""))
tool.save("list", b"# all\nm0\n\n  m1 # the second\nm0\n")
tool.equal("a file names them, each once", ask("list", SUMS), (0, expected[:5], ""))
tool.equal("a statement gets there as it is", ask("m0", "SELECT 'a''b \"$HOME\" \\ `id`;' AS t, name FROM process WHERE name = '%s'" %
                                                 ODD.replace("'", "''"))[1][1:], [("m0", "a'b \"$HOME\" \\ `id`;", ODD, "")])
os.mkdir(tool.path("m0/it's;$HOME"))
shutil.copy(tool.path("m0/log.bcos"), tool.path("m0/it's;$HOME/log.bcos"))
tool.equal("and so does a path", ask("m0", SUMS, log="it's;$HOME/log.bcos")[1], expected[:3])
tool.equal("and a time, here 4 s before the end", ask("m0,m1", SUMS, "--since", "4s")[1][1:], [("m0", ODD, str(4 * S), ""), ("m1", ODD, str(4 * S), "")])

# ---- what gives no answer -------------------------------------------------------------------------------------------------------
status, rows, error = ask("hangs", SUMS, "--host-timeout", "1")
tool.check("nobody waits for one that hangs longer than was allowed", status == 2 and len(rows) == 2 and "1 s (--host-timeout)" in rows[1][3], rows)
status, rows, error = ask("m0,denies,lacks,babbles,cuts,escapes", SUMS, "--host-timeout", "240")
tool.equal("those that answer do", rows[:3], expected[:3])
why = {row[0]: row[3] for row in rows[3:] if row[3]}
tool.check("all others are rows that say why", sorted(why) == ["babbles", "cuts", "denies", "escapes", "lacks"] and "Permission denied" in why["denies"] and "PATH" in why["lacks"] and "bcoslog" in why["babbles"] and
           "more rows" in why["cuts"], why)
tool.check("what they say is text", why["escapes"].endswith("a ?[31mred ? word"), why["escapes"])
tool.check("what one has told before is there", ("cuts", "a", "1", "") in rows)
tool.check("the exit status and a sentence tell of it", status == 2 and error.splitlines() == [
    "bcoslog: 5 of 6 machines gave no answer: the column error says why"], error)
status, rows, error = ask("m6", SUMS)
tool.check("what is missing in the log of one is told with its name", status == 0 and "m6: something is missing" in error, (status, error))
status, rows, error = ask("m0,m7", SUMS)
tool.check("and so is damage", status == 1 and "m7: " in error and "damage" in error, (status, error))
status, rows, error = ask("m0,m1", "SELECT name FROM process WHERE pid = 77")
tool.equal("no rows, and the columns nevertheless", (status, rows, error), (0, [("machine", "name", "error")], ""))

for words, seconds in ((), 240), (("--host-timeout", "77"), 77), (("--timeout", "5"), 5), (("--timeout", "99", "--host-timeout", "77"), 77):
    status, rows, error = ask("waits", "SELECT 1 AS t", *words)
    tool.check("a statement ends there when nobody waits for it: %s" % " ".join(words), rows[1][1].startswith("%d'" % seconds), rows)
status, rows, error = ask("swaps,renames,nests,doubts", SUMS)
tool.equal("values go to the columns by their names", rows[1], ("swaps", "a", "1", ""))
tool.check("what is no row of the statement is refused", status == 2 and [row[:3] for row in rows[2:]] == [
    ("renames", "", ""), ("nests", "", ""), ("doubts", "", "")] and all("another version" in row[3] for row in rows[2:]), rows)
status, rows, error = ask("chats", SUMS)
tool.equal("the last that a machine says tells why, however much it says", rows[1:], [("chats", "", "", "the last word")])
told = tool.rows("sql", "--hosts", "speaks", "log.bcos", SUMS, **PATH)
tool.check("what is cut is text nevertheless", len(told) == 1 and told[0]["error"].startswith("ssh failed: xääää") and told[0]["error"].endswith("ää?"), told)
done = subprocess.run([tool.program, "sql", "--hosts", "m0", "--host-timeout", "60", "log.bcos", SUMS], capture_output=True, timeout=280,
                      cwd=tool.folder, check=False, env=dict(os.environ, **PATH), preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
tool.check("who began it may ignore the ends of processes", done.returncode == 0 and b"host-timeout" not in done.stdout, done)

# Ctrl-C reaches this program alone, so it has to end what it began.
os.remove(tool.path("hanging"))
with subprocess.Popen([tool.program, "sql", "--hosts", "hangs", "--host-timeout", "240", "log.bcos", SUMS], cwd=tool.folder,
                      stdout=subprocess.DEVNULL, env=dict(os.environ, **PATH)) as asking:
    while not os.path.exists(tool.path("hanging")) or not os.path.getsize(tool.path("hanging")):
        time.sleep(0.01)
    asking.send_signal(signal.SIGINT)
    asking.wait(240)
with open(tool.path("hanging"), encoding="ascii") as file:
    hanging = int(file.read())
tool.equal("a signal ends what asks the machines, too", (asking.returncode, os.path.exists("/proc/%d" % hanging)), (128 + signal.SIGINT, False))

# ---- rows put together -------------------------------------------------------------------------------------------------------------
merged = ask("m0,m1,m2,denies", SUMS, "--merge", "SELECT name, sum(ns), count(DISTINCT machine), count(error) FROM answer GROUP BY name")
tool.equal("--merge sums what the machines have summed", merged[:2],
           (2, [("name", "sum(ns)", "count(DISTINCT machine)", "count(error)"), ("", "", "1", "1"), (ODD, str(48 * S), "3", "0"),
                ("web", str(6 * S), "3", "0")]))
tool.equal("columns of the same name", ask("m0", "SELECT 1 AS machine, 2 AS error, 3 AS x, 4 AS X"),
           (0, [("machine", "machine_2", "error_2", "x", "X_2", "error"), ("m0", "1", "2", "3", "4", "")], ""))
tool.equal("as objects", tool.rows("sql", "--hosts", "m0,denies", "--host-timeout", "240", "log.bcos", "SELECT 1 AS x", timeout=280, **PATH),
           [{"machine": "m0", "x": 1, "error": None}, {"machine": "denies", "x": None, "error": "ssh failed: denies: Permission denied (publickey)."}])

# ---- what is asked nowhere ---------------------------------------------------------------------------------------------------------
os.remove(tool.path("asked"))
for hosts, words, word in (("-oProxyCommand=id", (), "dash"), ("m0,-x", (), "dash"), ("u@-x", (), "dash"), ("a;id", (), "name of a machine"),
                           ("a b", (), "name of a machine"), ("", (), "name of a machine"), ("nobody-has-this*", (), "config"),
                           ("./absent", (), "absent"), ("m0", ("--at-once", "0"), "--at-once"), ("m0", ("--host-timeout", "0"), "--host-timeout")):
    status, rows, error = ask(hosts, SUMS, *words)
    tool.check("refused: %s %s" % (hosts, " ".join(words)), status == 2 and not rows and word in error and len(error.splitlines()) == 1, error)
for statement, word in (("SELECT (1) FROM", "incomplete"), ("SELECT nothing FROM run", "nothing"), ("DELETE FROM run", "run"),
                        ("SELECT 1; SELECT 2", "one statement"), (" -- nothing", "missing")):
    status, rows, error = ask("m0", statement)
    tool.check("refused: " + statement, status == 2 and not rows and word in error and len(error.splitlines()) == 1, error)
tool.check("a machine was asked for none of these", not os.path.exists(tool.path("asked")))
status, rows, error = ask("m0", SUMS, "--merge", "DELETE FROM answer")
tool.check("--merge only reads", status == 2 and "only reads" in error, error)
status, out, error = tool.run("sql", "--merge", "SELECT 1", tool.path("m0/log.bcos"), SUMS)
tool.check("--merge is about answers", status == 2 and "--hosts" in error, error)

# ---- why --host --------------------------------------------------------------------------------------------------------------------
status, out, error = tool.run("why", "--host", "m0", "it's $HOME", "log.bcos", **PATH)
tool.check("why asks a machine, and its words are there as they are", status == 2 and "it's $HOME" in error, error)
status, out, error = tool.run("why", "--host", "-oProxyCommand=id", "web", "log.bcos", **PATH)
tool.check("which is no option of ssh", status == 2 and "dash" in error, error)
for machine, word in (("denies", "Permission denied"), ("lacks", "not found")):
    status, out, error = tool.run("why", "--host", machine, "web", "log.bcos", **PATH)
    tool.check("no answer ends as what cannot be read here: " + machine, status == 2 and word in error, (status, error))
tool.equal("an answer comes as it is", tool.run("why", "--host", "m0", "web", "log.bcos", **PATH), tool.run("why", "web", "m0/log.bcos"))

# ---- the real ssh -------------------------------------------------------------------------------------------------------------------
SSHD, SSH = "/usr/sbin/sshd", shutil.which("ssh")


def begin_sshd(daemons):
    """Begins an sshd of this user for each machine, whose port is its only difference, and adds it. Return: whether they can be asked."""
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tool.path(key)], check=True)
    shutil.copy(tool.path("user.pub"), tool.path("allowed"))
    config = ["Host *", "IdentityFile " + tool.path("user"), "IdentitiesOnly yes", "StrictHostKeyChecking no", "HostName 127.0.0.1",
              "UserKnownHostsFile " + tool.path("known")]
    if not os.geteuid():
        os.makedirs("/run/sshd", exist_ok=True)
    for number, machine in enumerate(NAMES[:3]):
        os.mkdir(tool.path(machine + "/bin"))
        with open(tool.path(machine + "/bin/bcoslog"), "w", encoding="ascii") as wrapper:
            wrapper.write("#!/bin/sh\ncd %s && exec %s \"$@\"\n" % (tool.path(machine), tool.program))
        os.chmod(wrapper.name, 0o755)
        port = 20000 + (os.getpid() * 7 + number) % 20000
        daemons.append(subprocess.Popen([
            SSHD, "-D", "-e", "-f", "/dev/null", "-p", str(port), "-o", "ListenAddress=127.0.0.1", "-o", "HostKey=" + tool.path("host"),
            "-o", "AuthorizedKeysFile=" + tool.path("allowed"), "-o", "StrictModes=no", "-o", "UsePAM=no", "-o", "PidFile=none",
            "-o", "SetEnv=PATH=%s:/usr/bin:/bin" % tool.path(machine + "/bin")], stderr=subprocess.DEVNULL))
        config += ["Host " + machine, "Port %d" % port]
    config = ["Host %s\nPort %s" % (line[5:], config[at + 1][5:]) for at, line in enumerate(config) if line.startswith("Host m")] + config[:6]
    tool.save("config", "\n".join(config).encode() + b"\n")
    with open(os.path.join(PROGRAMS, "ssh"), "w", encoding="ascii") as real:
        real.write("#!/bin/sh\nexec %s -F %s \"$@\"\n" % (SSH, tool.path("config")))
    for _ in range(600):
        if all(subprocess.run([real.name, "-oBatchMode=yes", "--", machine, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
               for machine in NAMES[:3]):
            return True
        if any(daemon.poll() is not None for daemon in daemons):
            break
        time.sleep(0.1)
    return False


if os.path.exists(SSHD) and SSH and shutil.which("ssh-keygen"):
    running = []
    try:
        if begin_sshd(running):
            # No socket is kept: its server would outlive this test.
            PATH["XDG_RUNTIME_DIR"] = ""
            tool.equal("the real ssh and sshd", ask("m0,m1,m2,127.0.0.1", SUMS)[1][:7], expected[:7])
        else:
            print("# sshd does not run here", file=sys.stderr)
    finally:
        for daemon in running:
            daemon.kill()
            daemon.wait()
tool.end()
