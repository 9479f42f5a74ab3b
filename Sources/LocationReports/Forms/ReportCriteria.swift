import LocationCore
import LocationText

/// The sentence of a report about the criteria that exclude fixes.
enum ReportCriteria {
  /// Returns how many fixes of a receiver count, and why; `nil` if all fixes meet the criteria.
  static func sentence(about receiver: ReceiverReport, _ criteria: FixCriteria) -> String? {
    let parts = parts(of: criteria)
    guard !parts.isEmpty else { return nil }
    let all = receiver.fixCount + receiver.leftOutFixCount
    return
      "\(receiver.fixCount) of \(all) fixes count: only those \(parts.joined(separator: ", ")). "
      + "States, availability, outages and satellites describe the receiver, whichever fixes count."
  }

  /// `in 3D`, `of quality dgps or better`, `accurate to 5 m`, and so on.
  fileprivate static func parts(of criteria: FixCriteria) -> [String] {
    [
      criteria.request.minimumMode == .fix3D ? "in 3D" : nil,
      criteria.request.minimumQuality.map { "of quality \($0.name) or better" },
      criteria.request.desiredAccuracy.map { "accurate to \(number($0)) m" },
      criteria.request.onlyBelieved ? "believed" : nil,
      criteria.minMove.map { "more than \(number($0)) m from the one before" },
      criteria.interval.map { "the first of each \(Text.duration($0))" },
    ].compactMap(\.self)
  }

  private static func number(_ metres: Double) -> String {
    if metres == metres.rounded() { return Text.rounded(metres, places: 0) }
    var text = TextBuffer()
    text.append(number: metres)
    return text.string
  }
}

extension FixCriteria {
  /// Whether a fix can fail to meet the criteria.
  var leavesOutFixes: Bool { !ReportCriteria.parts(of: self).isEmpty }
}
