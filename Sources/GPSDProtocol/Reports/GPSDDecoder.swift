package import LocationCore

/// A decoder of gpsd's JSON, which reads lines into records that it reuses.
///
/// ```swift
/// var decoder = GPSDDecoder()
/// if decoder.decode(line.bytes.span) == .tpv, let latitude = decoder.tpv.lat { … }
/// ```
///
/// A valid report is one JSON object in UTF-8 with a class. It is nested at most 16 levels deep, and
/// has no known member twice. Unknown members are skipped. A value of the wrong type or out of range
/// counts as absent.
package struct GPSDDecoder: Sendable {
  /// The kind of a line, which determines the record that holds it.
  package enum Kind: Hashable, Sendable {
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
    /// A report of a class that is not decoded, named by ``GPSDDecoder/otherClass``.
    case other
    /// A line of white space.
    case blank
    /// A line that is not a valid report: not JSON, truncated, or against a rule of ``GPSDDecoder``.
    case malformed
  }

  // A malformed line empties all records, so that none holds part of a report.

  /// The latest `TPV` report.
  package private(set) var tpv = TPV()
  /// The latest `GST` report.
  package private(set) var gst = GST()
  /// The latest `ATT` report.
  package private(set) var att = ATT()
  /// The latest `VERSION` report.
  package private(set) var version = VersionReport()
  /// The latest `WATCH` report.
  package private(set) var watch = WatchReport()
  /// The latest `ERROR` report.
  package private(set) var error = ErrorReport()
  private var skyRecord: SKYRecord
  private var deviceRecord = DeviceRecord()
  private var devicesRecord = DeviceListRecord()
  private var otherRecord = OtherRecord()

  private var keys = DecoderKeys()
  private var names = DeviceNameCache()

  /// Creates a decoder whose records are empty.
  package init() { self.init(keepsSatellites: true) }

  /// Creates a decoder that can omit the list of satellites: they are then only counted, and
  /// ``SKY/satellites`` is `nil`.
  package init(keepsSatellites: Bool) { skyRecord = SKYRecord(keepsList: keepsSatellites) }

  /// The latest `SKY` report.
  package var sky: SKY { _read { yield skyRecord.sky } }

  /// The latest `DEVICE` report.
  package var device: DeviceReport { _read { yield deviceRecord.device } }

  /// The devices of the latest `DEVICES` report, at most 64.
  package var devices: [DeviceReport] { devicesRecord.devices }

  /// The class of the latest report that is not decoded, such as `AIS`.
  package var otherClass: String { otherRecord.name }

  /// The number of list elements omitted so far: satellites without a number, and
  /// devices beyond 64.
  // It is stored, because another module would copy the decoder to compute it.
  package private(set) var droppedElements = 0

  /// The number of values so far that count as absent because they are impossible, such as a negative error, a
  /// latitude of 91 or 1e300. Values of a single satellite are not counted, because gpsd writes such numbers for
  /// unknown.
  package private(set) var impossibleNumbers = 0

  /// Decodes one line, with or without its line end.
  ///
  /// - Returns: The kind of the line. A malformed line empties all records.
  package mutating func decode(_ line: Span<UInt8>) -> Kind {
    var index = 0
    line.skipSpace(&index)
    guard index < line.count else { return .blank }
    defer { droppedElements = skyRecord.dropped + devicesRecord.dropped }
    do throws(MalformedReport) {
      return try decodeObject(line, &index)
    } catch {
      removeAll()
      return .malformed
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
  ) throws(MalformedReport) -> Kind {
    let header = try ReportHeader(line, &index, &keys)
    switch header.name {
    case .TPV:
      impossibleNumbers &+= try tpv.readReport(line, &index, header, &keys.tpv, &names)
      return .tpv
    case .SKY:
      impossibleNumbers &+= try skyRecord.readReport(line, &index, header, &keys.sky, &names)
      return .sky
    case .GST:
      impossibleNumbers &+= try gst.readReport(line, &index, header, &keys.gst, &names)
      return .gst
    case .ATT:
      impossibleNumbers &+= try att.readReport(line, &index, header, &keys.att, &names)
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

extension GPSDDecoder.Kind {
  /// The class of a decoded report; `nil` for other lines.
  package var reportClass: ReportClass? {
    switch self {
    case .tpv: .TPV
    case .sky: .SKY
    case .gst: .GST
    case .att: .ATT
    case .device: .DEVICE
    case .devices: .DEVICES
    case .version: .VERSION
    case .watch: .WATCH
    case .error: .ERROR
    case .blank, .malformed, .other: nil
    }
  }
}

extension GPSDDecoder {
  /// Returns the class of the latest report; empty for a line that is none.
  package func className(of kind: Kind) -> String {
    kind.reportClass?.stringValue ?? (kind == .other ? otherClass : "")
  }

  /// The receiver of a position, and its time by the receiver's clock.
  package typealias Epoch = (receiver: String?, time: Timestamp)

  /// Returns the receiver and the time of the latest report; `nil` if it is not a report of a position,
  /// or has no time. Those of other classes can have the time of another clock or of another epoch.
  ///
  /// It is mutating only to be called in place.
  package mutating func epoch(of kind: Kind) -> Epoch? {
    guard kind == .tpv, let time = tpv.time else { return nil }
    return (tpv.device, time)
  }
}

/// The class of a report, which determines how the rest is decoded.
struct ReportHeader {
  /// The class; `nil` if it is not decoded.
  let name: ReportClass?
  /// The index of the class in the line.
  let nameStart: Int
  /// The index of the first member that is still to be read.
  let rest: Int
  /// Whether there are members still to be read.
  let hasMore: Bool
  /// `class`, the first member of every table, if it has been read.
  let seen: MemberSet

  /// Finds the class. gpsd writes it first; members before it are read again once it is known.
  ///
  /// - Throws: `MalformedReport` if there is no class.
  @inline(__always)
  init(_ line: Span<UInt8>, _ index: inout Int, _ keys: inout DecoderKeys) throws(MalformedReport) {
    keys.prepare()
    var seen = MemberSet()
    guard try line.open("{", "}", &index) else { throw MalformedReport() }
    let first = index
    if try line.member(&index, of: &keys.other, after: KeyTable.start) != nil {
      line.skipSpace(&index)
      nameStart = index
      name = try Self.name(line, &index, keys.classes)
      hasMore = try line.proceed(to: "}", &index)
      rest = index
      _ = seen.insert(0)
    } else {
      index = first
      while try line.member(&index, of: &keys.other, after: KeyTable.start) == nil {
        try line.skipValue(&index, depth: 1)
        guard try line.proceed(to: "}", &index) else { throw MalformedReport() }
      }
      line.skipSpace(&index)
      nameStart = index
      name = try Self.name(line, &index, keys.classes)
      hasMore = true
      rest = first
    }
    self.seen = seen
  }

  private static func name(
    _ line: Span<UInt8>, _ index: inout Int, _ classes: KeyTable
  ) throws(MalformedReport) -> ReportClass? {
    try line.word(&index, of: classes).flatMap { ReportClass(rawValue: $0) }
  }
}

extension JSONRecord {
  /// Reads the report after `header`, to the end of the line.
  ///
  /// - Returns: How many numbers count as absent because they are impossible.
  @inline(__always)
  @discardableResult
  mutating func readReport(
    _ line: Span<UInt8>, _ index: inout Int, _ header: ReportHeader, _ keys: inout KeyTable,
    _ names: inout DeviceNameCache
  ) throws(MalformedReport) -> Int {
    removeAll()
    keys.prepare(for: Field.self, and: Self.otherMembers)
    index = header.rest
    let impossible = try readMembers(
      of: line, &index, &keys, &names, seen: header.seen, more: header.hasMore)
    line.skipSpace(&index)
    guard index >= line.count else { throw MalformedReport() }
    return impossible
  }
}

/// The classes of reports that are decoded, by name.
package enum ReportClass: Int, CaseIterable, CodingKey {
  case TPV, SKY, GST, ATT, DEVICE, DEVICES, VERSION, WATCH, ERROR
}

/// The names of classes and members.
struct DecoderKeys: Sendable {
  private(set) var classes = KeyTable()
  var tpv = KeyTable()
  var sky = KeyTable()
  var gst = KeyTable()
  var att = KeyTable()
  var device = KeyTable()
  var devices = KeyTable()
  var version = KeyTable()
  var watch = KeyTable()
  var error = KeyTable()
  var other = KeyTable()

  /// Fills the tables that every report needs.
  @inline(__always)
  mutating func prepare() {
    classes.prepare(for: ReportClass.self)
    other.prepare(for: OtherRecord.Field.self)
  }
}

/// A report that is checked but not decoded, except for its class.
struct OtherRecord: JSONRecord, Sendable {
  /// The only member that is read.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`
  }

  private(set) var name = ""
  private var names = DeviceNameCache()

  mutating func removeAll() {}

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    try line.skipValue(&index, depth: 1)
  }

  mutating func readName(_ line: Span<UInt8>, _ header: ReportHeader) throws(MalformedReport) {
    var index = header.nameStart
    name = try names.read(line, &index) ?? ""
  }
}
