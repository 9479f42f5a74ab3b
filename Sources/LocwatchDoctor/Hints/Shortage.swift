import Glibc
import LocationCore
import LocwatchSystem

/// What this machine may lack for a connection. It says nothing about the peer.
enum Shortage {
  fileprivate static let numbers = [EAGAIN, EMFILE, ENFILE, ENOMEM]

  /// The reasons of failures, as text.
  static let reasons = numbers.map(systemText) + ["no thread is left"]
}

extension LocationError {
  /// Whether this machine lacked a descriptor or a thread.
  var isShortage: Bool { Shortage.numbers.contains { systemError == .errno($0) } }
}
