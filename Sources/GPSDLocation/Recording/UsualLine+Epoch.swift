import GPSDProtocol
import LocationCore

extension UsualLine {
  private static let headLength = #"{"class":"TPV","device":""#.utf8.count
  private static let time = Array(#","time":""#.utf8)
  private static let timeLength = "2026-11-20T07:05:00.000Z".utf8.count

  /// Returns the receiver and the time of a position; `nil` if it has no time behind its mode, or a name with escapes or a
  /// password.
  func epoch(in line: Span<UInt8>) -> GPSDDecoder.Epoch? {
    guard case .report(let nameEnd, _, let modeEnd?) = self else { return nil }
    for index in Self.headLength..<nameEnd {
      let byte = line[index]
      if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "@") { return nil }
    }
    let name = line.extracting(Self.headLength..<nameEnd)
    let start = modeEnd + Self.time.count
    let end = start + Self.timeLength
    guard end < line.count, line.hasBytes(Self.time, at: modeEnd..<start),
      line[end] == UInt8(ascii: "\""),
      let time = Timestamp(iso8601: line.extracting(start..<end)),
      let receiver = unsafe name.withUnsafeBufferPointer({
        unsafe String(validating: $0, as: UTF8.self)
      })
    else { return nil }
    return (receiver, time)
  }
}
