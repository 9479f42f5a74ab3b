import LocationTestKit
import TestSupport

/// What a caster answers to a request: a header, and frames of RTCM 3 with noise between them.
struct FuzzCaster {
  /// Where a stream begins after the header.
  private static let headers = [
    "ICY 200 OK\r\n\r\n", "ICY 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\n\r\n",
    "HTTP/1.0 200 OK\nServer: x\n\n",
  ]
  private static let chunkedHeader =
    "HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let others = [
    "SOURCETABLE 200 OK\r\n\r\nSTR;NEAR;a;b;c;d;e;f;g;1;2;1;0\r\nSTR;NEAS;\r\nENDSOURCETABLE\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\nSTR;FAR;\r\nENDSOURCETABLE\r\n",
    "HTTP/1.1 401 Unauthorized\r\n\r\n", "HTTP/1.1 301 Moved\r\nLocation: x\r\n\r\n",
    "ERROR - Bad Password\r\n", "ERROR\r\n", "SSH-2.0-x\r\n", "\r\n", "",
  ]

  /// The frames in the answer, in their order.
  private(set) var frames: [[UInt8]] = []
  private(set) var bytes: [UInt8] = []

  init(_ random: inout SeededRandom) {
    if random.happens(onceIn: 6) {
      bytes = Array(random.pick(Self.others).utf8)
      return
    }
    var body: [UInt8] = []
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      if random.happens(onceIn: 3) { body += Self.noise(&random) }
      let length = random.happens(onceIn: 8) ? 1023 : Int.random(in: 1...90, using: &random)
      let frame = RTCMFrame.frame((0..<length).map { _ in .random(in: 0...255, using: &random) })
      frames.append(frame)
      body += frame
    }
    if random.happens(onceIn: 3) {
      bytes = Array(Self.chunkedHeader.utf8) + Self.chunks(of: body, &random)
    } else {
      bytes = Array(random.pick(Self.headers).utf8) + body
    }
  }

  /// Bytes among which no frame begins.
  private static func noise(_ random: inout SeededRandom) -> [UInt8] {
    (0..<Int.random(in: 1...40, using: &random)).map { _ in .random(in: 0x40...0x7F, using: &random)
    }
  }

  private static func chunks(of body: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in random.pieces(of: body) {
      let size = String(piece.count, radix: 16, uppercase: random.happens(onceIn: 2))
      bytes += Array("\(size)\(random.pick(["", "", " ", ";a=b"]))\r\n".utf8) + piece
      bytes += Array("\r\n".utf8)
    }
    return random.happens(onceIn: 2) ? bytes : bytes + Array("0\r\n\r\n".utf8)
  }

  /// Damages the answer, so that nothing is known of its frames.
  mutating func damage(_ random: inout SeededRandom) {
    frames = []
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      let end = min(bytes.count, place + .random(in: 1...20, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = random.pick([0xD3, 0x0D, 0x0A, 0x30, 0xFF, 0])
      case 1: bytes[place] ^= UInt8(1) << UInt8.random(in: 0...7, using: &random)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: bytes.removeSubrange(place...)
      }
    }
  }
}

extension SeededRandom {
  /// Tears bytes into pieces, none of which is empty.
  mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    let longest = pick([1, 7, 200, 4000])
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = min(rest.count, Int.random(in: 1...longest, using: &self))
      pieces.append(Array(rest.prefix(count)))
      rest.removeFirst(count)
    }
    return pieces
  }
}
