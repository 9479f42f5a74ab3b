import Foundation
import GPSDLocation
import Glibc
import LocationCore
import LocwatchTestSupport
import Synchronization
import TestSupport
import Testing

@testable import LocwatchRecordings
@testable import LocwatchSystem

/// Faults 108 and 109.
@Suite(.timeLimit(.minutes(5))) final class FolderUpkeepTests: FolderOfRecordings {
  /// Creates a file of a day, with a text, whose last line was received at the end of that day.
  @discardableResult
  private func create(day: Int, _ text: String = "text\r\n", ending: String = "") throws -> String {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let name = "00000\(day)-2026-11-0\(day)T000000.000Z.jsonl\(ending)"
    let bytes = ending == ".gz" ? gzip(text) : Array(text.utf8)
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

  @discardableResult
  private func run(_ limit: RecordingFolder.Limit? = nil) -> FolderUpkeep.Outcome {
    FolderUpkeep(folder: FilePath(path), limit: limit, spans: SpanCache()).run()
  }

  /// What is recorded in two hours up to the end of a day: a fix every five minutes.
  private func drive(_ day: Int) -> String {
    stride(from: 0, through: 7200, by: 300).map { second in
      let date = end(of: day, second - 7200)
      return stamp("\(second).000") + "\r\n"
        + #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(date)","lat":1,"lon":2}"# + "\r\n"
    }.joined()
  }

  private func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != ".locwatch.lock" }
      .sorted()
  }

  private func contents(_ name: String) throws -> String {
    String(
      decoding: try RecordingFile(path: FilePath("\(path)/\(name)")).contents(), as: UTF8.self)
  }

  /// Another thread may get the number of a descriptor as soon as it is closed.
  @Test func `A file that is being written is closed once`() throws {
    let name = try create(day: 1, ending: ".part")
    let writer = open("\(path)/\(name)", O_RDWR)
    defer { close(writer) }
    #expect(flock(writer, LOCK_EX) == 0)
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
    for _ in 0..<500 { run() }
    isOver.withLock { $0 = true }
    while isOver.withLock(\.self) { usleep(1000) }
    #expect(lost.withLock(\.self) == 0)
    #expect(try entries() == [name])
  }

  @Test func `A file that a run left is completed when its lock is free, and counted until then`()
    throws
  {
    let part = try create(day: 1, drive(1), ending: ".part")
    let plain = String(part.dropLast(5))
    for day in 4...5 { try create(day: day, drive(day), ending: ".gz") }
    let all = try entries()
    let writer = open("\(path)/\(part)", O_RDWR)
    defer { close(writer) }
    #expect(flock(writer, LOCK_EX) == 0)
    // It has no other lock, and it may be as old as it likes.
    for limit in [nil, .age(.seconds(86_400))] as [RecordingFolder.Limit?] {
      #expect(run(limit) == FolderUpkeep.Outcome())
      #expect(try entries() == all)
    }
    let excess =
      "\(path) is larger than the 1000 bytes of --keep: the remaining files are being written, or cannot be removed"
    let outcome = run(.size(1000))
    #expect(outcome.removals.count == 2 && outcome.problem == excess)
    #expect(try entries() == [part])
    #expect(flock(writer, LOCK_UN) == 0)
    #expect(run() == FolderUpkeep.Outcome())
    #expect(try entries() == [plain + ".gz"])
    #expect(try contents(plain + ".gz") == drive(1))
  }

  @Test func `A link is not a file that a run left`() throws {
    let other = try create(day: 1, ending: ".gz")
    let name = "000002-2026-11-02T000000.000Z.jsonl.part"
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)", withDestinationPath: other)
    let part = try #require(RecordingName(Array(name.utf8)))
    #expect(try PartFile(folder: FilePath(path), name: part).completeIfAbandoned() == nil)
    run()
    #expect(try entries() == [other, name])
  }

  @Test func `A recording that is completed while it is replayed is read to its end`() throws {
    let part = FilePath("\(path)/\(try create(day: 1, ending: ".part"))")
    let file = FilePath("\(part.description.dropLast(5))")
    func text(_ file: RecordingFile) throws -> String {
      String(decoding: try file.contents(), as: UTF8.self)
    }
    let early = try RecordingFolder.open(part)
    early.release()
    run()
    #expect(try entries().map { $0.hasSuffix(".jsonl.gz") } == [true])
    #expect(try text(early) == "text\r\n")
    // So is one that was completed, and perhaps compressed, since the folder was listed.
    #expect(try text(RecordingFolder.open(part)) == "text\r\n")
    try create(day: 1, "plain\r\n")
    #expect(try text(RecordingFolder.open(part)) == "plain\r\n")
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: LocationError.self) { try RecordingFolder.open(part) }
    #expect(throws: LocationError.self) { try RecordingFolder.open(file) }
  }

  /// The run that records a file may write and finish it between the listing and the removal.
  @Test func `A file that was written after it was listed as empty is left`() throws {
    let name = try create(day: 1, "")
    let upkeep = FolderUpkeep(folder: FilePath(path), limit: nil, spans: SpanCache())
    let listed = try #require(try upkeep.entries().first)
    try create(day: 1)
    #expect(!upkeep.remove(listed))
    #expect(try contents(name) == "text\r\n")
    try create(day: 1, "")
    #expect(upkeep.remove(listed))
    #expect(try entries() == [])
  }

  @Test func `A compressed file says whether it names sources`() async throws {
    let named = #"{"class":"LOCWATCH","t":3.000,"source":"bow"}"#
    let names = [
      try create(day: 1, stamp("0.000") + "\r\n" + named), try create(day: 2, drive(2)),
    ]
    run()
    let files = try names.map { try [UInt8](Data(contentsOf: URL(filePath: "\(path)/\($0).gz"))) }
    // A file is not read for that, unless the size at its end is another, as after an appended file: its first lines decide.
    var lying = files[1]
    lying[RecordedSpan.headerLength + 4] = 1
    let contents = [
      files[0], files[1], lying, files[1] + files[0], files[0] + files[1], lying.dropLast(4),
    ]
    var answers: [Bool] = []
    for bytes in contents {
      let file = "\(path)/other"
      try Data(bytes).write(to: URL(filePath: file))
      answers.append(try await RecordingFile(path: FilePath(file)).namesSource())
    }
    #expect(answers == [true, false, true, false, true, false])
  }

  /// A user who may only read a file can lock it as well.
  @Test func `A lock of a reader stops nothing`() throws {
    let names = [try create(day: 1), try create(day: 2, ending: ".gz"), try create(day: 3)]
    let readers = names.map { open("\(path)/\($0)", O_RDONLY) }
    defer { for reader in readers { close(reader) } }
    for reader in readers {
      #expect(flock(reader, LOCK_EX) == 0 && reader.setLock(F_RDLCK) && !reader.setLock(F_WRLCK))
    }
    run()
    #expect(try entries() == [names[0] + ".gz", names[1], names[2] + ".gz"])
    run(.size(1))
    #expect(try entries() == [])
  }

  /// A child has copies of all descriptors until it runs its program.
  @Test func `A child that is being started keeps no lock`() throws {
    let name = try create(day: 1)
    let folder: CInt
    do {
      let lock = try Descriptor(appendingTo: FilePath("\(path)/.locwatch.lock"))
      #expect(lock.lock())
      folder = dup(try descriptor(of: ".locwatch.lock"))
      withExtendedLifetime(lock) {}
    }
    defer { close(folder) }
    run()
    #expect(try entries() == [name + ".gz"])
  }

  @Test func `One process at a time keeps a folder in order`() throws {
    let name = try create(day: 1)
    do {
      let lock = try Descriptor(appendingTo: FilePath("\(path)/.locwatch.lock"))
      #expect(lock.lock())
      #expect(run() == FolderUpkeep.Outcome())
      withExtendedLifetime(lock) {}
    }
    #expect(try entries() == [name])
    var status = stat()
    #expect(stat("\(path)/.locwatch.lock", &status) == 0 && status.st_mode & 0o777 == 0o600)
    run()
    #expect(try entries() == [name + ".gz"])
    // There is no wait for anything but a file.
    try FileManager.default.removeItem(atPath: "\(path)/.locwatch.lock")
    try FileManager.default.createDirectory(
      atPath: "\(path)/.locwatch.lock", withIntermediateDirectories: false)
    #expect(
      run().problem
        == "cannot create \(path)/.locwatch.lock: Is a directory; it is unchanged, and locwatch tries again"
    )
  }

  /// Some merge the recordings of a month.
  @Test(arguments: [false, true])
  func `A file whose newer part is young is not removed`(isCompressed: Bool) throws {
    let names = try (1...6).map { try create(day: $0, drive($0)) }
    func bytes(_ name: String) throws -> Data {
      try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
    }
    var merged = names[0]
    if isCompressed {
      run()
      merged += ".gz"
      try (bytes(merged) + bytes(names[5] + ".gz")).write(to: URL(filePath: "\(path)/\(merged)"))
    } else {
      // The first part is the longer one.
      let young = Data(drive(6).components(separatedBy: stamp("3600.000"))[0].utf8)
      try (bytes(merged) + young).write(to: URL(filePath: "\(path)/\(merged)"))
    }
    for _ in 0..<2 {
      let outcome = run(.age(.seconds(2 * 86_400)))
      #expect(outcome.problem == nil && !outcome.removals.contains { $0.contains(merged) })
      #expect(try entries().first == names[0] + ".gz")
    }
  }

  @Test func `Files of that age are removed, in either form, and younger ones are not`() throws {
    let names = [
      try create(day: 1, drive(1), ending: ".gz"), try create(day: 2, drive(2)),
      try create(day: 3, drive(3)), try create(day: 4, drive(4)),
    ]
    try create(day: 2, drive(2), ending: ".gz")
    #expect(run(.age(.seconds(2 * 86_400 + 1))).removals == [])
    #expect(run(.age(.seconds(2 * 86_400))).removals.count == 1)
    #expect(try entries() == names.dropFirst().map { $0 + ".gz" })
    #expect(run(.age(.seconds(86_400))).removals.count == 1)
    #expect(try entries() == names.dropFirst(2).map { $0 + ".gz" })
  }

  @Test func `The oldest files are removed until the rest is within the limit`() throws {
    let names = try (1...4).map { try create(day: $0, ending: ".gz") }
    let size = gzip("text\r\n").count
    // A sixteenth is left for what comes.
    run(.size(4 * size * 16 / 15 + 2))
    #expect(try entries() == names)
    run(.size(4 * size * 16 / 15 - 2))
    #expect(try entries() == Array(names.dropFirst()))
    run(.size(2 * size * 16 / 15 + 2))
    #expect(try entries() == Array(names.dropFirst(2)))
    run(.size(1))
    #expect(try entries() == [])
  }
}
