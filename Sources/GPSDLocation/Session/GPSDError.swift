/// Why a conversation with gpsd failed.
public struct GPSDError: Error, Hashable, Sendable {
  public enum Code: String, Hashable, Sendable {
    /// The address cannot be one of a gpsd; nothing was tried.
    case invalidEndpoint
    case unknownHost
    /// Refused, no route, or no answer in time.
    case cannotConnect
    case cannotSend
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

  public var code: Code
  /// The errno or NL_ code behind it; 0 where there is none.
  public var number: Int32
  /// Words that a person can act on.
  public var detail: String

  public init(_ code: Code, number: Int32 = 0, _ detail: String) {
    self.code = code
    self.number = number
    self.detail = detail
  }
}

extension GPSDError: CustomStringConvertible {
  public var description: String { detail }
}
