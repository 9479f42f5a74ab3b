import LocationCore
import LocationFormats
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct ViewModelTests {
  private static let start = Moment(uptime: .zero)

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

  @Test func `A choice ends when another source replaces its own`() {
    var model = several
    model.record(.state(.fix3D, of: "/dev/a"), of: 0, at: Self.start)
    model.choose(number: 2, at: Self.start)
    model.add("mast", as: 1)
    #expect(model.content(at: Self.start).title == "bow /dev/a")
  }
}
