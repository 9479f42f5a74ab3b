/// The notation of latitude and longitude in text.
package enum CoordinateStyle: String, CaseIterable, Sendable {
  /// `48.118633333 11.517333333`
  case decimal = "dd"
  /// Degrees and minutes: `48°07.11800'N 11°31.04000'E`
  case minutes = "dm"
  /// Degrees, minutes and seconds: `48°07'07.080"N 11°31'02.400"E`
  case seconds = "dms"
  /// The Maidenhead locator: `JN58sc28`
  case maidenhead
  /// UTM, or UPS at the poles: `32U 687344.337 5332551.051`
  case utm
  /// The Military Grid Reference System: `32UPU8734432551`
  case mgrs

  /// Whether latitude and longitude are written separately.
  package var isOfAngles: Bool {
    switch self {
    case .decimal, .minutes, .seconds: true
    case .maidenhead, .utm, .mgrs: false
    }
  }
}
