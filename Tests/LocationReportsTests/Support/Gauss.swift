#if canImport(Glibc)
  import Glibc
#endif

/// Numbers of a normal distribution, the same in each run.
struct Gauss {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func uniform() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (Double(state >> 11) + 0.5) / 9_007_199_254_740_992
  }

  /// By Box and Muller.
  mutating func next() -> Double {
    (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
  }
}
