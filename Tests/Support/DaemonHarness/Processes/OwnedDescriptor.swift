import Glibc

/// A file descriptor that closes itself.
final class OwnedDescriptor: Sendable {
  let number: CInt

  init(owning number: CInt) {
    self.number = number
  }

  deinit { close(number) }
}
