/// A sentence of NMEA 0183.
struct ReceivedSentence {
  /// The kind of the sentence, such as `GGA`.
  let formatter: String
  /// Whether it has a checksum, which is right.
  let hasChecksum: Bool
  /// The fields after the address.
  private let fields: ArraySlice<ArraySlice<UInt8>>

  /// Returns `nil` for anything else, and for a sentence with a wrong checksum.
  ///
  /// - Parameter line: A line, with or without its line end.
  init?(_ line: ArraySlice<UInt8>) {
    let parts = line.prefix { $0 > UInt8(ascii: " ") }.split(
      separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    guard parts.count <= 2, parts[0].first == UInt8(ascii: "$") else { return nil }
    hasChecksum = parts.count == 2
    guard
      !hasChecksum
        || UInt8(String(decoding: parts[1], as: UTF8.self), radix: 16)
          == parts[0].dropFirst().reduce(0, ^)
    else { return nil }
    let all = parts[0].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard all[0].count == 6 else { return nil }
    formatter = String(decoding: all[0].suffix(3), as: UTF8.self)
    fields = all.dropFirst()
  }

  /// Returns the text of a field, counted from 1; `nil` if there are not as many.
  subscript(_ index: Int) -> String? {
    fields.indices.contains(index) ? String(decoding: fields[index], as: UTF8.self) : nil
  }
}
