import GPSDLocation
import LocationCore
import Synchronization

/// Writes a recording: gpsd's lines as they came, and between them when that was.
///
/// The file is appended to, whole records at a time, so that it is valid whenever the process ends.
final class Recorder: Sendable {
  fileprivate struct State {
    var pending: [UInt8] = []
    var start: Moment?
    var lastMilliseconds: Int64 = -1
    var failure: OutputError?
  }

  private static let worthWriting = 64 * 1024

  private let descriptor: Descriptor
  private let state = Mutex(State())

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    guard descriptor.kind == .file, descriptor.length > 0 else { return }
    // An earlier recording may have ended in mid-line; its rest is not to spoil ours.
    if descriptor.byte(at: descriptor.length - 1) != UInt8(ascii: "\n") {
      state.withLock { $0.pending.append(UInt8(ascii: "\n")) }
    }
  }

  /// Whether lines wait to be written.
  var hasPending: Bool { state.withLock { !$0.pending.isEmpty } }

  /// Keeps a line. It is written by ``flush()``, or with many others.
  func keep(_ line: GPSDLine) {
    state.withLock { state in
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

  private func write(_ state: inout State) {
    var written = 0
    let length = descriptor.kind == .file ? descriptor.length : 0
    while written < state.pending.count, state.failure == nil {
      switch descriptor.write(state.pending[written...]) {
      case .wrote(let count): written += count
      case .notNow: continue
      case .failed(let error):
        state.failure = error
        // A full disk took a part of a record.
        if descriptor.kind == .file { descriptor.truncate(to: length) }
      }
    }
    state.pending.removeAll(keepingCapacity: true)
  }
}

extension Recorder.State {
  /// Says when the next line came, where that is not the millisecond of the last one.
  fileprivate mutating func mark(_ moment: Moment) {
    let isFirst = start == nil
    let start = start ?? moment
    self.start = start
    let elapsed = start.duration(to: moment)
    let milliseconds = elapsed.nanoseconds / 1_000_000
    guard milliseconds != lastMilliseconds else { return }
    lastMilliseconds = milliseconds
    RecordedTime(elapsed: elapsed, start: isFirst ? start.wall : nil).append(to: &pending)
  }
}
