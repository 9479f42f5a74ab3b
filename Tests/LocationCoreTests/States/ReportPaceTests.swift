import LocationCore
import Testing

/// How long a silence has to last until it means something, for receivers whose intervals are long or change.
///
/// Fault 94.
@Suite struct `Pace of reports` {
  /// When the fix is lost if a fix arrives after each of some steps.
  private func losses(_ steps: [Double]) -> [Double] {
    var watch = Watch()
    var (time, events) = (0.0, [(0.0, Reports.fix(0))])
    for step in steps {
      time += step
      events.append((time, Reports.fix(time)))
    }
    return watch.play(events).compactMap { line in
      line.contains("> lost: silence") ? Double(line.prefix { $0 != " " }) : nil
    }
  }

  private func steps(_ runs: (count: Int, step: Double)...) -> [Double] {
    runs.flatMap { [Double](repeating: $0.step, count: $0.count) }
  }

  @Test func `two pauses in a row that are alike are the new interval`() {
    #expect(losses(steps((30, 1), (30, 10))) == [35, 45])
    #expect(losses(steps((30, 10), (30, 60))) == [330, 390])
    #expect(losses(steps((30, 4), (30, 16), (30, 4))) == [132, 148])
    #expect(losses([1, 1, 1, 9, 12, 9, 12, 20]) == [8, 17], "it is the shorter one: 27 s")
    #expect(losses([1, 1, 1, 9, 12, 9, 12, 28]) == [8, 17, 72])
  }

  @Test func `pauses that differ are outages`() {
    let outages = losses(steps((4, 1)) + [8, 20, 8, 20, 8] + steps((4, 1)))
    #expect(outages == [9, 17, 37, 45], "the shortest of four, at last")
    #expect(losses([1, 1, 1, 8, 1, 12, 1, 30, 1, 8]) == [8, 17, 30, 61])
    // Not alike by little.
    #expect(losses([1, 1, 1, 8, 12.1, 8, 12.1]) == [8, 16, 28.1, 36.1])
  }

  @Test func `a receiver whose pace alternates is lost by its first pauses only`() {
    let rounds = (0..<5).flatMap { _ in steps((60, 1), (7, 10)) }
    #expect(losses(rounds) == [65, 75])
    let minutes = (0..<5).flatMap { _ in steps((30, 10), (5, 60)) }
    #expect(losses(minutes) == [330, 390])
    let bursts = (0..<20).flatMap { _ in steps((5, 1), (1, 20)) }
    #expect(losses(bursts) == [10, 35, 60])
  }

  @Test func `a pause that returns is remembered for ten minutes, and explains a minute at most`() {
    let learned = steps((5, 1), (2, 20))
    #expect(losses(learned + steps((600, 1)) + [29]) == [10, 30])
    #expect(losses(learned + steps((620, 1)) + [29]) == [10, 30, 670])
    #expect(losses(learned + steps((9, 1)) + [31]) == [10, 30, 84])
    #expect(losses(steps((5, 10), (2, 60), (5, 10)) + [66]) == [80, 140, 285])
    #expect(losses(steps((5, 10), (2, 300), (5, 10)) + [61]) == [80, 380, 730])
  }

  @Test func `intervals above ten minutes are known after the second`() {
    #expect(losses(steps((96, 600))) == [65])
    #expect(losses(steps((96, 900))) == [65])
    #expect(losses(steps((48, 1800.5))) == [65, 3600.5])
    #expect(losses(steps((335, 3600))) == [65, 5400])
    #expect(losses(steps((10, 3600), (1, 10_801))) == [65, 5400, 46_800])
    #expect(losses(steps((10, 3600), (5, 300)) + [901]) == [65, 5400, 38_400])
  }

  @Test func `an interval that changes is known as soon`() {
    #expect(losses(steps((9, 60), (9, 300), (9, 901))) == [720, 1020, 4140, 5041])
    #expect(losses(steps((9, 900), (9, 60)) + [181]) == [65, 8820])
  }
}
