import LocationCore

/// All that one iteration or one connection gave.
struct Transcript: Sendable {
  enum End: Hashable, Sendable {
    case ended
    case failed(LocationError.Code)
    /// Nobody read on.
    case unread
  }

  var events: [LocationEvent] = []
  var moments: [Moment] = []
  var end = End.unread
  /// What came after the end; `nil` where nothing did.
  var afterEnd: String?

  /// Reads an iteration up to its end, or up to `limit` events.
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

  /// Reads two iterations side by side, each up to its end, or up to `limit` events.
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

  /// Reads a connection up to its end, or up to `limit` events, and closes it.
  ///
  /// - Parameter polls: Whether to ask with a deadline that has passed before each wait.
  static func ofConnection(
    to provider: some LocationProvider, limit: Int, polls: Bool
  ) async -> Transcript {
    var transcript = Transcript()
    var connection = provider.connection()
    var isPoll = polls
    while transcript.end == .unread, transcript.events.count < limit {
      do throws(LocationError) {
        switch try await connection.next(until: isPoll ? .past : nil) {
        case .event(let event, let moment):
          transcript.events.append(event)
          transcript.moments.append(moment)
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
    await connection.close()
    do throws(LocationError) {
      let read = try await connection.next(until: nil)
      transcript.afterEnd = read == .ended ? nil : "\(read)"
    } catch {
      transcript.afterEnd = "threw \(error)"
    }
    return transcript
  }
}
