import LocationTestKit

/// A file of what a receiver sent: sentences of NMEA, frames of UBX, and what a bad line makes of them,
/// after the comments of gpsd's own logs and the greeting of `gpspipe -R`.
struct ReceiverLog {
  /// What the file begins with, after its comments.
  enum Kind: CaseIterable { case nmea, ubx, reports, anything, greeted }

  let kind: Kind
  let bytes: [UInt8]
  /// The bytes that gpsd must get.
  let contents: [UInt8]

  init(_ random: inout SeededRandom) {
    kind = random.pick(Kind.allCases)
    var comments: [UInt8] = []
    for _ in 0..<random.pick([0, 0, 1, 3, 40]) {
      comments += "# \(String(repeating: "c", count: random.pick([0, 3, 200])))\n".utf8
    }
    if kind == .greeted { comments += Self.greeting.utf8 }
    var contents = Self.beginning(of: kind, &random)
    for _ in 0..<random.pick([0, 1, 20, 300]) { contents += Self.piece(&random) }
    self.contents = contents
    bytes = comments + contents
  }

  private static let greeting =
    #"{"class":"VERSION","release":"3.25"}\#n{"class":"DEVICES","devices":[]}\#n"#
    + #"{"class":"WATCH","enable":true,"json":false,"nmea":false,"raw":2}\#n"#

  private static func beginning(of kind: Kind, _ random: inout SeededRandom) -> [UInt8] {
    switch kind {
    case .nmea: sentence(&random)
    case .ubx: frame(&random)
    case .reports: Array(#"{"class":"SKY","device":"/dev/a"}\#n"#.utf8)
    // No comment, no frame, and no byte order mark.
    case .anything, .greeted: [.random(in: 0xC1...0xEE, using: &random)] + junk(&random)
    }
  }

  private static func piece(_ random: inout SeededRandom) -> [UInt8] {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return junk(&random)
    case 1: return Array("# no comment here\n".utf8)
    case 2: return Array(sentence(&random).prefix(.random(in: 0...20, using: &random)))
    case 3...5: return frame(&random)
    default: return sentence(&random)
    }
  }

  private static func sentence(_ random: inout SeededRandom) -> [UInt8] {
    let number = Int.random(in: 0...59, using: &random)
    let text = random.pick([
      "GPGGA,1235\(number),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
      "GPRMC,1235\(number),A,4807.038,N,01131.000,E,022.4,084.4,230326,003.1,W", "GPGSV,1,1,00",
    ])
    let sum = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return Array("$\(text)*\(sum.count < 2 ? "0" : "")\(sum)\r\n".utf8)
  }

  private static func frame(_ random: inout SeededRandom) -> [UInt8] {
    let body = [0x01, 0x07, 8, 0] + junk(&random).prefix(8)
    return [0xB5, 0x62] + body + [0, 0]
  }

  private static func junk(_ random: inout SeededRandom) -> [UInt8] {
    (0..<Int.random(in: 0...60, using: &random)).map { _ in .random(in: 0...255, using: &random) }
  }
}
