package import LocationCore

/// What a ``PageServer`` serves.
package protocol ServedContent: AnyObject, Sendable {
  /// The `Content-Security-Policy` of all answers.
  var policy: String { get }
  /// When there is news for the readers even if nothing happens; `nil` for never.
  var deadline: Moment? { get }

  func answer(to path: String, at now: Moment) -> ServedAnswer
  /// Returns what is new for the readers of a stream. Called only if it has readers.
  func takeNews(for stream: ServedStream, at now: Moment) -> [UInt8]
  /// Records which streams have readers.
  func setReaders(of streams: Set<ServedStream>)
}

/// An endless answer of server-sent events.
package enum ServedStream: Hashable, Sendable {
  /// Every record.
  case records
  /// The head of the page. Only the latest one matters.
  case head
}

/// The answer to a request.
package enum ServedAnswer: Equatable, Sendable {
  case document(type: String, [UInt8])
  /// - Parameter beginning: What every reader gets first.
  case stream(ServedStream, beginning: [UInt8])
  /// It is being made: the answer is asked for again in the next turn.
  case later
  case none
}
