public import LocationCore

/// One connection to a gpsd: asks it to watch, and turns its lines into events.
public struct GPSDConnection: LocationConnection {
  private enum Phase {
    case idle
    case open
    case over
  }

  /// So many lines that say nothing are taken where nothing is to be waited for.
  private static let mostIdleLines = 64

  /// What a line, or the lack of one, leads to.
  private enum Step {
    case again
    case give(LocationRead)
    case send(GPSDCommand, then: LocationRead?)
    case fail(LocationError)
  }

  private let session: any GPSDSession
  private let endpoint: GPSDEndpoint
  private let device: String?
  private let tally: GPSDTally?
  private let lookup: DeviceNode.Lookup
  private var phase = Phase.idle
  private var decoder: GPSDDecoder
  /// Those of its list elements left out that have been counted.
  private var droppedElements = 0
  private var interpreter: GPSDInterpreter
  /// `nil` where nobody is there to doubt: with a recording.
  private var conversation: Conversation?
  /// The time that passed by reports of a recording that does not tell when its lines came.
  private var recordingClock = RecordingClock()
  /// What the last line that was taken without a wait leads to, where that is one.
  private var undone: Step?
  /// Whether the rest of a line is due whose beginning was discarded.
  private var isInLongLine = false
  /// When something came last, whatever it was.
  private var latest = Moment.past

  init(
    session: any GPSDSession, endpoint: GPSDEndpoint, device: String?, satellites: Bool,
    tally: GPSDTally?, lookup: @escaping DeviceNode.Lookup
  ) {
    self.session = session
    self.endpoint = endpoint
    self.device = device
    self.tally = tally
    self.lookup = lookup
    decoder = GPSDDecoder(keepsSatellites: satellites)
    interpreter = GPSDInterpreter(device: device, tally: tally)
  }

  /// The next event, or what there was instead of one. The first call connects, and asks gpsd to
  /// watch.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits for ever. Connecting does not count.
  /// - Throws: `LocationError` once, when the connection fails.
  public mutating func next(until deadline: Moment?) async throws(LocationError) -> LocationRead {
    var failure: LocationError?
    var idleLines = 0
    do throws(GPSDError) {
      if phase == .idle, !Task.isCancelled { try await open() }
      reading: while phase == .open, failure == nil, !Task.isCancelled {
        let wake = conversation?.deadline.orEarlier(deadline) ?? deadline
        let step =
          if let undone = undone.take() { undone } else {
            take(try await session.read(until: wake), until: deadline)
          }
        switch step {
        case .again:
          // Lines that say nothing may come for ever, and no deadline is to wait for their end.
          idleLines += 1
          let mayGoOn = deadline == .past && idleLines < Self.mostIdleLines
          if let deadline, deadline <= latest, !mayGoOn { return .timedOut(at: latest) }
        case .give(.ended): break reading
        case .give(let read): return read
        case .send(let command, let read):
          try await session.send(command)
          if let read { return read }
        case .fail(let error): failure = error
        }
      }
    } catch  where error.code == .cancelled {
      // Who cancels asks for the end, and gets that.
    } catch {
      failure = conversation?.end(error) ?? LocationError(error)
    }
    await close()
    if let failure { throw failure }
    return .ended
  }

  /// The next event of the lines that are here already.
  public mutating func nextBuffered(until deadline: Moment?) -> LocationRead? {
    while phase == .open, undone == nil, let read = session.readBuffered() {
      let step = take(read, until: deadline)
      switch step {
      case .again: if let deadline, deadline <= latest { return .timedOut(at: latest) }
      case .give(let read): return read
      case .send, .fail: undone = step
      }
    }
    return nil
  }

  /// Hangs up.
  public mutating func close() async {
    defer { phase = .over }
    if phase == .open { await session.close() }
  }

  private mutating func open() async throws(GPSDError) {
    phase = .open
    tally?.count { $0.connections += 1 }
    try await session.open(endpoint)
    if session.isLive { conversation = Conversation(openedAt: session.clock.now) }
    try await session.send(device.map { .watch(device: $0) } ?? .watch)
  }

  private mutating func take(_ read: GPSDRead, until deadline: Moment?) -> Step {
    switch read {
    case .line(let line):
      return take(line)
    case .discarded(let bytes, let moment):
      let isRest = isInLongLine
      isInLongLine = !isRest && bytes == LineFramer.longestLine
      tally?.count { counts in
        if !isRest { counts.discards += 1 }
        counts.discardedBytes += bytes
      }
      if let moment { note(moment) } else { noteReport(of: nil) }
      return step(conversation?.hear(discarded: bytes, at: latest), at: latest)
    case .timedOut(let moment):
      let isOver = deadline.map { $0 <= moment } ?? false
      let lookup = lookup
      return step(
        conversation?.expire(at: moment, lookup), at: moment,
        then: isOver ? .timedOut(at: moment) : nil)
    case .ended:
      return .give(.ended)
    }
  }

  private mutating func take(_ line: GPSDLine) -> Step {
    isInLongLine = false
    let kind = decoder.decode(line.bytes.span)
    tally?.count(kind, otherClass: decoder.otherClass)
    let dropped = decoder.droppedElements
    if dropped > droppedElements {
      tally?.count { $0.droppedElements += dropped - droppedElements }
      droppedElements = dropped
    }
    if let received = line.received {
      note(received)
    } else {
      noteReport(of: decoder.time(of: kind))
    }
    switch kind {
    case .blank:
      return .again
    case .malformed:
      let action = conversation?.hear(foreign: line.bytes, at: latest)
      // Whoever gives up before it is certain that this is no gpsd is to know what it says.
      let words = conversation?.takeForeignText()
      return step(action, at: latest, then: words.map { .event(.notice($0), at: latest) })
    case .tpv, .sky, .gst, .att, .device, .devices, .version, .watch, .error, .other:
      return report(of: kind, at: latest)
    }
  }

  /// Something came when the session says.
  private mutating func note(_ received: Moment) {
    // What has passed by reports, in an earlier part of a recording, the session does not know.
    let passed = recordingClock.now.uptimeNanoseconds
    latest = Moment(
      uptimeNanoseconds: received.uptimeNanoseconds.clampedSum(passed), wall: received.wall)
  }

  /// Something came, and nobody knows when: the time that a report tells says what has passed.
  private mutating func noteReport(of time: Timestamp?) {
    let before = recordingClock.now.uptimeNanoseconds
    recordingClock.advance(toReportOf: time)
    let passed = recordingClock.now.uptimeNanoseconds - before
    latest = Moment(
      uptimeNanoseconds: max(0, latest.uptimeNanoseconds).clampedSum(passed), wall: nil)
  }

  private mutating func report(of kind: GPSDDecoder.Kind, at moment: Moment) -> Step {
    conversation?.hear(reportAt: moment)
    let event = interpreter.event(of: kind, in: &decoder, received: moment.wall)
    guard let event else { return .again }
    let lookup = lookup
    conversation?.note(event, at: moment, lookup)
    let read = LocationRead.event(event, at: moment)
    if case .refused = event { return .send(.watch, then: read) }
    return .give(read)
  }

  private func step(
    _ action: Conversation.Action?, at moment: Moment, then read: LocationRead? = nil
  ) -> Step {
    switch action {
    case .fail(let error): .fail(error)
    case .probe: .send(.devices, then: read)
    case .remove(let path): .give(.event(.removed(path: path), at: moment))
    case .wait, nil: read.map { .give($0) } ?? .again
    }
  }
}
