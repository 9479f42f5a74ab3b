import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchReceivers

@Suite struct `The reader of a log` {
  private static let version = #"{"class":"VERSION","release":"3.22"}"# + "\r\n"
  private static let devices = #"{"class":"DEVICES","devices":[{"path":"/dev/a"}]}"# + "\r\n"
  private static let watch = #"{"class":"WATCH","enable":true,"json":false,"raw":2}"# + "\r\n"

  @Test func `has nothing yet while the writer of a stream has written nothing`() throws {
    var pieces: [String?] = [nil, "# o", nil, "ne\n$", nil, "A\n"]
    var reader = LogReader(input: 7) { () throws(LocationError) in
      pieces.isEmpty ? [] : pieces.removeFirst().map { Array($0.utf8) }
    }
    var read: [String?] = []
    for _ in 0..<6 { read.append(try reader.read().map { String(decoding: $0, as: UTF8.self) }) }
    #expect(read == [nil, nil, "$", nil, "A\n", ""])
    #expect(reader.input == 7)
  }

  @Test func `keeps no more of a line that is no greeting than a line may have`() throws {
    let start = Array(#"{"class":"VERSION""#.utf8)
    var pieces = [start] + Array(repeating: [UInt8](repeating: 0x41, count: 10_000), count: 8)
    var reader = LogReader { () throws(LocationError) in pieces.isEmpty ? [] : pieces.removeFirst()
    }
    #expect(try reader.read()?.count == start.count + 70_000)
    #expect(try reader.read()?.count == 10_000)
    #expect(try reader.read() == [])
  }

  /// Returns what is read of a file that comes in pieces.
  private func read(_ pieces: [String]) throws -> [String] {
    var rest = pieces[...]
    var reader = LogReader { () throws(LocationError) in Array((rest.popFirst() ?? "").utf8) }
    var read: [String] = []
    while let piece = try reader.read(), !piece.isEmpty {
      read.append(String(decoding: piece, as: UTF8.self))
    }
    return read
  }

  @Test(
    arguments: [
      (["$A\n", "$B\n"], ["$A\n", "$B\n"]),
      (["# one\n# two\n$A\n# no comment\n"], ["$A\n# no comment\n"]),
      (["# o", "ne\n", "#", "\n#\n$", "A\n"], ["$", "A\n"]),
      (["# one\n", "$A\n", "# later\n"], ["$A\n", "# later\n"]),
      (["# one", " two"], []), (["# one\n"], []), ([], []),
      // With gpspipe -r and -R, gpsd greets first.
      ([version + devices + watch + "$A\n", "$B\n"], ["$A\n", "$B\n"]),
      (["#\n" + version, devices + watch, watch], [watch]), ([version, devices, "$A\n"], ["$A\n"]),
      ([#"{"cl"#, #"ass":"VERSION"}"#, "\n", watch, "{\n"], ["{\n"]),
      ([watch + version], [version]), ([#"{"class":"TPV"}\#n"#], [#"{"class":"TPV"}\#n"#]),
      (["{", "}"], ["{}"]), (["{"], ["{"]), ([#"{"class":"VER"#], [#"{"class":"VER"#]),
    ] as [([String], [String])])
  func `leaves out the comments and gpsd's greeting at the beginning`(
    pieces: [String], read: [String]
  ) throws {
    #expect(try self.read(pieces) == read)
  }
}
