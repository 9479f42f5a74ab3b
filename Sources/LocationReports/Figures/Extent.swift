/// The lowest and the highest of some values.
struct Extent: Hashable, Sendable {
  /// NaN if there are no values.
  private(set) var low: Float
  /// NaN if there are no values.
  private(set) var high: Float

  /// The extent of no values.
  static let none = Extent()

  private init() { (low, high) = (.nan, .nan) }

  init(_ low: Float, _ high: Float) { (self.low, self.high) = (low, high) }

  var isEmpty: Bool { low.isNaN }

  /// A comparison with NaN is false, so that the first value replaces it.
  mutating func add(_ value: Float) {
    if !(low <= value) { low = value }
    if !(high >= value) { high = value }
  }

  mutating func add(_ value: Double?) {
    if let value = value?.ifPlausible { add(Float(value)) }
  }

  mutating func add(_ other: Extent) {
    guard !other.isEmpty else { return }
    add(other.low)
    add(other.high)
  }

  /// Returns the extent of the values times a factor that is more than zero.
  func scaled(by factor: Double) -> Extent {
    factor == 1 ? self : Extent(Float(Double(low) * factor), Float(Double(high) * factor))
  }

  // Two extents without values are equal.
  static func == (lhs: Extent, rhs: Extent) -> Bool {
    lhs.isEmpty ? rhs.isEmpty : lhs.low == rhs.low && lhs.high == rhs.high
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(isEmpty ? 0 : low)
    hasher.combine(isEmpty ? 0 : high)
  }
}
