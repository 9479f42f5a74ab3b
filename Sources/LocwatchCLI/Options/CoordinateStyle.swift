/// How latitude and longitude are written for people.
package enum CoordinateStyle: String, CaseIterable, Sendable {
  /// `48.118633333 11.517333333`
  case decimal = "dd"
  /// Degrees and minutes: `48°07.11800'N 11°31.04000'E`
  case minutes = "dm"
  /// Degrees, minutes and seconds: `48°07'07.080"N 11°31'02.400"E`
  case seconds = "dms"
  /// The Maidenhead locator: `JN58sc28`
  case maidenhead
}
