/// The least and the greatest of some values.
package struct Extent: Hashable, Sendable {
  /// NaN if there are no values.
  package private(set) var low: Float
  /// NaN if there are no values.
  package private(set) var high: Float

  /// The extent of no values.
  package static let none = Extent()

  private init() { (low, high) = (.nan, .nan) }

  package init(_ low: Float, _ high: Float) { (self.low, self.high) = (low, high) }

  package var isEmpty: Bool { low.isNaN }

  /// A comparison with NaN is false, so that the first value replaces it.
  package mutating func add(_ value: Float) {
    if !(low <= value) { low = value }
    if !(high >= value) { high = value }
  }

  package mutating func add(_ value: Double?) {
    if let value = value?.ifPlausible { add(Float(value)) }
  }

  package mutating func add(_ other: Extent) {
    guard !other.isEmpty else { return }
    add(other.low)
    add(other.high)
  }

  // An extent of no values equals another one.
  package static func == (lhs: Extent, rhs: Extent) -> Bool {
    lhs.isEmpty ? rhs.isEmpty : lhs.low == rhs.low && lhs.high == rhs.high
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(isEmpty ? 0 : low)
    hasher.combine(isEmpty ? 0 : high)
  }
}
