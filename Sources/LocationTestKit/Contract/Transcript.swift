import LocationCore

/// Everything that one iteration or connection reported.
struct Transcript: Sendable {
  enum End: Hashable, Sendable {
    case ended
    case failed(LocationError.Code)
    /// Reading stopped before the end.
    case unread
  }

  var events: [LocationEvent] = []
  var moments: [Moment] = []
  var end = End.unread
  /// What was reported after the end; `nil` if nothing was.
  var afterEnd: String?
  /// What was reported after a connection was closed; `nil` if nothing was.
  var afterClose: String?

  /// Reads an iteration to its end, or up to `limit` events.
  static func ofIteration(
    of provider: some LocationProvider, limit: Int
  ) async -> Transcript {
    var transcript = Transcript()
    var iterator = provider.events().makeAsyncIterator()
    while transcript.isUnread(below: limit) { await transcript.read(&iterator) }
    guard transcript.end != .unread else { return transcript }
    do throws(LocationError) {
      transcript.afterEnd = try await iterator.next(isolation: #isolation).map { "\($0)" }
    } catch {
      transcript.afterEnd = "threw \(error)"
    }
    return transcript
  }

  /// Reads two iterations alternately, each to its end, or up to `limit` events.
  static func ofTwoIterations(
    of provider: some LocationProvider, limit: Int
  ) async -> [Transcript] {
    var (first, second) = (Transcript(), Transcript())
    var iterator = provider.events().makeAsyncIterator()
    var other = provider.events().makeAsyncIterator()
    while first.isUnread(below: limit) || second.isUnread(below: limit) {
      if first.isUnread(below: limit) { await first.read(&iterator) }
      if second.isUnread(below: limit) { await second.read(&other) }
    }
    return [first, second]
  }

  func isUnread(below limit: Int) -> Bool { end == .unread && events.count < limit }

  /// Reads one event, or the end.
  mutating func read(
    _ iterator: inout some AsyncIteratorProtocol<LocationEvent, LocationError>
  ) async {
    do throws(LocationError) {
      if let event = try await iterator.next(isolation: #isolation) {
        events.append(event)
      } else {
        end = .ended
      }
    } catch {
      end = .failed(error.code)
    }
  }

  /// Reads a connection to its end and once more, or up to `limit` events, and closes it.
  ///
  /// - Parameter polls: Whether to read with a deadline in the past before each wait.
  static func ofConnection(
    to provider: some LocationProvider, limit: Int, polls: Bool
  ) async -> Transcript {
    var transcript = Transcript()
    var connection = provider.connection()
    var isPoll = polls
    while transcript.end == .unread, transcript.events.count < limit {
      do throws(LocationError) {
        switch try await connection.next(until: isPoll ? .past : nil) {
        case .value(let events, _):
          // More events may have arrived together than the limit allows.
          let events = events.prefix(limit - transcript.events.count)
          transcript.events += events.map(\.event)
          transcript.moments += events.map(\.moment)
          isPoll = polls
        case .timedOut(let moment):
          transcript.moments.append(moment)
          isPoll = false
        case .ended:
          transcript.end = .ended
        }
      } catch {
        transcript.end = .failed(error.code)
      }
    }
    if transcript.end != .unread { transcript.afterEnd = await more(of: &connection) }
    await connection.close()
    transcript.afterClose = await more(of: &connection)
    return transcript
  }

  /// Returns what an ended or closed connection reports; `nil` if nothing, as it should be.
  private static func more(of connection: inout some LocationConnection) async -> String? {
    do throws(LocationError) {
      let read = try await connection.next(until: nil)
      return read == .ended ? nil : "\(read)"
    } catch {
      return "threw \(error)"
    }
  }
}
