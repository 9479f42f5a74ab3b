import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats
@testable import LocationText

@Suite struct TextRendererTests {
  @Test func `A fix is one line of words`() {
    var renderer = TextRenderer()
    #expect(
      renderer.fix(Samples.fix)
        == "2026-11-20T07:05:12.000Z fix-3d 48.118633333 11.517333333 545.4\n")
    #expect(renderer.fix(Samples.flat) == "2026-11-20T07:05:13.000Z fix-2d -0.5 -71.0\n")
  }

  @Test(arguments: [
    (Samples.searching, "2026-11-20T07:04:50.120Z searching /dev/ttyACM0"),
    (
      Samples.lost,
      "2026-11-20T07:06:31.090Z lost /dev/ttyACM0 silence; last fix 2026-11-20T07:06:21.000Z 48.118633333 11.517333333"
    ),
    (Samples.noService, "2026-11-20T07:06:40.002Z no-daemon - closed by gpsd; retry in 1.0 s"),
    (StateChange(.connecting, at: Samples.moment(nil)), "- connecting -"),
  ])
  func `A transition is one line of words`(change: StateChange, line: String) {
    var renderer = TextRenderer()
    #expect(renderer.state(change) == line + "\n")
  }

  @Test(arguments: [true, false])
  func `A 3D fix without a height above mean sea level has a dash`(isOnce: Bool) {
    var renderer = TextRenderer(positionOnly: isOnce)
    var fix = Samples.position(48, 11, at: Samples.time(5, 12))
    fix.ellipsoidalAltitude = 592.3
    let start = isOnce ? "" : "2026-11-20T07:05:12.000Z fix-3d "
    #expect(renderer.fix(fix) == start + "48.0 11.0 -\n")
  }

  @Test func `All records of a receiver are stamped by one clock`() {
    var renderer = TextRenderer()
    let late = Samples.moment(Samples.time(5, 12, milliseconds: 310))
    // The first fix is reported a moment after locwatch began, and is older than that.
    let start = Samples.moment(Samples.time(5, 12, milliseconds: 100))
    var text = renderer.state(StateChange(.connecting, at: start))
    text += renderer.state(
      StateChange(.fix3D, of: .receiver(Samples.device), time: Samples.fix.time, at: late))
    text += renderer.fix(Samples.fix)
    text += renderer.state(Samples.lost)
    let stamps = text.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(
      stamps == [
        "-", "2026-11-20T07:05:12.000Z", "2026-11-20T07:05:12.000Z", "2026-11-20T07:06:31.090Z",
      ])
  }

  @Test func `A record without a time is stamped by the local clock`() {
    var renderer = TextRenderer()
    var fix = Samples.position(1, 2, .fix2D)
    fix.received = Samples.time(5, 12, milliseconds: 310)
    #expect(renderer.fix(fix) == "2026-11-20T07:05:12.310Z fix-2d 1.0 2.0\n")
    fix.received = nil
    #expect(renderer.fix(fix) == "- fix-2d 1.0 2.0\n")
  }

  @Test func `A position alone can be read by a shell`() {
    var renderer = TextRenderer(positionOnly: true)
    #expect(renderer.state(Samples.searching) == "")
    #expect(renderer.fix(Samples.fix) == "48.118633333 11.517333333 545.4\n")
    #expect(renderer.fix(Samples.flat) == "-0.5 -71.0\n")
  }

  @Test func `The third field of a transition is always the receiver, one word`() {
    var renderer = TextRenderer()
    let moment = Samples.moment(nil)
    let changes = [
      StateChange(.lost, of: .receiver(nil), loss: .noFix, at: moment),
      StateChange(.noDevice, reason: "gone for good", at: moment),
      StateChange(.searching, of: .receiver("/dev/my receiver"), loss: .silence, at: moment),
      StateChange(.lost, of: .receiver("/dev/a"), lastFix: Samples.position(1, 2), at: moment),
    ]
    #expect(
      changes.map { renderer.state($0) } == [
        "- lost - no-fix\n", "- no-device - gone for good\n",
        "- searching /dev/my\\u{20}receiver silence\n", "- lost /dev/a last fix - 1.0 2.0\n",
      ])
  }

  @Test func `The last position has the form of any position`() {
    var renderer = TextRenderer(coordinates: .minutes)
    #expect(
      renderer.state(Samples.lost)
        .hasSuffix(" last fix 2026-11-20T07:06:21.000Z 48°07.11800'N 11°31.04000'E\n"))
  }

  @Test func `Receivers are named from the first fix on if gpsd has several`() {
    var renderer = TextRenderer()
    renderer.receivers([Receiver(path: Samples.device)])
    #expect(renderer.fix(Samples.flat).hasSuffix("fix-2d -0.5 -71.0\n"))
    renderer.receivers([Receiver(path: Samples.device), Receiver(path: "/dev/ttyUSB0")])
    #expect(renderer.fix(Samples.flat).hasSuffix("fix-2d -0.5 -71.0 - /dev/ttyACM0\n"))
    renderer.receivers([Receiver(path: Samples.device)])
    #expect(renderer.fix(Samples.flat).hasSuffix("fix-2d -0.5 -71.0 - /dev/ttyACM0\n"))
    #expect(renderer.fix(Samples.position(1, 2, device: nil)).hasSuffix("fix-3d 1.0 2.0 - -\n"))
  }

  @Test func `A receiver is named once there are several`() {
    var renderer = TextRenderer()
    #expect(renderer.fix(Samples.flat).hasSuffix("fix-2d -0.5 -71.0\n"))
    let other = Samples.position(1, 2, device: "/dev/ttyUSB0")
    #expect(renderer.fix(other) == "- fix-3d 1.0 2.0 - /dev/ttyUSB0\n")
    #expect(renderer.fix(Samples.fix).hasSuffix(" 545.4 /dev/ttyACM0\n"))
  }

  @Test(arguments: [
    (CoordinateStyle.decimal, UnitSystem.imperial, "48.118633333 11.517333333 1789.4ft"),
    (.minutes, .metric, "48°07.11800'N 11°31.04000'E 545.4"),
    (.seconds, .nautical, "48°07'07.080\"N 11°31'02.400\"E 1789.4ft"),
    (.maidenhead, .metric, "JN58sc28 545.4"),
    (.utm, .metric, "32U 687344.337 5332551.051 545.4"),
    (.mgrs, .imperial, "32UPU8734432551 1789.4ft"),
  ])
  func `Positions and heights have the requested forms`(
    style: CoordinateStyle, units: UnitSystem, line: String
  ) {
    var renderer = TextRenderer(positionOnly: true, coordinates: style, units: units)
    #expect(renderer.fix(Samples.fix) == line + "\n")
  }

  @Test func `Remarks about an unusual fix are at the end of its line`() {
    var fix = Samples.flat
    fix.isCurrent = false
    fix.timeJump = .milliseconds(-3_600_250)
    var renderer = TextRenderer()
    #expect(
      renderer.fix(fix).hasSuffix("-71.0 (not current) (clock jumped -3600.3 s)\n"))
  }

  @Test func `A region that is entered has a line, with its name as one word`() {
    var renderer = TextRenderer(source: "boat")
    #expect(
      renderer.change(Samples.region)
        == "boat 2026-11-20T07:05:13.000Z region /dev/ttyACM0 our\\u{20}harbour inside, was outside\n"
    )
  }

  @Test func `The quality follows a fix, and a change of it has a line`() {
    var renderer = TextRenderer()
    var fix = Samples.flat
    fix.quality = .simulated
    #expect(renderer.fix(fix).hasSuffix(" fix-2d -0.5 -71.0 (simulated)\n"))
    #expect(
      renderer.change(Samples.change(.quality(.dgps, previous: .rtkFloat)))
        == "2026-11-20T07:05:13.000Z quality /dev/ttyACM0 dgps, was rtk-float\n")
    #expect(
      renderer.change(Samples.change(.quality(nil, previous: .dgps)))
        .hasSuffix(" unknown, was dgps\n"))
    var position = TextRenderer(positionOnly: true)
    #expect(position.fix(fix) == "-0.5 -71.0\n")
    #expect(position.change(Samples.change(.quality(.dgps, previous: nil))) == "")
  }

  @Test func `A doubt follows a fix, and a change of it has a line`() {
    var renderer = TextRenderer()
    var fix = Samples.flat
    fix.quality = .simulated
    fix.doubts = [.simulated, .jump, .sky]
    #expect(renderer.fix(fix).hasSuffix(" fix-2d -0.5 -71.0 (simulated) (doubted: jump, sky)\n"))
    fix.doubts = [.simulated]
    #expect(renderer.fix(fix).hasSuffix(" (simulated)\n"))
    #expect(
      renderer.change(
        Samples.change(
          .doubt(
            [.jump], previous: [], detail: "14.2 km in 1 s, while it reported 0.3 m/s")))
        == "2026-11-20T07:05:13.000Z doubt /dev/ttyACM0 jump: 14.2 km in 1 s, while it reported 0.3 m/s\n"
    )
    #expect(
      renderer.change(Samples.change(.doubt([], previous: [.jump], detail: nil)))
        == "2026-11-20T07:05:13.000Z doubt /dev/ttyACM0 none, was jump\n")
    #expect(
      renderer.change(
        Samples.change(.doubt([.jump, .sky], previous: [.sky], detail: "120 m in 1 s")))
        == "2026-11-20T07:05:13.000Z doubt /dev/ttyACM0 jump,sky, was sky: 120 m in 1 s\n")
  }

  @Test func `A satellite has one line for all of its signals`() {
    var renderer = TextRenderer(positionOnly: true, showsSatellites: true)
    _ = renderer.sky(
      SkyView(
        device: Samples.device,
        satellites: [
          Satellite(prn: 5, gnssID: 0, svID: 5, sigID: 0, elevation: 45, signalStrength: 38),
          Satellite(prn: 7, gnssID: 0, svID: 7, sigID: 0, signalStrength: 20),
          Satellite(prn: 5, gnssID: 0, svID: 5, sigID: 7, signalStrength: 41, isUsed: true),
          Satellite(prn: 305, gnssID: 2, svID: 5, sigID: 17, isUsed: true),
        ]))
    #expect(
      renderer.fix(Samples.flat) == """
        -0.5 -71.0
          sat  system   id    el     az    ss  signals
          used GPS       5  45.0      -  41.0  L1 C/A, L5 Q
          used Galileo   5     -      -     -  17
          seen GPS       7     -      -  20.0  L1 C/A

        """)
  }

  @Test func `Satellites follow the fix as a table, the used ones first`() {
    var renderer = TextRenderer(positionOnly: true, showsSatellites: true)
    _ = renderer.sky(Samples.sky)
    #expect(
      renderer.fix(Samples.flat) == """
        -0.5 -71.0
          sat  system   id    el     az    ss  signals
          used GPS       5  45.0  120.0  38.0  L1 C/A
          seen GLONASS   7   5.5  300.0     - unhealthy
          seen PRN     400     -      -     -

        """)
  }

  @Test func `A satellite has the number in its system, as in the view and the report`() {
    var renderer = TextRenderer(positionOnly: true, showsSatellites: true)
    let satellites = [
      Satellite(prn: 133, gnssID: 1, svID: 133), Satellite(prn: 71), Satellite(prn: 311, gnssID: 2),
    ]
    _ = renderer.sky(SkyView(device: Samples.device, satellites: satellites))
    #expect(
      renderer.fix(Samples.flat) == """
        -0.5 -71.0
          sat  system   id    el     az    ss  signals
          seen SBAS     33     -      -     -
          seen GLONASS   7     -      -     -
          seen Galileo  11     -      -     -

        """)
  }

  @Test func `An empty list of satellites has no table`() {
    var renderer = TextRenderer(positionOnly: true, showsSatellites: true)
    _ = renderer.sky(SkyView(device: Samples.device, satellites: []))
    #expect(renderer.fix(Samples.flat) == "-0.5 -71.0\n")
  }

  @Test func `Hostile text stays visible and does nothing`() {
    var renderer = TextRenderer()
    let change = StateChange(
      .noService, reason: Samples.hostile + String(repeating: "x", count: 500),
      at: Samples.moment(nil))
    let reason =
      #"=cmd|\u{1b}[2J\u{9b}\u{202e}\u{2028}"</name>&'\u{a},\"#
      + String(repeating: "x", count: 128 - Samples.hostile.unicodeScalars.count) + "..."
    #expect(renderer.state(change) == "- no-daemon - \(reason)\n")
  }

  @Test func `States are coloured if colour is requested`() {
    var renderer = TextRenderer(usesColor: true)
    #expect(
      renderer.fix(Samples.flat)
        == "2026-11-20T07:05:13.000Z \u{1b}[33mfix-2d\u{1b}[0m -0.5 -71.0\n")
    #expect(renderer.state(Samples.searching).contains(" \u{1b}[36msearching\u{1b}[0m /dev"))
  }

  @Test func `Only the requested records are written`() {
    var fixes = TextRenderer(events: .fixesOnly)
    #expect(fixes.state(Samples.lost) == "")
    var transitions = TextRenderer(events: .transitionsOnly)
    #expect(transitions.fix(Samples.flat) == "")
  }
}
