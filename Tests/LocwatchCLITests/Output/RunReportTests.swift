import Glibc
import LocationCore
import LocationTestKit
import LocationText
import Synchronization
import Testing

@testable import LocationFormats
@testable import LocwatchCLI
@testable import LocwatchSystem

@Suite struct RunReportTests {
  private let folder: TemporaryFolder
  private let clock = ManualClock()

  init() throws {
    folder = try TemporaryFolder()
  }

  private var now: Moment { clock.locationClock.now }

  private func report(
    _ path: FilePath, _ arguments: [String] = [], patience: Duration = .zero
  ) throws -> RunReport {
    let options = try Options(arguments: arguments + ["--report", path.description])
    return try #require(
      RunReport(options, clock: clock.locationClock, patience: patience))
  }

  /// Adds an update of the only source.
  private func add(_ update: LocationUpdate, to report: RunReport, at moment: Moment? = nil) {
    report.part(nil).add(update, at: moment ?? now)
  }

  /// Makes a pipe that is full, and that somebody has opened and does not read.
  private func makeFullPipe() throws -> (path: FilePath, reader: CInt) {
    let path = folder.makePipe("full.txt")
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    let writer = open(path, O_WRONLY | O_NONBLOCK)
    defer { close(writer) }
    let page = [UInt8](repeating: 0x78, count: 4096)
    while Glibc.write(writer, page, page.count) > 0 {}
    return (FilePath(path), reader)
  }

  private func tooSlow(_ path: FilePath) -> OutputError {
    .cannotWrite(path: path.description, reason: "its reader does not keep up")
  }

  @Test func `is written again during a live run, but not into a pipe or to standard output`()
    throws
  {
    func isWrittenAgain(_ arguments: String...) throws -> Bool {
      try Options(arguments: arguments).writesReportDuringRun
    }
    let file = try folder.write("{}", to: "old.json")
    let pipe = folder.makePipe("pipe.json")
    #expect(try isWrittenAgain("--report", "\(folder.path)/new.json") == true)
    #expect(try isWrittenAgain("--report", file) == true)
    #expect(try isWrittenAgain("--report", pipe) == false)
    #expect(try isWrittenAgain("--report", "-") == false)
    #expect(try isWrittenAgain("--replay", "a", "--report", file) == false)
    #expect(try isWrittenAgain("--serve", "0") == false)
  }

  /// The numbers of each receiver in the page for a server.
  private func numbers(_ name: String, in report: RunReport) -> [String] {
    let page = String(
      decoding: report.page(under: TextBuffer(), every: .seconds(10)), as: UTF8.self)
    return page.ranges(of: "<th scope=\"row\">\(name)</th><td>").map {
      String(page[$0.upperBound...].prefix { $0 != "<" })
    }
  }

  @Test(arguments: [false, true])
  func `begins with what is known when it is begun, if it has no file`(hasFile: Bool) throws {
    let file = hasFile ? ["--report", folder.path("a.json").description] : []
    let options = try Options(arguments: ["--serve", "0"] + file)
    let report = try #require(RunReport(options, clock: clock.locationClock))
    let parts = [report.part("bow", as: 1), report.part("stern", as: 0)]
    for part in parts {
      part.add(.state(.fix3D, of: "/dev/a"), at: now)
      part.add(.fix(.scripted(0)), at: now)
    }
    clock.jump(by: .seconds(60))
    // A source that has ended before has nothing to report.
    parts[1].end(at: now)
    #expect(report.haveBegun == hasFile)
    #expect(numbers("fixes", in: report) == (hasFile ? ["1", "1"] : []))
    for state in [LocationState.fix3D, .lost] {
      report.begin(at: now) { [.state(state, of: $0 == 1 ? "/dev/a" : "/dev/b")] }
    }
    #expect(numbers("fixes", in: report) == (hasFile ? ["1", "1"] : ["0"]))
    #expect(numbers("with a fix", in: report) == (hasFile ? ["100.0\u{a0}%", "100.0\u{a0}%"] : []))
    clock.jump(by: .seconds(30))
    for second in 60...61 { parts[0].add(.fix(.scripted(Double(second))), at: now) }
    report.part("keel").add(.fix(.scripted(0)), at: now)
    #expect(numbers("fixes", in: report) == (hasFile ? ["3", "1", "1"] : ["2", "1"]))
    #expect(
      numbers("observed", in: report).first == (hasFile ? "1\u{a0}min 30\u{a0}s" : "30\u{a0}s"))
    #expect(numbers("with a fix", in: report).first == "100.0\u{a0}%")
    let page = String(
      decoding: report.page(under: TextBuffer(), every: .seconds(10)), as: UTF8.self)
    #expect(
      page.contains(
        "and every 10\u{a0}s while locwatch runs.\(hasFile ? "</p>" : " The figures begin")"))
    // Each pass of a replay is counted from its beginning.
    report.restart()
    report.part("bow").add(.fix(.scripted(0)), at: now)
    #expect(numbers("fixes", in: report) == ["1"])
  }

  @Test func `is written once at the end, and never after it`() throws {
    let report = try report(folder.path("a.txt"))
    add(.fix(.scripted(0)), to: report)
    try report.write(isLast: true)
    try folder.write("another's", to: "a.txt")
    try report.write(isLast: true)
    try report.write(isLast: false)
    #expect(folder.text(of: "a.txt") == "another's")
  }

  @Test(arguments: [true, false])
  func `a live run gives up a reader that does not keep up`(isLast: Bool) throws {
    let (path, reader) = try makeFullPipe()
    defer { close(reader) }
    let report = try report(path)
    #expect(throws: tooSlow(path)) { try report.write(isLast: isLast) }
  }

  @Test func `a pipe that nobody reads is an error, and not waited for`() throws {
    let path = folder.makePipe("a.txt")
    let report = try report(FilePath(path), patience: .seconds(3600))
    #expect(throws: OutputError.noReader(path: path)) { try report.write(isLast: false) }
    #expect(throws: OutputError.noReader(path: path)) { try report.write(isLast: true) }
  }

  /// Writes a report on a thread of its own, which may be blocked.
  private func write(_ report: RunReport, isLast: Bool) -> Task<Void, any Error> {
    Task {
      try await withCheckedThrowingContinuation { continuation in
        _ = BlockingThread.start {
          continuation.resume(with: Result { try report.write(isLast: isLast) })
        }
      }
    }
  }

  private func isBeingWritten(_ report: RunReport) -> Bool {
    report.isFinished.withLockIfAvailable { _ in } == nil
  }

  @Test(.timeLimit(.minutes(5)))
  func `the end gives up a report that is being written, whatever its reader does`() async throws {
    let (path, reader) = try makeFullPipe()
    let report = try report(path, patience: .seconds(3600))
    let during = write(report, isLast: false)
    #expect(await comes { self.isBeingWritten(report) })
    let end = write(report, isLast: true)
    await #expect(throws: tooSlow(path)) { try await during.value }
    close(reader)
    // It may not have opened the pipe yet.
    await #expect {
      try await end.value
    } throws: { error in
      [OutputError.closed, .noReader(path: path.description)].contains(error as? OutputError)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a replay waits for its reader`() async throws {
    let (path, reader) = try makeFullPipe()
    defer { close(reader) }
    let report = try report(path, ["--replay", "a.jsonl"])
    let end = write(report, isLast: true)
    #expect(await comes { self.isBeingWritten(report) })
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let filling = read(reader, &bytes, bytes.count)
    #expect(filling > 4096)
    try await end.value
    #expect(read(reader, &bytes, bytes.count) > 0)
    #expect(bytes.starts(with: "No receiver reported.\n".utf8))
  }

  @Test func `a replay that is cancelled waits for nobody`() async throws {
    let (path, reader) = try makeFullPipe()
    defer { close(reader) }
    let report = try report(path, ["--replay", "a.jsonl"])
    try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try report.write(isLast: true)
    }.value
  }
}
