package import Dispatch
import Glibc

/// Cancels `task` at SIGINT and SIGTERM, as long as what is returned lives. Outside of the main actor,
/// where a handler would trap.
package func cancelOnSignal<Success>(
  _ task: Task<Success, some Error>
) -> [any DispatchSourceSignal] {
  [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { @Sendable in task.cancel() }
    source.resume()
    return source
  }
}

/// Writes what a tool prints, at once.
package func say(_ text: String, on descriptor: CInt) {
  let bytes = Array(text.utf8)
  _ = write(descriptor, bytes, bytes.count)
}
