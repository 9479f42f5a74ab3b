import LocwatchSystem

/// The sentences with which the epochs of a receiver begin and end, learned from its NMEA.
///
/// gpsd reports an epoch at its last sentence that has a time, and learns which one that is when the time
/// changes. So gpsd 3.22 reports nothing of the first epoch of a receiver that has come back. But the receiver
/// has kept its order: the last sentence of an earlier epoch, given to gpsd before the first epoch of now, is
/// how the time changes. gpsd reports the first epoch then, and never the earlier sentence. Versions from 3.25
/// on report the first epoch anyway.
struct NMEACycle {
  /// A sentence that says at what time its epoch is.
  private struct Sentence {
    /// What kind of sentence it is, such as `GGA`.
    let formatter: String
    /// The time of day as in the sentence, hhmmss.sss.
    let time: Double
    let bytes: [UInt8]

    /// Returns `nil` for what has no time, and no checksum or a wrong one.
    init?(_ line: LineSplitter.Piece) {
      guard line.isBeginning, line.bytes.count <= maximumLineLength,
        let sentence = ReceivedSentence(line.bytes), sentence.hasChecksum
      else { return nil }
      formatter = sentence.formatter
      let index: Int
      switch formatter {
      case "GBS", "GGA", "GNS", "GST", "RMC", "ZDA": index = 1
      case "GLL": index = 5
      default: return nil
      }
      guard let time = sentence[index].flatMap(Double.init), time.isFinite else { return nil }
      self.time = time
      bytes = Array(line.bytes)
    }
  }

  /// A longer line is not NMEA 0183, which allows 82 bytes.
  static let maximumLineLength = 128
  /// After this many bytes without a time, the rest of the epoch is no longer awaited.
  static let patience = 4096

  private var lines = LineSplitter(maximum: maximumLineLength)
  private var latest: Sentence?
  /// With which sentence the present epoch has begun; `nil` if its beginning was not seen.
  private var beginning: String?
  /// The kinds of the first and the last sentence of the latest whole epoch.
  private var candidate: (first: String, last: String)?
  /// With which kind of sentence epochs begin, and the last sentence of one. Two epochs in a row had this order.
  private var known: (first: String, last: Sentence)?
  /// What was known when the receiver went away.
  private var former: (first: String, last: Sentence)?

  /// Learns from what the receiver sends next.
  mutating func read(_ bytes: ArraySlice<UInt8>) {
    lines.append(bytes)
    while let line = lines.next() {
      if let sentence = Sentence(line) { learn(sentence) }
    }
  }

  private mutating func learn(_ sentence: Sentence) {
    defer { latest = sentence }
    guard let latest, latest.time != sentence.time else { return }
    defer { beginning = sentence.formatter }
    guard let beginning else { return }
    let order = (first: beginning, last: latest.formatter)
    if let candidate, candidate == order { known = (beginning, latest) }
    candidate = order
  }

  /// The receiver has gone, in the middle of an epoch perhaps.
  mutating func breakOff() {
    let former = known ?? former
    self = NMEACycle()
    self.former = former
  }

  /// Returns what to give gpsd before the first bytes of a receiver that is back: nothing if its order was not
  /// known, or if they begin in the middle of an epoch.
  ///
  /// - Returns: `nil` if more bytes are needed to tell.
  func preface(to bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard let former else { return [] }
    var lines = LineSplitter(maximum: Self.maximumLineLength)
    lines.append(bytes)
    while let line = lines.next() {
      guard let sentence = Sentence(line) else { continue }
      return sentence.formatter == former.first && sentence.time != former.last.time
        ? former.last.bytes : []
    }
    return bytes.count < Self.patience ? nil : []
  }
}
