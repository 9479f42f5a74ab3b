// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "locwatch",
  products: [
    .executable(name: "locwatch", targets: ["locwatch"]),
    .library(name: "LocationCore", targets: ["LocationCore"]),
    .library(name: "GPSDLocation", targets: ["LocationCore", "GPSDLocation", "LibGPS"]),
    .library(name: "LocationFoundation", targets: ["LocationFoundation"]),
    .library(
      name: "LocationTestKit", targets: ["LocationCore", "GPSDLocation", "LocationTestKit"]),
  ],
  targets: [
    .systemLibrary(name: "CGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
    .target(
      name: "CGPSShims", dependencies: ["CGPS"],
      cSettings: [
        .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
      ]),
    .target(name: "LocationCore"),
    .target(name: "GPSDLocation", dependencies: ["LocationCore"]),
    .target(name: "LibGPS", dependencies: ["CGPS", "CGPSShims", "GPSDLocation", "LocationCore"]),
    .target(name: "LocationTestKit", dependencies: ["LocationCore", "GPSDLocation"]),
    .target(name: "LocationFoundation", dependencies: ["LocationCore"]),
    .target(name: "LocwatchCLI", dependencies: ["LocationCore", "GPSDLocation"]),
    .executableTarget(
      name: "locwatch", dependencies: ["LocwatchCLI", "LibGPS", "GPSDLocation", "LocationCore"]),
    .executableTarget(
      name: "decode-benchmark", dependencies: ["CGPS", "CGPSShims", "GPSDLocation"],
      path: "Tests/Benchmarks/Decoding"),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(name: "SimulatedReceiver", path: "Tests/SimulatedReceiver"),
    .executableTarget(
      name: "simulated-receiver", dependencies: ["SimulatedReceiver"],
      path: "Tests/SimulatedReceiverTool"),
    .target(
      name: "DaemonHarness", dependencies: ["SimulatedReceiver"], path: "Tests/DaemonHarness"),
    .executableTarget(
      name: "record-fixtures", dependencies: ["DaemonHarness", "SimulatedReceiver"],
      path: "Tests/FixtureRecorder"),
    .target(
      name: "Fuzzing",
      dependencies: ["LocwatchCLI", "GPSDLocation", "LocationCore", "LocationTestKit"],
      path: "Tests/Fuzzing"),
    .executableTarget(
      name: "soak",
      dependencies: ["locwatch", "DaemonHarness", "LibGPS", "GPSDLocation", "LocationCore"],
      path: "Tests/Soak"),
    .executableTarget(name: "fuzz", dependencies: ["Fuzzing"], path: "Tests/Fuzz"),
    .testTarget(
      name: "SimulatedReceiverTests", dependencies: ["SimulatedReceiver", "DaemonHarness"]),
    .testTarget(
      name: "DaemonHarnessTests",
      dependencies: ["DaemonHarness", "SimulatedReceiver", "simulated-receiver"]),
    .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing"]),
    .testTarget(name: "SoakTests", dependencies: ["DaemonHarness", "soak"]),
    .target(name: "ReceiverRecordings", path: "Tests/ReceiverRecordings"),
    .testTarget(name: "LocationCoreTests", dependencies: ["LocationCore", "LocationTestKit"]),
    .testTarget(
      name: "GPSDLocationTests",
      dependencies: ["GPSDLocation", "LocationCore", "LocationTestKit", "ReceiverRecordings"]),
    .testTarget(
      name: "LibGPSTests",
      dependencies: [
        "LibGPS", "CGPS", "CGPSShims", "GPSDLocation", "LocationCore", "LocationTestKit",
        "DaemonHarness", "SimulatedReceiver", "ReceiverRecordings",
      ]),
    .testTarget(
      name: "LocationTestKitTests",
      dependencies: ["LocationTestKit", "GPSDLocation", "LocationCore"]),
    .testTarget(
      name: "LocationFoundationTests", dependencies: ["LocationFoundation", "LocationCore"]),
    .testTarget(
      name: "LocwatchCLITests",
      dependencies: [
        "LocwatchCLI", "GPSDLocation", "LocationCore", "LocationTestKit", "AllocationCounter",
        "ReceiverRecordings",
      ],
      exclude: ["Schema"]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "LibGPS", "GPSDLocation", "LocationCore", "LocationFoundation", "LocationTestKit",
        "DaemonHarness",
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["locwatch", "DaemonHarness", "SimulatedReceiver"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
      .treatAllWarnings(as: .error),
    ]
  // In tests strict memory safety is noise.
  if target.path?.hasPrefix("Tests") != true, target.type != .test {
    target.swiftSettings?.append(.strictMemorySafety())
  }
}
