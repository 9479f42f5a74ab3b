import LocationText

@testable import LocationReports

extension Figure {
  /// Returns the data of the paths of a class, in the order in which they are drawn.
  func paths(_ kind: String) -> [Substring] {
    drawing.buffer.string.split(
      separator: "<path class=\"\(kind)\" d=\"", omittingEmptySubsequences: false
    )
    .dropFirst().map { $0.prefix { $0 != "\"" } }
  }
}
