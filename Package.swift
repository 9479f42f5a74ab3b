// swift-tools-version: 6.2
import PackageDescription

// A library is a product under the name of its module, and importing that one module is enough.
let package = Package(
  name: "locwatch",
  // What Mutex needs of Apple's systems. The libraries are compiled for them ('make check-platforms'), and tested on
  // Linux only.
  platforms: [
    .macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2),
  ],
  products: [
    .executable(name: "locwatch", targets: ["locwatch"]),
    .library(name: "LibGPS", targets: ["LibGPS"]),
    .library(name: "GPSDLocation", targets: ["GPSDLocation"]),
    .library(name: "LocationCore", targets: ["LocationCore"]),
    .library(name: "VirtualTime", targets: ["VirtualTime"]),
    .library(name: "VirtualTimeTesting", targets: ["VirtualTimeTesting"]),
    .library(name: "LocationTestKit", targets: ["LocationTestKit"]),
    .library(name: "GPSDTestKit", targets: ["GPSDTestKit"]),
  ],
  targets: [
    // The libraries, in Sources: each depends on those above it.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "LocationCore"),
    .target(name: "GPSDProtocol", dependencies: ["LocationCore"]),
    .target(name: "GPSDLocation", dependencies: ["CZlib", "GPSDProtocol", "LocationCore"]),
    .target(
      name: "CVirtualTime",
      cSettings: [.enableWarning("all"), .enableWarning("extra")]),
    .target(name: "VirtualTime", dependencies: ["CVirtualTime"]),
    .target(name: "VirtualTimeTesting", dependencies: ["VirtualTime"]),
    .target(name: "LocationTestKit", dependencies: ["LocationCore", "VirtualTime"]),
    .target(
      name: "GPSDTestKit", dependencies: ["GPSDLocation", "LocationCore", "LocationTestKit"]),
    .systemLibrary(
      name: "CGPS", pkgConfig: "libgps",
      providers: [.apt(["libgps-dev"])]),
    .target(
      name: "CGPSShims", dependencies: ["CGPS"],
      cSettings: [.enableWarning("all"), .enableWarning("extra")]),
    .target(
      name: "CLinux",
      cSettings: [.enableWarning("all"), .enableWarning("extra")]),
    .target(name: "EventLoop", dependencies: ["CLinux", "LocationCore"]),
    .target(
      name: "LibGPS",
      dependencies: [
        "CGPS", "CGPSShims", "EventLoop", "GPSDLocation", "GPSDProtocol", "LocationCore",
      ]),

    // The command: everything but its entry point is a library, so that tests can import it. Each depends on those
    // above it.
    .target(name: "LocationText", dependencies: ["LocationCore"]),
    .target(name: "LocationFormats", dependencies: ["LocationCore", "LocationText"]),
    .target(name: "LocationReports", dependencies: ["LocationCore", "LocationText"]),
    .target(
      name: "LocwatchSystem",
      dependencies: [
        "CLinux", "EventLoop", "GPSDLocation", "GPSDProtocol", "LocationCore", "LocationText",
      ]),
    .target(
      name: "LocwatchRecordings",
      dependencies: [
        "CZlib", "GPSDLocation", "GPSDProtocol", "LocationCore", "LocationText", "LocwatchSystem",
      ]),
    .target(
      name: "LocwatchReceivers",
      dependencies: [
        "EventLoop", "GPSDLocation", "GPSDProtocol", "LocationCore", "LocationText",
        "LocwatchSystem",
      ]),
    .target(
      name: "LocwatchServer",
      dependencies: ["EventLoop", "LocationCore", "LocwatchSystem"]),
    .target(
      name: "LocwatchTerminal",
      dependencies: [
        "CLinux", "EventLoop", "GPSDLocation", "LocationCore", "LocationFormats", "LocationReports",
        "LocationText", "LocwatchSystem",
      ]),
    .target(
      name: "LocwatchDoctor",
      dependencies: [
        "GPSDLocation", "GPSDProtocol", "LocationCore", "LocationText", "LocwatchReceivers",
        "LocwatchSystem",
      ]),
    .target(
      name: "LocwatchCLI",
      dependencies: [
        "EventLoop", "GPSDLocation", "GPSDProtocol", "LocationCore", "LocationFormats",
        "LocationReports", "LocationText", "LocwatchDoctor", "LocwatchReceivers",
        "LocwatchRecordings", "LocwatchServer", "LocwatchSystem", "LocwatchTerminal",
      ],
      resources: [
        .embedInCode("Documents/locwatch.1"), .embedInCode("Documents/locwatch-formats.5"),
        .embedInCode("Documents/locwatch-report.7"), .embedInCode("Documents/locwatch-recipes.7"),
        .embedInCode("Documents/locwatch.schema.json"), .embedInCode("Serve/page.js"),
        .embedInCode("Serve/page.css"),
      ]),
    .executableTarget(
      name: "locwatch",
      dependencies: ["LocwatchCLI", "LibGPS", "LocwatchSystem", "CLinux"]),

    // What several tests and tools share, in Tests/Support.
    .target(name: "AllocationCounter", path: "Tests/Support/AllocationCounter"),
    .target(name: "CTestProcess", path: "Tests/Support/CTestProcess"),
    .target(
      name: "CGPSUnpack", dependencies: ["CGPS"], path: "Tests/Support/CGPSUnpack",
      cSettings: [.enableWarning("all"), .enableWarning("extra")]),
    .target(
      name: "ReceiverRecordings", dependencies: ["TestSupport"],
      path: "Tests/Support/ReceiverRecordings"),
    .target(
      name: "TestSupport",
      dependencies: ["CLinux", "CTestProcess", "CZlib", "GPSDLocation", "LocationCore"],
      path: "Tests/Support/TestSupport"),
    .target(
      name: "LocationSamples",
      dependencies: ["LocationCore", "LocationFormats", "LocationReports", "LocationText"],
      path: "Tests/Support/LocationSamples"),
    .target(
      name: "LocwatchTestSupport",
      dependencies: [
        "EventLoop", "GPSDLocation", "LocationCore", "LocationSamples", "LocationTestKit",
        "LocwatchSystem", "TestSupport",
      ],
      path: "Tests/Support/LocwatchTestSupport"),
    .target(
      name: "LocwatchTerminalTestSupport",
      dependencies: ["LocationText", "LocwatchSystem", "LocwatchTerminal", "LocwatchTestSupport"],
      path: "Tests/Support/LocwatchTerminalTestSupport"),
    .target(name: "SimulatedReceiver", path: "Tests/Support/SimulatedReceiver"),
    .target(
      name: "DaemonHarness", dependencies: ["CLinux", "SimulatedReceiver"],
      path: "Tests/Support/DaemonHarness"),
    .target(
      name: "Fuzzing",
      dependencies: [
        "EventLoop", "GPSDLocation", "GPSDProtocol", "LocationCore", "LocationFormats",
        "LocationReports", "LocationSamples",
        "LocationTestKit", "LocationText", "LocwatchCLI", "LocwatchDoctor", "LocwatchReceivers",
        "LocwatchServer", "LocwatchSystem", "LocwatchTerminal", "TestSupport",
      ],
      path: "Tests/Support/Fuzzing",
      exclude: ["README.md", "SecondReader/second_reader.py", "SecondReader/Corpus"]),

    // Programs that tests, the Makefile or a person runs, in Tests/Tools.
    .executableTarget(
      name: "simulated-receiver", dependencies: ["DaemonHarness", "SimulatedReceiver"],
      path: "Tests/Tools/simulated-receiver"),
    .executableTarget(
      name: "simulated-site", dependencies: ["DaemonHarness", "SimulatedReceiver"],
      path: "Tests/Tools/simulated-site"),
    .executableTarget(
      name: "record-fixtures", dependencies: ["DaemonHarness", "SimulatedReceiver"],
      path: "Tests/Tools/record-fixtures"),
    .executableTarget(name: "fuzz", dependencies: ["Fuzzing"], path: "Tests/Tools/fuzz"),
    .executableTarget(
      name: "soak",
      dependencies: ["locwatch", "DaemonHarness", "LibGPS", "GPSDLocation", "LocationCore"],
      path: "Tests/Tools/soak"),
    .executableTarget(
      name: "decode-benchmark",
      dependencies: ["CGPS", "CGPSUnpack", "GPSDLocation", "GPSDProtocol"],
      path: "Tests/Tools/decode-benchmark"),

    // Tests of one target each, in a folder of Tests under their own name.
    .testTarget(
      name: "LocationCoreTests",
      dependencies: [
        "LocationCore", "LocationTestKit", "SimulatedReceiver", "TestSupport", "VirtualTimeTesting",
      ]),
    .testTarget(
      name: "LocationTextTests",
      dependencies: ["LocationText", "LocationCore", "LocationTestKit"]),
    .testTarget(
      name: "LocationFormatsTests",
      dependencies: [
        "LocationFormats", "LocationCore", "LocationText", "LocationSamples",
        "TestSupport",
      ],
      exclude: ["Formats/Stories"]),
    .testTarget(
      name: "LocationReportsTests",
      dependencies: [
        "LocationReports", "LocationCore", "LocationFormats", "LocationSamples", "LocationTestKit",
        "LocationText", "TestSupport", "VirtualTimeTesting",
      ],
      exclude: ["Forms/Stories"]),
    .testTarget(
      name: "GPSDProtocolTests",
      dependencies: [
        "GPSDProtocol", "LocationCore", "LocationTestKit", "ReceiverRecordings", "TestSupport",
      ]),
    .testTarget(
      name: "GPSDLocationTests",
      dependencies: [
        "GPSDLocation", "GPSDProtocol", "GPSDTestKit", "LocationCore", "LocationTestKit",
        "ReceiverRecordings",
        "TestSupport", "VirtualTimeTesting",
      ]),
    .testTarget(name: "VirtualTimeTests", dependencies: ["VirtualTime", "VirtualTimeTesting"]),
    .testTarget(
      name: "LocationTestKitTests",
      dependencies: ["LocationTestKit", "LocationCore", "VirtualTimeTesting"]),
    .testTarget(
      name: "GPSDTestKitTests",
      dependencies: ["GPSDTestKit", "LocationCore", "VirtualTimeTesting"]),
    .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "LocationCore"]),
    .testTarget(
      name: "LibGPSTests",
      dependencies: [
        "LibGPS", "CGPS", "CGPSUnpack", "EventLoop", "GPSDLocation", "GPSDProtocol", "GPSDTestKit",
        "LocationCore",
        "LocationTestKit", "DaemonHarness", "SimulatedReceiver", "ReceiverRecordings",
        "TestSupport",
      ]),
    .testTarget(
      name: "LocwatchSystemTests",
      dependencies: [
        "LocwatchSystem", "EventLoop", "GPSDLocation", "LocationCore", "LocationTestKit",
        "LocationText", "LocwatchTestSupport", "VirtualTimeTesting",
      ]),
    .testTarget(
      name: "LocwatchReceiversTests",
      dependencies: [
        "LocwatchReceivers", "EventLoop", "GPSDLocation", "GPSDTestKit", "LocationCore",
        "LocationSamples", "LocationTestKit", "LocwatchSystem",
        "LocwatchTestSupport", "TestSupport", "VirtualTimeTesting",
      ]),
    .testTarget(
      name: "LocwatchServerTests",
      dependencies: [
        "LocwatchServer", "EventLoop", "GPSDLocation", "LocationCore", "LocationTestKit",
        "LocwatchSystem", "LocwatchTestSupport",
      ]),
    .testTarget(
      name: "LocwatchRecordingsTests",
      dependencies: [
        "LocwatchRecordings", "GPSDLocation", "LocationCore", "LocationFormats", "LocationSamples",
        "LocationTestKit", "LocationText", "LocwatchSystem", "LocwatchTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "LocwatchTerminalTests",
      dependencies: [
        "LocwatchTerminal", "EventLoop", "GPSDLocation", "GPSDProtocol", "LocationCore",
        "LocationFormats", "LocationSamples", "LocationTestKit", "LocationText", "LocwatchSystem",
        "LocwatchTerminalTestSupport", "LocwatchTestSupport", "ReceiverRecordings",
        "TestSupport",
      ],
      exclude: ["View/Frames"]),
    .testTarget(
      name: "LocwatchDoctorTests",
      dependencies: [
        "LocwatchDoctor", "GPSDLocation", "GPSDProtocol", "LocationCore", "LocationSamples",
        "LocationTestKit", "LocationText", "LocwatchReceivers",
        "LocwatchSystem", "LocwatchTestSupport",
      ]),
    .testTarget(
      name: "LocwatchCLITests",
      dependencies: [
        "LocwatchCLI", "GPSDLocation", "GPSDProtocol", "GPSDTestKit", "LocationCore",
        "LocationFormats",
        "LocationReports",
        "LocationSamples", "LocationTestKit", "LocationText", "LocwatchDoctor",
        "LocwatchReceivers", "LocwatchRecordings", "LocwatchServer", "LocwatchSystem",
        "LocwatchTerminal", "LocwatchTerminalTestSupport", "LocwatchTestSupport", "EventLoop",
        "ReceiverRecordings", "TestSupport", "VirtualTimeTesting",
      ],
      exclude: ["Documents/Stories"]),
    .testTarget(
      name: "CommandSessionTests",
      dependencies: [
        "LocwatchCLI", "EventLoop", "GPSDLocation", "LocationCore", "LocationFormats",
        "LocwatchSystem", "LocwatchTerminalTestSupport", "LocwatchTestSupport", "TestSupport",
      ],
      exclude: ["README.md", "Sessions"]),
    .testTarget(
      name: "SimulatedReceiverTests", dependencies: ["SimulatedReceiver", "DaemonHarness"]),
    .testTarget(
      name: "DaemonHarnessTests",
      dependencies: ["DaemonHarness", "SimulatedReceiver", "simulated-receiver", "simulated-site"]),
    .testTarget(
      name: "FuzzingTests",
      dependencies: [
        "Fuzzing", "LocationCore", "LocationReports", "LocationTestKit", "LocwatchCLI",
        "LocwatchReceivers", "LocwatchTerminal", "TestSupport",
      ]),
    .testTarget(name: "SoakTests", dependencies: ["DaemonHarness", "soak"]),

    // Tests of the whole: the command against a real gpsd, what a report costs, and what the documents say.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "locwatch", "DaemonHarness", "GPSDLocation", "LocwatchTestSupport", "ReceiverRecordings",
        "SimulatedReceiver", "TestSupport",
      ]),
    .testTarget(
      name: "AllocationTests",
      dependencies: [
        "AllocationCounter", "GPSDLocation", "LocationCore", "LocationFormats", "LocwatchCLI",
        "LocwatchSystem", "LocwatchTerminal", "TestSupport",
      ]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "LibGPS", "GPSDLocation", "LocationCore", "LocationTestKit", "GPSDTestKit",
        "DaemonHarness", "VirtualTimeTesting",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// libgps, epoll and what is built on them are there on Linux only, and what only the command uses.
#if !os(Linux)
  let linuxOnly = [
    "AllocationTests", "CGPS", "CGPSShims", "CGPSUnpack", "CLinux", "CommandSessionTests",
    "DaemonHarness", "DaemonHarnessTests", "DocumentationTests", "EndToEndTests", "EventLoop",
    "EventLoopTests", "Fuzzing", "FuzzingTests", "LibGPS", "LibGPSTests", "LocationFormats",
    "LocationFormatsTests", "LocationReports", "LocationReportsTests", "LocationSamples",
    "LocationText", "LocationTextTests", "SimulatedReceiverTests", "SoakTests", "decode-benchmark",
    "fuzz", "locwatch", "record-fixtures", "simulated-receiver", "simulated-site", "soak",
  ]
  package.targets.removeAll { linuxOnly.contains($0.name) || $0.name.hasPrefix("Locwatch") }
  package.products.removeAll { linuxOnly.contains($0.name) }
#endif

// 'make unit' and 'make test-release' run no live tests: they compile neither these nor the tools.
if Context.environment["LOCWATCH_LIVE_TESTS"] == "0" {
  let live = [
    "DaemonHarnessTests", "EndToEndTests", "LibGPSTests", "SimulatedReceiverTests", "SoakTests",
    "decode-benchmark", "record-fixtures", "simulated-receiver", "simulated-site", "soak",
  ]
  package.targets.removeAll { live.contains($0.name) }
}

// 'make test-one' compiles only the named test targets.
if let named = Context.environment["LOCWATCH_TESTS"] {
  let names = named.split(separator: " ").map(String.init)
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// 'make test-release COMMAND_TESTS=0' and 'make fuzz COMMAND_TESTS=0' compile no tests of the command.
if Context.environment["LOCWATCH_COMMAND_TESTS"] == "0" {
  package.targets.removeAll {
    $0.type == .test
      && (["CommandSessionTests", "DocumentationTests"].contains($0.name)
        || $0.name.hasPrefix("Locwatch"))
  }
}

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
    ]
  // Only in this project's own checks: in a package that uses it, a new compiler's warning would be an error.
  if Context.environment["LOCWATCH_WARNINGS_AS_ERRORS"] == "1" {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
    target.cSettings?.append(.treatAllWarnings(as: .error))
  }
  if target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
  // In tests, their support and their tools, strict memory safety is noise.
  if target.path?.hasPrefix("Tests") != true, target.type != .test {
    target.swiftSettings?.append(.strictMemorySafety())
  }
  // For 'make test': what the tests run millions of times. To optimise the rest takes longer than it saves. Assertions
  // are still checked.
  let optimised = [
    "GPSDLocation", "GPSDProtocol", "LocationCore", "LocationFormats", "LocationReports",
    "LocationText",
  ]
  if Context.environment["LOCWATCH_OPTIMIZED"] == "1", optimised.contains(target.name) {
    target.swiftSettings?.append(
      .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
  }
}
