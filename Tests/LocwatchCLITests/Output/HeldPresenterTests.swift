import LocationCore
import Synchronization
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct HeldPresenterTests {
  /// Records what it is asked for, and always has something to write.
  private final class Base: Presenter {
    let showsWaiting: Bool
    private let state = Mutex((calls: [String](), isFull: false))

    init(showsWaiting: Bool = false) { self.showsWaiting = showsWaiting }

    var calls: [String] { state.withLock(\.calls) }
    var isFull: Bool {
      get { state.withLock(\.isFull) }
      set { state.withLock { $0.isFull = newValue } }
    }

    var status: OutputStatus {
      OutputStatus(
        hasPending: true, isWorthFlushing: true, nextTick: Moment(uptime: .seconds(9)))
    }

    func add(_ style: OutputStyle, as source: Int) { record("add \(source)") }
    func recordEnd(of source: Int) { record("end of \(source)") }
    func hasRoom(for update: LocationUpdate, of source: Int) -> Bool { !isFull }
    func begin(at now: Moment) { record("begin") }
    func present(_ update: LocationUpdate, of source: Int, at moment: Moment) { record("present") }
    func present(_ mean: MeanPosition, of source: Int) { record("average of \(source)") }
    func advise(_ advice: Message, of source: Int) { record("advise \(source): \(advice)") }
    func flush(at now: Moment) { record("flush") }
    func finish(waitsForReader: Bool) { record("finish \(waitsForReader)") }

    private func record(_ call: String) { state.withLock { $0.calls.append(call) } }
  }

  private func at(_ milliseconds: Int) -> Moment { Moment(uptime: .milliseconds(milliseconds)) }

  private static func report(_ kind: String) -> LocationUpdate {
    .event(.other(ServiceReport(ServiceReport.Kind(rawValue: kind), text: "{}")))
  }

  @Test func `an average is written`() throws {
    let base = Base()
    var held = HeldPresenter(base) { true }
    held.present(MeanPosition(coordinate: Samples.fix.coordinate, fixCount: 1), of: 3)
    try held.finish(waitsForReader: true)
    #expect(base.calls == ["average of 3", "finish true"])
  }

  @Test func `nothing is written before the first report of a receiver`() throws {
    let base = Base()
    var held = HeldPresenter(base) { true }
    held.begin(at: at(0))
    try held.flush(at: at(1))
    #expect(!held.hasPending && !held.isWorthFlushing && held.nextTick == nil)
    #expect(base.calls == ["begin"])
    held.present(.fix(Samples.fix), at: at(2))
    #expect(held.hasPending && held.isWorthFlushing && held.nextTick == at(9000))
    try held.flush(at: at(3))
    try held.finish(waitsForReader: false)
    #expect(base.calls == ["begin", "present", "flush", "finish false"])
  }

  @Test(arguments: [
    (LocationUpdate.fix(Samples.fix), true), (.state(Samples.searching), true),
    (.state(Samples.lost), true), (report("ATT"), true), (report("VERSION"), false),
    (report("DEVICES"), false), (report("WATCH"), false), (.event(.sky(Samples.sky)), false),
    (.change(Samples.change(.pulses(.present, previous: nil))), false),
    (.state(StateChange(.connecting, at: Moment(uptime: .zero))), false),
  ])
  func `a report of a receiver releases the output, and a greeting does not`(
    update: LocationUpdate, isReleased: Bool
  ) throws {
    let base = Base()
    var held = HeldPresenter(base) { true }
    held.begin(at: at(0))
    held.present(update, at: at(1))
    #expect(held.hasPending == isReleased)
    try held.finish(waitsForReader: true)
    #expect(base.calls == ["begin", "present"] + (isReleased ? ["finish true"] : []))
  }

  @Test func `output that is not worthless is finished although nothing was reported`() throws {
    let base = Base()
    var held = HeldPresenter(base) { false }
    held.begin(at: at(0))
    try held.finish(waitsForReader: true)
    #expect(base.calls == ["begin", "finish true"])
  }

  @Test func `a presenter that shows the wait is released by a wait`() throws {
    let base = Base(showsWaiting: true)
    var held = HeldPresenter(base) { true }
    held.begin(at: at(5))
    #expect(held.nextTick == at(6))
    try held.flush(at: at(5))
    #expect(base.calls == ["begin"])
    try held.flush(at: at(6))
    #expect(base.calls == ["begin", "flush"])
    #expect(held.nextTick == at(9000))
  }

  @Test func `sources come and go in what is held back`() {
    let base = Base()
    var held = HeldPresenter(base) { true }
    held.add(Options().style(), as: 3)
    held.recordEnd(of: 3)
    #expect(base.calls == ["add 3", "end of 3"])
  }

  @Test func `advice reaches what is held back`() {
    let base = Base()
    var held = HeldPresenter(base) { true }
    held.advise("Wait.", of: 3)
    #expect(base.calls == ["advise 3: Wait."])
  }

  @Test func `the room is that of the held output`() {
    let base = Base()
    let held = HeldPresenter(base) { true }
    #expect(held.hasRoom(for: .fix(Samples.fix)))
    base.isFull = true
    #expect(!held.hasRoom(for: .fix(Samples.fix)))
  }
}
