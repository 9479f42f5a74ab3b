package import EventLoop
import Glibc
import LocationCore
package import LocwatchSystem

/// Feeds a log to gpsd as fast as gpsd takes it, and passes its reports on.
///
/// gpsd drops reports for which its client has no room. Everything that it sends is therefore read at once, and it
/// gets a piece of the log only after it has answered a question that was sent after the previous piece, and after
/// all reports have been passed on. The question is `?VERSION;`, and the answer is not passed on.
///
/// gpsd reads its receivers before it answers its clients, each time something is there to read. Once
/// its system has all of the log, it has read the rest at the second answer, and its last reports precede that
/// answer.
package struct LogFeed {
  package enum Outcome: Equatable {
    /// gpsd has read all of the log, and all of its reports were passed on.
    ///
    /// - Parameter hasReports: Whether any was about more than gpsd itself and its devices.
    case complete(hasReports: Bool)
    /// The reports no longer have a reader.
    case unread
    /// gpsd did not read all of the log, or not all of its reports came, for a reason.
    case incomplete(String)
  }

  private enum Question: String {
    case watch = #"?WATCH={"enable":true,"json":true};"#
    case version = "?VERSION;"
  }

  /// How many waits of a second in a row may pass without a word from gpsd. They are counted, because the
  /// clock continues while all processes are suspended.
  package static let patience = 20
  /// gpsd from 3.25 on gives up a network source that is silent for a minute. While the reader pauses for
  /// this many waits, it gets another byte.
  static let pause = 20
  private static let wait = Nanoseconds.seconds(1)
  /// In milliseconds.
  private static let instant: CInt = 100
  /// How many answers without a report must follow the end of the log: one more than it takes.
  private static let lastAnswers = 3
  /// The longest line that is kept until its end.
  private static let maximumLineLength = 64 * 1024

  /// How many bytes may wait for the reader. gpsd reports far less of one piece.
  package static let maximumWaiting = 16 << 20

  private let client: Socket
  private let source: Socket
  private var log: LogReader
  private var reports: ReportPipe
  private let maximumWaiting: Int

  /// What gpsd has not been given of the last piece.
  private var piece: ArraySlice<UInt8> = []
  private var isAtEnd = false
  /// Whether the next piece of a stream is not there yet.
  private var isStarved = false
  private var dates = LogDates()
  /// Called before the first report whose date is replaced by that of the log.
  package var willCorrectDates: () -> Void = {}
  /// How many bytes gpsd was given.
  private(set) var fedCount = 0
  private var question: Question?
  private var lines = LineSplitter(maximum: maximumLineLength)
  private var hasReports = false
  /// Whether a line has come since the last answer.
  private var hasNews = false
  private var quietAnswers = 0
  /// Waits in a row: for gpsd, and for the reader.
  private var silence = 0
  private var stillness = 0
  /// How the feed ended. What has come until then is still passed on.
  private var outcome: Outcome?

  /// - Parameters:
  ///   - client: The connection on which gpsd reports.
  ///   - source: The connection from which gpsd reads the log.
  package init(
    _ log: LogReader, to source: Socket, reportingOn client: Socket, into reports: ReportPipe,
    maximumWaiting: Int = maximumWaiting
  ) {
    self.log = log
    self.source = source
    self.client = client
    self.reports = reports
    self.maximumWaiting = maximumWaiting
    for socket in [client, source] { socket.sendAtOnce() }
    ask(.watch)
  }

  /// Feeds the log to its end.
  package mutating func run(at point: WaitPoint) async -> Outcome {
    while true {
      if let outcome = turn() { return outcome }
      let deadline = LocationClock.live.now.later(by: Self.wait)
      handle(await point.wait(for: sources, until: deadline))
    }
  }

  /// Gives gpsd what it is to have now.
  ///
  /// - Returns: How the feed ended; `nil` if it continues.
  package mutating func turn() -> Outcome? {
    let waitingCount = reports.waitingCount
    guard reports.flush() else { return .unread }
    if reports.waitingCount < waitingCount { stillness = 0 }
    if outcome == nil, question == nil { proceed() }
    return reports.waitingCount == 0 ? outcome : nil
  }

  private var hasRoom: Bool { outcome == nil && reports.waitingCount < maximumWaiting }

  /// What to wait for, a second at a time, before the next turn.
  package var sources: [AwaitedDescriptor] {
    [
      hasRoom ? AwaitedDescriptor(client.descriptor) : nil,
      outcome == nil ? AwaitedDescriptor(source.descriptor, for: .end) : nil,
      reports.waitingCount > 0 ? AwaitedDescriptor(reports.output, for: .writing) : nil,
      isStarved ? log.input.map { AwaitedDescriptor($0) } : nil,
    ].compactMap(\.self)
  }

  /// Handles how the wait has ended.
  package mutating func handle(_ wait: WaitOutcome) {
    guard wait == .signalled else { return recordSilence() }
    if hasRoom { receive() }
    if outcome == nil, source.hasHungUp { endUnread() }
  }

  /// Gives gpsd the next piece, if there is room for its reports, and asks for an answer.
  private mutating func proceed() {
    if piece.isEmpty, !isAtEnd {
      do throws(LocationError) {
        let next = try log.read()
        isStarved = next == nil
        guard let next else { return }
        piece = next
      } catch {
        return end(error.detail)
      }
      isAtEnd = piece.isEmpty
    }
    if !isAtEnd {
      if reports.waitingCount == 0 { give(piece.count) }
    } else if source.unsentCount > 0 {
      quietAnswers = 0
      ask(.version)
    } else if quietAnswers >= Self.lastAnswers {
      outcome = .complete(hasReports: hasReports)
    } else {
      ask(.version)
    }
  }

  private mutating func give(_ count: Int) {
    guard let given = source.write(piece.prefix(count)) else { return endUnread() }
    dates.read(piece.prefix(given))
    piece = piece.dropFirst(given)
    fedCount += given
    quietAnswers = 0
    stillness = 0
    ask(.version)
  }

  private mutating func ask(_ question: Question) {
    guard client.send("\(question.rawValue)\r\n") else { return end("gpsd went away") }
    self.question = question
    silence = 0
  }

  private mutating func recordSilence() {
    if question != nil {
      silence += 1
      if silence >= Self.patience { end("gpsd has not answered for \(Self.patience) s") }
    } else if outcome == nil {
      stillness += 1
      if stillness >= Self.pause, !piece.isEmpty { give(1) }
    }
  }

  /// Ends the feed before the end of the log, after the reports that have arrived.
  private mutating func end(_ reason: String) {
    guard outcome == nil else { return }
    outcome = .incomplete(reason)
    while receiveOnce() {}
  }

  /// Ends the feed because gpsd has closed its end of the source.
  private mutating func endUnread() {
    // gpsd closes the other connection within an instant if it has ended.
    let isGone = Readiness.isReady(
      client.descriptor, for: Readiness.peerHasEnded, within: Self.instant)
    end(isGone ? "gpsd went away" : "gpsd no longer reads it")
  }

  private mutating func receive() {
    if !receiveOnce(), errno != EAGAIN, errno != EINTR { end("gpsd went away") }
  }

  /// Returns whether anything has arrived. At the end of the connection `errno` is 0.
  private mutating func receiveOnce() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    client.acknowledgeAtOnce()
    errno = 0
    let count = unsafe recv(client.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    guard count > 0 else { return false }
    silence = 0
    lines.append(bytes[..<count])
    while let line = lines.next() { handle(line.bytes) }
    return true
  }

  private mutating func handle(_ line: ArraySlice<UInt8>) {
    // Only the end of an overlong line matters.
    guard line.last == 0x0A else { return reports.append(line) }
    let kind = line.dropFirst(#"{"class":""#.utf8.count).prefix { $0 != UInt8(ascii: "\"") }
    switch String(decoding: kind, as: UTF8.self) {
    case "VERSION" where question == .version:
      question = nil
      quietAnswers = hasNews ? 0 : quietAnswers + 1
      hasNews = false
      return
    case "WATCH" where question == .watch: question = nil
    case "VERSION", "DEVICES", "DEVICE", "WATCH", "ERROR": break
    default: hasReports = true
    }
    hasNews = true
    let hadCorrected = dates.hasCorrected
    let report = dates.correct(line)
    if dates.hasCorrected, !hadCorrected { willCorrectDates() }
    reports.append(report)
  }
}
