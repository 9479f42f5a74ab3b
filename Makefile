# locwatch: see README.md

PREFIX ?= /usr/local
DESTDIR ?=

# A path as one word of the shell, whatever is in it. Tests/Checks/paths.sh looks for those that are not.
quoted = '$(subst ','\'',$(1))'
here = $(call quoted,$(CURDIR))
bindir = $(call quoted,$(DESTDIR)$(PREFIX)/bin)
mandir = $(call quoted,$(DESTDIR)$(PREFIX)/share/man)
bashdir = $(call quoted,$(DESTDIR)$(PREFIX)/share/bash-completion/completions)
zshdir = $(call quoted,$(DESTDIR)$(PREFIX)/share/zsh/site-functions)
fishdir = $(call quoted,$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d)

SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)
# The binary runs at a fixed address and exports nothing. This avoids 24,000 relocations: 0.3 ms of the
# start, and 0.8 MB. It has neither debug information nor the compiler's hashes of modules, which depend on
# the folder: the same sources make the same bytes anywhere.
loading = --no-pie
release-flags = -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
  -Xswiftc -static-stdlib -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
  $(addprefix -Xlinker ,$(loading)) -Xlinker --no-export-dynamic
# What a live report runs through stands together in the binary, in the order in which it runs: that is
# 1.8 MB less of memory, and a tenth less of the processor's time at 10 Hz. What a replay and --report need
# besides follows: 1.1 MB less for a replay to CSV, 2 MB less for a page. It takes LLVM's linker, which
# Swift's own toolchain brings along.
link-order = Sources/locwatch/link-order.txt
ifneq ($(shell command -v ld.lld),)
release-flags += -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xlinker --symbol-ordering-file=$(here)/$(link-order) -Xlinker --no-warn-symbol-ordering
endif
binary = .build/release/locwatch

# What runs often in `make profile` is optimised for that, and kept apart from what does not: a tenth less of
# the processor's time for a replay and at 10 Hz. It takes Swift 6.3, and LLVM's tool for profiles, which
# Swift's own toolchain brings along; without them, the release is built as usual. The name of the merged
# profile depends on its content, so that a new one builds everything anew.
profile = Sources/locwatch/profile.txt
profile-tool = $(if $(shell swiftc -frontend -help-hidden | grep -e -ir-profile-use),$(wildcard \
  $(shell swiftc -print-target-info \
    | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift.*"|\1/bin/llvm-profdata|p')))
merged-profile = $(here)/.build/$(shell cksum <$(profile) | cut -d ' ' -f 1).profdata
# A function that is not exported has the name of its file in the profile, and not the folder: else it would be
# found again only where the profile was made.
profile-names = -Xswiftc -Xllvm -Xswiftc -static-func-full-module-prefix=false
use-profile = $(if $(profile-tool),$(profile-names) \
  -Xswiftc -Xfrontend -Xswiftc -ir-profile-use=$(merged-profile))
merge-profile = $(if $(profile-tool),$(profile-tool) merge --output=$(merged-profile) $(profile))

# libgps and the C++ runtime are linked statically. The shared libgps loads nine other libraries, which
# take 1.1 ms of the start and 2.5 MB. D-Bus stays out: libgps uses it only for the host "DBUS export",
# and locwatch passes it only numeric addresses.
LIBGPS ?= static
archives = .build/archives
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
	  echo "$$archive is missing: 'make deps' installs it on Debian;" >&2; \
	  echo "LIBGPS=shared links to the system's libraries instead" >&2; \
	  exit 1; \
	done; \
	objcopy --weaken-symbol=gps_dbus_open --weaken-symbol=gps_dbus_mainloop "$$libgps" \
	  $(archives)/libgps.a; \
	ln -s "$$runtime" $(archives); \
	{ \
	  printf 'libdir=%s\n' "$$(printf %s $(here)/$(archives) | sed 's/[ "\\]/\\&/g')"; \
	  sed '/^libdir=/d' "$$(pkg-config --variable=pcfiledir libgps)/libgps.pc"; \
	} >$(archives)/libgps.pc
endef
optimised = PKG_CONFIG_PATH=$(here)/$(archives):$(call quoted,$(PKG_CONFIG_PATH)) swift build --configuration release $(release-flags)
release = $(optimised) $(use-profile)

.PHONY: help deps test-deps needs build demo test test-release mutate faults faults-fleet churn fuzz soak sanitize \
  bench bench-fleet check-products check-tutorial check-install check-grids check-report check-recipes check-deb \
  check-reproducible check-swift-sid matrix matrix-short pictures docs api lint format profile fixtures \
  release install uninstall deb release-files clean

# Prerequisites are made in order: packages are installed before anything is built.
.NOTPARALLEL:

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1 /p' $(MAKEFILE_LIST) | while read -r name words; do \
	  printf 'make %-18s %s\n' "$$name" "$$words"; done

# Installs the packages that are missing.
define apt
	@command -v dpkg-query >/dev/null || { \
	  echo "This is not Debian: install the equivalents of$(1)" >&2; \
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

deps: ## install what the build needs, and gpsd (Debian)
	$(call apt, libgps-dev gpsd pkg-config binutils)

test-deps: deps ## install what the tests need as well
	$(call apt, gpsd-clients python3 python3-gps mandoc strace zsh fish)

# Building installs nothing: it reports what is missing.
needs:
	@command -v swift >/dev/null \
	  || { echo "swift is not in the PATH: see https://www.swift.org/install/linux" >&2; exit 1; }
	@command -v pkg-config >/dev/null \
	  || { echo "pkg-config is missing: 'make deps' installs it" >&2; exit 1; }
	@pkg-config --exists libgps \
	  || { echo "pkg-config does not find libgps: 'make deps' installs it" >&2; exit 1; }

build: needs ## build everything for debugging
	swift build

demo: deps build ## watch locwatch read a simulated receiver through a real gpsd
	@Tests/Demo/demo.sh .build/debug

# Tests that wait for other processes. They run apart, so that the other tests do not slow them down.
# Each of them starts processes: more at a time would wait for a processor, not for what they test.
live-tests-at-once = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=10
# FaultyProviderTests measure real time, which a thousand tests at once do not leave them.
live-tests = EndToEndTests|LibGPSTests|DaemonHarnessTests|SimulatedReceiverTests|SoakTests|FaultyProviderTests

test: test-deps ## run all tests except the long ones, including those that need gpsd
	swift build --build-tests
	Tests/Checks/skipped.sh sh -euc '\
	  swift test --skip-build --skip "$(live-tests)"; \
	  $(live-tests-at-once) swift test --skip-build --filter "$(live-tests)"'

# Without -enable-testing the optimiser removes what @testable imports.
release-tests = --configuration release -Xswiftc -enable-testing --scratch-path .build/release-tests

test-release: needs ## run the tests that need no gpsd, optimised; they also count allocations
	swift build --build-tests $(release-tests)
	Tests/Checks/skipped.sh swift test --skip-build $(release-tests) --skip '$(live-tests)'

COUNT ?= 60
SEED ?= 1
JOBS ?= 2

mutate: needs ## make small mistakes in the code, and count those that the tests notice; see Tests/README.md
	$(if $(LIVE),$(live-tests-at-once)) Tests/Mutation/mutate.py --count $(COUNT) --seed $(SEED) --jobs $(JOBS) --live-tests '$(live-tests)' \
	  $(if $(SINCE),--since '$(SINCE)') $(if $(LIVE),--live) $(if $(FLOOR),--floor $(FLOOR)) $(PATHS)

FAULT_SECONDS ?= 1800
FAULT_SEED ?= 1

faults: test-deps release ## run the slow fault tests, then make each system call fail
	$(call apt, gcc libc6-dev)
	LOCWATCH_LONG_TESTS=1 swift test --filter 'FaultTests|PrivateGPSDTests|ReceiverLogTests'
	Tests/Faults/inject.py --seconds $(FAULT_SECONDS) --seed $(FAULT_SEED) $(binary)

FLEET_SECONDS ?= 600

faults-fleet: deps build ## kill gpsds and pull receivers of thirty sources at random, and compare the records
	$(call apt, python3 iproute2 tmux)
	Tests/Faults/fleet.py --seconds $(FLEET_SECONDS) --seed $(FAULT_SEED) .build/debug

CHURN_SECONDS ?= 7200

churn: release ## run against hostile peers for two hours, and watch memory, descriptors and processor
	python3 -u Tests/Faults/churn.py --seconds $(CHURN_SECONDS) $(binary)

FUZZ_SECONDS ?= 120
FUZZ_SEED ?= 1
# All of them unless some are named: 'fuzz --help' lists them.
FUZZ_TARGETS ?=

fuzz: test-deps ## feed each part of the program with lines that no gpsd should send, and check what comes out
	@$(merge-profile)
	$(release) --product fuzz
	.build/release/fuzz $(addprefix --target ,$(FUZZ_TARGETS)) --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED)

SOAK_REPORTS ?= 172800
SOAK_RECONNECTS ?= 1000

soak: release ## run a day's reports, live and replayed, and 1,000 reconnects, and look for leaks
	$(release) --product soak
	.build/release/soak --reports $(SOAK_REPORTS) --reconnects $(SOAK_RECONNECTS)

sanitize: test-deps ## run all tests under ThreadSanitizer and AddressSanitizer
	swift build --build-tests --sanitize=thread --scratch-path .build/thread
	LOCWATCH_SANITIZER=thread \
	  TSAN_OPTIONS=atexit_sleep_ms=0:suppressions=$(here)/Tests/Sanitizers/thread.supp \
	  swift test --skip-build --no-parallel --sanitize=thread --scratch-path .build/thread
	swift build --build-tests --sanitize=address --scratch-path .build/address
	LOCWATCH_SANITIZER=address LSAN_OPTIONS=suppressions=$(here)/Tests/Sanitizers/leak.supp \
	  swift test --skip-build --no-parallel --sanitize=address --scratch-path .build/address

bench-fleet: deps release ## measure a thousand sources; see Tests/Benchmarks/README.md
	python3 Tests/Benchmarks/fleet.py --locwatch $(binary)

bench: deps release ## compare the speed with other clients; see Tests/Benchmarks/README.md
	$(call apt, gpsd-clients python3 python3-gps jq g++)
	$(release) --product decode-benchmark
	python3 Tests/Benchmarks/bench.py --locwatch $(binary) --decoder .build/release/decode-benchmark

check-products: deps build ## build a package for each product alone, as the README describes
	$(call apt, iproute2)
	Tests/Checks/products.sh .build/debug

check-tutorial: needs ## follow the tutorial from an empty folder to a tested app
	Tests/Checks/tutorial.sh

check-install: release ## install into an empty folder, run it there without Swift, and uninstall it
	Tests/Checks/install.sh

check-grids: deps build ## compare UTM and MGRS coordinates with GeographicLib on 10,000 points
	$(call apt, python3 geographiclib-tools)
	Tests/Checks/grids.py .build/debug/locwatch

check-report: deps build ## open the page of --report in Chromium at three widths, light and dark
	$(call apt, python3 chromium)
	Tests/Checks/report.py .build/debug/locwatch Fixtures/*.jsonl

DEBIANS ?= bookworm trixie forky

check-deb: deb ## check the package with lintian, then in three Debians with their gpsd and systemd (as root)
	swift build --product simulated-receiver
	$(call apt, lintian man-db $(if $(DEBIANS),mmdebstrap systemd-container))
	Tests/Checks/deb.sh $(package) .build/debug/simulated-receiver $(DEBIANS)

check-reproducible: needs ## make the files of a release in two folders, and compare them
	Tests/Checks/reproducible.sh

check-swift-sid: ## build with the Swift of Debian sid, and run the tests that need no gpsd there (as root)
	$(call apt, mmdebstrap)
	Tests/Checks/swift-sid.sh '$(live-tests)'

matrix: test-deps ## run the live tests with the gpsd and the libgps of three Debians, and print a table (as root)
	$(call apt, mmdebstrap patchelf)
	swift build --build-tests
	Tests/Checks/matrix.py $(DEBIANS)

matrix-short: test-deps ## run a few of these tests with the gpsds of Debian 13 and 14, if they can be had (as root)
	$(call apt, mmdebstrap patchelf)
	swift build --build-tests
	Tests/Checks/matrix.py --short $(filter-out bookworm,$(DEBIANS))

recipe-servers = mosquitto mosquitto-clients nats-server redis-server redis-tools postgresql \
  postgresql-postgis influxdb prometheus prometheus-node-exporter kcat

check-recipes: deps build ## run the recipes of locwatch-recipes(7) against the real servers, and kill those
	$(call apt, python3 iproute2 curl jq gpsd-clients $(recipe-servers))
	Tests/Checks/recipes.py .build/debug

pictures: deps build ## draw the pictures of the README again, from a fixture
	$(call apt, tmux chromium)
	Tests/Demo/view.sh .build/debug/locwatch Fixtures/hour.jsonl 100 30 15 --speed 120 >.build/view.txt
	Tests/Demo/picture.py 100 "locwatch --view" <.build/view.txt >Fixtures/view.svg
	Tests/Checks/report.py .build/debug/locwatch --picture Fixtures/report.png Fixtures/hour.jsonl

docs: needs ## build the documentation of the libraries into .docs
	swift build --target LibGPS
	swift build --target LocationTestKit
	swift build --target LocationFoundation
	swift build --target LocationReports
	swift build --target LocationFormats
	Tests/Checks/docs.sh .build/debug

api: test-deps ## update the listing of the public API, which the tests compare
	LOCWATCH_WRITE_API=1 swift test --filter DocumentationTests

lint: ## check the format of all Swift, imports, paths with spaces in this file, and the makers of mutants
	swift format lint --strict --parallel --recursive Package.swift Sources Tests
	@Tests/Checks/imports.sh
	@Tests/Checks/paths.sh
	python3 -B Tests/Mutation/test_makers.py --quiet

format: ## format all Swift
	swift format --in-place --parallel --recursive Package.swift Sources Tests

counting = .build/counting

profile: needs ## find out anew what reports run through, how often, and in which order
	@[ -n '$(profile-tool)' ] || { echo "this takes Swift 6.3, with its llvm-profdata" >&2; exit 1; }
	$(call apt, valgrind)
	$(collect-archives)
	$(optimised) --product locwatch --scratch-path $(counting) $(profile-names) \
	  -Xswiftc -Xfrontend -Xswiftc -ir-profile-generate -Xswiftc -Xclang-linker -Xswiftc -fprofile-generate
	python3 Tests/Benchmarks/branch_counts.py $(counting)/release/locwatch $(profile-tool) >$(profile)
	$(MAKE) --no-print-directory release
	python3 Tests/Benchmarks/link_order.py $(binary) >$(link-order)
	rm $(binary) # The build does not know that the order has changed.

fixtures: deps build ## record Fixtures/ again; see the README there
	.build/debug/record-fixtures Fixtures

release: needs ## build the program to install; LIBGPS=shared links libgps dynamically
	$(collect-archives)
	@$(merge-profile)
	$(release) --product locwatch

install: release ## install locwatch under DESTDIR/PREFIX
	install -D -s -m 755 $(binary) $(bindir)/locwatch
	install -d $(mandir)/man1 $(mandir)/man7 $(bashdir) $(zshdir) $(fishdir)
	$(binary) --generate man >$(mandir)/man1/locwatch.1
	$(binary) --generate recipes >$(mandir)/man7/locwatch-recipes.7
	$(binary) --generate complete-bash >$(bashdir)/locwatch
	$(binary) --generate complete-zsh >$(zshdir)/_locwatch
	$(binary) --generate complete-fish >$(fishdir)/locwatch.fish

uninstall: ## remove the installed files
	$(RM) $(bindir)/locwatch $(mandir)/man1/locwatch.1 $(mandir)/man7/locwatch-recipes.7 \
	  $(bashdir)/locwatch $(zshdir)/_locwatch $(fishdir)/locwatch.fish

# What a release contains, from the sources alone: the version is in one place, and files are as old as it.
source-of-version = Sources/LocwatchCLI/Execution/Command.swift
version = $(shell sed -n 's/^package let version = "\(.*\)"/\1/p' $(source-of-version))
date = $(shell sed -n 's/^let versionDate = "\(.*\)"/\1/p' $(source-of-version))
epoch = SOURCE_DATE_EPOCH=$(or $(SOURCE_DATE_EPOCH),$(shell date --utc --date=$(date) +%s))
tree = .build/tree
package = .build/locwatch_$(version)_$(shell dpkg --print-architecture 2>/dev/null).deb
files = .build/locwatch-$(version)

# Debian wants programs that can be loaded anywhere, and whose addresses are resolved at the start.
deb: ## build the Debian package
	$(RM) -r $(tree)
	$(MAKE) --no-print-directory install loading='--pie -z now' DESTDIR=$(tree) PREFIX=/usr
	$(epoch) Sources/Packaging/deb.sh $(tree) $(version) $(package)

release-files: deb ## make what a release consists of: package, tarball and SHA256SUMS
	$(RM) -r $(files)
	install -D --mode 644 --target-directory $(files) $(package)
	$(epoch) Sources/Packaging/tarball.sh $(tree) $(files)/locwatch-$(version)-linux-$(shell uname -m).tar.gz
	cd $(files) && sha256sum -- * >SHA256SUMS && cat SHA256SUMS

clean: ## remove all build output
	$(RM) -r .build .docs
