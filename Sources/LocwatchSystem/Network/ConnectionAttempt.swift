package import GPSDLocation
import Glibc
package import LocationCore

/// A connection of TCP that is being made: to the addresses of a host one after another, until one answers.
package struct ConnectionAttempt {
  /// How long a connection to one address may take.
  package static let patience = Nanoseconds.seconds(3)

  package let socket: Socket
  /// When the next address is tried.
  package let deadline: Moment
  private let others: ArraySlice<HostAddress>

  /// Begins with the first address to which that is possible.
  ///
  /// - Throws: `GPSDError` with the reason why the last one failed.
  package init(to addresses: [HostAddress], at now: Moment) throws(GPSDError) {
    try self.init(to: addresses[...], after: EADDRNOTAVAIL, at: now)
  }

  /// - Parameter number: Why the address before failed, as in `errno`.
  private init(
    to addresses: ArraySlice<HostAddress>, after number: CInt, at now: Moment
  ) throws(GPSDError) {
    var number = number
    for (index, address) in zip(addresses.indices, addresses) {
      let socket = try Socket(address.family, options: SOCK_NONBLOCK.rawValue)
      if socket.connect(to: address) || errno == EINPROGRESS {
        self.socket = socket
        deadline = now.later(by: Self.patience)
        others = addresses[(index + 1)...]
        return
      }
      number = errno
    }
    throw GPSDError(.cannotConnect, systemError: .errno(number), systemText(number))
  }

  /// Goes on when the socket is ready: to the next address if this one has failed.
  ///
  /// - Returns: Whether the connection was made.
  package mutating func advance(at now: Moment) throws(GPSDError) -> Bool {
    let number = socket.takeError()
    if number != 0 { self = try ConnectionAttempt(to: others, after: number, at: now) }
    return number == 0
  }

  /// Goes on to the next address at the deadline.
  package mutating func expire(at now: Moment) throws(GPSDError) {
    guard deadline <= now else { return }
    self = try ConnectionAttempt(to: others, after: ETIMEDOUT, at: now)
  }
}
