// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "arrival",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "locwatch", path: "../locwatch")],
  targets: [
    .target(
      name: "Alarm", dependencies: [.product(name: "LocationCore", package: "locwatch")]),
    .testTarget(
      name: "AlarmTests",
      dependencies: ["Alarm", .product(name: "LocationTestKit", package: "locwatch")]),
    .executableTarget(
      name: "arrival", dependencies: ["Alarm", .product(name: "LibGPS", package: "locwatch")]),
  ]
)
