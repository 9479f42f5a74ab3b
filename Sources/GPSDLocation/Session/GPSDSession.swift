public import LocationCore

/// A connection to gpsd that sends commands and reads lines: over libgps, from a recording, or in a
/// test.
///
/// A session serves one connection at a time. Its methods are called one after another: `open`, then
/// any number of `send` and `read`, then `close`.
public protocol GPSDSession: Sendable {
  /// Connects to gpsd.
  ///
  /// - Throws: ``GPSDError`` if the connection fails or the task is cancelled.
  func open(_ endpoint: GPSDEndpoint) async throws(GPSDError)

  /// Sends one whole command.
  ///
  /// - Throws: ``GPSDError`` if the command could not be sent.
  func send(_ command: GPSDCommand) async throws(GPSDError)

  /// Waits for the next lines.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits indefinitely. A deadline in the past
  ///   returns lines that have already been received.
  /// - Returns: All lines that arrived together; `TimedRead.ended` at the end of a recording, or if
  ///   the task is cancelled.
  /// - Throws: ``GPSDError`` if gpsd ended the connection, or reading it failed.
  func read(until deadline: Moment?) async throws(GPSDError) -> TimedRead<GPSDLines>

  /// Ends the connection. Does nothing if there is none.
  func close() async

  /// Whether gpsd answers commands. The default is `true`; it is `false` for a recording.
  var isLive: Bool { get }
}

extension GPSDSession {
  /// The default implementation, which returns `true`.
  public var isLive: Bool { true }
}

/// Lines that arrived from gpsd together, and when they were received.
///
/// The user info of URLs is replaced by asterisks, so that nothing that is made of the lines contains
/// it. gpsd names a source of corrections with the password: `ntrip://user:password@host/mount`.
public struct GPSDLines: Hashable, Sendable {
  /// The lines as received except for the user info of URLs, one after another, each with its line end
  /// (LF or CRLF).
  public let bytes: ArraySlice<UInt8>
  /// When the lines were received; `nil` for a recording without receive times.
  public var received: Moment?
  /// The number of bytes discarded before these lines: cut off by the end of the stream, or part of a
  /// line longer than ``LineFramer/maximumLineLength``. The first bytes of such a line, as many as
  /// that limit, are reported as soon as they arrive; the rest is reported when the line ends.
  public var discardedBytes: Int

  /// Creates lines that arrived together.
  ///
  /// - Parameters:
  ///   - bytes: Whole lines with their line ends.
  ///   - received: When the lines were received; `nil` if unknown.
  ///   - discardedBytes: The number of bytes discarded before these lines.
  public init(bytes: ArraySlice<UInt8>, received: Moment?, discardedBytes: Int = 0) {
    var bytes = bytes
    bytes.hideUserInfo()
    self.bytes = bytes
    self.received = received
    self.discardedBytes = discardedBytes
  }
}

extension GPSDLines: Sequence {
  /// Returns an iterator over the lines, each with its line end.
  public func makeIterator() -> Iterator { Iterator(rest: bytes) }

  /// An iterator over the lines.
  public struct Iterator: IteratorProtocol {
    fileprivate var rest: ArraySlice<UInt8>

    /// Returns the next line with its line end; `nil` after the last.
    public mutating func next() -> ArraySlice<UInt8>? {
      guard let line = rest.firstLine else { return nil }
      rest = rest[line.endIndex...]
      return line
    }
  }
}

extension ArraySlice<UInt8> {
  /// The first line with its line end; `nil` if the slice is empty.
  var firstLine: ArraySlice<UInt8>? {
    isEmpty ? nil : prefix(span.lineEnd(from: 0) ?? count)
  }
}

/// The address of a gpsd.
public struct GPSDEndpoint: Hashable, Sendable {
  /// gpsd's registered port.
  public static let defaultPort: UInt16 = 2947

  /// The host name or numeric address; an IPv6 address is written without brackets.
  public var host: String
  /// The TCP port, 1 to 65535.
  public var port: UInt16

  /// Creates an address; by default that of the gpsd on this machine.
  public init(host: String = "localhost", port: UInt16 = GPSDEndpoint.defaultPort) {
    self.host = host
    self.port = port
  }

  /// Whether the host is this machine, or the near end of a tunnel.
  package var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}

extension GPSDEndpoint: CustomStringConvertible {
  /// The host and port, such as `localhost:2947` or `[::1]:2947`.
  public var description: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

/// A command to gpsd.
public struct GPSDCommand: Hashable, Sendable {
  /// The command as it is sent, such as `?WATCH={"enable":true,"json":true};`.
  public let text: String

  /// A command that requests reports from every receiver.
  public static let watch = watch(device: nil)

  /// Returns a command that requests reports.
  ///
  /// - Parameters:
  ///   - device: The path of the only receiver to report, on gpsd's machine; `nil` requests the
  ///     reports of every receiver.
  ///   - pulses: Whether `TOFF` and `PPS` reports are requested as well.
  public static func watch(device: String?, pulses: Bool = false) -> GPSDCommand {
    let device = device.map { #","device":"\#($0.escapedForJSON)""# } ?? ""
    return GPSDCommand(
      text: #"?WATCH={"enable":true,"json":true\#(pulses ? #","pps":true"# : "")\#(device)};"#)
  }

  /// A command that requests gpsd's version.
  public static let version = GPSDCommand(text: "?VERSION;")

  /// A command that requests the list of receivers.
  public static let devices = GPSDCommand(text: "?DEVICES;")
}

extension GPSDCommand: CustomStringConvertible {
  /// The command as it is sent, which is ``text``.
  public var description: String { text }
}
