/// Whether the tests are of a release build, as `make test-release` runs them: with more recordings, seeds and rounds,
/// which take several times as long.
package var isReleaseBuild: Bool {
  #if DEBUG
    false
  #else
    true
  #endif
}
