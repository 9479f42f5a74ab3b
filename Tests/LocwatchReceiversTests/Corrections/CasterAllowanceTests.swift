import LocationCore
import Testing

@testable import LocwatchReceivers

/// Fault 118.
@Suite struct `What a caster may send` {
  private let burst = 256 * 1024
  private let rate = 64 * 1024

  private func moment(_ milliseconds: Int64) -> Moment {
    Moment(uptime: .milliseconds(milliseconds))
  }

  @Test func `is 256 KiB at once, and 64 KiB for each second that has passed`() {
    var allowance = CasterAllowance()
    #expect(allowance.take(burst, at: moment(1000)) == true)
    #expect(allowance.take(1, at: moment(1000)) == false)
    var other = CasterAllowance()
    #expect(other.take(burst, at: moment(1000)) == true)
    #expect(other.take(rate, at: moment(2000)) == true)
    #expect(other.take(100, at: moment(2000)) == false)
  }

  @Test func `does not grow while the caster is silent`() {
    var allowance = CasterAllowance()
    #expect(allowance.take(1, at: moment(0)) == true)
    #expect(allowance.take(burst, at: moment(3_600_000)) == true)
    #expect(allowance.take(1, at: moment(3_600_000)) == false)
  }

  @Test func `is 64 KiB a second in the long run, in pieces of any size`() {
    var allowance = CasterAllowance()
    for tenth in 0..<1000 {
      #expect(allowance.take(rate / 10, at: moment(Int64(tenth) * 100)) == true)
    }
    var single = CasterAllowance()
    var milliseconds: Int64 = 0
    while single.take(130, at: moment(milliseconds)), milliseconds < 10_000 { milliseconds += 1 }
    // Twice the rate uses up the burst in 4 s.
    #expect(3900...4100 ~= milliseconds)
  }
}
