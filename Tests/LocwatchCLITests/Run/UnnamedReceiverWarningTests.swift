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
    arguments: [["--device=/dev/a"], ["--accuracy=10", "-n2"], ["--quiet"]])
  func `says nothing if they are not mixed, or with --quiet`(arguments: [String]) async throws {
    let said = try await messages(["-f", "nmea"] + arguments)
    #expect(said == [])
  }

  @Test func `says it only about fixes that are written`() async throws {
    var mixture = try Options(arguments: ["-f", "nmea"]).mixture()
    #expect(mixture.warning(before: .scripted(0, device: "/dev/b")) == nil)
    #expect(mixture.warning(before: .scripted(1, device: "/dev/b")) == nil)
    #expect(
      mixture.warning(before: .scripted(2, device: "/dev/a"))
        == "/dev/b and /dev/a are mixed in the output without their names: choose one with --device"
    )
    #expect(mixture.warning(before: .scripted(3, device: "/dev/b")) == nil)
  }

  @Test func `names the others with the only position`() async throws {
    let message =
      "/dev/a, /dev/b and /dev/x are connected, and the first to have a position was taken: "
      + "choose one with --device"
    let devices = ["/dev/b", "/dev/a", "/dev/x"]
    #expect(try await messages(["--once"], devices: devices) == [message])
    #expect(try await messages(["--once", "-f", "nmea"], devices: devices) == [message])
    #expect(try await messages(["--once"], devices: ["/dev/a"]) == [])
    #expect(try await messages(["--once", "-j"]) == [])
    #expect(try await messages(["-f", "nmea"], devices: ["/dev/b"]) == [Self.mixed])
  }

  @Test(arguments: ["AIVDM", "RTCM104V3"])
  func `names no device that has no positions`(driver: String) async throws {
    let device = Receiver(path: "/dev/x", driver: driver)
    let gps = Receiver(path: "/dev/a", driver: "NMEA0183")
    for events in [
      [.receivers([gps, device])],
      [.receivers([gps, Receiver(path: "/dev/x")]), .receiver(device)],
    ] as [[LocationEvent]] {
      let script = events.map { LocationScriptStep.event($0) }
      let run = try await WatchRun(["--once"], script + [LocationScriptStep].fixes(.scripted(0)))
      #expect(run.messages == [])
    }
  }

  @Test func `does not name a receiver that gpsd no longer lists`() throws {
    var mixture = try Options(arguments: ["--once"]).mixture()
    mixture.record([Receiver(path: "/dev/a"), Receiver(path: "/dev/b"), Receiver(path: "/dev/x")])
    mixture.record([Receiver(path: "/dev/a"), Receiver(path: "/dev/b")])
    #expect(
      mixture.warning(before: .scripted(0))
        == "/dev/a and /dev/b are connected, and the first to have a position was taken: "
        + "choose one with --device")
    mixture = try Options(arguments: ["--once"]).mixture()
    mixture.record([Receiver(path: "/dev/a"), Receiver(path: "/dev/b")])
    mixture.record([Receiver(path: "/dev/a")])
    #expect(mixture.warning(before: .scripted(0)) == nil)
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
