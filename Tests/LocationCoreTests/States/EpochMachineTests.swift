import Testing

@testable import LocationCore

/// Fault 37.
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
    thin[.magvar] = 2.5
    #expect(add(thin, at: 0).verdict == .hold)
    var full = Reports.locationFix(0)
    full.received = Reports.time(0.4)
    let (verdict, written) = add(full, at: 0.1)
    full[.magvar] = 2.5
    #expect(verdict == .write)
    #expect(written == full && written.received == Reports.time(0.3))
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
    late[.epx] = 3
    // At 0 s it comes too late, because more was not expected.
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
    late[.epx] = 3
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

  private func place(_ latitude: Double, _ second: Double, eph: Double? = 4.5) -> LocationFix {
    var fix = Reports.locationFix(second)
    fix.coordinate = Coordinate(latitude: latitude, longitude: 8)!
    fix[.eph] = eph
    return fix
  }

  @Test mutating func `the position of the epoch before is held if more reports usually come`() {
    // For a receiver that reports once, it is as good as any.
    #expect(add(place(1, 0), at: 0).verdict == .write)
    #expect(add(place(1, 1), at: 1).verdict == .write)
    #expect(add(place(1, 1), at: 1.1).verdict == .settled)
    #expect(add(place(1, 2), at: 2).verdict == .hold)
    #expect(epochs.deadline == Reports.moment(2.15))
    var fresh = place(2, 2, eph: 40)
    fresh.ellipsoidalAltitude = nil
    let (verdict, written) = add(fresh, at: 2.1)
    fresh.ellipsoidalAltitude = 455.5
    #expect(verdict == .write && written == fresh)
    #expect(epochs.deadline == nil)
    // A position is compared with the last report, not with the one that was written.
    #expect(add(place(3, 2), at: 2.12).verdict == .settled)
    #expect(add(place(2, 3), at: 3).verdict == .write)
    #expect(add(place(3, 4), at: 4).verdict == .write)
  }

  @Test mutating func `a position that stays is written when as many reports came as usual`() {
    for second in [0.0, 0.02, 0.04] { _ = add(place(1, 0), at: second) }
    #expect(add(place(1, 1), at: 1).verdict == .hold)
    #expect(add(place(1, 1), at: 1.05).verdict == .hold)
    #expect(add(place(1, 1), at: 1.1).verdict == .write)
    #expect(add(place(1, 2), at: 2).verdict == .hold)
    #expect(add(place(1, 2), at: 2.15).verdict == .write)
    epochs.reset()
    #expect(add(place(1, 3), at: 3).verdict == .write)
    // What comes later than a report can be held is not waited for.
    #expect(add(place(1, 3), at: 3.15).verdict == .settled)
    #expect(add(place(1, 4), at: 4).verdict == .write)
    #expect(add(place(1, 4), at: 4.149).verdict == .settled)
    #expect(add(place(1, 5), at: 5).verdict == .hold)
  }

  @Test(
    arguments: [
      // The latitudes and errors of the reports of an epoch after one at 1, and which is the best.
      ([(1, 2), (2, 9)], 1), ([(2, 9), (1, 2)], 0), ([(2, 9), (3, 8)], 1), ([(2, 8), (3, 9)], 0),
      ([(2, 9), (3, 9)], 1), ([(2, 8), (2, 9)], 1), ([(2, nil), (3, 9)], 1),
      ([(2, 9), (3, nil)], 0),
      ([(2, nil), (3, nil)], 1), ([(1, 2), (2, 9), (3, 8), (1, 1)], 2),
    ] as [([(latitude: Double, eph: Double?)], Int)])
  mutating func `the best report of an epoch is that of the smallest error, but no older one`(
    reports: [(latitude: Double, eph: Double?)], best: Int
  ) {
    var usual = place(1, 0)
    usual[.epc] = 3
    _ = add(usual, at: 0)
    var written = usual
    for (index, report) in reports.enumerated() {
      var fix = place(report.latitude, 1, eph: report.eph)
      fix.speed = Double(index)
      fix.received = Reports.time(1 + Double(index) / 100)
      let (verdict, result) = add(fix, at: 1 + Double(index) / 100)
      #expect(verdict == .hold)
      written = result
    }
    #expect(written.speed == Double(best))
    #expect(written.coordinate.latitude == reports[best].latitude)
    #expect(written[.eph] == reports[best].eph ?? reports.compactMap(\.eph).last)
    #expect(written.received == Reports.time(1))
    #expect(epochs.release() == .fix(written, at: Reports.moment(1)))
  }

  @Test mutating func `an accuracy that is needed is waited for until the epoch is over`() {
    epochs = EpochMachine(needs: FixNeeds(accuracy: true))
    var vague = Reports.locationFix(0)
    vague[.eph] = nil
    #expect(add(vague, at: 0).verdict == .hold)
    #expect(epochs.deadline == Reports.moment(1))
    var accurate = vague
    (accurate[.epx], accurate[.epy]) = (3, 4)
    let (verdict, written) = add(accurate, at: 0.9)
    #expect(verdict == .write && written.horizontalError == 5)
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
    isStated: Bool, second: Double?, verdict: EpochMachine.Verdict
  ) {
    let time = second.map(Reports.time)
    epochs.begin(time, at: Reports.moment(0))
    let noFix = NoFix(device: "a", time: time, isStated: isStated)
    #expect(epochs.add(noFix, at: Reports.moment(0), interval: .seconds(1)) == verdict)
    #expect(epochs.release() == (verdict == .hold ? .noFix : nil))
  }
}
