import Glibc
import LocationCore
import LocwatchSystem

/// A connection of TLS, which `openssl s_client` makes and keeps.
///
/// So TLS and its certificates are left to a program that others maintain, which can be killed at any byte. What is sent to
/// the peer is not on its command line. It ends with this process, even after `kill -9`: the system kills it
/// (PR_SET_PDEATHSIG, by `setpriv`). That its input ends would not do, because it does not read while it connects.
final class TLSConnection: Sendable {
  /// Begins to connect to a caster, at one of its addresses.
  typealias Start = @Sendable (CasterAddress, HostAddress) throws(LocationError) -> TLSConnection

  /// The number of bytes of a reason that a message quotes.
  private static let maximumText = 64

  /// What is written to it is sent to the peer, and what is read from it has come from there.
  let socket: Socket
  let takeErrors: @Sendable () -> [String]
  private let end: @Sendable () -> Void

  /// - Parameters:
  ///   - takeErrors: Returns the lines in which the program has said what went wrong.
  ///   - end: Ends the program.
  init(
    through socket: Socket, takeErrors: @escaping @Sendable () -> [String],
    end: @escaping @Sendable () -> Void
  ) {
    self.socket = socket
    self.takeErrors = takeErrors
    self.end = end
  }

  deinit { end() }

  /// Returns what begins to connect to a caster.
  ///
  /// The thread that connects must exist as long as the connection, which ends with the thread.
  ///
  /// - Parameter directories: Where programs are looked for after the directories of PATH.
  /// - Throws: ``Failure`` if openssl is not installed.
  static func start(
    in environment: Environment, or directories: [String] = ["/usr/bin"]
  ) throws(Failure) -> Start {
    guard let openssl = environment.program("openssl", or: directories) else {
      throw Failure(
        .unavailable,
        "openssl, which speaks TLS with the caster, is not installed: 'sudo apt install openssl'")
    }
    guard let setpriv = environment.program("setpriv", or: directories) else {
      throw Failure(
        .unavailable,
        "setpriv, which starts openssl, is not installed: 'sudo apt install util-linux'")
    }
    let program = [setpriv, "--pdeathsig", "KILL", openssl]
    return { caster, address throws(LocationError) in
      do throws(LocationError) {
        let (own, other) = try Socket.pair()
        let child = try Supervisor(
          program + arguments(for: caster, at: address), environment: environment.entries,
          stream: other)
        return TLSConnection(through: own, takeErrors: child.takeErrors, end: child.kill)
      } catch {
        throw error.described(as: "openssl does not start")
      }
    }
  }

  /// Has openssl pass on bytes as they are (`-quiet`, and `-nocommands`, without which a `Q` would end it), and end with
  /// its input (`-no_ign_eof`).
  static func arguments(for caster: CasterAddress, at address: HostAddress) -> [String] {
    let host = caster.host
    let isName = HostAddress.known(of: NetworkAddress(.tcp, host: host, port: 0)) == nil
    let names =
      isName
      ? ["-servername", host, "-verify_hostname", host]
      : ["-noservername", "-verify_ip", String(host.prefix { $0 != "%" })]
    return ["s_client", "-quiet", "-nocommands", "-no_ign_eof", "-verify_return_error"] + names
      + ["-connect", "\(address)"]
  }

  /// Returns why the program has ended; `nil` if the peer has just closed the connection.
  func takeFailure() -> NTRIPExchange.Failure? { Self.failure(in: takeErrors()) }

  /// Finds the reason of a failure in the lines of openssl, such as
  /// `verify error:num=10:certificate has expired` and
  /// `40E7…:error:8000006F:system library:BIO_connect:Connection refused:../bio_sock2.c:117:calling connect()`.
  static func failure(in lines: [String]) -> NTRIPExchange.Failure? {
    for line in lines {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields[0] == "verify error", fields.count > 2 {
        return NTRIPExchange.Failure(
          reason: "its certificate is not accepted: \(text(fields[2]))", isRefusal: true)
      }
      guard fields.count > 5, fields[1] == "error" else { continue }
      let isTold = fields[5] == "system lib" && fields.count > 8 && !fields[8].isEmpty
      let reason = isTold ? fields[8] : fields[5]
      // It leaves out the end of TLS, as many do.
      if reason == "unexpected eof while reading" { return nil }
      return NTRIPExchange.Failure(
        reason: fields[3] == "SSL routines" ? "TLS: \(text(reason))" : text(reason))
    }
    return nil
  }

  private static func text(_ field: Substring) -> String { String(field.prefix(maximumText)) }
}
