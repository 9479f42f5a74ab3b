import Foundation
import LocationCore
import LocationTestKit
import TestSupport
import Testing

@testable import GPSDLocation
@testable import GPSDProtocol

/// Recordings with runs of one source and of several.
/// Fault 81.
@Suite(.timeLimit(.minutes(5))) struct `A recording of runs of one source and of several` {
  private static func stamp(_ seconds: Int, start: Int? = nil, source: String? = nil) -> String {
    let start =
      start.map { #","start":"2026-11-20T07:05:\#($0 < 10 ? "0" : "")\#($0).000Z""# } ?? ""
    let source = source.map { #","source":"\#($0)""# } ?? ""
    return #"{"class":"LOCWATCH","t":\#(seconds).000\#(start)\#(source)}"#
  }

  private static let one = [
    stamp(0, start: 0), Lines.version, stamp(1), Lines.tpv(1), stamp(2), Lines.tpv(2),
  ]
  private static let several = [
    stamp(0, start: 10, source: "a"), stamp(0, source: "b"), stamp(1, source: "b"), Lines.tpv(11),
    stamp(1, source: "a"), Lines.tpv(11), stamp(2, source: "a"), Lines.tpv(12),
  ]
  private static let untimed = [Lines.tpv(20), Lines.tpv(22)]

  private func file(_ lines: [String]) throws -> TemporaryFile {
    try TemporaryFile(lines.map { $0 + "\r\n" }.joined())
  }

  @Test(
    arguments: [
      (one, false), (several, true), (one + several, true), (untimed, false),
      (untimed + several, true), ([stamp(0, source: "a")] + one, true),
      // One that is named is a single source, too.
      ([stamp(0, source: "a"), Lines.tpv(1), stamp(1, source: "a"), Lines.tpv(2)], false),
    ] as [([String], Bool)])
  func `is not read as one of a single source`(lines: [String], isRefused: Bool) async throws {
    let file = try file(lines)
    for pace in [RecordedSession.Pace.asFastAsPossible, .recorded(speed: 1e9)] {
      let session = try RecordedSession(contentsOf: file.path, pace: pace)
      session.restart()
      var failure: LocationError?
      var count = 0
      do {
        while case .received(let lines) = try await session.read(by: session.clock) {
          count += lines.reduce(0) { count, _ in count + 1 }
        }
      } catch {
        failure = error
      }
      #expect(
        failure
          == (isRefused ? LocationError(.disconnected, "\(file.path) has several sources") : nil))
      #expect(session.replay.hasOtherSource == isRefused)
      if !isRefused { #expect(count == lines.count { !$0.contains("LOCWATCH") }) }
    }
  }
}

@Suite struct `A search for the source of lines` {
  private func finds(_ frames: [LineFramer.Frame]) -> Bool {
    var search = SourceSearch()
    return frames.contains { search.finds(in: $0) }
  }

  private func lines(_ texts: String...) -> LineFramer.Frame {
    .lines(Array(texts.map { $0 + "\n" }.joined().utf8)[...])
  }

  private static let named = #"{"class":"LOCWATCH","t":1.000,"source":"a"}"#
  private static let verbatim = #"{"class":"LOCWATCH","t":1.000,"verbatim":1}"#
  private static let plain = #"{"class":"LOCWATCH","t":1.000}"#

  @Test func `finds a time stamp that names one`() {
    #expect(finds([lines(Self.named)]))
    #expect(finds([lines(Lines.watch, Self.plain, Lines.tpv(1), Self.named)]))
    #expect(finds([lines(Lines.tpv(1)), lines(Self.plain), lines(Lines.tpv(2), Self.named)]))
    #expect(
      finds([
        lines(#"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z","source":"a"}"#)
      ]))
    #expect(finds([lines(Self.verbatim), lines(Lines.tpv(1)), lines(Self.named)]))
    #expect(finds([lines(" " + Self.named)]))
    #expect(finds([lines("\u{FEFF}" + Self.named)]))
    #expect(!finds([lines(Self.plain), lines("\u{FEFF}" + Self.named)]))
    #expect(finds([lines(#"{"source":"a","t":1,"class":"LOCWATCH"}"#)]))
    let slice = Array("x\(Self.named)\n".utf8)[1...]
    #expect(finds([.lines(slice)]))
  }

  @Test(arguments: [
    plain, "", "W", Lines.watch, "x" + named, #"{"class":"LOCWATCH","t":1.000"#,
    #"{"class":"LOCWATCH","t":1.000,"source":"a""#, #"{"class":"LOCWATCH","source":"a"}"#,
    #"{"class":"TPV","x":"{\"class\":\"LOCWATCH\",\"t\":1.000,\"source\":\"a\"}"}"#,
  ])
  func `finds nothing else`(line: String) {
    #expect(!finds([lines(line)]))
    #expect(!finds([lines(Lines.tpv(1), line, Lines.tpv(2))]))
    #expect(finds([lines(line, Self.named)]))
  }

  @Test func `passes over a line of gpsd that looks like one`() {
    #expect(!finds([lines(Self.verbatim, Self.named, Lines.tpv(1))]))
    #expect(!finds([lines(Self.verbatim), lines(Self.named), lines(Lines.tpv(1))]))
    #expect(finds([lines(Self.verbatim, Self.named, Self.named)]))
    #expect(finds([lines(Self.verbatim), lines(Self.named), lines(Self.named)]))
    #expect(finds([lines(Self.verbatim, Lines.tpv(1), Self.named)]))
    #expect(finds([lines(Self.verbatim), .discarded(bytes: 70_000), lines(Self.named)]))
  }

  @Test(
    arguments: [
      (0, 0, true), (1, 0, true), (0, 1, true), (2000, 0, true), (0, 2000, true),
      (2000, 2000, false),
    ])
  func `is in the first and the last lines of a file`(
    before: Int, after: Int, isFound: Bool
  ) async throws {
    func lines(_ count: Int) -> String { String(repeating: Lines.tpv(1) + "\n", count: count) }
    for end in ["", "\n", "\n{\"half"] {
      let file = try TemporaryFile(
        lines(before) + Self.named + (after > 0 ? "\n" + lines(after) : end))
      let recording = try RecordingFile(path: FilePath(file.path))
      #expect(try await recording.namesSource() == isFound)
      #expect(try recording.nextBytes(upTo: 1) == [0x7B])
      withExtendedLifetime(file) {}
    }
  }
}
