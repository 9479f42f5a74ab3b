/// What a file has in it, as far as it was read and until that is known.
package struct RecordingContents: Sendable {
  /// As much of a line tells what wrote it.
  private static let longestSample = 512

  /// The file's name, for people.
  package let name: String
  /// Whether nothing was in it.
  package var isEmpty = true
  /// Whether it has reports of gpsd's at all.
  package private(set) var hasReports = false
  /// Whether one of them is more than the greeting that gpsd has for everybody, before NMEA as well.
  package private(set) var isOfReceivers = false
  /// What the first line begins with that is no report; empty where that line is too long to look at.
  package private(set) var foreign: [UInt8]?

  init(name: String) { self.name = name }

  mutating func note(_ line: ArraySlice<UInt8>, by decoder: inout GPSDDecoder) {
    switch decoder.decode(line.span) {
    case .blank: break
    case .malformed: foreign = foreign ?? Array(line.prefix(Self.longestSample))
    case .version, .devices, .watch: hasReports = true
    case .tpv, .sky, .gst, .att, .device, .error, .other:
      hasReports = true
      isOfReceivers = true
    }
  }

  mutating func noteDiscard() { foreign = foreign ?? [] }
}
