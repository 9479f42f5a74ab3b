import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationReports
import LocationText
import LocwatchRecordings
import LocwatchSystem

/// Parsers of option values. Each throws a message that follows the option's name.
enum OptionValues {
  /// `30`, `30s`, `5m30s`, `1h`, `500ms`, `1.5s`; more than zero unless `allowingZero`.
  static func duration(
    _ text: String, allowingZero: Bool = false
  ) throws(UsageError) -> Duration {
    guard let nanoseconds = nanoseconds(in: text) else {
      throw UsageError("'\(text)' is not a duration such as 30, 30s, 5m30s, 1h, 7d or 500ms")
    }
    guard nanoseconds <= 1e18 else { throw UsageError("'\(text)' is too long") }
    guard nanoseconds > 0 || allowingZero else { throw UsageError("must be greater than zero") }
    return .nanoseconds(Int64(nanoseconds))
  }

  /// Parses numbers with units, in descending order. A number without a unit is in seconds.
  private static func nanoseconds(in text: String) -> Double? {
    if let seconds = decimal(text[...]) { return (seconds * 1e9).rounded() }
    var units: [(name: String, nanoseconds: Double)] = [
      ("d", 86_400e9), ("h", 3600e9), ("m", 60e9), ("s", 1e9), ("ms", 1e6),
    ]
    var sum = 0.0
    var rest = text[...]
    repeat {
      let number = rest.prefix(while: isDecimal)
      let name = rest[number.endIndex...].prefix { !isDecimal($0) }
      guard let number = decimal(number), let place = units.firstIndex(where: { $0.name == name })
      else { return nil }
      sum += number * units[place].nanoseconds
      units.removeFirst(place + 1)
      rest = rest[name.endIndex...]
    } while !rest.isEmpty
    return sum.rounded()
  }

  /// `600` or `10m`: a number of fixes, or a duration with a unit.
  static func average(_ text: String) throws(UsageError) -> Averaging.Span {
    if text.allSatisfy(isDecimal), !text.isEmpty {
      let count = try count(text)
      guard count > 1 else { throw UsageError("must be at least 2 fixes") }
      return .fixes(count)
    }
    guard let duration = try? duration(text) else {
      throw UsageError(
        "'\(text)' is neither a number of fixes such as 600 nor a duration such as 10m")
    }
    return .duration(duration)
  }

  /// `10M` or `1h`: bytes with a unit in upper case, or a duration.
  static func rotation(_ text: String) throws(UsageError) -> RecordingFolder.Rotation {
    if let size = bytes(text) {
      guard (1e3...1e15).contains(size) else {
        throw UsageError("'\(text)' is not between 1K and 1000000G")
      }
      return .size(Int(size))
    }
    guard let duration = try? duration(text) else {
      throw UsageError("'\(text)' is neither a size such as 10M nor a duration such as 1h")
    }
    guard duration >= .seconds(1) else { throw UsageError("must be at least a second") }
    return .every(duration)
  }

  /// `30d` or `2G`: a duration with a unit, or bytes with a unit in upper case. A number without a unit would
  /// be read as seconds, and would remove nearly all recordings.
  static func keep(_ text: String) throws(UsageError) -> RecordingFolder.Limit {
    if let size = bytes(text) {
      guard (1e6...1e15).contains(size) else {
        throw UsageError("'\(text)' is not between 1M and 1000000G")
      }
      return .size(Int(size))
    }
    guard decimal(text[...]) == nil, let age = try? duration(text) else {
      throw UsageError("'\(text)' is neither an age such as 30d nor a size such as 2G")
    }
    guard age >= .seconds(60) else { throw UsageError("must be at least a minute") }
    return .age(age)
  }

  /// Returns a number of bytes with a unit; `nil` for anything else.
  private static func bytes(_ text: String) -> Double? {
    let units = ["K": 1e3, "M": 1e6, "G": 1e9]
    guard let unit = text.last.flatMap({ units[String($0)] }) else { return nil }
    return decimal(text.dropLast()).map { $0 * unit }
  }

  /// `2026-05-01T09:30:00+02:00`, `2026-05-01 09:30`, `2026-05-01`, `9:30` or `9:30+02:00`. Without a zone, the time is
  /// in UTC.
  ///
  /// - Parameter isEnd: Whether this is the end of a range. A range includes the day on which it ends.
  static func when(
    _ text: String, isEnd: Bool = false
  ) throws(UsageError) -> RecordedRange.Bound {
    let failure = UsageError(
      "'\(text)' is not a time such as 2026-05-01T09:30:00Z, 2026-05-01 or 09:30")
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw failure }
    if text.count == 10, let day = day(text) { return .time(isEnd ? day.advanced(by: aDay) : day) }
    guard let separator = text.dropFirst(10).first, "Tt ".contains(separator) else {
      guard let clock = zonedTime(text[...]) else { throw failure }
      return .timeOfDay(clock.time, ahead: clock.zone)
    }
    guard let day = day(text.prefix(10)), let clock = zonedTime(text.dropFirst(11)) else {
      throw failure
    }
    return .time(day.advanced(by: clock.time - clock.zone))
  }

  /// Returns a time of day, and by how much its zone is ahead of UTC.
  private static func zonedTime(_ text: Substring) -> (time: Duration, zone: Duration)? {
    var (clock, zone) = (text, Duration.zero)
    if let last = clock.last, "Zz".contains(last) {
      clock = clock.dropLast()
    } else if let sign = clock.suffix(6).first, "+-".contains(sign) {
      guard let offset = timeOfDay(clock.suffix(5)) else { return nil }
      zone = sign == "-" ? .zero - offset : offset
      clock = clock.dropLast(6)
    }
    return timeOfDay(clock).map { ($0, zone) }
  }

  private static let aDay = Duration.seconds(86_400)

  /// Returns the beginning of a day.
  private static func day(_ date: some StringProtocol) -> Timestamp? {
    Timestamp(iso8601: "\(date)T00:00:00Z")
  }

  /// Returns a time of day. Its seconds and leading zero are optional. The end of a day is 24:00.
  private static func timeOfDay(_ clock: some StringProtocol) -> Duration? {
    let full = (clock.dropFirst().first == ":" ? "0" : "") + clock
    let seconds = full.count == 5 ? ":00" : ""
    if full + seconds == "24:00:00" { return aDay }
    return Timestamp(iso8601: "1970-01-01T\(full)\(seconds)Z")
      .map { .nanoseconds($0.nanosecondsSince1970) }
  }

  /// Throws if an operand is a time of day, because it was probably not quoted together with its date.
  static func refuseTime(among operands: [String]) throws(UsageError) {
    for operand in operands {
      guard zonedTime(operand[...]) != nil else { continue }
      throw UsageError(
        "'\(operand)' is not a target. If it belongs to a date, write a T between them, as in "
          + "2026-05-01T\(operand)")
    }
  }

  /// - Parameter allowingZero: Whether zero is accepted.
  static func metres(_ text: String, allowingZero: Bool = false) throws(UsageError) -> Double {
    guard let metres = decimal(text[...]) else {
      throw UsageError("'\(text)' is not a plain number of metres, such as 5 or 2.5")
    }
    guard metres.isFinite else { throw UsageError("'\(text)' is too large") }
    guard metres > 0 || allowingZero else { throw UsageError("must be greater than zero") }
    return metres
  }

  /// The classes of reports that a shell completes.
  static let classes = [
    "ATT", "GST", "IMU", "TOFF", "PPS", "OSC", "AIS", "RTCM2", "RTCM3", "SUBFRAME",
  ]

  /// The classes of all versions of gpsd from 3.22 to 3.27.
  private static let knownClasses = Set(
    classes + [
      "TPV", "SKY", "VERSION", "DEVICE", "DEVICES", "WATCH", "POLL", "ERROR", "RAW", "LOG",
    ])

  /// The warning for classes that no known gpsd has; `nil` if all are known. A newer gpsd may have them.
  static func warning(ofClassesIn kinds: [ServiceReport.Kind]) -> String? {
    let unknown = kinds.map(\.rawValue).filter { !knownClasses.contains($0) }.sorted()
    guard let last = unknown.last else { return nil }
    let names = unknown.count == 1 ? "class \(last)" : "classes \(unknown.joined(separator: ", "))"
    return "--class: gpsd up to 3.27 has no \(names), but \(classes.joined(separator: ", "))"
  }

  /// `ATT,PPS`, in upper or lower case. Unknown classes are accepted, because a newer gpsd may have them.
  static func classes(_ text: String) throws(UsageError) -> Set<ServiceReport.Kind> {
    var kinds: Set<ServiceReport.Kind> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard !name.isEmpty, name.utf8.count <= 255,
        name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
      else { throw UsageError("'\(name)' is not a class of reports, such as ATT or AIS") }
      kinds.insert(ServiceReport.Kind(rawValue: name.uppercased()))
    }
    return kinds
  }

  static func count(_ text: String) throws(UsageError) -> Int {
    guard decimal(text[...]) != nil, !text.contains(".") else {
      throw UsageError("'\(text)' is not a positive integer")
    }
    guard let count = Int(text) else { throw UsageError("'\(text)' is too large") }
    guard count > 0 else { throw UsageError("'\(text)' is not a positive integer") }
    return count
  }

  /// The accepted speeds. Beyond them, a replay would never end or would not be paced.
  private static let speeds = 0.001...1_000_000

  static func speed(_ text: String) throws(UsageError) -> ReplaySpeed {
    if text.lowercased() == "max" { return .max }
    guard let factor = decimal(text[...]), speeds.contains(factor) else {
      throw UsageError("'\(text)' is neither max nor a number from 0.001 to 1000000")
    }
    return .times(factor)
  }

  /// `48.1,11.5` or `48.1,11.5,592.3`.
  static func reference(_ text: String) throws(UsageError) -> LocationReport.Reference {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      signedDecimal($0)
    }
    guard 2...3 ~= numbers.count, let latitude = numbers[0], let longitude = numbers[1],
      numbers.count == 2 || numbers[2] != nil,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else {
      throw UsageError("'\(text)' is not a position such as 48.15,11.58 or 48.15,11.58,592.3")
    }
    let height = numbers.count == 3 ? numbers[2] : nil
    guard (height ?? 0).magnitude <= 100_000 else {
      throw UsageError("the height in '\(text)' is not between -100000 and 100000 m")
    }
    return LocationReport.Reference(coordinate, altHAE: height)
  }

  /// `50,5m`.
  static func stop(_ text: String) throws(UsageError) -> StopCriteria {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let radius = signedDecimal(Substring(parts[0])),
      (1...100_000).contains(radius)
    else {
      throw UsageError("'\(text)' is not a radius from 1 to 100000 m and a time, such as 50,5m")
    }
    let duration = try duration(parts[1])
    guard duration >= .seconds(10), duration <= .seconds(86_400) else {
      throw UsageError("must be a time from 10s to 1d")
    }
    return StopCriteria(radius: radius, duration: duration)
  }

  /// `home=47.37,8.54,50`, a circle, or `yard=47.1,8.1:47.2,8.1:47.2,8.3`, a polygon.
  static func region(_ text: String) throws(UsageError) -> (Region, dwell: Duration?) {
    // An area ends with a number without a unit.
    guard let comma = text.lastIndex(of: ","), text.last?.isLetter == true,
      nanoseconds(in: String(text[text.index(after: comma)...])) != nil
    else { return (try area(text[...], of: text), nil) }
    let dwell = try duration(String(text[text.index(after: comma)...]), allowingZero: true)
    return (try area(text[..<comma], of: text), dwell)
  }

  /// - Parameters:
  ///   - text: The argument without its time.
  ///   - argument: `home=47.37,8.54,50,5m`.
  private static func area(_ text: Substring, of argument: String) throws(UsageError) -> Region {
    guard let end = text.firstIndex(of: "=") else {
      throw UsageError("'\(argument)' is not NAME=AREA, such as home=47.37,8.54,50")
    }
    let name = try name(text[..<end], of: argument)
    let corners = text[text.index(after: end)...].split(
      separator: ":", omittingEmptySubsequences: false
    ).map { $0.split(separator: ",", omittingEmptySubsequences: false).map(signedDecimal) }
    let isCircle = corners.count == 1
    if isCircle, corners[0].count == 2, !corners[0].contains(nil), text != argument {
      let time = argument[text.endIndex...].dropFirst()
      throw UsageError(
        "region '\(name)': '\(time)' is a time, and the radius is missing: a plain number of metres, "
          + "such as 50")
    }
    var coordinates: [Coordinate] = []
    for corner in corners {
      guard corner.count == (isCircle ? 3 : 2), let latitude = corner[0], let longitude = corner[1]
      else {
        throw UsageError(
          "'\(argument)' is neither a circle, such as home=47.37,8.54,50, nor a polygon, such as "
            + "yard=47.1,8.1:47.2,8.1:47.2,8.3")
      }
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
        throw UsageError("region '\(name)': \(latitude),\(longitude) is not a position")
      }
      coordinates.append(coordinate)
    }
    if isCircle {
      guard let radius = corners[0][2], radius > 0, radius.isFinite else {
        throw UsageError("region '\(name)': the radius is not a number of metres above zero")
      }
      return .circle(name, around: coordinates[0], radius: radius)
    }
    guard coordinates.count >= 3 else {
      throw UsageError("region '\(name)': a polygon has at least three corners")
    }
    guard let polygon = Region.polygon(name, coordinates) else {
      throw UsageError("region '\(name)': two corners are more than 9,000 km apart")
    }
    return polygon
  }

  /// Returns the name before the `=` of an argument.
  static func name(_ name: Substring, of argument: String) throws(UsageError) -> String {
    guard !name.isEmpty else {
      throw UsageError("no name before the = of '\(argument.withoutTypedUserInfo)'")
    }
    guard !name.unicodeScalars.contains(where: { $0 < " " || $0 == "\u{7f}" }),
      name.utf8.count <= 255
    else {
      throw UsageError(
        "the name in '\(argument.withoutTypedUserInfo)' has control characters, or is too long")
    }
    return String(name)
  }

  private static func signedDecimal(_ text: Substring) -> Double? {
    text.hasPrefix("-") ? decimal(text.dropFirst()).map { -$0 } : decimal(text)
  }

  /// `9947`, `0.0.0.0:9947` or `[::]:9947`: without an address, only this machine.
  static func serve(_ text: String) throws(UsageError) -> NetworkAddress {
    let colon = text.lastIndex(of: ":")
    let digits = colon.map { text[$0...].dropFirst() } ?? text[...]
    guard let port = UInt16(digits), digits.allSatisfy({ isDecimal($0) }) else {
      throw UsageError("'\(text)' is not a port such as 9947, or an address with a port")
    }
    guard let colon else { return NetworkAddress(.tcp, host: "127.0.0.1", port: port) }
    var host = text[..<colon]
    let isIPv6 = host.contains(":")
    if host.hasPrefix("["), host.hasSuffix("]"), isIPv6 { host = host.dropFirst().dropLast() }
    let address = NetworkAddress(.tcp, host: String(host), port: port)
    guard !host.isEmpty, HostAddress.known(of: address) != nil else {
      throw UsageError("'\(text[..<colon])' is not an address such as 127.0.0.1, 0.0.0.0 or [::1]")
    }
    guard !isIPv6 || text.hasPrefix("[") else {
      throw UsageError("write an IPv6 address in brackets: '[\(host)]:\(port)'")
    }
    return address
  }

  /// `gps.example`: a name that browsers can send as the host of a request.
  static func hostName(_ text: String) throws(UsageError) -> String {
    let name = try nonEmpty(text)
    guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) })
    else {
      throw UsageError("'\(name)' is not a name such as gps.example, without a port")
    }
    return name
  }

  static func nonEmpty(_ text: String) throws(UsageError) -> String {
    guard !text.isEmpty else { throw UsageError("must not be empty") }
    return text
  }

  /// Returns the path of a file, if it is not empty.
  static func path(_ argument: Argument) throws(UsageError) -> FilePath {
    guard !argument.bytes.isEmpty else { throw UsageError("must not be empty") }
    return FilePath(bytes: argument.bytes)
  }

  /// Reads `[NAME=]FILE`. The name ends at the first `=`, unless a slash or a colon comes before it, as in a target.
  static func recording(
    _ argument: Argument
  ) throws(UsageError) -> (name: String?, path: FilePath) {
    let end = argument.bytes.firstIndex { "=/:".utf8.contains($0) }
    guard let end, argument.bytes[end] == UInt8(ascii: "=") else {
      return (nil, try path(argument))
    }
    let text = try Argument(bytes: argument.bytes[..<end]).validText
    let name = try name(text[...], of: argument.text)
    return (name, try path(Argument(bytes: argument.bytes[end...].dropFirst())))
  }

  /// Parses a word of an enumeration, in upper or lower case. The error lists all of them.
  static func word<Value: RawRepresentable & CaseIterable>(
    _ text: String, as type: Value.Type = Value.self
  ) throws(UsageError) -> Value where Value.RawValue == String {
    if let value = Value(rawValue: text.lowercased()) { return value }
    let words = Value.allCases.map(\.rawValue)
    throw UsageError("'\(text)' is not one of \(words.joined(separator: ", "))")
  }

  /// Parses digits with at most one point; infinite if there are too many digits. `Double` would
  /// also accept `inf`, `0x1p3` and `-1`.
  private static func decimal(_ text: Substring) -> Double? {
    let points = text.utf8.count { $0 == UInt8(ascii: ".") }
    guard points <= 1, points < text.utf8.count, text.allSatisfy(isDecimal) else { return nil }
    return Double(text)
  }

  private static func isDecimal(_ character: Character) -> Bool {
    character == "." || ("0"..."9").contains(character)
  }
}
