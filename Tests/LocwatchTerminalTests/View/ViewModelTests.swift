import LocationCore
import LocationFormats
import Synchronization
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct ViewModelTests {
  private static let start = Moment(uptime: .zero)

  private func paths(_ content: ViewContent) -> [String?] { content.receivers.map(\.path) }

  private func transitions(_ content: ViewContent) -> [String] {
    content.changes.map { change in
      switch change.change {
      case .state(let change): "\(change.state.rawValue) \(change.device ?? "-")"
      case .receiver(let change): "change of \(change.device ?? "-")"
      }
    }
  }

  @Test func `Nothing is known before the first update`() {
    var model = ViewModel()
    let content = model.content(at: Self.start)
    #expect(content.receivers.isEmpty && content.status == nil && content.path == nil)
    #expect(content.changes.isEmpty && content.satellites.isEmpty && content.deviations == nil)
    #expect(content.notice == nil && !content.isOver)
    model.choose(next: 1, at: Self.start)
    model.choose(number: 1, at: Self.start)
    #expect(model.content(at: Self.start).path == nil)
  }

  // Several sources

  /// A model of two sources, of which the second has two receivers.
  private var several: ViewModel {
    var model = ViewModel()
    model.add("bow", as: 0)
    model.add("stern", as: 1)
    model.record(.failed(.unreachable, "refused"), of: 0, at: Self.start)
    model.record(.state(.searching, of: "/dev/ttyACM0"), of: 1, at: Self.start)
    model.record(.state(.fix3D, of: "/dev/ttyUSB0"), of: 1, at: Self.start)
    return model
  }

  private func labels(_ model: ViewModel) -> [String] {
    model.content(at: Self.start).receivers.map(\.label)
  }

  @Test func `Receivers are named by their sources, and by their paths if there are several`() {
    var model = several
    #expect(labels(model) == ["bow", "stern ttyACM0", "stern ttyUSB0"])
    // The first one with a position is shown.
    #expect(model.content(at: Self.start).title == "stern /dev/ttyUSB0")
    model.choose(next: 1, at: Self.start)
    #expect(model.content(at: Self.start).title == "bow")
    model.choose(next: 1, at: Self.start)
    #expect(model.content(at: Self.start).title == "stern /dev/ttyACM0")
    model.choose(number: 1, at: Self.start)
    #expect(model.content(at: Self.start).status?.state == .noService)
    #expect(labels(ViewModel()) == [])
  }

  @Test func `Sources come and go, and none has the contents of another`() {
    var model = several
    model.choose(number: 2, at: Self.start)
    #expect(model.content(at: Self.start).changes.count == 3)
    model.add("mast", as: 1)
    #expect(model.content(at: Self.start).title == "bow")
    #expect(model.content(at: Self.start).changes.map(\.source) == ["bow"])
    #expect(labels(model) == ["bow"])
    model.record(.state(.searching, of: "/dev/x"), of: 1, at: Self.start)
    #expect(labels(model) == ["bow", "mast"])
  }

  @Test func `The title says which source is the best`() {
    var model = ViewModel()
    model.record(.state(.fix3D, of: "/dev/a"), at: Self.start)
    #expect(model.content(at: Self.start).title == "/dev/a")
    model.record(.change(Samples.selected), at: Self.start)
    #expect(model.content(at: Self.start).title == "boat /dev/a")
    #expect(labels(model) == ["boat"])
  }

  @Test(arguments: [(nil as LossReason?, [5]), (.silence, [])])
  func `A receiver that is silent before its first position has no satellites`(
    loss: LossReason?, satellites: [Int]
  ) {
    var model = ViewModel()
    let sky = SkyView(device: "a", satellites: [Satellite(prn: 5, signalStrength: 33)])
    model.record(.event(.sky(sky)), at: Self.start)
    model.record(.state(.searching, of: "a", loss: loss), at: Self.start)
    #expect(model.content(at: Self.start).satellites.map(\.prn) == satellites)
  }

  @Test func `Each source has its own satellites and positions`() {
    var model = several
    let sky = LocationUpdate.sky(of: "/dev/ttyUSB0", seen: 3, used: 1, strengths: [40, 30, 20])
    model.record(sky, of: 1, at: Self.start)
    model.add("mast", as: 2)
    model.record(.state(.searching, of: "/dev/ttyUSB0"), of: 2, at: Self.start)
    #expect(model.content(at: Self.start).satellites.count == 3)
    model.choose(number: 4, at: Self.start)
    #expect(model.content(at: Self.start).title == "mast /dev/ttyUSB0")
    #expect(model.content(at: Self.start).satellites.isEmpty)
  }

  @Test func `Transitions of several sources name their source`() {
    let lines = ViewSamples.lines(of: several, columns: 140, rows: 40, at: Self.start)
    let transitions = lines.filter { $0.contains("no-daemon") || $0.contains("searching") }
      .joined(separator: "\n")
    #expect(transitions.contains("no-daemon bow"))
    #expect(transitions.contains("searching stern ttyACM0"))
  }

  @Test func `The last forty transitions and changes are kept, in their order`() {
    var model = ViewModel()
    for number in 1...40 {
      model.record(.state(.searching, of: "/dev/\(number)"), at: Self.start)
    }
    let content = model.content(at: Self.start)
    #expect(transitions(content) == (1...40).map { "searching /dev/\($0)" })
    model.record(.change(Samples.region), at: Self.start)
    let last = transitions(model.content(at: Self.start))
    #expect(last == (2...40).map { "searching /dev/\($0)" } + ["change of /dev/ttyACM0"])
  }

  @Test func `The first receiver with a position is shown until one is chosen`() {
    var model = ViewModel()
    for (state, name) in [(LocationState.searching, "/a"), (.fix2D, "/b"), (.fix3D, "/c")] {
      model.record(.state(state, of: name), at: Self.start)
    }
    func chosen() -> Int { model.content(at: Self.start).chosen }
    #expect(paths(model.content(at: Self.start)) == ["/a", "/b", "/c"])
    #expect(chosen() == 1)
    for (step, index) in [(1, 2), (1, 0), (1, 1), (-1, 0), (-1, 2)] {
      model.choose(next: step, at: Self.start)
      #expect(chosen() == index)
    }
    for (number, index) in [(1, 0), (3, 2), (2, 1), (0, 1), (4, 1)] {
      model.choose(number: number, at: Self.start)
      #expect(chosen() == index)
    }
    model.record(.state(.lost, of: "/b"), at: Self.start)
    #expect(chosen() == 1 && model.content(at: Self.start).status?.state == .lost)
  }

  @Test func `Without a position and a choice, the first receiver is shown`() {
    var model = ViewModel()
    model.record(.state(.lost, of: "/a"), at: Self.start)
    model.choose(next: 1, at: Self.start)
    model.record(.state(.searching, of: "/b"), at: Self.start)
    #expect(model.content(at: Self.start).chosen == 0)
    model.record(.state(.fix3D, of: "/b"), at: Self.start)
    // The step was none, for there was a single receiver.
    #expect(model.content(at: Self.start).chosen == 1)
  }

  @Test func `A chosen receiver stays, even if its source is gone`() {
    var model = several
    model.record(.state(.fix3D, of: "/dev/a"), of: 0, at: Self.start)
    model.choose(number: 2, at: Self.start)
    #expect(model.content(at: Self.start).title == "stern /dev/ttyACM0")
    model.record(.failed(.unreachable, "refused"), of: 1, at: Self.start)
    let content = model.content(at: Self.start)
    #expect(content.title == "stern" && content.status?.state == .noService)
    model.record(.state(.searching, of: "/dev/ttyACM0"), of: 1, at: Self.start)
    #expect(model.content(at: Self.start).title == "stern /dev/ttyACM0")
  }

  @Test func `A receiver that was chosen keeps its line while only others are there`() {
    var model = several
    model.choose(number: 2, at: Self.start)
    model.record(.failed(.unreachable, "refused"), of: 1, at: Self.start)
    #expect(labels(model) == ["bow", "stern"])
    model.record(.state(.fix3D, of: "/dev/ttyUSB0"), of: 1, at: Self.start)
    #expect(labels(model) == ["bow", "stern ttyUSB0", "stern ttyACM0"])
    let content = model.content(at: Self.start)
    #expect(content.title == "stern /dev/ttyACM0" && content.status?.state == .noDevice)
    model.choose(next: 1, at: Self.start)
    #expect(labels(model) == ["bow", "stern"])
    #expect(model.content(at: Self.start).title == "bow")
  }

  @Test func `A choice ends when another source replaces its own`() {
    var model = several
    model.record(.state(.fix3D, of: "/dev/a"), of: 0, at: Self.start)
    model.choose(number: 2, at: Self.start)
    model.add("mast", as: 1)
    #expect(model.content(at: Self.start).title == "bow /dev/a")
  }

  @Test func `A model that returns to an earlier one keeps the choice`() {
    var model = several
    var earlier = model
    model.choose(number: 2, at: Self.start)
    earlier.show("earlier")
    model.show("advice")
    model.end()
    model.returnTo(earlier)
    #expect(model.notice == "earlier" && !model.isOver)
    #expect(
      model.content(at: Self.start).title
        == {
          earlier.choose(number: 2, at: Self.start); return earlier
        }().content(at: Self.start)
        .title)
    model.returnTo(ViewModel())
    let content = model.content(at: Self.start)
    #expect(content.receivers.isEmpty && content.changes.isEmpty)
    #expect(content.notice == nil && !content.isOver)
    model.add("bow", as: 0)
    model.record(.state(.fix3D, of: "/dev/a"), of: 0, at: Self.start)
    #expect(model.content(at: Self.start).title == "bow /dev/a")
    model.add("stern", as: 1)
    model.record(.state(.searching, of: "/dev/ttyACM0"), of: 1, at: Self.start)
    #expect(model.content(at: Self.start).title == "stern /dev/ttyACM0")
    var other = ViewModel()
    other.record(.state(.fix3D, of: "/dev/a"), at: Self.start)
    other.record(.state(.fix3D, of: "/dev/b"), at: Self.start)
    other.choose(.number(2), at: Self.start)
    var third = ViewModel()
    third.record(.state(.fix3D, of: "/dev/a"), at: Self.start)
    third.record(.state(.fix3D, of: "/dev/b"), at: Self.start)
    third.takeChoice(of: other)
    #expect(third.content(at: Self.start).chosen == 1)
    third.choose(.next(-1), at: Self.start)
    #expect(third.content(at: Self.start).chosen == 0)
  }

  @Test func `Each receiver has its satellites and positions`() {
    var model = ViewSamples.model
    let other = Satellite(prn: 3, gnssID: 0, svID: 3)
    model.record(.state(.fix2D, of: "/dev/other"), at: ViewSamples.now)
    model.record(
      .event(.sky(SkyView(device: "/dev/other", satellites: [other]))), at: ViewSamples.now)
    var content = model.content(at: ViewSamples.now)
    #expect(content.path == Samples.device && content.satellites.count == 9)
    #expect(content.satellites.map { SatelliteLabel($0).text }.first == "G2")
    #expect(content.deviations?.points.count == 121)
    model.choose(number: 2, at: ViewSamples.now)
    content = model.content(at: ViewSamples.now)
    #expect(content.path == "/dev/other" && content.satellites == [other])
    #expect(content.deviations == nil)
  }

  @Test func `A receiver without a name has satellites and positions, but no path`() {
    var model = ViewModel()
    let satellite = Satellite(prn: 3, gnssID: 0, svID: 3)
    model.record(.state(StateChange(.fix2D, of: .receiver(nil), at: Self.start)), at: Self.start)
    model.record(.event(.sky(SkyView(device: nil, satellites: [satellite]))), at: Self.start)
    var fix = Samples.fix
    fix.device = nil
    model.record(.fix(fix), at: Self.start)
    let content = model.content(at: Self.start)
    #expect(content.path == nil && content.satellites == [satellite])
    #expect(content.deviations?.points.count == 1)
  }

  @Test(arguments: [LocationState.connecting, .noService])
  func `While there is no gpsd, neither satellites nor positions are shown`(state: LocationState) {
    var model = ViewModel()
    model.record(
      .event(.sky(SkyView(device: nil, satellites: [Satellite(prn: 3)]))), at: Self.start)
    var fix = Samples.fix
    fix.device = nil
    model.record(.fix(fix), at: Self.start)
    model.record(.state(StateChange(state, at: Self.start)), at: Self.start)
    let content = model.content(at: Self.start)
    #expect(content.status?.state == state && content.path == nil)
    #expect(content.satellites.isEmpty && content.deviations == nil)
  }

  @Test func `The end is known once the recording is over`() {
    var model = ViewModel()
    #expect(!model.isOver)
    model.end()
    #expect(model.isOver && model.content(at: Self.start).isOver)
  }

  @Test(arguments: [(0.154, "0.154 s late"), (-3, nil)])
  func `The delay of times belongs to the receiver that is shown`(offset: Double, lateness: String?)
  {
    var model = ViewModel()
    for (device, offset) in [("/dev/a", offset), ("/dev/b", 0.5)] {
      model.record(
        .state(StateChange(.searching, of: .receiver(device), at: Self.start)), at: Self.start)
      var report = ServiceReport(ServiceReport.Kind(rawValue: "TOFF"), device: device, text: "{}")
      report.clockOffset = .seconds(offset)
      model.record(.event(.other(report)), at: Self.start)
    }
    #expect(model.content(at: Self.start).lateness == lateness)
    model.choose(number: 2, at: Self.start)
    #expect(model.content(at: Self.start).lateness == "0.500 s late")
  }
}
