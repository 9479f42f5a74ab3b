import DaemonHarness
import Foundation
import Glibc
import SimulatedReceiver

/// A network of its own, with a loopback interface, where gpsd's port is free.
enum NetworkNamespace {
  /// Whether this process may make one, and take another user's identity.
  static let isAvailable = geteuid() == 0 && access("/proc/self/ns/net", R_OK) == 0

  /// Runs `body` on a thread in a new network. The sockets and the processes that it makes stay there.
  ///
  /// - Parameter user: The user to whom the sockets belong that `body` makes.
  static func run<Value: Sendable>(
    as user: uid_t = 0, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread {
        continuation.resume(
          with: Result {
            guard unshare(0x4000_0000) == 0 else { throw SystemError("unshare") }
            try raiseLoopback()
            _ = setfsuid(user)
            defer { _ = setfsuid(0) }
            return try body()
          })
      }
      thread.start()
    }
  }

  private static func raiseLoopback() throws {
    let socket = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    // struct ifreq: the name, and the flags IFF_UP and IFF_RUNNING.
    var request = [UInt8](repeating: 0, count: 40)
    request.replaceSubrange(0..<2, with: "lo".utf8)
    request[16] = 0x41
    let status = request.withUnsafeMutableBytes { request in
      ioctl(socket, 0x8914, request.baseAddress!)
    }
    guard status == 0 else { throw SystemError("SIOCSIFFLAGS") }
  }
}

@_silgen_name("unshare") private func unshare(_ flags: CInt) -> CInt
/// Of one thread, while setuid(2) is for all.
@_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> CInt
