import Foundation
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import GPSDLocation

@Suite(.timeLimit(.minutes(5))) struct `A recording of several sources` {
  private func line(_ seconds: Int) -> String {
    #"{"class":"TPV","device":"/dev/x","mode":3,"time":"2026-11-20T07:05:0\#(seconds).000Z","#
      + #""lat":48,"lon":11,"altHAE":1,"altMSL":1,"speed":1,"track":1,"climb":0,"eph":1,"epv":1}"#
  }

  @Test func `names the source in its time stamps`() {
    let stamp = RecordingTimestamp(elapsed: .milliseconds(12_345), source: #"a "b" \ c"#)
    var bytes: [UInt8] = []
    stamp.append(to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"class":"LOCWATCH","t":12.345,"source":"a \"b\" \\ c"}"# + "\r\n")
    #expect(RecordingTimestamp(line: bytes[...]) == stamp)
  }

  @Test func `of endlessly many sources is replayed as one of 4,096`() async throws {
    let path = "/tmp/locwatch-fleet-\(UInt64.random(in: .min ... .max))"
    let lines = (0..<5000).map { #"{"class":"LOCWATCH","t":0.000,"source":"s\#($0)"}"# + "\r\n" }
    try lines.joined().write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let replays = Mutex<[Task<Void, any Error>]>([])
    let recording = FleetRecording(
      [try RecordingFile(path: FilePath(path))], speed: nil, realClock: .live
    ) { recording, name in
      let session = recording.session(of: name)
      let replay = Task { while case .timedOut = try await session.read(until: nil) {} }
      replays.withLock { $0.append(replay) }
    }
    try await recording.begin()
    // The first one ends when all lines were read.
    try await replays.withLock { $0[0] }.value
    #expect(replays.withLock(\.count) == 4096)
  }

  @Test func `replays the sources in their turns`() async throws {
    let lines = [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z","source":"a"}"#,
      #"{"class":"LOCWATCH","t":0.000,"source":"b"}"#,
      #"{"class":"LOCWATCH","t":1.000,"source":"b"}"#, line(1),
      #"{"class":"LOCWATCH","t":1.000,"source":"a"}"#, line(1), line(2),
      #"{"class":"LOCWATCH","t":8.000,"source":"a"}"#,
      #"{"class":"LOCWATCH","t":9.000,"source":"b"}"#, line(9),
    ]
    let path = "/tmp/locwatch-fleet-\(UInt64.random(in: .min ... .max))"
    try lines.map { $0 + "\r\n" }.joined().write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try RecordingFile(path: FilePath(path))
    #expect(file.isOfFleet)

    let updates = FleetUpdates()
    let names = Mutex<[String]>([])
    let recording = FleetRecording([file], speed: nil, realClock: .live) { recording, name in
      names.withLock { $0.append(name) }
      let source = GPSDLocationSource(
        clock: recording.clock(of: name), makeSession: { recording.session(of: name) })
      updates.add(source.updates(), on: nil)
    }
    try await recording.begin()
    var story: [String] = []
    var ended = 0
    while ended < 2, case .value(let news, _) = await updates.next(until: nil, by: .live) {
      let name = news.member.map { names.withLock(\.self)[$0] } ?? ""
      switch news {
      case .update(.state(let change), _): story.append("\(name) \(change.state.rawValue)")
      case .update(.fix(let fix), _):
        story.append("\(name) \((fix.received?.description ?? "").dropFirst(17))")
      case .ended: ended += 1
      case .update, .interrupted: break
      }
    }
    // The loss of a's fix comes before b's last fix, although nothing came from a.
    #expect(
      story == [
        "a connecting", "b connecting", "b fix-3d", "b 01.000Z", "a fix-3d", "a 01.000Z",
        "a 01.000Z", "a lost", "b lost", "b fix-3d", "b 09.000Z",
      ])
  }
}
