// swift-tools-version: 6.2
import PackageDescription

// A package as somebody else writes it: logic that needs a location, and its tests. Neither needs a
// receiver, gpsd or libgps. The program around it would depend on the product LibGPS as well,
// and say Screen(GPSDLocationSource()).
let package = Package(
  name: "example",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "locwatch", path: "../..")],
  targets: [
    .target(
      name: "Screen", dependencies: [.product(name: "LocationCore", package: "locwatch")]),
    .testTarget(
      name: "ScreenTests",
      dependencies: ["Screen", .product(name: "GPSDTestKit", package: "locwatch")]),
    // Code without locations, and its tests under every order of its tasks.
    .target(name: "Shop"),
    .testTarget(
      name: "ShopTests",
      dependencies: ["Shop", .product(name: "VirtualTimeTesting", package: "locwatch")]),
  ]
)
