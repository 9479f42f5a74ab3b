import GPSDProtocol
import LocationCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Passes over lines that are far from the part of a recording that is replayed, without decoding them.
///
/// It passes over frequent lines in their usual form, and stops at any other: at reports about gpsd, receivers and
/// the connection, at corrections, and after a silence, also of one receiver. The last reports of each receiver before
/// such a stop are replayed, so that its last position is known even if it has been silent since.
struct LineSkimmer: Sendable {
  /// After a longer silence, lines are decoded for as long. Receivers that report rarely are therefore decoded
  /// completely, because only several reports show how often they report.
  private static let maximumSilence = Nanoseconds.seconds(60)
  /// The time that is passed over at once.
  private static let maximumTime = Nanoseconds.seconds(86_400)
  /// The maximum number of receivers' classes of reports whose last line is kept.
  private static let maximumKept = 32

  /// A report that was passed over.
  private struct Report {
    let elapsed: Nanoseconds
    /// How many reports were passed over before it.
    let number: Int
    /// Its place in the lines that are passed over; empty after they were.
    var place: Range<Int>
    var line: [UInt8] = []

    mutating func copy(from bytes: Span<UInt8>) {
      guard !place.isEmpty else { return }
      line = unsafe bytes.extracting(place).withUnsafeBufferPointer { unsafe Array($0) }
      place = 0..<0
    }
  }

  /// The last two reports of a class and a receiver, because it takes two to know how long a silence has to be: of
  /// positions, the last ones with a fix and the last ones without.
  private struct Kept {
    let name: [UInt8]
    let isFix: Bool
    var last: Report?
    var previous: Report?
  }

  private enum Phase {
    case idle
    /// The lines that follow may be passed over, too.
    case skimming(since: Nanoseconds)
    /// What was kept is replayed.
    case returning
  }

  private var phase = Phase.idle
  private var kept: [Kept] = []
  /// The reports to replay, the last one first.
  private var returned: [Report] = []
  /// The time since the beginning of the recording.
  private var elapsed = Nanoseconds.zero
  /// Until when lines are decoded after a silence.
  private var endOfBurst = Nanoseconds.zero
  private var number = 0

  /// Passes over the lines at the front.
  ///
  /// - Parameters:
  ///   - start: The time of the lines before, since the beginning of the recording.
  ///   - limit: The time at which to stop.
  ///   - keepsReports: Whether the last reports are replayed.
  /// - Returns: The end of the lines that were passed over.
  mutating func skim(
    _ lines: ArraySlice<UInt8>, from start: Nanoseconds, to limit: Nanoseconds, keepsReports: Bool
  ) -> Int {
    if case .returning = phase { return lines.startIndex }
    let bytes = lines.span
    var index = 0
    while let end = bytes.lineEnd(from: index),
      skims(bytes, index..<end, start, limit, keepsReports)
    {
      index = end
    }
    copyKept(from: bytes)
    if index < bytes.count { stop() }
    return lines.startIndex + index
  }

  /// Passes over a report of a recording without time stamps.
  ///
  /// - Parameters:
  ///   - start: The time of the line before, since the beginning of the recording.
  ///   - time: The time of the report.
  /// - Returns: Whether it was passed over.
  mutating func skim(
    _ line: ArraySlice<UInt8>, from start: Nanoseconds, at time: Nanoseconds
  ) -> Bool {
    if case .returning = phase { return false }
    let bytes = line.span
    guard
      case .report(let nameEnd, let isFix, _) = UsualLine(bytes, from: 0, to: bytes.count),
      skims(time, start, Nanoseconds(.max)),
      keep(bytes, 0..<bytes.count, nameEnd: nameEnd, isFix: isFix)
    else {
      stop()
      return false
    }
    copyKept(from: bytes)
    return true
  }

  private mutating func copyKept(from bytes: Span<UInt8>) {
    for index in kept.indices {
      kept[index].last?.copy(from: bytes)
      kept[index].previous?.copy(from: bytes)
    }
  }

  /// Ends the skimming, so that ``next()`` returns what was kept.
  mutating func stop() {
    guard case .skimming = phase else { return }
    phase = .returning
    returned = kept.flatMap { [$0.last, $0.previous].compactMap(\.self) }
    returned.sort { $0.number > $1.number }
    kept = []
  }

  /// Returns the next report that was kept, or the time at the end of the lines; `nil` after that.
  mutating func next() -> (elapsed: Nanoseconds, line: [UInt8]?)? {
    guard case .returning = phase else { return nil }
    if let report = returned.popLast() { return (report.elapsed, report.line) }
    phase = .idle
    return (elapsed, nil)
  }

  @inline(__always)
  private mutating func skims(
    _ bytes: Span<UInt8>, _ place: Range<Int>, _ start: Nanoseconds, _ limit: Nanoseconds,
    _ keepsReports: Bool
  ) -> Bool {
    switch UsualLine(bytes, from: place.lowerBound, to: place.upperBound) {
    case .time(let milliseconds):
      return skims(Nanoseconds(milliseconds * 1_000_000), start, limit)
    case .report(let nameEnd, let isFix, _):
      guard case .skimming = phase else { return false }
      return !keepsReports
        || keep(bytes, place, nameEnd: nameEnd, isFix: isFix)
    case nil: return false
    }
  }

  /// Returns whether the lines of a time are passed over.
  @inline(__always)
  private mutating func skims(
    _ time: Nanoseconds, _ start: Nanoseconds, _ limit: Nanoseconds
  ) -> Bool {
    if case .idle = phase { elapsed = start }
    if time - elapsed > Self.maximumSilence { endOfBurst = time + Self.maximumSilence }
    let isInBurst = time < endOfBurst && endOfBurst - time <= Self.maximumSilence
    guard time < limit, !isInBurst else { return false }
    if case .skimming(let since) = phase {
      guard time - since < Self.maximumTime else { return false }
    } else {
      phase = .skimming(since: elapsed)
    }
    elapsed = max(elapsed, time)
    return true
  }

  /// Keeps a report instead of an earlier one. Returns `false` if there is no room for it, or after a silence: how long
  /// the next one has to be depends on it.
  private mutating func keep(
    _ bytes: Span<UInt8>, _ place: Range<Int>, nameEnd: Int, isFix: Bool
  ) -> Bool {
    number += 1
    let name = place.lowerBound..<nameEnd
    let known = kept.firstIndex { $0.isFix == isFix && bytes.hasBytes($0.name, at: name) }
    let last = known.flatMap { kept[$0].last?.elapsed } ?? elapsed
    guard elapsed - last <= Self.maximumSilence, known != nil || kept.count < Self.maximumKept
    else { return false }
    let index = known ?? kept.count
    if known == nil { kept.append(Kept(name: name.map { bytes[$0] }, isFix: isFix)) }
    kept[index].previous = kept[index].last
    kept[index].last = Report(elapsed: elapsed, number: number, place: place)
    return true
  }
}

extension Span<UInt8> {
  func hasBytes(_ other: [UInt8], at place: Range<Int>) -> Bool {
    guard place.count == other.count else { return false }
    return unsafe extracting(place).withUnsafeBufferPointer { bytes in
      unsafe other.withUnsafeBufferPointer { other in
        guard let one = bytes.baseAddress, let two = other.baseAddress else { return true }
        return unsafe memcmp(one, two, bytes.count) == 0
      }
    }
  }
}
