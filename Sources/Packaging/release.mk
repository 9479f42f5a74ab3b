##@ Releases

.PHONY: release release-arm64 static static-arm64 install uninstall deb deb-arm64 release-files

PREFIX ?= /usr/local
DESTDIR ?=
bindir = $(call quoted,$(DESTDIR)$(PREFIX)/bin)
mandir = $(call quoted,$(DESTDIR)$(PREFIX)/share/man)
bashdir = $(call quoted,$(DESTDIR)$(PREFIX)/share/bash-completion/completions)
zshdir = $(call quoted,$(DESTDIR)$(PREFIX)/share/zsh/site-functions)
fishdir = $(call quoted,$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d)

# The Swift runtime and, unless LIBGPS is shared, libgps are inside. Neither debug information nor the compiler's hashes
# of modules is: they depend on the folder, and the same sources make the same bytes anywhere. Debian wants programs whose
# addresses are resolved at the start (-z now). No other program links to this one, so it exports no symbols, and lld packs
# the addresses that depend on where it is loaded. A report passes through five modules: the compiler optimizes across them.
LIBGPS ?= static
archives = .build/archives
binary = .build/release/locwatch
release-options = --configuration release --static-swift-stdlib -debug-info-format none \
  -Xswiftc -cross-module-optimization \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xlinker -z -Xlinker now \
  -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
  -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
build-release = PKG_CONFIG_PATH=$(here)/$(archives):$(call quoted,$(PKG_CONFIG_PATH)) swift build $(release-options)

release: needs ## build the program to install; LIBGPS=shared links libgps dynamically
	Sources/Packaging/archives.sh $(call quoted,$(LIBGPS)) $(archives)
	$(build-release) --product locwatch

arm64 = .build/arm64/locwatch

release-arm64: ## build the program for arm64 on amd64, from Debian's packages alone (as root)
	$(call apt, mmdebstrap)
	Sources/Packaging/arm64/build.sh $(arm64) $(release-options) --product locwatch

# Installs a program with its pages and completions.
define install-program
	install -D -m 755 $(1) $(bindir)/locwatch
	strip --remove-section=.comment --remove-section=.note $(bindir)/locwatch
	install -d $(mandir)/man1 $(mandir)/man5 $(mandir)/man7 $(bashdir) $(zshdir) $(fishdir)
	$(1) --generate man >$(mandir)/man1/locwatch.1
	$(1) --generate man-formats >$(mandir)/man5/locwatch-formats.5
	$(1) --generate man-report >$(mandir)/man7/locwatch-report.7
	$(1) --generate man-recipes >$(mandir)/man7/locwatch-recipes.7
	$(1) --generate complete-bash >$(bashdir)/locwatch
	$(1) --generate complete-zsh >$(zshdir)/_locwatch
	$(1) --generate complete-fish >$(fishdir)/locwatch.fish
endef

install: release ## install locwatch under DESTDIR/PREFIX
	$(call install-program,$(binary))

uninstall: ## remove the installed files
	$(RM) $(bindir)/locwatch $(mandir)/man1/locwatch.1 $(mandir)/man5/locwatch-formats.5 \
	  $(mandir)/man7/locwatch-report.7 $(mandir)/man7/locwatch-recipes.7 \
	  $(bashdir)/locwatch $(zshdir)/_locwatch $(fishdir)/locwatch.fish

# What a release contains, from the sources alone: the version is in one place, and files are as old as it.
source-of-version = Sources/LocwatchSystem/Version.swift
version = $(shell sed -n 's/^package let version = "\(.*\)"/\1/p' $(source-of-version))
date = $(shell sed -n 's/^package let versionDate = "\(.*\)"/\1/p' $(source-of-version))
epoch = SOURCE_DATE_EPOCH=$(or $(SOURCE_DATE_EPOCH),$(shell date --utc --date=$(date) +%s))
tree = .build/tree
package = .build/locwatch_$(version)_$(shell dpkg --print-architecture 2>/dev/null).deb
package-arm64 = .build/locwatch_$(version)_arm64.deb
files = .build/locwatch-$(version)
tarball = $(epoch) Sources/Packaging/tarball.sh

deb: deps ## build the Debian package
	$(RM) -r $(tree) .build/locwatch_*_$(shell dpkg --print-architecture 2>/dev/null).deb
	$(MAKE) --no-print-directory install DESTDIR=$(tree) PREFIX=/usr
	$(epoch) Sources/Packaging/deb.sh $(tree) $(version) $(package)

# Its pages and completions come from the local program, which is built from the same sources.
deb-arm64: deb release-arm64 ## build the Debian package for arm64, such as a Raspberry Pi, on amd64 (as root)
	$(RM) -r $(tree)-arm64
	cp -R $(tree) $(tree)-arm64
	install -m 755 $(arm64) $(tree)-arm64/usr/bin/locwatch
	$(epoch) Sources/Packaging/deb.sh $(tree)-arm64 $(version) $(package-arm64)

# A program that needs no library, not even the C library, and so runs on any Linux. Its C library uses none of the
# system's modules to look up hosts, so mDNS names (boat.local) need the package. It can be loaded anywhere in memory
# (-static-pie), which takes 0.3 million instructions more at the start than a fixed address. A library search path
# ($ORIGIN) would make the C library abort while it starts such a program.
static-binary = .build/static/release/locwatch
static-options = --configuration release -debug-info-format none --disable-index-store --disable-local-rpath \
  -Xswiftc -static-executable -Xcc -DLOCWATCH_STATIC -Xswiftc -cross-module-optimization \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xswiftc -use-ld=lld \
  -Xswiftc -Xclang-linker -Xswiftc -static-pie -Xlinker -z -Xlinker pack-relative-relocs
static-tree = .build/static-tree
static-tarball = .build/locwatch-$(version)-linux-$(shell uname -m)-static.tar.gz
static-arm64 = .build/arm64/static/locwatch
static-tarball-arm64 = .build/locwatch-$(version)-linux-aarch64-static.tar.gz

static: DESTDIR = $(static-tree)
static: PREFIX = /usr
static: deps needs ## build the static program for any Linux, with its pages and units in a tarball for /usr/local
	Sources/Packaging/archives.sh static $(archives)
	PKG_CONFIG_PATH=$(here)/$(archives):$(call quoted,$(PKG_CONFIG_PATH)) \
	  swift build $(static-options) --scratch-path .build/static --product locwatch
	$(RM) -r $(static-tree)
	$(call install-program,$(static-binary))
	install -D --mode 644 --target-directory $(static-tree)/usr/lib/systemd/system \
	  Sources/Packaging/*.service Sources/Packaging/*.socket
	sed -i 's|/usr/bin/locwatch|/usr/local/bin/locwatch|' $(static-tree)/usr/lib/systemd/system/*
	$(tarball) $(static-tree) $(static-tarball)

# Its pages and units are those of the tarball for amd64. A Swift SDK has two folders of the runtime, and without
# --static-swift-stdlib the compiler looks for static-executable-args.lnk in that of the shared one.
static-arm64: static ## build the static program and its tarball for arm64 on amd64 (as root)
	$(call apt, mmdebstrap)
	Sources/Packaging/arm64/build.sh $(static-arm64) --static-swift-stdlib $(static-options) --product locwatch
	$(RM) -r $(static-tree)-arm64
	cp -R $(static-tree) $(static-tree)-arm64
	install -m 755 $(static-arm64) $(static-tree)-arm64/usr/bin/locwatch
	$(tarball) $(static-tree)-arm64 $(static-tarball-arm64)

release-files: deb-arm64 ## make what a release consists of: packages and tarballs for amd64 and arm64, and SHA256SUMS
	$(RM) -r $(files)
	install -D --mode 644 --target-directory $(files) $(package) $(package-arm64)
	$(tarball) $(tree) $(files)/locwatch-$(version)-linux-x86_64.tar.gz
	$(tarball) $(tree)-arm64 $(files)/locwatch-$(version)-linux-aarch64.tar.gz
	cd $(files) && sha256sum -- * >SHA256SUMS && cat SHA256SUMS
