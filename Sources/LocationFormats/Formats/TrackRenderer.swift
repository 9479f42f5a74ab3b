package import LocationCore
package import LocationText

/// How a format writes a document of tracks.
package protocol TrackMarkup: Sendable {
  associatedtype Segment: TrackSegment

  /// The beginning of the document.
  static var head: String { get }
  static var end: String { get }
  /// Ends a track, after its last segment.
  static var trackEnd: String { get }

  /// Begins a track, before its first segment.
  static func appendTrack(of device: String?, source: String?, to output: inout TextBuffer)
  /// Returns whether a point can show a fix.
  static func shows(_ fix: LocationFix) -> Bool
}

extension TrackMarkup {
  package static func shows(_ fix: LocationFix) -> Bool { true }
}

/// A part of a track without a loss that means something, whose points are connected.
package protocol TrackSegment: Sendable {
  /// Whether points are held, because a segment can only be written as a whole.
  static var holdsPoints: Bool { get }

  /// How many bytes of points are held.
  var size: Int { get }

  /// Creates a segment without a point, of which nothing is written.
  init()

  /// Appends a point.
  ///
  /// - Parameter maximumSize: The number of bytes at which the held segment is written. A new one then begins with its last point.
  mutating func append(
    _ fix: LocationFix, upTo maximumSize: Int, to output: inout TextBuffer)
  /// Appends the points that are held, and what ends the segment; nothing if it has no point.
  func appendEnd(to output: inout TextBuffer)
}

/// Renders tracks in one format. Each receiver of each source has a track. A loss of the fix begins a new
/// segment if it lasts: a fix that comes and goes is one line.
///
/// A document contains one track after another, but receivers report in turn. Therefore one track is open,
/// and the points of other receivers are kept for their own tracks. These are written at the end of the
/// document, or when too many points are kept. The track that was written last is then the open one.
///
/// The trailer contains the points that the segment of the open track holds. In a replay, which can be repeated if it
/// is killed, tracks of such segments are therefore only written as a whole, and none is open.
package struct TrackRenderer<Markup: TrackMarkup>: Renderer {
  private var source: String?
  private let limits: TrackLimits
  private var document = Document<Markup>()

  package init(source: String? = nil, limits: TrackLimits = .live) {
    self.source = source
    self.limits = limits
  }

  package var trailer: String {
    var text = TextBuffer()
    document.open?.appendEnd(to: &text)
    text.append(text: Markup.end)
    return text.string
  }

  package mutating func begin(into output: inout TextBuffer) { output.append(text: Markup.head) }

  package mutating func resume(after other: inout any Renderer, into output: inout TextBuffer) {
    // The document is moved, because a copy would be made for each record.
    guard var last = other as? Self else { return }
    document = last.document
    last.document = Document<Markup>()
    other = last
  }

  package mutating func begin(source: String) {
    // Its tracks were interrupted by the source before.
    self.source = source
    document.interrupt { $0.source == source }
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    guard !change.state.hasFix else { return }
    document.interrupt {
      $0.source == source
        && (change.subject == .link || change.subject == .receiver($0.device))
    }
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    guard Markup.shows(fix) else { return }
    let limits = limits
    if document.open?.isOf(source, fix.device) == true {
      document.open?.append(fix, upTo: limits.segment, to: &output)
    } else {
      document.add(fix, of: source, within: limits, into: &output)
    }
  }

  package mutating func writeKept(into output: inout TextBuffer) {
    document.writeAll(within: limits, into: &output)
  }
}

/// Limits for the bytes that are kept of one track, and of all tracks. Beyond them, a track is written.
package struct TrackLimits: Sendable {
  package let track: Int
  package let total: Int
  /// The limit of the segment of the open track; beyond it, the segment ends.
  package let segment: Int

  package init(track: Int, total: Int, segment: Int = 4 << 10) {
    self.track = track
    self.total = total
    self.segment = segment
  }

  /// About 60 points of a receiver.
  package static let live = TrackLimits(track: 16 << 10, total: 1 << 20)
  /// About 250,000 points.
  package static let replay = TrackLimits(track: .max, total: 64 << 20)
  /// About 200,000 points of a format whose segments hold points.
  package static let held = TrackLimits(track: .max, total: 16 << 20)

  /// A shorter loss does not end a segment.
  fileprivate static let shortestLoss = Nanoseconds.seconds(10)
  /// If the time of a receiver advances by so much more than the local clock, it was set.
  fileprivate static let largestClockStep = Nanoseconds.seconds(60)

  /// Whether tracks are written as a whole, and none is open.
  fileprivate func keepTracks<Markup: TrackMarkup>(of _: Markup.Type) -> Bool {
    track == .max && Markup.Segment.holdsPoints
  }
}

/// The tracks of a document.
private struct Document<Markup: TrackMarkup>: Sendable {
  /// The track that is written to.
  var open: Track<Markup>?
  /// The tracks with points that are kept.
  private var kept: [Track<Markup>] = []
  /// How many bytes are kept.
  private var size = 0

  /// Begins a new segment with the next point of some tracks.
  mutating func interrupt(where isInterrupted: (Track<Markup>) -> Bool) {
    if let track = open, isInterrupted(track) { open?.isInterrupted = true }
    for index in kept.indices where isInterrupted(kept[index]) { kept[index].isInterrupted = true }
  }

  /// Keeps a fix that does not belong to the open track. Writes tracks if too much is kept.
  mutating func add(
    _ fix: LocationFix, of source: String?, within limits: TrackLimits,
    into output: inout TextBuffer
  ) {
    let index = kept.firstIndex { $0.isOf(source, fix.device) } ?? kept.endIndex
    if index == kept.endIndex { kept.append(Track<Markup>(source: source, device: fix.device)) }
    size -= kept[index].size
    kept[index].keep(fix)
    size += kept[index].size
    if open == nil && !limits.keepTracks(of: Markup.self) || kept[index].size > limits.track {
      write(index, within: limits, into: &output)
    }
    while size > limits.total,
      let largest = kept.indices.max(by: { kept[$0].size < kept[$1].size })
    {
      write(largest, within: limits, into: &output)
    }
  }

  mutating func writeAll(within limits: TrackLimits, into output: inout TextBuffer) {
    while !kept.isEmpty { write(0, within: limits, into: &output) }
  }

  /// Writes a track that was kept, and makes it the open one, unless tracks are written as a whole.
  private mutating func write(
    _ index: Int, within limits: TrackLimits, into output: inout TextBuffer
  ) {
    var track = kept.remove(at: index)
    size -= track.size
    open?.appendEnd(to: &output)
    Markup.appendTrack(of: track.device, source: track.source, to: &output)
    output.append(track.points)
    track.points = TextBuffer()
    open = track
    if limits.keepTracks(of: Markup.self) {
      track.appendEnd(to: &output)
      open = nil
    }
  }
}

/// The track of a receiver.
private struct Track<Markup: TrackMarkup>: Sendable {
  let source: String?
  let device: String?
  /// The points that are not yet written.
  var points = TextBuffer()
  /// The segment of the last point.
  private var segment = Markup.Segment()
  private var pace = ReportPace()
  /// The times of the last point, by the receiver's clock and by the local one.
  private var last: (time: Timestamp?, received: Timestamp?)
  /// Whether the fix was lost since the last point.
  var isInterrupted = false

  /// How many bytes are not yet written.
  var size: Int { points.count + segment.size }

  init(source: String?, device: String?) {
    self.source = source
    self.device = device
  }

  func isOf(_ source: String?, _ device: String?) -> Bool {
    isSamePath(self.device, device) && self.source == source
  }

  /// Appends a point to ``points``.
  mutating func keep(_ fix: LocationFix) {
    var points = TextBuffer()
    swap(&points, &self.points)
    append(fix, upTo: .max, to: &points)
    swap(&points, &self.points)
  }

  /// Appends a point to the document. The first one after an interruption begins a new segment, unless it comes soon.
  mutating func append(
    _ fix: LocationFix, upTo maximumSize: Int, to output: inout TextBuffer
  ) {
    if endsSegment(before: fix) {
      segment.appendEnd(to: &output)
      segment = Markup.Segment()
    }
    segment.append(fix, upTo: maximumSize, to: &output)
  }

  /// Returns whether the time since the last point is a loss.
  private mutating func endsSegment(before fix: LocationFix) -> Bool {
    defer {
      last = (fix.time, fix.received)
      isInterrupted = false
    }
    guard let step = step(to: fix) else { return isInterrupted }
    defer { pace.add(step) }
    return isInterrupted && step > pace.silence(atLeast: TrackLimits.shortestLoss)
  }

  /// Returns the time since the last point, by the receiver's clock unless that was set meanwhile; `nil` if it is
  /// unknown.
  private func step(to fix: LocationFix) -> Nanoseconds? {
    func step(_ last: Timestamp?, _ next: Timestamp?) -> Nanoseconds? {
      guard let last, let next, last <= next else { return nil }
      return last.nanoseconds(to: next)
    }
    let elapsed = step(last.received, fix.received)
    guard let step = step(last.time, fix.time) else { return elapsed }
    guard let elapsed, step > elapsed + TrackLimits.largestClockStep else { return step }
    return elapsed
  }

  /// Appends what ends the track.
  func appendEnd(to output: inout TextBuffer) {
    segment.appendEnd(to: &output)
    output.append(text: Markup.trackEnd)
  }
}
