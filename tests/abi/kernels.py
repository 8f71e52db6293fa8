#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Compares what a built module uses of a kernel with what another kernel has, by their type information.

kernels.py MODULE OWN OTHER HOOKS: MODULE was built for the kernel with the BTF file OWN.  Each function that it imports,
and each tracepoint of the table of hooks in the file HOOKS, has to have the same prototype in the BTF file OTHER, or to be
one of those that module/compat.h or the compiler copes with (COPED).  Prints each difference, and what OTHER lacks.

The exit status is 1 if a prototype differs that is not in COPED, and 2 if nothing, or no tracepoint, was compared.
"""
import re
import subprocess
import sys

# What differs between kernels, and why the source is right for all of them.
COPED = {
    "__kvmalloc_node_noprof": "called through a macro of the kernel's headers",
    "__blk_alloc_disk": "bcos_alloc_disk() in module/compat.h",
    "__traceiter_sched_process_exit": "BCOS_CHOOSE_PROBE() in module/compat.h",
    "__traceiter_mark_victim": "BCOS_CHOOSE_PROBE() in module/compat.h",
    "__traceiter_sched_switch": "the probe takes no more arguments than the kernel passes (module/compat.h)",
}


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, text=True,
                          errors="replace").stdout


class Types:
    """The types of a kernel, by their numbers."""

    def __init__(self, path):
        self.types = {}
        self.functions = {}
        members = None
        for line in run("bpftool", "btf", "dump", "file", path).splitlines():
            found = re.match(r"\[(\d+)\] (\w+) '(.*?)'(.*)", line)
            if found:
                members = []
                kind = found[2], found[3], found[4], members
                self.types[int(found[1])] = kind
                if found[2] == "FUNC":
                    self.functions[found[3]] = kind
                elif found[2] == "TYPEDEF" and found[3].startswith("btf_trace_"):
                    self.functions.setdefault("__traceiter_" + found[3][len("btf_trace_"):], kind)
            elif members is not None and "type_id=" in line:
                members.append(number(line, "type_id"))

    def name(self, at):
        """Returns the name of a type; of a pointer to a function only that it is one."""
        if not at:
            return "void"
        kind, name, rest, _ = self.types[at]
        if kind in ("INT", "FLOAT", "TYPEDEF"):
            return name
        if kind == "PTR":
            return self.name(number(rest, "type_id")) + " *"
        if kind in ("CONST", "VOLATILE", "RESTRICT", "TYPE_TAG"):
            return self.name(number(rest, "type_id"))
        if kind in ("STRUCT", "UNION", "ENUM", "ENUM64", "FWD"):
            return kind.lower().replace("fwd", "struct") + " " + name
        return kind.lower()

    def prototype(self, function):
        """Returns the prototype of a function, or None if the kernel has none of this name."""
        kind = self.functions.get(function)
        while kind and kind[0] != "FUNC_PROTO":
            kind = self.types.get(number(kind[2], "type_id"))
        if not kind:
            return None
        return self.name(number(kind[2], "ret_type_id")) + "(" + ", ".join(map(self.name, kind[3])) + ")"


def number(text, word):
    found = re.search(r"\b" + word + r"=(\d+)", text)
    return int(found[1]) if found else 0


def used(module, hooks):
    """Returns the symbols that the module imports, and the tracepoints of the table of hooks as __traceiter_NAME."""
    names = {line.split()[-1] for line in run("nm", "-u", module).splitlines()}
    with open(hooks, encoding="utf-8") as file:
        names |= {"__traceiter_" + name for name in re.findall(r"HOOK\(\w+, (\w+), ", file.read())}
    return sorted(names)


def main():
    module, own, other, hooks = sys.argv[1], Types(sys.argv[2]), Types(sys.argv[3]), sys.argv[4]
    same, lacking, wrong, untyped, points = 0, [], 0, [], 0
    for name in used(module, hooks):
        here = own.prototype(name)
        there = other.prototype(name)
        points += here is not None and name.startswith("__traceiter_")
        if here is None:
            untyped.append(name)
        elif there is None:
            lacking.append(name)
        elif here == there:
            same += 1
        else:
            print(f"{name}: {here} -> {there}" + (f" ({COPED[name]})" if name in COPED else ""))
            wrong += name not in COPED
    print(f"{same} prototypes are the same")
    if untyped:
        print("not compared, since the kernel of the module has no type of: " + " ".join(untyped))
    if lacking:
        print("the other kernel has no type of: " + " ".join(lacking))
    # A table of hooks that is not understood would leave nothing that could differ.
    return 2 if not same or not points else wrong > 0


sys.exit(main())
