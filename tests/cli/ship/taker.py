# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
usage: taker.py PORT FOLDER SCHEMA

A server that takes rows as ClickHouse does: `INSERT INTO t FORMAT RowBinary` by HTTP. The statements of the file SCHEMA tell it the
columns, and which of them are the key; a body that does not consist of whole rows is refused. It keeps each body as a file in FOLDER
before it answers, so it may be killed at any moment. The file FOLDER/mode has what it does instead of answering properly.
"""
import glob
import gzip
import os
import random
import re
import struct
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SIZES = {"UInt8": "<B", "UInt32": "<I", "UInt64": "<Q", "Int64": "<q", "Date": "<H"}


def tables(schema):
    """Return: the columns (name, type, nullable) and the key of each table, from its statement."""
    found = {}
    for made in re.finditer(r"CREATE TABLE IF NOT EXISTS (\w+)\n\(\n(.*?)\n\)\n.*?ORDER BY \((.*?)\)", schema, re.S):
        columns = []
        for line in made.group(2).splitlines():
            line = line.strip()
            if not line.startswith("--"):
                name, kind = line.split()[0], line.split()[1].rstrip(",")
                columns.append((name, kind.replace("Nullable(", "").rstrip(")"), "Nullable" in kind))
        found[made.group(1)] = (columns, made.group(3).split(", "))
    return found


def read_rows(columns, body):
    """Return: the rows of a body; it raises an error if the last one is not whole."""
    rows, at = [], 0
    while at < len(body):
        row = {}
        for name, kind, nullable in columns:
            if nullable:
                if body[at] > 1:
                    raise ValueError("no flag")
                at += 1
                if body[at - 1]:
                    row[name] = None
                    continue
            if kind == "String":
                length = shift = 0
                while True:
                    length |= (body[at] & 0x7F) << shift
                    shift += 7
                    at += 1
                    if body[at - 1] < 0x80:
                        break
                if at + length > len(body):
                    raise ValueError("a text is cut")
                row[name] = body[at:at + length].decode()
                at += length
            else:
                row[name], = struct.unpack_from(SIZES[kind], body, at)
                at += struct.calcsize(SIZES[kind])
        rows.append(row)
    return rows


def kept_rows(folder, schema):
    """Return: for each table the rows that are left when those of greater versions have replaced others of their key."""
    found = {}
    for table, (columns, key) in tables(schema).items():
        rows = {}
        for file in sorted(glob.glob(os.path.join(folder, "*-%s.body" % table))):
            with open(file, "rb") as body:
                for row in read_rows(columns, body.read()):
                    identity = tuple(row[name] for name in key)
                    if identity not in rows or row["version"] >= rows[identity]["version"]:
                        rows[identity] = row
        found[table] = list(rows.values())
    return found


class Taker(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    lock = threading.Lock()

    def log_message(self, *_):
        pass

    def answer(self, status, text=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def keep(self, table, body):
        with self.lock:
            number = len(glob.glob(os.path.join(FOLDER, "*.body")))
            path = os.path.join(FOLDER, "%08d-%s.body" % (number, table))
            with open(path + ".new", "wb") as file:
                file.write(body)
            os.rename(path + ".new", path)

    def do_POST(self):
        with open(os.path.join(FOLDER, "mode"), encoding="utf-8") as file:
            mode = file.read().strip()
        if mode == "random":
            mode = random.choice(("", "", "500", "cut", "deaf"))
        with open(os.path.join(FOLDER, "asked"), "a", encoding="utf-8") as file:
            file.write("%s %s\n" % (self.path, self.headers.get("Authorization")))
        size = int(self.headers["Content-Length"])
        if mode == "cut":
            self.rfile.read(size // 2)
            self.close_connection = True
            return
        body = self.rfile.read(size)
        with open(os.path.join(FOLDER, "sizes"), "a", encoding="utf-8") as file:
            file.write("%d\n" % len(body))
        if self.headers["Content-Encoding"] == "gzip":
            try:
                body = gzip.decompress(body)
            except (OSError, EOFError, zlib.error):
                self.answer(500, b"Code: 354, e.displayText() = DB::Exception: inflate failed\n")
                return
        table = re.fullmatch(r"INSERT INTO (\w+) FORMAT RowBinary", parse_qs(urlsplit(self.path).query)["query"][0]).group(1)
        if mode == "500":
            self.answer(500, b"Code: 241, e.displayText() = DB::Exception: Memory limit exceeded\n")
        elif mode == "none":
            self.answer(404, b"Code: 60, e.displayText() = DB::Exception: Table default.life doesn't exist.\n")
        elif mode == "echo":
            self.answer(403, ("you are %s \x1b[31m" % self.headers.get("Authorization")).encode())
        elif mode == "liar":
            self.answer(200, b"Code: 33, e.displayText() = DB::Exception: Cannot read all data\n")
        elif mode == "flood":
            self.send_response(200)
            self.end_headers()
            self.close_connection = True
            try:
                while True:
                    self.wfile.write(b"x" * 65536)
            except OSError:
                pass
        elif mode == "headers":
            try:
                self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                while True:
                    self.wfile.write(b"HTTP/1.1 102 Processing\r\nX-Y: " + b"y" * 1000 + b"\r\n\r\n")
            except OSError:
                pass
        elif mode == "moved":
            self.send_response(307)
            self.send_header("Location", "http://127.0.0.1:%d/elsewhere" % PORT)
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif mode == "hang":
            time.sleep(3600)
        else:
            try:
                read_rows(tables(SCHEMA)[table][0], body)
            except (ValueError, IndexError, struct.error):
                self.answer(500, b"Code: 33, e.displayText() = DB::Exception: Cannot read all data\n")
                return
            self.keep(table, body)
            if mode == "deaf":
                self.close_connection = True
                return
            self.answer(200)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Senders that are killed are no errors."""


if __name__ == "__main__":
    PORT, FOLDER = int(sys.argv[1]), sys.argv[2]
    with open(sys.argv[3], encoding="utf-8") as schema_file:
        SCHEMA = schema_file.read()
    server = Server(("127.0.0.1", PORT), Taker)
    print(server.server_address[1], flush=True)
    server.serve_forever()
