# locwatch: see README.md

PREFIX ?= /usr/local
DESTDIR ?=
bindir = $(DESTDIR)$(PREFIX)/bin
mandir = $(DESTDIR)$(PREFIX)/share/man/man1
bashdir = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fishdir = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)
# The binary runs at a fixed address and exports nothing, which spares the loader 24,000 relocations,
# 0.3 ms of the start, and 0.8 MB.
release-flags = -Xswiftc -static-stdlib -Xswiftc -Xclang-linker -Xswiftc -no-pie \
  -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xlinker --no-export-dynamic
binary = .build/release/locwatch

# libgps and the C++ runtime are linked in, from their archives: the loader would bring nine
# libraries along with them, which is 1.1 ms of the start and 2.5 MB. D-Bus stays out: libgps asks
# it about the host "DBUS export" alone, and is given nothing but numeric addresses.
LIBGPS ?= static
archives = $(CURDIR)/.build/archives
define collect-archives
	@install -d $(archives)
	@$(RM) $(archives)/*
	@set -e; \
	case '$(LIBGPS)' in \
	  static) ;; \
	  shared) exit ;; \
	  *) echo "LIBGPS is static or shared, not '$(LIBGPS)'" >&2; exit 1 ;; \
	esac; \
	command -v objcopy >/dev/null \
	  || { echo "objcopy is missing: 'make deps' installs it with binutils" >&2; exit 1; }; \
	libgps="$$(pkg-config --variable=libdir libgps)/libgps.a"; \
	runtime="$$($$(command -v clang || command -v cc) -print-file-name=libstdc++.a)"; \
	for archive in "$$libgps" "$$runtime"; do \
	  [ ! -f "$$archive" ] || continue; \
	  echo "$$archive is missing, and would be linked in: 'make deps' installs what Debian has of it;" >&2; \
	  echo "LIBGPS=shared links with the libraries of the system" >&2; \
	  exit 1; \
	done; \
	objcopy --weaken-symbol=gps_dbus_open --weaken-symbol=gps_dbus_mainloop "$$libgps" \
	  $(archives)/libgps.a; \
	ln -s "$$runtime" $(archives); \
	sed 's|^libdir=.*|libdir=$(archives)|' "$$(pkg-config --variable=pcfiledir libgps)/libgps.pc" \
	  >$(archives)/libgps.pc
endef
release = PKG_CONFIG_PATH=$(archives):$(PKG_CONFIG_PATH) swift build --configuration release $(release-flags)

.PHONY: help deps test-deps needs build demo test test-release faults fuzz soak sanitize bench \
  check-example check-testkit check-readme check-install docs api lint format fixtures release install \
  uninstall clean

# What a target needs is made in its order: packages are installed before anything is built.
.NOTPARALLEL:

help: ## list what there is to make
	@sed -n 's/^\([a-z-]*\):.*## /\1 /p' $(MAKEFILE_LIST) | while read -r name words; do \
	  printf 'make %-14s %s\n' "$$name" "$$words"; done

# Installs those of the packages that are not there yet.
define apt
	@command -v dpkg-query >/dev/null || { \
	  echo "This is not Debian: install what it calls$(1)" >&2; \
	  exit; \
	}; \
	missing=; for package in $(1); do \
	  dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q '^install ok installed' \
	    || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	  echo "Installing$$missing"; \
	  $(SUDO) apt-get update -qq \
	    && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing >/dev/null; \
	fi
endef

deps: ## install what building needs, and gpsd
	$(call apt, libgps-dev gpsd pkg-config binutils)

test-deps: deps ## install what the tests need besides
	$(call apt, gpsd-clients python3 python3-gps mandoc zsh fish)

# Building installs nothing: it says what is missing.
needs:
	@command -v swift >/dev/null \
	  || { echo "swift is not in the PATH: see https://www.swift.org/install/linux" >&2; exit 1; }
	@command -v pkg-config >/dev/null \
	  || { echo "pkg-config is missing: 'make deps' installs it" >&2; exit 1; }
	@pkg-config --exists libgps \
	  || { echo "pkg-config does not find libgps: 'make deps' installs it" >&2; exit 1; }

build: needs ## build everything for debugging
	swift build

demo: deps build ## see locwatch read a simulated receiver through a real gpsd
	@Tests/Demo/demo.sh .build/debug

# Those that talk to other processes, and wait for them; they are not to wait for all the others.
live-tests = EndToEndTests|LibGPSTests|DaemonHarnessTests|SimulatedReceiverTests|SoakTests

test: test-deps check-example ## run all tests, those against a real gpsd included
	swift build --build-tests
	swift test --skip-build --skip '$(live-tests)'
	swift test --skip-build --filter '$(live-tests)'

# Without -enable-testing the optimiser leaves nothing for @testable.
release-tests = --configuration release -Xswiftc -enable-testing --scratch-path .build/release-tests

test-release: needs ## run the tests that need no gpsd as the optimiser makes them: what allocates, fails
	swift build --build-tests $(release-tests)
	swift test --skip-build $(release-tests) --skip '$(live-tests)'

faults: test-deps ## run the rows of the fault matrix that take long, on a machine that is quiet
	LOCWATCH_LONG_TESTS=1 swift test --filter 'FaultTests|PrivateGPSDTests|ReceiverLogTests'

FUZZ_SECONDS ?= 60
FUZZ_LINES ?= 1000000
FUZZ_SEED ?= 1

fuzz: needs ## send a million mutated lines through everything, in FUZZ_SECONDS at the most
	$(release) --product fuzz
	.build/release/fuzz --lines $(FUZZ_LINES) --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED)

SOAK_REPORTS ?= 172800
SOAK_RECONNECTS ?= 1000

soak: release ## a day's reports, live and replayed, and a thousand reconnects: what is lost and grown
	$(release) --product soak
	.build/release/soak --reports $(SOAK_REPORTS) --reconnects $(SOAK_RECONNECTS)

sanitize: test-deps ## run all tests under ThreadSanitizer and AddressSanitizer
	swift build --build-tests --sanitize=thread --scratch-path .build/thread
	LOCWATCH_SANITIZER=thread \
	  TSAN_OPTIONS=atexit_sleep_ms=0:suppressions=$(CURDIR)/Tests/Sanitizers/thread.supp \
	  swift test --skip-build --no-parallel --sanitize=thread --scratch-path .build/thread
	swift build --build-tests --sanitize=address --scratch-path .build/address
	LOCWATCH_SANITIZER=address LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/leak.supp \
	  swift test --skip-build --no-parallel --sanitize=address --scratch-path .build/address

bench: deps release ## measure against the peers; see Tests/Benchmarks/README.md
	$(call apt, gpsd-clients python3 python3-gps jq g++)
	$(release) --product decode-benchmark
	python3 Tests/Benchmarks/bench.py --locwatch $(binary) --decoder .build/release/decode-benchmark

check-example: ## test the example as the package of somebody else
	swift test --package-path Tests/Example --scratch-path .build/example

check-testkit: ## the same, and LocationTestKit's own tests, without gps.h
	Tests/Checks/testkit.sh

check-readme: deps build ## run the README's program in an empty package
	$(call apt, iproute2)
	Tests/Checks/readme.sh .build/debug

check-install: release ## install into an empty place, run it there without Swift, and remove it
	Tests/Checks/install.sh

docs: needs ## build the documentation of the library into .docs; a warning is an error
	swift build --target LibGPS
	swift build --target LocationTestKit
	swift build --target LocationFoundation
	Tests/Checks/docs.sh .build/debug

api: test-deps ## list the public surface anew; the tests compare it with the listing
	LOCWATCH_WRITE_API=1 swift test --filter DocumentationTests

lint: ## check the format of all Swift
	swift format lint --strict --parallel --recursive Package.swift Sources Tests

format: ## format all Swift
	swift format --in-place --parallel --recursive Package.swift Sources Tests

fixtures: deps build ## record Fixtures/ anew; see the README there
	.build/debug/record-fixtures Fixtures

release: needs ## build the program that is installed; LIBGPS=shared leaves libgps out of it
	$(collect-archives)
	$(release) --product locwatch

install: release ## install locwatch; PREFIX and DESTDIR are understood
	install -D -s -m 755 $(binary) $(bindir)/locwatch
	install -d $(mandir) $(bashdir) $(zshdir) $(fishdir)
	$(binary) --generate man >$(mandir)/locwatch.1
	$(binary) --generate complete-bash >$(bashdir)/locwatch
	$(binary) --generate complete-zsh >$(zshdir)/_locwatch
	$(binary) --generate complete-fish >$(fishdir)/locwatch.fish

uninstall: ## remove it again
	$(RM) $(bindir)/locwatch $(mandir)/locwatch.1 $(bashdir)/locwatch $(zshdir)/_locwatch \
	  $(fishdir)/locwatch.fish

clean: ## remove what was built
	$(RM) -r .build .docs
