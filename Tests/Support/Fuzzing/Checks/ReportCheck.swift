import Foundation
import LocationCore
import LocationReports
import LocationSamples

/// Whether a report can be written in all its forms, and says nothing that cannot be.
package enum ReportCheck {
  static func complaint(about report: LocationReport, source: String?) -> String? {
    if let complaint = complaint(aboutJSON: report.json(source: source)) {
      return "the JSON: \(complaint)"
    }
    if let complaint = complaint(aboutText: report.text()) { return "the text: \(complaint)" }
    return complaint(aboutPage: report.page(source: source)).map { "the page: \($0)" }
  }

  /// What is wrong with a page, in which a no-break space binds a unit to its number.
  package static func complaint(aboutPage page: String) -> String? {
    let pieces = page.split(separator: "\u{A0}", omittingEmptySubsequences: false)
    guard pieces.dropLast().allSatisfy({ $0.last?.isNumber == true }) else {
      return "a no-break space that follows no number"
    }
    return complaint(aboutText: pieces.joined(separator: " ")) ?? PageCheck.complaint(about: page)
  }

  package static func complaint(aboutText text: String) -> String? {
    if let word = OddWords.first(in: text) {
      let line = text.split(separator: "\n").first { OddWords.first(in: $0) != nil } ?? ""
      return "it says \(word): \(line.prefix(200))"
    }
    return RecordCheck.complaintAboutText(Array(text.utf8))
  }

  package static func complaint(aboutJSON text: String) -> String? {
    if let word = OddWords.first(in: text) { return "it says \(word)" }
    guard
      let report = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      let receivers = report["receivers"] as? [[String: Any]]
    else { return "it does not parse: \(text.prefix(200))" }
    return receivers.lazy.compactMap { complaint(aboutReceiver: $0) }.first
  }

  /// What is wrong with the numbers of a receiver.
  private static func complaint(aboutReceiver receiver: [String: Any]) -> String? {
    func number(_ name: String, of object: [String: Any] = [:]) -> Double? {
      (object[name] ?? receiver[name]) as? Double
    }
    guard let fixes = number("fixes"), let fixes3D = number("fixes3d"), fixes3D >= 0,
      fixes >= fixes3D
    else { return "more fixes in 3D than fixes" }
    for name in ["availability", "availability3d"] {
      if let share = number(name), !(0...1).contains(share) { return "\(name) is \(share)" }
    }
    let lengths = [
      "observed", "firstFix", "cep50", "r95", "r99", "drms", "2drms", "vep50", "vep95",
    ]
    for name in lengths {
      if let length = number(name), length < 0 { return "\(name) is \(length)" }
    }
    if let cep50 = number("cep50"), let r95 = number("r95"), let r99 = number("r99"),
      cep50 > r95 || r95 > r99
    {
      return "half are within \(cep50) m, 95 % within \(r95) m, 99 % within \(r99) m"
    }
    let states = receiver["states"] as? [String: Double] ?? [:]
    let sum = states.values.reduce(0, +)
    // Each number is rounded to a thousandth.
    if abs(sum - (number("observed") ?? 0)) > 0.01 + sum * 1e-9 {
      return "the states take \(sum) s of \(number("observed") ?? 0)"
    }
    let places = [receiver["centre"] as? [String: Any]] + outages(of: receiver)
    for place in places.compactMap(\.self) {
      if let latitude = place["lat"] as? Double, abs(latitude) > 90 { return "lat \(latitude)" }
      if let longitude = place["lon"] as? Double, abs(longitude) > 180 { return "lon \(longitude)" }
    }
    for outage in outages(of: receiver) {
      guard let length = outage["duration"] as? Double, length >= 0 else {
        return "an outage without a length"
      }
    }
    return complaint(aboutDoubtsOf: receiver) ?? complaint(aboutTripsOf: receiver)
  }

  /// What is wrong with the times in which a receiver was doubted.
  private static func complaint(aboutDoubtsOf receiver: [String: Any]) -> String? {
    let doubts = receiver["doubts"] as? [[String: Any]] ?? []
    let doubted = receiver["doubted"] as? Double ?? 0
    let count = receiver["doubtCount"] as? Int ?? 0
    guard count >= doubts.count, count > 0 || doubted == 0 else { return "\(count) doubts" }
    // Each number is rounded to a thousandth.
    let limit = (receiver["observed"] as? Double ?? 0) + 0.001
    guard (0...limit).contains(doubted) else { return "doubted for \(doubted) s" }
    for time in doubts {
      guard let name = time["doubt"] as? String, Doubt(rawValue: name) != nil,
        let length = time["duration"] as? Double, (0...doubted + 0.001).contains(length)
      else { return "a doubt without a reason or a length: \(time)" }
    }
    return nil
  }

  /// What is wrong with the legs and stops of a receiver.
  private static func complaint(aboutTripsOf receiver: [String: Any]) -> String? {
    guard let legs = receiver["legs"] as? [[String: Any]],
      let stops = receiver["stops"] as? [[String: Any]],
      let legCount = receiver["legCount"] as? Int, legCount >= legs.count,
      let stopCount = receiver["stopCount"] as? Int, stopCount >= stops.count
    else { return "no lists of legs and stops, or more than their numbers" }
    for leg in legs {
      for name in ["distance", "duration", "moving"] {
        guard let number = leg[name] as? Double, number >= 0 else { return "a leg without \(name)" }
      }
      let speeds = ["speedMean", "speedMoving", "speedTop"].compactMap { leg[$0] as? Double }
      // Each number is rounded to a thousandth.
      for (low, high) in zip(speeds, speeds.dropFirst()) where low > high + 0.001 {
        return "a leg with the speeds \(speeds)"
      }
      if let moving = leg["moving"] as? Double, let length = leg["duration"] as? Double,
        moving > length + 0.001
      {
        return "a leg of \(length) s that moves for \(moving) s"
      }
      guard leg["from"] is [String: Any], leg["to"] is [String: Any] else {
        return "a leg without ends"
      }
    }
    for stop in stops {
      guard let length = stop["duration"] as? Double, length >= 119.9 else {
        return "a stop of less than two minutes"
      }
    }
    for gap in receiver["gaps"] as? [[String: Any]] ?? [] {
      guard let length = gap["duration"] as? Double, length > 3 else {
        return "a gap of less than a jump"
      }
    }
    return nil
  }

  private static func outages(of receiver: [String: Any]) -> [[String: Any]] {
    receiver["outages"] as? [[String: Any]] ?? []
  }
}
