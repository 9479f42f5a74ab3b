import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct `Following a source, locwatch` {
  @Test func `leaves out a fix exactly at the minimum distance`() async throws {
    let fixes = [LocationFix.scripted(0), .scripted(1, north: 10)]
    let metres = fixes[0].coordinate.distance(to: fixes[1].coordinate)
    var criteria = FixCriteria()
    criteria.minMove = metres
    var filter = FixFilter(criteria)
    filter.recordTaken(fixes[0], at: .start)
    #expect(filter.judge(fixes[1], at: .start) == .leftOut)
    criteria.minMove = metres.nextDown
    filter = FixFilter(criteria)
    filter.recordTaken(fixes[0], at: .start)
    #expect(filter.judge(fixes[1], at: .start) == .wanted)
  }

  @Test func `passes on the position of each fix, whether or not it counts`() throws {
    let passed = Collector<LocationFix>()
    var output = SharedOutput(presenter: NoPresenter(), recorder: nil)
    var parts = SourceParts(
      0, try Options(arguments: ["--accuracy", "4"]), log: Log(Options()),
      didFix: { passed.add($0) })
    let fixes = [LocationFix.scripted(0, accuracy: 3), .scripted(1, accuracy: 5)]
    for update in [.fix(fixes[0]), .answer, .fix(fixes[1])] as [LocationUpdate] {
      let result = try parts.handle(update, at: .start, on: &output)
      if let result { Issue.record("\(result)") }
    }
    #expect(passed.values == fixes)
  }

  // The list

  /// A part that writes down what it gets.
  private struct Probe: SourcePart {
    let name: String
    let calls: Collector<String>
    var passage = Passage.next
    var deadline: Moment?
    /// The deadline after an update.
    var nextDeadline: Moment?
    var due = Passage.next

    var isTimed: Bool { true }

    mutating func handle(
      _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
    ) -> Passage {
      let isFix = if case .fix = update { true } else { false }
      calls.add("\(name) \(isFix ? "fix" : "change")")
      deadline = nextDeadline ?? deadline
      return isFix ? passage : .next
    }

    mutating func expire(at moment: Moment, on output: inout SharedOutput) -> Passage {
      calls.add("\(name) due")
      deadline = nil
      return due
    }

    mutating func complete(
      _ result: inout RunResult, of end: SourceEnd, at moment: Moment,
      on output: inout SharedOutput
    ) {
      calls.add("\(name) \(end)")
    }
  }

  private static func moment(_ second: Int) -> Moment {
    Moment.start.advanced(by: .seconds(second))
  }

  /// Returns what three parts get of a fix at the first second, or of the passage of time, and whether the source is done.
  private func play(
    to second: Int? = nil, _ prepare: (inout [Probe]) -> Void
  ) throws -> (calls: [String], isDone: Bool) {
    let calls = Collector<String>()
    var probes = ["a", "b", "c"].map { Probe(name: $0, calls: calls) }
    prepare(&probes)
    var parts = SourceParts(log: Log(Options()))
    for probe in probes { parts.add(probe) }
    var output = SharedOutput(presenter: NoPresenter(), recorder: nil)
    let result =
      if let second {
        try parts.expire(at: Self.moment(second), on: &output)
      } else {
        try parts.handle(.fix(.scripted(0)), at: Self.moment(1), on: &output)
      }
    return (calls.values, result != nil)
  }

  @Test func `passes an update on to the next part, or to no other one`() throws {
    #expect(try play { _ in }.calls == ["a fix", "b fix", "c fix"])
    let (calls, isDone) = try play { $0[1].passage = .stop }
    #expect(calls == ["a fix", "b fix"] && !isDone)
  }

  @Test func `passes the changes of a part on before their update, to the parts after it`() throws {
    let change = ReceiverChange(
      .region("home", presence: .inside, previous: .unknown), at: Self.moment(1))
    let calls = try play { $0[0].passage = .after([change, change]) }.calls
    #expect(
      calls == ["a fix", "b change", "c change", "b change", "c change", "b fix", "c fix"])
    let late = try play(to: 1) {
      $0[1].deadline = Self.moment(1)
      $0[1].due = .after([change])
    }
    #expect(late.calls == ["b due", "c change"])
  }

  @Test func `lets all parts complete the result when one says that the source is done`() throws {
    let (calls, isDone) = try play { $0[1].passage = .done(.complete) }
    #expect(calls == ["a fix", "b fix", "a complete", "b complete", "c complete"] && isDone)
  }

  @Test func `does what is due first, and of what is due together first the last`() throws {
    func calls(at second: Int) throws -> [String] {
      try play(to: second) {
        $0[0].deadline = Self.moment(2)
        $0[1].deadline = Self.moment(2)
        $0[2].deadline = Self.moment(3)
      }.calls
    }
    #expect(try calls(at: 1) == [])
    #expect(try calls(at: 2) == ["b due", "a due"])
    #expect(try calls(at: 3) == ["b due", "a due", "c due"])
    let ended = try play(to: 2) {
      for index in $0.indices { $0[index].deadline = Self.moment(2) }
      $0[1].due = .done(.complete)
    }
    #expect(ended.calls.prefix(2) == ["c due", "b due"] && !ended.calls.contains("a due"))
  }

  @Test func `does what an update makes due after it`() throws {
    let calls = try play { $0[0].nextDeadline = Self.moment(1) }.calls
    #expect(calls == ["a fix", "b fix", "c fix", "a due"])
    #expect(try play { $0[0].nextDeadline = Self.moment(2) }.calls.last == "c fix")
  }
}
