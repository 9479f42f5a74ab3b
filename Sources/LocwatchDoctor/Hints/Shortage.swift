import Glibc
import LocationCore
import LocwatchSystem

/// What this machine may lack for a connection. It says nothing about the peer.
enum Shortage {
  private static let numbers = [EAGAIN, EMFILE, ENFILE, ENOMEM]

  /// The reasons of failures, as text.
  static let reasons = numbers.map(systemText) + ["no thread is left"]

  fileprivate static func explains(_ error: LocationError) -> Bool {
    numbers.contains { error.systemError == .errno($0) }
  }
}

extension LocationError {
  /// Whether this machine lacked a descriptor or a thread.
  var isShortage: Bool { Shortage.explains(self) }
}
