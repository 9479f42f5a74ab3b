import Foundation
import Glibc
import LocationCore
import LocationTestKit
import Testing

@testable import LocationFormats
@testable import LocationText
@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Fault 128.
@Suite struct StreamPresenterTests {
  /// Writes a word for each update, between a head and an end.
  private struct WordRenderer: Renderer {
    var trailer: String { "end." }

    mutating func begin(into output: inout TextBuffer) { output.append(text: "head ") }
    mutating func state(_ change: StateChange, into output: inout TextBuffer) {
      output.append(text: "\(change.state) ")
    }
    mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
      output.append(text: "\(Int(fix.coordinate.latitude))\(fix.isCurrent ? "" : "-old") ")
    }
  }

  private let pipe: PipeEnds

  init() throws { pipe = try PipeEnds() }

  private func at(_ milliseconds: Int) -> Moment { Moment(uptime: .milliseconds(milliseconds)) }

  private func fix(_ number: Int) -> LocationUpdate {
    .fix(Samples.position(Double(number), 0))
  }

  private var written: String { String(decoding: pipe.readAll(), as: UTF8.self) }

  private func presenter(stale: Duration? = nil) -> StreamPresenter {
    StreamPresenter(
      WordRenderer(), to: OutputSink(pipe.descriptor, waitsForReader: false), stale: stale)
  }

  @Test(arguments: [
    ("", "time,lat\r\n,1.0\r\n,2.0\r\n"),
    ("kept\r\n", "kept\r\n,1.0\r\n,2.0\r\n"),
  ])
  func `a table that is appended to a file has a header if the file is empty`(
    before: String, after: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("table.csv")
    try before.write(toFile: path.description, atomically: false, encoding: .utf8)
    for number in 1...2 {
      var presenter = StreamPresenter(
        CSVRenderer(columns: [.time, .lat]),
        to: OutputSink(try Descriptor(appendingTo: path), waitsForReader: false), stale: nil)
      presenter.begin(at: at(0))
      presenter.present(fix(number), of: 0, at: at(number))
      try presenter.finish(waitsForReader: true)
    }
    #expect(try String(contentsOfFile: path.description, encoding: .utf8) == after)
  }

  @Test func `a document that is appended to a file has its own head`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("words")
    try "kept ".write(toFile: path.description, atomically: false, encoding: .utf8)
    var presenter = StreamPresenter(
      WordRenderer(), to: OutputSink(try Descriptor(appendingTo: path), waitsForReader: false),
      stale: nil)
    presenter.begin(at: at(0))
    try presenter.finish(waitsForReader: true)
    #expect(try String(contentsOfFile: path.description, encoding: .utf8) == "kept head end.")
  }

  @Test func `A reopened file has its own document, and the old one is complete`() throws {
    let folder = try TemporaryFolder()
    let said = Collector<String>()
    let path = folder.path("out")
    let reopening = OutputReopening(of: path) { said.add($0) }
    var presenter = StreamPresenter(
      to: OutputSink(try Descriptor(replacing: path), waitsForReader: false), reopening: reopening)
    presenter.add(as: 0) { WordRenderer() }
    presenter.begin(at: at(0))
    func show(_ number: Int) throws {
      presenter.present(fix(number), at: at(number))
      try presenter.flush(at: at(number))
    }
    try show(1)
    // Nothing happens where the file still has its name.
    reopening.request()
    try show(2)
    #expect(folder.text(of: "out") == "head 1 2 end." && said.values == [])
    // A user who changed the mode wants the same mode for the next file.
    #expect(folder.mode(of: "out") == 0o600)
    chmod("\(path)", 0o640)
    rename("\(path)", "\(path).1")
    try show(3)
    reopening.request()
    #expect(presenter.status.hasPending == false)
    try show(4)
    try show(5)
    #expect(folder.text(of: "out.1") == "head 1 2 3 end.")
    #expect(folder.text(of: "out") == "head 4 5 end." && folder.mode(of: "out") == 0o640)
    // What is not empty is not overwritten, and a file that was made for it is used.
    rename("\(path)", "\(path).2")
    try folder.write("mine", to: "out")
    reopening.request()
    try show(6)
    #expect(folder.text(of: "out") == "mine" && folder.text(of: "out.2") == "head 4 5 6 end.")
    #expect(
      said.values == [
        "\(path) is now another file, which is not empty; locwatch still writes to the file that had this name"
      ])
    try folder.write("", to: "out", mode: 0o600)
    reopening.request()
    try show(7)
    try presenter.finish(waitsForReader: false)
    #expect(folder.text(of: "out") == "head 7 end." && folder.mode(of: "out") == 0o600)
    #expect(folder.text(of: "out.2") == "head 4 5 6 end.")
  }

  @Test func `An output that is not a file stays open, and is named`() throws {
    let folder = try TemporaryFolder()
    let said = Collector<String>()
    let path = folder.path("out")
    let reopening = OutputReopening(of: path) { said.add($0) }
    let output = try Descriptor(replacing: path)
    func reopen() -> Bool {
      reopening.request()
      defer { remove("\(path)") }
      return reopening.take(after: output) != nil
    }
    remove("\(path)")
    mkdir("\(path)", 0o700)
    #expect(!reopen())
    mkfifo("\(path)", 0o600)
    #expect(!reopen())
    symlink("/dev/full", "\(path)")
    #expect(!reopen())
    #expect(reopen())
    #expect(
      said.values
        == ["a folder", "a named pipe", "a device"].map {
          "\(path) is now \($0); locwatch still writes to the file that had this name"
        })
  }

  @Test func `A file that cannot be reopened is still written`() throws {
    let folder = try TemporaryFolder()
    let place = try folder.makeFolder("place")
    let said = Collector<String>()
    let path = FilePath("\(place)/out")
    let reopening = OutputReopening(of: path) { said.add($0) }
    var presenter = StreamPresenter(
      to: OutputSink(try Descriptor(replacing: path), waitsForReader: false), reopening: reopening)
    presenter.add(as: 0) { WordRenderer() }
    presenter.begin(at: at(0))
    rename(place, "\(folder.path)/other")
    reopening.request()
    presenter.present(fix(1), at: at(1))
    try presenter.flush(at: at(1))
    #expect(folder.text(of: "other/out") == "head 1 end.")
    #expect(
      said.values == [
        "cannot create \(path): No such file or directory; locwatch still writes to the file that had this name"
      ])
  }

  @Test func `A mean is a record, which is counted until it is written`() throws {
    var presenter = StreamPresenter(to: OutputSink(pipe.descriptor, waitsForReader: false))
    presenter.add(try Options(arguments: ["--once", "--average", "3", "-j"]).style(), as: 0)
    presenter.begin(at: at(0))
    #expect(presenter.unwrittenRecords == 0)
    presenter.present(
      MeanPosition(coordinate: Coordinate(latitude: 1, longitude: 2)!, fixCount: 3), of: 0)
    #expect(presenter.unwrittenRecords == 1)
    try presenter.flush(at: at(0))
    #expect(presenter.unwrittenRecords == 0 && written.contains(#""fixes":3"#))
  }

  /// A presenter whose reader is behind: a record that is larger than the pipe is half written.
  private func blockedPresenter(stale: Duration? = nil) throws -> StreamPresenter {
    var presenter = StreamPresenter(
      JSONRenderer(), to: OutputSink(pipe.descriptor, waitsForReader: false), stale: stale)
    try block(&presenter)
    return presenter
  }

  /// A presenter of several sources whose reader is behind.
  private func blockedPresenter(of targets: String...) throws -> StreamPresenter {
    let options = try Options(arguments: ["-j", "--class", "ATT"] + targets)
    var presenter = StreamPresenter(to: OutputSink(pipe.descriptor, waitsForReader: false))
    options.addFleet(to: &presenter)
    try block(&presenter)
    return presenter
  }

  private func block(_ presenter: inout StreamPresenter) throws {
    let text = String(repeating: "x", count: 70_000)
    presenter.present(
      .event(.other(ServiceReport(ServiceReport.Kind(rawValue: "ATT"), text: "\"\(text)\""))),
      at: at(0))
    try presenter.flush(at: at(0))
    #expect(presenter.blockedOutput === pipe.descriptor)
  }

  /// The numbers of the fixes in JSON, with `-` for those that are not current.
  private func fixes(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.contains(#""type":"fix""#) }.compactMap { line in
      let number = line.split(separator: #""lat":"#).last?.prefix { $0 != "." }
      return number.map { $0 + (line.contains(#""current":false"#) ? "-" : "") }
    }
  }

  @Test func `a document has a head, its records and an end`() throws {
    var presenter = presenter()
    #expect(!presenter.hasPending)
    presenter.begin(at: at(0))
    #expect(presenter.hasPending)
    try presenter.flush(at: at(0))
    #expect(written == "head ")
    presenter.present(fix(1), at: at(1))
    presenter.present(.state(Samples.lost), at: at(2))
    #expect(written == "")
    try presenter.flush(at: at(2))
    #expect(written == "1 lost ")
    #expect(!presenter.hasPending && presenter.nextTick == nil && presenter.blockedOutput == nil)
    presenter.present(fix(2), at: at(3))
    try presenter.finish(waitsForReader: false)
    #expect(written == "2 end.")
  }

  @Test func `a document begins with its first source, however late that comes`() throws {
    func stream() -> StreamPresenter {
      StreamPresenter(to: OutputSink(pipe.descriptor, waitsForReader: false))
    }
    var later = stream()
    later.begin(at: at(0))
    #expect(!later.hasPending)
    for source in 0...1 { later.add(as: source) { WordRenderer() } }
    later.present(fix(1), at: at(1))
    try later.finish(waitsForReader: false)
    #expect(written == "head 1 end.")
    var earlier = stream()
    for source in 0...1 { earlier.add(as: source) { WordRenderer() } }
    #expect(!earlier.hasPending)
    earlier.begin(at: at(0))
    try earlier.finish(waitsForReader: false)
    #expect(written == "head end.")
    var empty = stream()
    empty.begin(at: at(0))
    try empty.finish(waitsForReader: false)
    #expect(written == "")
  }

  @Test func `a file has one end`() throws {
    let folder = try TemporaryFolder()
    let sink = OutputSink(try Descriptor(replacing: folder.path("a")), waitsForReader: false)
    var presenter = StreamPresenter(WordRenderer(), to: sink, stale: nil)
    presenter.begin(at: at(0))
    try presenter.flush(at: at(0))
    #expect(folder.text(of: "a") == "head end.")
    presenter.present(fix(1), at: at(1))
    try presenter.flush(at: at(1))
    #expect(folder.text(of: "a") == "head 1 end.")
    presenter.present(fix(2), at: at(2))
    try presenter.finish(waitsForReader: false)
    #expect(folder.text(of: "a") == "head 1 2 end.")
  }

  @Test func `a fix that waited too long to be current is written as not current`() throws {
    var presenter = try blockedPresenter(stale: .seconds(2))
    presenter.present(fix(1), at: at(999))
    presenter.present(fix(2), at: at(1000))
    presenter.present(fix(3), at: at(2500))
    #expect(presenter.hasPending)
    var text = written
    try presenter.flush(at: at(3000))
    text += written
    #expect(fixes(text) == ["1-", "2", "3"])
    #expect(!presenter.hasPending)
  }

  @Test func `five seconds are the default limit`() throws {
    var presenter = try blockedPresenter()
    presenter.present(fix(1), at: at(999))
    presenter.present(fix(2), at: at(1000))
    var text = written
    try presenter.flush(at: at(6000))
    text += written
    #expect(fixes(text) == ["1-", "2"])
  }

  @Test func `fixes that wait at the end are written as they came`() throws {
    var presenter = try blockedPresenter(stale: .milliseconds(1))
    presenter.present(fix(1), at: at(10))
    presenter.present(fix(2), at: at(20))
    var text = written
    try presenter.finish(waitsForReader: false)
    text += written
    #expect(fixes(text) == ["1", "2"])
  }

  @Test func `updates stay in the queue while the reader is blocked`() throws {
    var presenter = try blockedPresenter()
    for number in 1...3 { presenter.present(fix(number), at: at(number)) }
    try presenter.flush(at: at(4))
    #expect(presenter.hasPending && presenter.blockedOutput != nil)
    #expect(!presenter.isWorthFlushing)
    let text = written
    #expect(fixes(text) == [])
  }

  @Test func `updates of several sources are written in the order in which they came`() throws {
    var stream = try blockedPresenter(of: "a=h1", "b=h2", "c=h3")
    for (source, moment) in [(1, 10), (0, 20), (0, 30), (1, 40), (2, 50), (0, 60)] {
      stream.present(fix(moment), of: source, at: at(moment))
    }
    var received = written
    try stream.flush(at: at(100))
    received += written
    #expect(fixes(received) == ["10", "20", "30", "40", "50", "60"])
    #expect(!stream.hasPending)
  }

  /// As when a source of a replay has ended, and another one appears.
  @Test func `what waits of a source that another replaces is written`() throws {
    var stream = try blockedPresenter(of: "a=h1", "b=h2")
    stream.present(fix(10), of: 1, at: at(10))
    stream.add(try Options(arguments: ["-j"]).style(isOfFleet: true), as: 1)
    stream.present(fix(20), of: 1, at: at(20))
    var received = written
    try stream.flush(at: at(30))
    received += written
    // The position of a source that is over is not current.
    #expect(fixes(received) == ["10-", "20"])
    #expect(!stream.hasPending && stream.unwrittenRecords == 0)
  }

  @Test func `a loss is void in NMEA once no other source has a position`() throws {
    var stream = StreamPresenter(to: OutputSink(pipe.descriptor, waitsForReader: false))
    try Options(arguments: ["-f", "nmea", "a=h1", "b=h2", "c=h3"]).addFleet(to: &stream)
    func statuses() throws -> [Substring] {
      try stream.flush(at: at(9))
      return written.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("$GNGLL") }.map {
        $0.split(separator: ",", omittingEmptySubsequences: false)[6]
      }
    }
    for source in 0...2 { stream.present(.fix(Samples.fix), of: source, at: at(1)) }
    #expect(try statuses() == ["A", "A", "A"])
    stream.present(.state(Samples.lost), of: 1, at: at(2))
    #expect(try statuses() == [])
    // No position of a source that has ended is current.
    stream.recordEnd(of: 2)
    stream.present(.state(Samples.lost), of: 0, at: at(3))
    #expect(try statuses() == ["V"])
    stream.present(.fix(Samples.fix), of: 1, at: at(4))
    stream.present(.state(Samples.lost), of: 1, at: at(5))
    #expect(try statuses() == ["A", "V"])
  }

  @Test func `each kind of update has its own limit`() throws {
    var presenter = try blockedPresenter()
    let report = LocationUpdate.event(.other(ServiceReport(.pps, text: "{}")))
    let change = LocationUpdate.change(Samples.change(.pulses(.present, previous: nil)))
    let updates: [(LocationUpdate, limit: Int)] = [
      (report, 256), (fix(0), 1024), (.state(Samples.lost), 4096), (change, 4096),
    ]
    for count in 0..<4096 {
      for (update, limit) in updates {
        let hasRoom = presenter.hasRoom(for: update)
        if hasRoom != (count < limit) { Issue.record("\(count) wait: \(update)") }
      }
      presenter.present(.state(Samples.searching), at: at(count))
    }
    for (update, _) in updates { #expect(!presenter.hasRoom(for: update)) }
    #expect(presenter.hasRoom(for: .event(.sky(Samples.sky))))
  }
}
