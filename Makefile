# locwatch: see README.md

PREFIX ?= /usr/local
DESTDIR ?=
bindir = $(DESTDIR)$(PREFIX)/bin
mandir = $(DESTDIR)$(PREFIX)/share/man/man1
bashdir = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fishdir = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)
release = swift build --configuration release --product locwatch -Xswiftc -static-stdlib
binary = .build/release/locwatch

.PHONY: help build deps test-deps demo test fuzz soak sanitize lint format fixtures release install uninstall clean

help:
	@echo "make demo       see locwatch read a simulated receiver through a real gpsd"
	@echo "make test       run all tests, those against a real gpsd included"
	@echo "make install    install locwatch (PREFIX=$(PREFIX), DESTDIR=$(DESTDIR))"
	@echo "make uninstall  remove it again"
	@echo "make fuzz       a million mutated lines, in FUZZ_SECONDS=$(FUZZ_SECONDS) at the most"
	@echo "make soak       a day's reports and 1,000 reconnects, and what they cost"
	@echo "make sanitize   run all tests under ThreadSanitizer and AddressSanitizer"
	@echo "Also: build, release, lint, format, fixtures, clean"

# Installs those of the packages that are not there yet.
define apt
	@missing=; for package in $(1); do \
	  dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q '^install ok installed' \
	    || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	  echo "Installing$$missing"; \
	  $(SUDO) apt-get update -qq \
	    && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing >/dev/null; \
	fi
endef

deps:
	$(call apt,libgps-dev gpsd pkg-config)

test-deps: deps
	$(call apt,gpsd-clients python3)

build: deps
	swift build

demo: build
	@Tests/Demo/demo.sh .build/debug

test: test-deps
	swift build --build-tests
	swift test --skip-build

FUZZ_SECONDS ?= 60
FUZZ_LINES ?= 1000000
FUZZ_SEED ?= 1

# Mutated lines through everything that a line goes through: as many, or as long, as is said here.
fuzz: deps
	swift build --configuration release --product fuzz
	.build/release/fuzz --lines $(FUZZ_LINES) --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED)

SOAK_REPORTS ?= 172800
SOAK_RECONNECTS ?= 1000

# A day's reports, live and replayed, and a gpsd that hangs up again and again: what is lost and grown.
soak: deps
	swift build --configuration release --product soak
	swift build --configuration release --product locwatch
	.build/release/soak --reports $(SOAK_REPORTS) --reconnects $(SOAK_RECONNECTS)

# All tests under ThreadSanitizer and AddressSanitizer, one after the other: both take their time.
sanitize: test-deps
	swift build --build-tests --sanitize=thread --scratch-path .build/thread
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/thread.supp \
	  swift test --skip-build --no-parallel --sanitize=thread --scratch-path .build/thread
	swift build --build-tests --sanitize=address --scratch-path .build/address
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/leak.supp \
	  swift test --skip-build --no-parallel --sanitize=address --scratch-path .build/address

lint:
	swift format lint --strict --parallel --recursive Package.swift Sources Tests

format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests

# Records Fixtures/ anew; see Fixtures/README.md.
fixtures: build
	.build/debug/record-fixtures Fixtures

release: deps
	$(release)

install: release
	install -D -s -m 755 $(binary) $(bindir)/locwatch
	install -d $(mandir) $(bashdir) $(zshdir) $(fishdir)
	$(binary) --generate man >$(mandir)/locwatch.1
	$(binary) --generate complete-bash >$(bashdir)/locwatch
	$(binary) --generate complete-zsh >$(zshdir)/_locwatch
	$(binary) --generate complete-fish >$(fishdir)/locwatch.fish

uninstall:
	$(RM) $(bindir)/locwatch $(mandir)/locwatch.1 $(bashdir)/locwatch $(zshdir)/_locwatch \
	  $(fishdir)/locwatch.fish

clean:
	$(RM) -r .build
