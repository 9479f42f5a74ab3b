package import LocwatchReceivers

/// Whether gpsd got a whole log, and each of its reports was passed on.
package struct FeedCheck {
  private static let ownClasses = ["VERSION", "DEVICES", "DEVICE", "WATCH", "ERROR"]

  /// What gpsd has to get, and what it got.
  private let log: [UInt8]
  private let read: [UInt8]
  /// What gpsd reported, without the answers to questions.
  private let reports: [String]
  /// The path in the reports, and what takes its place.
  private let path: String
  private let name: String
  /// Whether gpsd was made to fail, and whether somebody read to the end.
  private let mayFail: Bool
  private let hasReader: Bool

  package init(
    log: [UInt8], read: [UInt8], reports: [String], path: String, name: String,
    mayFail: Bool = false, hasReader: Bool = true
  ) {
    self.log = log
    self.read = read
    self.reports = reports
    self.path = path
    self.name = name
    self.mayFail = mayFail
    self.hasReader = hasReader
  }

  package func complaint(about outcome: LogFeed.Outcome, passedOn lines: [String]) -> String? {
    for (index, line) in lines.enumerated() {
      guard index < reports.count else { return "a report that gpsd did not send: \(line)" }
      let sent = JSONTree(reports[index])?.replacing(path, with: name)
      guard let tree = JSONTree(line), tree == sent else {
        return "\(reports[index]) became \(line)"
      }
    }
    switch outcome {
    case .complete(let hasReports):
      guard read == log else {
        return "gpsd got \(read.count) of \(log.count) bytes"
      }
      guard lines.count == reports.count || !hasReader else {
        return "\(lines.count) of \(reports.count) reports were passed on"
      }
      let expected = reports.contains { report in
        !Self.ownClasses.contains { report.hasPrefix("{\"class\":\"\($0)\"") }
      }
      return hasReports == expected ? nil : "it has \(expected ? "" : "no ")reports"
    case .unread: return !hasReader ? nil : "it takes the reader for gone"
    case .incomplete(let reason):
      guard log.starts(with: read) else { return "gpsd got something else" }
      return mayFail ? nil : "it ends early: \(reason)"
    }
  }
}

extension JSONTree {
  /// Returns the tree with one text replaced by another.
  fileprivate func replacing(_ text: String, with other: String) -> JSONTree {
    switch self {
    case .null, .bool, .number: self
    case .string(let string): .string(string == text ? other : string)
    case .list(let elements): .list(elements.map { $0.replacing(text, with: other) })
    case .object(let members):
      .object(
        members.map {
          Member($0.name == text ? other : $0.name, $0.value.replacing(text, with: other))
        })
    }
  }
}
