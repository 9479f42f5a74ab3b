package import LocationFormats
package import LocationReports

/// How one source is shown: its name, and the form of its records.
package struct OutputStyle: Sendable {
  package var format = LocationFormat.text
  package var records = RecordStyle()
  /// The name of one of several sources; `nil` for the only one.
  package var member: String?
  /// A fix that waits longer than this for a reader is written as not current; `nil` for 5 s.
  package var stale: Duration?
  package var stops = StopCriteria()

  package init(
    format: LocationFormat = .text, records: RecordStyle = RecordStyle(),
    member: String? = nil, stale: Duration? = nil, stops: StopCriteria = StopCriteria()
  ) {
    self.format = format
    self.records = records
    self.member = member
    self.stale = stale
    self.stops = stops
  }

  /// Returns the renderer for the records of a document.
  ///
  /// - Parameter usesColor: Whether text records are coloured.
  package func makeRenderer(usesColor: Bool = false) -> any Renderer {
    var style = records
    style.usesColor = usesColor
    return format.makeRenderer(style)
  }
}
