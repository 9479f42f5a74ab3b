import LocationCore
import LocationFormats
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

@Suite struct `With several receivers of one gpsd, locwatch` {
  private static let mixed =
    "/dev/a and /dev/b are mixed in the output without their names: choose one with --device"

  /// The messages about fixes of several receivers, the second of which counts from the third fix on.
  private func messages(_ arguments: [String], devices: [String] = ["/dev/a", "/dev/b"])
    async throws -> [String]
  {
    let receivers = LocationScriptStep.event(.receivers(devices.map { Receiver(path: $0) }))
    let fixes = [LocationScriptStep].fixes(
      .scripted(0), .scripted(1, accuracy: 50, device: "/dev/b"), .scripted(2),
      .scripted(3, device: "/dev/b"), .scripted(4, device: "/dev/c"))
    return try await WatchRun(arguments, [receivers] + fixes).messages
  }

  private static func formats(_ mixture: FormatCase.Mixture) -> [String] {
    FormatCase.streamed.filter { $0.mixture == mixture }.map(\.name)
  }

  @Test(arguments: formats(.mixed) + ["csv:time,lat,lon", "%lat %lon"])
  func `says once that records do not name them`(format: String) async throws {
    #expect(try await messages(["-f", format]) == [Self.mixed])
  }

  @Test(arguments: formats(.named) + ["%device %lat"])
  func `says nothing if each record names its receiver`(format: String) async throws {
    #expect(try await messages(["-f", format]) == [])
  }

  @Test(arguments: formats(.alternating))
  func `says once that their tracks alternate, and what does not`(format: String) async throws {
    #expect(
      try await messages(["-f", format]) == [
        "the tracks of /dev/a and /dev/b alternate, about 60 points of each at a time: "
          + "--output DIR/ writes a file for each leg"
      ])
    #expect(try await messages(["-f", format], devices: ["/dev/a"]).count == 1)
    #expect(try await messages(["-f", format, "--quiet"]) == [])
  }

  @Test(
    arguments: [
      (["-o", "a.gpx"], true), (["-f", "gpx", "-o", "a/"], false), (["--once"], false),
      (["--replay", "a"], false), (["--best", "a=h1", "b=h2"], false),
      (["--record", "-"], false), (["--device", "/dev/a"], true),
    ] as [([String], Bool)])
  func `warns only about a live document of all of them`(
    arguments: [String], isSaid: Bool
  ) throws {
    var options = try Options(arguments: arguments, environment: [:])
    options.format = .gpx
    for (isOfFleet, isSaid) in [(false, isSaid), (true, false)] {
      var mixture = options.mixture(isOfFleet: isOfFleet)
      mixture.record([Receiver(path: "/dev/a"), Receiver(path: "/dev/b")])
      #expect(mixture.warning(before: .scripted(0)) == nil)
      #expect(mixture.warning(before: .scripted(1)) == nil)
      #expect((mixture.warning(before: .scripted(2, device: "/dev/b")) != nil) == isSaid)
    }
  }

  @Test(
    arguments: [
      ([], true), (["--view"], false), (["--report", "-"], false), (["--record", "-"], false),
      (["--best", "a=h1", "b=h2"], false), (["--device", "/dev/a"], false),
    ] as [([String], Bool)])
  func `says it only if records are written that could be from any receiver`(
    arguments: [String], isSaid: Bool
  ) throws {
    var options = try Options(arguments: arguments, environment: [:])
    options.format = try Options(arguments: ["-f", "nmea"]).format
    var mixture = options.mixture()
    #expect(mixture.warning(before: .scripted(0)) == nil)
    #expect((mixture.warning(before: .scripted(1, device: "/dev/b")) != nil) == isSaid)
  }

  @Test func `names the source, if it is one of several`() async throws {
    var options = try Options(arguments: ["-f", "nmea"], environment: [:])
    options.source = "bow"
    var mixture = options.mixture(isOfFleet: true)
    var fix = LocationFix.scripted(0)
    fix.device = nil
    #expect(mixture.warning(before: fix) == nil)
    #expect(mixture.warning(before: .scripted(1))?.hasPrefix("bow: a receiver and /dev/a ") == true)
    mixture = options.mixture(isOfFleet: true)
    #expect(mixture.warning(before: .scripted(1)) == nil)
    #expect(mixture.warning(before: fix)?.hasPrefix("bow: /dev/a and a receiver ") == true)
  }
}
