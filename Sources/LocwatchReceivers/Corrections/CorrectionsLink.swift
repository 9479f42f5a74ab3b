package import EventLoop
package import GPSDLocation
import GPSDProtocol
package import LocationCore
import LocationText
package import LocwatchSystem
import Synchronization

/// The corrections of a private gpsd's receiver, which a ``CorrectionsRelay`` fetches.
package final class CorrectionsLink: Sendable {
  private struct State {
    /// Lines that no session has read yet.
    var lines: [UInt8] = []
    /// Whether gpsd reports something of the receiver.
    var receiverReports = false
    var fix: LocationFix?
    /// The task of the relay, and the counts to report at its end; `nil` before the start and after the end.
    var task: Task<Void, Never>?
    var counts = (given: 0, dropped: 0, skipped: 0)
  }

  /// The number of bytes of lines that wait while no session reads them.
  private static let maximumWaitingCount = 16 * 1024

  /// What the receiver gets, as a line names it.
  private let name: String
  private let address: CasterAddress
  private let user: CasterUser?
  private let gga: @Sendable (LocationFix) -> String
  private let startTLS: TLSConnection.Start?
  private let listener: GPSDPort
  private let loop: EventLoop
  /// Where the relay waits.
  private let point: WaitPoint
  /// The waits that a line of the link ends.
  fileprivate let waits = InterruptibleWaits()
  private let log: Log
  private let state = Mutex(State())

  /// - Parameters:
  ///   - gga: Returns a fix as a sentence, with its line end.
  ///   - loop: Runs the relay.
  /// - Throws: ``Failure`` if nobody can say which process reads the port, if the system has no port left, or if
  ///   there is no program for TLS.
  package init(
    _ address: CasterAddress, as gga: @escaping @Sendable (LocationFix) -> String,
    environment: Environment, on loop: EventLoop, log: Log
  ) throws(Failure) {
    self.address = address
    self.gga = gga
    self.log = log
    self.loop = loop
    point = WaitPoint(on: loop)
    name = "\(address)"
    user = CasterUser.find(for: address.host, in: environment) { log.error("\($0)") }
    if user != nil { CoreDump.forbid() }
    startTLS = address.isSecure ? try TLSConnection.start(in: environment) : nil
    listener = try GPSDPort(for: "--corrections")
  }

  /// The path by which gpsd reads the frames.
  package var path: String { listener.path }

  /// Starts to connect, in a task on the loop.
  ///
  /// - Parameters:
  ///   - clock: When the caster is asked again.
  ///   - isGPSD: Returns whether the peer of a connection is the private gpsd.
  package func start(
    by clock: LocationClock = .live, isGPSD: @escaping @Sendable (SocketAddress, UInt16) -> Bool?
  ) {
    let task = Task(executorPreference: loop) { [self, point] in
      let link = CasterLink(
        to: address, as: user, clock: clock, startTLS: startTLS,
        lookUp: { Resolver.shared.lookUp($0) { point.signal() } })
      var relay = CorrectionsRelay(
        from: link, named: name, to: listener, clock: clock, isGPSD: isGPSD)
      var said: String?
      while !Task.isCancelled {
        let (receiverReports, fix) = state.withLock { ($0.receiverReports, $0.fix) }
        let news = relay.turn(receiverReports: receiverReports) { [gga] in fix.map(gga) }
        let counts = (relay.feed.givenCount, relay.feed.droppedCount, relay.skippedCount)
        state.withLock { $0.counts = counts }
        handle(news, &said)
        guard news == CorrectionsRelay.News() else { continue }
        _ = await point.wait(
          for: relay.sources(receiverReports: receiverReports),
          until: relay.deadline(hasPosition: fix != nil)?.onLoop(from: clock))
      }
    }
    state.withLock { $0.task = task }
  }

  /// - Parameter said: The last failure that was said; `nil` after corrections came.
  private func handle(_ news: CorrectionsRelay.News, _ said: inout String?) {
    if let reason = news.positionReason {
      log.advise("\(name) is given the receiver's position every 10 s: \(reason)")
    }
    for failure in news.failures {
      if failure == said { log.detail("\(name): \(failure)") } else { report(failure) }
      said = failure
    }
    for corrections in news.corrections {
      if corrections.state == .connected { said = nil }
      keep(corrections)
    }
  }

  /// Ends the link.
  package func stop() {
    guard let task = state.withLock({ $0.task.take() }) else { return }
    task.cancel()
    let counts = state.withLock(\.counts)
    log.detail(
      "\(name): \(counts.given) frames, \(counts.dropped) dropped, "
        + "\(counts.skipped) other bytes")
  }

  /// Records where the receiver is.
  package func record(_ fix: LocationFix) {
    guard fix.isCurrent else { return }
    let isFirst = state.withLock { state in
      defer { state.fix = fix }
      return state.fix == nil
    }
    if isFirst { point.signal() }
  }

  /// Says why there are no corrections, and what to do.
  private func report(_ reason: String) {
    let isOfUser = reason.hasPrefix("401") || reason.hasPrefix("Bad Password")
    let advice =
      user == nil
      ? "put the user and the password for \(address.host) into ~/.netrc, or into NTRIP_USER and "
        + "NTRIP_PASSWORD"
      : "the caster rejects the user or the password"
    log.error("no corrections from \(name): \(reason)" + (isOfUser ? "; \(advice)" : ""))
  }

  private func keep(_ corrections: Corrections) {
    let line = CorrectionsLine.text(of: corrections)
    state.withLock { state in
      if state.lines.count > Self.maximumWaitingCount { state.lines = [] }
      state.lines += line
    }
    waits.interrupt()
  }

  /// Forgets the receiver of a gpsd that is started again.
  fileprivate func beginSession() { state.withLock { $0.receiverReports = false } }

  fileprivate func handle(_ lines: GPSDLines) {
    guard lines.contains(where: \.isReport) else { return }
    let isNew = state.withLock { state in
      defer { state.receiverReports = true }
      return !state.receiverReports
    }
    if isNew { point.signal() }
  }

  fileprivate var hasLines: Bool { state.withLock { !$0.lines.isEmpty } }

  fileprivate func takeLines(at now: Moment) -> GPSDLines? {
    let lines = state.withLock { state in
      defer { state.lines = [] }
      return state.lines
    }
    return lines.isEmpty ? nil : GPSDLines(bytes: lines[...], received: now)
  }

  /// Gives the source of corrections its name instead of the port.
  fileprivate var renaming: PathRenaming { PathRenaming(listener.path, to: name) }
}

/// The lines in which corrections are among gpsd's reports; ``CorrectionsRecord`` reads them.
enum CorrectionsLine {
  static func text(of corrections: Corrections) -> [UInt8] {
    var text = TextBuffer()
    text.append(text: #"{"class":"\#(CorrectionsRecord.className)","state":"#)
    text.append(json: corrections.state.rawValue)
    text.append(text: #","source":"#)
    text.append(json: corrections.source)
    if let reason = corrections.reason {
      text.append(text: #","reason":"#)
      text.append(json: reason, maximum: maximumTextShown)
    }
    if let base = corrections.base {
      text.append(text: #","lat":"#)
      text.append(rounded: base.latitude, places: 9)
      text.append(text: #","lon":"#)
      text.append(rounded: base.longitude, places: 9)
    }
    text.append(text: "}\r\n")
    return Array(text.bytes)
  }
}

/// A session with the private gpsd of a receiver that gets corrections. It adds the lines of their link to
/// those of gpsd.
package struct CorrectedSession: GPSDSession {
  private let base: any GPSDSession
  private let link: CorrectionsLink
  private let renaming: PathRenaming

  package init(_ base: any GPSDSession, link: CorrectionsLink) {
    self.base = base
    self.link = link
    renaming = link.renaming
  }

  package func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
    link.beginSession()
    try await base.open(endpoint)
  }

  package func send(_ command: GPSDCommand) throws(LocationError) { try base.send(command) }

  package func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    if let own = link.takeLines(at: now) { return .received(own) }
    return try base.poll(at: now).map(handled)
  }

  package func wait() -> Wait {
    let wait = link.waits.interruptible(base.wait())
    return link.hasLines ? Wait(until: .past) : wait
  }

  /// Records lines of gpsd, and returns them with the name of the source of corrections.
  private func handled(_ lines: GPSDLines) -> GPSDLines {
    link.handle(lines)
    return lines.renamed(by: renaming)
  }

  package func close() { base.close() }
}
