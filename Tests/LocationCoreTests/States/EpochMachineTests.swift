import Testing

@testable import LocationCore

@Suite struct `Epoch machine` {
  private var epochs = EpochMachine()

  private mutating func add(
    _ fix: LocationFix, at second: Double
  ) -> (verdict: EpochMachine.Verdict, fix: LocationFix) {
    var fix = fix
    let moment = Reports.moment(second)
    if epochs.isOver(by: fix.time) { epochs.begin(fix.time, at: moment) }
    return (epochs.add(&fix, at: moment, interval: .seconds(1)), fix)
  }

  @Test mutating func `a full report is written at once`() {
    #expect(add(Reports.locationFix(0), at: 0).verdict == .write)
    #expect(epochs.deadline == nil)
    #expect(epochs.release() == nil)
  }

  @Test mutating func `a thin report is completed by the next of its epoch`() {
    var thin = Reports.locationFix(0, .fix2D, isThin: true)
    thin.received = Reports.time(0.3)
    thin.magvar = 2.5
    #expect(add(thin, at: 0).verdict == .hold)
    var full = Reports.locationFix(0)
    full.received = Reports.time(0.4)
    let (verdict, written) = add(full, at: 0.1)
    full.received = Reports.time(0.3)
    full.magvar = 2.5
    #expect(verdict == .write)
    #expect(written == full)
  }

  @Test mutating func `what is held is as complete as what came`() {
    var first = Reports.locationFix(0, .fix2D, isThin: true)
    first.speed = 3
    _ = add(first, at: 0)
    _ = add(Reports.locationFix(0, .fix3D, isThin: true), at: 0.05)
    #expect(epochs.deadline == Reports.moment(0.15))
    var expected = Reports.locationFix(0, .fix3D, isThin: true)
    expected.speed = 3
    #expect(epochs.release() == .fix(expected, at: Reports.moment(0)))
    #expect(epochs.deadline == nil)
  }

  @Test mutating func `what comes late now and then is waited for`() {
    var late = Reports.locationFix(0)
    late.epx = 3
    // At 0 s it comes too late, as nobody knew that there would be more.
    #expect(add(Reports.locationFix(0), at: 0).verdict == .write)
    #expect(add(late, at: 0.1).verdict == .settled)
    for second in 1...31 {
      #expect(add(Reports.locationFix(Double(second)), at: Double(second)).verdict == .hold)
    }
    late.time = Reports.time(32)
    #expect(add(Reports.locationFix(32), at: 32).verdict == .hold)
    let (verdict, written) = add(late, at: 32.1)
    #expect(verdict == .write && written == late)
  }

  @Test mutating func `what has not come in 63 epochs is not waited for`() {
    var late = Reports.locationFix(0)
    late.epx = 3
    _ = add(late, at: 0)
    let held = (1...70).filter {
      add(Reports.locationFix(Double($0)), at: Double($0)).verdict == .hold
    }
    #expect(held == Array(1...63))
  }

  @Test mutating func `other quantities are expected in another mode`() {
    _ = add(Reports.locationFix(0), at: 0)
    var flat = Reports.locationFix(1, .fix2D, isThin: true)
    #expect(add(flat, at: 1).verdict == .hold)
    flat.time = Reports.time(2)
    #expect(add(flat, at: 2).verdict == .write)
  }

  @Test mutating func `an accuracy that is needed is waited for until the epoch is over`() {
    epochs = EpochMachine(needs: FixNeeds(accuracy: true))
    var vague = Reports.locationFix(0)
    vague.eph = nil
    #expect(add(vague, at: 0).verdict == .hold)
    #expect(epochs.deadline == Reports.moment(1))
    var accurate = vague
    (accurate.epx, accurate.epy) = (3, 4)
    let (verdict, written) = add(accurate, at: 0.9)
    #expect(verdict == .write && written.accuracy == 5)
    #expect(epochs.deadline == nil)
  }

  @Test mutating func `after it is written an epoch is settled`() {
    _ = add(Reports.locationFix(0), at: 0)
    #expect(add(Reports.locationFix(0), at: 0.1).verdict == .settled)
  }

  @Test mutating func `an epoch that was written is a repeat once another began`() {
    _ = add(Reports.locationFix(0), at: 0)
    #expect(!epochs.isRepeat(Reports.time(0)))
    _ = add(Reports.locationFix(1), at: 1)
    #expect(epochs.isRepeat(Reports.time(0)))
    #expect(!epochs.isRepeat(Reports.time(1)))
    #expect(!epochs.isRepeat(nil))
  }

  @Test mutating func `after a reset the current epoch is a repeat too`() {
    _ = add(Reports.locationFix(0), at: 0)
    epochs.reset()
    #expect(epochs.isRepeat(Reports.time(0)))
    #expect(epochs.isOver(by: Reports.time(0)))
  }

  @Test mutating func `after a reset a thin report is held again`() {
    _ = add(Reports.locationFix(0, isThin: true), at: 0)
    #expect(add(Reports.locationFix(1, isThin: true), at: 1).verdict == .write)
    epochs.reset()
    #expect(add(Reports.locationFix(2, isThin: true), at: 2).verdict == .hold)
  }

  @Test
  mutating func `no fix inside the epoch of a fix changes nothing, until an interval is over`() {
    _ = add(Reports.locationFix(0), at: 0)
    let noFix = NoFix(device: "a", time: Reports.time(0))
    for (second, verdict) in [(0.999, EpochMachine.Verdict.settled), (1, .write)] {
      #expect(
        epochs.add(noFix, at: Reports.moment(second), interval: .seconds(1)) == verdict)
    }
  }

  @Test(
    arguments: [
      (true, 0.0, EpochMachine.Verdict.write), (false, 0, .hold), (false, nil, .write),
    ] as [(Bool, Double?, EpochMachine.Verdict)])
  mutating func `no fix is written where it is sure, and held where its epoch may say more`(
    isCertain: Bool, second: Double?, verdict: EpochMachine.Verdict
  ) {
    let time = second.map(Reports.time)
    epochs.begin(time, at: Reports.moment(0))
    let noFix = NoFix(device: "a", time: time, isCertain: isCertain)
    #expect(epochs.add(noFix, at: Reports.moment(0), interval: .seconds(1)) == verdict)
    #expect(epochs.release() == (verdict == .hold ? .noFix : nil))
  }
}
