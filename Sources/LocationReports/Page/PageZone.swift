import LocationCore
import LocationText

/// The time zone of a page: its offsets from UTC during the observation.
package struct PageZone: Equatable, Sendable {
  package static let utc = PageZone(.utc)

  /// An offset from UTC, and its name.
  package struct Offset: Equatable, Sendable {
    package static let utc = Offset(name: "UTC", secondsFromUTC: 0)

    /// `CET`, or `UTC+03` if the zone has no letters.
    package let name: String
    package let secondsFromUTC: Int

    /// - Parameters:
    ///   - name: The abbreviation of the zone, such as `CET` or `+03`.
    ///   - secondsFromUTC: Positive in the east.
    package init(name: String, secondsFromUTC: Int) {
      self.name = name.first.map { "+-".contains($0) } == true ? "UTC\(name)" : name
      self.secondsFromUTC = secondsFromUTC
    }
  }

  private struct Change: Equatable {
    let time: Timestamp
    let offset: Offset
  }

  private let first: Offset
  /// In the order of their times.
  private var changes: [Change] = []

  package init(_ offset: Offset) { first = offset }

  /// Finds the changes between two times. A change that is undone within a day, or within a thousandth of the time if
  /// that is longer, can be missed.
  init(from: Timestamp, to: Timestamp, offset: (Timestamp) -> Offset) {
    first = offset(from)
    let (begin, end) = (from.secondsSince1970, to.secondsSince1970)
    guard begin < end else { return }
    let step = max(86_400, (end - begin) / 1000)
    func at(_ seconds: Int64) -> Offset { offset(Timestamp(secondsSince1970: seconds)) }
    var (known, knownOffset) = (begin, first)
    while known < end {
      let next = min(known + step, end)
      let nextOffset = at(next)
      if nextOffset != knownOffset {
        // The change is after `before`, and not after `after`.
        var (before, after) = (known, next)
        while after - before > 1 {
          let middle = before + (after - before) / 2
          if at(middle) == knownOffset { before = middle } else { after = middle }
        }
        changes.append(Change(time: Timestamp(secondsSince1970: after), offset: nextOffset))
      }
      (known, knownOffset) = (next, nextOffset)
    }
  }

  /// `CET`, or `CET and CEST` if there are several offsets.
  var name: String {
    changes.reduce(into: [first.name]) { names, change in
      if !names.contains(change.offset.name) { names.append(change.offset.name) }
    }
    .joined(separator: " and ")
  }

  func offset(at time: Timestamp) -> Offset {
    changes.last { $0.time <= time }?.offset ?? first
  }

  /// Returns a timestamp whose date and time in UTC are those of this zone.
  func local(_ time: Timestamp) -> Timestamp {
    time.advanced(by: .seconds(offset(at: time).secondsFromUTC))
  }

  /// `2026-11-20 08:05:12`, with the name of the offset if there are several.
  func text(_ time: Timestamp) -> String {
    let text = local(time).nearestSecond.description
    let name = changes.isEmpty ? "" : " \(offset(at: time).name)"
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))\(name)"
  }

  /// `2026-11-20 08:05 to 09:05 CET (07:05 to 08:05 UTC)`, with the date in UTC if it differs.
  func span(from: Timestamp, to: Timestamp) -> String {
    let utc = Self.minutes(from, to)
    let (begin, end) = (offset(at: from), offset(at: to))
    guard begin.secondsFromUTC != 0 || end.secondsFromUTC != 0 else { return "\(utc) UTC" }
    let local = Self.minutes(local(from), local(to), begin == end ? "" : " \(begin.name)")
    let rest = utc.prefix(11) == local.prefix(11) ? utc.dropFirst(11) : utc[...]
    return "\(local) \(end.name) (\(rest) UTC)"
  }

  /// `2026-11-20 07:05 to 08:05`, or `2026-11-20 07:05:12 to 07:05:40` within a minute.
  ///
  /// - Parameter name: What follows the first time.
  private static func minutes(
    _ from: Timestamp, _ to: Timestamp, _ name: String = ""
  ) -> String {
    let (first, last) = (from.nearestSecond.description, to.nearestSecond.description)
    let length = first.prefix(16) == last.prefix(16) ? 8 : 5
    func time(_ text: String) -> Substring { text.dropFirst(11).prefix(length) }
    let isOneDay = first.prefix(10) == last.prefix(10)
    return "\(first.prefix(10)) \(time(first))\(name) to "
      + (isOneDay ? "" : "\(last.prefix(10)) ") + time(last)
  }
}
