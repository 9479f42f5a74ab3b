internal import LocationCore

/// Reads gpsd's JSON, line by line, into records that it uses again.
///
/// ```swift
/// var decoder = GPSDDecoder()
/// if decoder.decode(line.bytes.span) == .tpv, let latitude = decoder.tpv.lat { … }
/// ```
///
/// A line counts as a report only as a whole: it has to be one JSON object in valid UTF-8, with a
/// class, nested no deeper than 16, and may not give a member that we know twice. Members that we
/// do not know are read over. A value of the wrong type or out of range is absent.
public struct GPSDDecoder: Sendable {
  /// What a line was, and so which record holds it.
  public enum Kind: Hashable, Sendable {
    /// A `TPV` report, in ``GPSDDecoder/tpv``.
    case tpv
    /// A `SKY` report, in ``GPSDDecoder/sky``.
    case sky
    /// A `GST` report, in ``GPSDDecoder/gst``.
    case gst
    /// An `ATT` report, in ``GPSDDecoder/att``.
    case att
    /// A `DEVICE` report, in ``GPSDDecoder/device``.
    case device
    /// A `DEVICES` report, in ``GPSDDecoder/devices``.
    case devices
    /// A `VERSION` report, in ``GPSDDecoder/version``.
    case version
    /// A `WATCH` report, in ``GPSDDecoder/watch``.
    case watch
    /// An `ERROR` report, in ``GPSDDecoder/error``.
    case error
    /// A report of a class that is not decoded; ``GPSDDecoder/otherClass`` is its name.
    case other
    /// Nothing but white space.
    case blank
    /// No report: not JSON, cut off, or against one of the rules above.
    case malformed
  }

  // A record is whole, or empty: a malformed line empties all, lest a part of it be taken for one.

  /// The last `TPV` report.
  public private(set) var tpv = TPV()
  /// The last `GST` report.
  public private(set) var gst = GST()
  /// The last `ATT` report.
  public private(set) var att = ATT()
  /// The last `VERSION` report.
  public private(set) var version = VersionReport()
  /// The last `WATCH` report.
  public private(set) var watch = WatchReport()
  /// The last `ERROR` report.
  public private(set) var error = ErrorReport()
  private var skyRecord: SKYRecord
  private var deviceRecord = DeviceRecord()
  private var devicesRecord = DeviceListRecord()
  private var otherRecord = OtherRecord()

  private var keys = DecoderKeys()
  private var names = RepeatedName()

  /// A decoder that has read nothing: its records are empty.
  ///
  /// - Parameter keepsSatellites: Whether ``sky`` lists its satellites. Without, they are checked and
  ///   counted alone, and ``SKY/satellites`` is always `nil`.
  public init(keepsSatellites: Bool = true) { skyRecord = SKYRecord(keepsList: keepsSatellites) }

  /// The last `SKY` report.
  public var sky: SKY { _read { yield skyRecord.sky } }

  /// All that the last `SKY` report says of a view.
  var skyValues: SkyValues { skyRecord.values }

  /// The last `DEVICE` report.
  public var device: DeviceReport { _read { yield deviceRecord.device } }

  /// The last `DEVICES` report, at most 64 of them.
  public var devices: [DeviceReport] { devicesRecord.devices }

  /// The class of the last report that is not decoded, such as `AIS`.
  public var otherClass: String { otherRecord.name }

  /// How many list elements were left out since the beginning: satellites beyond 184 in a report
  /// or without a number, and devices beyond 64.
  public var droppedElements: Int { skyRecord.dropped + devicesRecord.dropped }

  /// Reads one line, with or without its line end.
  public mutating func decode(_ line: Span<UInt8>) -> Kind {
    var index = 0
    line.skipSpace(&index)
    guard index < line.count else { return .blank }
    do throws(NotJSON) {
      return try decodeObject(line, &index)
    } catch {
      removeAll()
      return .malformed
    }
  }

  /// Reads one line into a value of its own; `nil` where it is blank or malformed.
  public mutating func report(in line: Span<UInt8>) -> GPSDReport? {
    switch decode(line) {
    case .tpv: .tpv(tpv)
    case .sky: .sky(sky)
    case .gst: .gst(gst)
    case .att: .att(att)
    case .device: .device(device)
    case .devices: .devices(devices)
    case .version: .version(version)
    case .watch: .watch(watch)
    case .error: .error(error)
    case .other: .other(class: otherClass)
    case .blank, .malformed: nil
    }
  }

  private mutating func removeAll() {
    tpv.removeAll()
    skyRecord.removeAll()
    gst.removeAll()
    att.removeAll()
    deviceRecord.removeAll()
    devicesRecord.removeAll()
    version.removeAll()
    watch.removeAll()
    error.removeAll()
  }

  private mutating func decodeObject(
    _ line: Span<UInt8>, _ index: inout Int
  ) throws(NotJSON) -> Kind {
    let header = try ReportHeader(line, &index, &keys)
    switch header.name {
    case .TPV:
      try tpv.readReport(line, &index, header, &keys.tpv, &names)
      return .tpv
    case .SKY:
      try skyRecord.readReport(line, &index, header, &keys.sky, &names)
      return .sky
    case .GST:
      try gst.readReport(line, &index, header, &keys.gst, &names)
      return .gst
    case .ATT:
      try att.readReport(line, &index, header, &keys.att, &names)
      return .att
    case .DEVICE:
      try deviceRecord.readReport(line, &index, header, &keys.device, &names)
      return .device
    case .DEVICES:
      try devicesRecord.readReport(line, &index, header, &keys.devices, &names)
      return .devices
    case .VERSION:
      try version.readReport(line, &index, header, &keys.version, &names)
      return .version
    case .WATCH:
      try watch.readReport(line, &index, header, &keys.watch, &names)
      return .watch
    case .ERROR:
      try error.readReport(line, &index, header, &keys.error, &names)
      return .error
    case nil:
      try otherRecord.readName(line, header)
      try otherRecord.readReport(line, &index, header, &keys.other, &names)
      return .other
    }
  }
}
