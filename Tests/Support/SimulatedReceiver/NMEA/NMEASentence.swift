/// One NMEA 0183 sentence.
package struct NMEASentence: Hashable, Sendable {
  /// What stands between `$` and `*`: the address, then the fields.
  package let body: String

  package init(_ fields: [String]) {
    body = fields.joined(separator: ",")
  }

  /// The exclusive or of the body's bytes.
  package var checksum: UInt8 {
    body.utf8.reduce(0, ^)
  }

  /// The sentence as it goes over the line, without its line end.
  package var text: String {
    let digits = String(checksum, radix: 16, uppercase: true)
    return "$\(body)*\(checksum < 16 ? "0" : "")\(digits)"
  }
}
