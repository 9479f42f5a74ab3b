import Testing

@testable import LocationCore

@Suite struct `The best source` {
  private var best = BestSource()

  private func fix(
    _ accuracy: Double, _ quality: FixQuality? = nil, _ mode: FixMode = .fix3D
  ) -> LocationFix {
    var fix = Reports.locationFix(0, mode)
    fix.eph = accuracy
    fix.quality = quality
    return fix
  }

  @Test func `goes by the quality first, then by the accuracy`() {
    let order = [
      fix(0.1, .simulated), fix(0.1, nil, .fix2D), fix(9), fix(4, .gps), fix(20, .dgps),
      fix(30, .rtkFloat), fix(40, .rtkFixed),
    ].map(BestSource.Grade.init)
    #expect(order == order.sorted())
    #expect(BestSource.Grade(fix(5, .timeOnly)) < BestSource.Grade(fix(50)))
  }

  @Test mutating func `is the first with a fix, and changes after ten seconds of a better one`() {
    #expect(best.note(fix(5), of: 0, at: Reports.moment(0)) == true)
    for second in 1...10 {
      #expect(best.note(fix(4), of: 1, at: Reports.moment(Double(second))) == false)
    }
    #expect(best.note(fix(5), of: 0, at: Reports.moment(10.9)) == false)
    #expect(best.note(fix(4), of: 1, at: Reports.moment(11)) == true)
    #expect(best.selected == 1)
  }

  @Test mutating func `stays where the better one is worse in between`() {
    _ = best.note(fix(5), of: 0, at: Reports.moment(0))
    for second in 1...30 {
      let accuracy = second % 8 == 0 ? 6.0 : 4
      #expect(best.note(fix(accuracy), of: 1, at: Reports.moment(Double(second))) == false)
    }
    #expect(best.selected == 0)
  }

  @Test mutating func `leaves one without a fix at once`() {
    _ = best.note(fix(5), of: 0, at: Reports.moment(0))
    _ = best.note(fix(9), of: 1, at: Reports.moment(1))
    _ = best.note(fix(8), of: 2, at: Reports.moment(1))
    #expect(best.noteLoss(of: 1) == false)
    #expect(best.noteLoss(of: 0) == true)
    #expect(best.selected == 2)
    #expect(best.noteLoss(of: 2) == true)
    #expect(best.selected == nil)
  }
}
