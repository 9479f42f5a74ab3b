import LocationCore
import LocationTestKit

/// All updates of an iteration as text, and how it ended.
struct Story: Equatable {
  var lines: [String] = []
  var error: LocationError?

  /// - Parameter limit: The number of lines after which the reader stops.
  static func of(_ sequence: LocationUpdates, limit: Int = .max) async -> Story {
    var story = Story()
    var updates = sequence.makeAsyncIterator()
    do throws(LocationError) {
      while story.lines.count < limit,
        case .value(let update, let moment) = try await updates.next(until: nil)
      {
        if let line = Watch.line(update, at: moment) { story.lines.append(line) }
      }
    } catch {
      story.error = error
    }
    updates.close()
    return story
  }
}

extension LocationError {
  static let gone = LocationError(.disconnected, "gone")
}
