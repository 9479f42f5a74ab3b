import LocationCore
import Testing

@testable import LocationFormats
@testable import LocationText
@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct RendererChoiceTests {
  @Test(arguments: [
    (["-1"], "-0.5 -71.0\n"),
    (["-n2"], "2026-11-20T07:06:31.090Z lost"),
    (["--no-events"], "2026-11-20T07:05:13.000Z fix-2d"),
    (["-1j"], #"{"type":"fix""#),
    (["-j", "van=localhost"], #"{"type":"state","source":"van""#),
    (["-f", "csv:lat,lon"], "lat,lon\r\n-0.5,-71.0\r\n"),
    (["-f", "csv:source,lat"], "source,lat\r\nlocalhost,-0.5\r\n"),
    (["-f", "csv:lat,source,lon"], "lat,source,lon\r\n-0.5,localhost,-71.0\r\n"),
    (["-f", "csv:lat,source", "x=localhost"], "lat,source\r\n-0.5,x\r\n"),
    (["-f", "csv:source"], "source\r\nlocalhost\r\n"),
    (["-f", "csv:lat", "x=localhost"], "source,lat\r\nx,-0.5\r\n"),
    (
      ["-f", "csv:time,source,lat,lon,altHAE,device", "x=localhost"],
      "time,source,lat,lon,altHAE,device\r\n2026-11-20T07:05:13.000Z,x,-0.5,-71.0,"
    ),
    (["-f", "owntracks", "van=localhost"], #"{"_type":"location","tid":"an""#),
    (
      ["-f", "signalk", "/dev/x"],
      #"{"context":"vessels.self","updates":[{"$source":"locwatch._dev_x_dev_ttyACM0""#
    ),
    (["-f", "%source %lat", "boat:2000"], "boat:2000 -0.5\n"),
    (["-f", "%lat %lon", "--coords=dm"], "0°30.00000'S 71°00.00000'W\n"),
  ])
  func `The options determine the renderer`(arguments: [String], start: String) throws {
    let options = try Options(arguments: arguments)
    #expect(document(by: options.style().makeRenderer()).hasPrefix(start))
  }

  @Test(arguments: FormatCase.all)
  func `The format determines the renderer`(format: FormatCase) throws {
    let options = try Options(arguments: ["-f", format.name, "-o", "a"])
    #expect(document(by: options.style().makeRenderer()).hasPrefix(format.start))
  }

  @Test func `Records are coloured as the terminal's style says`() throws {
    let renderer = try Options(arguments: []).style().makeRenderer(usesColor: true)
    #expect(document(by: renderer).hasPrefix("2026-11-20T07:06:31.090Z \u{1b}[31mlost"))
  }

  @Test(arguments: [
    ([], true), (["-i5"], true), (["--events"], true), (["--replay=a", "--speed=2"], true),
    (["-n2"], false), (["-1"], false), (["--replay=a"], false), (["--replay=a", "-n2"], false),
    (["--replay=a", "--speed=2", "-n2"], false), (["-j"], false), (["-f", "%lat"], false),
  ])
  func `Lines are redrawn if somebody can watch them`(arguments: [String], redraws: Bool) throws {
    #expect((try Options(arguments: arguments).lines != nil) == redraws)
  }

  @Test(arguments: [([], true), (["--events"], false), (["-j"], false)])
  func `Several sources have advice in a table, if there is one`(
    arguments: [String], hasAdvice: Bool
  ) throws {
    let options = try Options(arguments: arguments + ["a", "b"])
    #expect(options.sourcePlan(isOfFleet: true).givesAdvice == hasAdvice)
    #expect(options.sourcePlan().givesAdvice)
  }

  @Test(arguments: [[], ["-1"]])
  func `GPSD_UNITS does not reach records`(arguments: [String]) throws {
    let options = try Options(arguments: arguments, environment: ["GPSD_UNITS": "imperial"])
    #expect(document(by: options.style().makeRenderer(), of: Samples.fix).hasSuffix(" 545.4\n"))
  }

  @Test(arguments: [
    ("imperial", " 1789.4ft\n"), ("nautical", " 1789.4ft\n"), ("metric", " 545.4\n"),
  ])
  func `Requested units are named, and metres are not`(units: String, end: String) throws {
    for arguments in [["--units", units], ["--units", units, "-1"]] {
      let options = try Options(arguments: arguments, environment: ["GPSD_UNITS": "nautical"])
      #expect(document(by: options.style().makeRenderer(), of: Samples.fix).hasSuffix(end))
    }
  }

  private func document(
    by renderer: some Renderer, of fix: LocationFix = Samples.flat
  ) -> String {
    var renderer = renderer
    var output = TextBuffer()
    renderer.begin(into: &output)
    renderer.state(Samples.lost, into: &output)
    renderer.fix(fix, into: &output)
    renderer.end(into: &output)
    return output.string
  }
}
