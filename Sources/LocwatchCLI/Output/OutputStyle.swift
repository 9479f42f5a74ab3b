package import LocationFormats
import LocationReports

/// How one source is shown: its name, and what its records are like.
package struct OutputStyle: Sendable {
  package var format = LocationFormat.text
  var records = RecordStyle()
  /// The name of one of several sources; `nil` for the only one.
  var member: String?
  /// A fix that waits longer than this for a reader is written as not current; `nil` for 5 s.
  var stale: Duration?
  var stops = StopCriteria()

  /// Returns what makes the records of a document.
  ///
  /// - Parameter usesColor: Whether text records are coloured.
  package func makeRenderer(usesColor: Bool = false) -> any Renderer {
    var style = records
    style.usesColor = usesColor
    return format.makeRenderer(style)
  }
}
