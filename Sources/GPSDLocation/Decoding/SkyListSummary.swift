/// What most readers want of a list of satellites.
struct SkyListSummary: Sendable {
  /// Whether the report has a list.
  var hasList = false
  private(set) var count = 0
  private(set) var used = 0
  /// In dBHz.
  private(set) var strongest: Double?

  @inline(__always)
  mutating func add(isUsed: Bool, strength: Double?) {
    count += 1
    if isUsed { used += 1 }
    if let strength { strongest = max(strength, strongest ?? strength) }
  }
}
