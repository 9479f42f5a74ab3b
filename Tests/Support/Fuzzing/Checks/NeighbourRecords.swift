import Foundation
import LocationCore
import LocationSamples

/// Whether each report of some neighbours is one record of JSON, as it was sent, and of its source.
package struct NeighbourRecords {
  /// What is known of one neighbour.
  package struct Expected {
    /// The name of the source; `nil` if it can be any.
    package var source: String?
    package var count: Int

    package init(source: String?, count: Int) {
      self.source = source
      self.count = count
    }
  }

  private let expected: [String: Expected]
  private let isOrdered: Bool
  private var seen: [String: Set<Int>] = [:]
  private var last: [String: Int] = [:]

  /// - Parameters:
  ///   - expected: The neighbours by their paths.
  ///   - isOrdered: Whether the fixes of a neighbour come in their order.
  package init(_ expected: [String: Expected], isOrdered: Bool = true) {
    self.expected = expected
    self.isOrdered = isOrdered
  }

  /// Returns what is wrong with the records of a whole output; `nil` if nothing is.
  package mutating func complaint(about bytes: [UInt8]) -> String? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let record = Array(line) + [UInt8(ascii: "\n")]
      if let complaint = RecordCheck.complaint(about: record, .json) ?? complaint(aboutLine: line) {
        return "\(complaint): \(String(decoding: line, as: UTF8.self))"
      }
    }
    for (path, neighbour) in expected.sorted(by: { $0.key < $1.key }) {
      let found = seen[path, default: []].count
      if found != neighbour.count { return "\(found) of \(neighbour.count) fixes of \(path)" }
    }
    return nil
  }

  private mutating func complaint(aboutLine line: ArraySlice<UInt8>) -> String? {
    guard
      let record = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
      record["type"] as? String == "fix", let path = record["device"] as? String,
      let neighbour = expected[path]
    else { return nil }
    guard let time = (record["time"] as? String).flatMap({ Timestamp(iso8601: $0) }) else {
      return "a fix without its time"
    }
    let index = Int(Neighbour.time(of: 0).duration(to: time) / .seconds(1))
    guard (0..<neighbour.count).contains(index) else { return "a fix that nobody sent" }
    guard seen[path, default: []].insert(index).inserted else { return "a fix comes again" }
    guard !isOrdered || index > last[path, default: -1] else { return "a fix comes too late" }
    last[path] = index
    guard record["lat"] as? Double == Neighbour.latitude(of: index),
      record["altMSL"] as? Double == 545.4
    else { return "a fix is not as it was sent" }
    if let source = neighbour.source, record["source"] as? String != source {
      return "a fix of \(source) has another source"
    }
    return nil
  }
}
