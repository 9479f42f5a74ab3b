package import EventLoop
import Glibc
package import LocationCore

/// A TCP connection that is being made. It tries the addresses of a host one after another, until one answers.
package struct ConnectionAttempt {
  /// How long a connection to one address may take.
  package static let patience = Nanoseconds.seconds(3)

  package let socket: Socket
  package let address: HostAddress
  /// When the next address is tried.
  package let deadline: Moment
  private let others: ArraySlice<HostAddress>

  /// Begins to connect to the first address for which the system does not report an error at once.
  ///
  /// - Throws: `LocationError` with the reason why the last address failed.
  package init(to addresses: [HostAddress], at now: Moment) throws(LocationError) {
    try self.init(to: addresses[...], after: EADDRNOTAVAIL, at: now)
  }

  /// - Parameter number: The `errno` of the address that was tried before.
  private init(
    to addresses: ArraySlice<HostAddress>, after number: CInt, at now: Moment
  ) throws(LocationError) {
    var number = number
    for (index, address) in zip(addresses.indices, addresses) {
      let socket = try Socket(address.family, options: SOCK_NONBLOCK.rawValue)
      if socket.connect(to: address) || errno == EINPROGRESS {
        self.socket = socket
        self.address = address
        deadline = now.later(by: Self.patience)
        others = addresses[(index + 1)...]
        return
      }
      number = errno
    }
    throw .system(number)
  }

  /// What to wait for before the next ``advance(at:)``, until the ``deadline``.
  package var source: AwaitedDescriptor { AwaitedDescriptor(socket.descriptor, for: .writing) }

  /// Continues the attempt, with the next address if this one has failed or its time is over.
  ///
  /// - Returns: Whether the connection was made.
  package mutating func advance(at now: Moment) throws(LocationError) -> Bool {
    // A second connect(2) returns the result of the first.
    if socket.connect(to: address) || errno == EISCONN { return true }
    let number = errno
    let isGoingOn = [EALREADY, EINPROGRESS, EINTR].contains(number)
    if isGoingOn, now < deadline { return false }
    self = try ConnectionAttempt(to: others, after: isGoingOn ? ETIMEDOUT : number, at: now)
    return false
  }
}
