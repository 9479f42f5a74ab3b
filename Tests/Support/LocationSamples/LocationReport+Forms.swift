package import LocationReports
import LocationText

/// The forms in which the command `locwatch` writes a report.
extension LocationReport {
  /// Returns the report as an HTML page that includes its style and charts, and needs neither scripts nor the
  /// network.
  ///
  /// It has charts if the report was created with `countsFigures`.
  ///
  /// - Parameter source: The name of what was observed, for the title; `nil` for none.
  package func page(source: String? = nil) -> String {
    ReportPage.text(of: [SourceReport(source, self)]).string
  }

  /// Returns the report as one JSON object and a line end, with lengths in metres and durations in seconds.
  ///
  /// Members are left out if their value is unknown.
  ///
  /// - Parameter source: The name of what was observed, for the member `source`; `nil` for none.
  package func json(source: String? = nil) -> String {
    ReportJSON.text(of: [SourceReport(source, self)]).string
  }

  /// Returns the report as text for people: for each receiver a sentence, its figures, and its outages.
  package func text() -> String { ReportText.text(of: [SourceReport(nil, self)]).string }
}
