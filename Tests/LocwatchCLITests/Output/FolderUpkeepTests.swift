import Foundation
import GPSDLocation
import Glibc
import LocationCore
import Synchronization
import TestSupport
import Testing

@testable import LocwatchCLI

@Suite(.timeLimit(.minutes(5))) final class FolderUpkeepTests: FolderOfRecordings {
  /// Creates a file of a day, with a text, whose last line was received at the end of that day.
  @discardableResult
  private func create(day: Int, _ text: String = "text\r\n", ending: String = "") throws -> String {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let name = "00000\(day)-2026-11-0\(day)T000000.000Z.jsonl\(ending)"
    let bytes = ending.isEmpty ? Array(text.utf8) : gzip(text)
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    try touch(name, endOf: day)
    return name
  }

  private func touch(_ name: String, endOf day: Int) throws {
    let time = Date(timeIntervalSince1970: TimeInterval(1_793_491_200 + day * 86_400))
    try FileManager.default.setAttributes(
      [.modificationDate: time], ofItemAtPath: "\(path)/\(name)")
  }

  /// The end of a day.
  private func end(of day: Int, _ seconds: Int = 0) -> Timestamp {
    Timestamp(secondsSince1970: Int64(1_793_491_200 + day * 86_400 + seconds))
  }

  private func run(_ limit: RecordingFolder.Limit? = nil, at now: Timestamp? = nil) throws {
    try FolderUpkeep(folder: FilePath(path), limit: limit).run(at: now ?? end(of: 9))
  }

  private func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  private func contents(_ name: String) throws -> String {
    String(
      decoding: try RecordingFile(path: FilePath("\(path)/\(name)")).contents(), as: UTF8.self)
  }

  /// Another thread may get the number of a descriptor as soon as it is closed.
  @Test func `A file that is being written is closed once`() throws {
    let name = try create(day: 1)
    let writer = open("\(path)/\(name)", O_RDONLY)
    defer { close(writer) }
    #expect(flock(writer, LOCK_SH) == 0)
    let isOver = Mutex(false)
    let lost = Mutex(0)
    let thread = Thread {
      while !isOver.withLock(\.self) {
        let others = (0..<20).map { _ in open("/dev/null", O_RDONLY) }
        // One that somebody else has closed may have been opened again since.
        for other in others where close(other) != 0 { lost.withLock { $0 += 1 } }
      }
      isOver.withLock { $0 = false }
    }
    thread.start()
    for _ in 0..<500 { try run() }
    isOver.withLock { $0 = true }
    while isOver.withLock(\.self) { usleep(1000) }
    #expect(lost.withLock(\.self) == 0)
    #expect(try entries() == [name])
  }

  @Test func `Finished files are compressed, with their mode and their time`() throws {
    let text = String(repeating: "{\"class\":\"TPV\"}\r\n", count: 10_000)
    let names = [try create(day: 1, text), try create(day: 2, "two\r\n")]
    #expect(chmod("\(path)/\(names[0])", 0o640) == 0)
    try run()
    #expect(try entries() == names.map { $0 + ".gz" })
    #expect(try contents(names[0] + ".gz") == text && contents(names[1] + ".gz") == "two\r\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(names[0]).gz")
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(attributes[.size] as? Int ?? .max < text.utf8.count / 100)
    #expect(
      (attributes[.modificationDate] as? Date)?.timeIntervalSince1970
        == TimeInterval(end(of: 1).nanosecondsSince1970 / 1_000_000_000))
    try run()
    #expect(try entries() == names.map { $0 + ".gz" })
  }

  @Test func `Files that are written, empty ones and those of others are left alone`() throws {
    let written = try create(day: 1)
    let file = try Descriptor(appendingTo: FilePath("\(path)/\(written)"))
    #expect(file.lock())
    let empty = try create(day: 2, "")
    let others = ["2026-11-01T000000.000Z.jsonl", "000003-mine.jsonl", "drive.jsonl", "notes.txt"]
    for name in others {
      try Data("x".utf8).write(to: URL(filePath: "\(path)/\(name)"))
      try touch(name, endOf: 1)
    }
    let link = "000004-2026-11-04T000000.000Z.jsonl"
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(link)", withDestinationPath: "drive.jsonl")
    let all = ([written, empty, link] + others).sorted()
    try run()
    #expect(try entries() == all)
    // Nor are they removed, but for the empty one.
    try run(.size(1))
    #expect(try entries() == all.filter { $0 != empty })
    try run(.age(.seconds(1)))
    #expect(try entries() == all.filter { $0 != empty })
    file.unlock()
    try run()
    #expect(try entries() == (others + [link, written + ".gz"]).sorted())
  }

  @Test func `What a killed run left is completed or removed`() throws {
    // It was killed while it compressed, before it removed the file, and after it had.
    let one = try create(day: 1, "one\r\n")
    try Data([1, 2, 3]).write(to: URL(filePath: "\(path)/.\(one).gz.new"))
    let two = try create(day: 2, "two\r\n")
    try create(day: 2, "tw", ending: ".gz")
    let three = try create(day: 3, "three\r\n", ending: ".gz")
    try Data([1, 2, 3]).write(to: URL(filePath: "\(path)/.\(three).new"))
    #expect(RecordingFolder.omissions(in: FilePath(path)) == [])
    #expect(try names() == [one, two, three])
    try run()
    #expect(try entries() == [one + ".gz", two + ".gz", three])
    #expect(try names().map(contents) == ["one\r\n", "two\r\n", "three\r\n"])
  }

  @Test func `A file that cannot be compressed stays, and the next ones wait`() throws {
    let names = [try create(day: 1), try create(day: 2), try create(day: 3)]
    let obstacle = "\(path)/.\(names[1]).gz.new"
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
    #expect(
      throws: OutputError.cannotCreate(path: obstacle, reason: "File exists")
    ) { try self.run(.age(.seconds(86_400 * 7)), at: self.end(of: 8, 1)) }
    // What is too old is removed all the same.
    #expect(try entries() == [".\(names[1]).gz.new", names[1], names[2]].sorted())
    try FileManager.default.removeItem(atPath: obstacle)
    try run()
    #expect(try entries() == [names[1] + ".gz", names[2] + ".gz"])
    #expect(throws: OutputError.self) {
      try FolderUpkeep(folder: "/nonexistent", limit: nil).run(at: self.end(of: 1))
    }
  }

  @Test func `What is older is removed, in either form, and what is as old is not`() throws {
    let names = [
      try create(day: 1, ending: ".gz"), try create(day: 2), try create(day: 3),
    ]
    try create(day: 2, ending: ".gz")
    try run(.age(.seconds(86_400)), at: end(of: 3))
    #expect(try entries() == [names[1] + ".gz", names[2] + ".gz"])
    try run(.age(.seconds(86_400)), at: end(of: 3, 1))
    #expect(try entries() == [names[2] + ".gz"])
    // One whose clock was set since is as young as its name, or as its last change.
    try touch(names[2] + ".gz", endOf: 1)
    try run(.age(.seconds(86_400 - 1)), at: end(of: 3, -1))
    #expect(try entries() == [names[2] + ".gz"])
    try run(.age(.seconds(86_400 - 1)), at: end(of: 3))
    #expect(try entries() == [])
  }

  @Test func `The oldest are removed until the rest is as small as it has to be`() throws {
    let names = try (1...4).map { try create(day: $0, ending: ".gz") }
    let size = gzip("text\r\n").count
    // A sixteenth is left for what comes.
    try run(.size(4 * size * 16 / 15 + 2))
    #expect(try entries() == names)
    try run(.size(4 * size * 16 / 15 - 2))
    #expect(try entries() == Array(names.dropFirst()))
    try run(.size(2 * size * 16 / 15 + 2))
    #expect(try entries() == Array(names.dropFirst(2)))
    try run(.size(1))
    #expect(try entries() == [])
  }
}
