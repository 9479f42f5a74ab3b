import Foundation

/// Whether a record of `--class` says what gpsd sent.
package enum PassedOnCheck {
  /// Returns what is wrong; `nil` if nothing is.
  ///
  /// - Parameters:
  ///   - kind: The class of the report.
  ///   - sent: The report.
  package static func complaint(about bytes: [UInt8], kind: String, sent: String) -> String? {
    if let complaint = RecordCheck.complaintAboutText(bytes) { return complaint }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasSuffix("\n"), let record = JSONTree(text) else { return "it does not parse" }
    guard record["type"] == .string("report") else { return "it is no report" }
    guard record["class"] == .string(kind) else { return "it is of another class" }
    guard let report = JSONTree(sent) else { return "what was sent does not parse" }
    guard record["report"] == report else { return "it says something else" }
    guard record["device"] == report["device"] else { return "it is of another device" }
    return complaint(aboutOffset: record["offset"], of: report)
  }

  /// The offset is that of two times, if both are known.
  private static func complaint(aboutOffset offset: JSONTree?, of report: JSONTree) -> String? {
    guard let offset else { return nil }
    guard case .number(let number) = offset else { return "the offset is no number" }
    func value(_ name: String) -> Double? {
      guard case .number(let number)? = report[name] else { return nil }
      return number.double
    }
    guard let realSecond = value("real_sec"), let realNanosecond = value("real_nsec"),
      let clockSecond = value("clock_sec"), let clockNanosecond = value("clock_nsec")
    else { return "an offset of unknown times" }
    let expected = clockSecond - realSecond + (clockNanosecond - realNanosecond) / 1e9
    // More than 292 years are not counted.
    let limited = min(max(expected, -9_223_372_036.854_776), 9_223_372_036.854_776)
    guard abs(number.double - limited) <= 1e-6 else { return "the offset is not \(limited)" }
    return nil
  }
}
