import Foundation
import GPSDLocation
import Glibc
import LocationCore
@testable import LocwatchCLI
import Synchronization
import Testing

@Suite final class RecordingFolderTests {
  private let path = "/tmp/locwatch-folder-\(UUID().uuidString)"
  private let messages = Messages()

  private final class Messages: Sendable {
    let all = Mutex<[String]>([])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private func recorder(_ rotation: RecordingFolder.Rotation = .daily) throws -> Recorder {
    Recorder(try RecordingFolder(FilePath(path), rotation: rotation)) { [messages] message in
      messages.all.withLock { $0.append(message) }
    }
  }

  /// So many seconds after 2026-11-20T07:00:00Z.
  private func moment(_ seconds: Int, clockSetBy change: Int = 0) -> Moment {
    Moment(
      uptime: .seconds(500 + seconds),
      wall: Samples.time(0, 0).advanced(by: .seconds(seconds + change)))
  }

  private func keep(
    _ text: String, at seconds: Int, clockSetBy change: Int = 0, of source: String? = nil,
    in recorder: Recorder
  ) {
    let bytes = Array("\(text)\r\n".utf8)
    let received = moment(seconds, clockSetBy: change)
    recorder.keep(GPSDLines(bytes: bytes[...], received: received), of: source)
  }

  /// The names of the files in the order of a replay.
  private func names() throws -> [String] {
    try RecordingFolder.files(in: FilePath(path)).map {
      String($0.description.dropFirst(path.count + 1))
    }
  }

  private func create(_ names: String...) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for name in names { try Data().write(to: URL(filePath: "\(path)/\(name)")) }
  }

  /// The files by their names, with their lines.
  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { name in
      let text = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
      return "\(name): \(text.components(separatedBy: "\r\n").joined(separator: " "))"
    }
  }

  private func stamp(_ time: String, start: String? = nil) -> String {
    #"{"class":"LOCWATCH","t":\#(time)\#(start.map { #","start":"\#($0)""# } ?? "")}"#
  }

  @Test func `Each day of UTC begins a file with its first line`() throws {
    let recorder = try recorder()
    let hour = 3600
    for (index, hours) in [0, 16, 17, 40, 41, 65].enumerated() {
      keep("line \(index)", at: hours * hour, in: recorder)
    }
    try recorder.finish()
    #expect(
      try files() == [
        "000001-2026-11-20T070000.000Z.jsonl: "
          + "\(stamp("0.000", start: "2026-11-20T07:00:00.000Z")) line 0 "
          + "\(stamp("57600.000")) line 1 \(stamp("61200.000")) ",
        "000002-2026-11-21T000000.000Z.jsonl: "
          + "\(stamp("0.000", start: "2026-11-21T00:00:00.000Z")) line 2 "
          + "\(stamp("82800.000")) line 3 \(stamp("86400.000")) ",
        "000003-2026-11-22T000000.000Z.jsonl: "
          + "\(stamp("0.000", start: "2026-11-22T00:00:00.000Z")) line 4 \(stamp("86400.000")) ",
        "000004-2026-11-23T000000.000Z.jsonl: "
          + "\(stamp("0.000", start: "2026-11-23T00:00:00.000Z")) line 5 ",
      ])
    #expect(messages.all.withLock(\.self) == [])
  }

  @Test func `A time or a size begins a file`() throws {
    let hourly = try recorder(.every(.seconds(3600)))
    for seconds in [0, 3599, 3600, 10_000] { keep("a", at: seconds, in: hourly) }
    try hourly.finish()
    #expect(
      try files().map { $0.prefix(29) } == [
        "000001-2026-11-20T070000.000Z", "000002-2026-11-20T080000.000Z",
        "000003-2026-11-20T094640.000Z",
      ])
    try FileManager.default.removeItem(atPath: path)
    let small = try recorder(.size(150))
    for seconds in 0..<5 { keep("12345678", at: seconds, in: small) }
    try small.finish()
    // Of each file the first 69 and 10 bytes, then 35 and 10 for each line.
    #expect(try files().map { $0.components(separatedBy: "12345678").count - 1 } == [3, 2])
  }

  @Test func `Each recording follows those that are there, also at the same time`() throws {
    for text in ["a", "b", "c"] {
      let recorder = try recorder()
      keep(text, at: 0, in: recorder)
      try recorder.finish()
    }
    #expect(
      try files().map { $0.prefix(29) + $0.suffix(3) } == [
        "000001-2026-11-20T070000.000Z a ", "000002-2026-11-20T070000.000Z b ",
        "000003-2026-11-20T070000.000Z c ",
      ])
  }

  @Test func `The files of a folder are replayed in their order as one recording`() async throws {
    let recorder = try recorder(.every(.seconds(2)))
    for seconds in 0..<6 { keep(#"{"class":"TPV","n":\#(seconds)}"#, at: seconds, in: recorder) }
    try recorder.finish()
    let paths = try RecordingFolder.files(in: FilePath(path))
    #expect(paths.count == 3)
    let session = RecordedSession(
      try paths.map { try RecordingFile(path: $0) }, pace: .asFastAsPossible)
    try session.open(GPSDEndpoint())
    var moments: [Timestamp?] = []
    while case .value(let lines, _) = try await session.read(until: nil) {
      moments.append(lines.received?.wall)
    }
    #expect(moments == (0..<6).map { moment($0).wall })
  }

  @Test func `The first file begins with the wait for gpsd, the others with their lines`() throws {
    let recorder = try recorder(.every(.seconds(10)))
    recorder.note(StateChange(.connecting, at: moment(0)))
    for seconds in [3, 4, 13] { keep("a", at: seconds, in: recorder) }
    try recorder.finish()
    #expect(
      try files() == [
        "000001-2026-11-20T070003.000Z.jsonl: \(stamp("0.000", start: "2026-11-20T07:00:00.000Z")) "
          + "\(stamp("3.000")) a \(stamp("4.000")) a \(stamp("13.000")) ",
        "000002-2026-11-20T070013.000Z.jsonl: "
          + "\(stamp("0.000", start: "2026-11-20T07:00:13.000Z")) a ",
      ])
  }

  @Test func `The first file of several sources begins with their first moments`() throws {
    let recorder = try recorder()
    recorder.noteTime(moment(0), of: "x")
    keep("a", at: 2, of: "x", in: recorder)
    try recorder.finish()
    let start = #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:00:00.000Z","source":"x"}"#
    #expect(
      try files() == [
        "000001-2026-11-20T070002.000Z.jsonl: \(start) "
          + #"{"class":"LOCWATCH","t":2.000,"source":"x"} a "#
      ])
  }

  @Test func `The order of the files is that of their numbers, whatever the clock says`() throws {
    let recorder = try recorder(.every(.seconds(1)))
    for (seconds, change) in [(0, 0), (1, -3600), (2, -1_795_158_000), (3, 86_400), (4, 0)] {
      keep("\(seconds)", at: seconds, clockSetBy: change, in: recorder)
    }
    try recorder.finish()
    #expect(
      try names() == [
        "000001-2026-11-20T070000.000Z.jsonl", "000002-2026-11-20T060001.000Z.jsonl",
        "000003-1970-01-01T000002.000Z.jsonl", "000004-2026-11-21T070003.000Z.jsonl",
        "000005-2026-11-20T070004.000Z.jsonl",
      ])
  }

  @Test func `A clock that is set where another file begins takes no time`() async throws {
    let recorder = try recorder(.every(.seconds(2)))
    for (seconds, change) in [(0, -1_795_158_000), (2, 0), (4, -3600)] {
      keep(#"{"class":"TPV"}"#, at: seconds, clockSetBy: change, in: recorder)
    }
    recorder.noteEnd(at: moment(5, clockSetBy: -3600))
    try recorder.finish()
    let session = RecordedSession(
      try RecordingFolder.files(in: FilePath(path)).map { try RecordingFile(path: $0) },
      pace: .asFastAsPossible)
    try session.open(GPSDEndpoint())
    var moments: [Moment?] = []
    while case .value(let lines, _) = try await session.read(until: nil) {
      moments.append(lines.received)
    }
    #expect(moments.map { $0?.uptime } == [.zero, .seconds(2), .seconds(4)])
    #expect(
      moments.map { $0?.wall } == [
        moment(0, clockSetBy: -1_795_158_000).wall, moment(2).wall,
        moment(4, clockSetBy: -3600).wall,
      ])
    #expect(session.clock.now.uptime == .seconds(5))
  }

  @Test func `Files without a number come before those with one, and numbers count as numbers`()
    throws
  {
    try create(
      "1000000-x.jsonl", "999999-x.jsonl", "000002-b.jsonl", "000002-a.jsonl", "drive.jsonl",
      "2026-11-20T070000.000Z.jsonl", "00003-x.jsonl", "000001x.jsonl",
      "9999999999999999999-x.jsonl", "000007-x.jsonl.gz")
    #expect(
      try names() == [
        "000001x.jsonl", "00003-x.jsonl", "2026-11-20T070000.000Z.jsonl",
        "9999999999999999999-x.jsonl", "drive.jsonl", "000002-a.jsonl", "000002-b.jsonl",
        "999999-x.jsonl", "1000000-x.jsonl",
      ])
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.finish()
    #expect(try names().last == "1000001-2026-11-20T070000.000Z.jsonl")
  }

  @Test func `The number of a file that was moved out of the way is not used again`() throws {
    try create("000007-2026-11-20T070000.000Z.jsonl.gz")
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.finish()
    #expect(try names() == ["000008-2026-11-20T070000.000Z.jsonl"])
  }

  @Test func `A name that another recording takes gives way to the next number`() throws {
    try create("000005-2026-11-20T070000.000Z.jsonl", "000006-2026-11-20T070000.000Z.jsonl")
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    let file = try folder.createFile(at: moment(0), number: 5)
    #expect(file.path == "\(path)/000007-2026-11-20T070000.000Z.jsonl")
  }

  @Test func `A file has its place behind at most 999 that others took`() throws {
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    func name(_ number: Int) -> String {
      String("000000\(number)".suffix(6)) + "-2026-11-20T070000.000Z.jsonl"
    }
    for number in 5..<1005 { try create(name(number)) }
    #expect(try folder.createFile(at: moment(0), number: 6).path == "\(path)/\(name(1005))")
    #expect(throws: OutputError.cannotCreate(path: "\(path)/\(name(1004))", reason: "File exists"))
    {
      try folder.createFile(at: self.moment(0), number: 5)
    }
  }

  @Test func `A folder that cannot be read is an error`() throws {
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    try FileManager.default.removeItem(atPath: path)
    try Data().write(to: URL(filePath: path))
    #expect(throws: OutputError.cannotCreate(path: path, reason: "Not a directory")) {
      try folder.createFile(at: self.moment(0))
    }
    #expect { _ = try RecordingFolder.files(in: FilePath(self.path)) } throws: { error in
      (error as? Failure)?.message == "\(self.path): Not a directory"
        && (error as? Failure)?.status == .noInput
    }
  }

  @Test func `Without a time of day, a file has that of now`() throws {
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    let before = Timestamp.now
    let file = try folder.createFile(at: Moment(uptime: .zero)).path.dropFirst(path.count + 8)
    let text =
      "\(file.prefix(13)):\(file.dropFirst(13).prefix(2)):\(file.dropFirst(15).dropLast(6))"
    let time = try #require(Timestamp(iso8601: text))
    #expect(before.duration(to: time) > .milliseconds(-2) && time <= Timestamp.now)
  }

  @Test func `Recordings that begin at once have a file each, and all their lines`() throws {
    let recorders = try (0..<32).map { _ in try recorder() }
    let received = moment(0)
    DispatchQueue.concurrentPerform(iterations: 32) { index in
      let line = Array("line \(index)\r\n".utf8)
      recorders[index].keep(GPSDLines(bytes: line[...], received: received))
      try? recorders[index].finish()
    }
    #expect(messages.all.withLock(\.self) == [])
    let lines = try files().map { $0.split(separator: " ").suffix(2).joined(separator: " ") }
    #expect(lines.sorted() == (0..<32).map { "line \($0)" }.sorted())
  }

  @Test func `A clock that goes to and fro about midnight begins a file an hour at most`() throws {
    let recorder = try recorder()
    let midnight = 17 * 3600
    for minute in 0..<180 {
      let change = minute.isMultiple(of: 2) ? -3600 * 3 : 3600 * 3
      keep("a", at: midnight + 60 * minute, clockSetBy: change, in: recorder)
    }
    try recorder.finish()
    #expect(
      try names().map { $0.prefix(24) } == [
        "000001-2026-11-20T210000", "000002-2026-11-21T030100", "000003-2026-11-20T220200",
        "000004-2026-11-21T040300", "000005-2026-11-20T230400", "000006-2026-11-21T050500",
      ])
  }

  @Test func `A day that is over begins a file, one that comes again only after an hour`() throws {
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    func begins(_ seconds: Int, _ change: Int) -> Bool {
      folder.beginsFile(
        at: moment(seconds, clockSetBy: change), after: moment(0), size: .max)
    }
    let day = 86_400
    #expect(!begins(0, 0))
    #expect(!begins(1, 17 * 3600 - 2))
    #expect(begins(1, 17 * 3600 - 1))
    #expect(begins(1, 365 * day))
    #expect(!begins(1, -8 * 3600))
    #expect(!begins(3599, -day))
    #expect(begins(3600, -day))
    #expect(!begins(3600, 0))
    let unknown = Moment(uptime: .seconds(90_000))
    #expect(!folder.beginsFile(at: unknown, after: moment(0), size: 0))
    #expect(!folder.beginsFile(at: moment(0), after: unknown, size: 0))
    for wall in [Int64.min, -1, 0, .max] {
      let end = Moment(uptime: .seconds(1), wall: Timestamp(nanosecondsSince1970: wall))
      _ = folder.beginsFile(at: end, after: moment(0), size: 0)
      #expect(try folder.createFile(at: end).path.hasSuffix("Z.jsonl"))
    }
  }

  @Test func `Files that look like recordings and are not read are named, with what to do`() throws
  {
    try create("a.jsonl", "b.txt", "empty")
    let contents: [(String, [UInt8])] = [
      ("z.jsonl.gz", [0x1F, 0x8B, 8]), ("c.zst", [0x28, 0xB5, 0x2F, 0xFD, 0]),
      ("d.xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), ("e.bz2", Array("BZh9".utf8)),
      ("f.json", Array(#"{"class":"TPV"}"#.utf8)), ("g.nmea", Array("$GPGGA,1\n".utf8)),
      ("h.log", Array("anything".utf8)), ("i.txt", Array("anything".utf8)), ("j", [0x1F]),
      ("k.csv", Array("time,lat,lon\n".utf8)), ("l.gpx", Array("<?xml><gpx>".utf8)),
      ("m.ndjson", Array(#"{"type":"fix"}"#.utf8)),
    ]
    for (name, bytes) in contents { try Data(bytes).write(to: URL(filePath: "\(path)/\(name)")) }
    try FileManager.default.createDirectory(
      atPath: path + "/n.gz", withIntermediateDirectories: false)
    try #require(mkfifo(path + "/o.gz", 0o600) == 0)
    func compressed(_ name: String, _ program: String) -> String {
      "\(path)/\(name) is left out: it is compressed. "
        + "'\(program) -d \(path)/\(name)' decompresses it"
    }
    #expect(
      RecordingFolder.omissions(in: FilePath(path)) == [
        compressed("c.zst", "zstd"), compressed("d.xz", "xz"), compressed("e.bz2", "bzip2"),
        "\(path)/f.json is left out: its name does not end in .jsonl. "
          + "'locwatch --replay \(path)/f.json' reads it",
        "\(path)/g.nmea is left out: it is what a receiver sent. "
          + "'locwatch --replay \(path)/g.nmea' reads it",
        "\(path)/h.log is left out: it is what a receiver sent. "
          + "'locwatch --replay \(path)/h.log' reads it",
        compressed("z.jsonl.gz", "gzip"),
      ])
    #expect(try names() == ["a.jsonl"])
    #expect(RecordingFolder.omissions(in: FilePath(path + "/none")) == [])
  }

  @Test func `A folder without recordings has nothing to replay`() throws {
    _ = try recorder()
    #expect { _ = try RecordingFolder.files(in: FilePath(self.path)) } throws: { error in
      (error as? Failure)?.message == "\(self.path) has no recording (*.jsonl)"
    }
  }

  @Test func `What is no folder, or cannot be one, is an error`() throws {
    for (path, reason) in [
      ("/dev/null", "Not a directory"), ("/dev/null/", "Not a directory"),
      ("/proc/locwatch/x", "No such file or directory"),
    ] {
      #expect(throws: OutputError.cannotCreate(path: path, reason: reason)) {
        try RecordingFolder(FilePath(path), rotation: .daily)
      }
    }
  }

  @Test func `38: without room it tells once, goes on when there is room, and marks the gap`()
    throws
  {
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    try withFullDisk {
      for seconds in 1...4 {
        keep("b", at: seconds, in: recorder)
        try recorder.flush()
      }
    }
    #expect(recorder.drops == 4)
    for seconds in 5...6 { keep("c", at: seconds, in: recorder) }
    try recorder.finish()
    let name = "000001-2026-11-20T070000.000Z.jsonl"
    #expect(
      try files() == [
        "\(name): \(stamp("0.000", start: "2026-11-20T07:00:00.000Z")) a "
          + #"{"class":"LOCWATCH","t":5.000,"start":"2026-11-20T07:00:00.000Z","lost":4} c "#
          + stamp("6.000") + " c "
      ])
    #expect(
      messages.all.withLock(\.self) == [
        "cannot write to \(path)/\(name): No space left on device; the recording continues when "
          + "there is room", "the recording continues in \(path)/\(name); lines lost: 4",
      ])
  }

  @Test func `A gap that lasts to the end is counted, and said once`() throws {
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    try withFullDisk {
      for seconds in 1...3 { keep("b", at: seconds, in: recorder) }
      recorder.noteEnd(at: moment(9))
      try recorder.finish()
    }
    #expect(recorder.drops == 3)
    #expect(messages.all.withLock(\.count) == 1)
    #expect(!recorder.hasPending)
  }

  @Test func `A gap that is over at the end is counted there`() throws {
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    try withFullDisk {
      for seconds in 1...3 {
        keep("b", at: seconds, in: recorder)
        try recorder.flush()
      }
    }
    recorder.noteEnd(at: moment(4))
    try recorder.finish()
    #expect(recorder.drops == 3)
    #expect(
      try files().map { $0.split(separator: " a ").last } == [
        #"{"class":"LOCWATCH","t":4.000,"start":"2026-11-20T07:00:00.000Z","lost":3} "#
      ])
  }

  @Test func `The beginning of a file that could not be written is written later`() async throws {
    let recorder = try recorder(.every(.seconds(10)))
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    keep("b", at: 10, in: recorder)
    try withFullDisk(of: "000002") { try recorder.flush() }
    keep(#"{"class":"TPV"}"#, at: 12, in: recorder)
    try recorder.finish()
    #expect(recorder.drops == 1)
    let start = #""start":"2026-11-20T07:00:10.000Z","lost":1"#
    #expect(
      try files().last == "000002-2026-11-20T070010.000Z.jsonl: "
        + #"{"class":"LOCWATCH","t":2.000,\#(start)} {"class":"TPV"} "#)
    let session = RecordedSession(
      try RecordingFolder.files(in: FilePath(path)).map { try RecordingFile(path: $0) },
      pace: .asFastAsPossible)
    try session.open(GPSDEndpoint())
    while case .value = try await session.read(until: nil) {}
    #expect(session.clock.now.uptime == .seconds(12))
    #expect(session.clock.now.wall == moment(12).wall)
  }

  @Test func `Within a second of an error, no line is written`() throws {
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    try withFullDisk {
      keep("b", at: 5, in: recorder)
      try recorder.flush()
    }
    for (text, milliseconds) in [("c", 5999), ("d", 6000)] {
      let line = Array("\(text)\r\n".utf8)
      let received = moment(0).advanced(by: .milliseconds(milliseconds))
      recorder.keep(GPSDLines(bytes: line[...], received: received))
    }
    try recorder.finish()
    #expect(recorder.drops == 2)
    #expect(try files()[0].hasSuffix(#","lost":2} d "#))
  }

  @Test func `An error does not begin to count the size of a file again`() throws {
    let recorder = try recorder(.size(150))
    keep("12345678", at: 0, in: recorder)
    try recorder.flush()
    try withFullDisk {
      keep("12345678", at: 1, in: recorder)
      try recorder.flush()
    }
    // The file has 77 bytes, and gets 86 more.
    for seconds in [3, 4] { keep("12345678", at: seconds, in: recorder) }
    try recorder.finish()
    #expect(try files().map { $0.components(separatedBy: "12345678").count - 1 } == [2, 1])
  }

  @Test func `Lines without a moment are recorded into the current file`() throws {
    let recorder = try recorder()
    let line = Array("x\r\n".utf8)
    recorder.keep(GPSDLines(bytes: line[...], received: nil))
    #expect(recorder.drops == 1)
    keep("a", at: 0, in: recorder)
    recorder.keep(GPSDLines(bytes: line[...], received: nil))
    try recorder.finish()
    #expect(recorder.drops == 1)
    #expect(try files()[0].hasSuffix(" a x "))
  }

  @Test func `A file that is removed is followed by another one, which lacks no line`() throws {
    let recorder = try recorder(.every(.seconds(100)))
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    // Kept before, and written after it is removed.
    keep("b", at: 5, in: recorder)
    let removed = try names()[0]
    try FileManager.default.removeItem(atPath: "\(path)/\(removed)")
    keep("c", at: 6, in: recorder)
    try recorder.flush()
    let new = "000001-2026-11-20T070006.000Z.jsonl"
    #expect(
      messages.all.withLock(\.self) == [
        "\(path)/\(removed) was removed; the recording continues in \(path)/\(new)"
      ])
    for seconds in [7, 105, 106] { keep("d", at: seconds, in: recorder) }
    recorder.noteEnd(at: moment(110))
    try recorder.finish()
    #expect(recorder.drops == 0)
    #expect(messages.all.withLock(\.count) == 1)
    #expect(
      try files() == [
        "\(new): \(stamp("0.000", start: "2026-11-20T07:00:00.000Z")) \(stamp("5.000")) b "
          + "\(stamp("6.000")) c \(stamp("7.000")) d \(stamp("105.000")) d \(stamp("106.000")) ",
        "000002-2026-11-20T070146.000Z.jsonl: "
          + "\(stamp("0.000", start: "2026-11-20T07:01:46.000Z")) d \(stamp("4.000")) ",
      ])
  }

  @Test func `A folder that is removed is made again`() throws {
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    keep("b", at: 1, in: recorder)
    try recorder.flush()
    try FileManager.default.removeItem(atPath: path)
    keep("c", at: 2, in: recorder)
    try recorder.finish()
    #expect(recorder.drops == 0)
    #expect(
      try files() == [
        "000001-2026-11-20T070002.000Z.jsonl: "
          + "\(stamp("1.000", start: "2026-11-20T07:00:00.000Z")) \(stamp("2.000")) c "
      ])
  }

  @Test func `The end alone does not make a removed file again`() throws {
    let recorder = try recorder()
    keep("a", at: 0, in: recorder)
    try recorder.flush()
    try FileManager.default.removeItem(atPath: path)
    recorder.noteEnd(at: moment(5))
    try recorder.finish()
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(messages.all.withLock(\.self) == [])
  }

  @Test func `The time of a file that was removed passes in a replay of the folder`() async throws {
    let recorder = try recorder(.every(.seconds(10)))
    let line = #"{"class":"TPV"}"#
    for seconds in [0, 10, 14] {
      keep(line, at: seconds, in: recorder)
      try recorder.flush()
    }
    try FileManager.default.removeItem(atPath: "\(path)/\(try names()[1])")
    keep(line, at: 15, in: recorder)
    try recorder.finish()
    let session = RecordedSession(
      try RecordingFolder.files(in: FilePath(path)).map { try RecordingFile(path: $0) },
      pace: .asFastAsPossible)
    try session.open(GPSDEndpoint())
    var moments: [Moment?] = []
    while case .value(let lines, _) = try await session.read(until: nil) {
      moments.append(lines.received)
    }
    #expect(moments.map { $0?.uptime } == [.zero, .seconds(15)])
    #expect(moments.map { $0?.wall } == [moment(0).wall, moment(15).wall])
  }

  /// Has the folder's open files lead to a device that is always full.
  private func withFullDisk(of name: String = "", _ body: () throws -> Void) throws {
    let number = try #require(
      (3..<1024).first { descriptor in
        let link = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(descriptor)")
        return link?.hasPrefix("\(path)/\(name)") == true
      })
    let kept = dup(CInt(number))
    let full = open("/dev/full", O_WRONLY)
    dup2(full, CInt(number))
    defer {
      dup2(kept, CInt(number))
      close(kept)
      close(full)
    }
    try body()
  }
}
