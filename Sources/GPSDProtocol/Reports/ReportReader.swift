import LocationCore

/// Decodes reports of one class, apart from the stream that a ``GPSDDecoder`` reads.
struct ReportReader<Record: JSONRecord>: Sendable where Record: Sendable {
  private var record: Record
  private var keys = KeyTable()
  private var header = DecoderKeys()
  private var names = DeviceNameCache()

  init(_ record: Record) { self.record = record }

  /// Returns the report in a line; `nil` if it is malformed. The class is not compared.
  mutating func read(_ line: Span<UInt8>) -> Record? {
    var index = 0
    line.skipSpace(&index)
    do throws(MalformedReport) {
      let header = try ReportHeader(line, &index, &header)
      try record.readReport(line, &index, header, &keys, &names)
      return record
    } catch {
      return nil
    }
  }
}

extension ReportReader {
  /// Returns the report in a text; `nil` if it is malformed.
  ///
  /// - Parameter empty: The record before the report is read.
  static func read(_ text: String, into empty: Record) -> Record? {
    var reader = ReportReader(empty)
    return text.withBytes { reader.read($0) }
  }
}
