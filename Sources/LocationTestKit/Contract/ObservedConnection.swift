import LocationCore

/// A connection or an iteration that is checked.
protocol ObservedReader: SendableMetatype {
  var transcript: Transcript { get }
  mutating func read() async
  mutating func close() async
}

/// A connection of the provider that is checked, with a transcript of what it reports.
struct ObservedConnection: ObservedReader {
  private(set) var transcript: Transcript
  private var connection: any LocationConnection
  private let clock: LocationClock
  private let log: TranscriptLog
  /// The maximum number of events in the transcript.
  private let limit: Int

  /// - Parameter request: What the connection is asked for; `nil` makes it without a request.
  init(
    to provider: some LocationProvider, for request: LocationRequest? = nil, limit: Int,
    log: TranscriptLog
  ) {
    connection = request.map { provider.connection(for: $0) } ?? provider.connection()
    clock = provider.clock
    transcript = Transcript(excusing: log.excused)
    self.limit = limit
    self.log = log
  }

  var isUnread: Bool { transcript.isUnread(below: limit) }

  /// Waits for events or the end.
  mutating func read() async { await read(until: nil) }

  /// Reads once; a deadline of `nil` waits for events or the end.
  mutating func read(until deadline: Moment?) async {
    record(deadline.map(Transcript.Request.deadline) ?? .event)
    let (start, realStart) = (clock.now, LocationClock.measuring.now)
    do throws(LocationError) {
      let read = try await connection.next(until: deadline)
      transcript.add(
        read, deadline: deadline, room: limit - transcript.events.count, from: start,
        to: clock.now)
    } catch {
      transcript.end = .failed(error.code)
    }
    if let deadline, start < deadline, deadline <= clock.now {
      let delay = deadline.duration(to: clock.now)
      // A replay passes deadlines without delay.
      let elapsed = realStart.duration(to: LocationClock.measuring.now)
      transcript.delays.append(
        clock.isManual ? delay : min(delay, elapsed - start.duration(to: deadline)))
    }
    log.record(transcript)
  }

  /// Reads to the end, or up to the limit.
  mutating func readOn() async { while isUnread { await read() } }

  /// Closes the connection. From its end on, it must report nothing.
  mutating func close() async {
    if transcript.end != .unread { await expectEnd(.staysEnded) }
    record(.close)
    let start = LocationClock.measuring.now
    let second = Task { await LocationClock.patient.sleep(for: .seconds(1)) }
    await connection.close()
    second.cancel()
    if await second.value {
      let delay = start.duration(to: LocationClock.measuring.now)
      transcript.violate(.closesAtOnce, "close() took \(delay)")
    }
    await expectEnd(.closedStaysClosed)
  }

  mutating func record(_ request: Transcript.Request) {
    transcript.request = request
    log.record(transcript)
  }

  mutating func violate(_ rule: ProviderRule, _ detail: String) {
    transcript.violate(rule, detail)
    log.record(transcript)
  }

  /// Records by how much a wait between two reads took too long.
  mutating func record(oversleep: Duration) {
    transcript.longestOversleep = max(transcript.longestOversleep, oversleep)
  }

  /// Records how long before its read an event arrived.
  mutating func record(lead: Duration) { transcript.leads.append(lead) }

  private mutating func expectEnd(_ rule: ProviderRule) async {
    record(.end(rule))
    do throws(LocationError) {
      let read = try await connection.next(until: nil)
      switch read {
      case .value(let events, _): transcript.violate(rule, "reported \(events.map(\.event))")
      case .timedOut: transcript.violate(rule, "timed out")
      case .ended: break
      }
    } catch {
      transcript.violate(rule, "threw \(error)")
    }
  }
}

/// An iteration over the events of the provider that is checked, with a transcript of them.
struct ObservedIteration: ObservedReader {
  private(set) var transcript: Transcript
  private var iterator: LocationEvents.AsyncIterator
  private let log: TranscriptLog
  private let limit: Int

  init(of provider: some LocationProvider, limit: Int, log: TranscriptLog) {
    iterator = provider.events().makeAsyncIterator()
    transcript = Transcript(excusing: log.excused)
    self.limit = limit
    self.log = log
  }

  var isUnread: Bool { transcript.isUnread(below: limit) }

  /// Reads one event, or the end.
  mutating func read() async {
    record(.event)
    do throws(LocationError) {
      if let event = try await iterator.next(isolation: #isolation) {
        transcript.events.append(event)
      } else {
        transcript.end = .ended
      }
    } catch {
      transcript.end = .failed(error.code)
    }
    log.record(transcript)
  }

  /// Reads to the end and then once more, or up to the limit.
  mutating func readOn() async {
    while isUnread { await read() }
    guard transcript.end != .unread else { return }
    do throws(LocationError) {
      if let event = try await iterator.next(isolation: #isolation) {
        transcript.violate(.staysEnded, "reported \([event])")
      }
    } catch {
      transcript.violate(.staysEnded, "threw \(error)")
    }
  }

  /// Does nothing: an iteration that is left closes its connection.
  mutating func close() async {}

  private mutating func record(_ request: Transcript.Request) {
    transcript.request = request
    log.record(transcript)
  }
}
