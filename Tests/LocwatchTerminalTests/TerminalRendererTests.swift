import LocationCore
import Testing

@testable import LocationFormats
@testable import LocationText
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct TerminalRendererTests {
  private static var status: LiveStatus {
    var status = LiveStatus(state: .fix3D, fix: Samples.fix)
    status.age = .milliseconds(2_300)
    return status
  }

  private static var lost: LiveStatus {
    var status = LiveStatus(state: .lost)
    status.lastFix = Samples.fix
    status.age = .seconds(43)
    status.duration = .seconds(38)
    status.reason = "no position"
    status.satellitesUsed = 0
    status.satellitesSeen = 2
    return status
  }

  @Test func `The live line has the age of corrections and the distance from their base`() {
    var status = Self.status
    let line = "fix-3d  48.118633 11.517333  545.4 m  ±24.7 m  41.5 km/h 84°  "
    status.corrections = Corrections(.connected, of: "c")
    #expect(live(status, width: 120) == line + "8/12 sats  corrections  2.3 s ago")
    status.fix?[.dgpsAge] = 1.2
    let base = Coordinate(latitude: 48.118633, longitude: 11.563)!
    status.corrections?.base = base
    let corrections = "corrections 1.2 s, base 3.4 km"
    #expect(live(status, width: 120) == line + "8/12 sats  \(corrections)  2.3 s ago")
    // Satellites go first.
    #expect(live(status, width: 103) == line + "\(corrections)  2.3 s ago")
    #expect(live(status, width: 102) == line + "2.3 s ago")
    status.corrections = Corrections(.lost, of: "c", base: base)
    #expect(live(status, width: 120) == line + "8/12 sats  no corrections  2.3 s ago")
    var lost = Self.lost
    lost.corrections = Corrections(.connected, of: "c", base: base)
    #expect(live(lost, width: 120).contains("  corrections  "))
  }

  @Test func `A change of corrections scrolls by with its reason`() {
    var output = TextBuffer()
    let renderer = TerminalRenderer(style: TerminalStyle())
    renderer.transition(Samples.corrections, width: 120, into: &output)
    #expect(
      output.string
        == "07:06:31Z corrections ntrip://caster.example:2101/NEAR lost (401 Unauthorized), was connected\n"
    )
    var change = Samples.corrections
    change.kind = .corrections(
      Corrections(.lost, of: "c", reason: "\u{1b}[2J"), previous: nil)
    output.removeAll()
    renderer.transition(change, width: 120, into: &output)
    #expect(output.string == "07:06:31Z corrections c lost (\\u{1b}[2J)\n")
  }

  @Test func `The least important part is left out first`() {
    var style = TerminalStyle()
    for coordinates in CoordinateStyle.allCases {
      style.coordinates = coordinates
      for device in [nil, "/dev/ttyUSB0"] {
        var status = Self.status
        status.device = device
        for width in 0...130 {
          let line = live(status, width: width, style: style)
          let shown = ["±", "545.4", "km/h", "sats"].map { line.contains($0) }
          #expect(shown == shown.sorted { $0 && !$1 }, "\(line)")
          if shown[0] { #expect(line.contains("s ago")) }
        }
      }
    }
  }

  @Test func `A retry is counted down`() {
    var status = LiveStatus(state: .noService)
    status.duration = .seconds(5)
    #expect(live(status, width: 80) == "no-daemon  for 5.0 s")
    status.retryIn = .milliseconds(2_100)
    #expect(live(status, width: 80) == "no-daemon  retry in 3 s")
    status.retryIn = .zero
    #expect(live(status, width: 80) == "no-daemon  retrying")
    status.lastFix = Samples.fix
    status.age = .seconds(130)
    #expect(
      live(status, width: 80) == "no-daemon  last 48.118633 11.517333  2 min ago  retrying")
  }

  @Test(arguments: 0...130)
  func `The live line is never wider than the terminal`(width: Int) {
    var style = TerminalStyle()
    for coordinates in CoordinateStyle.allCases {
      style.coordinates = coordinates
      var status = Self.status
      status.device = "/dev/\(width)漢字\u{301}\u{1b}"
      #expect(live(status, width: width, style: style).displayWidth <= width)
    }
  }

  @Test func `A transition is a whole line, with its state in colour`() {
    var style = TerminalStyle()
    style.usesColor = true
    #expect(
      transition(Samples.noService, width: 80, TerminalRenderer(style: style))
        == "07:06:40Z \u{1b}[31mno-daemon\u{1b}[0m closed by gpsd; retry in 1.0 s\n")
    #expect(
      transition(
        Samples.noService, width: 80, TerminalRenderer(style: style, showsRetries: false))
        == "07:06:40Z \u{1b}[31mno-daemon\u{1b}[0m closed by gpsd\n")
  }

  @Test(arguments: [
    (["TERM": "xterm"], true), (["TERM": "dumb"], false), ([:], false),
    (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "xterm", "NO_COLOR": ""], true),
  ])
  func `The environment decides on colour`(environment: [String: String], usesColor: Bool) {
    func color(_ choice: TerminalStyle.ColorChoice = .auto, isTerminal: Bool = true) -> Bool {
      TerminalStyle(
        TerminalStyle.Choices(color: choice), environment: Environment(environment),
        isTerminal: isTerminal
      ).usesColor
    }
    #expect(color() == usesColor)
    #expect(!color(isTerminal: false))
    #expect(color(.always, isTerminal: false))
    #expect(!color(.never))
  }

  @Test(arguments: [
    (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false),
    (["LC_ALL": "C", "LANG": "C.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "a.UTF-8@b"], true),
    ([:], false),
  ])
  func `The environment decides on UTF-8`(environment: [String: String], showsUTF8: Bool) {
    let style = TerminalStyle(
      TerminalStyle.Choices(), environment: Environment(environment), isTerminal: true)
    #expect(style.showsUTF8 == showsUTF8)
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], true), (["TERM": "linux"], false), ([:], true),
    (["TERM": "xterm", "XTERM_VERSION": "XTerm(379)"], false),
    (["TERM": "screen", "XTERM_VERSION": "XTerm(379)", "TMUX": "/tmp/tmux"], true),
    (["TERM": "linux", "TMUX": "/tmp/tmux"], true),
  ])
  func `The environment decides whether long lines are wrapped again`(
    environment: [String: String], rewraps: Bool
  ) {
    let style = TerminalStyle(
      TerminalStyle.Choices(), environment: Environment(environment), isTerminal: true)
    #expect(style.rewraps == rewraps)
  }

  private func transition(
    _ change: StateChange, width: Int, _ renderer: TerminalRenderer
  ) -> String {
    var output = TextBuffer()
    renderer.transition(change, width: width, into: &output)
    return output.string
  }

  private func live(
    _ status: LiveStatus, width: Int, style: TerminalStyle = TerminalStyle()
  ) -> String {
    var output = TextBuffer()
    TerminalRenderer(style: style).live(status, width: width, into: &output)
    return output.string
  }
}
