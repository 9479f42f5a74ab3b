import GPSDLocation
import Glibc
import LocationCore
package import LocwatchSystem

extension Socket {
  /// Binds the socket to a free port of the loopback interface.
  ///
  /// - Returns: Its address.
  package func bindToFreePort() throws -> HostAddress {
    let any = try HostAddress.resolve(NetworkAddress(.tcp, host: "127.0.0.1", port: 0))
    guard bind(to: any[0]),
      let address = HostAddress({ getsockname(descriptor, $0, &$1) == 0 ? () : nil })
    else { throw LocationError.system(errno) }
    return address
  }
}
