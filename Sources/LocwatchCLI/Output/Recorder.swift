import GPSDLocation
import LocationCore
import Synchronization

/// Writes a recording: gpsd's lines as they came, and between them when that was.
///
/// The file is appended to, whole records at a time, so that it is valid whenever the process ends.
final class Recorder: Sendable {
  fileprivate struct State {
    var pending: [UInt8] = []
    /// When the run began, as long as nothing was kept.
    var begin: Moment?
    var start: Moment?
    var lastMilliseconds: Int64 = -1
    var failure: OutputError?
    var drops = 0
  }

  private static let worthWriting = 64 * 1024
  /// Beyond so many bytes a reader of a pipe misses lines: it is minutes behind.
  private static let mostPending = 4 * 1024 * 1024

  /// With these each of gpsd's lines begins, and each of ours.
  private static let lineStart = Array(#"{"class":""#.utf8)

  private let descriptor: Descriptor
  private let state = Mutex(State())

  /// Appends to a file; it is created where it does not exist.
  ///
  /// - Throws: ``OutputError/noRecording(path:)`` where the file has something else in it.
  convenience init(appendingTo path: String) throws(OutputError) {
    let descriptor = try Descriptor(appendingTo: path)
    guard descriptor.kind != .file || Self.canGoOn(after: descriptor.head(upTo: 64 * 1024)) else {
      throw .noRecording(path: path)
    }
    self.init(descriptor)
  }

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    guard descriptor.kind == .file, descriptor.length > 0 else { return }
    // An earlier recording may have ended in mid-line; its rest is not to spoil ours.
    if descriptor.byte(at: descriptor.length - 1) != UInt8(ascii: "\n") {
      state.withLock { $0.pending.append(UInt8(ascii: "\n")) }
    }
  }

  /// Whether a file is empty, or begins with a line of gpsd's or of ours, which may be torn.
  private static func canGoOn(after head: [UInt8]) -> Bool {
    let text = head.drop { [0x0A, 0x0D].contains($0) }
    if text.starts(with: lineStart) || lineStart.starts(with: text) { return true }
    var decoder = GPSDDecoder()
    let line = Array(text.prefix { $0 != UInt8(ascii: "\n") })
    return decoder.decode(line.span) != .malformed
  }

  /// Whether lines wait to be written.
  var hasPending: Bool { state.withLock { !$0.pending.isEmpty } }
  /// How many lines the reader of a pipe missed.
  var drops: Int { state.withLock(\.drops) }

  /// Notes when the run begins to wait for gpsd: a replay begins there. Where gpsd could not be reached at
  /// first, it begins with the first line; nobody waits for that twice.
  func note(_ change: StateChange) {
    state.withLock { state in
      guard state.start == nil else { return }
      switch change.state {
      case .connecting: state.begin = change.moment
      case .noDaemon: state.begin = nil
      case .noDevice, .searching, .fix2D, .fix3D, .lost: break
      }
    }
  }

  /// Keeps a line. It is written by ``flush()``, or with many others.
  func keep(_ line: GPSDLine) {
    state.withLock { state in
      guard state.pending.count < Self.mostPending else {
        state.drops += 1
        return
      }
      if let received = line.received { state.mark(received) }
      state.pending += line.bytes
      if state.pending.count >= Self.worthWriting { write(&state) }
    }
  }

  /// Writes what was kept.
  ///
  /// - Throws: The first error of any write.
  func flush() throws(OutputError) {
    let failure = state.withLock { state in
      write(&state)
      return state.failure
    }
    if let failure { throw failure }
  }

  /// Writes what is left, and gives a slow reader half a second for it.
  ///
  /// - Throws: The first error of any write.
  func finish() throws(OutputError) {
    try flush()
    for _ in 0..<10 where hasPending {
      _ = descriptor.isWritable(within: 50)
      try flush()
    }
  }

  private func write(_ state: inout State) {
    var written = 0
    writing: while written < state.pending.count, state.failure == nil {
      switch descriptor.writeNow(state.pending[written...]) {
      case .wrote(let count): written += count
      // A reader that does not read is not waited for: gpsd is read on.
      case .notNow: break writing
      case .failed(let error):
        state.failure = error
        descriptor.cutTornRecord(of: state.pending[..<written])
      }
    }
    if written == state.pending.count || state.failure != nil {
      state.pending.removeAll(keepingCapacity: true)
    } else {
      state.pending.removeSubrange(..<written)
    }
  }
}

extension Recorder.State {
  /// So far apart the clocks are by what is cut off of each.
  private static let tolerance = Nanoseconds.milliseconds(2)

  /// Says when the next line came, where that is not the millisecond of the last one.
  fileprivate mutating func mark(_ moment: Moment) {
    if start == nil {
      let begin = begin ?? moment
      start = begin
      lastMilliseconds = 0
      RecordedTime(elapsed: .zero, start: begin.wall).append(to: &pending)
    }
    guard let start else { return }
    let elapsed = start.nanoseconds(to: moment)
    let milliseconds = elapsed.count / 1_000_000
    var newStart: Timestamp?
    if let expected = start.wall?.later(by: elapsed), let wall = moment.wall {
      let change = expected.nanoseconds(to: wall)
      if max(change, .zero - change) > Self.tolerance { newStart = start.wall?.later(by: change) }
    }
    guard milliseconds != lastMilliseconds || newStart != nil else { return }
    lastMilliseconds = milliseconds
    if let newStart { self.start?.wall = newStart }
    RecordedTime(elapsed: elapsed.duration, start: newStart).append(to: &pending)
  }
}
