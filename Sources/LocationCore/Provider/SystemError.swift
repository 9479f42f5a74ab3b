#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An error number of the system or a library, with its domain.
///
/// ```swift
/// if error.systemError == .errno(ECONNREFUSED) { … }
/// ```
package struct SystemError: Hashable, Sendable {
  /// The set of error numbers that a number belongs to.
  package struct Domain: RawRepresentable, Hashable, Sendable {
    /// The domain's name, as it is printed.
    package var rawValue: String

    /// Creates a domain from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The `errno` of a system call, such as `ECONNREFUSED`.
    package static let errno = Domain(rawValue: "errno")
    /// The result of `getaddrinfo`, such as `EAI_NONAME`.
    package static let resolver = Domain(rawValue: "getaddrinfo")
  }

  /// The set of error numbers that ``number`` belongs to.
  package var domain: Domain
  /// The error number.
  package var number: Int32

  /// Creates an error number of a domain.
  ///
  /// - Parameters:
  ///   - domain: The set of error numbers that `number` belongs to.
  ///   - number: The error number.
  package init(_ domain: Domain, _ number: Int32) {
    self.domain = domain
    self.number = number
  }

  /// Returns the `errno` of a system call, such as `ECONNREFUSED`.
  package static func errno(_ number: Int32) -> SystemError { SystemError(.errno, number) }

  /// Returns a result of `getaddrinfo`, such as `EAI_NONAME`.
  package static func resolver(_ number: Int32) -> SystemError { SystemError(.resolver, number) }
}

extension SystemError.Domain: CustomStringConvertible {
  /// The raw value.
  package var description: String { rawValue }
}

extension SystemError: CustomStringConvertible {
  /// The domain and the number, such as `errno 111`.
  package var description: String { "\(domain) \(number)" }
}

extension LocationError {
  /// Returns the error for a system call that failed. Its message is only the system's: the caller knows what it
  /// was doing.
  package static func system(_ number: CInt) -> LocationError {
    LocationError(.unreachable, systemError: .errno(number), systemText(number))
  }

  /// Returns the error with what failed before its reason.
  package func described(as failure: String) -> LocationError {
    LocationError(code, systemError: systemError, "\(failure): \(detail)")
  }
}

/// Returns the system's message for an error number.
package func systemText(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
