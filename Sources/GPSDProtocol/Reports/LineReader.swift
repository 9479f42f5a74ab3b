package import LocationCore

/// Reads what ``GPSDDecoder`` does not decode: the receiver of a report that is passed on, and the lines that only
/// locwatch writes.
package struct LineReader: Sendable {
  private var origins = ReportReader(ReportOrigin())
  private var corrections = ReportReader(CorrectionsRecord())
  private var link = ReportReader(LinkRecord())

  package init() {}

  /// Returns the receiver that a report names; `nil` if it names none.
  package mutating func device(in line: ArraySlice<UInt8>) -> String? {
    origins.read(line.span)?.device
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
