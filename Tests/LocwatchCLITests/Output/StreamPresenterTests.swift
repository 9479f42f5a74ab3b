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
  private let pipe: PipeEnds

  init() throws { pipe = try PipeEnds() }

  private func at(_ milliseconds: Int) -> Moment { Moment(uptime: .milliseconds(milliseconds)) }

  private func fix(_ number: Int) -> LocationUpdate {
    .fix(Samples.position(Double(number), 0))
  }

  private var written: String { String(decoding: pipe.readAll(), as: UTF8.self) }

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
    let path = folder.path("a.kml")
    try "kept ".write(toFile: path.description, atomically: false, encoding: .utf8)
    var presenter = StreamPresenter(
      try Options(arguments: ["-f", "kml"]).style.makeRenderer(),
      to: OutputSink(try Descriptor(appendingTo: path), waitsForReader: false),
      stale: nil)
    presenter.begin(at: at(0))
    try presenter.finish(waitsForReader: true)
    let text = try String(contentsOfFile: path.description, encoding: .utf8)
    #expect(text.hasPrefix("kept <?xml") && text.hasSuffix("</kml>\n"))
  }

  @Test func `A mean is a record, which is counted until it is written`() throws {
    var presenter = StreamPresenter(to: OutputSink(pipe.descriptor, waitsForReader: false))
    presenter.add(try Options(arguments: ["--once", "--average", "3", "-j"]).style, as: 0)
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

  @Test func `fixes that wait at the end are written as they came`() throws {
    var presenter = try blockedPresenter(stale: .milliseconds(1))
    presenter.present(fix(1), at: at(10))
    presenter.present(fix(2), at: at(20))
    var text = written
    try presenter.finish(waitsForReader: false)
    text += written
    #expect(fixes(text) == ["1", "2"])
  }

  /// As when a source of a replay has ended, and another one appears.
  @Test func `what waits of a source that another replaces is written`() throws {
    var stream = try blockedPresenter(of: "a=h1", "b=h2")
    stream.present(fix(10), of: 1, at: at(10))
    stream.add(try Options(arguments: ["-j"]).ofMember(named: nil).style, as: 1)
    stream.present(fix(20), of: 1, at: at(20))
    var received = written
    try stream.flush(at: at(30))
    received += written
    // The position of a source that is over is not current.
    #expect(fixes(received) == ["10-", "20"])
    #expect(!stream.hasPending && stream.unwrittenRecords == 0)
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
