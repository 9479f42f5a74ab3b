import GPSDLocation
import LocationCore
import LocationFormats
import LocationSamples
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct `The updates of the table of sources` {
  private static let now = Moment(uptime: .seconds(100))

  private func emptyTable(on output: Descriptor) -> SourceTable {
    emptyTable(on: LiveLines(output, style: TerminalStyle(), isReplay: false))
  }

  private func emptyTable(on lines: LiveLines) -> SourceTable {
    var table = SourceTable(
      on: lines, style: TerminalStyle(),
      LinesPlan(events: .all, showsSatellites: false, tick: .seconds(1)))
    for (index, name) in ["boat", "car"].enumerated() {
      var style = OutputStyle()
      style.records.source = name
      table.add(style, as: index)
    }
    return table
  }

  private static let region = LocationUpdate.change(
    ReceiverChange(
      .region("home", presence: .inside, previous: .outside), of: "/dev/a",
      at: Moment(uptime: .zero)))

  /// A terminal of another session is as one of another job.
  @Test func `is not drawn by a job in the background, but transitions scroll`() throws {
    let terminal = try PseudoTerminalEnds()
    var table = emptyTable(on: terminal.terminal)
    table.present(.state(.searching, of: "/dev/a"), of: 1, at: Self.now)
    try table.flush(at: Self.now)
    let text = terminal.takeText()
    #expect(text.contains("searching car /dev/a") && !text.contains("outages"))
    #expect(table.status.hasPending)
  }

  @Test func `a stopped terminal misses lines, but no state`() throws {
    let pipe = try PipeEnds()
    var table = emptyTable(on: pipe.descriptor)
    for _ in 0..<60_000 { table.present(Self.region, of: 1, at: Self.now) }
    // Lines of 45 bytes scroll by 64 KiB, until there are more than 1 MiB.
    let (lost, other) = (LocationUpdate.state(.lost, of: "/dev/a"), LocationUpdate.fix(Samples.fix))
    #expect(table.hasRoom(for: lost, of: 1) && table.hasRoom(for: other, of: 1))
    table.present(lost, of: 1, at: Self.now)
    #expect(table.rows(at: Self.now).map(\.status.state) == [.lost])
    #expect(table.unwrittenRecords == 60_001 - 16 * 1457)
    try table.flush(at: Self.now)
    var text = ""
    while table.status.hasPending, text.utf8.count < 4_000_000 {
      text += String(decoding: pipe.readAll(), as: UTF8.self)
      try table.flush(at: Self.now)
    }
    text += String(decoding: pipe.readAll(), as: UTF8.self)
    #expect(text.split(separator: "region car /dev/a").count - 1 == 16 * 1457)
  }

  @Test func `is drawn again after a message took its place`() throws {
    let pipe = try PipeEnds()
    let lines = LiveLines(pipe.descriptor, style: TerminalStyle(), isReplay: false)
    var table = emptyTable(on: lines)
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Self.now)
    try table.flush(at: Self.now)
    lines.clear()
    #expect(table.status.hasPending)
    #expect(table.status.nextTick == Self.now.advanced(by: .milliseconds(250)))
    _ = pipe.readAll()
    try table.flush(at: Self.now.advanced(by: .milliseconds(1)))
    #expect(String(decoding: pipe.readAll(), as: UTF8.self).contains("boat    searching"))
  }
}
