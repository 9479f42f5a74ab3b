import GPSDLocation
import Testing

@testable import LocwatchCLI

@Suite struct `The reader of a log` {
  /// Returns what is read of a file that comes in pieces.
  private func read(_ pieces: [String]) throws -> [String] {
    var rest = pieces[...]
    var reader = LogReader { () throws(GPSDError) in Array((rest.popFirst() ?? "").utf8) }
    var read: [String] = []
    while case let piece = try reader.read(), !piece.isEmpty {
      read.append(String(decoding: piece, as: UTF8.self))
    }
    return read
  }

  @Test(arguments: [
    (["$A\n", "$B\n"], ["$A\n", "$B\n"]),
    (["# one\n# two\n$A\n# no comment\n"], ["$A\n# no comment\n"]),
    (["# o", "ne\n", "#", "\n#\n$", "A\n"], ["$", "A\n"]),
    (["# one\n", "$A\n", "# later\n"], ["$A\n", "# later\n"]),
    (["# one", " two"], []), (["# one\n"], []), ([], []),
  ])
  func `leaves out the comments at the beginning`(pieces: [String], read: [String]) throws {
    #expect(try self.read(pieces) == read)
  }
}
