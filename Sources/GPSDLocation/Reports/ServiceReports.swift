/// Who answers: gpsd's `VERSION` report, the first that it sends.
public struct VersionReport: Hashable, Sendable {
  /// The release, such as `3.22`; empty where gpsd names none.
  public var release = ""
  /// The revision it was built from.
  public var rev: String?
  /// The first number of the protocol's version. It is no guide to what gpsd can do: 3.27 says
  /// 0.16.
  public var protoMajor: Int?
  /// The second number of the protocol's version.
  public var protoMinor: Int?
  /// The address of the gpsd that this one speaks for; `nil` where it speaks for itself.
  public var remote: String?

  /// A report of a release alone.
  public init(release: String = "") { self.release = release }
}

/// What gpsd will send: its `WATCH` report, the answer to the command of that name.
public struct WatchReport: Hashable, Sendable {
  /// Whether it sends reports at all.
  public var enable: Bool?
  /// Whether they come as JSON.
  public var json: Bool?
  /// Whether they come as NMEA.
  public var nmea: Bool?
  /// 0, or how raw the receiver's own packets are passed on: 1 as hexadecimal, 2 as they are.
  public var raw: Int?
  /// Whether gpsd scales the numbers of AIS and of subframes.
  public var scaled: Bool?
  /// Whether reports tell how long gpsd took.
  public var timing: Bool?
  /// Whether the halves of an AIS type 24 report come apart.
  public var split24: Bool?
  /// Whether it sends `TOFF` and `PPS` reports.
  public var pps: Bool?
  /// The only receiver that is reported. `nil` means all: a command that asked for one and is
  /// answered so was not understood.
  public var device: String?
  /// The address of the gpsd that this one speaks for; `nil` where it speaks for itself.
  public var remote: String?

  /// A report that tells nothing.
  public init() {}
}

/// What gpsd did not like about a command: its `ERROR` report.
public struct ErrorReport: Hashable, Sendable {
  /// gpsd's words, unescaped: anything can be in them. Empty where there are none.
  public var message = ""

  /// A report with those words.
  public init(message: String = "") { self.message = message }
}
