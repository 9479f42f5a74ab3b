/// The sentences that a simulated receiver can send.
package enum SentenceKind: Hashable, Sendable, CaseIterable {
  /// Time, position, height and number of satellites used.
  case gga
  /// The kind of fix, the satellites used and the dilutions of precision.
  case gsa
  /// The satellites in view, four a sentence.
  case gsv
  /// Time, date, position, speed and course.
  case rmc
  /// Course and speed.
  case vtg
}
