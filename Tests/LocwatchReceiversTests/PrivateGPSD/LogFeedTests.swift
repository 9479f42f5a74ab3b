import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// The feed of a log between a gpsd and a reader that the test plays.
/// Faults 74 and 99.
@Suite struct `The feed of a log` {
  private static let path = "tcp://127.0.0.1:40000"
  private static let greeting = #"{"class":"VERSION","release":"3.22"}"# + "\r\n"
  private static let watch = #"{"class":"WATCH","enable":true,"json":true}"# + "\r\n"
  private static let question = "?VERSION;\r\n"

  /// A report of the receiver, and as it is passed on.
  private static func report(_ number: Int, of device: String = path) -> String {
    #"{"class":"TPV","device":"\#(device)","mode":\#(number)}"# + "\r\n"
  }

  private let client: FeedEnd
  private let source: FeedEnd
  private let reader: FeedPipe
  private var feed: LogFeed

  /// - Parameter pieces: What is read of the log at a time; `nil` if the next read fails.
  private init(of pieces: [String?], maximumWaiting: Int = LogFeed.maximumWaiting) throws {
    var rest = pieces[...]
    try self.init(
      reading: LogReader { () throws(LocationError) in
        guard !rest.isEmpty else { return [] }
        guard let piece = rest.removeFirst() else {
          throw LocationError(.disconnected, "log: Input/output error")
        }
        return Array(piece.utf8)
      }, maximumWaiting: maximumWaiting)
  }

  private init(reading log: LogReader, maximumWaiting: Int = LogFeed.maximumWaiting) throws {
    let (client, clientOfFeed) = try FeedEnd.pair()
    let (source, sourceOfFeed) = try FeedEnd.pair()
    self.client = client
    self.source = source
    reader = try FeedPipe()
    feed = LogFeed(
      log, to: sourceOfFeed, reportingOn: clientOfFeed,
      into: ReportPipe(to: reader.writing, renaming: Self.path, to: "log"),
      maximumWaiting: maximumWaiting)
  }

  init() throws { try self.init(of: ["$A\n", "$B\n"]) }

  /// Lets the feed do what it can, and returns how it ended.
  private mutating func turn(_ count: Int = 1) -> LogFeed.Outcome? {
    for _ in 0..<count {
      if let outcome = Self.turn(&feed) { return outcome }
    }
    return nil
  }

  private static func turn(
    _ feed: inout LogFeed, within milliseconds: CInt = 0
  ) -> LogFeed.Outcome? {
    if let outcome = feed.turn() { return outcome }
    feed.handle(feed.sources.areReady(within: milliseconds) ? .signalled : .timedOut)
    return nil
  }

  /// Greets as gpsd does, and has the log watched.
  private mutating func greet() {
    client.send(Self.greeting + Self.watch)
    #expect(client.received == #"?WATCH={"enable":true,"json":true};"# + "\r\n")
    #expect(turn(2) == nil)
    #expect(reader.text == Self.greeting + Self.watch)
  }

  /// Answers a question after reports.
  private mutating func answer(_ reports: String = "") {
    #expect(client.received == Self.question)
    client.send(reports + Self.greeting)
    _ = turn()
  }

  @Test mutating func `gives nothing before gpsd has begun to watch`() {
    client.send(Self.greeting)
    #expect(turn(3) == nil)
    #expect(source.received == "")
    client.send(Self.watch)
    #expect(turn(2) == nil)
    #expect(source.received == "$A\n")
  }

  @Test mutating func `gives a piece at a time, and the next one when gpsd has answered`() {
    greet()
    #expect(source.received == "$A\n")
    #expect(turn(3) == nil)
    #expect(source.received == "")
    answer()
    #expect(turn() == nil)
    #expect(source.received == "$B\n")
    #expect(feed.fedCount == 6)
  }

  @Test mutating func `passes all reports on under the log's name, but no answer`() {
    greet()
    answer(Self.report(1) + Self.report(2, of: "tcp://127.0.0.1:40001"))
    #expect(turn() == nil)
    answer(Self.report(3))
    #expect(turn() == nil)
    #expect(
      reader.text
        == Self.report(1, of: "log") + Self.report(2, of: "tcp://127.0.0.1:40001")
        + Self.report(3, of: "log"))
  }

  @Test mutating func `puts reports together that come in parts`() {
    greet()
    let report = Self.report(1)
    client.send(String(report.prefix(20)))
    #expect(turn(2) == nil)
    #expect(reader.text == "")
    client.send(String(report.dropFirst(20)))
    #expect(turn(2) == nil)
    #expect(reader.text == Self.report(1, of: "log"))
  }

  @Test mutating func `is complete after three answers without a report since the end`() {
    greet()
    #expect(source.received == "$A\n")
    answer(Self.report(1))
    #expect(turn() == nil)
    #expect(source.received == "$B\n")
    for reports in ["", Self.report(2), "", ""] {
      answer(reports)
      #expect(turn() == nil)
    }
    answer()
    #expect(turn() == .complete(hasReports: true))
    #expect(reader.text == Self.report(1, of: "log") + Self.report(2, of: "log"))
  }

  @Test mutating func `is not complete while gpsd's system has not received all`() {
    greet()
    for _ in 0..<10 {
      answer()
      #expect(turn() == nil)
    }
    #expect(source.received == "$A\n$B\n")
    for _ in 0..<2 {
      answer()
      #expect(turn() == nil)
    }
    answer()
    #expect(turn() == .complete(hasReports: false))
  }

  @Test(arguments: [("DEVICE", false), ("DEVICES", false), ("ERROR", false), ("AIS", true)])
  mutating func `says whether anything was of a receiver`(name: String, hasReports: Bool) {
    greet()
    #expect(source.received == "$A\n")
    answer(#"{"class":"\#(name)"}"# + "\r\n")
    _ = turn()
    #expect(source.received == "$B\n")
    for _ in 0..<3 {
      answer()
      _ = turn()
    }
    #expect(turn() == .complete(hasReports: hasReports))
  }

  @Test mutating func `is incomplete if gpsd ends, and passes on what came before`() {
    greet()
    client.send(Self.report(1) + "{\"class\":\"TP")
    client.close()
    #expect(turn(3) == .incomplete("gpsd went away"))
    #expect(feed.fedCount == 3)
    #expect(reader.text == Self.report(1, of: "log"))
  }

  @Test mutating func `is incomplete if gpsd closes both connections at once`() {
    greet()
    client.send(Self.report(1))
    source.close()
    client.close()
    #expect(turn(3) == .incomplete("gpsd went away"))
    #expect(reader.text == Self.report(1, of: "log"))
  }

  @Test mutating func `is incomplete if gpsd no longer reads the log`() {
    greet()
    source.close()
    client.send(Self.report(1))
    #expect(turn(3) == .incomplete("gpsd no longer reads it"))
    #expect(reader.text == Self.report(1, of: "log"))
  }

  @Test mutating func `is incomplete after twenty waits without a word from gpsd`() {
    greet()
    #expect(turn(18) == nil)
    client.send(" ")
    // One turn hears it, and the waits begin again.
    #expect(turn(20) == nil)
    #expect(turn(2) == .incomplete("gpsd has not answered for 20 s"))
  }

  @Test mutating func `is incomplete if the log cannot be read to its end`() throws {
    self = try Self(of: ["$A\n", nil])
    greet()
    answer(Self.report(1))
    #expect(turn(2) == .incomplete("log: Input/output error"))
    #expect(reader.text == Self.report(1, of: "log"))
  }

  @Test mutating func `passes reports on while the writer of a stream pauses`() throws {
    let stream = try FeedPipe()
    let input = dup(stream.reading)
    defer { close(input) }
    var isLate = false
    self = try Self(
      reading: LogReader(input: input) { () throws(LocationError) in
        // As if the writer wrote just after the reader looked.
        defer { isLate = false }
        if isLate { return nil }
        let text = stream.text
        return text.isEmpty ? stream.isOver ? [] : nil : Array(text.utf8)
      })
    stream.write("$A\n")
    greet()
    #expect(source.received == "$A\n")
    answer()
    // A pause takes no turns: nothing is given but what there is.
    #expect(turn(50) == nil)
    #expect(source.received == "" && client.received == "")
    client.send(Self.report(1))
    #expect(turn(2) == nil)
    #expect(reader.text == Self.report(1, of: "log"))
    stream.write("$B\n")
    isLate = true
    // The feed does not wait until its time is over.
    let start = ContinuousClock.now
    #expect(Self.turn(&feed, within: 60_000) == nil)
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(turn() == nil)
    #expect(source.received == "$B\n")
    answer()
    stream.closeWriting()
    for _ in 0..<3 {
      #expect(turn(2) == nil)
      answer()
    }
    #expect(turn() == .complete(hasReports: true))
    #expect(feed.fedCount == 6)
  }

  @Test mutating func `waits for a reader that pauses, and gives gpsd a byte meanwhile`() {
    greet()
    #expect(source.received == "$A\n")
    let filling = reader.fill()
    answer(Self.report(1))
    #expect(turn(19) == nil)
    #expect(source.received == "" && client.received == "")
    #expect(turn() == nil)
    #expect(source.received == "$")
    answer()
    #expect(turn(19) == nil)
    #expect(source.received == "")
    #expect(reader.text == filling)
    #expect(turn(2) == nil)
    #expect(reader.text == Self.report(1, of: "log"))
    #expect(source.received == "B\n")
  }

  @Test mutating func `gives gpsd a byte while the reader pauses before the first piece`() {
    _ = reader.fill()
    client.send(Self.greeting + Self.watch)
    // One turn hears it, and the reader pauses for 19 more.
    #expect(turn(20) == nil)
    #expect(source.received == "")
    #expect(turn() == nil)
    #expect(source.received == "$")
  }

  @Test mutating func `is complete only when a paused reader has all`() {
    greet()
    #expect(source.received == "$A\n")
    answer(Self.report(1))
    _ = turn()
    #expect(source.received == "$B\n")
    let filling = reader.fill()
    answer(Self.report(2))
    for _ in 0..<3 {
      _ = turn()
      answer()
    }
    // gpsd is needed no more.
    #expect(turn(3) == nil)
    client.close()
    source.close()
    #expect(turn(30) == nil)
    #expect(reader.text == Self.report(1, of: "log") + filling)
    #expect(turn(2) == .complete(hasReports: true))
    #expect(reader.text == Self.report(2, of: "log"))
  }

  @Test func `notices the end of gpsd whatever went wrong before`() async throws {
    let listener = try GPSDPort()
    var client: Socket? = try Socket(AF_INET)
    try #require(client?.connect(toLoopbackPort: listener.port) == true)
    let (other, unused) = try FeedEnd.pair()
    let limit = LocationClock.live.now.later(by: .seconds(3600))
    let point = WaitPoint(on: try #require(EventLoop.shared))
    let served = try await listener.accept(
      beside: unused, until: limit, at: point
    ) { _, _ in true }
    let (gpsd, source) = try FeedEnd.pair()
    var feed = LogFeed(
      LogReader { () throws(LocationError) in [] }, to: source,
      reportingOn: try #require(served),
      into: ReportPipe(to: reader.writing, renaming: Self.path, to: "log"))
    // All that it was sent has been read, so that its end is no error.
    var bytes = [UInt8](repeating: 0, count: 64)
    #expect(recv(try #require(client).descriptor, &bytes, bytes.count, 0) > 0)
    client = nil
    errno = EAGAIN
    #expect(Self.turn(&feed, within: 10_000) == nil)
    #expect(Self.turn(&feed) == .incomplete("gpsd went away"))
    withExtendedLifetime((other, gpsd)) {}
  }

  @Test mutating func `takes no more reports than may wait for the reader`() throws {
    let passed = String(repeating: Self.report(1, of: "log"), count: 30)
    self = try Self(of: ["$A\n"], maximumWaiting: passed.utf8.count)
    greet()
    let filling = reader.fill()
    for count in [1, 28, 1] {
      client.send(String(repeating: Self.report(1), count: count))
      #expect(turn() == nil)
    }
    client.send(Self.report(2))
    #expect(turn(5) == nil)
    #expect(reader.text == filling)
    #expect(turn() == nil)
    #expect(reader.text == passed)
    #expect(turn() == nil)
    #expect(reader.text == Self.report(2, of: "log"))
  }

  @Test mutating func `ends if nobody reads the reports`() {
    greet()
    reader.closeReading()
    client.send(Self.report(1))
    #expect(turn(2) == .unread)
  }

  @Test mutating func `keeps a line of 64 KiB until its end, and passes a longer one on`() {
    greet()
    let line = String(repeating: "x", count: 64 * 1024)
    client.send(line)
    #expect(turn(4) == nil)
    #expect(reader.text == "")
    client.send("y")
    #expect(turn(2) == nil)
    #expect(reader.text == line)
    #expect(turn(2) == nil)
    #expect(reader.text == "y")
  }

  @Test mutating func `passes on a line of any length`() {
    greet()
    let line = String(repeating: "x", count: 100_000)
    client.send(line)
    #expect(turn(4) == nil)
    var text = reader.text
    #expect(text.utf8.count == 64 * 1024)
    client.send("\n")
    _ = turn(2)
    text += reader.text
    #expect(text == line + "\n")
  }
}
