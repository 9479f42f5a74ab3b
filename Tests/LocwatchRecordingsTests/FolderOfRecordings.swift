import Foundation
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import TestSupport
import Testing

@testable import LocwatchRecordings
@testable import LocwatchSystem

/// A folder that is recorded into, for suites that derive from it.
class FolderOfRecordings {
  let path = "/tmp/locwatch-folder-\(UUID().uuidString)"
  private let said = Collector<String>()

  var messages: [String] { said.values }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns a recorder that does not compress finished files.
  func recorder(_ rotation: RecordingFolder.Rotation = .daily) throws -> Recorder {
    let work = RecorderWork(disk: .never, upkeep: .never) { Issue.record("\($0)") }
    return Recorder(try RecordingFolder(FilePath(path), rotation: rotation), work: work) {
      [said] message in said.add(message)
    }
  }

  /// A moment this number of seconds after 2026-11-20T07:00:00Z.
  func moment(_ seconds: Int, clockSetBy change: Int = 0) -> Moment {
    Moment(
      uptime: .seconds(500 + seconds),
      wall: Samples.time(0, 0).advanced(by: .seconds(seconds + change)))
  }

  func keep(
    _ text: String, at seconds: Int, clockSetBy change: Int = 0, of source: String? = nil,
    in recorder: Recorder
  ) {
    let bytes = Array("\(text)\r\n".utf8)
    let received = moment(seconds, clockSetBy: change)
    recorder.keep(GPSDLines(bytes: bytes[...], received: received), of: source)
  }

  /// Replays the folder, and returns when each line was received.
  func replay() async throws -> (session: RecordedSession, moments: [Moment?]) {
    let session = RecordedSession(
      Replay(
        try RecordingFolder.files(in: FilePath(path)).map { try RecordingFile(path: $0) },
        by: ReplayClock(speed: .maximum, realClock: .live)))
    session.restart()
    var moments: [Moment?] = []
    while case .received(let lines) = try await session.read(by: session.clock) {
      moments.append(lines.received)
    }
    return (session, moments)
  }

  /// The names of the files in the order of a replay.
  func names() throws -> [String] {
    try RecordingFolder.files(in: FilePath(path)).map {
      String($0.description.dropFirst(path.count + 1))
    }
  }

  func create(_ names: String...) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for name in names { try Data().write(to: URL(filePath: "\(path)/\(name)")) }
  }

  /// The files by their names, with their lines.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { name in
      let text = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
      return "\(name): \(text.components(separatedBy: "\r\n").joined(separator: " "))"
    }
  }

  func stamp(_ time: String, start: String? = nil) -> String {
    #"{"class":"LOCWATCH","t":\#(time)\#(start.map { #","start":"\#($0)""# } ?? "")}"#
  }

  /// The first descriptor of an open file in the folder whose name begins like that.
  func descriptor(of name: String) throws -> CInt {
    try #require(openDescriptors().filter { $0.value.hasPrefix("\(path)/\(name)") }.keys.min())
  }

  /// Has the folder's open files lead to a device that is always full.
  func withFullDisk(of name: String = "", _ body: () throws -> Void) throws {
    let number = try descriptor(of: name)
    let kept = dup(number)
    let full = open("/dev/full", O_WRONLY)
    dup2(full, number)
    defer {
      dup2(kept, number)
      close(kept)
      close(full)
    }
    try body()
  }
}

extension BackgroundWork {
  /// Does everything before it returns.
  static var atOnce: BackgroundWork {
    BackgroundWork { body in
      body()
      return true
    }
  }

  /// Does nothing.
  static var never: BackgroundWork { BackgroundWork { _ in false } }
}

extension RecorderWork {
  /// Does everything before it returns.
  static func atOnce() -> RecorderWork {
    RecorderWork(disk: .atOnce, upkeep: .atOnce) { Issue.record("\($0)") }
  }
}
