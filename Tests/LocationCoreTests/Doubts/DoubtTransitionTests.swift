@testable import LocationCore
import Testing

/// Fault 133.
@Suite struct `Doubts of a receiver` {
  /// A fix 1 km farther east from each second of `jumps` on.
  private static func fix(_ second: Double, jumps: [Double]) -> LocationEvent {
    var fix = Reports.locationFix(second)
    let count = Double(jumps.count { $0 <= second })
    fix.coordinate = fix.coordinate.moved(by: 1000 * count + 0.8 * second, bearing: 90)
    return .fix(fix)
  }

  @Test func `are reported before the fix, and stay while the receiver is away`() {
    var watch = Watch()
    let seconds = (0...99).map(Double.init)
    let told = watch.play(
      seconds.map { ($0, Self.fix($0, jumps: [80])) } + [
        (99.5, .removed(path: "a")), (100, Self.fix(100, jumps: [80])),
      ])
    #expect(
      told.filter { $0.contains("doubt") || $0.contains("no-device") } == [
        "80.0 a doubt none > jump", "99.5 a fix-3d > no-device", "100.0 a no-device > fix-3d",
      ])
    #expect(told.firstIndex { $0.contains("jump") }.map { told[$0 + 1] } == "80.0 a 3d 80.0")
  }

  @Test func `end with another source`() {
    var watch = Watch()
    var events = (0...99).map(Double.init).map { ($0, Self.fix($0, jumps: [80])) }
    // That one is neither here nor where the first one was before.
    events += [(99.5, .selected("b", previous: "a")), (100, Self.fix(100, jumps: [80, 99.9]))]
    #expect(
      watch.play(events).filter { $0.contains("doubt") } == [
        "80.0 a doubt none > jump", "100.0 a doubt jump > none",
      ])
  }

  @Test func `are the provider's, too`() {
    var watch = Watch()
    let events: [(Double, LocationEvent)] = (0...6).map { second in
      var fix = Reports.locationFix(Double(second))
      if second > 2 { fix.doubts = second < 5 ? [.frozen, .height, .stored] : [.jump] }
      return (Double(second), .fix(fix))
    }
    #expect(
      watch.play(events).filter { $0.contains("doubt") } == [
        "3.0 a doubt none > frozen,height,stored", "5.0 a doubt frozen,height,stored > jump",
      ])
  }

  @Test func `are kept apart in a set, and have one order`() {
    let all = Doubt.allCases
    for doubt in all { #expect(DoubtSet(doubt).doubts == [doubt]) }
    #expect(Set(all.map { DoubtSet($0).rawValue }).count == all.count)
    let backwards: [Doubt] = all.reversed()
    #expect(DoubtSet(backwards).doubts == all)
    #expect(DoubtSet.ofQuality.doubts == [.estimated, .simulated, .stored])
    #expect(DoubtSet([Doubt.claim, .jump]).names(between: "+") == "jump+claim")
  }

  @Test func `take 4 KB for each receiver, at their limits`() {
    // Of each kind, two tracks are apart, and those of positions have nine marks of seven numbers each.
    let marks = 3 * (32 + 9 * 7 * MemoryLayout<Double>.stride)
    let rival = 2 * MemoryLayout<Double>.stride
    let others =
      2 * (MemoryLayout<PositionTrack>.stride + rival)
      + 2 * (MemoryLayout<HeightTrack>.stride + rival) + 2 * 32
    #expect(MemoryLayout<DoubtMachine>.stride + marks + others < 4096)
  }

  @Test func `are in a fix for as long as they last`() {
    var machine = LinkMachine(staleAfter: nil)
    var queue = UpdateQueue()
    var doubts: [[Doubt]] = []
    for second in 0..<120 {
      machine.handle(
        Self.fix(Double(second), jumps: [80]), at: Reports.moment(Double(second)), into: &queue)
      while let (update, _) = queue.take() {
        if case .fix(let fix) = update { doubts.append(fix.doubts) }
      }
    }
    #expect(doubts.count == 120)
    #expect(doubts.indices.filter { doubts[$0] == [.jump] } == Array(80..<110))
    #expect(doubts.allSatisfy { $0 == [] || $0 == [.jump] })
  }
}
