import Dispatch

/// Waits until something is so. Returns `false` if it is not for a long time.
package func comes(_ condition: () -> Bool) async -> Bool {
  let end = ContinuousClock.now.advanced(by: .seconds(20))
  var looks = 0
  while !condition() {
    // Other tests can take the processor for longer than that.
    looks += 1
    guard ContinuousClock.now < end || looks < 2000 else { return false }
    // What is waited for needs the processor, too. In virtual time, a task must not sleep.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
        continuation.resume()
      }
    }
  }
  return true
}
