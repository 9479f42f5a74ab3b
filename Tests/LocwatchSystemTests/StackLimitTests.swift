import Testing

@testable import LocwatchSystem

@Suite struct `The limit of the stack` {
  private static let cases: [(limit: UInt, obstacle: String?)] = [
    (16_384, "the stack is limited to 16 KiB, and locwatch needs 256: 'ulimit -s 256'"),
    (262_143, "the stack is limited to 255 KiB, and locwatch needs 256: 'ulimit -s 256'"),
    (262_144, nil), (8_388_608, nil), (UInt.max, nil),
  ]

  /// Fault 121.
  @Test(arguments: cases.map { ($0.limit, $0.obstacle) })
  func `is named where it is too low`(limit: UInt, obstacle: String?) {
    #expect(StackLimit.obstacle(limit) == obstacle)
  }

  @Test func `is that of the process`() { #expect(StackLimit.current > 0) }
}
