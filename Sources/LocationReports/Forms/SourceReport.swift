import LocationText

/// The report of one source, among those of several.
package struct SourceReport: Sendable {
  /// `nil` for a source without a name.
  package var name: String?
  package var report: LocationReport

  package init(_ name: String?, _ report: LocationReport) {
    self.name = name
    self.report = report
  }
}

extension [SourceReport] {
  /// The names of the sources; `nil` if the only one has none.
  var title: String? {
    let names = compactMap(\.name)
    return switch names.count {
    case 0: nil
    case 1...4: Text.list(names)
    default: Text.list(names.prefix(3) + ["\(names.count - 3) more"])
    }
  }
}

extension ReceiverReport {
  /// The name of the receiver, after the name of its source if there are several sources.
  func title(of source: SourceReport, among sources: [SourceReport]) -> String {
    let device = device ?? "the receiver"
    guard sources.count > 1, let name = source.name else { return device }
    return "\(name): \(device)"
  }
}
