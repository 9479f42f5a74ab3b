import GPSDProtocol

/// A description of a file's contents, from as many lines as it takes to recognise them.
package struct RecordingContents: Sendable {
  /// Enough of a line to recognise the program that wrote it.
  private static let sampleLength = 512

  /// The file's name, for people.
  package let name: String
  /// Whether the file is empty.
  package var isEmpty = true
  /// Whether the file contains any of gpsd's reports.
  package private(set) var hasReports = false
  /// Whether a report goes beyond the greeting that gpsd sends to every client, also before NMEA.
  package private(set) var isOfReceivers = false
  /// Whether the file contains answers to `?POLL`, which repeat reports that the file may not contain.
  private var answersPolls = false
  /// The beginning of the first line that is not a report; empty if that line is too long.
  package private(set) var foreign: [UInt8]?

  init(name: String) { self.name = name }

  mutating func record(_ line: ArraySlice<UInt8>, by decoder: inout GPSDDecoder) {
    // A recording in which gpsd was never there has no reports.
    guard OwnLine(line) == nil else { return }
    switch decoder.decode(line.span) {
    case .blank: break
    case .malformed: foreign = foreign ?? Array(line.prefix(Self.sampleLength))
    case .version, .devices, .watch: hasReports = true
    case .other where decoder.otherClass == "POLL":
      hasReports = true
      answersPolls = true
    case .tpv, .sky, .gst, .att, .device, .error, .other:
      hasReports = true
      isOfReceivers = true
    }
  }

  /// Whether the file contains answers to `?POLL`, and no report that gpsd sent by itself.
  package var hasOnlyPolls: Bool { answersPolls && !isOfReceivers }

  mutating func recordDiscard() { foreign = foreign ?? [] }
}
