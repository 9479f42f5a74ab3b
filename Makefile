# locwatch: see README.md. Sources/README.md describes how to build and test it.

# A path as one word of the shell, whatever is in it. Tests/Checks/paths.sh looks for those that are not.
quoted = '$(subst ','\'',$(1))'
here = $(call quoted,$(CURDIR))
SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)

.PHONY: help deps test-deps receivers needs build demo unit test test-one approve docs api limits lint format clean

# Prerequisites are made in order: packages are installed before anything is built.
.NOTPARALLEL:

##@ Every day

help: ## list the targets
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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
	$(call apt, libgps-dev zlib1g-dev gpsd pkg-config binutils)

test-deps: deps ## install what the tests need as well
	$(call apt, gpsd-clients python3 python3-gps mandoc strace zsh fish openssl)

# LOCWATCH_RECEIVERS names another folder of recordings.
receivers: test-deps ## record 154 real receivers, from gpsd's own logs that Debian has; 'make test' does so
	Tests/Checks/receivers.py .build/receivers

# Building installs nothing: it reports what is missing.
needs:
	@command -v swift >/dev/null \
	  || { echo "swift is not in the PATH: see https://www.swift.org/install/linux" >&2; exit 1; }
	@command -v pkg-config >/dev/null \
	  || { echo "pkg-config is missing: 'make deps' installs it" >&2; exit 1; }
	@for library in libgps zlib; do pkg-config --exists $$library \
	  || { echo "pkg-config does not find $$library: 'make deps' installs it" >&2; exit 1; }; done

# The index that an editor reads and the debug information that a debugger reads take two fifths of a build, and are left
# out. Package.swift says what is optimised. Other options build everything again: 'make test BUILD_OPTIONS=' has both, and
# no optimiser.
BUILD_OPTIONS ?= --disable-index-store -debug-info-format none
swift-build = LOCWATCH_OPTIMIZED=$(if $(BUILD_OPTIONS),1) swift build $(BUILD_OPTIONS)
# The program of the tests, in the folder of a build.
tests = locwatchPackageTests.xctest
run-tests = Tests/Checks/run-tests.py

build: needs ## build everything for the tests
	$(swift-build)

# Built without the optimiser, and in a folder of its own: 'make test' builds differently, and neither replaces what the
# other has built.
demo-build = swift build --disable-index-store -debug-info-format none --scratch-path .build/demo

demo: deps needs ## watch locwatch read a simulated receiver through a real gpsd
	$(demo-build) --product simulated-receiver
	$(demo-build) --product locwatch
	@Tests/Demo/demo.sh .build/demo/debug

# More at a time would only wait for a processor.
unit-tests-at-once = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$$((2 * $$(nproc)))
# Tests that wait for other processes. They run apart, so that the other tests do not slow them down.
# Each of them starts processes: more at a time would wait for a processor, not for what they test.
live-tests-at-once = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=16
# Those of providers measure real time, which a thousand tests at once do not leave them.
provider-tests = FaultyProviderTests|ProviderContractTests|EventSequenceProviderTests|HubConnectionTests|LighthouseTests
live-tests = EndToEndTests|LibGPSTests|DaemonHarnessTests|SimulatedReceiverTests|SoakTests|$(provider-tests)

# A test in virtual time that relies on the order of the first schedule fails under the second.
unit test-one test: export VIRTUAL_TIME_SCHEDULES ?= 2

# The live tests are not compiled.
unit: export LOCWATCH_LIVE_TESTS = 0
unit: needs ## run the tests that need no gpsd
	$(swift-build) --build-tests
	@$(unit-tests-at-once) $(run-tests) .build/unit-tests.log .build/debug/$(tests) --skip '$(live-tests)'

# Compiles the test targets that FILTER is found in, with what they depend on, and no others.
TESTS ?= $(if $(FILTER),$(shell Tests/Checks/test-targets.sh $(call quoted,$(FILTER))))
test-one: export LOCWATCH_TESTS = $(TESTS)
test-one: needs ## run the tests of FILTER="a suite, a file or words of a name", and compile only what they need
	@test -n "$(TESTS)" || { \
	  echo 'usage: make test-one FILTER=UpdateFilterTests, or TESTS=LocationCoreTests with or without FILTER' >&2; \
	  exit 64; }
	$(swift-build) --product locwatchPackageTests
	@$(live-tests-at-once) $(run-tests) .build/test-one.log .build/debug/$(tests) \
	  $(if $(FILTER),--filter $(call quoted,$(FILTER)))

approved-tests = CommandSessionTests|GeneratedPageTests|PromiseTests|FormatStoryTests|ReportStoryTests|ViewRendererTests
approve: export LOCWATCH_APPROVE = 1
approve: FILTER ?= $(approved-tests)
approve: test-one ## write what comes out into the texts that the tests of FILTER compare; look at each difference

# Receivers are recorded while the compiler runs, because they mostly wait.
test: test-deps needs ## run all tests except the long ones, including those that need gpsd
	@test -n "$$LOCWATCH_RECEIVERS" || Tests/Checks/receivers.py --for-tests .build/receivers & \
	$(swift-build) --product locwatchPackageTests; status=$$?; wait; exit $$status
	@$(unit-tests-at-once) $(run-tests) .build/unit-tests.log .build/debug/$(tests) --skip '$(live-tests)'
	@$(live-tests-at-once) $(run-tests) .build/live-tests.log .build/debug/$(tests) --filter '$(live-tests)'

docs: needs ## build the documentation of the libraries into .docs
	for module in LibGPS GPSDTestKit; do $(swift-build) --target $$module || exit; done
	Tests/Checks/docs.sh .build/debug

api: export LOCWATCH_TESTS = DocumentationTests
api: test-deps ## update the listings of the public API, which the tests compare
	$(swift-build) --product locwatchPackageTests
	LOCWATCH_WRITE_API=1 $(run-tests) .build/api.log .build/debug/$(tests) --filter DocumentationTests

swift-sources = $$(find Sources -name '*.swift' | sort)

limits: ## print each limit of what is received, read or kept
	@awk -f Tests/Checks/limits.awk $(swift-sources)

lint: ## check the format of all Swift, imports, lines of targets, paths in Makefiles, limits, the matrix of faults, and scripts of tests
	@swift format lint --strict --parallel --recursive Package.swift Sources Tests \
	  || { echo "'make format' corrects most of these" >&2; exit 1; }
	@Tests/Checks/imports.sh
	@Tests/Checks/target-imports.py
	@Tests/Checks/paths.sh
	@Tests/Checks/budget.py
	@awk -f Tests/Checks/limits.awk $(swift-sources) >/dev/null
	@Tests/Checks/fault-matrix.py
	python3 -B -m unittest discover --quiet --start-directory Tests/Checks

format: ## format all Swift
	swift format --in-place --parallel --recursive Package.swift Sources Tests

clean: ## remove all build output
	$(RM) -r .build .docs

include Tests/checks.mk Sources/Packaging/release.mk
