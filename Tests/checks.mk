##@ Checks: Tests/README.md says which of them a change needs

.PHONY: test-release faults faults-fleet churn fuzz soak sanitize bench bench-instructions check-timing \
  check-products check-schedules check-platforms check-tutorial check-readme check-newcomer check-install check-grids check-corrections \
  check-report check-recipes check-clients check-deb check-static check-static-arm64 check-nmea check-page check-units check-vm check-arm64 \
  check-receivers check-reproducible check-swift-sid matrix matrix-short pictures fixtures

# Without -enable-testing the optimiser removes what @testable imports. The live tests, a quarter of all, are not
# compiled, nor with COMMAND_TESTS=0 those of the command.
optimised = --configuration release -Xswiftc -enable-testing --disable-index-store -debug-info-format none \
  --scratch-path .build/optimised
test-release fuzz: export LOCWATCH_LIVE_TESTS = 0
test-release fuzz: export LOCWATCH_COMMAND_TESTS = $(COMMAND_TESTS)

test-release: needs ## run the tests that need no gpsd in a release build; they also count allocations
	swift build --build-tests $(optimised)
	Tests/Checks/stale-threads.py .build/optimised/release/$(tests)
	$(run-tests) .build/release-tests.log .build/optimised/release/$(tests) --skip '$(live-tests)'

FAULT_SECONDS ?= 1800
FAULT_SEED ?= 1

faults: test-deps release ## run the slow fault tests, then make each system call fail
	$(call apt, gcc libc6-dev)
	LOCWATCH_TESTS=EndToEndTests $(swift-build) --product locwatchPackageTests
	LOCWATCH_LONG_TESTS=1 LOCWATCH_TIMING_TESTS=1 $(run-tests) .build/faults.log .build/debug/$(tests) \
	  --filter 'FaultTests|PrivateGPSDTests|ReceiverLogTests'
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
	swift build $(optimised) --product fuzz
	Tests/Checks/fuzz.sh .build/optimised/release/fuzz $(FUZZ_SECONDS) $(FUZZ_SEED) $(FUZZ_TARGETS)

SOAK_REPORTS ?= 172800
SOAK_RECONNECTS ?= 1000

soak: release ## run a day's reports, live and replayed, and 1,000 reconnects, and look for leaks
	$(build-release) --product soak
	.build/release/soak --reports $(SOAK_REPORTS) --reconnects $(SOAK_RECONNECTS)

sanitize: test-deps ## run all tests under ThreadSanitizer and AddressSanitizer
	swift build --disable-index-store --build-tests --sanitize=thread --scratch-path .build/thread
	LOCWATCH_SANITIZER=thread \
	  TSAN_OPTIONS=atexit_sleep_ms=0:suppressions=$(here)/Tests/Sanitizers/thread.supp \
	  $(run-tests) .build/thread.log .build/thread/debug/$(tests) --no-parallel
	swift build --disable-index-store --build-tests --sanitize=address --scratch-path .build/address
	LOCWATCH_SANITIZER=address LSAN_OPTIONS=suppressions=$(here)/Tests/Sanitizers/leak.supp \
	  $(run-tests) .build/address.log .build/address/debug/$(tests) --no-parallel

bench: deps release ## compare the speed with other clients; see Tests/Benchmarks/README.md
	$(call apt, gpsd-clients python3 python3-gps jq g++)
	$(build-release) --product decode-benchmark
	python3 Tests/Benchmarks/bench.py --locwatch $(binary) --decoder .build/release/decode-benchmark

bench-instructions: deps release ## count instructions, and compare them with Tests/Benchmarks/instructions.md; WRITE=1 writes it
	$(call apt, valgrind python3)
	python3 -B Tests/Benchmarks/instructions.py --locwatch $(binary) $(if $(WRITE),--write)

check-timing: test-deps ## run the tests that measure real time, one after the other, up to three times; needs an idle machine
	LOCWATCH_TESTS=EndToEndTests $(swift-build) --product locwatchPackageTests
	Tests/Checks/timing.sh .build/debug/$(tests)

SCHEDULES ?= 20
# With how many seeds the jobs of Dispatch are reordered.
REORDERINGS ?= 5
# The files with tests in virtual time. The other tests run once for each reordering.
virtual-time-tests = $(shell grep --recursive --files-with-matches --fixed-strings .virtualTime Tests \
  --include='*Tests.swift' | sed 's|.*/||' | paste --serial --delimiters '|')

check-schedules: needs ## run the tests in virtual time under many schedules, and the others beside a Dispatch that reorders jobs
	$(call apt, gcc libc6-dev)
	$(swift-build) --build-tests
	$(RM) .build/schedules.txt
	VIRTUAL_TIME_SCHEDULES=$(SCHEDULES) VIRTUAL_TIME_LOG=.build/schedules.txt $(unit-tests-at-once) \
	  $(run-tests) .build/schedules.log .build/debug/$(tests) --filter '$(virtual-time-tests)' --skip '$(live-tests)'
	@echo "complete: $$(grep --count --extended-regexp ': (all|the only)' .build/schedules.txt)" \
	  "of $$(wc --lines <.build/schedules.txt) tests in .build/schedules.txt"
	cc -Wall -Wextra -O1 -shared -fPIC -o .build/reorder.so Tests/Checks/reorder.c
	for seed in $$(seq $(REORDERINGS)); do \
	  REORDER_SEED=$$seed LD_PRELOAD=$(here)/.build/reorder.so $(unit-tests-at-once) \
	    $(run-tests) .build/reordered.log .build/debug/$(tests) --skip '$(live-tests)' || exit; done

check-products: deps build ## build a package for each product alone, as Sources/Library.md describes
	$(call apt, iproute2)
	Tests/Checks/products.sh .build/debug

check-readme: deps build ## run each command of the README against a gpsd of its own
	$(call apt, python3 iproute2 dash jq)
	Tests/Checks/readme.py .build/debug

check-newcomer: ## follow the README on a fresh Debian 12 that has only Swift, in 20 minutes (as root)
	$(call apt, mmdebstrap)
	Tests/Checks/newcomer.sh

check-platforms: needs ## compile the libraries for Apple's systems and for Linux with Musl, without an SDK
	$(call apt, python3)
	Tests/Checks/platforms.py .build/platforms

check-tutorial: needs ## follow the tutorial from an empty folder to a tested app
	Tests/Checks/tutorial.sh

check-install: release ## install into an empty folder, run it there without Swift, and uninstall it
	Tests/Checks/stale-threads.py $(binary)
	Tests/Checks/install.sh

check-grids: deps build ## compare UTM and MGRS coordinates with GeographicLib on 10,000 points
	$(call apt, python3 geographiclib-tools)
	Tests/Checks/grids.py .build/debug/locwatch

check-corrections: deps build ## give a receiver the corrections of casters that misbehave, with the gpsds of DEBIANS (as root)
	$(call apt, python3 openssl mmdebstrap patchelf)
	Tests/Checks/corrections.py .build/debug/locwatch $(filter-out bookworm,$(DEBIANS))
	Tests/Checks/tls.py .build/debug/locwatch

check-report: deps build ## open the page of --report in Chromium at three widths, light and dark
	$(call apt, python3 chromium)
	Tests/Checks/report.py .build/debug/locwatch Fixtures/*.jsonl

DEBIANS ?= bookworm trixie forky

# The gpsds of other Debians record in containers, the first time (as root).
check-receivers: receivers ## compare every number of real receivers with what gpsd's authors expect, with the gpsds of DEBIANS
	$(swift-build) --product locwatch
	$(call apt, python3 $(if $(filter-out bookworm,$(DEBIANS)),mmdebstrap))
	Tests/Checks/expectations.sh .build/debug/locwatch $(filter-out bookworm,$(DEBIANS))

check-deb: deb ## check the package with lintian, then in three Debians with their gpsd and systemd (as root)
	$(if $(DEBIANS),$(swift-build) --product simulated-receiver)
	$(call apt, lintian man-db $(if $(DEBIANS),mmdebstrap systemd-container))
	Tests/Checks/deb.sh $(package) .build/debug/simulated-receiver $(DEBIANS)

check-static: release static ## check the static program in an empty root, without a C library, and in Debian 11 (as root)
	$(swift-build) --product simulated-site
	$(call apt, binutils mmdebstrap valgrind gpsd-clients)
	Tests/Checks/static.sh $(static-tarball) $(binary) .build/debug Fixtures/*.jsonl

check-static-arm64: static-arm64 ## check the static program for arm64 in an empty root, under qemu (as root)
	$(swift-build) --product simulated-site
	$(call apt, binutils qemu-user-static)
	Tests/Checks/static.sh $(static-tarball-arm64) $(static-binary) .build/debug Fixtures/*.jsonl

check-nmea: deb ## check the NMEA socket of the package with GeoClue and OpenCPN (as root)
	$(swift-build) --product simulated-receiver
	$(call apt, mmdebstrap systemd-container python3)
	Tests/Checks/nmea.py $(package) .build/debug/simulated-receiver

check-page: deps build ## open the page of --serve in Chromium, as its user does and as a site that means harm
	$(call apt, python3 chromium)
	$(swift-build) --product simulated-site
	Tests/Checks/page.py .build/debug

check-units: deb ## check the page of the package in a booted Debian (as root)
	$(swift-build) --product simulated-receiver
	$(call apt, mmdebstrap systemd-container python3)
	Tests/Checks/units.py $(package) .build/debug/simulated-receiver

check-vm: deb ## check the package on a machine in qemu, with udev, AppArmor and USB (as root)
	$(build-release) --product simulated-receiver
	$(call apt, mmdebstrap python3 qemu-system-x86)
	Tests/Checks/vm.py $(package) .build/release/simulated-receiver

check-arm64: deb-arm64 ## check the package for arm64 with lintian, and its program under qemu (as root)
	$(swift-build) --product simulated-receiver
	$(swift-build) --product simulated-site
	$(call apt, lintian mmdebstrap qemu-user)
	Tests/Checks/arm64.sh $(package-arm64) $(binary) .build/debug Fixtures/*.jsonl $(RECORDINGS)

check-reproducible: needs ## make the files of a release in two folders, and compare them
	Tests/Checks/reproducible.sh

check-swift-sid: ## build with the Swift of Debian sid, and run the tests that need no gpsd there (as root)
	$(call apt, mmdebstrap)
	Tests/Checks/swift-sid.sh '$(live-tests)'

matrix: test-deps ## run the live tests with the gpsd and the libgps of three Debians, and print a table (as root)
	$(call apt, mmdebstrap patchelf)
	$(swift-build) --build-tests
	Tests/Checks/matrix.py $(DEBIANS)

matrix-short: test-deps ## run a few of these tests with the gpsds of Debian 13 and 14, if they can be had (as root)
	$(call apt, mmdebstrap patchelf)
	$(swift-build) --build-tests
	Tests/Checks/matrix.py --short $(filter-out bookworm,$(DEBIANS))

recipe-servers = mosquitto mosquitto-clients postgresql postgresql-postgis \
  influxdb prometheus prometheus-node-exporter direwolf

check-recipes: deps build ## run the recipes of locwatch-recipes(7) against the real servers, and kill those
	$(call apt, python3 python3-venv iproute2 curl jq openssl socat gpsd-clients $(recipe-servers))
	Tests/Checks/recipes.py .build/debug

check-clients: deps needs ## run locwatch and the clients of others through twelve faults, and print the table of Tests/Benchmarks/Clients.md
	$(swift-build) --product locwatch
	$(call apt, gpsd-clients iproute2 python3 python3-gps python3-venv tmux)
	Tests/Checks/clients.py .build/debug/locwatch

pictures: deps build ## draw the pictures of the README again
	$(call apt, tmux chromium)
	Tests/Demo/view.sh .build/debug 100 30 75 drive >.build/view.txt
	Tests/Demo/picture.py 100 "locwatch --view /dev/ttyACM0" <.build/view.txt >Fixtures/view.svg
	Tests/Demo/drive.py >.build/drive.jsonl
	TZ=Europe/Berlin Tests/Checks/report.py .build/debug/locwatch --picture Fixtures/report.png .build/drive.jsonl

fixtures: deps build ## record Fixtures/ again; see the README there
	.build/debug/record-fixtures Fixtures
