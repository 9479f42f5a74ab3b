import LocationCore
import LocationFormats
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

@Suite struct `With several receivers of one gpsd, locwatch` {
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
