/// Why a conversation with gpsd failed.
public struct GPSDError: Error, Hashable, Sendable {
  /// What failed, for a program to decide by.
  public enum Code: String, Hashable, Sendable {
    /// The address cannot be one of a gpsd; nothing was tried.
    case invalidEndpoint
    /// The host's name cannot be resolved.
    case unknownHost
    /// Refused, no route, or no answer in time.
    case cannotConnect
    /// A command could not be sent.
    case cannotSend
    /// The connection, or a recording, could not be read.
    case cannotRead
    /// gpsd ended the connection.
    case hungUp
    /// There is no open connection to use.
    case notConnected
    /// The task was cancelled before there was a connection.
    case cancelled
    /// A fake was asked for something that its test did not tell it.
    case unscripted
  }

  /// What failed.
  public var code: Code
  /// The errno or NL_ code behind it; 0 where there is none.
  public var number: Int32
  /// Words that a person can act on.
  public var detail: String

  /// An error as a session, or a test, makes it.
  ///
  /// - Parameters:
  ///   - code: What failed.
  ///   - number: The errno or NL_ code behind it; 0 where there is none.
  ///   - detail: Words that a person can act on.
  public init(_ code: Code, number: Int32 = 0, _ detail: String) {
    self.code = code
    self.number = number
    self.detail = detail
  }
}

extension GPSDError: CustomStringConvertible {
  /// ``detail``.
  public var description: String { detail }
}
