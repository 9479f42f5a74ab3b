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
    let bytes = ending.isEmpty ? Array(text.utf8) : gzip(text)
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    try touch(name, endOf: day)
    // A program that another test starts has it open until it begins, however long that takes.
    let reader = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
    defer { close(reader) }
    while reader.isOpenForWriting() == true {}
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
    let name = try create(day: 1)
    let writer = open("\(path)/\(name)", O_RDWR)
    defer { close(writer) }
    #expect(writer.setLock(F_WRLCK))
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

  @Test func `Files in use are left unchanged until they are finished`() throws {
    let names = [try create(day: 1), try create(day: 2, "")]
    let files = try names.map { try Descriptor(appendingTo: FilePath("\(path)/\($0)")) }
    for file in files { #expect(file.lock()) }
    #expect(run() == FolderUpkeep.Outcome())
    // Nor are they removed.
    let excess =
      "\(path) is larger than the 1 bytes of --keep: the remaining files are being written, or cannot be removed"
    #expect(run(.size(1)) == FolderUpkeep.Outcome(problem: excess))
    #expect(run(.size(6)) == FolderUpkeep.Outcome())
    #expect(run(.age(.seconds(1))) == FolderUpkeep.Outcome())
    #expect(try entries() == names)
    for file in files { file.unlock() }
    #expect(run() == FolderUpkeep.Outcome())
    #expect(try entries() == [names[0] + ".gz"])
  }

  /// The run that records a file may write and finish it between the listing and the removal.
  @Test func `A file that was written after it was listed as empty is left`() throws {
    let name = try create(day: 1, "")
    let upkeep = FolderUpkeep(folder: FilePath(path), limit: nil, spans: SpanCache())
    let listed = try #require(try upkeep.entries().first)
    try create(day: 1)
    #expect(!upkeep.removeIfEmpty(listed))
    #expect(try contents(name) == "text\r\n")
    try create(day: 1, "")
    #expect(upkeep.removeIfEmpty(listed))
    #expect(try entries() == [])
  }

  @Test func `A compressed file says whether it names sources`() async throws {
    let named = #"{"class":"LOCWATCH","t":3.000,"source":"bow"}"#
    let names = [
      try create(day: 1, stamp("0.000") + "\r\n" + named), try create(day: 2, drive(2)),
    ]
    run()
    let files = try names.map { try [UInt8](Data(contentsOf: URL(filePath: "\(path)/\($0).gz"))) }
    // A file is not read for that. One that was appended to it counts, too, and so does another size at the end.
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
    #expect(answers == [true, false, true, true, true, false])
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
    let file: CInt
    do {
      let reader = FinishedFile(FilePath("\(path)/\(name)"))
      file = dup(try descriptor(of: name))
      withExtendedLifetime(reader) {}
    }
    defer { close(file) }
    let writer = try Descriptor(appendingTo: FilePath("\(path)/\(name)"))
    #expect(writer.lock())
    writer.unlock()
    let folder: CInt
    do {
      let lock = try FolderLock(FilePath(path))
      folder = dup(try descriptor(of: ".locwatch.lock"))
      withExtendedLifetime(lock) {}
    }
    defer { close(folder) }
    run()
    #expect(try entries() == [name + ".gz"])
  }

  /// A pipe, because the system does not say who has one open for writing.
  @Test func `A file whose writers are unknown is finished an hour after its last change`() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let pipe = FilePath("\(path)/pipe")
    #expect(mkfifo(pipe.description, 0o600) == 0)
    try touch("pipe", endOf: 1)
    let change = Timestamp(secondsSince1970: Int64(try #require(pipe.status).st_ctim.tv_sec))
    guard let file = FinishedFile(pipe) else {
      Issue.record("it cannot be opened")
      return
    }
    let isOpen = [3599, 3600].map { file.isOpenForWriting(at: change.advanced(by: .seconds($0))) }
    #expect(isOpen == [true, false])
  }

  @Test func `One process at a time keeps a folder in order`() throws {
    let name = try create(day: 1)
    do {
      guard let lock = try FolderLock(FilePath(path)) else {
        Issue.record("another process has it")
        return
      }
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

  /// Starts a program that has two files open for writing. If this process had, so would each program that another
  /// test starts, until it begins, and the files would still be open after they were closed here.
  private func startWriter(of names: [String]) async throws -> Supervisor {
    let script = #"exec 5>>"$1" 6>>"$2"; echo open >&2; read -r _"#
    let paths = names.map { "\(path)/\($0)" }
    let writer = try Supervisor(
      ["/bin/sh", "-c", script, "sh"] + paths, environment: [], descriptors: [])
    try #require(await comes { writer.takeErrors() == ["open"] })
    return writer
  }

  @Test func `A file that a program has open for writing is neither compressed nor removed`()
    async throws
  {
    let plain = try create(day: 1, drive(1))
    let compressed = try create(day: 2, drive(2), ending: ".gz")
    for day in 4...5 { try create(day: day, drive(day), ending: ".gz") }
    let all = try entries()
    let writer = try await startWriter(of: [plain, compressed])
    for limit in [nil, .age(.seconds(86_400)), .size(1)] as [RecordingFolder.Limit?] {
      let outcome = run(limit)
      #expect(
        outcome.problem
          == "cannot create \(path)/\(plain).gz: a program has \(path)/\(plain) open for writing; it is "
          + "unchanged, and locwatch tries again")
      #expect(try entries() == (limit == .size(1) ? Array(all.prefix(2)) : all))
    }
    writer.end()
    #expect(run().problem == nil)
    #expect(try entries() == [plain + ".gz", compressed])
    #expect(run(.size(1)).removals.count == 2)
    #expect(try entries() == [])
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
