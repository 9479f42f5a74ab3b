import Glibc
import LocwatchSystem

/// Gives frames of RTCM 3 to a private gpsd, which passes them on to the receiver.
///
/// gpsd recognises a source by its first frame, and does not pass that one on, so it is sent twice. Nor does it
/// pass on anything to a receiver that it has not recognised, so frames wait until the receiver reports.
struct FrameFeed {
  /// The number of bytes of frames that wait. Beyond it, the oldest are dropped, which are the least useful.
  static let maximumWaitingCount = 64 * 1024

  /// The connection from which gpsd reads.
  private(set) var source: Socket?
  private var frames: [[UInt8]] = []
  private var waitingCount = 0
  /// The rest of a frame that gpsd has a part of.
  private var rest = PendingBytes()
  private var isFirst = true
  /// How many frames gpsd was given.
  private(set) var givenCount = 0
  /// How many frames were dropped because gpsd did not read them in time.
  private(set) var droppedCount = 0

  /// Whether there is something for gpsd.
  var hasPending: Bool { !rest.isEmpty || !frames.isEmpty }

  mutating func add(_ frame: [UInt8]) {
    frames.append(frame)
    waitingCount += frame.count
    while waitingCount > Self.maximumWaitingCount {
      waitingCount -= frames.removeFirst().count
      droppedCount += 1
    }
  }

  /// Has gpsd read from a connection that it has made.
  mutating func connect(_ source: Socket) {
    disconnect()
    self.source = source
    isFirst = true
  }

  /// Handles that gpsd does not read from the connection any more.
  mutating func disconnect() {
    source = nil
    rest.removeAll()
  }

  /// Writes what gpsd takes.
  mutating func give() {
    while let source {
      if rest.isEmpty {
        guard !frames.isEmpty else { return }
        let frame = frames.removeFirst()
        waitingCount -= frame.count
        givenCount += 1
        rest.append(isFirst ? frame + frame : frame)
        isFirst = false
      }
      guard rest.write(by: source.write) else { return disconnect() }
      if !rest.isEmpty { return }
    }
  }

  /// Discards what gpsd sends, and notices when it goes away.
  mutating func attend() {
    if let source, source.takeArrived() == nil { disconnect() }
  }
}
