import LocationCore

/// The states of a receiver in order, with the quality of its fixes.
///
/// At most 2,048 spans are kept. If there are more, short spans become part of the span before them.
struct StateTimeline: Hashable, Sendable {
  struct Span: Hashable, Sendable {
    /// `nil` while nothing was recorded.
    var state: LocationState?
    /// The quality of the fixes; `nil` without a fix, and if it is unknown.
    var quality: FixQuality?
    /// Seconds from the beginning of the observation.
    var start, end: Double

    init(
      _ state: LocationState?, _ quality: FixQuality? = nil, from start: Double, to end: Double
    ) {
      self.state = state
      self.quality = quality
      self.start = start
      self.end = end
    }

    fileprivate func isLike(_ other: Span) -> Bool {
      state == other.state && quality == other.quality
    }
  }

  /// The maximum number of spans. Beyond it, a short span is merged into the one before.
  static let maximumCount = 2048

  private(set) var spans: [Span] = []

  /// Begins a span. It ends when the next one begins.
  mutating func begin(_ state: LocationState?, _ quality: FixQuality? = nil, at seconds: Double) {
    // A change of the link can arrive before an earlier change of a receiver whose fix was held back.
    let seconds = max(seconds, spans.last?.end ?? seconds)
    extend(to: seconds)
    let next = Span(state, quality, from: seconds, to: seconds)
    if let last = spans.last {
      guard !last.isLike(next) else { return }
      if last.start >= seconds { spans.removeLast() }
    }
    if let last = spans.last, last.isLike(next) { return }
    spans.append(next)
    if spans.count > Self.maximumCount { merge() }
  }

  /// Changes the quality of the current state.
  mutating func record(_ quality: FixQuality?, at seconds: Double) {
    guard let last = spans.last, last.state?.hasFix == true, last.quality != quality else { return }
    begin(last.state, quality, at: seconds)
  }

  mutating func extend(to seconds: Double) {
    guard !spans.isEmpty else { return }
    spans[spans.count - 1].end = max(spans[spans.count - 1].end, seconds)
  }

  private mutating func merge() {
    let lengths = spans.dropLast().map { $0.end - $0.start }.sorted()
    let limit = lengths[lengths.count / 2]
    var merged: [Span] = []
    for span in spans {
      if let last = merged.last, last.isLike(span) || span.end - span.start <= limit,
        span != spans.last
      {
        merged[merged.count - 1].end = span.end
      } else {
        merged.append(span)
      }
    }
    spans = merged
  }
}
