/// The shortest of the last four steps between reports, which a lost report or an outage does not
/// lengthen.
package struct ShortestStep: Sendable {
  private var steps = SIMD4<Int64>(repeating: .max)
  private var count = 0

  package init() {}

  /// Whether no step was taken yet.
  package var isEmpty: Bool { count == 0 }

  /// Adds the next step, and returns the shortest.
  package mutating func add(_ step: Nanoseconds) -> Nanoseconds {
    steps[count & 3] = step.count
    count &+= 1
    return Nanoseconds(steps.min())
  }
}
