import LocationTestKit

extension SeededRandom {
  /// Returns one of some values, of which there is at least one.
  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &self)]
  }

  /// Returns `true` with a probability of one in a number.
  mutating func happens(onceIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  /// Returns `true` with a probability from 0 to 1.
  mutating func happens(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }
}
