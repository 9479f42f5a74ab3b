import Glibc

/// A call of the system's that failed.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  package let call: String
  package let code: CInt

  /// - Parameter code: What `errno` says, where the call did not return the number itself.
  package init(_ call: String, code: CInt = errno) {
    self.call = call
    self.code = code
  }

  package var description: String {
    "\(call): \(String(cString: strerror(code)))"
  }
}
