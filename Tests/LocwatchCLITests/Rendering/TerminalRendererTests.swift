import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct TerminalRendererTests {
  private static let status = LiveStatus(
    state: .fix3D, fix: Samples.fix, elapsed: .milliseconds(300), device: Samples.device)

  @Test(arguments: [
    (5, "fix-3"),
    (18, "fix-3d  0.3 s"),
    (19, "48.118633 11.517333"),
    (40, "fix-3d  48.118633 11.517333  0.3 s"),
    (
      80,
      "fix-3d  48.118633 11.517333  545.4 m  ±24.7 m  8/12 sats  0.3 s  /dev/ttyACM0"
    ),
    (
      120,
      "fix-3d  48.118633 11.517333  545.4 m  ±24.7 m  41.5 km/h 84°  8/12 sats  0.3 s  "
        + "/dev/ttyACM0"
    ),
  ])
  func `The live line has what there is room for`(width: Int, line: String) {
    #expect(live(Self.status, width: width) == line)
  }

  @Test(arguments: 0...130)
  func `The live line is never wider than the terminal`(width: Int) {
    var style = TerminalStyle()
    for coordinates in CoordinateStyle.allCases {
      style.coordinates = coordinates
      var status = Self.status
      status.device = "/dev/漢字\u{301}\u{1b}"
      #expect(live(status, width: width, style: style).displayWidth <= width)
    }
  }

  @Test func `Without a fix the state stands, and how long`() {
    let status = LiveStatus(
      state: .searching, elapsed: .seconds(75), satellitesUsed: 0, satellitesSeen: 3)
    #expect(live(status, width: 80) == "searching  0/3 sats  75 s")
  }

  @Test func `A terminal without UTF-8 gets ASCII`() {
    var style = TerminalStyle()
    style.showsUTF8 = false
    style.coordinates = .minutes
    style.units = .nautical
    #expect(
      live(Self.status, width: 120, style: style)
        == "fix-3d  48d07.11800'N 11d31.04000'E  1789.4 ft  +-81.0 ft  22.4 kn 84 deg  8/12 sats  "
        + "0.3 s  /dev/ttyACM0")
  }

  @Test func `A fix that is not current says so`() {
    var status = Self.status
    status.fix?.isCurrent = false
    #expect(
      live(status, width: 60) == "fix-3d  not current  48.118633 11.517333  ±24.7 m  0.3 s")
  }

  @Test func `A transition is a whole line, with its state in colour`() {
    var style = TerminalStyle()
    style.usesColor = true
    var output = TextBuffer()
    TerminalRenderer(style: style).transition(Samples.noDaemon, into: &output)
    #expect(
      output.string
        == "2026-11-20T07:06:40.002Z \u{1b}[31mno-daemon\u{1b}[0m - closed by gpsd; retry in 1.0 s\n"
    )
  }

  @Test(arguments: [
    (0.04, "0.0 s"), (9.94, "9.9 s"), (10, "10 s"), (119, "119 s"), (600, "10 min"),
    (7200, "2 h"),
  ])
  func `Time is told in the unit that fits`(seconds: Double, text: String) {
    let status = LiveStatus(state: .lost, elapsed: .seconds(seconds))
    #expect(live(status, width: 80) == "lost  \(text)")
  }

  @Test(arguments: [
    (["TERM": "xterm"], true), (["TERM": "dumb"], false), ([:], false),
    (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "xterm", "NO_COLOR": ""], true),
  ])
  func `The environment decides on colour`(environment: [String: String], usesColor: Bool) throws {
    func color(_ arguments: String..., isTerminal: Bool = true) throws -> Bool {
      let options = try Options(arguments: arguments)
      return TerminalStyle(
        options: options, environment: Environment(environment), isTerminal: isTerminal
      )
      .usesColor
    }
    #expect(try color() == usesColor)
    #expect(try !color(isTerminal: false))
    #expect(try color("--color=always", isTerminal: false))
    #expect(try !color("--color=never"))
  }

  @Test(arguments: [
    (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false),
    (["LC_ALL": "C", "LANG": "C.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "a.UTF-8@b"], true),
    ([:], false),
  ])
  func `The environment decides on UTF-8`(environment: [String: String], showsUTF8: Bool) {
    let style = TerminalStyle(
      options: Options(), environment: Environment(environment), isTerminal: true)
    #expect(style.showsUTF8 == showsUTF8)
  }

  private func live(
    _ status: LiveStatus, width: Int, style: TerminalStyle = TerminalStyle()
  ) -> String {
    var output = TextBuffer()
    TerminalRenderer(style: style).live(status, width: width, into: &output)
    return output.string
  }
}
