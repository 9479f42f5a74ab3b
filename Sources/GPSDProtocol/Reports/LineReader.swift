package import LocationCore

/// Reads what ``GPSDDecoder`` does not decode: the receiver of a report that is passed on, the reports inside a `POLL`,
/// and the lines that only locwatch writes.
package struct LineReader: Sendable {
  private var origins = ReportReader(ReportOrigin())
  private var corrections = ReportReader(CorrectionsRecord())
  private var link = ReportReader(LinkRecord())
  private var poll = ReportReader(PollRecord())

  package init() {}

  /// Returns the receiver that a report names; `nil` if it names none.
  package mutating func device(in line: ArraySlice<UInt8>) -> String? {
    origins.read(line.span)?.device
  }

  /// Returns the last `TPV` and `SKY` reports in a `POLL` report.
  package mutating func lastReports(
    in line: ArraySlice<UInt8>
  ) -> (positions: [ArraySlice<UInt8>], skies: [ArraySlice<UInt8>]) {
    guard let poll = poll.read(line.span) else { return ([], []) }
    func reports(at places: [Range<Int>]) -> [ArraySlice<UInt8>] {
      places.map { line.dropFirst($0.lowerBound).prefix($0.count) }
    }
    return (reports(at: poll.positions), reports(at: poll.skies))
  }

  /// Returns what a line of a ``CorrectionsRecord`` says; `nil` if it says nothing.
  package mutating func corrections(in line: ArraySlice<UInt8>) -> Corrections? {
    corrections.read(line.span)?.corrections
  }

  /// Returns the failure that a line of a ``LinkRecord`` describes; `nil` if it describes none.
  package mutating func failure(in line: ArraySlice<UInt8>) -> LocationEvent? {
    link.read(line.span)?.failure
  }
}
