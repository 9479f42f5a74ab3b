import LocationText

/// The kind of a file without gpsd reports, judged by its first line.
package enum ForeignFile: Equatable {
  case gzip, nmea, ubx, gpx, xml
  /// gpsd's JSON with a prefix on each line.
  case stampedJSON
  /// The output of `locwatch --json`.
  case records
  case unknown

  /// - Parameter line: The beginning of the first line that is not a report.
  package init(_ line: [UInt8]) {
    let text = line.drop { [0x20, 0x09, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    self =
      if line.starts(with: [0x1F, 0x8B]) {
        .gzip
      } else if line.starts(with: [0xB5, 0x62]) {
        .ubx
      } else if Self.isSentence(text) {
        .nmea
      } else if text.starts(with: "<".utf8) {
        text.contains(part: "<gpx".utf8) ? .gpx : .xml
      } else if text.starts(with: #"{"type":""#.utf8) {
        .records
      } else if !text.starts(with: "{".utf8), text.contains(part: #"{"class":""#.utf8) {
        .stampedJSON
      } else {
        .unknown
      }
  }

  /// Whether a line begins like `$GPGGA,` or `!AIVDM,`.
  private static func isSentence(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, "$!".utf8.contains(first) else { return false }
    let address = text.dropFirst().prefix { $0 != UInt8(ascii: ",") }
    return (3...12).contains(address.count) && address.count < text.count - 1
      && address.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }

  /// What the file contains.
  package var message: String {
    switch self {
    case .gzip: "it is compressed twice"
    case .nmea: "it is NMEA, as a receiver sends it"
    case .ubx: "it is UBX, as a u-blox receiver sends it"
    case .gpx: "it is GPX"
    case .xml: "it is XML"
    case .stampedJSON: "each report has a prefix, as 'gpspipe -t' writes it"
    case .records: "it is the output of locwatch --json"
    case .unknown: "it is neither gpsd's JSON nor a receiver's log"
    }
  }

  /// What to do instead.
  package var hint: String {
    switch self {
    case .gzip: "'gzip -dc FILE | locwatch --replay -' decompresses both."
    case .stampedJSON: "\"sed 's/^[^{]*//' FILE | locwatch --replay -\" reads it."
    case .nmea, .ubx: "A receiver's log is read from a file that begins with it."
    case .gpx, .xml, .records, .unknown:
      "'locwatch --record FILE' and 'gpspipe -w' write files that can be replayed."
    }
  }
}
