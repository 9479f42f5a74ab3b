import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationReports

/// How many runs of each kind of rows say the truth.
///
/// With `LOCWATCH_TRUTH_SEEDS=20`, all rows run with 20 seeds each, which takes minutes.
@Suite struct `The tables of truth` {
  private static let seeds = ProcessInfo.processInfo.environment["LOCWATCH_TRUTH_SEEDS"]
    .flatMap { Int($0) }

  /// Returns the kinds with the part of their runs that say the truth.
  private func truth(of rows: [TruthRow], each step: Int) -> [String: Double] {
    let rows = rows.enumerated().filter { Self.seeds != nil || $0.offset % step == 0 }.map(
      \.element)
    let seeds = 1...(Self.seeds ?? 1)
    var counts: [String: (right: Int, all: Int)] = [:]
    for row in rows {
      let right = seeds.count { row.isTrue(TripLog(row.fixes($0))) }
      counts[row.kind, default: (0, 0)].right += right
      counts[row.kind, default: (0, 0)].all += seeds.count
    }
    if Self.seeds != nil {
      for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
        print("\(kind): \(count.right) of \(count.all)")
      }
    }
    return counts.mapValues { Double($0.right) / Double($0.all) }
  }

  @Test func `a receiver that stands for hours covers no distance`() {
    for (kind, part) in truth(of: TruthRow.still, each: 13) { #expect(part >= 0.98, "\(kind)") }
  }

  @Test func `a receiver that moves 6 km makes one leg of 6 km`() {
    for (kind, part) in truth(of: TruthRow.moving, each: 7) { #expect(part >= 0.92, "\(kind)") }
  }

  @Test func `a drive in a town is one leg between two stops`() {
    for (kind, part) in truth(of: TruthRow.town, each: 5) { #expect(part >= 0.98, "\(kind)") }
  }

  @Test func `at home, positions with errors of 800 m add no distance`() {
    for (kind, part) in truth(of: TruthRow.atHome, each: 1) { #expect(part == 1, "\(kind)") }
  }

  @Test func `a parked receiver makes one stop`() {
    for (kind, part) in truth(of: TruthRow.parked, each: 7) { #expect(part >= 0.98, "\(kind)") }
  }

  @Test func `distances are right with and without a speed`() {
    for (kind, part) in truth(of: TruthRow.trips, each: 7) { #expect(part >= 0.95, "\(kind)") }
  }

  @Test func `climbs are right to 4 %`() {
    for (kind, part) in truth(of: TruthRow.climbs, each: 1) { #expect(part >= 0.8, "\(kind)") }
  }
}
