/// What a file is that has no reports of gpsd's, as far as its first line tells.
enum ForeignFile: Equatable {
  case gzip, nmea, ubx, gpx, xml
  /// gpsd's JSON behind something else.
  case stampedJSON
  /// What locwatch itself writes.
  case records
  case unknown

  /// - Parameter line: The first bytes of the first line that is no report.
  init(_ line: [UInt8]) {
    let text = line.drop { [0x20, 0x09, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    self =
      if line.starts(with: [0x1F, 0x8B]) {
        .gzip
      } else if line.starts(with: [0xB5, 0x62]) {
        .ubx
      } else if Self.isSentence(text) {
        .nmea
      } else if text.starts(with: "<".utf8) {
        Self.has("<gpx", in: text) ? .gpx : .xml
      } else if text.starts(with: #"{"type":""#.utf8) {
        .records
      } else if !text.starts(with: "{".utf8), Self.has(#"{"class":""#, in: text) {
        .stampedJSON
      } else {
        .unknown
      }
  }

  /// The library's `contains` would bring its regular expressions along, 2 MB.
  private static func has(_ word: String, in text: ArraySlice<UInt8>) -> Bool {
    text.indices.contains { text[$0...].starts(with: word.utf8) }
  }

  /// Whether a line begins as `$GPGGA,` or `!AIVDM,` does.
  private static func isSentence(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, "$!".utf8.contains(first) else { return false }
    let address = text.dropFirst().prefix { $0 != UInt8(ascii: ",") }
    return (3...12).contains(address.count) && address.count < text.count - 1
      && address.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }

  /// What it is, in a sentence about it.
  var words: String {
    switch self {
    case .gzip: "it is compressed"
    case .nmea: "it is NMEA, what a receiver sends"
    case .ubx: "it is UBX, what a u-blox receiver sends"
    case .gpx: "it is GPX"
    case .xml: "it is XML"
    case .stampedJSON: "it has something before each report, as 'gpspipe -t' writes it"
    case .records: "it is what locwatch --json writes"
    case .unknown: "it is not gpsd's JSON"
    }
  }

  /// What to do instead.
  var hint: String {
    switch self {
    case .gzip: "'gzip -dc FILE | locwatch --replay -' reads it."
    case .stampedJSON: "\"sed 's/^[^{]*//' FILE | locwatch --replay -\" reads it."
    case .nmea, .ubx, .gpx, .xml, .records, .unknown:
      "'locwatch --record FILE' and 'gpspipe -w' write what can be replayed."
    }
  }
}
