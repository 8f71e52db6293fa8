# SPDX-License-Identifier: GPL-2.0-only
# All results are in build/; `make help` lists the targets.

O := $(or $(BUILD),$(CURDIR)/build)
export BUILD := $(O)
# This precedes the assignment, which would become the origin.
KDIR_ORIGIN := $(origin KDIR)
KDIR ?= /lib/modules/$(shell uname -r)/build

# T=name runs one test.
T ?=

.PHONY: all module userspace tests run shell test test-full test-debug bench bench-native bench-check bench-table fuzz mutants \
	install uninstall deb wheel clean help

# The module requires headers. If the running kernel has none, the module is left out, unless the user names a KDIR.
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
	@scripts/deps build bpf explorer test guest arm64 kdump
	@tests/run --full $(T)

test-debug:
	@scripts/deps build bpf explorer test guest debug
	@tests/run --kernels debug-kasan,debug-kcsan $(T)

fuzz:
	@scripts/deps build test
	@$(MAKE) --no-print-directory -C tests O=$(O) fuzz

# The variables are PART (tool, core, lib or convert), COUNT (50) and SEED.
mutants:
	@scripts/deps build test
	@tests/mutants/run

# Benchmarks run on KERNELS (6.1,6.12). bench-table makes the reference and the tables of tests/bench/README.md from the latest
# measurements.
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

# Without headers the tool is installed alone, which is still useful.
install: userspace
	@$(if $(KDIR_MISSING),module=,module=$$(scripts/build-module $(KDIR))) && \
		scripts/install --module "$$module" --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

uninstall:
	@scripts/install --remove --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

# This makes Debian's packages in build/deb.
deb:
	@scripts/deps build bpf deb
	@scripts/deb

# This makes the wheel of the bindings for Python in build/wheel.
wheel:
	@scripts/deps wheel
	@scripts/wheel

clean:
	rm -rf $(addprefix $(O)/,ko modules obj bpf explorer sanitize tests fuzz guest guest-logs test-logs bench deb deb-work wheel mutants)
	rm -f $(O)/bcoslog $(O)/bcoslog-convert $(O)/bcoslog-serve $(O)/bcoslog-ship $(O)/bcoslog-sql $(O)/bcoslog_sqlite.so $(O)/bcoslog-read $(O)/bcoslog.pc $(O)/libbcoslog.* $(O)/static.libs

help:
	@echo 'make run         show this machine'"'"'s log, live; installs, builds and loads the module'
	@echo 'make shell       run a shell in a guest with the module loaded; this machine stays as it is; KERNEL=6.1'
	@echo 'make all         build userspace, and the module for the running kernel (or KDIR=) if its headers are installed'
	@echo 'make module      build build/modules/RELEASE/bcos_evlog.ko'
	@echo 'make userspace   build bcoslog, bcoslog-convert, bcoslog-serve, bcoslog-ship, bcoslog-sql, bcoslog_sqlite.so, bcoslog-read, libbcoslog.a and libbcoslog.so in build/'
	@echo 'make test        run all tests with reduced rounds; T=NAME runs one'
	@echo 'make test-full   run all tests on all kernels with full rounds'
	@echo 'make test-debug  run the guest tests on a KASAN + lockdep kernel and on a KCSAN kernel'
	@echo 'make bench       measure the cost of an event, and compare it with other tracers; KERNELS=6.1,6.12'
	@echo 'make bench-native  measure the log writer and the decoder on this machine'
	@echo 'make bench-check   fail if a figure of bcos_evlog is more than 5 % worse than the reference'
	@echo 'make bench-table   make the reference and the tables of tests/bench/README.md from the latest measurements'
	@echo 'make fuzz        fuzz the decoder and the log writer; FUZZ_SECONDS=60'
	@echo 'make mutants     put small faults into the program and count those that tests notice; PART=core, lib, tool or convert, COUNT=50'
	@echo 'make install     install the results; PREFIX=/usr/local DESTDIR='
	@echo 'make uninstall   remove them again'
	@echo 'make deb         build the packages of Debian: bcos-evlog-dkms, bcoslog, bcoslog-convert, bcoslog-serve, bcoslog-ship, bcoslog-sql, libbcoslog0, libbcoslog-dev'
	@echo 'make wheel       build the wheel of the bindings for Python, which finds the library and the tool of this machine'
	@echo 'make clean       remove the results; downloaded kernels stay'
