# SPDX-License-Identifier: GPL-2.0-only
# Everything that is built lands under build/; `make help` lists the targets.

O := $(or $(BUILD),$(CURDIR)/build)
export BUILD := $(O)
# Asked before it has a value, which would be its origin.
KDIR_ORIGIN := $(origin KDIR)
KDIR ?= /lib/modules/$(shell uname -r)/build

# T=name for one test.
T ?=

.PHONY: all module userspace tests run shell test test-full test-debug bench bench-native bench-check bench-table fuzz mutants \
	install uninstall deb clean help

# The module takes headers. Where there are none for the running kernel, the rest is made without; whoever names some means it.
KDIR_MISSING = $(if $(filter file undefined default,$(KDIR_ORIGIN)),$(if $(wildcard $(KDIR)/Makefile),,1))

all: userspace
	@if [ -n "$(KDIR_MISSING)" ]; then \
		echo "there are no headers of this kernel in $(KDIR), so the module is left out; the rest is in $(O)"; \
	else \
		scripts/build-module $(KDIR); \
	fi

module:
	@scripts/build-module $(KDIR)

userspace:
	@$(MAKE) --no-print-directory -C userspace O=$(O)

run:
	@scripts/run

shell:
	@scripts/shell

test:
	@scripts/deps build bpf explorer test guest
	@tests/run $(T)

test-full:
	@scripts/deps build bpf explorer test guest arm64
	@tests/run --full $(T)

test-debug:
	@scripts/deps build bpf explorer test guest debug
	@tests/run --kernels debug-kasan,debug-kcsan $(T)

fuzz:
	@scripts/deps build test
	@$(MAKE) --no-print-directory -C tests O=$(O) fuzz

# PART=tool, core, lib or convert; COUNT=50; SEED=.
mutants:
	@scripts/deps build test
	@tests/mutants/run

# Benchmarks: KERNELS=6.1,6.12. bench-table takes what was measured last as the reference, and makes the tables of tests/bench/README.md.
KERNELS ?= 6.1,6.12

bench:
	@scripts/deps build module guest bench
	@scripts/bench --kernels $(KERNELS) counted real

bench-native:
	@scripts/deps build test
	@scripts/bench native

bench-check:
	@scripts/deps build module guest bench
	@scripts/bench --kernels $(KERNELS) check

bench-table:
	@scripts/bench reference

PREFIX ?= /usr/local
DESTDIR ?=

# Where there are no headers the tool is useful all the same.
install: userspace
	@$(if $(KDIR_MISSING),module=,module=$$(scripts/build-module $(KDIR))) && \
		scripts/install --module "$$module" --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

uninstall:
	@scripts/install --remove --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

# Debian's packages, in build/deb.
deb:
	@scripts/deps build bpf deb
	@scripts/deb

clean:
	rm -rf $(addprefix $(O)/,ko modules obj bpf explorer sanitize tests fuzz guest guest-logs test-logs bench deb deb-work mutants)
	rm -f $(O)/bcoslog $(O)/bcoslog.pc $(O)/libbcoslog.* $(O)/static.libs

help:
	@echo 'make run         show this machine'"'"'s log, live (installs, builds and loads what that takes)'
	@echo 'make shell       a shell in a guest with the module loaded, which touches nothing of this machine; KERNEL=6.1'
	@echo 'make all         module for the running kernel, if its headers are there, (or KDIR=), and userspace'
	@echo 'make module      build/modules/RELEASE/bcos_evlog.ko'
	@echo 'make userspace   build/bcoslog, build/libbcoslog.a, build/libbcoslog.so'
	@echo 'make test        all tests, reduced rounds; T=NAME for one'
	@echo 'make test-full   all tests, on all kernels, full rounds'
	@echo 'make test-debug  guest tests under KASAN, lockdep and KCSAN kernels'
	@echo 'make bench       what an event costs, beside other tracers; KERNELS=6.1,6.12'
	@echo 'make bench-native  the same of log writer and decoder, on this machine'
	@echo 'make bench-check   fail if a figure of ours is more than 5 % worse than the reference'
	@echo 'make bench-table   take what was measured last as the reference, and make the tables of tests/bench/README.md'
	@echo 'make fuzz        fuzz the decoder and the log writer; FUZZ_SECONDS=60'
	@echo 'make mutants     put small faults into the program and count those that tests notice; PART=core, lib, tool or convert, COUNT=50'
	@echo 'make install     PREFIX=/usr/local DESTDIR='
	@echo 'make uninstall'
	@echo 'make deb         packages for Debian: bcos-evlog-dkms, bcoslog, libbcoslog0, libbcoslog-dev'
	@echo 'make clean       what was built; kernels that were fetched stay'
