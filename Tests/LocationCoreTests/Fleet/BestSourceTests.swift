import Testing

@testable import LocationCore

/// Fault 89.
@Suite struct `The best source` {
  private var best = BestSource()

  private func fix(
    _ accuracy: Double?, _ quality: FixQuality? = nil, _ mode: FixMode = .fix3D
  ) -> LocationFix {
    var fix = Reports.locationFix(0, mode)
    fix[.eph] = accuracy
    fix.quality = quality
    return fix
  }

  /// A receiver, such as `0a` of source 0.
  private func receiver(_ name: String) -> BestSource.Receiver {
    BestSource.Receiver(source: Int(name.prefix(1))!, path: String(name.dropFirst()))
  }

  private mutating func record(_ fix: LocationFix, of name: String, at second: Double) -> Bool {
    best.record(fix, of: receiver(name), at: Reports.moment(second))
  }

  private mutating func recordLoss(of name: String) -> Bool { best.recordLoss(of: receiver(name)) }

  @Test func `goes by the quality first, then by the accuracy`() {
    let order = [
      fix(0.1, .simulated), fix(0.1, nil, .fix2D), fix(nil), fix(9), fix(4, .gps), fix(20, .dgps),
      fix(30, .rtkFloat), fix(40, .rtkFixed),
    ].map(BestSource.Grade.init)
    for (worse, better) in zip(order, order.dropFirst()) { #expect(worse < better) }
    #expect(BestSource.Grade(fix(5, .gnssDeadReckoning)) == BestSource.Grade(fix(5)))
    #expect(BestSource.Grade(fix(5, .deadReckoning)) < BestSource.Grade(fix(50, nil, .fix2D)))
    #expect(BestSource.Grade(fix(5, .timeOnly)) < BestSource.Grade(fix(50)))
    #expect(BestSource.Grade(fix(5, .gps, .fix2D)) == BestSource.Grade(fix(5, nil, .fix2D)))
  }

  @Test mutating func `is the first with a fix, and changes after ten seconds of a better one`() {
    #expect(best.selectedFix == nil)
    #expect(record(fix(5), of: "0a", at: 0) == true)
    #expect(best.selectedFix == fix(5))
    for second in 1...10 { #expect(record(fix(4), of: "1a", at: Double(second)) == false) }
    #expect(record(fix(5), of: "0a", at: 10.999) == false)
    #expect(record(fix(4), of: "1a", at: 11) == true)
    #expect(best.selected == receiver("1a"))
    #expect(best.selectedFix == fix(4))
  }

  private func doubted(_ accuracy: Double, _ quality: FixQuality? = nil) -> LocationFix {
    var doubted = fix(accuracy, quality)
    doubted.doubts = [.jump]
    return doubted
  }

  /// Fault 133.
  @Test mutating func `is believed if there is one, and one that is doubted is left at once`() {
    #expect(BestSource.Grade(doubted(0.1, .rtkFixed)) < BestSource.Grade(fix(nil, nil, .fix2D)))
    #expect(BestSource.Grade(doubted(9)) < BestSource.Grade(doubted(5)))
    #expect(record(fix(5), of: "0a", at: 0) == true)
    #expect(record(fix(50), of: "1a", at: 0.5) == false)
    #expect(record(doubted(5), of: "0a", at: 1) == true)
    #expect(best.selected == receiver("1a"))
    // It comes back after ten seconds that are believed.
    for second in 2...11 { #expect(record(doubted(5), of: "0a", at: Double(second)) == false) }
    for second in 12...21 { #expect(record(fix(5), of: "0a", at: Double(second)) == false) }
    #expect(record(fix(5), of: "0a", at: 22) == true)
    // If both are doubted, neither is left at once.
    #expect(record(doubted(4), of: "1a", at: 23) == false)
    #expect(record(doubted(5), of: "0a", at: 23.5) == false)
    #expect(best.selected == receiver("0a"))
    // One is no better for another receiver that is believed later.
    #expect(record(fix(90), of: "1a", at: 24) == true)
    #expect(best.selected == receiver("1a"))
  }

  @Test mutating func `is none without a fix, and otherwise the first of equals`() {
    #expect(recordLoss(of: "0a") == false)
    #expect((best.selected, best.selectedFix) == (nil, nil))
    _ = record(fix(5), of: "1a", at: 0)
    #expect(recordLoss(of: "1a") == true)
    #expect((best.selected, best.selectedFix) == (nil, nil))
    #expect(recordLoss(of: "1a") == false)
    #expect(record(fix(9), of: "2a", at: 1) == true)
    #expect(best.selected == receiver("2a"))
  }

  @Test mutating func `is of two equal receivers of a source the first by its path`() {
    for (first, second) in [("1b", "1c"), ("1c", "1b")] {
      best = BestSource()
      _ = record(fix(1), of: "0a", at: 0)
      _ = record(fix(5), of: first, at: 0)
      _ = record(fix(5), of: second, at: 0)
      #expect(recordLoss(of: "0a") == true)
      #expect(best.selected == receiver("1b"))
    }
  }

  @Test mutating func `stays where another one is no better`() {
    _ = record(fix(5), of: "1a", at: 0)
    for second in 0...30 { #expect(record(fix(5), of: "0a", at: Double(second)) == false) }
    #expect(best.selected == receiver("1a"))
  }

  @Test mutating func `stays where the better one is worse in between`() {
    _ = record(fix(5), of: "0a", at: 0)
    for second in 1...30 {
      let accuracy = second % 8 == 0 ? 6.0 : 4
      #expect(record(fix(accuracy), of: "1a", at: Double(second)) == false)
    }
    #expect(best.selected == receiver("0a"))
  }

  @Test mutating func `stays where it is the best itself in between`() {
    _ = record(fix(5), of: "0a", at: 0)
    for second in 1...30 {
      #expect(record(fix(4), of: "1a", at: Double(second)) == false)
      guard second % 8 == 0 else { continue }
      #expect(record(fix(3), of: "0a", at: Double(second)) == false)
      #expect(record(fix(5), of: "0a", at: Double(second)) == false)
    }
    #expect(best.selected == receiver("0a"))
  }

  @Test mutating func `changes when it was worse than others for ten seconds, one or another`() {
    _ = record(fix(5), of: "0a", at: 0)
    #expect(record(fix(3), of: "1a", at: 1) == false)
    #expect(record(fix(4), of: "2a", at: 2) == false)
    #expect(recordLoss(of: "1a") == false)
    #expect(record(fix(4), of: "2a", at: 10.5) == false)
    #expect(record(fix(4), of: "2a", at: 11) == true)
    #expect(best.selected == receiver("2a"))
  }

  @Test mutating func `begins to count again when the better one was lost`() {
    _ = record(fix(5), of: "0a", at: 0)
    #expect(record(fix(4), of: "1a", at: 1) == false)
    #expect(recordLoss(of: "1a") == false)
    #expect(record(fix(4), of: "1a", at: 9) == false)
    #expect(record(fix(4), of: "1a", at: 18.9) == false)
    #expect(record(fix(4), of: "1a", at: 19) == true)
  }

  @Test mutating func `begins to count again after each change`() {
    _ = record(fix(5), of: "0a", at: 0)
    _ = record(fix(4), of: "1a", at: 1)
    #expect(record(fix(4), of: "1a", at: 11) == true)
    #expect(record(fix(3), of: "0a", at: 12) == false)
    #expect(record(fix(3), of: "0a", at: 21.9) == false)
    #expect(record(fix(3), of: "0a", at: 22) == true)
    // A receiver that took the place of a lost one was not better before.
    #expect(record(fix(2), of: "1a", at: 30) == false)
    _ = record(fix(4), of: "2a", at: 31)
    #expect(recordLoss(of: "0a") == true)
    #expect(best.selected == receiver("1a"))
    #expect(record(fix(1), of: "2a", at: 41) == false)
  }

  @Test mutating func `leaves one without a fix at once, for the best of the others`() {
    _ = record(fix(5), of: "0a", at: 0)
    _ = record(fix(9), of: "1a", at: 1)
    _ = record(fix(8), of: "2a", at: 1)
    _ = record(fix(8), of: "3a", at: 1)
    #expect(recordLoss(of: "1a") == false)
    #expect(recordLoss(of: "0a") == true)
    #expect(best.selected == receiver("2a"))
    #expect(recordLoss(of: "3a") == false)
    #expect(recordLoss(of: "2a") == true)
    #expect(best.selected == nil)
    #expect(best.selectedFix == nil)
    #expect(recordLoss(of: "2a") == false)
  }

  @Test mutating func `is as good as the best receiver of a source`() {
    _ = record(fix(5), of: "0a", at: 0)
    for second in 1..<11 {
      #expect(record(fix(4), of: "1b", at: Double(second)) == false)
      #expect(record(fix(9), of: "1c", at: Double(second) + 0.1) == false)
      #expect(recordLoss(of: "1c") == false)
    }
    #expect(record(fix(4), of: "1b", at: 11) == true)
    #expect(best.selected == receiver("1b"))
  }

  @Test mutating func `stays with a source while one of its receivers has a fix`() {
    _ = record(fix(5), of: "0a", at: 0)
    _ = record(fix(20), of: "0b", at: 0)
    _ = record(fix(30), of: "0c", at: 0)
    _ = record(fix(9), of: "1a", at: 0)
    #expect(recordLoss(of: "0a") == true)
    #expect(best.selected == receiver("0b"))
    // The other source is better now, and is taken after ten seconds.
    #expect(record(fix(9), of: "1a", at: 1) == false)
    #expect(record(fix(9), of: "1a", at: 11) == true)
    #expect(best.selected == receiver("1a"))
  }

  @Test mutating func `leaves a source that is gone with all its receivers`() {
    _ = record(fix(5), of: "0a", at: 0)
    _ = record(fix(6), of: "0b", at: 0)
    _ = record(fix(9), of: "1a", at: 0)
    #expect(best.recordLoss(of: 1) == false)
    _ = record(fix(9), of: "1a", at: 0)
    #expect(best.recordLoss(of: 0) == true)
    #expect(best.selected == receiver("1a"))
    #expect(best.recordLoss(of: 1) == true)
    #expect(best.selected == nil)
  }

  @Test mutating func `distinguishes receivers by the bytes of their paths`() {
    let composed = BestSource.Receiver(source: 0, path: "/dev/\u{e9}")
    let decomposed = BestSource.Receiver(source: 0, path: "/dev/e\u{301}")
    _ = best.record(fix(5), of: composed, at: Reports.moment(0))
    _ = best.record(fix(6), of: decomposed, at: Reports.moment(0))
    #expect(best.recordLoss(of: decomposed) == false)
    #expect(best.recordLoss(of: composed) == true)
    #expect(best.selected == nil)
    #expect(BestSource.Receiver(source: 0, path: nil) != BestSource.Receiver(source: 0, path: ""))
    #expect(BestSource.Receiver(source: 0, path: nil) != BestSource.Receiver(source: 1, path: nil))
  }
}
