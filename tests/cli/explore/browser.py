# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A Chromium without a screen, driven as a person would: by mouse and keys, through its debugging pipe."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-extensions", "--hide-scrollbars=false", "--remote-debugging-pipe"]


def program():
    """Its path, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Failed(Exception):
    pass


class Browser:
    """A page of a size, with what it complains about in self.complaints."""

    def __init__(self, width=1400, height=800, scheme="light", ratio=1):
        self.folder = tempfile.mkdtemp(prefix="explorer-browser-")
        to_read, self.to = os.pipe()
        self.of, to_write = os.pipe()

        def pipes():
            low = os.dup(to_read), os.dup(to_write)
            os.dup2(low[0], 3)
            os.dup2(low[1], 4)

        self.process = subprocess.Popen(
            [program(), *FLAGS, f"--user-data-dir={self.folder}", f"--window-size={width},{height}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=pipes, pass_fds=(3, 4),
            env={**os.environ, "HOME": self.folder})
        os.close(to_read)
        os.close(to_write)
        self.rest, self.number, self.session, self.answers, self.complaints = b"", 0, None, {}, []
        self.requests, self.loaded, self.page = [], False, None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (Failed, OSError):
            pass
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def read(self):
        while b"\0" not in self.rest:
            if not select.select([self.of], [], [], 60)[0]:
                raise Failed("the browser has not answered for a minute")
            part = os.read(self.of, 1 << 20)
            if not part:
                raise Failed("the browser has ended")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(message)
        if "id" in message:
            self.answers[message["id"]] = message
        else:
            self.happened(message["method"], message.get("params", {}))

    def happened(self, method, params):
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(arg.get("value", arg.get("description"))) for arg in params["args"]))
        # The tests read pixels often; the page itself reads none.
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning") \
                and "willReadFrequently" not in params["entry"]["text"]:
            self.complaints.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **params):
        self.number += 1
        number, message = self.number, {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while number not in self.answers:
            self.read()
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, path, fragment=""):
        """Load a page, which is self.page as long as it shows what it has inside."""
        self.page = path
        # Another fragment of the same page would load nothing by itself.
        for url in ("about:blank", f"file://{os.path.abspath(path)}{fragment}"):
            self.loaded = False
            self.call("Page.navigate", url=url)
            while not self.loaded:
                self.read()

    def run(self, script):
        """The value of an expression, awaited."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failed(f"{script}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def until(self, script, seconds=30):
        """Wait until an expression is true, and return it."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script)
            if value:
                return value
            if time.monotonic() > end:
                raise Failed(f"this does not come true: {script}")
            time.sleep(0.02)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **more)

    def hover(self, x, y):
        self.mouse("Moved", x, y)

    def click(self, x, y, count=1):
        self.mouse("Moved", x, y)
        for number in range(1, count + 1):
            self.mouse("Pressed", x, y, button="left", buttons=1, clickCount=number)
            self.mouse("Released", x, y, button="left", clickCount=number)

    def drag(self, x, y, to_x, to_y, shift=False):
        modifiers = 8 if shift else 0
        self.mouse("Moved", x, y, modifiers=modifiers)
        self.mouse("Pressed", x, y, button="left", buttons=1, clickCount=1, modifiers=modifiers)
        for part in (0.5, 1):
            self.mouse("Moved", x + (to_x - x) * part, y + (to_y - y) * part, button="left", buttons=1, modifiers=modifiers)
        self.mouse("Released", to_x, to_y, button="left", clickCount=1, modifiers=modifiers)

    def wheel(self, x, y, delta):
        self.mouse("Wheel", x, y, deltaX=0, deltaY=delta)

    def key(self, key, text=None):
        codes = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        more = {"text": text or (key if len(key) == 1 else {"Enter": "\r"}.get(key, ""))}
        self.call("Input.dispatchKeyEvent", type="keyDown" if more["text"] else "rawKeyDown", key=key,
                  windowsVirtualKeyCode=codes.get(key, 0), **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=codes.get(key, 0))

    def type(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))
