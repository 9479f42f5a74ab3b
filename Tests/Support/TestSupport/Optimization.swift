/// Whether the tests were compiled with the optimiser, as `make test-release` does. Without it they take ten
/// times as long.
package var isOptimized: Bool {
  #if DEBUG
    false
  #else
    true
  #endif
}
